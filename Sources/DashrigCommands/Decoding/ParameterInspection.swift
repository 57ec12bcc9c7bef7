internal import ControlProtocol
internal import WireBytes

/// The parameters of a message or group, by the catalogue's layout of it.
struct ParameterInspection {
    private let fields: [MessageField]
    /// How deep the parameters lie in groups; the message's own are at 1.
    private let depth: Int

    /// Looks at the parameters of a message of this number.
    init(of id: MessageID) {
        fields = MessageCatalogue.layout(of: id)?.fields ?? []
        depth = 1
    }

    private init(_ fields: [MessageField], depth: Int) {
        self.fields = fields
        self.depth = depth
    }

    /// The parameters, one part each, and what is behind them when their lengths do not add up.
    func parts(_ parameters: ControlParameters) -> [DecodedPart] {
        var parts: [DecodedPart] = []
        var seen: Set<UInt16> = []
        var reader = parameters.reader
        var end = parameters.offset
        do throws(WireError) {
            while let parameter = try reader.next() {
                let isFirst = seen.insert(parameter.id).inserted
                parts.append(part(parameter, isFirst: isFirst))
                end = parameter.offset + parameter.value.count
            }
        } catch {
            let rest = parameters.encoded.dropFirst(end - parameters.offset)
            var part = DecodedPart("rest", at: end, length: rest.count, .bytes(Array(rest)))
            part.problem = "no parameter: \(error)"
            parts.append(part)
        }
        return parts
    }

    private func part(_ parameter: ControlParameter, isFirst: Bool) -> DecodedPart {
        var part = DecodedPart(
            "parameter", at: parameter.offset - ControlParameter.headerLength,
            length: parameter.value.count + ControlParameter.headerLength)
        part.id = UInt64(parameter.id)
        guard let field = fields.first(where: { $0.id == parameter.id }) else {
            part.value = .bytes(Array(parameter.value))
            part.note = Self.guess(parameter).map { "unknown, maybe \($0)" } ?? "unknown"
            return part
        }
        part.title = field.name
        do throws(WireError) {
            guard isFirst || field.isRepeated else {
                throw WireError(.repeated, offset: parameter.offset, field: "parameter \(parameter.id)")
            }
            try read(parameter, field.type, into: &part)
        } catch {
            part.value = .bytes(Array(parameter.value))
            part.problem = "no \(field.type.name): \(error)"
        }
        return part
    }

    private func read(
        _ parameter: ControlParameter, _ type: FieldType, into part: inout DecodedPart
    ) throws(WireError) {
        switch type {
        case .u8: part.value = .number(UInt64(try parameter.integer(UInt8.self)))
        case .u16: part.value = .number(UInt64(try parameter.integer(UInt16.self)))
        case .u32: part.value = .number(UInt64(try parameter.integer(UInt32.self)))
        case .u64: part.value = .number(try parameter.integer(UInt64.self))
        case .i8: part.value = .signed(Int64(try parameter.integer(Int8.self)))
        case .i16: part.value = .signed(Int64(try parameter.integer(Int16.self)))
        case .i32: part.value = .signed(Int64(try parameter.integer(Int32.self)))
        case .i64: part.value = .signed(try parameter.integer(Int64.self))
        case .boolean: part.value = .bool(try parameter.boolean())
        case .choice(let choices):
            let number = try parameter.integer(UInt8.self)
            part.value = .number(UInt64(number))
            part.note = choices.first { $0.value == number }?.name ?? "unknown"
        case .text: part.value = .text(try parameter.text())
        case .bytes:
            part.value = .bytes(Array(parameter.value))
            part.note = counted(parameter.value.count, "byte")
        case .flag:
            try parameter.flag()
            part.note = "present"
        case .numbers: part.value = .numbers(try parameter.integers().map(UInt64.init), names: [])
        case .messageIDs:
            let ids = try parameter.messageIDs()
            part.value = .numbers(ids.map { UInt64($0.rawValue) }, names: ids.map(\.description))
        case .group(let fields):
            guard depth < MessageCatalogue.maximumDepth else {
                throw WireError(
                    .tooMany(limit: MessageCatalogue.maximumDepth), offset: parameter.offset, field: "groups in groups")
            }
            part.parts = ParameterInspection(fields, depth: depth + 1).parts(parameter.group())
            if part.parts.isEmpty { part.note = "empty" }
        }
    }

    /// What the value of an unknown parameter looks like.
    private static func guess(_ parameter: ControlParameter) -> String? {
        if parameter.value.isEmpty { return "a flag" }
        if let text = try? parameter.text(), !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            return "the text \"\(text)\""
        }
        return nil
    }
}
