/// 1D06: a unit in a running session changes what it said it is. Parameters as in `Identification`; those that are there
/// have changed. Only the name of the message is agreed on [2+]; which parameters may change is ours.
public struct IdentificationUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.identificationInformationUpdate

    /// Parameter 0.
    public var name: String?
    /// Parameter 1.
    public var modelIdentifier: String?
    /// Parameter 2.
    public var manufacturer: String?
    /// Parameter 3.
    public var serialNumber: String?
    /// Parameter 4.
    public var firmwareVersion: String?
    /// Parameter 5.
    public var hardwareVersion: String?
    /// Parameter 9, in mA.
    public var maximumCurrentDrawn: UInt16?
    /// Parameter 12, as "en".
    public var currentLanguage: String?

    /// An update that changes nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<IdentificationUpdate>] = [
        .text(0, "name", \.name), .text(1, "modelIdentifier", \.modelIdentifier),
        .text(2, "manufacturer", \.manufacturer), .text(3, "serialNumber", \.serialNumber),
        .text(4, "firmwareVersion", \.firmwareVersion), .text(5, "hardwareVersion", \.hardwareVersion),
        .integer(9, "maximumCurrentDrawn", \.maximumCurrentDrawn), .text(12, "currentLanguage", \.currentLanguage),
    ]

    /// The identification with what has changed.
    public func applied(to identification: Identification) -> Identification {
        var result = identification
        if let name { result.name = name }
        if let modelIdentifier { result.modelIdentifier = modelIdentifier }
        if let manufacturer { result.manufacturer = manufacturer }
        if let serialNumber { result.serialNumber = serialNumber }
        if let firmwareVersion { result.firmwareVersion = firmwareVersion }
        if let hardwareVersion { result.hardwareVersion = hardwareVersion }
        if let maximumCurrentDrawn { result.maximumCurrentDrawn = maximumCurrentDrawn }
        if let currentLanguage { result.currentLanguage = currentLanguage }
        return result
    }
}
