public import RigModel

/// A class, subclass and protocol of which some may be anything: `ff/f0/00`, `08`, `ff/*/01`.
public struct USBClassPattern: Equatable, Hashable, Sendable {
    /// The class, or `nil` for any.
    public var code: UInt8?
    /// The subclass, or `nil` for any.
    public var subclass: UInt8?
    /// The protocol, or `nil` for any.
    public var protocolCode: UInt8?

    /// States a pattern.
    public init(_ code: UInt8?, _ subclass: UInt8? = nil, _ protocolCode: UInt8? = nil) {
        self.code = code
        self.subclass = subclass
        self.protocolCode = protocolCode
    }

    /// Whether the triple fits.
    public func matches(_ triple: USBClass) -> Bool {
        (code ?? triple.code) == triple.code && (subclass ?? triple.subclass) == triple.subclass
            && (protocolCode ?? triple.protocolCode) == triple.protocolCode
    }
}

/// What an interface must look like.
public struct USBInterfacePattern: Equatable, Hashable, Sendable {
    /// What it does.
    public var function: USBClassPattern
    /// Whether it needs a bulk endpoint each way.
    public var needsBulkPair: Bool

    /// States a pattern.
    public init(_ function: USBClassPattern, needsBulkPair: Bool = false) {
        self.function = function
        self.needsBulkPair = needsBulkPair
    }

    /// Whether the interface fits.
    public func matches(_ interface: USBInterface) -> Bool {
        function.matches(interface.function) && (!needsBulkPair || interface.bulkPair != nil)
    }
}

/// An interface with the configuration that has it.
public struct USBInterfaceReference: Equatable, Hashable, Sendable {
    /// The value of the configuration.
    public var configuration: UInt8
    /// The interface.
    public var interface: USBInterface

    /// Names an interface.
    public init(configuration: UInt8, interface: USBInterface) {
        self.configuration = configuration
        self.interface = interface
    }
}

/// What a USB device must be to fit: each list that is not empty must be met by one of its parts.
public struct USBMatch: Equatable, Sendable {
    /// The vendors.
    public var vendors: [UInt16] = []
    /// The products.
    public var products: [ClosedRange<UInt16>] = []
    /// The releases (bcdDevice).
    public var releases: [ClosedRange<UInt16>] = []
    /// Class, subclass and protocol of the whole device.
    public var deviceClasses: [USBClassPattern] = []
    /// An interface of any configuration and alternate setting.
    public var interfaces: [USBInterfacePattern] = []

    /// Fits everything until something is asked for.
    public init() {}

    /// True when nothing is asked for.
    public var isEmpty: Bool {
        vendors.isEmpty && products.isEmpty && releases.isEmpty && deviceClasses.isEmpty && interfaces.isEmpty
    }

    /// Whether the device fits.
    public func matches(_ device: USBDeviceDescription) -> Bool {
        (vendors.isEmpty || vendors.contains(device.vendor))
            && (products.isEmpty || products.contains { $0.contains(device.product) })
            && (releases.isEmpty || releases.contains { $0.contains(device.release) })
            && (deviceClasses.isEmpty || deviceClasses.contains { $0.matches(device.deviceClass) })
            && (interfaces.isEmpty || interface(of: device) != nil)
    }

    /// The interface that fits, for whoever opens it: of the configuration in use where there is one, else of the first
    /// that has one; `nil` when none fits or the match asks for none.
    public func interface(of device: USBDeviceDescription) -> USBInterfaceReference? {
        var first: USBInterfaceReference?
        for configuration in device.configurations {
            guard
                let interface = configuration.interfaces.first(where: { candidate in
                    interfaces.contains { $0.matches(candidate) }
                })
            else { continue }
            let reference = USBInterfaceReference(configuration: configuration.value, interface: interface)
            if configuration.value == device.activeConfiguration { return reference }
            first = first ?? reference
        }
        return first
    }
}
