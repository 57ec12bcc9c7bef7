/// How far a session has come. The names are those that a scenario uses ("unplug while authenticating").
public enum SessionPhase: String, Sendable, CaseIterable {
    /// The two ends look for each other. Exits: synchronizing, closed.
    case detecting
    /// The link's parameters are negotiated. Exits: authenticating or identifying, closed.
    case synchronizing
    /// The head unit proves who it is. Exits: identifying, starting, closed.
    case authenticating
    /// The head unit says what it can do. Exits: authenticating, starting, closed.
    case identifying
    /// The phone offers the session and the head unit takes it. Exits: active, closed.
    case starting
    /// Displays are declared, input flows. Exits: closed.
    case active
    /// It is over; the reason says why. No exit.
    case closed
}

/// Why a handshake waits without its step's deadline running out.
public enum SessionWait: String, Sendable, CaseIterable {
    /// The phone is locked.
    case locked
    /// Nobody tapped "trust" yet.
    case untrusted
    /// CarPlay is switched off on the phone.
    case carPlayOff
    /// The phone is told to offer no session. A head unit on the link is not told, and its deadline goes on.
    case sessionRefused
    /// The rig's own keys and certificates are still being made.
    case credentials
}

/// A session as it is published.
public struct Session: Equatable, Sendable {
    /// Its number in this run.
    public let id: SessionID
    /// The device it belongs to, with the generation it had.
    public let device: DeviceReference
    /// The link it runs over.
    public let link: LinkID
    /// Which side the rig plays.
    public let role: Role
    /// Who answers on the link.
    public let peer: Peer
    /// How far it has come.
    public var phase: SessionPhase
    /// What it waits for, if anything.
    public var waiting: SessionWait?
    /// Nanoseconds from the daemon's start to its beginning.
    public let openedAt: UInt64
    /// Nanoseconds from the daemon's start to `active`, or `nil` before.
    public var activeAt: UInt64?
    /// What the head unit calls itself, once identified.
    public var headUnit: String?
    /// What is known of its authentication.
    public var authentication: SessionAuthentication?
    /// Why it ended, once closed.
    public var reason: Reason?

    /// States a session at its beginning.
    public init(id: SessionID, device: DeviceReference, link: LinkID, role: Role, peer: Peer, openedAt: UInt64) {
        self.id = id
        self.device = device
        self.link = link
        self.role = role
        self.peer = peer
        self.phase = .detecting
        self.openedAt = openedAt
    }

    /// The session as it is published.
    public var record: RecordValue {
        .record([
            RecordField("id", .string(id.name)), RecordField("device", .string(device.name)),
            RecordField("generation", .number(device.generation)), RecordField("link", .number(link.number)),
            RecordField("role", .string(role.rawValue)), RecordField("peer", .string(peer.rawValue)),
            RecordField("phase", .string(phase.rawValue)), RecordField("waiting", .text(waiting?.rawValue)),
            RecordField("openedAt", .number(openedAt)), RecordField("activeAt", .number(activeAt)),
            RecordField("headUnit", .text(headUnit)),
            RecordField("authentication", authentication?.record ?? .null),
            RecordField("reason", reason?.record ?? .null),
        ])
    }
}
