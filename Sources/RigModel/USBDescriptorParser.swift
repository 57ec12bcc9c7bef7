/// Why USB descriptors cannot be read. The fault is the device's, or the reader's who handed in too little.
public enum USBDescriptorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// More bytes than the kernel ever gives out.
    case tooLarge(count: Int)
    /// A descriptor needs `needed` bytes from `offset` on, but only `left` are there.
    case truncated(offset: Int, needed: Int, left: Int)
    /// A descriptor of type `expected` must stand at `offset`, but `found` does.
    case unexpectedType(offset: Int, found: UInt8, expected: UInt8)
    /// The length that stands at `offset` is below what its type needs.
    case badLength(offset: Int, length: Int, least: Int)
    /// The device says that it has more configurations than the kernel takes.
    case tooManyConfigurations(offset: Int, count: Int)
    /// After the last configuration there are more bytes.
    case trailing(offset: Int, count: Int)

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .tooLarge(let count):
            "\(count) bytes of descriptors; the most is \(USBDescriptors.maximumBytes)"
        case .truncated(let offset, let needed, let left):
            "the descriptor at offset \(offset) needs \(needed) bytes, \(left) are left"
        case .unexpectedType(let offset, let found, let expected):
            "a descriptor of type \(found) stands at offset \(offset); type \(expected) must"
        case .badLength(let offset, let length, let least):
            "the descriptor at offset \(offset) says that it has \(length) bytes; it needs at least \(least)"
        case .tooManyConfigurations(let offset, let count):
            "\(count) configurations at offset \(offset); the most is \(USBDescriptors.maximumConfigurations)"
        case .trailing(let offset, let count):
            "\(count) bytes too many from offset \(offset) on"
        }
    }
}

/// What a device's descriptors say: the 18 bytes of the device, then each configuration in full, as the kernel keeps
/// them in the sysfs attribute `descriptors`.
public struct USBDescriptors: Equatable, Sendable {
    /// The vendor.
    public let vendor: UInt16
    /// The product.
    public let product: UInt16
    /// The device's release in binary coded decimal.
    public let release: UInt16
    /// The USB version in binary coded decimal: 0x0200 is 2.0.
    public let version: UInt16
    /// Class, subclass and protocol of the whole device.
    public let deviceClass: USBClass
    /// The index of the manufacturer string; 0 for none.
    public let manufacturerIndex: UInt8
    /// The index of the product string; 0 for none.
    public let productIndex: UInt8
    /// The index of the serial string; 0 for none.
    public let serialIndex: UInt8
    /// The configurations in their order.
    public let configurations: [USBConfiguration]
    /// Places inside configurations that make no sense. What follows them up to the end of their configuration was
    /// skipped, as the kernel does: such a device works, so it must not become invisible.
    public let remarks: [USBDescriptorError]

    /// The most bytes: the size of the sysfs attribute (kernel, drivers/usb/core/sysfs.c).
    public static let maximumBytes = 18 + 65_535
    /// The most configurations (kernel, USB_MAXCONFIG).
    public static let maximumConfigurations = 8

    /// Reads descriptors. Class-specific descriptors, associations and the like are passed over.
    public static func parse(_ bytes: [UInt8]) throws(USBDescriptorError) -> USBDescriptors {
        guard bytes.count <= maximumBytes else { throw .tooLarge(count: bytes.count) }
        var parser = USBDescriptorParser(bytes)
        return try parser.run()
    }
}

extension USBDeviceDescription {
    /// Describes a device by its descriptors and what the bus knows beside them.
    public init(
        descriptors: USBDescriptors, manufacturer: String = "", model: String = "", serial: String = "", port: String,
        speed: USBSpeed? = nil, activeConfiguration: UInt8? = nil
    ) {
        self.init(
            vendor: descriptors.vendor, product: descriptors.product, release: descriptors.release,
            deviceClass: descriptors.deviceClass, manufacturer: manufacturer, model: model, serial: serial, port: port,
            speed: speed, configurations: descriptors.configurations, activeConfiguration: activeConfiguration)
    }
}

/// Walks over the bytes. Every access is behind a check of the length.
private struct USBDescriptorParser {
    private let bytes: [UInt8]
    private var remarks: [USBDescriptorError] = []

    /// Descriptor types and the least lengths of those that are read (USB 2.0, table 9-5 and after).
    private enum Kind {
        static let device: UInt8 = 1
        static let configuration: UInt8 = 2
        static let interface: UInt8 = 4
        static let endpoint: UInt8 = 5
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() throws(USBDescriptorError) -> USBDescriptors {
        let deviceLength = try header(at: 0, type: Kind.device, least: 18)
        let count = Int(bytes[17])
        guard count <= USBDescriptors.maximumConfigurations else {
            throw .tooManyConfigurations(offset: 17, count: count)
        }
        var offset = deviceLength
        var configurations: [USBConfiguration] = []
        for _ in 0..<count {
            let length = try header(at: offset, type: Kind.configuration, least: 9)
            let total = Int(word(at: offset + 2))
            guard total >= length else { throw .badLength(offset: offset + 2, length: total, least: length) }
            guard total <= bytes.count - offset else {
                throw .truncated(offset: offset, needed: total, left: bytes.count - offset)
            }
            configurations.append(
                USBConfiguration(
                    value: bytes[offset + 5], interfaces: interfaces(in: offset + length..<offset + total)))
            offset += total
        }
        guard offset == bytes.count else { throw .trailing(offset: offset, count: bytes.count - offset) }
        return USBDescriptors(
            vendor: word(at: 8), product: word(at: 10), release: word(at: 12), version: word(at: 2),
            deviceClass: USBClass(bytes[4], bytes[5], bytes[6]),
            manufacturerIndex: bytes[14], productIndex: bytes[15], serialIndex: bytes[16],
            configurations: configurations, remarks: remarks)
    }

    /// The length of the descriptor at `offset`, which must have this type and lie wholly inside.
    private func header(at offset: Int, type: UInt8, least: Int) throws(USBDescriptorError) -> Int {
        let left = bytes.count - offset
        guard left >= 2 else { throw .truncated(offset: offset, needed: least, left: left) }
        let length = Int(bytes[offset])
        guard bytes[offset + 1] == type else {
            throw .unexpectedType(offset: offset, found: bytes[offset + 1], expected: type)
        }
        guard length >= least else { throw .badLength(offset: offset, length: length, least: least) }
        guard length <= left else { throw .truncated(offset: offset, needed: length, left: left) }
        return length
    }

    /// A little-endian word whose two bytes are known to be there.
    private func word(at offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }

    private mutating func interfaces(in range: Range<Int>) -> [USBInterface] {
        var interfaces: [USBInterface] = []
        /// How many endpoints the interface at hand still announces.
        var awaited = 0
        var offset = range.lowerBound
        while offset < range.upperBound {
            let left = range.upperBound - offset
            guard left >= 2 else {
                remarks.append(.truncated(offset: offset, needed: 2, left: left))
                break
            }
            let length = Int(bytes[offset])
            let type = bytes[offset + 1]
            let least = type == Kind.interface ? 9 : type == Kind.endpoint ? 7 : 2
            guard length >= least else {
                remarks.append(.badLength(offset: offset, length: length, least: least))
                break
            }
            guard length <= left else {
                remarks.append(.truncated(offset: offset, needed: length, left: left))
                break
            }
            if type == Kind.interface {
                awaited = Int(bytes[offset + 4])
                interfaces.append(
                    USBInterface(
                        number: bytes[offset + 2], alternate: bytes[offset + 3],
                        function: USBClass(bytes[offset + 5], bytes[offset + 6], bytes[offset + 7])))
            } else if type == Kind.endpoint && awaited > 0 {
                awaited -= 1
                interfaces[interfaces.count - 1].endpoints.append(
                    USBEndpoint(
                        address: bytes[offset + 2], attributes: bytes[offset + 3],
                        maxPacket: word(at: offset + 4) & 0x7FF))
            }
            offset += length
        }
        return interfaces
    }
}
