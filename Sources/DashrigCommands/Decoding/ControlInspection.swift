internal import ControlProtocol
internal import WireBytes

/// Everything that bytes of a control stream say.
enum ControlInspection {
    /// What begins at a place.
    enum Begin: Equatable {
        /// A message, whole.
        case message(length: Int)
        /// So many bytes that are none of a message.
        case garbage(count: Int)
        /// A message, or its first bytes, that goes on behind the last byte.
        case unfinished
    }

    /// Looks at bytes that are not empty.
    static func begin(_ bytes: ArraySlice<UInt8>) -> Begin {
        let start = ControlMessage.startByte
        let isStart = bytes[bytes.startIndex] == start && bytes.dropFirst().first ?? start == start
        if isStart {
            guard let length = length(bytes) else { return .unfinished }
            if length >= ControlMessage.headerLength {
                return length <= bytes.count ? .message(length: length) : .unfinished
            }
        }
        var next = bytes.startIndex + 1
        while let found = bytes[next...].firstIndex(of: start) {
            if found + 1 == bytes.endIndex || bytes[found + 1] == start {
                return .garbage(count: found - bytes.startIndex)
            }
            next = found + 1
        }
        return .garbage(count: bytes.count)
    }

    /// The length that a message's first bytes tell; nothing when they are too few.
    static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return Int(bytes[bytes.startIndex + 2]) << 8 | Int(bytes[bytes.startIndex + 3])
    }

    /// Tells one message after the other, and answers what is left of one that is not whole.
    static func walk(_ bytes: ArraySlice<UInt8>, _ tell: (DecodedPart) -> Void) -> ArraySlice<UInt8> {
        var rest = bytes
        while !rest.isEmpty {
            switch begin(rest) {
            case .message(let length):
                tell(message(rest.prefix(length)))
                rest = rest.dropFirst(length)
            case .garbage(let count):
                tell(garbage(rest.prefix(count)))
                rest = rest.dropFirst(count)
            case .unfinished: return rest
            }
        }
        return rest
    }

    /// All of a stream, its end included.
    static func run(_ bytes: [UInt8], _ tell: (DecodedPart) -> Void) {
        let rest = walk(bytes[...], tell)
        if !rest.isEmpty { tell(unfinished(rest)) }
    }

    // MARK: Parts

    /// A whole message.
    static func message(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        let id = MessageID(UInt16(bytes[bytes.startIndex + 4]) << 8 | UInt16(bytes[bytes.startIndex + 5]))
        var part = DecodedPart("message", at: bytes.startIndex, length: bytes.count)
        part.id = UInt64(id.rawValue)
        part.idDigits = 4
        part.title = id.name
        let sender: String
        switch id.sender {
        case .accessory?: sender = "head unit to phone"
        case .device?: sender = "phone to head unit"
        case nil: sender = "unknown"
        }
        part.note = "\(sender), \(counted(bytes.count, "byte"))"
        let parameters = ControlParameters(
            encoded: bytes.dropFirst(ControlMessage.headerLength),
            offset: bytes.startIndex + ControlMessage.headerLength)
        part.parts = ParameterInspection(of: id).parts(parameters)
        return part
    }

    /// Bytes that are none of a message.
    static func garbage(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        let start = ControlMessage.startByte
        let length = bytes.starts(with: [start, start]) ? length(bytes) : nil
        var part = DecodedPart("garbage", at: bytes.startIndex, length: bytes.count, .bytes(Array(bytes)))
        part.problem =
            length.map { "a message that tells a length of \($0), less than its header" } ?? "no message begins here"
        return part
    }

    /// What ends before it is whole.
    static func unfinished(_ bytes: ArraySlice<UInt8>) -> DecodedPart {
        var part = DecodedPart("incomplete", at: bytes.startIndex, length: bytes.count, .bytes(Array(bytes)))
        guard let length = length(bytes) else {
            part.problem = "the beginning of a message; it ends after \(counted(bytes.count, "byte"))"
            return part
        }
        var what = "a message"
        if bytes.count >= ControlMessage.headerLength {
            what = "\(MessageID(UInt16(bytes[bytes.startIndex + 4]) << 8 | UInt16(bytes[bytes.startIndex + 5])))"
        }
        part.problem = "\(what) of \(length) bytes, of which \(bytes.count) are there"
        return part
    }
}
