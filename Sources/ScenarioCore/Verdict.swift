public import RigModel

/// How a run ended.
public enum Outcome: String, Sendable, CaseIterable {
    /// Every step was done and every expectation met.
    case passed
    /// An expectation was not met, or the rig refused a step because of the state it is in.
    case failed
    /// The text is wrong, or asks for what can never be.
    case scriptWrong
    /// The rig could not do its part: it did not answer, is in use, at a limit, or went away.
    case rigFailed
    /// Somebody stopped the run.
    case interrupted

    /// What a program that ran it exits with.
    public var exitCode: Int32 {
        switch self {
        case .passed: 0
        case .failed: 1
        case .scriptWrong: 2
        case .rigFailed: 3
        case .interrupted: 4
        }
    }
}

/// One thing that went wrong in a run.
public struct RunFailure: Equatable, Sendable {
    /// What it makes of the run.
    public let outcome: Outcome
    /// The line it belongs to, or `nil` for what belongs to none.
    public let place: SourcePlace?
    /// The line's text.
    public let step: String?
    /// What went wrong, in one line.
    public let text: String
    /// What was expected, where something was.
    public let expected: String?
    /// What helps to understand it: the nearest miss, a suggestion.
    public let hint: String?
    /// The last events before it, oldest first.
    public let came: [TimelineEntry]

    /// How many of the last events a failure tells.
    public static let maximumCame = 8

    /// States a failure.
    public init(
        outcome: Outcome, place: SourcePlace?, step: String?, text: String, expected: String? = nil,
        hint: String? = nil, came: [TimelineEntry] = []
    ) {
        self.outcome = outcome
        self.place = place
        self.step = step
        self.text = text
        self.expected = expected
        self.hint = hint
        self.came = came
    }

    /// The failure as it is published.
    public var record: RecordValue {
        .record([
            RecordField("outcome", .string(outcome.rawValue)), RecordField("file", .text(place?.file)),
            RecordField("line", .number(place?.line)), RecordField("column", .number(place?.column)),
            RecordField("step", .text(step)), RecordField("text", .string(text)),
            RecordField("expected", .text(expected)), RecordField("hint", .text(hint)),
            RecordField("came", .array(came.map(\.record))),
        ])
    }

    /// Reads a failure from its record; unknown fields are passed over.
    public init(record: RecordValue) throws(RecordProblem) {
        let reader = try RecordReader(record)
        var place: SourcePlace?
        if let file = try reader.optionalText("file"), let line = try reader.optionalInt("line") {
            place = SourcePlace(file: file, line: line, column: try reader.optionalInt("column") ?? 1)
        }
        var came: [TimelineEntry] = []
        for entry in try reader.array("came") { came.append(try TimelineEntry(record: entry)) }
        self.init(
            outcome: try reader.word("outcome"), place: place, step: try reader.optionalText("step"),
            text: try reader.text("text"), expected: try reader.optionalText("expected"),
            hint: try reader.optionalText("hint"), came: came)
    }
}

/// What a run counted.
public struct RunCounts: Equatable, Sendable {
    /// The steps of the file.
    public var steps = 0
    /// Those that were done: acted, waited, met.
    public var done = 0
    /// The expectations of the file, `after` among them.
    public var expectations = 0
    /// Those that were met.
    public var met = 0
    /// The events that came during the run.
    public var events = 0
    /// The greatest lateness of a step, in nanoseconds.
    public var maximumLateness: UInt64 = 0

    /// States counts of nothing.
    public init() {}

    /// The counts as they are published.
    public var record: RecordValue {
        .record([
            RecordField("steps", .number(steps)), RecordField("done", .number(done)),
            RecordField("expectations", .number(expectations)), RecordField("met", .number(met)),
            RecordField("events", .number(events)), RecordField("maximumLateness", .number(maximumLateness)),
        ])
    }

    /// Reads counts from their record; unknown fields are passed over.
    public init(record: RecordValue) throws(RecordProblem) {
        let reader = try RecordReader(record)
        steps = try reader.int("steps")
        done = try reader.int("done")
        expectations = try reader.int("expectations")
        met = try reader.int("met")
        events = try reader.int("events")
        maximumLateness = try reader.unsigned("maximumLateness")
    }
}

/// The machine-readable result of a run.
public struct Verdict: Equatable, Sendable {
    /// The run's name.
    public let name: String
    /// The scenario's file.
    public let file: String
    /// How it ended.
    public let outcome: Outcome
    /// Nanoseconds from start to end, teardown included.
    public let duration: UInt64
    /// What it counted.
    public let counts: RunCounts
    /// What went wrong, first things first; empty when it passed.
    public let failures: [RunFailure]

    /// States a verdict.
    public init(
        name: String, file: String, outcome: Outcome, duration: UInt64, counts: RunCounts, failures: [RunFailure]
    ) {
        self.name = name
        self.file = file
        self.outcome = outcome
        self.duration = duration
        self.counts = counts
        self.failures = failures
    }

    /// The verdict on a text that could not be read: nothing ran.
    public init(name: String, file: String, problems: ScenarioProblems) {
        self.init(
            name: name, file: file, outcome: .scriptWrong, duration: 0, counts: RunCounts(),
            failures: problems.problems.map {
                RunFailure(outcome: .scriptWrong, place: $0.place, step: $0.line, text: $0.message)
            })
    }

    /// What a program that ran it exits with: 0 passed, 1 failed, 2 the script is wrong, 3 the rig failed, 4 interrupted.
    public var exitCode: Int32 { outcome.exitCode }

    /// The verdict as it is published.
    public var record: RecordValue {
        .record([
            RecordField("name", .string(name)), RecordField("file", .string(file)),
            RecordField("outcome", .string(outcome.rawValue)), RecordField("exitCode", .number(exitCode)),
            RecordField("duration", .number(duration)), RecordField("counts", counts.record),
            RecordField("failures", .array(failures.map(\.record))),
        ])
    }

    /// Reads a verdict from its record; unknown fields are passed over.
    public init(record: RecordValue) throws(RecordProblem) {
        let reader = try RecordReader(record)
        var failures: [RunFailure] = []
        for failure in try reader.array("failures") { failures.append(try RunFailure(record: failure)) }
        guard let counts = record.value(at: "counts") else {
            throw RecordProblem(field: "counts", text: "it is missing")
        }
        self.init(
            name: try reader.text("name"), file: try reader.text("file"), outcome: try reader.word("outcome"),
            duration: try reader.unsigned("duration"), counts: try RunCounts(record: counts), failures: failures)
    }
}
