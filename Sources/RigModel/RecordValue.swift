/// A published record as plain values: what goes onto the socket as JSON, and what a scenario's paths look into.
/// Field order is the order of publication.
public enum RecordValue: Equatable, Sendable {
    /// Nothing; a field with this value is left out of the record.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number, in the range of Varlink's `int`.
    case int(Int64)
    /// A number with a fraction, finite.
    case double(Double)
    /// Text, any valid Unicode.
    case string(String)
    /// Values in order.
    case array([RecordValue])
    /// Named values in order; names are unique.
    case object([RecordField])

    /// An object without the fields whose value is `null`: absent and null mean the same on the socket.
    public static func record(_ fields: [RecordField]) -> RecordValue {
        .object(fields.filter { $0.value != .null })
    }

    /// The value at a dotted path (`knob.detents`, `displays.0.name`), or `nil` where a part is missing. The empty path
    /// is the value itself.
    public func value(at path: some StringProtocol) -> RecordValue? {
        var current = self
        for part in path.split(separator: ".") {
            switch current {
            case .object(let fields):
                guard let field = fields.first(where: { $0.name == part }) else { return nil }
                current = field.value
            case .array(let values):
                guard let index = Int(part), values.indices.contains(index) else { return nil }
                current = values[index]
            case .null, .bool, .int, .double, .string:
                return nil
            }
        }
        return current
    }
}

/// One named value of a record.
public struct RecordField: Equatable, Sendable {
    /// The field's name, as the interface file spells it.
    public let name: String
    /// Its value.
    public let value: RecordValue

    /// Names a value.
    public init(_ name: String, _ value: RecordValue) {
        self.name = name
        self.value = value
    }
}

extension RecordValue {
    /// Text, or nothing.
    public static func text(_ value: String?) -> RecordValue { value.map(RecordValue.string) ?? .null }

    /// A whole number, or nothing. Values beyond `Int64` are held at its limit: no count of ours comes near it.
    public static func number(_ value: (some BinaryInteger)?) -> RecordValue {
        value.map { .int(Int64(clamping: $0)) } ?? .null
    }
}
