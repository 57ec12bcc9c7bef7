internal import RigModel

extension ProbeReading {
    /// What the properties of an event say about a device whose attributes cannot be read: its ids and names, but
    /// neither descriptors nor capabilities.
    init(of sighting: DeviceSighting) {
        switch sighting.category {
        case .usbDevice: self.init(access: .missing, usb: USBDeviceDescription(properties: sighting))
        case .inputNode, .usbInterface: self.init(access: .missing)
        }
    }
}

extension USBDeviceDescription {
    /// Ids and strings as udev has them, or `nil` when it has no ids. `PRODUCT` is `vendor/product/release` and `TYPE`
    /// is `class/subclass/protocol`, the first in hexadecimal, the second in decimal; the kernel sets both.
    init?(properties sighting: DeviceSighting) {
        let properties = sighting.properties
        let product = numbers(properties["PRODUCT"], radix: 16)
        guard product.count == 3 else { return nil }
        let type = numbers(properties["TYPE"], radix: 10)
        let deviceClass =
            type.count == 3
            ? USBClass(UInt8(clamping: type[0]), UInt8(clamping: type[1]), UInt8(clamping: type[2])) : USBClass(0, 0, 0)
        self.init(
            vendor: product[0], product: product[1], release: product[2], deviceClass: deviceClass,
            manufacturer: UdevString.decode(properties["ID_VENDOR_ENC"]) ?? "",
            model: UdevString.decode(properties["ID_MODEL_ENC"]) ?? "",
            serial: properties["ID_SERIAL_SHORT"] ?? "", port: USBPort.name(syspath: sighting.syspath))
    }
}

private func numbers(_ text: String?, radix: Int) -> [UInt16] {
    guard let text else { return [] }
    return text.split(separator: "/", omittingEmptySubsequences: false).compactMap { UInt16($0, radix: radix) }
}

/// The bus's topology in a syspath.
enum USBPort {
    /// The last part of a USB device's syspath: `1-1.4` for a device behind a hub, `usb1` for a root hub.
    static func name(syspath: String) -> String {
        guard let slash = syspath.utf8.lastIndex(of: UInt8(ascii: "/")) else { return syspath }
        return String(syspath[syspath.utf8.index(after: slash)...])
    }
}

/// udev's way to write a string that may hold anything.
enum UdevString {
    /// Turns `\x20` and the like back into the bytes they stand for; a broken escape stays as it is. Trailing blanks,
    /// which some devices pad with, are cut.
    static func decode(_ text: String?) -> String? {
        guard let text else { return nil }
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if index + 3 < source.count, source[index] == UInt8(ascii: "\\"), source[index + 1] == UInt8(ascii: "x"),
                let byte = UInt8(String(decoding: source[index + 2...index + 3], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 4
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
