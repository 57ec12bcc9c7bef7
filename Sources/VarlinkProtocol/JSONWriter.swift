/// Writes JSON text into a byte buffer that it owns, without spaces.
///
/// Commas are put by themselves: say `beginObject`, `key`, a value, `key`, a value, `endObject`. The writer does not
/// check that calls are balanced. After the first growth of its buffer it allocates nothing.
public struct JSONWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8]
    private var needsComma = false

    /// A writer with an empty buffer.
    public init(capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Runs `body` on a writer that appends to `bytes`, without copying them. The text written is one value or a
    /// sequence of the caller's own making; no comma is put before it.
    public static func append<Result, Failure: Error>(
        to bytes: inout [UInt8], _ body: (inout JSONWriter) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var writer = JSONWriter(capacity: 0)
        swap(&writer.bytes, &bytes)
        defer { swap(&writer.bytes, &bytes) }
        return try body(&writer)
    }

    /// Drops the text, keeps the buffer's capacity.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the object opened last.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes the array opened last.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// A member's key, escaped as needed.
    public mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// `null`.
    public mutating func null() {
        separate()
        append("null")
        needsComma = true
    }

    /// `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
        needsComma = true
    }

    /// An integer.
    public mutating func int(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDecimal(value.magnitude)
        needsComma = true
    }

    /// An integer.
    public mutating func int(_ value: Int) {
        int(Int64(value))
    }

    /// An integer. Values above `Int64.max` are written in full but a Varlink `int` cannot carry them.
    public mutating func int(_ value: UInt64) {
        separate()
        appendDecimal(value)
        needsComma = true
    }

    /// A number, in the shortest form that reads back as the same double. JSON has no infinity and no NaN: they are
    /// written as `null`.
    public mutating func double(_ value: Double) {
        guard value.isFinite else { return null() }
        separate()
        // Swift's description is the shortest round-trip form and uses JSON's own syntax ("1.0", "5e-324", "1e+100").
        appendRun(of: value.description)
        needsComma = true
    }

    /// A string, escaped as needed.
    public mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
        needsComma = true
    }

    /// Any value.
    public mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): int(value)
        case .double(let value): double(value)
        case .string(let value): string(value)
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            object(members)
        }
    }

    /// An object.
    public mutating func object(_ members: JSONObject) {
        beginObject()
        for member in members.members {
            key(member.key)
            value(member.value)
        }
        endObject()
    }

    /// A value that was rendered before. The caller answers for it being one JSON value without NUL.
    public mutating func rendered(_ json: ArraySlice<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}

extension JSONWriter {
    /// A member with a string.
    public mutating func member(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    /// A member with an integer.
    public mutating func member(_ key: String, _ value: Int64) {
        self.key(key)
        int(value)
    }

    /// A member with an integer.
    public mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        int(value)
    }

    /// A member with an integer.
    public mutating func member(_ key: String, _ value: UInt64) {
        self.key(key)
        int(value)
    }

    /// A member with a number; not finite is `null`.
    public mutating func member(_ key: String, _ value: Double) {
        self.key(key)
        double(value)
    }

    /// A member with a bool.
    public mutating func member(_ key: String, _ value: Bool) {
        self.key(key)
        bool(value)
    }

    /// A member with any value.
    public mutating func member(_ key: String, _ value: JSON) {
        self.key(key)
        self.value(value)
    }
}

extension JSONWriter {
    fileprivate mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendRun(of text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Two digits per division; the number is laid out from its end on the stack.
    private mutating func appendDecimal(_ magnitude: UInt64) {
        if magnitude < 10 {
            bytes.append(UInt8(truncatingIfNeeded: magnitude) + UInt8(ascii: "0"))
            return
        }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = magnitude
        while rest > 0 {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
            start -= 1
            digits[start] = UInt8(truncatingIfNeeded: remainder) + UInt8(ascii: "0")
            rest = quotient
        }
        digits.span.extracting(start..<20).withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func appendQuoted(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { source in
            var runStart = 0
            for index in source.indices {
                let byte = source[index]
                if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
                bytes.append(contentsOf: source[runStart..<index])
                appendEscape(of: byte)
                runStart = index + 1
            }
            bytes.append(contentsOf: source[runStart...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscape(of byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            append("u00")
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let low = byte & 0x0F
            bytes.append(low < 10 ? low + UInt8(ascii: "0") : low - 10 + UInt8(ascii: "a"))
        }
    }
}

extension JSON {
    /// Appends this value's text, without spaces.
    public func write(into bytes: inout [UInt8]) {
        JSONWriter.append(to: &bytes) { $0.value(self) }
    }
}
