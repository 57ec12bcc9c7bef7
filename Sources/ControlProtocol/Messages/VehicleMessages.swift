/// A101: what the vehicle tells of itself (LIVI; WIO numbers the range warning 5, an older form).
public struct VehicleStatusUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.vehicleStatusUpdate

    /// Parameter 3, in km.
    public var range: UInt16?
    /// Parameter 4, in degrees Celsius.
    public var outsideTemperature: Int16?
    /// Parameter 6.
    public var isRangeLow: Bool?

    /// An update that says nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<VehicleStatusUpdate>] = [
        .integer(3, "range", \.range), .integer(4, "outsideTemperature", \.outsideTemperature),
        .boolean(6, "isRangeLow", \.isRangeLow),
    ]
}

/// FFFB: the vehicle's place, as sentences of NMEA 0183. Parameter 0, text [2+].
public struct LocationInformation: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.locationInformation

    /// The sentences.
    public var sentences = ""

    /// A message without sentences.
    public init() {}

    /// A message with sentences.
    public init(sentences: String) { self.sentences = sentences }

    /// Its parameters.
    public static let bindings: [FieldBinding<LocationInformation>] = [.required(0, "sentences", \.sentences)]
}

/// FFFA: what the phone wants to be told of the vehicle's place (LIVI). A real phone names 15 parameters in all.
public struct StartLocationInformation: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.startLocationInformation

    /// Parameter 1: sentences GGA.
    public var gga = false
    /// Parameter 2: sentences RMC.
    public var rmc = false
    /// Parameter 3: sentences GSV.
    public var gsv = false
    /// Parameter 4: the vehicle's speed.
    public var speed = false

    /// A message that wants nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<StartLocationInformation>] = [
        .flag(1, "gga", \.gga), .flag(2, "rmc", \.rmc), .flag(3, "gsv", \.gsv), .flag(4, "speed", \.speed),
    ]
}
