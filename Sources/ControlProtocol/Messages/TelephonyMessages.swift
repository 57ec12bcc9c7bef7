/// 4155: one call of the phone. Fields and types as in NOC; names of the states partly inferred (LIVI).
public struct CallStateUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.callStateUpdate

    /// What a call does.
    public enum Status: UInt8, Hashable, Sendable, CaseIterable {
        case disconnected = 0
        case sending = 1
        case ringing = 2
        case connecting = 3
        case active = 4
        case held = 5
        case disconnecting = 6
    }

    /// Who called.
    public enum Direction: UInt8, Hashable, Sendable, CaseIterable {
        case unknown = 0
        case incoming = 1
        case outgoing = 2
    }

    /// Parameter 0: the number or address of the other side.
    public var remoteIdentifier: String?
    /// Parameter 1: the name of the other side.
    public var displayName: String?
    /// Parameter 2.
    public var status: Status?
    /// Parameter 3.
    public var direction: Direction?
    /// Parameter 4: the call's UUID.
    public var callUUID: String?
    /// Parameter 6.
    public var addressBookIdentifier: String?
    /// Parameter 7: as "mobile".
    public var label: String?
    /// Parameter 8: the number of a service.
    public var service: UInt8?
    /// Parameter 9.
    public var isConferenced: Bool?
    /// Parameter 10.
    public var conferenceGroup: UInt8?
    /// Parameter 11.
    public var disconnectReason: UInt8?
    /// Parameter 12: seconds since 1970 in UTC.
    public var startTime: Int64?

    /// An update that says nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<CallStateUpdate>] = [
        .text(0, "remoteIdentifier", \.remoteIdentifier), .text(1, "displayName", \.displayName),
        .choice(2, "status", \.status), .choice(3, "direction", \.direction), .text(4, "callUUID", \.callUUID),
        .text(6, "addressBookIdentifier", \.addressBookIdentifier), .text(7, "label", \.label),
        .integer(8, "service", \.service), .boolean(9, "isConferenced", \.isConferenced),
        .integer(10, "conferenceGroup", \.conferenceGroup), .integer(11, "disconnectReason", \.disconnectReason),
        .integer(12, "startTime", \.startTime),
    ]
}

extension CallStateUpdate.Status: WireChoice {}
extension CallStateUpdate.Direction: WireChoice {}
