public import WireBytes

/// 4300: over which transports the phone would start a session (LIVI, POD).
public struct CarPlayAvailability: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.carPlayAvailability

    /// One transport: parameter 0 available, 1 the phone's identifier on it.
    public struct Transport: Equatable, Sendable {
        /// A session may start on it.
        public var isAvailable: Bool
        /// The phone's identifier on it, when it has one.
        public var identifier: String?

        /// Makes a transport.
        public init(isAvailable: Bool, identifier: String? = nil) {
            self.isAvailable = isAvailable
            self.identifier = identifier
        }

        init(parameters: ControlParameters) throws(WireError) {
            isAvailable = try parameters.required(0).boolean()
            identifier = try parameters.first(1)?.text(limit: Identification.maximumTextLength)
        }

        func encodeParameters() throws(WireError) -> ControlParameters {
            var parameters = ControlParameters()
            parameters.append(0, isAvailable)
            if let identifier { try parameters.append(1, text: identifier) }
            return parameters
        }
    }

    /// Parameter 0, a group.
    public var wired: Transport?
    /// Parameter 1, a group.
    public var wireless: Transport?

    /// Makes the message.
    public init(wired: Transport?, wireless: Transport? = nil) {
        self.wired = wired
        self.wireless = wireless
    }

    /// True when a session may start on some transport.
    public var isOffer: Bool { wired?.isAvailable == true || wireless?.isAvailable == true }

    /// The same transports, none of which is available.
    public var withdrawn: CarPlayAvailability {
        var result = self
        result.wired?.isAvailable = false
        result.wireless?.isAvailable = false
        return result
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        if let group = try parameters.first(0)?.group() { wired = try Transport(parameters: group) }
        if let group = try parameters.first(1)?.group() { wireless = try Transport(parameters: group) }
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        if let wired { try parameters.append(0, group: try wired.encodeParameters()) }
        if let wireless { try parameters.append(1, group: try wireless.encodeParameters()) }
        return parameters
    }
}

/// 4301: the unit starts a session and tells where (LIVI). The wireless group (parameter 1) is skipped.
public struct CarPlayStartSession: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.carPlayStartSession
    /// The most addresses taken: ours.
    public static let maximumAddresses = 16

    /// Parameter 0, a group with the unit's addresses as text, each in a parameter 0.
    public var wiredAddresses: [String]
    /// Parameter 2: the port.
    public var port: UInt32?
    /// Parameter 3: the unit's identifier, an address as text.
    public var deviceIdentifier: String?
    /// Parameter 4: the unit's public key, text.
    public var publicKey: String?
    /// Parameter 5: the version of the unit's software.
    public var sourceVersion: String?

    /// Makes the message.
    public init(
        wiredAddresses: [String], port: UInt32? = nil, deviceIdentifier: String? = nil, publicKey: String? = nil,
        sourceVersion: String? = nil
    ) {
        self.wiredAddresses = wiredAddresses
        self.port = port
        self.deviceIdentifier = deviceIdentifier
        self.publicKey = publicKey
        self.sourceVersion = sourceVersion
    }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        let limit = Identification.maximumTextLength
        wiredAddresses = []
        if let group = try parameters.first(0)?.group() {
            for parameter in try group.all(0) {
                guard wiredAddresses.count < Self.maximumAddresses else {
                    throw WireError(
                        .tooMany(limit: Self.maximumAddresses), offset: parameter.offset, field: "parameter 0")
                }
                wiredAddresses.append(try parameter.text(limit: limit))
            }
        }
        port = try parameters.first(2)?.integer()
        deviceIdentifier = try parameters.first(3)?.text(limit: limit)
        publicKey = try parameters.first(4)?.text(limit: limit)
        sourceVersion = try parameters.first(5)?.text(limit: limit)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        if !wiredAddresses.isEmpty {
            var group = ControlParameters()
            for address in wiredAddresses { try group.append(0, text: address) }
            try parameters.append(0, group: group)
        }
        if let port { parameters.append(2, port) }
        if let deviceIdentifier { try parameters.append(3, text: deviceIdentifier) }
        if let publicKey { try parameters.append(4, text: publicKey) }
        if let sourceVersion { try parameters.append(5, text: sourceVersion) }
        return parameters
    }
}

/// D501, Dashrig's own: the phone tells a unit that takes it what holds the handshake up, so that the unit waits for the
/// user instead of giving up. Parameter 0, u8.
public struct PhoneCondition: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.phoneCondition

    /// What the phone does.
    public enum Progress: UInt8, Hashable, Sendable, CaseIterable {
        /// It goes on.
        case proceeding = 0
        /// It is locked and goes on when unlocked.
        case locked = 1
        /// It asks its user whether to trust the unit.
        case trustUndecided = 2
        /// Its user refused the unit.
        case refused = 3
    }

    /// What the phone does.
    public var progress: Progress

    /// Makes the message.
    public init(progress: Progress) { self.progress = progress }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        let parameter = try parameters.required(0)
        let value: UInt8 = try parameter.integer()
        guard let progress = Progress(rawValue: value) else {
            throw WireError(
                .outOfRange(value: UInt64(value), minimum: 0, maximum: 3), offset: parameter.offset,
                field: "parameter 0")
        }
        self.progress = progress
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        parameters.append(0, progress.rawValue)
        return parameters
    }
}
