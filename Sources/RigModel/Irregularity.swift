/// Something on a link that is against the rules, or damaged, and does not have to end it.
public struct Irregularity: Equatable, Sendable {
    /// Where it was noticed.
    public enum Layer: String, Sendable, CaseIterable {
        /// Packets: checksums, numbers, windows.
        case link
        /// Messages on the control channel.
        case control
        /// Reports of input devices on the link.
        case hid
    }

    /// Who noticed it.
    public enum End: String, Sendable, CaseIterable {
        /// The rig.
        case rig
        /// The partner inside the daemon.
        case partner
    }

    /// The layer.
    public var layer: Layer
    /// Who noticed it.
    public var end: End
    /// The rule that was broken, a stable name: `payload-checksum`.
    public var rule: String
    /// Bytes of the received stream before it, where it has a place there.
    public var offset: UInt64?
    /// Bytes of the stream that it is about, where that is known.
    public var length: Int?
    /// Whose doing it was.
    public var party: Party
    /// What was done about it, a stable name: `drop`, `repeat`, `reset`, `close`, `ignore`, `keep`.
    public var reaction: String
    /// What happened, for people.
    public var text: String
    /// How many before it were not published, because there were too many in a short time.
    public var suppressed: UInt64

    /// States an irregularity.
    public init(
        layer: Layer, end: End, rule: String, offset: UInt64? = nil, length: Int? = nil, party: Party,
        reaction: String, text: String, suppressed: UInt64 = 0
    ) {
        self.layer = layer
        self.end = end
        self.rule = rule
        self.offset = offset
        self.length = length
        self.party = party
        self.reaction = reaction
        self.text = text
        self.suppressed = suppressed
    }

    /// The irregularity as it is published.
    public var record: RecordValue {
        .record([
            RecordField("layer", .string(layer.rawValue)), RecordField("end", .string(end.rawValue)),
            RecordField("rule", .string(rule)), RecordField("offset", .number(offset)),
            RecordField("length", .number(length)), RecordField("party", .string(party.rawValue)),
            RecordField("reaction", .string(reaction)), RecordField("text", .string(text)),
            RecordField("suppressed", .number(suppressed == 0 ? nil : suppressed)),
        ])
    }
}
