public import WireBytes

/// AA01: the unit's certificate. Parameter 0, bytes; 945 in a captured one [C].
public struct AuthenticationCertificate: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.authenticationCertificate
    /// The longest certificate taken, in bytes: ours, about four times a captured one.
    public static let maximumLength = 4096

    /// The certificate, opaque here.
    public var certificate: [UInt8]

    /// Makes the message.
    public init(certificate: [UInt8]) { self.certificate = certificate }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        certificate = try parameters.required(0).bytes(limit: Self.maximumLength)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        guard certificate.count <= Self.maximumLength else {
            throw WireError(
                .excess(limit: Self.maximumLength, actual: certificate.count), offset: 0, field: "certificate")
        }
        var parameters = ControlParameters()
        try parameters.append(0, bytes: certificate)
        return parameters
    }
}

/// AA02: the phone's challenge. Parameter 0, bytes; 20 in captures [C], 32 in NOC's snapshots [T].
public struct AuthenticationChallenge: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.requestAuthenticationChallengeResponse
    /// Legal challenge lengths in bytes: ours, around the two that were seen.
    public static let legalLength = 1...256

    /// The bytes to sign.
    public var challenge: [UInt8]

    /// Makes the message.
    public init(challenge: [UInt8]) { self.challenge = challenge }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        let parameter = try parameters.required(0)
        challenge = try parameter.bytes(limit: Self.legalLength.upperBound)
        guard Self.legalLength.contains(challenge.count) else {
            throw WireError(
                .truncated(needed: Self.legalLength.lowerBound, available: challenge.count),
                offset: parameter.offset, field: "parameter 0")
        }
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        var parameters = ControlParameters()
        try parameters.append(0, bytes: challenge)
        return parameters
    }
}

/// AA03: the unit's signature of the challenge. Parameter 0, bytes; 128 for 20 in a capture [C], 64 for 32 in NOC [T].
public struct AuthenticationResponse: TypedControlMessage {
    /// The number of the message.
    public static let messageID = MessageID.authenticationResponse
    /// The longest signature taken, in bytes: ours, room for larger keys than were seen.
    public static let maximumLength = 1024

    /// The signature, opaque here.
    public var signature: [UInt8]

    /// Makes the message.
    public init(signature: [UInt8]) { self.signature = signature }

    /// Reads the parameters; the type tells the layout.
    public init(parameters: ControlParameters) throws(WireError) {
        signature = try parameters.required(0).bytes(limit: Self.maximumLength)
    }

    /// The parameters; the type tells the layout.
    public func encodeParameters() throws(WireError) -> ControlParameters {
        guard signature.count <= Self.maximumLength else {
            throw WireError(.excess(limit: Self.maximumLength, actual: signature.count), offset: 0, field: "signature")
        }
        var parameters = ControlParameters()
        try parameters.append(0, bytes: signature)
        return parameters
    }
}

/// AA06: the serial number of the unit's authentication part. Parameter 0, text [2+].
public struct AccessoryAuthenticationSerialNumber: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.accessoryAuthenticationSerialNumber

    /// The serial number.
    public var serialNumber = ""

    /// A message without number.
    public init() {}

    /// Makes the message.
    public init(serialNumber: String) { self.serialNumber = serialNumber }

    /// Its parameters.
    public static let bindings: [FieldBinding<AccessoryAuthenticationSerialNumber>] = [
        .required(0, "serialNumber", \.serialNumber)
    ]
}
