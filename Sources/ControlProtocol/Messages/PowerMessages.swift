/// AE01: what the phone tells of its power; a real phone sends one message for each field that is asked for [C] (POD).
public struct PowerUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.powerUpdate

    /// What the battery does.
    public enum ChargingState: UInt8, Hashable, Sendable, CaseIterable {
        case notCharging = 0
        case charging = 1
        case charged = 2
    }

    /// Parameter 0: the most that the unit may draw, in mA.
    public var maximumCurrentDrawn: UInt16?
    /// Parameter 1: the battery will charge if there is power.
    public var willCharge: Bool?
    /// Parameter 2: the unit's power mode.
    public var accessoryPowerMode: UInt8?
    /// Parameter 4.
    public var hasExternalCharger: Bool?
    /// Parameter 5.
    public var chargingState: ChargingState?
    /// Parameter 6, 0...100.
    public var batteryLevel: UInt16?

    /// An update that says nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<PowerUpdate>] = [
        .integer(0, "maximumCurrentDrawn", \.maximumCurrentDrawn), .boolean(1, "willCharge", \.willCharge),
        .integer(2, "accessoryPowerMode", \.accessoryPowerMode),
        .boolean(4, "hasExternalCharger", \.hasExternalCharger),
        .choice(5, "chargingState", \.chargingState), .integer(6, "batteryLevel", \.batteryLevel),
    ]
}

extension PowerUpdate.ChargingState: WireChoice {}

/// AE03: the current a unit provides [2+].
public struct PowerSourceUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.powerSourceUpdate

    /// Parameter 0, in mA.
    public var availableCurrent: UInt16 = 0
    /// Parameter 1: the phone should charge its battery.
    public var chargesBattery = false

    /// A unit that provides nothing.
    public init() {}

    /// Makes the message.
    public init(availableCurrent: UInt16, chargesBattery: Bool) {
        self.availableCurrent = availableCurrent
        self.chargesBattery = chargesBattery
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<PowerSourceUpdate>] = [
        .required(0, "availableCurrent", \.availableCurrent), .required(1, "chargesBattery", \.chargesBattery),
    ]
}
