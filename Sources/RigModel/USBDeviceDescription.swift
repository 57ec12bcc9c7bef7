/// A class, subclass and protocol as USB descriptors carry them, for a device or an interface.
public struct USBClass: Equatable, Hashable, Sendable {
    /// The class: 0x06 still image, 0x09 hub, 0xFF vendor specific.
    public var code: UInt8
    /// The subclass.
    public var subclass: UInt8
    /// The protocol.
    public var protocolCode: UInt8

    /// States a triple.
    public init(_ code: UInt8, _ subclass: UInt8, _ protocolCode: UInt8) {
        self.code = code
        self.subclass = subclass
        self.protocolCode = protocolCode
    }
}

/// How an endpoint moves its data: the two low bits of its attributes.
public enum USBTransferType: UInt8, Sendable, CaseIterable {
    case control = 0
    case isochronous = 1
    case bulk = 2
    case interrupt = 3
}

/// One endpoint of an interface.
public struct USBEndpoint: Equatable, Hashable, Sendable {
    /// Its number in the low four bits; 0x80 is set when the device sends.
    public var address: UInt8
    /// The attributes as the descriptor has them.
    public var attributes: UInt8
    /// The most bytes of one packet, without the high-bandwidth bits: 0 to 2,047.
    public var maxPacket: UInt16

    /// States an endpoint.
    public init(address: UInt8, attributes: UInt8, maxPacket: UInt16) {
        self.address = address
        self.attributes = attributes
        self.maxPacket = maxPacket
    }

    /// True when the device sends on it.
    public var isIn: Bool { address & 0x80 != 0 }

    /// How it moves its data.
    public var transferType: USBTransferType {
        switch attributes & 3 {
        case 0: .control
        case 1: .isochronous
        case 2: .bulk
        default: .interrupt
        }
    }
}

/// The two bulk endpoints that carry a byte stream each way.
public struct USBBulkPair: Equatable, Hashable, Sendable {
    /// From the device to the host.
    public var input: USBEndpoint
    /// From the host to the device.
    public var output: USBEndpoint

    /// Pairs two endpoints.
    public init(input: USBEndpoint, output: USBEndpoint) {
        self.input = input
        self.output = output
    }
}

/// One alternate setting of one interface.
public struct USBInterface: Equatable, Hashable, Sendable {
    /// The interface's number.
    public var number: UInt8
    /// The alternate setting; 0 is the one in use after the configuration was set.
    public var alternate: UInt8
    /// What it does.
    public var function: USBClass
    /// Its endpoints, in the order of their descriptors.
    public var endpoints: [USBEndpoint]

    /// States an interface.
    public init(number: UInt8, alternate: UInt8 = 0, function: USBClass, endpoints: [USBEndpoint] = []) {
        self.number = number
        self.alternate = alternate
        self.function = function
        self.endpoints = endpoints
    }

    /// The first bulk endpoint of each direction, or `nil` when one of them is missing. Endpoint numbers differ from
    /// device to device, so nobody should look for a pair by number.
    public var bulkPair: USBBulkPair? {
        guard let input = endpoints.first(where: { $0.transferType == .bulk && $0.isIn }),
            let output = endpoints.first(where: { $0.transferType == .bulk && !$0.isIn })
        else { return nil }
        return USBBulkPair(input: input, output: output)
    }
}

/// One configuration of a device.
public struct USBConfiguration: Equatable, Hashable, Sendable {
    /// The value that selects it.
    public var value: UInt8
    /// Every alternate setting of every interface, in the order of their descriptors.
    public var interfaces: [USBInterface]

    /// States a configuration.
    public init(value: UInt8, interfaces: [USBInterface]) {
        self.value = value
        self.interfaces = interfaces
    }
}

/// How fast a device is connected. The text is what sysfs says, in Mbit/s.
public enum USBSpeed: String, Sendable, CaseIterable {
    case low = "1.5"
    case full = "12"
    case high = "480"
    case superSpeed = "5000"
    case superSpeedPlus = "10000"
    case superSpeedPlusBy2 = "20000"
}

/// A USB device as the bus shows it: the input of classification. A plain value; nothing is open behind it.
public struct USBDeviceDescription: Equatable, Sendable {
    /// The vendor.
    public var vendor: UInt16
    /// The product.
    public var product: UInt16
    /// The device's release in binary coded decimal (bcdDevice).
    public var release: UInt16
    /// Class, subclass and protocol of the whole device; 0/0/0 leaves it to the interfaces.
    public var deviceClass: USBClass
    /// The manufacturer string, or empty.
    public var manufacturer: String
    /// The product string, or empty.
    public var model: String
    /// The serial string; may be empty, may repeat.
    public var serial: String
    /// The bus's topology: `1-1.4`.
    public var port: String
    /// How fast it is connected, or `nil` when unknown.
    public var speed: USBSpeed?
    /// Every configuration, in the order of their descriptors. May be empty while the kernel still reads them.
    public var configurations: [USBConfiguration]
    /// The value of the configuration in use, or `nil` for none or unknown.
    public var activeConfiguration: UInt8?

    /// States a device.
    public init(
        vendor: UInt16, product: UInt16, release: UInt16 = 0, deviceClass: USBClass = USBClass(0, 0, 0),
        manufacturer: String = "", model: String = "", serial: String = "", port: String, speed: USBSpeed? = nil,
        configurations: [USBConfiguration] = [], activeConfiguration: UInt8? = nil
    ) {
        self.vendor = vendor
        self.product = product
        self.release = release
        self.deviceClass = deviceClass
        self.manufacturer = manufacturer
        self.model = model
        self.serial = serial
        self.port = port
        self.speed = speed
        self.configurations = configurations
        self.activeConfiguration = activeConfiguration
    }
}
