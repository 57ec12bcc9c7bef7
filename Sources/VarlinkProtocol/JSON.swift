/// One JSON value (RFC 8259).
///
/// Equality is exact: `.int(1)` and `.double(1)` differ, strings and keys compare byte by byte (not by Unicode
/// equivalence, as `String` does), the order of an object's members does not count. Doubles compare as IEEE values.
public enum JSON: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 signed bits.
    case int(Int64)
    /// Any other number; always finite when it comes from the parser.
    case double(Double)
    /// Text; never holds invalid UTF-8 or lone surrogates, but may hold U+0000.
    case string(String)
    /// Values in order.
    case array([JSON])
    /// Members in the order of the text; keys are unique.
    case object(JSONObject)
}

extension JSON: Equatable {
    /// Exact equality; see the type's comment.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.double(let left), .double(let right)): return left == right
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): return left == right
        case (.object(let left), .object(let right)): return left == right
        case (.null, _), (.bool, _), (.int, _), (.double, _), (.string, _), (.array, _), (.object, _): return false
        }
    }
}

extension JSON {
    /// The value of a `.bool`, else nil.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value of an `.int`, else nil; a `.double` is not converted.
    public var intValue: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// The value of a `.double`, or of an `.int` as the nearest double, else nil.
    public var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// The text of a `.string`, else nil.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements of an `.array`, else nil.
    public var arrayValue: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an `.object`, else nil.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// What a person calls this value in a message: "null", "bool", "int", "float", "string", "array" or "object".
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .int: "int"
        case .double: "float"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` is `.null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` and `false` are `.bool`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer literal is `.int`.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// A literal with a point or exponent is `.double`.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// A string literal is `.string`.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array literal is `.array`.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// A dictionary literal is `.object`, in the order written; a key given twice is the programmer's error.
    public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(pairs: elements)) }
}

extension String {
    /// Whether both hold the same UTF-8 bytes. `==` alone also accepts canonically equivalent text.
    func hasSameBytes(as other: String) -> Bool {
        self == other && utf8.elementsEqual(other.utf8)
    }
}
