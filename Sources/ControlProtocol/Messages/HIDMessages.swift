/// 6800: the unit offers an input device on the link [2+].
public struct StartHID: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.startHID

    /// Parameter 0: the unit's number for it, that of a component 18 of its identification.
    public var component: UInt16 = 0
    /// Parameter 1: USB vendor.
    public var vendor: UInt16 = 0
    /// Parameter 2: USB product.
    public var product: UInt16 = 0
    /// Parameter 3: HID country code [?].
    public var country: UInt8?
    /// Parameter 4: the report descriptor.
    public var descriptor: [UInt8]?

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(component: UInt16, vendor: UInt16, product: UInt16, descriptor: [UInt8], country: UInt8? = nil) {
        self.component = component
        self.vendor = vendor
        self.product = product
        self.descriptor = descriptor
        self.country = country
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<StartHID>] = [
        .required(0, "component", \.component), .required(1, "vendor", \.vendor), .required(2, "product", \.product),
        .integer(3, "country", \.country), .bytes(4, "descriptor", \.descriptor),
    ]
}

/// 6801: an output report of the phone for an input device of the unit [2+].
public struct DeviceHIDReport: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceHIDReport

    /// Parameter 0.
    public var component: UInt16 = 0
    /// Parameter 1.
    public var report: [UInt8]?

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(component: UInt16, report: [UInt8]) {
        self.component = component
        self.report = report
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceHIDReport>] = [
        .required(0, "component", \.component), .bytes(1, "report", \.report),
    ]
}

/// 6802: an input report of the unit [2+].
public struct AccessoryHIDReport: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.accessoryHIDReport

    /// Parameter 0.
    public var component: UInt16 = 0
    /// Parameter 1.
    public var report: [UInt8]?

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(component: UInt16, report: [UInt8]) {
        self.component = component
        self.report = report
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<AccessoryHIDReport>] = [
        .required(0, "component", \.component), .bytes(1, "report", \.report),
    ]
}

/// 6803: an input device of the unit is gone [2+].
public struct StopHID: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.stopHID

    /// Parameter 0.
    public var component: UInt16 = 0

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(component: UInt16) { self.component = component }

    /// Its parameters.
    public static let bindings: [FieldBinding<StopHID>] = [.required(0, "component", \.component)]
}
