/// Fields of a message as people write them: dotted paths with values, `mediaItem.title` and `Song`.
///
/// A path that is given again makes a list. What reads as a whole number, `true` or `false` is one unless it was quoted.
public struct FieldAssignments: Equatable, Sendable {
    /// Why a field cannot be set.
    public enum Problem: Error, Equatable, Sendable {
        /// A part of the path is empty.
        case emptyPart(path: String)
        /// The path, or a part of it, has a value already, so nothing can be below it or beside it.
        case taken(path: String)
        /// More parts or more fields than a message can have.
        case tooMany(path: String)

        /// What is wrong and what to do, for people.
        public var text: String {
            switch self {
            case .emptyPart(let path): "'\(path)' has an empty part; write names with dots between: mediaItem.title"
            case .taken(let path): "'\(path)' stands where a value was given already"
            case .tooMany(let path): "'\(path)' goes too deep, or there are too many fields"
            }
        }
    }

    /// The deepest path: as deep as a message's groups can be.
    public static let maximumDepth = 8
    /// The most fields of one message: ours, far beyond any that is known.
    public static let maximumFields = 256

    /// The fields so far: an object.
    public private(set) var record = RecordValue.object([])
    private var count = 0

    /// No fields.
    public init() {}

    /// Sets the field at a path. Nothing is changed when it throws.
    public mutating func set(_ path: String, to text: String, isQuoted: Bool) throws(Problem) {
        let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty }) else { throw .emptyPart(path: path) }
        guard parts.count <= Self.maximumDepth, count < Self.maximumFields else { throw .tooMany(path: path) }
        record = try Self.setting(parts[...], of: record, to: Self.value(text, isQuoted: isQuoted), path: path)
        count += 1
    }

    private static func value(_ text: String, isQuoted: Bool) -> RecordValue {
        if isQuoted { return .string(text) }
        if let number = Int64(text) { return .int(number) }
        if let truth = Bool(text) { return .bool(truth) }
        return .string(text)
    }

    private static func setting(
        _ parts: ArraySlice<String>, of record: RecordValue, to value: RecordValue, path: String
    ) throws(Problem) -> RecordValue {
        guard let name = parts.first, case .object(var fields) = record else { throw .taken(path: path) }
        let rest = parts.dropFirst()
        let place = fields.firstIndex { $0.name == name }
        let new: RecordValue
        switch (place.map { fields[$0].value }, rest.isEmpty) {
        case (nil, true): new = value
        case (nil, false): new = try setting(rest, of: .object([]), to: value, path: path)
        case (.array(let values)?, true): new = .array(values + [value])
        case (.object?, true): throw .taken(path: path)
        case (let before?, true): new = .array([before, value])
        case (let before?, false): new = try setting(rest, of: before, to: value, path: path)
        }
        if let place { fields[place] = RecordField(name, new) } else { fields.append(RecordField(name, new)) }
        return .object(fields)
    }
}
