/// 4E09: the phone's name. Parameter 0, text [2+].
public struct DeviceInformationUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceInformationUpdate

    /// The name.
    public var name = ""

    /// A message without name.
    public init() {}

    /// Makes the message.
    public init(name: String) { self.name = name }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceInformationUpdate>] = [.required(0, "name", \.name)]
}

/// 4E0A: the phone's language. Parameter 0, text as "en" [C].
public struct DeviceLanguageUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceLanguageUpdate

    /// The language.
    public var language = ""

    /// A message without language.
    public init() {}

    /// Makes the message.
    public init(language: String) { self.language = language }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceLanguageUpdate>] = [.required(0, "language", \.language)]
}

/// 4E0B: the phone's time [C]. The zone's offset contains daylight saving time already.
public struct DeviceTimeUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceTimeUpdate

    /// Parameter 0: seconds since 1970 in UTC.
    public var seconds: Int64 = 0
    /// Parameter 1: minutes of local time ahead of UTC.
    public var zoneMinutes: Int16 = 0
    /// Parameter 2: minutes of daylight saving time in the offset.
    public var daylightSavingMinutes: Int8 = 0

    /// 1970, in UTC.
    public init() {}

    /// Makes the message.
    public init(seconds: Int64, zoneMinutes: Int16, daylightSavingMinutes: Int8) {
        self.seconds = seconds
        self.zoneMinutes = zoneMinutes
        self.daylightSavingMinutes = daylightSavingMinutes
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceTimeUpdate>] = [
        .required(0, "seconds", \.seconds), .required(1, "zoneMinutes", \.zoneMinutes),
        .required(2, "daylightSavingMinutes", \.daylightSavingMinutes),
    ]
}

/// 4E0E: the phone's identifiers on its transports [C]. A real unit waits for it before it invites a session (V851).
public struct DeviceTransportIdentifiers: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceTransportIdentifierNotification

    /// Parameter 0: the Bluetooth address as text.
    public var bluetooth: String?
    /// Parameter 1: the USB serial number.
    public var usb: String?

    /// A phone without identifiers.
    public init() {}

    /// Makes the message.
    public init(bluetooth: String? = nil, usb: String? = nil) {
        self.bluetooth = bluetooth
        self.usb = usb
    }

    /// Its parameters.
    public static let bindings: [FieldBinding<DeviceTransportIdentifiers>] = [
        .text(0, "bluetooth", \.bluetooth), .text(1, "usb", \.usb),
    ]
}

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
