public import WireBytes

/// In which order a phone asks.
public enum HandshakeOrder: String, Hashable, Sendable, CaseIterable {
    /// Certificate and signature, then identification: real phones over Bluetooth and USB [C] (OCBM, POD).
    case authenticationFirst
    /// The other way round (LIVI, CAT).
    case identificationFirst
}

/// What a phone brings into the handshake.
public struct DeviceConfiguration: Equatable, Sendable {
    /// In which order it asks.
    public var order: HandshakeOrder
    /// The length of its challenge in bytes, in `AuthenticationChallenge.legalLength`; nil is that of the shape of the
    /// unit's certificate: 20 in captures [C], 32 in NOC's snapshots.
    public var challengeLength: Int?
    /// Its name, told to units that list 4E09.
    public var name: String
    /// Its language, told to units that list 4E0A.
    public var language: String
    /// Its time, told to units that list 4E0B.
    public var time: DeviceTimeUpdate?
    /// Its UUID, told to units that list 4E0C.
    public var uuid: String?
    /// Whether it would start a session without a cable, told to units that list 4E0D.
    public var wirelessSession: WirelessSessionUpdate.Status?
    /// Its identifiers on its transports, told to units that list 4E0E.
    public var identifiers: DeviceTransportIdentifiers
    /// What it tells a unit that lists it, in this order. Fewer make a phone on which a unit waits in vain.
    public var pushes: [MessageID]
    /// Over what it would start a session; sent as 4300 to units that start it on the link.
    public var availability: CarPlayAvailability
    /// Parameters that it refuses when a unit's identification has them, for scenarios.
    public var refusedParameters: [UInt16]
    /// A refused list of messages names those that are refused. A real phone did so once and once did not (OCBM).
    public var namesRefusedMessages: Bool
    /// How many identifications of one unit it looks at before it gives up.
    public var maximumIdentifications: Int
    /// Nanoseconds between its last verdict and 4300 at least. A phone took 8...115 ms [C] (POD).
    public var startDelay: UInt64
    /// Nanoseconds between a unit's AE03 and 4300 at least: one car fell silent when 4300 came before its AE03 or within
    /// 1 ms of it [C] (POD).
    public var powerQuiet: UInt64
    /// Nanoseconds that 4300 waits for the AE03 of a unit that lists it: ours.
    public var powerPatience: UInt64
    /// What its user does at the start.
    public var conditions: PhoneConditions
    /// How long each step may take.
    public var deadlines: ControlDeadlines

    /// The default order of `pushes`: that of a phone over USB, 4E0C, 4E0A, 4E09 [C] (POD), and of one over Bluetooth,
    /// 5702, 4E0B, 4E0A, 4E0D, 4E0E [C] (OCBM), in one.
    public static let pushes: [MessageID] = [
        .requestAccessoryWiFiConfiguration, .deviceUUIDUpdate, .deviceTimeUpdate, .deviceLanguageUpdate,
        .deviceInformationUpdate, .wirelessSessionUpdate, .deviceTransportIdentifierNotification,
    ]

    /// Makes a configuration.
    public init(
        order: HandshakeOrder = .authenticationFirst, challengeLength: Int? = nil, name: String = "Dashrig phone",
        language: String = "en", time: DeviceTimeUpdate? = nil, uuid: String? = nil,
        wirelessSession: WirelessSessionUpdate.Status? = nil,
        identifiers: DeviceTransportIdentifiers = DeviceTransportIdentifiers(),
        availability: CarPlayAvailability = CarPlayAvailability(wired: .init(isAvailable: true)),
        pushes: [MessageID] = DeviceConfiguration.pushes, refusedParameters: [UInt16] = [],
        namesRefusedMessages: Bool = true, maximumIdentifications: Int = 3, startDelay: UInt64 = 20_000_000,
        powerQuiet: UInt64 = 10_000_000, powerPatience: UInt64 = 1_000_000_000,
        conditions: PhoneConditions = PhoneConditions(), deadlines: ControlDeadlines = ControlDeadlines()
    ) {
        self.order = order
        self.challengeLength = challengeLength
        self.name = name
        self.language = language
        self.time = time
        self.uuid = uuid
        self.wirelessSession = wirelessSession
        self.identifiers = identifiers
        self.pushes = pushes
        self.availability = availability
        self.refusedParameters = refusedParameters
        self.namesRefusedMessages = namesRefusedMessages
        self.maximumIdentifications = maximumIdentifications
        self.startDelay = startDelay
        self.powerQuiet = powerQuiet
        self.powerPatience = powerPatience
        self.conditions = conditions
        self.deadlines = deadlines
    }

    /// Throws the first value that no phone can run with or that fits no message, so that a configuration can be refused
    /// before anything is plugged.
    public func validate() throws(WireError) {
        let lengths = AuthenticationChallenge.legalLength
        if let challengeLength, !lengths.contains(challengeLength) {
            throw WireError(
                .invalid("\(challengeLength) is outside \(lengths.lowerBound)...\(lengths.upperBound)"), offset: 0,
                field: "challenge length")
        }
        guard maximumIdentifications > 0 else {
            throw WireError(.invalid("must be more than 0"), offset: 0, field: "maximum identifications")
        }
        _ = try DeviceInformationUpdate(name: name).message()
        _ = try DeviceLanguageUpdate(language: language).message()
        if let uuid { _ = try DeviceUUIDUpdate(uuid: uuid).message() }
        _ = try identifiers.message()
        _ = try availability.message()
        _ = try IdentificationRejection(parameters: refusedParameters).message()
    }
}
