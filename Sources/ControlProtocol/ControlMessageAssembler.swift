import WireBytes

/// Why a control stream cannot be read on. The peer is at fault; the stream has no place to resume.
public enum ControlStreamError: Error, Hashable, Sendable {
    /// No message begins where one must. `offset` is the byte of the stream.
    case noMessage(offset: UInt64)
    /// A message of a length that none has. `offset` is the byte of the stream where it begins.
    case illegalLength(Int, offset: UInt64)
    /// A message longer than this side takes. `offset` is the byte of the stream where it begins.
    case tooLong(length: Int, limit: Int, offset: UInt64)

    /// The byte of the stream at which it is broken.
    public var offset: UInt64 {
        switch self {
        case .noMessage(let offset), .illegalLength(_, let offset), .tooLong(_, _, let offset): offset
        }
    }

    /// What happened, for people.
    public var reason: String {
        switch self {
        case .noMessage(let offset): "no control message begins at byte \(offset) of the control stream"
        case .illegalLength(let length, let offset):
            "the control message at byte \(offset) tells a length of \(length), less than its header"
        case .tooLong(let length, let limit, let offset):
            "the control message at byte \(offset) has \(length) bytes, at most \(limit) are taken"
        }
    }
}

/// Makes messages of the payloads of the control channel, which are a byte stream: a message may span several and one
/// may hold several [2+]. At most one message, `limit` bytes, is held between calls.
public struct ControlMessageAssembler: Sendable {
    /// The longest message taken, in bytes.
    public let limit: Int

    private var held: [UInt8] = []
    private var offset: UInt64 = 0
    private var failure: ControlStreamError?

    /// An assembler for messages of at most `limit` bytes, brought into the legal range. The default is what the length
    /// field can tell.
    public init(limit: Int = ControlMessage.maximumLength) {
        self.limit = min(max(limit, ControlMessage.headerLength), ControlMessage.maximumLength)
    }

    /// Bytes of an incomplete message that wait for more.
    public var heldCount: Int { held.count }

    /// The next message, taking what it needs from the front of `input`; nil when `input` is used up.
    ///
    /// Call until nil. After an error every call throws the same error. A message that lies whole in `input` is a part of
    /// it and no copy: who keeps it keeps the input's memory.
    public mutating func next(from input: inout ArraySlice<UInt8>) throws(ControlStreamError) -> ControlMessage? {
        if let failure { throw failure }
        do throws(ControlStreamError) {
            return try assemble(&input)
        } catch {
            failure = error
            held = []
            throw error
        }
    }

    private mutating func assemble(_ input: inout ArraySlice<UInt8>) throws(ControlStreamError) -> ControlMessage? {
        if let message = takeWhole(from: &input) { return message }
        // The header is looked at byte by byte, so that a wrong start is told before more is waited for.
        while held.count < ControlMessage.headerLength {
            guard let byte = input.popFirst() else { return nil }
            held.append(byte)
            if held.count <= 2, byte != ControlMessage.startByte {
                throw .noMessage(offset: offset)
            }
            if held.count == 4 { try checkLength() }
        }
        let missing = length - held.count
        held.append(contentsOf: input.prefix(missing))
        input = input.dropFirst(missing)
        guard held.count == length else { return nil }
        let message = message(of: held[...])
        held = []
        return message
    }

    /// The next message if all of it is in `input` and nothing is wrong with its header.
    private mutating func takeWhole(from input: inout ArraySlice<UInt8>) -> ControlMessage? {
        guard held.isEmpty, input.count >= ControlMessage.headerLength else { return nil }
        let start = input.startIndex
        let length = Int(input[start + 2]) << 8 | Int(input[start + 3])
        guard input[start] == ControlMessage.startByte, input[start + 1] == ControlMessage.startByte,
            length >= ControlMessage.headerLength, length <= min(limit, input.count)
        else { return nil }
        let bytes = input.prefix(length)
        input = input.dropFirst(length)
        return message(of: bytes)
    }

    /// Makes a message of its bytes and counts them.
    private mutating func message(of bytes: ArraySlice<UInt8>) -> ControlMessage {
        let (sum, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
        offset = overflow ? .max : sum
        let start = bytes.startIndex
        return ControlMessage(
            MessageID(UInt16(bytes[start + 4]) << 8 | UInt16(bytes[start + 5])),
            parameters: ControlParameters(
                encoded: bytes.dropFirst(ControlMessage.headerLength), offset: ControlMessage.headerLength))
    }

    /// The length that the held header tells. Needs four bytes.
    private var length: Int { Int(held[2]) << 8 | Int(held[3]) }

    private func checkLength() throws(ControlStreamError) {
        guard length >= ControlMessage.headerLength else { throw .illegalLength(length, offset: offset) }
        guard length <= limit else { throw .tooLong(length: length, limit: limit, offset: offset) }
    }
}
