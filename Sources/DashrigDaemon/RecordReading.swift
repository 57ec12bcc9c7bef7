import RigModel
import VarlinkProtocol

extension RecordValue {
    /// A value of any shape that a call carried, as the core takes it.
    init(_ value: JSON) {
        switch value {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text)
        case .array(let values): self = .array(values.map { RecordValue($0) })
        case .object(let object): self = .object(object.members.map { RecordField($0.key, RecordValue($0.value)) })
        }
    }
}
