import WireBytes

extension MessageContent {
    /// The message. Throws at the first name or value that makes no parameter, with its path and what is legal.
    public func message() throws(FieldError) -> ControlMessage {
        let path = id.name ?? id.hexadecimal
        var writer = Writer()
        var parameters = ControlParameters()
        let layout = MessageCatalogue.layout(of: id)?.fields ?? []
        try writer.write(fields, layout, path, depth: 1, into: &parameters)
        var encoded = parameters.encoded
        encoded.append(contentsOf: rest)
        let message = ControlMessage(
            id, parameters: ControlParameters(encoded: encoded, offset: ControlMessage.headerLength))
        guard message.encodedLength <= ControlMessage.maximumLength else {
            throw FieldError(.tooLong(limit: ControlMessage.maximumLength, actual: message.encodedLength), path: path)
        }
        return message
    }

    private struct Writer {
        private var count = 0

        mutating func write(
            _ entries: [FieldEntry], _ layout: [MessageField], _ path: String, depth: Int,
            into parameters: inout ControlParameters
        ) throws(FieldError) {
            guard depth <= MessageCatalogue.maximumDepth else {
                throw FieldError(.beyond(what: "groups in groups", limit: MessageCatalogue.maximumDepth), path: path)
            }
            guard entries.count <= ControlParameters.maximumCount else {
                throw FieldError(.beyond(what: "fields", limit: ControlParameters.maximumCount), path: path)
            }
            var written: [UInt16] = []
            for entry in entries {
                let place = "\(path).\(entry.name)"
                let field = layout.field(named: entry.name) ?? UInt16(entry.name).flatMap { layout.field($0) }
                guard let id = field?.id ?? entry.id ?? UInt16(entry.name) else {
                    throw FieldError(.unknownField(legal: layout.map(\.name)), path: place)
                }
                if case .raw(let bytes) = entry.value {
                    try append(id, bytes, place, into: &parameters)
                } else {
                    guard let field else {
                        throw FieldError(
                            .illegalValue(found: entry.value.kind, legal: "raw bytes, the type is not known"),
                            path: place)
                    }
                    try write(entry.value, as: field, written.contains(id), place, depth: depth, into: &parameters)
                }
                written.append(id)
            }
        }

        /// One entry: one parameter, or several for a list of a repeated field.
        private mutating func write(
            _ value: FieldValue, as field: MessageField, _ isAgain: Bool, _ path: String, depth: Int,
            into parameters: inout ControlParameters
        ) throws(FieldError) {
            if case .list(let values) = value, field.isRepeated {
                for (index, value) in values.enumerated() {
                    try write(value, as: field, false, "\(path)[\(index)]", depth: depth, into: &parameters)
                }
                return
            }
            guard !isAgain || field.isRepeated else { throw FieldError(.repeated, path: path) }
            // A flag that is false is left out.
            if field.type == .flag, value == .boolean(false) { return }
            if case .group(let fields) = field.type {
                guard case .group(let entries) = value else { throw illegal(value, field, path) }
                var group = ControlParameters()
                try write(entries, fields, path, depth: depth + 1, into: &group)
                try append(field.id, Array(group.encoded), path, into: &parameters)
            } else {
                let bytes = try Self.bytes(of: value, as: field, path)
                try append(field.id, bytes, path, into: &parameters)
            }
        }

        private mutating func append(
            _ id: UInt16, _ bytes: [UInt8], _ path: String, into parameters: inout ControlParameters
        ) throws(FieldError) {
            count += 1
            guard count <= MessageCatalogue.maximumFields else {
                throw FieldError(.beyond(what: "fields in all", limit: MessageCatalogue.maximumFields), path: path)
            }
            do throws(WireError) {
                try parameters.append(id, bytes: bytes)
            } catch {
                throw FieldError(.tooLong(limit: ControlParameter.maximumValueLength, actual: bytes.count), path: path)
            }
        }

        private func illegal(_ value: FieldValue, _ field: MessageField, _ path: String) -> FieldError {
            FieldError(.illegalValue(found: value.kind, legal: field.type.legal), path: path)
        }

        private static func bytes(
            of value: FieldValue, as field: MessageField, _ path: String
        ) throws(FieldError) -> [UInt8] {
            func illegal(_ found: String) -> FieldError {
                FieldError(.illegalValue(found: found, legal: field.type.legal), path: path)
            }
            func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws(FieldError) -> [UInt8] {
                let number: Integer?
                switch value {
                case .unsigned(let wide): number = Integer(exactly: wide)
                case .signed(let wide): number = Integer(exactly: wide)
                // Whole numbers of JSON on the socket end at 2^63 - 1: decimal text carries all of a u64.
                case .text(let text): number = Integer(text)
                case .boolean, .choice, .bytes, .present, .numbers, .group, .raw, .list: throw illegal(value.kind)
                }
                guard let number else { throw illegal(value.shown) }
                return stride(from: Integer.bitWidth - 8, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: number >> $0)
                }
            }
            switch field.type {
            case .u8: return try integer(UInt8.self)
            case .u16: return try integer(UInt16.self)
            case .u32: return try integer(UInt32.self)
            case .u64: return try integer(UInt64.self)
            case .i8: return try integer(Int8.self)
            case .i16: return try integer(Int16.self)
            case .i32: return try integer(Int32.self)
            case .i64: return try integer(Int64.self)
            case .boolean:
                guard case .boolean(let isTrue) = value else { throw illegal(value.kind) }
                return [isTrue ? 1 : 0]
            case .choice(let choices):
                switch value {
                case .choice(let number, _): return [number]
                case .text(let name):
                    guard let choice = choices.first(where: { $0.name == name }) else { throw illegal("\"\(name)\"") }
                    return [choice.value]
                case .unsigned, .signed: return try integer(UInt8.self)
                case .boolean, .bytes, .present, .numbers, .group, .raw, .list: throw illegal(value.kind)
                }
            case .text:
                guard case .text(let text) = value else { throw illegal(value.kind) }
                let bytes = Array(text.utf8)
                guard !bytes.contains(0) else { throw illegal("text with a NUL") }
                guard bytes.count <= MessageCatalogue.maximumTextLength else {
                    throw FieldError(
                        .tooLong(limit: MessageCatalogue.maximumTextLength, actual: bytes.count), path: path)
                }
                return bytes + [0]
            case .bytes:
                switch value {
                case .bytes(let bytes): return bytes
                case .text(let text):
                    guard let bytes = try? HexText.parse(text) else { throw illegal("other text") }
                    return bytes
                case .unsigned, .signed, .boolean, .choice, .present, .numbers, .group, .raw, .list:
                    throw illegal(value.kind)
                }
            case .flag:
                guard value == .present || value == .boolean(true) else { throw illegal(value.kind) }
                return []
            case .numbers: return try packed(value, messages: false, illegal)
            case .messageIDs: return try packed(value, messages: true, illegal)
            case .group: throw illegal(value.kind)
            }
        }

        /// Packed u16 numbers, of a list of numbers or of names of messages.
        private static func packed(
            _ value: FieldValue, messages: Bool, _ illegal: (String) -> FieldError
        ) throws(FieldError) -> [UInt8] {
            var numbers: [UInt16] = []
            switch value {
            case .numbers(let list): numbers = list
            case .list(let list):
                for element in list {
                    let number: UInt16?
                    switch element {
                    case .unsigned(let wide): number = UInt16(exactly: wide)
                    case .signed(let wide): number = UInt16(exactly: wide)
                    case .text(let name): number = messages ? MessageCatalogue.id(named: name)?.rawValue : nil
                    case .boolean, .choice, .bytes, .present, .numbers, .group, .raw, .list: number = nil
                    }
                    guard let number else { throw illegal(element.shown) }
                    numbers.append(number)
                }
            case .unsigned, .signed, .boolean, .choice, .text, .bytes, .present, .group, .raw:
                throw illegal(value.kind)
            }
            guard numbers.count * 2 <= ControlParameter.maximumValueLength else {
                throw illegal("\(numbers.count) numbers")
            }
            var bytes: [UInt8] = []
            for number in numbers { bytes.appendBigEndian(number) }
            return bytes
        }
    }
}

extension FieldValue {
    /// The value itself where it is short, for errors.
    fileprivate var shown: String {
        switch self {
        case .unsigned(let number): "\(number)"
        case .signed(let number): "\(number)"
        case .text(let text): "\"\(text.prefix(64))\""
        case .boolean, .choice, .bytes, .present, .numbers, .group, .raw, .list: kind
        }
    }
}
