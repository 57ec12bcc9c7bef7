public import RigModel

/// A device that exists only inside the rig: what `plug PROFILE` makes.
public struct VirtualDevice: Equatable, Sendable {
    /// The profile's name; the name of a device is this and a number.
    public let name: String
    /// What kind of thing it is.
    public let kind: DeviceKind
    /// One line for a list of profiles: what it shows and what the rig plays for it.
    public let summary: String
    /// The manufacturer it tells.
    public let manufacturer: String
    /// The model it tells.
    public let model: String
    /// The USB vendor it tells.
    public let vendor: UInt16
    /// The USB product it tells.
    public let product: UInt16
    /// Its serial, with `#` for each digit of its number. Serials are made up and say so.
    public let serialPattern: String

    /// The serial of the device with this number: the pattern with the number in place of its `#`, filled up with zeros
    /// in front. A number with more digits makes the serial longer.
    public func serial(number: Int) -> String {
        let digits = String(number.magnitude)
        let places = serialPattern.count { $0 == "#" }
        let filled = String(repeating: "0", count: max(0, places - digits.count)) + digits
        guard let start = serialPattern.firstIndex(of: "#"), let end = serialPattern.lastIndex(of: "#") else {
            return serialPattern
        }
        return serialPattern[..<start] + filled + serialPattern[serialPattern.index(after: end)...]
    }

    /// The facts of a device of this profile.
    public func facts(serial: String) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: name, vendor: vendor, product: product, serial: serial, port: "virtual",
            manufacturer: manufacturer, model: model, origin: .simulated)
    }
}

/// The profiles of devices that can be plugged without hardware.
public enum DeviceProfiles {
    /// All of them, in the order of listing.
    public static let all = [
        VirtualDevice(
            name: "iphone", kind: .iPhone, summary: "an iPhone; the rig plays the head unit",
            manufacturer: "Apple Inc.",
            model: "iPhone", vendor: 0x05AC, product: 0x12A8, serialPattern: "DASHRIG00000IPHONE00####"),
        VirtualDevice(
            name: "ipad", kind: .iPad, summary: "an iPad; the rig plays the head unit", manufacturer: "Apple Inc.",
            model: "iPad", vendor: 0x05AC, product: 0x12AB, serialPattern: "DASHRIG00000IPAD0000####"),
        VirtualDevice(
            name: "ipod", kind: .iPod, summary: "an iPod touch; the rig plays the head unit",
            manufacturer: "Apple Inc.", model: "iPod", vendor: 0x05AC, product: 0x12AA,
            serialPattern: "DASHRIG00000IPOD0000####"),
        VirtualDevice(
            name: "android", kind: .androidPhone, summary: "an Android phone with MTP; the rig plays the head unit",
            manufacturer: "Google", model: "Pixel 6", vendor: 0x18D1, product: 0x4EE1,
            serialPattern: "DASHRIGANDROID####"),
        VirtualDevice(
            name: "dongle", kind: .dongle, summary: "a CarPlay dongle; the rig plays the head unit",
            manufacturer: "Magic Communication Tec.", model: "Auto Box", vendor: 0x1314, product: 0x1520,
            serialPattern: "DASHRIGDONGLE####"),
        // The Linux Foundation's id of a composite gadget: no car maker's id is borrowed.
        VirtualDevice(
            name: "head-unit", kind: .headUnit, summary: "a head unit with its displays; the rig plays the phone",
            manufacturer: "Dashrig", model: "Virtual Head Unit", vendor: 0x1D6B, product: 0x0104,
            serialPattern: "DASHRIGHEADUNIT####"),
    ]

    /// The virtual device of a profile's name.
    public static func virtual(named name: String) throws(UnknownProfile) -> VirtualDevice {
        guard let device = all.first(where: { $0.name == name }) else {
            throw UnknownProfile(name: name, known: all.map(\.name))
        }
        return device
    }
}
