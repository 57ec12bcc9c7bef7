// ControlProtocol: the control channel's messages, and the machines that authenticate, identify and start a session,
// both ends. It knows no link, no clock, no key and no randomness. Start at `AccessoryControlMachine` and
// `DeviceControlMachine`; for what messages say, at `MessageCatalogue` and `MessageContent`.

public import WireBytes

/// One message of the control channel: a number and parameters.
///
/// Layout [C]: `40 40`, u16 total length with the six bytes of header, u16 number, parameters. Messages and parameters
/// with unknown numbers are kept.
public struct ControlMessage: Equatable, Sendable {
    /// Bytes before the parameters. [C]
    public static let headerLength = 6
    /// The longest message that the length field can tell.
    public static let maximumLength = 65_535
    /// Both of the first two bytes. [C]
    public static let startByte: UInt8 = 0x40

    /// What the message is.
    public var id: MessageID
    /// What it says.
    public var parameters: ControlParameters

    /// Makes a message.
    public init(_ id: MessageID, parameters: ControlParameters = ControlParameters()) {
        self.id = id
        self.parameters = parameters
    }

    /// Parses exactly one message. The layout of its parameters is checked when they are read.
    public init(parsing bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        for _ in 0..<2 {
            let place = reader.offset
            guard try reader.read(UInt8.self) == Self.startByte else {
                throw WireError(.invalid("not the start of a message"), offset: place, field: "start")
            }
        }
        let length: UInt16 = try reader.read()
        guard Int(length) == bytes.count, Int(length) >= Self.headerLength else {
            throw WireError(
                .invalid("\(length) told, \(bytes.count) bytes there"), offset: 2, field: "message length")
        }
        id = MessageID(try reader.read())
        parameters = ControlParameters(encoded: reader.readRest(), offset: Self.headerLength)
    }

    /// Bytes on the wire.
    public var encodedLength: Int { Self.headerLength + parameters.encoded.count }

    /// The message's bytes. Throws `.excess` when the length field cannot tell their number.
    public func encoded() throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encodedLength)
        try encode(into: &bytes)
        return bytes
    }

    /// Appends the message's bytes. Throws `.excess` when the length field cannot tell their number; then nothing is
    /// appended.
    public func encode(into bytes: inout [UInt8]) throws(WireError) {
        try Self.encodeHeader(id, length: encodedLength, into: &bytes)
        bytes.append(contentsOf: parameters.encoded)
    }

    static func encodeHeader(_ id: MessageID, length: Int, into bytes: inout [UInt8]) throws(WireError) {
        guard length <= maximumLength else {
            throw WireError(.excess(limit: maximumLength, actual: length), offset: 0, field: "message \(id)")
        }
        bytes.append(startByte)
        bytes.append(startByte)
        bytes.appendBigEndian(UInt16(truncatingIfNeeded: length))
        bytes.appendBigEndian(id.rawValue)
    }
}

/// A message whose parameters are known: what the machines read and write.
public protocol TypedControlMessage: Equatable, Sendable {
    /// The number of the message.
    static var messageID: MessageID { get }

    /// Reads the parameters. Throws at the first that is missing, repeated or malformed; unknown ones are skipped.
    init(parameters: ControlParameters) throws(WireError)

    /// The parameters. Throws when a value fits no parameter.
    func encodeParameters() throws(WireError) -> ControlParameters
}

extension TypedControlMessage {
    /// Reads a message of this kind; another number is `.invalid`.
    public init(_ message: ControlMessage) throws(WireError) {
        guard message.id == Self.messageID else {
            throw WireError(.invalid("\(message.id) is not \(Self.messageID)"), offset: 4, field: "message")
        }
        try self.init(parameters: message.parameters)
    }

    /// The message. Throws when a value fits no parameter or all together fit no message.
    public func message() throws(WireError) -> ControlMessage {
        let message = ControlMessage(Self.messageID, parameters: try encodeParameters())
        guard message.encodedLength <= ControlMessage.maximumLength else {
            throw WireError(
                .excess(limit: ControlMessage.maximumLength, actual: message.encodedLength), offset: 0,
                field: "message \(Self.messageID)")
        }
        return message
    }
}
