/// EA00: an app of the phone opens a session of a protocol that the unit named [2+].
public struct StartExternalAccessorySession: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.startExternalAccessorySession

    /// Parameter 0: the number of the protocol.
    public var protocolID: UInt8 = 0
    /// Parameter 1: the number of the session, which its packets on the link carry.
    public var session: UInt16 = 0

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(protocolID: UInt8, session: UInt16) {
        self.protocolID = protocolID
        self.session = session
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<StartExternalAccessorySession>] = [
        .required(0, "protocol", \.protocolID), .required(1, "session", \.session),
    ]
}

/// EA01: an app of the phone closes its session [2+].
public struct StopExternalAccessorySession: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.stopExternalAccessorySession

    /// Parameter 0.
    public var session: UInt16 = 0

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(session: UInt16) { self.session = session }

    /// Its parameters.
    public static let bindings: [FieldBinding<StopExternalAccessorySession>] = [
        .required(0, "session", \.session)
    ]
}

/// EA03: what the unit says of a session [2+].
public struct ExternalAccessorySessionStatus: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.externalAccessorySessionStatus

    /// What the unit wants.
    public enum Status: UInt8, Hashable, Sendable, CaseIterable {
        case ok = 0
        case close = 1
    }

    /// Parameter 0.
    public var session: UInt16 = 0
    /// Parameter 1.
    public var status: Status?

    /// A message with nothing in it.
    public init() {}

    /// Makes the message.
    public init(session: UInt16, status: Status) {
        self.session = session
        self.status = status
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<ExternalAccessorySessionStatus>] = [
        .required(0, "session", \.session), .choice(1, "status", \.status),
    ]
}

extension ExternalAccessorySessionStatus.Status: WireChoice {}
