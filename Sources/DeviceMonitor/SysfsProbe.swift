internal import Glibc
internal import LinuxIO
internal import RigModel

/// Reads one device's attributes from sysfs. Runs as a job: the kernel takes the device's lock for its strings and its
/// configuration, and a driver that hangs holds that lock for ever.
enum SysfsProbe {
    /// Looks at a device now.
    static func run(_ sighting: DeviceSighting) -> ProbeOutcome {
        let folder = AttributeFolder(path: sighting.syspath)
        guard folder.exists else { return .gone }
        switch sighting.category {
        case .usbDevice: return usbDevice(sighting, folder)
        case .inputNode: return inputNode(sighting, folder)
        case .usbInterface: return .gone
        }
    }

    /// Whether a node can be opened as it is needed. Asks the permissions only: opening a USB node wakes the device up,
    /// and can block.
    private static func access(_ node: String?, _ mode: Int32) -> NodeAccess {
        guard let node else { return .missing }
        if Glibc.access(node, mode) == 0 { return .granted }
        switch errno {
        case ENOENT, ENOTDIR, ENXIO, ENODEV: return .missing
        default: return .denied
        }
    }

    private static func usbDevice(_ sighting: DeviceSighting, _ folder: AttributeFolder) -> ProbeOutcome {
        if let address = sighting.identity.usbAddress, let device = folder.number("devnum", radix: 10),
            device != address.device
        {
            return .gone
        }
        var reading = ProbeReading(access: access(sighting.node, R_OK | W_OK))
        reading.note(nodeOf: reading.access)
        let fallback = USBDeviceDescription(properties: sighting)
        let manufacturer = folder.text("manufacturer") ?? fallback?.manufacturer ?? ""
        let model = folder.text("product") ?? fallback?.model ?? ""
        let serial = folder.text("serial") ?? fallback?.serial ?? ""
        let port = USBPort.name(syspath: sighting.syspath)
        let speed = folder.text("speed").flatMap(USBSpeed.init(rawValue:))
        var usb: USBDeviceDescription
        if let bytes = folder.bytes("descriptors"), let descriptors = try? USBDescriptors.parse(bytes) {
            usb = USBDeviceDescription(
                descriptors: descriptors, manufacturer: manufacturer, model: model, serial: serial, port: port,
                speed: speed)
        } else {
            reading.missing.append(.descriptors)
            guard let vendor = folder.number("idVendor", radix: 16), let product = folder.number("idProduct", radix: 16)
            else {
                reading.missing.append(.identifiers)
                return .read(reading)
            }
            usb = USBDeviceDescription(
                vendor: vendor, product: product, release: folder.number("bcdDevice", radix: 16) ?? 0,
                deviceClass: USBClass(
                    folder.byte("bDeviceClass"), folder.byte("bDeviceSubClass"), folder.byte("bDeviceProtocol")),
                manufacturer: manufacturer, model: model, serial: serial, port: port, speed: speed)
        }
        // 0 is the kernel's word for a device that is addressed but not configured.
        usb.activeConfiguration = folder.number("bConfigurationValue", radix: 10).flatMap { UInt8(exactly: $0) }
        if usb.activeConfiguration == 0 { usb.activeConfiguration = nil }
        if usb.activeConfiguration == nil { reading.missing.append(.configuration) }
        reading.usb = usb
        return .read(reading)
    }

    private static func inputNode(_ sighting: DeviceSighting, _ folder: AttributeFolder) -> ProbeOutcome {
        // An input device is only read.
        var reading = ProbeReading(access: access(sighting.node, R_OK))
        reading.note(nodeOf: reading.access)
        guard let device = folder.parent, let types = device.bits("capabilities/ev") else {
            reading.missing.append(.capabilities)
            return .read(reading)
        }
        reading.input = InputDeviceDescription(
            bus: device.number("id/bustype", radix: 16) ?? 0, vendor: device.number("id/vendor", radix: 16) ?? 0,
            product: device.number("id/product", radix: 16) ?? 0,
            version: device.number("id/version", radix: 16) ?? 0, name: device.text("name") ?? "",
            phys: device.text("phys") ?? "", uniq: device.text("uniq") ?? "", ev: types,
            key: device.bits("capabilities/key") ?? [], rel: device.bits("capabilities/rel") ?? [],
            abs: device.bits("capabilities/abs") ?? [], props: device.bits("properties") ?? [])
        return .read(reading)
    }
}

extension ProbeReading {
    fileprivate mutating func note(nodeOf access: NodeAccess) {
        switch access {
        case .granted: break
        case .denied: missing.append(.access)
        case .missing: missing.append(.node)
        }
    }
}

/// The attributes of one folder of sysfs. What cannot be read is not there: the caller waits and looks again.
private struct AttributeFolder {
    let path: String

    /// Descriptors are the longest; the rest are lines.
    private static let limit = USBDescriptors.maximumBytes

    var exists: Bool { access(path, F_OK) == 0 }

    /// The folder above.
    var parent: AttributeFolder? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return AttributeFolder(path: String(path[..<slash]))
    }

    func bytes(_ name: String) -> [UInt8]? { try? FileContents.read("\(path)/\(name)", limit: Self.limit) }

    /// A text without the line's end and the blanks around it; `nil` when it is absent or empty.
    func text(_ name: String) -> String? {
        guard let bytes = bytes(name) else { return nil }
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return nil }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    func number(_ name: String, radix: Int) -> UInt16? { text(name).flatMap { UInt16($0, radix: radix) } }

    func byte(_ name: String) -> UInt8 { text(name).flatMap { UInt8($0, radix: 16) } ?? 0 }

    func bits(_ name: String) -> [UInt16]? { text(name).flatMap(KernelBitmap.parse) }
}
