internal import RigModel

/// Puts the parts of a whole state together: the lists grow, everything else is as the last part says.
struct StateAssembly {
    private var fields: [RecordField] = []
    private var elementCount = 0

    private static let lists = ["devices", "sessions", "displays", "apps"]
    /// The most devices, sessions, displays and apps together. A bench has dozens; what sends more is no rig.
    static let maximumElements = 65_536

    /// Takes the next part.
    mutating func add(_ part: RecordValue) throws(ClientFailure) {
        guard case .object(let more) = part else { throw .protocolViolation("a state is no object") }
        for field in more {
            guard let index = fields.firstIndex(where: { $0.name == field.name }) else {
                try count(field)
                fields.append(field)
                continue
            }
            guard Self.lists.contains(field.name), case .array(let before) = fields[index].value,
                case .array(let elements) = field.value
            else {
                fields[index] = field
                continue
            }
            try count(field)
            fields[index] = RecordField(field.name, .array(before + elements))
        }
    }

    private mutating func count(_ field: RecordField) throws(ClientFailure) {
        guard Self.lists.contains(field.name), case .array(let elements) = field.value else { return }
        elementCount += elements.count
        if elementCount > Self.maximumElements {
            throw .protocolViolation("a state of more than \(Self.maximumElements) things")
        }
    }

    /// The whole.
    var state: StateView { StateView(.object(fields)) }
}
