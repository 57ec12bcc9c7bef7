import Testing
import VarlinkProtocol

@Suite struct JSONParsingTests {
    struct Valid: CustomTestStringConvertible {
        let text: String
        let value: JSON

        init(_ text: String, _ value: JSON) {
            self.text = text
            self.value = value
        }

        var testDescription: String { text }
    }

    static let valid: [Valid] = [
        Valid("null", nil), Valid("true", true), Valid("false", false), Valid(" \t\r\n1 \t\r\n", 1),
        Valid("0", 0), Valid("-0", 0), Valid("-1", -1), Valid("10", 10), Valid("0.0", 0.0), Valid("1.0", 1.0),
        Valid("9223372036854775807", .int(.max)), Valid("-9223372036854775808", .int(.min)),
        Valid("9223372036854775808", .double(9_223_372_036_854_775_808)),
        Valid("-9223372036854775809", .double(-9_223_372_036_854_775_808)),
        Valid("18446744073709551616", .double(18_446_744_073_709_551_616)),
        Valid("184467440737095516160", 184_467_440_737_095_516_160.0), Valid("99999999999999999999", .double(1e20)),
        Valid("1e2", 100.0), Valid("1E+2", 100.0), Valid("12e-1", 1.2), Valid("-1.5e3", -1500.0), Valid("0e0", 0.0),
        Valid("1e-400", 0.0), Valid("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
        Valid("5e-324", .double(.leastNonzeroMagnitude)), Valid("3.141592653589793", .double(.pi)),
        Valid("\"\"", ""), Valid("\"a\"", "a"), Valid("\"é日😀\"", "é日😀"), Valid("\"\u{7F}\"", "\u{7F}"),
        Valid(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        Valid(#""a\u0041\u00e9\u65E5z""#, "aAé日z"), Valid(#""\u0000""#, "\u{0}"),
        Valid(#""\ud83d\ude00""#, "😀"), Valid(#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
        Valid(#""\uD7FF\uE000\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFF}"),
        Valid("[]", []), Valid("[ ]", []), Valid("[1,[2],{}]", [1, [2], [:]]), Valid("{}", [:]), Valid("{ }", [:]),
        Valid(#"{"a":1,"b":{"c":[null]}}"#, ["a": 1, "b": ["c": [nil]]]), Valid(#"{"":0}"#, ["": 0]),
        Valid("{\n \"a\" : 1 ,\n \"b\" : 2\n}", ["a": 1, "b": 2]),
        // Canonically equivalent, yet different keys.
        Valid("{\"\u{E9}\":1,\"e\u{301}\":2}", ["\u{E9}": 1, "e\u{301}": 2]),
    ]

    @Test(arguments: valid) func acceptsWhatTheStandardAllows(_ example: Valid) throws {
        #expect(try JSON.parse(example.text) == example.value)
    }

    struct Invalid: CustomTestStringConvertible {
        let bytes: [UInt8]
        let kind: JSONError.Kind
        let offset: Int

        init(_ text: String, _ kind: JSONError.Kind, at offset: Int) {
            self.init(text.bytes, kind, at: offset)
        }

        init(_ bytes: [UInt8], _ kind: JSONError.Kind, at offset: Int) {
            self.bytes = bytes
            self.kind = kind
            self.offset = offset
        }

        var testDescription: String { bytes.text }
    }

    private static func byte(_ byte: Unicode.Scalar, _ expected: String) -> JSONError.Kind {
        .unexpectedByte(UInt8(ascii: byte), expected: expected)
    }

    static let invalid: [Invalid] = [
        Invalid("", .unexpectedEnd, at: 0), Invalid("  ", .unexpectedEnd, at: 2), Invalid("[", .unexpectedEnd, at: 1),
        Invalid("[1", .unexpectedEnd, at: 2), Invalid("[1,", .unexpectedEnd, at: 3),
        Invalid("{", .unexpectedEnd, at: 1),
        Invalid("{\"a\"", .unexpectedEnd, at: 4), Invalid("{\"a\":", .unexpectedEnd, at: 5),
        Invalid("{\"a\":1", .unexpectedEnd, at: 6), Invalid("\"a", .unexpectedEnd, at: 2),
        Invalid("\"a\\", .unexpectedEnd, at: 3), Invalid("\"\\u12", .unexpectedEnd, at: 5),
        Invalid("tru", .unexpectedEnd, at: 3),
        Invalid("truE", byte("E", "'true'"), at: 3), Invalid("nil", byte("i", "'null'"), at: 1),
        Invalid("True", byte("T", "a value"), at: 0), Invalid("NaN", byte("N", "a value"), at: 0),
        Invalid("Infinity", byte("I", "a value"), at: 0), Invalid("+1", byte("+", "a value"), at: 0),
        Invalid(".5", byte(".", "a value"), at: 0), Invalid("'a'", byte("'", "a value"), at: 0),
        Invalid("[1,]", byte("]", "a value"), at: 3), Invalid("[,1]", byte(",", "a value"), at: 1),
        Invalid("[1 2]", byte("2", "',' or ']'"), at: 3), Invalid("[1}", byte("}", "',' or ']'"), at: 2),
        Invalid("{\"a\":1,}", byte("}", "a key in double quotes"), at: 7),
        Invalid("{a:1}", byte("a", "a key in double quotes"), at: 1),
        Invalid("{1:1}", byte("1", "a key in double quotes"), at: 1),
        Invalid("{\"a\" 1}", byte("1", "':' after the key"), at: 5),
        Invalid("{\"a\":1 \"b\":2}", byte("\"", "',' or '}'"), at: 7),
        Invalid("// c\n1", byte("/", "a value"), at: 0),
        Invalid("1 2", .trailingBytes, at: 2), Invalid("{}}", .trailingBytes, at: 2),
        Invalid("nullx", .trailingBytes, at: 4),
        Invalid("1\u{0}", .trailingBytes, at: 1), Invalid("0x1", .trailingBytes, at: 1),
        Invalid("01", .invalidNumber, at: 0), Invalid("-01", .invalidNumber, at: 0),
        Invalid("-", .invalidNumber, at: 0),
        Invalid("[-]", .invalidNumber, at: 1), Invalid("1.", .invalidNumber, at: 0),
        Invalid("1.e1", .invalidNumber, at: 0),
        Invalid("1e", .invalidNumber, at: 0), Invalid("1e+", .invalidNumber, at: 0),
        Invalid("-a", .invalidNumber, at: 0),
        Invalid("00", .invalidNumber, at: 0), Invalid("1e400", .numberOutOfRange, at: 0),
        Invalid("-1e309", .numberOutOfRange, at: 0),
        Invalid("\"\n\"", .controlCharacter(10), at: 1), Invalid("\"a\u{0}\"", .controlCharacter(0), at: 2),
        Invalid("\"\\n\u{1F}\"", .controlCharacter(31), at: 3),
        Invalid(#""\x""#, .invalidEscape, at: 1), Invalid(#""\u00g0""#, .invalidEscape, at: 1),
        Invalid(#""\u 123""#, .invalidEscape, at: 1), Invalid(#""\U0041""#, .invalidEscape, at: 1),
        Invalid(#""\ud800""#, .loneSurrogate, at: 1), Invalid(#""\udc00""#, .loneSurrogate, at: 1),
        Invalid(#""\ud800\n""#, .loneSurrogate, at: 1), Invalid(#""\ud800\ud800""#, .loneSurrogate, at: 1),
        Invalid(#""\ud800\u0041""#, .loneSurrogate, at: 1), Invalid(#""\ude00\ud83d""#, .loneSurrogate, at: 1),
        Invalid(#"{"a":1,"b":2,"a":3}"#, .duplicateKey("a"), at: 13),
        Invalid(#"[{"a":{"b":1,"\u0062":2}}]"#, .duplicateKey("b"), at: 13),
        Invalid(#"{"a":1,"b":{"c":[{"d":1}]},"a":2}"#, .duplicateKey("a"), at: 27),
        Invalid([0xEF, 0xBB, 0xBF, 0x31], .unexpectedByte(0xEF, expected: "a value"), at: 0),
    ]

    @Test(arguments: invalid) func refusesWithKindAndOffset(_ example: Invalid) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(example.bytes) }
        #expect(error?.kind == example.kind)
        #expect(error?.offset == example.offset)
    }

    /// Each is put in a string behind two good bytes, once alone and once behind an escape.
    static let invalidUTF8: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xE1, 0x80], [0xE1, 0x80, 0x41], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF1, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
        [0xFF],
    ]

    @Test(arguments: invalidUTF8) func refusesInvalidUTF8(_ sequence: [UInt8]) {
        for (prefix, offset) in [("\"ab", 3), ("\"\\n", 3)] {
            for suffix in ["\"", ""] {
                let bytes = prefix.bytes + sequence + suffix.bytes
                let error = #expect(throws: JSONError.self) { try JSON.parse(bytes) }
                #expect(error?.kind == .invalidUTF8)
                #expect(error?.offset == offset)
            }
        }
    }

    @Test func acceptsEveryScalarThatStringsHold() throws {
        for value in stride(from: UInt32(0x20), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            let text = String(Character(scalar))
            #expect(try JSON.parse("\"\(text)\"") == .string(text))
        }
    }

    @Test func depthIsLimited() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSON.parse(nested(64)) }
        let error = #expect(throws: JSONError.self) { try JSON.parse(nested(65)) }
        #expect(error?.kind == .tooDeep(limit: 64))
        #expect(error?.offset == 64)
        #expect(throws: Never.self) { try JSON.parse(nested(512), limits: JSON.Limits(depth: 9999)) }
        #expect(throws: JSONError.self) { try JSON.parse(nested(513), limits: JSON.Limits(depth: 9999)) }
        #expect(throws: JSONError.self) { try JSON.parse(#"{"a":[]}"#, limits: JSON.Limits(depth: 1)) }
    }

    @Test func valuesAreLimited() throws {
        let limits = JSON.Limits(valueCount: 4)
        #expect(throws: Never.self) { try JSON.parse("[1,2,{}]", limits: limits) }
        let error = #expect(throws: JSONError.self) { try JSON.parse(#"[1,2,{"a":1}]"#, limits: limits) }
        #expect(error?.kind == .tooManyValues(limit: 4))
    }

    @Test func numberLengthIsLimited() throws {
        let limits = JSON.Limits(numberLength: 24)
        #expect(try JSON.parse("0." + String(repeating: "1", count: 22), limits: limits).doubleValue != nil)
        let error = #expect(throws: JSONError.self) {
            try JSON.parse("0." + String(repeating: "1", count: 23), limits: limits)
        }
        #expect(error?.kind == .numberTooLong(limit: 24))
    }

    @Test func repeatedKeysAreFoundInLargeObjects() {
        let keys = (0..<5000).map { "\"key\($0 * 7919 % 5000)\":0" }
        let good = "{" + keys.joined(separator: ",") + "}"
        #expect(throws: Never.self) { try JSON.parse(good) }
        let bad = "{" + (keys + ["\"key17\":0", "\"key3\":0"]).joined(separator: ",") + "}"
        let error = #expect(throws: JSONError.self) { try JSON.parse(bad) }
        #expect(error?.kind == .duplicateKey("key17"))
        #expect(error?.offset == good.utf8.count)
    }

    @Test func errorsTellLineAndColumn() {
        let error = #expect(throws: JSONError.self) { try JSON.parse("{\n \"é😀\": tru\u{65}x\n}") }
        #expect(error?.line == 2)
        #expect(error?.column == 12)
        #expect(error?.description == "line 2, column 12: 'x' found, expected ',' or '}'")
    }

    @Test func slicesAndBuffersReadAlike() throws {
        let bytes = "xx[1]xx".bytes
        #expect(try JSON.parse(bytes[2..<5]) == [1])
        #expect(try bytes[2..<5].withUnsafeBufferPointer { try JSON.parse($0) } == [1])
        let error = #expect(throws: JSONError.self) { try JSON.parse(bytes[2..<6]) }
        #expect(error?.offset == 3)
    }
}
