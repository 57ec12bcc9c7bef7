/// A message of the control session, as it is published: what one side told the other beside the handshake.
public struct LinkMessage: Equatable, Sendable {
    /// Its name in the catalogue, or its number when it has none.
    public var name: String
    /// Its number, as `0x5001`.
    public var number: String
    /// Who sent it.
    public var sender: LinkSide
    /// Its fields by name, in the order of the wire: an object.
    public var fields: RecordValue

    /// States a message.
    public init(name: String, number: String, sender: LinkSide, fields: RecordValue) {
        self.name = name
        self.number = number
        self.sender = sender
        self.fields = fields
    }

    /// The message as it is published.
    public var record: RecordValue {
        .record([
            RecordField("name", .string(name)), RecordField("number", .string(number)),
            RecordField("sender", .string(sender.rawValue)), RecordField("fields", fields),
        ])
    }
}

/// A side of a link by what it is, whoever plays it.
public enum LinkSide: String, Sendable, CaseIterable {
    /// The phone.
    case phone
    /// The head unit.
    case headUnit
}
