import WireBytes

extension MessageContent {
    /// A message as names and values. Nothing is lost: what the catalogue does not know or what does not fit is kept as
    /// raw bytes and marked, so that `message()` gives the same bytes again.
    public init(_ message: ControlMessage) {
        self.init(message.id)
        var budget = MessageCatalogue.maximumFields
        let layout = MessageCatalogue.layout(of: message.id)?.fields ?? []
        let read = Self.read(message.parameters, layout, depth: 1, budget: &budget)
        fields = read.entries
        if let problem = read.problem {
            rest = read.rest
            restProblem = problem
        }
    }

    private struct Read {
        var entries: [FieldEntry] = []
        var rest: [UInt8] = []
        var problem: WireError?
    }

    /// Reads parameters up to the first place where their lengths do not add up or a limit is reached.
    private static func read(
        _ parameters: ControlParameters, _ layout: [MessageField], depth: Int, budget: inout Int
    ) -> Read {
        var result = Read()
        var reader = parameters.reader
        var end = parameters.encoded.startIndex
        do throws(WireError) {
            while let parameter = try reader.next() {
                guard result.entries.count < ControlParameters.maximumCount, budget > 0 else {
                    throw WireError(
                        .tooMany(limit: min(ControlParameters.maximumCount, MessageCatalogue.maximumFields)),
                        offset: parameter.offset, field: "parameters")
                }
                budget -= 1
                let isRepeated = result.entries.contains { $0.id == parameter.id }
                result.entries.append(entry(parameter, layout, isRepeated, depth: depth, budget: &budget))
                end = parameter.value.endIndex
            }
        } catch {
            result.problem = error
            result.rest = Array(parameters.encoded[end...])
        }
        return result
    }

    private static func entry(
        _ parameter: ControlParameter, _ layout: [MessageField], _ isRepeated: Bool, depth: Int, budget: inout Int
    ) -> FieldEntry {
        let raw = FieldValue.raw(Array(parameter.value))
        guard let field = layout.field(parameter.id) else {
            return FieldEntry(name: "\(parameter.id)", id: parameter.id, value: raw, mark: .unknown)
        }
        do throws(WireError) {
            guard !isRepeated || field.isRepeated else {
                throw WireError(.repeated, offset: parameter.offset, field: "parameter \(parameter.id)")
            }
            let value = try value(of: parameter, field.type, depth: depth, budget: &budget)
            return FieldEntry(name: field.name, id: field.id, value: value, mark: .none)
        } catch {
            return FieldEntry(name: field.name, id: field.id, value: raw, mark: .malformed(error))
        }
    }

    private static func value(
        of parameter: ControlParameter, _ type: FieldType, depth: Int, budget: inout Int
    ) throws(WireError) -> FieldValue {
        switch type {
        case .u8: return .unsigned(UInt64(try parameter.integer(UInt8.self)))
        case .u16: return .unsigned(UInt64(try parameter.integer(UInt16.self)))
        case .u32: return .unsigned(UInt64(try parameter.integer(UInt32.self)))
        case .u64: return .unsigned(try parameter.integer(UInt64.self))
        case .i8: return .signed(Int64(try parameter.integer(Int8.self)))
        case .i16: return .signed(Int64(try parameter.integer(Int16.self)))
        case .i32: return .signed(Int64(try parameter.integer(Int32.self)))
        case .i64: return .signed(try parameter.integer(Int64.self))
        case .boolean: return .boolean(try parameter.boolean())
        case .choice(let choices):
            let number = try parameter.integer(UInt8.self)
            return .choice(number, name: choices.first { $0.value == number }?.name)
        case .text: return .text(try parameter.text(limit: MessageCatalogue.maximumTextLength))
        case .bytes: return .bytes(try parameter.bytes())
        case .flag:
            try parameter.flag()
            return .present
        case .numbers, .messageIDs: return .numbers(try parameter.integers())
        case .group(let fields):
            guard depth < MessageCatalogue.maximumDepth else {
                throw WireError(
                    .tooMany(limit: MessageCatalogue.maximumDepth), offset: parameter.offset, field: "groups in groups")
            }
            let read = Self.read(parameter.group(), fields, depth: depth + 1, budget: &budget)
            if let problem = read.problem { throw problem }
            return .group(read.entries)
        }
    }
}
