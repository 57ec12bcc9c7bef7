public import RigModel
public import VarlinkProtocol

extension RecordValue {
    /// What came over the socket, as a record. Nothing is lost: the two say the same things.
    public init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map(RecordValue.init))
        case .object(let object): self = RecordValue(object)
        }
    }

    /// The members of an object, as a record.
    public init(_ object: JSONObject) {
        self = .object(object.members.map { RecordField($0.key, RecordValue($0.value)) })
    }
}

extension JSON {
    /// A record as it goes over the socket. A name that stands twice in an object counts once, with its last value.
    public init(_ record: RecordValue) {
        switch record {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.map(JSON.init))
        case .object(let fields):
            var object = JSONObject()
            for field in fields { object[field.name] = JSON(field.value) }
            self = .object(object)
        }
    }
}

extension RecordValue {
    /// The text at a path; nothing when it is absent or no text.
    public func text(_ path: String) -> String? {
        guard case .string(let text)? = value(at: path) else { return nil }
        return text
    }

    /// The whole number at a path; nothing when it is absent or no whole number.
    public func int(_ path: String) -> Int64? {
        guard case .int(let number)? = value(at: path) else { return nil }
        return number
    }

    /// The count at a path, 0 or more; nothing when it is absent, negative or no whole number.
    public func count(_ path: String) -> UInt64? { int(path).flatMap { UInt64(exactly: $0) } }

    /// The number at a path; nothing when it is absent or no number.
    public func double(_ path: String) -> Double? {
        switch value(at: path) {
        case .double(let number)?: number
        case .int(let number)?: Double(number)
        case .null?, .bool?, .string?, .array?, .object?, nil: nil
        }
    }

    /// The truth value at a path; nothing when it is absent or none.
    public func bool(_ path: String) -> Bool? {
        guard case .bool(let value)? = value(at: path) else { return nil }
        return value
    }

    /// The elements at a path; none when it is absent or no array.
    public func elements(_ path: String) -> [RecordValue] {
        guard case .array(let values)? = value(at: path) else { return [] }
        return values
    }

    /// The texts at a path; none when it is absent or no array. Elements that are no text are left out.
    public func texts(_ path: String) -> [String] {
        elements(path).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
