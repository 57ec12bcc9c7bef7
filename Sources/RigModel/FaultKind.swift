/// What a fault does to the bytes of a link. The text is what sockets, scenarios and the command line use.
public enum FaultKind: String, Sendable, CaseIterable {
    /// A packet is lost.
    case drop
    /// One bit of a packet's header is wrong, so that its checksum is.
    case corruptHeader = "corrupt-header"
    /// One bit of a packet's payload is wrong, so that its checksum is.
    case corruptPayload = "corrupt-payload"
    /// A packet tells a wrong length in a header whose checksum holds: the receiver takes too little or too much for the
    /// packet, and has to find the next one.
    case corruptLength = "corrupt-length"
    /// A packet comes twice.
    case duplicate
    /// A packet comes behind the one that was sent after it.
    case reorder
    /// A packet comes later, and what was sent after it waits behind it.
    case delay
    /// A packet comes byte by byte.
    case split
    /// The packets of a short time come in one piece.
    case join
    /// Nothing comes any more; what was sent meanwhile comes when the stall is over.
    case stall
    /// A session begins with bytes that are left from the one before.
    case stale
    /// A reset packet comes that nobody sent.
    case reset
    /// The cable is pulled.
    case unplug

    /// One line of what it does, for the documentation, `--help` and `ListFaults`.
    public var meaning: String {
        switch self {
        case .drop: "a packet is lost"
        case .corruptHeader: "one bit of a packet's header is wrong"
        case .corruptPayload: "one bit of a packet's payload is wrong"
        case .corruptLength: "a packet tells a wrong length, and its header's checksum holds"
        case .duplicate: "a packet comes twice"
        case .reorder: "a packet comes behind the one that was sent after it"
        case .delay: "a packet comes later, and what was sent after it waits behind it"
        case .split: "a packet comes byte by byte"
        case .join: "the packets of a short time come in one piece"
        case .stall: "nothing comes any more until the stall is over"
        case .stale: "a session begins with bytes that are left from the one before"
        case .reset: "a reset packet comes that nobody sent"
        case .unplug: "the cable is pulled"
        }
    }

    /// What the time of a fault means for this kind.
    public var timing: FaultTiming {
        switch self {
        case .delay: .required
        case .reorder: .optional(100_000_000)
        case .join: .optional(20_000_000)
        case .stall: .untilCleared
        case .drop, .corruptHeader, .corruptPayload, .corruptLength, .duplicate, .split, .stale, .reset, .unplug: .none
        }
    }

    /// Whether it happens of itself when its place is reached, without a packet that it happens to.
    public var needsNoPacket: Bool {
        switch self {
        case .stall, .reset, .unplug, .stale: true
        case .drop, .corruptHeader, .corruptPayload, .corruptLength, .duplicate, .reorder, .delay, .split, .join: false
        }
    }
}

/// Whether a kind of fault takes a time.
public enum FaultTiming: Equatable, Sendable {
    /// It takes none.
    case none
    /// It must be told.
    case required
    /// So many nanoseconds when nobody says. For `reorder` the longest wait for the packet behind; for `join` how long
    /// packets are gathered.
    case optional(UInt64)
    /// As long as it is told, or until the fault is cleared.
    case untilCleared
}

/// Which way the bytes go that a fault is about.
public enum FaultDirection: String, Sendable, CaseIterable {
    /// From the rig to the device.
    case toDevice
    /// From the device to the rig.
    case fromDevice
    /// Both ways; each counts its own packets and strikes.
    case both
}

/// A packet of a handshake by what it carries: the steps at which a fault can strike, whichever side sends them.
public enum HandshakePacket: String, Sendable, CaseIterable {
    /// The detection bytes.
    case detection
    /// The head unit's offer of link parameters.
    case offer
    /// The phone's answer to it.
    case answer
    /// The phone asks for the certificate.
    case certificateRequest
    /// The head unit's certificate.
    case certificate
    /// The phone's challenge.
    case challenge
    /// The head unit's signature.
    case response
    /// The phone's verdict on it, whichever it is.
    case authenticationResult
    /// The phone asks for the identification.
    case identificationRequest
    /// What the head unit says it is.
    case identification
    /// The phone's verdict on it, whichever it is.
    case identificationResult
    /// The phone offers a session.
    case availability
    /// The head unit starts it.
    case startSession
    /// The head unit's displays.
    case displays
}

/// Where in the life of a session a fault may strike.
public enum FaultPlace: Equatable, Sendable {
    /// Anywhere.
    case anywhere
    /// While the session is in this phase; never `closed`, in which nothing passes.
    case during(SessionPhase)
    /// From the moment on at which the session first reaches this phase; never `closed`.
    case since(SessionPhase)
    /// At packets that carry this.
    case packet(HandshakePacket)

    /// The phases that can be named.
    public static let phases = SessionPhase.allCases.filter { $0 != .closed }
    /// What can stand behind `at`.
    public static let atNames = phases.map(\.rawValue) + HandshakePacket.allCases.map(\.rawValue)
    /// What can stand behind `from`.
    public static let fromNames = phases.map(\.rawValue)

    /// The place that is told with `at`: a phase or a packet; `nil` for another word.
    public init?(at name: String) {
        if let phase = Self.phases.first(where: { $0.rawValue == name }) {
            self = .during(phase)
        } else if let packet = HandshakePacket(rawValue: name) {
            self = .packet(packet)
        } else {
            return nil
        }
    }

    /// The place that is told with `from`: a phase; `nil` for another word.
    public init?(from name: String) {
        guard let phase = Self.phases.first(where: { $0.rawValue == name }) else { return nil }
        self = .since(phase)
    }

    /// The word behind `at`, if it is told so.
    public var at: String? {
        switch self {
        case .during(let phase): phase.rawValue
        case .packet(let packet): packet.rawValue
        case .anywhere, .since: nil
        }
    }

    /// The word behind `from`, if it is told so.
    public var from: String? {
        switch self {
        case .since(let phase): phase.rawValue
        case .anywhere, .during, .packet: nil
        }
    }

    /// The packet, if it is told so.
    public var packet: HandshakePacket? {
        switch self {
        case .packet(let packet): packet
        case .anywhere, .during, .since: nil
        }
    }
}
