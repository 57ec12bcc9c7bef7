import ControlProtocol
import RigModel

extension RecordValue {
    /// The fields of a message by name, in the order of the wire. What may be there more than once is a list; bytes are
    /// hexadecimal; a flag is true; a parameter that the catalogue does not know has its number for a name. A whole number
    /// beyond a record's is decimal text, as it is taken in a message to be sent.
    init(fieldsOf message: ControlMessage) {
        let layout = MessageCatalogue.layout(of: message.id)?.fields ?? []
        self = Self.object(of: MessageContent(message).fields, layout)
    }

    private static func object(of entries: [FieldEntry], _ layout: [MessageField]) -> RecordValue {
        var fields: [RecordField] = []
        for entry in entries {
            let field = layout.first { $0.name == entry.name }
            var nested: [MessageField] = []
            if case .group(let inner)? = field?.type { nested = inner }
            let value = Self.value(of: entry.value, nested)
            if let place = fields.firstIndex(where: { $0.name == entry.name }) {
                // Twice: a list, also where the catalogue expects it once.
                let before: [RecordValue]
                if case .array(let values) = fields[place].value {
                    before = values
                } else {
                    before = [fields[place].value]
                }
                fields[place] = RecordField(entry.name, .array(before + [value]))
            } else {
                fields.append(RecordField(entry.name, field?.isRepeated == true ? .array([value]) : value))
            }
        }
        return .object(fields)
    }

    private static func value(of value: FieldValue, _ layout: [MessageField]) -> RecordValue {
        switch value {
        case .unsigned(let number): Int64(exactly: number).map { .int($0) } ?? .string("\(number)")
        case .signed(let number): .number(number)
        case .boolean(let truth): .bool(truth)
        case .choice(let number, let name): name.map { .string($0) } ?? .number(number)
        case .text(let text): .string(text)
        case .bytes(let bytes), .raw(let bytes): .string(Self.hexadecimal(bytes))
        case .present: .bool(true)
        case .numbers(let numbers): .array(numbers.map { .number($0) })
        case .group(let entries): object(of: entries, layout)
        case .list(let values): .array(values.map { Self.value(of: $0, layout) })
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        let digits = Array("0123456789abcdef".utf8)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension ControlMessage {
    /// The message that a person or a program described.
    ///
    /// - Throws: `invalidParameter` naming `message`, or the field by its path below `fields`, and what would be right.
    init(described request: SendRequest) throws(CommandFailure) {
        let content: MessageContent
        do throws(FieldError) {
            content = try MessageContent(
                named: request.message,
                try FieldEntry.list(
                    request.fields,
                    MessageCatalogue.id(named: request.message).flatMap(MessageCatalogue.layout)?.fields,
                    path: request.message))
        } catch {
            guard case .unknownMessage = error.kind else { throw Self.failure(error) }
            let known = MessageCatalogue.all.map(\.name)
            let near = Spelling.nearest(to: request.message, among: known).map { "; did you mean '\($0)'?" }
            throw .invalidParameter(
                "message",
                text: "no message is called '\(request.message)'\(near ?? "; a number is written as 0x5001")")
        }
        do throws(FieldError) {
            self = try content.message()
        } catch {
            throw Self.failure(error)
        }
    }

    private static func failure(_ error: FieldError) -> CommandFailure {
        .invalidParameter("fields", text: "\(error)")
    }
}

extension FieldEntry {
    /// Groups inside groups beyond this are refused before they are built: the catalogue's own limit.
    private static let maximumDepth = MessageCatalogue.maximumDepth

    fileprivate static func list(
        _ record: RecordValue, _ layout: [MessageField]?, path: String, depth: Int = 0
    ) throws(FieldError) -> [FieldEntry] {
        guard depth <= maximumDepth else {
            throw FieldError(.beyond(what: "groups inside groups", limit: maximumDepth), at: path)
        }
        switch record {
        case .object(let fields):
            var entries: [FieldEntry] = []
            for field in fields where field.value != .null {
                let inner = "\(path).\(field.name)"
                let known = layout?.first { $0.name == field.name }
                // Where the type is not known, bytes are all there is to be said.
                if known == nil, case .string(let text) = field.value, let bytes = bytes(text) {
                    entries.append(FieldEntry(field.name, .raw(bytes)))
                } else {
                    entries.append(FieldEntry(field.name, try value(field.value, known, path: inner, depth: depth)))
                }
            }
            return entries
        case .null: return []
        case .bool, .int, .double, .string, .array:
            throw FieldError(.illegalValue(found: "no object", legal: "an object of fields by name"), at: path)
        }
    }

    /// The bytes of pairs of hexadecimal digits.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }

    private static func value(
        _ record: RecordValue, _ field: MessageField?, path: String, depth: Int
    ) throws(FieldError) -> FieldValue {
        switch record {
        case .bool(let truth): return .boolean(truth)
        case .int(let number): return .signed(number)
        case .string(let text): return .text(text)
        case .array(let values):
            var list: [FieldValue] = []
            for (index, value) in values.enumerated() {
                list.append(try Self.value(value, field, path: "\(path).\(index)", depth: depth + 1))
            }
            return .list(list)
        case .object:
            var inner: [MessageField]?
            if case .group(let fields)? = field?.type { inner = fields }
            return .group(try list(record, inner, path: path, depth: depth + 1))
        case .double(let number):
            // As JSON has it, 1.0 and 1e3 are whole; beyond 2^53 a fraction's last digits are gone.
            if number.magnitude <= largestExact, let whole = Int64(exactly: number) { return .signed(whole) }
            let legal = field?.type.legal ?? "raw bytes in hexadecimal, the type is not known"
            guard number.magnitude > largestExact else {
                throw FieldError(.illegalValue(found: "the fraction \(number)", legal: legal), at: path)
            }
            let found = "\(number), a number that is not exact any more (write all of its digits, in quotes),"
            throw FieldError(.illegalValue(found: found, legal: legal), at: path)
        case .null:
            let legal = field?.type.legal ?? "raw bytes in hexadecimal, the type is not known"
            throw FieldError(.illegalValue(found: "nothing", legal: legal), at: path)
        }
    }

    /// Whole numbers up to this are exact in a double: 2^53.
    private static let largestExact = 9_007_199_254_740_992.0
}

extension LinkMessage {
    /// A message as it is published.
    init(_ message: ControlMessage, from sender: LinkSide) {
        self.init(
            name: message.id.name ?? message.id.hexadecimal, number: message.id.hexadecimal, sender: sender,
            fields: RecordValue(fieldsOf: message))
    }
}
