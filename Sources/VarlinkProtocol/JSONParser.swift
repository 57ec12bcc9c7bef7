extension JSON {
    /// Bounds on what a text may ask of the parser.
    public struct Limits: Sendable, Equatable {
        /// Deepest nesting of arrays and objects: 1 to 512 (the parser recurses; 512 levels are far from the end of a
        /// thread's stack).
        public let depth: Int
        /// Most values in one text, keys not counted. A value takes up to some 60 bytes of memory for two of text.
        public let valueCount: Int
        /// Most characters in one number. The longest exact decimal of a double has 1077.
        public let numberLength: Int

        /// Limits; `depth` is brought into 1...512, the others to at least 1.
        public init(depth: Int = 64, valueCount: Int = 262_144, numberLength: Int = 1100) {
            self.depth = min(max(depth, 1), 512)
            self.valueCount = max(valueCount, 1)
            self.numberLength = max(numberLength, 1)
        }

        /// Depth 64, 262,144 values, numbers of 1100 characters.
        public static let standard = Limits()
    }

    /// Reads one JSON text that must fill `bytes`, except for white space around it.
    public static func parse(_ bytes: Span<UInt8>, limits: Limits = .standard) throws(JSONError) -> JSON {
        var parser = JSONParser(limits: limits)
        return try parser.document(bytes)
    }

    /// Reads one JSON text that must fill `bytes`, except for white space around it.
    public static func parse(_ bytes: [UInt8], limits: Limits = .standard) throws(JSONError) -> JSON {
        try parse(bytes.span, limits: limits)
    }

    /// Reads one JSON text that must fill `bytes`, except for white space around it. Offsets count from the slice's
    /// start.
    public static func parse(_ bytes: ArraySlice<UInt8>, limits: Limits = .standard) throws(JSONError) -> JSON {
        try parse(bytes.span, limits: limits)
    }

    /// Reads a text that is whole but for numbers beyond a double's, which become infinite: only to find out what was
    /// meant.
    static func parseWithBoundlessNumbers(_ bytes: Span<UInt8>, limits: Limits) throws(JSONError) -> JSON {
        var parser = JSONParser(limits: limits, hasBoundlessNumbers: true)
        return try parser.document(bytes)
    }

    /// Reads one JSON text that must fill `bytes`, except for white space around it.
    public static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: Limits = .standard
    ) throws(JSONError) -> JSON {
        try parse(Span(_unsafeElements: bytes), limits: limits)
    }

    /// Reads one JSON text that must fill `text`, except for white space around it.
    public static func parse(_ text: String, limits: Limits = .standard) throws(JSONError) -> JSON {
        try parse(Array(text.utf8).span, limits: limits)
    }
}

/// A recursive-descent reader. The bytes are passed along rather than stored, so that it stays an ordinary value.
struct JSONParser {
    private let limits: JSON.Limits
    /// Whether a number that no double holds, or that is too long, is read as an infinite one.
    let hasBoundlessNumbers: Bool
    var position = 0
    private var valueCount = 0
    /// Keys' offsets of the objects being read, innermost last; for the place of a duplicate key.
    private var keyOffsets: [Int] = []
    /// Text of a string with escapes while it is put together; kept for its capacity.
    var scratch: [UInt8] = []

    init(limits: JSON.Limits, hasBoundlessNumbers: Bool = false) {
        self.limits = limits
        self.hasBoundlessNumbers = hasBoundlessNumbers
    }

    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSON {
        skipWhiteSpace(bytes)
        let value = try value(bytes, depth: 0)
        skipWhiteSpace(bytes)
        guard position == bytes.count else { throw JSONError(.trailingBytes, at: position, in: bytes) }
        return value
    }

    private mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
        valueCount += 1
        guard valueCount <= limits.valueCount else {
            throw JSONError(.tooManyValues(limit: limits.valueCount), at: position, in: bytes)
        }
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position, in: bytes) }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            return .string(try string(bytes))
        case UInt8(ascii: "{"):
            return try object(bytes, depth: depth + 1)
        case UInt8(ascii: "["):
            return try array(bytes, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number(bytes, maximumLength: limits.numberLength)
        case UInt8(ascii: "t"):
            try word("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null", bytes)
            return .null
        case let byte:
            throw JSONError(.unexpectedByte(byte, expected: "a value"), at: position, in: bytes)
        }
    }

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
        try enter(bytes, depth: depth)
        if take(UInt8(ascii: "}"), bytes) { return .object(JSONObject()) }
        var members: [JSONObject.Member] = []
        let firstKeyOffset = keyOffsets.count
        while true {
            keyOffsets.append(position)
            try expect(UInt8(ascii: "\""), "a key in double quotes", bytes, consume: false)
            let key = try string(bytes)
            skipWhiteSpace(bytes)
            try expect(UInt8(ascii: ":"), "':' after the key", bytes)
            skipWhiteSpace(bytes)
            members.append(JSONObject.Member(key: key, value: try value(bytes, depth: depth)))
            skipWhiteSpace(bytes)
            if take(UInt8(ascii: "}"), bytes) { break }
            try expect(UInt8(ascii: ","), "',' or '}'", bytes)
            skipWhiteSpace(bytes)
        }
        if let index = JSONObject.indexOfRepeatedKey(in: members[...]) {
            let offset = keyOffsets[firstKeyOffset + index]
            throw JSONError(.duplicateKey(members[index].key), at: offset, in: bytes)
        }
        keyOffsets.removeSubrange(firstKeyOffset...)
        return .object(JSONObject(uniqueMembers: members))
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) -> JSON {
        try enter(bytes, depth: depth)
        if take(UInt8(ascii: "]"), bytes) { return .array([]) }
        var elements: [JSON] = []
        while true {
            elements.append(try value(bytes, depth: depth))
            skipWhiteSpace(bytes)
            if take(UInt8(ascii: "]"), bytes) { break }
            try expect(UInt8(ascii: ","), "',' or ']'", bytes)
            skipWhiteSpace(bytes)
        }
        return .array(elements)
    }

    /// Takes the opening bracket and the white space behind it.
    private mutating func enter(_ bytes: Span<UInt8>, depth: Int) throws(JSONError) {
        guard depth <= limits.depth else {
            throw JSONError(.tooDeep(limit: limits.depth), at: position, in: bytes)
        }
        position += 1
        skipWhiteSpace(bytes)
    }

    private mutating func word(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position, in: bytes) }
            guard bytes[position] == word.utf8Start[index] else {
                throw JSONError(.unexpectedByte(bytes[position], expected: "'\(word)'"), at: position, in: bytes)
            }
            position += 1
        }
    }

    private mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(
        _ byte: UInt8, _ expected: String, _ bytes: Span<UInt8>, consume: Bool = true
    ) throws(JSONError) {
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position, in: bytes) }
        guard bytes[position] == byte else {
            throw JSONError(.unexpectedByte(bytes[position], expected: expected), at: position, in: bytes)
        }
        if consume { position += 1 }
    }

    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
