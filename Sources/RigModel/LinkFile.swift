/// A whole file that the other side sent on the file transfer channel. Its bytes are not kept; a capture has them.
public struct LinkFile: Equatable, Sendable {
    /// The transfer's number, as the sender gave it: 0 to 255.
    public var transfer: UInt8
    /// What it is, where the sender told: a number of the protocol.
    public var type: UInt16?
    /// Its length in bytes.
    public var size: Int
    /// Who sent it.
    public var sender: LinkSide

    /// States a file.
    public init(transfer: UInt8, type: UInt16?, size: Int, sender: LinkSide) {
        self.transfer = transfer
        self.type = type
        self.size = size
        self.sender = sender
    }

    /// What is published.
    public var record: RecordValue {
        .record([
            RecordField("transfer", .number(Int(transfer))), RecordField("type", .number(type)),
            RecordField("size", .number(size)), RecordField("sender", .string(sender.rawValue)),
        ])
    }
}
