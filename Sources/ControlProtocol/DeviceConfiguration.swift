public import WireBytes

/// In which order a phone asks.
public enum HandshakeOrder: String, Hashable, Sendable, CaseIterable {
    /// Certificate and signature, then identification: real phones over Bluetooth and USB [C] (OCBM, POD).
    case authenticationFirst
    /// The other way round (LIVI, CAT).
    case identificationFirst
}

/// What a phone's user does to the handshake. It can change at any time; it matters until the session is active.
public struct PhoneConditions: Hashable, Sendable {
    /// What the user answers when asked whether to trust the unit.
    public enum Trust: String, Hashable, Sendable, CaseIterable {
        case trusted
        case undecided
        case refused
    }

    /// The phone is locked: it waits at its trust step, without a deadline, until it is unlocked.
    public var isLocked: Bool
    /// What the user answers at the trust step.
    public var trust: Trust
    /// Nanoseconds that the phone lets pass before each of its answers.
    public var answerDelay: UInt64

    /// Makes conditions; by default the phone is unlocked, trusts the unit and answers at once.
    public init(isLocked: Bool = false, trust: Trust = .trusted, answerDelay: UInt64 = 0) {
        self.isLocked = isLocked
        self.trust = trust
        self.answerDelay = answerDelay
    }
}

/// What a phone brings into the handshake.
public struct DeviceConfiguration: Equatable, Sendable {
    /// In which order it asks.
    public var order: HandshakeOrder
    /// The length of its challenge in bytes, in `AuthenticationChallenge.legalLength`: 32 in NOC's snapshots, 20 in
    /// captures [C].
    public var challengeLength: Int
    /// Its name, told to units that list 4E09.
    public var name: String
    /// Its language, told to units that list 4E0A.
    public var language: String
    /// Its time, told to units that list 4E0B.
    public var time: DeviceTimeUpdate?
    /// Its identifiers on its transports, told to units that list 4E0E.
    public var identifiers: DeviceTransportIdentifiers
    /// Over what it would start a session; sent as 4300 to units that start it on the link.
    public var availability: CarPlayAvailability
    /// Parameters that it refuses when a unit's identification has them, for scenarios.
    public var refusedParameters: [UInt16]
    /// How many identifications of one unit it looks at before it gives up.
    public var maximumIdentifications: Int
    /// Nanoseconds between its last verdict and 4300. A phone took 8...115 ms; one car fell silent when 4300 came within
    /// 1 ms of its AE03 [C] (POD).
    public var startDelay: UInt64
    /// What its user does at the start.
    public var conditions: PhoneConditions
    /// How long each step may take.
    public var deadlines: ControlDeadlines

    /// Makes a configuration.
    public init(
        order: HandshakeOrder = .authenticationFirst, challengeLength: Int = 32, name: String = "Dashrig phone",
        language: String = "en", time: DeviceTimeUpdate? = nil,
        identifiers: DeviceTransportIdentifiers = DeviceTransportIdentifiers(),
        availability: CarPlayAvailability = CarPlayAvailability(wired: .init(isAvailable: true)),
        refusedParameters: [UInt16] = [], maximumIdentifications: Int = 3, startDelay: UInt64 = 20_000_000,
        conditions: PhoneConditions = PhoneConditions(), deadlines: ControlDeadlines = ControlDeadlines()
    ) {
        self.order = order
        self.challengeLength = challengeLength
        self.name = name
        self.language = language
        self.time = time
        self.identifiers = identifiers
        self.availability = availability
        self.refusedParameters = refusedParameters
        self.maximumIdentifications = maximumIdentifications
        self.startDelay = startDelay
        self.conditions = conditions
        self.deadlines = deadlines
    }

    /// Throws the first value that no phone can run with or that fits no message, so that a configuration can be refused
    /// before anything is plugged.
    public func validate() throws(WireError) {
        let lengths = AuthenticationChallenge.legalLength
        guard lengths.contains(challengeLength) else {
            throw WireError(
                .invalid("\(challengeLength) is outside \(lengths.lowerBound)...\(lengths.upperBound)"), offset: 0,
                field: "challenge length")
        }
        guard maximumIdentifications > 0 else {
            throw WireError(.invalid("must be more than 0"), offset: 0, field: "maximum identifications")
        }
        _ = try DeviceInformationUpdate(name: name).message()
        _ = try DeviceLanguageUpdate(language: language).message()
        _ = try identifiers.message()
        _ = try availability.message()
        _ = try IdentificationRejection(parameters: refusedParameters).message()
    }
}
