/// A component whose parameters are known. What every one has: 0 its number in the unit, 1 its name.
public protocol TypedComponent: FieldMapped {
    /// Its parameter number in the identification.
    static var kind: UInt16 { get }
}

/// 10: a protocol of apps that the unit speaks; repeated. [2+]
public struct ExternalAccessoryProtocol: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 10

    /// What the phone does to find an app for it.
    public enum MatchAction: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        case settingsAndPrompt = 1
        case settingsOnly = 2
        /// No action and no communication [1] (LIVI).
        case noCommunication = 4
    }

    /// Parameter 0: the number that EA00 names.
    public var id: UInt8 = 0
    /// Parameter 1: the name, as "com.example.protocol".
    public var name = ""
    /// Parameter 2.
    public var matchAction: MatchAction?
    /// Parameter 3: the transport of its own that it runs on.
    public var nativeTransport: UInt16?
    /// Parameter 4: it belongs to a session's apps [1] (LIVI).
    public var isForSession = false

    /// A protocol without name.
    public init() {}

    /// A protocol over the link.
    public init(id: UInt8, name: String, matchAction: MatchAction? = MatchAction.none) {
        self.id = id
        self.name = name
        self.matchAction = matchAction
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<ExternalAccessoryProtocol>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .choice(2, "matchAction", \.matchAction),
        .integer(3, "nativeTransport", \.nativeTransport), .flag(4, "isForSession", \.isForSession),
    ]
}

extension ExternalAccessoryProtocol.MatchAction: WireChoice {}

/// 14: transport over a serial line. [2+]
public struct SerialTransport: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 14

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the link runs on it.
    public var supportsLink = false

    /// A transport without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<SerialTransport>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(2, "supportsLink", \.supportsLink),
    ]
}

/// 15: transport over USB with the accessory as host. [2+]
public struct USBDeviceTransport: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 15
    /// The most sample rates: ours; nine are known.
    public static let maximumSampleRates = 16

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the link runs on it.
    public var supportsLink = false
    /// Parameter 3, repeated: indices of sample rates of audio [?].
    public var audioSampleRates: [UInt8] = []

    /// A transport without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<USBDeviceTransport>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(2, "supportsLink", \.supportsLink),
        .integers(3, "audioSampleRates", \.audioSampleRates, limit: maximumSampleRates),
    ]
}

/// 16: transport over USB with the phone as host. [2+]; a real unit has session interface 1 [C] (V851), LIVI has 3.
public struct USBHostTransport: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 16

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the link runs on it.
    public var supportsLink = false
    /// Parameter 3: the number of the session's interface.
    public var sessionInterface: UInt8?
    /// Parameter 4: it supports sessions.
    public var supportsSession = false
    /// Parameter 5: theme assets [1] (LIVI).
    public var supportsThemeAssets = false

    /// A transport without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<USBHostTransport>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(2, "supportsLink", \.supportsLink),
        .integer(3, "sessionInterface", \.sessionInterface), .flag(4, "supportsSession", \.supportsSession),
        .flag(5, "supportsThemeAssets", \.supportsThemeAssets),
    ]
}

/// 17: transport over Bluetooth. [C]
public struct BluetoothTransport: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 17

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the link runs on it.
    public var supportsLink = false
    /// Parameter 3: the address, six bytes.
    public var address: [UInt8]?

    /// A transport without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<BluetoothTransport>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(2, "supportsLink", \.supportsLink),
        .bytes(3, "address", \.address),
    ]
}

/// 18: an input device on the link. [2+], values [1] (NOC)
public struct HIDComponent: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 18

    /// What an input device is for.
    public enum Function: UInt8, Hashable, Sendable, CaseIterable {
        case keyboard = 0
        case mediaRemote = 1
        case assistiveTouch = 2
        case gamepadHolding = 4
        case gamepad = 6
        case switchControl = 7
        case headset = 8
        case braille = 10
    }

    /// Parameter 0: the number that 6800 names.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2.
    public var function: Function?

    /// A component without name.
    public init() {}

    /// Makes a component.
    public init(id: UInt16, name: String, function: Function?) {
        self.id = id
        self.name = name
        self.function = function
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<HIDComponent>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .choice(2, "function", \.function),
    ]
}

extension HIDComponent.Function: WireChoice {}

/// 23: an input device on a USB transport with the phone as host [1] (OCBM); not confirmed.
public struct USBHostHIDComponent: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 23

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2.
    public var function: HIDComponent.Function?
    /// Parameter 3 [?].
    public var transport: UInt16?
    /// Parameter 4 [?].
    public var interface: UInt8?

    /// A component without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<USBHostHIDComponent>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .choice(2, "function", \.function),
        .integer(3, "transport", \.transport), .integer(4, "interface", \.interface),
    ]
}

/// 24: wireless transport of a session. [C]
public struct WirelessTransport: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 24

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the link runs on it.
    public var supportsLink = false
    /// Parameter 4: it supports sessions.
    public var supportsSession = false

    /// A transport without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<WirelessTransport>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(2, "supportsLink", \.supportsLink),
        .flag(4, "supportsSession", \.supportsSession),
    ]
}
