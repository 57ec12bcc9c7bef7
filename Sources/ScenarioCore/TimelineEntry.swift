public import RigModel

/// One line of what a run did and saw.
public struct TimelineEntry: Equatable, Sendable {
    /// What kind of line it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A step began.
        case step
        /// The rig published an event.
        case event
        /// An expectation was met.
        case expectation
        /// Something to know that changes nothing.
        case note
        /// Something failed.
        case failure
    }

    /// Nanoseconds from the run's start.
    public let time: UInt64
    /// What kind of line it is.
    public let kind: Kind
    /// What happened, in one line.
    public let text: String
    /// The line of the file it belongs to.
    public let line: Int?
    /// For a step: how many nanoseconds later than its time it began.
    public let lateness: UInt64?
    /// For an event: its record.
    public let event: RecordValue?

    /// States an entry.
    public init(
        time: UInt64, kind: Kind, text: String, line: Int? = nil, lateness: UInt64? = nil, event: RecordValue? = nil
    ) {
        self.time = time
        self.kind = kind
        self.text = text
        self.line = line
        self.lateness = lateness
        self.event = event
    }

    /// The entry as it is published.
    public var record: RecordValue {
        .record([
            RecordField("time", .number(time)), RecordField("kind", .string(kind.rawValue)),
            RecordField("text", .string(text)), RecordField("line", .number(line)),
            RecordField("lateness", .number(lateness)), RecordField("event", event ?? .null),
        ])
    }

    /// Reads an entry from its record; unknown fields are passed over.
    public init(record: RecordValue) throws(RecordProblem) {
        let reader = try RecordReader(record)
        self.init(
            time: try reader.unsigned("time"), kind: try reader.word("kind"), text: try reader.text("text"),
            line: try reader.optionalInt("line"), lateness: try reader.optionalUnsigned("lateness"),
            event: record.value(at: "event"))
    }
}
