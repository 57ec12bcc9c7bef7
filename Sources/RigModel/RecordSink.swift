/// Takes a published record part by part, in the order of publication: it becomes text, or a `RecordValue`, and nothing
/// has to be built in between.
///
/// Who writes says a key before each value inside an object, and ends what it begins.
public protocol RecordSink {
    /// Opens an object.
    mutating func beginObject()
    /// Closes the object opened last.
    mutating func endObject()
    /// Opens an array.
    mutating func beginArray()
    /// Closes the array opened last.
    mutating func endArray()
    /// The name of the value that follows.
    mutating func key(_ name: String)
    /// Nothing.
    mutating func null()
    /// A truth value.
    mutating func bool(_ value: Bool)
    /// A whole number.
    mutating func int(_ value: Int64)
    /// A number with a fraction, finite.
    mutating func double(_ value: Double)
    /// Text.
    mutating func string(_ value: String)
    /// A value that was built before.
    mutating func record(_ record: RecordValue)
}

extension RecordSink {
    /// A value that was built before, part by part.
    public mutating func record(_ record: RecordValue) {
        switch record {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value): double(value)
        case .string(let value): string(value)
        case .array(let values):
            beginArray()
            for value in values { self.record(value) }
            endArray()
        case .object(let fields):
            beginObject()
            for field in fields {
                key(field.name)
                self.record(field.value)
            }
            endObject()
        }
    }

    /// A named truth value.
    public mutating func field(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// A named whole number.
    public mutating func field(_ name: String, _ value: Int64) {
        key(name)
        int(value)
    }

    // One for each type, not one for all integers, which would be looked up while it runs.

    /// A named whole number.
    public mutating func field(_ name: String, _ value: Int) { field(name, Int64(value)) }
    /// A named whole number.
    public mutating func field(_ name: String, _ value: Int32) { field(name, Int64(value)) }
    /// A named whole number.
    public mutating func field(_ name: String, _ value: UInt32) { field(name, Int64(value)) }
    /// A named whole number; one beyond `Int64` is held at its limit.
    public mutating func field(_ name: String, _ value: UInt64) { field(name, Int64(clamping: value)) }

    /// A named number.
    public mutating func field(_ name: String, _ value: Double) {
        key(name)
        double(value)
    }

    /// A named text.
    public mutating func field(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// A named value that was built before.
    public mutating func field(_ name: String, _ value: RecordValue) {
        key(name)
        record(value)
    }

    /// A named part of a record.
    public mutating func field(_ name: String, _ value: some RecordWritable) {
        key(name)
        value.write(into: &self)
    }
}

/// Something that is published as an object.
public protocol RecordWritable {
    /// Writes it, names and all: the one place where its field names are written down.
    func write(into sink: inout some RecordSink)
}

extension RecordWritable {
    /// It as it is published.
    public var record: RecordValue {
        var builder = RecordBuilder()
        write(into: &builder)
        return builder.value
    }
}

/// Builds the value of a record.
struct RecordBuilder: RecordSink {
    /// What is open, with the key of its next field.
    private enum Open {
        case object([RecordField], key: String)
        case array([RecordValue])

        mutating func put(_ part: RecordValue) {
            switch self {
            case .object(var fields, let key):
                self = .array([])  // so that the fields are nobody else's, and grow where they are
                fields.append(RecordField(key, part))
                self = .object(fields, key: "")
            case .array(var values):
                self = .array([])
                values.append(part)
                self = .array(values)
            }
        }
    }

    /// What was put last outside of everything.
    private(set) var value = RecordValue.null
    private var open: [Open] = []

    mutating func beginObject() { open.append(.object([], key: "")) }
    mutating func beginArray() { open.append(.array([])) }
    mutating func endObject() { close() }
    mutating func endArray() { close() }
    mutating func null() { record(.null) }
    mutating func bool(_ value: Bool) { record(.bool(value)) }
    mutating func int(_ value: Int64) { record(.int(value)) }
    mutating func double(_ value: Double) { record(.double(value)) }
    mutating func string(_ value: String) { record(.string(value)) }

    mutating func key(_ name: String) {
        guard case .object(let fields, _)? = open.last else { return }
        open[open.count - 1] = .object(fields, key: name)
    }

    mutating func record(_ record: RecordValue) {
        if open.isEmpty { value = record } else { open[open.count - 1].put(record) }
    }

    private mutating func close() {
        switch open.popLast() {
        case .object(let fields, _): record(.object(fields))
        case .array(let values): record(.array(values))
        case nil: break
        }
    }
}
