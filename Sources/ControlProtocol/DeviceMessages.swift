public import WireBytes

/// 4E09: the phone's name. Parameter 0, text [2+].
public struct DeviceInformationUpdate: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceInformationUpdate

    /// The name.
    public var name: String

    /// Makes the message.
    public init(name: String) { self.name = name }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        name = try parameters.required(0).text(limit: Identification.maximumTextLength)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        try parameters.append(0, text: name)
        return parameters
    }
}

/// 4E0A: the phone's language. Parameter 0, text as "en" [C].
public struct DeviceLanguageUpdate: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceLanguageUpdate

    /// The language.
    public var language: String

    /// Makes the message.
    public init(language: String) { self.language = language }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        language = try parameters.required(0).text(limit: Identification.maximumTextLength)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        try parameters.append(0, text: language)
        return parameters
    }
}

/// 4E0B: the phone's time [C]. The zone's offset contains daylight saving time already.
public struct DeviceTimeUpdate: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceTimeUpdate

    /// Parameter 0: seconds since 1970 in UTC.
    public var seconds: Int64
    /// Parameter 1: minutes of local time ahead of UTC.
    public var zoneMinutes: Int16
    /// Parameter 2: minutes of daylight saving time in the offset.
    public var daylightSavingMinutes: Int8

    /// Makes the message.
    public init(seconds: Int64, zoneMinutes: Int16, daylightSavingMinutes: Int8) {
        self.seconds = seconds
        self.zoneMinutes = zoneMinutes
        self.daylightSavingMinutes = daylightSavingMinutes
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        seconds = try parameters.required(0).integer()
        zoneMinutes = try parameters.required(1).integer()
        daylightSavingMinutes = try parameters.required(2).integer()
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        parameters.append(0, seconds)
        parameters.append(1, zoneMinutes)
        parameters.append(2, daylightSavingMinutes)
        return parameters
    }
}

/// 4E0E: the phone's identifiers on its transports [C]. A real unit waits for it before it invites a session (V851).
public struct DeviceTransportIdentifiers: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.deviceTransportIdentifierNotification

    /// Parameter 0: the Bluetooth address as text.
    public var bluetooth: String?
    /// Parameter 1: the USB serial number.
    public var usb: String?

    /// Makes the message.
    public init(bluetooth: String? = nil, usb: String? = nil) {
        self.bluetooth = bluetooth
        self.usb = usb
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        bluetooth = try parameters.first(0)?.text(limit: Identification.maximumTextLength)
        usb = try parameters.first(1)?.text(limit: Identification.maximumTextLength)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        if let bluetooth { try parameters.append(0, text: bluetooth) }
        if let usb { try parameters.append(1, text: usb) }
        return parameters
    }
}

/// AE03: the current a unit provides [2+].
public struct PowerSourceUpdate: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.powerSourceUpdate

    /// Parameter 0, in mA.
    public var availableCurrent: UInt16
    /// Parameter 1: the phone should charge its battery.
    public var chargesBattery: Bool

    /// Makes the message.
    public init(availableCurrent: UInt16, chargesBattery: Bool) {
        self.availableCurrent = availableCurrent
        self.chargesBattery = chargesBattery
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        availableCurrent = try parameters.required(0).integer()
        chargesBattery = try parameters.required(1).boolean()
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        parameters.append(0, availableCurrent)
        parameters.append(1, chargesBattery)
        return parameters
    }
}
