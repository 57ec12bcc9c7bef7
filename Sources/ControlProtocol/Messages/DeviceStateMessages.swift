/// 4E0C: the phone's UUID. Parameter 0, text [2+].
public struct DeviceUUIDUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceUUIDUpdate

    /// The UUID as text.
    public var uuid = ""

    /// A message without UUID.
    public init() {}

    /// Makes the message.
    public init(uuid: String) { self.uuid = uuid }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceUUIDUpdate>] = [.required(0, "uuid", \.uuid)]
}

/// 4E0D: whether the phone would start a session without a cable. Parameter 0, 0 or 1 [C].
public struct WirelessSessionUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.wirelessSessionUpdate

    /// What the phone would do.
    public enum Status: UInt8, Hashable, Sendable, CaseIterable {
        case unavailable = 0
        case available = 1
    }

    /// Parameter 0.
    public var status: Status?

    /// A message that says nothing.
    public init() {}

    /// Makes the message.
    public init(status: Status) { self.status = status }

    /// Its parameters.
    public static let bindings: [FieldBinding<WirelessSessionUpdate>] = [.choice(0, "status", \.status)]
}

extension WirelessSessionUpdate.Status: WireChoice {}
