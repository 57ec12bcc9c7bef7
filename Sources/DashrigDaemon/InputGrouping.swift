import RigConfiguration
import RigModel

/// Which nodes are one device, and where it is plugged in: read out of values, nothing is asked.
enum InputGrouping {
    /// What the nodes of one device have in common.
    ///
    /// A group that the rule names; else the USB device, or the HID device of another bus; else what the driver says of
    /// its place, up to the number of the input; else nothing: the node is alone.
    static func key(of device: InputDeviceDescription, at syspath: String, _ profile: InputProfile) -> String {
        if !profile.group.isEmpty { return "group \(profile.group)" }
        let parts = syspath.split(separator: "/")
        if let index = parts.lastIndex(where: isUSBPort) ?? parts.lastIndex(where: isHIDDevice) {
            return "at " + parts[...index].joined(separator: "/")
        }
        // Over Bluetooth `phys` is the address of the adapter, which all of its devices share.
        if !device.phys.isEmpty && device.bus != bluetooth { return "phys " + place(device.phys) }
        return "at \(syspath)"
    }

    /// The USB port that an input device hangs on (`1-1.4`), else what its driver says, else its place in sysfs.
    static func port(of device: InputDeviceDescription, at syspath: String) -> String {
        let parts = syspath.split(separator: "/")
        if let usb = parts.last(where: isUSBPort) { return String(usb) }
        return device.phys.isEmpty ? String(parts.last ?? "") : device.phys
    }

    /// BUS_BLUETOOTH (linux/input.h).
    private static let bluetooth: UInt16 = 5

    /// `1-1.4`
    private static func isUSBPort(_ part: Substring) -> Bool {
        let halves = part.split(separator: "-", omittingEmptySubsequences: false)
        return halves.count == 2 && !halves[0].isEmpty && halves[0].allSatisfy(\.isNumber)
            && !halves[1].isEmpty && halves[1].allSatisfy { $0.isNumber || $0 == "." }
    }

    /// `0005:045E:091B.0003`: bus, vendor, product, number.
    private static func isHIDDevice(_ part: Substring) -> Bool {
        let lengths = part.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        return lengths.map(\.count) == [4, 4, 4, 4] && lengths.joined().allSatisfy(\.isHexDigit)
    }

    /// `usb-0000:00:14.0-1/input0` without its last part.
    private static func place(_ phys: String) -> Substring {
        phys.lastIndex(of: "/").map { phys[..<$0] } ?? phys[...]
    }
}
