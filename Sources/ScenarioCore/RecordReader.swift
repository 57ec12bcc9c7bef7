import RigModel

/// Why a record is not what it should be.
public struct RecordProblem: Error, Equatable, Sendable {
    /// The field; empty for the record as a whole.
    public let field: String
    /// What is wrong with it.
    public let text: String

    /// States a problem.
    public init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}

/// Takes typed values out of a record that came over the socket.
struct RecordReader {
    private let record: RecordValue

    init(_ record: RecordValue) throws(RecordProblem) {
        guard case .object = record else { throw RecordProblem(field: "", text: "an object is expected") }
        self.record = record
    }

    func text(_ name: String) throws(RecordProblem) -> String {
        guard let text = try optionalText(name) else { throw Self.missing(name) }
        return text
    }

    func optionalText(_ name: String) throws(RecordProblem) -> String? {
        switch field(name) {
        case .string(let text)?: return text
        case nil: return nil
        case .some: throw RecordProblem(field: name, text: "text is expected")
        }
    }

    func int(_ name: String) throws(RecordProblem) -> Int {
        guard let number = try optionalInt(name) else { throw Self.missing(name) }
        return number
    }

    func optionalInt(_ name: String) throws(RecordProblem) -> Int? {
        try whole(name).map { Int($0) }
    }

    func unsigned(_ name: String) throws(RecordProblem) -> UInt64 {
        guard let number = try optionalUnsigned(name) else { throw Self.missing(name) }
        return number
    }

    func optionalUnsigned(_ name: String) throws(RecordProblem) -> UInt64? {
        guard let number = try whole(name) else { return nil }
        guard let unsigned = UInt64(exactly: number) else {
            throw RecordProblem(field: name, text: "\(number) is negative")
        }
        return unsigned
    }

    func word<Word: RawRepresentable<String>>(_ name: String) throws(RecordProblem) -> Word {
        let text = try text(name)
        guard let word = Word(rawValue: text) else {
            throw RecordProblem(field: name, text: "'\(text)' is not known")
        }
        return word
    }

    func array(_ name: String) throws(RecordProblem) -> [RecordValue] {
        switch field(name) {
        case .array(let values)?: return values
        case nil: return []
        case .some: throw RecordProblem(field: name, text: "an array is expected")
        }
    }

    /// Absent and null mean the same on the socket.
    private func field(_ name: String) -> RecordValue? {
        guard case .object(let fields) = record, let value = fields.first(where: { $0.name == name })?.value,
            value != .null
        else { return nil }
        return value
    }

    private func whole(_ name: String) throws(RecordProblem) -> Int64? {
        switch field(name) {
        case .int(let number)?: return number
        case .double(let number)?:
            guard let whole = number.whole else {
                throw RecordProblem(field: name, text: "a whole number is expected")
            }
            return whole
        case nil: return nil
        case .some: throw RecordProblem(field: name, text: "a whole number is expected")
        }
    }

    private static func missing(_ name: String) -> RecordProblem { RecordProblem(field: name, text: "it is missing") }
}

extension Double {
    /// The same number without a fraction, or `nil` when it has one or is beyond 2^53. The standard library's own
    /// conversion needs libm, which no pure target links.
    var whole: Int64? {
        guard self >= -9_007_199_254_740_992, self <= 9_007_199_254_740_992 else { return nil }
        let whole = Int64(self)
        return Double(whole) == self ? whole : nil
    }
}
