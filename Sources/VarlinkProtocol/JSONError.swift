/// Why a text is not JSON, and where. The fault is with whoever wrote the text.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong.
    public enum Kind: Equatable, Sendable {
        /// The text stops inside a value, or holds none.
        case unexpectedEnd
        /// A byte that cannot stand here; `expected` says what could.
        case unexpectedByte(UInt8, expected: String)
        /// Bytes that are not UTF-8: overlong, a surrogate, above U+10FFFF, cut off or stray.
        case invalidUTF8
        /// A byte below 0x20 inside a string; it must be escaped.
        case controlCharacter(UInt8)
        /// A backslash that starts no escape of RFC 8259.
        case invalidEscape
        /// A `\u` escape of one half of a surrogate pair.
        case loneSurrogate
        /// A number not written as JSON wants it, such as `01`, `1.` or `-`.
        case invalidNumber
        /// A number that no finite double holds.
        case numberOutOfRange
        /// A key given twice in one object.
        case duplicateKey(String)
        /// Something other than white space behind the value.
        case trailingBytes
        /// Arrays and objects nested deeper than the limit.
        case tooDeep(limit: Int)
        /// More values than the limit.
        case tooManyValues(limit: Int)
        /// A number written with more characters than the limit.
        case numberTooLong(limit: Int)
    }

    /// What is wrong.
    public let kind: Kind
    /// Bytes before the place, from 0. For a duplicate key: of its opening quote.
    public let offset: Int
    /// Line of the place, from 1; lines end at LF.
    public let line: Int
    /// Column of the place in Unicode scalars, from 1.
    public let column: Int

    init(_ kind: Kind, at offset: Int, in bytes: Span<UInt8>) {
        self.kind = kind
        self.offset = offset
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            if bytes[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}

extension JSONError: CustomStringConvertible {
    /// One line for a person, with the place.
    public var description: String {
        "line \(line), column \(column): \(reason)"
    }

    private var reason: String {
        switch kind {
        case .unexpectedEnd: "the text ends before the value is complete"
        case .unexpectedByte(let byte, let expected): "\(Self.name(of: byte)) found, expected \(expected)"
        case .invalidUTF8: "the text is not valid UTF-8"
        case .controlCharacter(let byte): "\(Self.name(of: byte)) in a string must be written as an escape"
        case .invalidEscape: "not an escape; JSON knows \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hex digits"
        case .loneSurrogate: "the \\u escape is one half of a surrogate pair"
        case .invalidNumber: "not a number as JSON writes it"
        case .numberOutOfRange: "the number is too large"
        case .duplicateKey(let key): "the key \"\(key)\" is given twice"
        case .trailingBytes: "something follows the value"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .numberTooLong(let limit): "a number of more than \(limit) characters"
        }
    }

    private static func name(of byte: UInt8) -> String {
        if (0x21..<0x7F).contains(byte) { return "'\(Unicode.Scalar(byte))'" }
        if byte == 0x20 { return "a space" }
        let digits = String(byte, radix: 16, uppercase: true)
        return "byte 0x" + (digits.count == 1 ? "0" : "") + digits
    }
}
