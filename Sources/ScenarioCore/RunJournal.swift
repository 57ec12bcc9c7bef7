import RigModel

/// What a run tells: its timeline, what it counted and what went wrong.
struct RunJournal: Sendable {
    let name: String
    let file: String
    /// The timeline's zero.
    private(set) var startedAt: UInt64 = 0
    var counts = RunCounts()
    private(set) var failures: [RunFailure] = []
    /// The first thing that decided how the run ends, or `nil` while nothing did.
    private(set) var outcome: Outcome?

    init(name: String, file: String) {
        self.name = name
        self.file = file
    }

    mutating func start(now: UInt64) { startedAt = now }

    /// The outcome is decided once; what comes later adds failures and changes nothing.
    mutating func decide(_ outcome: Outcome) {
        if self.outcome == nil { self.outcome = outcome }
    }

    /// Something failed; `line` is where in the scenario's own file, when the place is in one that it includes.
    mutating func add(_ failure: RunFailure, line: Int? = nil, now: UInt64, into actions: inout [ScenarioAction]) {
        decide(failure.outcome)
        failures.append(failure)
        report(.failure, failure.text, line: line ?? failure.place?.line, now: now, into: &actions)
    }

    /// A step begins.
    mutating func began(
        _ step: ScenarioStep, occurrence: Int, scheduled: UInt64, now: UInt64, into actions: inout [ScenarioAction]
    ) {
        let lateness = now.since(scheduled)
        counts.maximumLateness = max(counts.maximumLateness, lateness)
        let which = step.repetition.map { " (\(occurrence + 1) of \($0.count))" } ?? ""
        actions.append(
            .report(
                TimelineEntry(
                    time: now.since(startedAt), kind: .step, text: step.timelineText + which, line: step.ownLine,
                    lateness: lateness)))
    }

    /// An event came.
    mutating func came(_ record: RecordValue, now: UInt64, into actions: inout [ScenarioAction]) {
        counts.events += 1
        actions.append(.report(entry(record, at: now)))
    }

    func entry(_ record: RecordValue, at now: UInt64) -> TimelineEntry {
        TimelineEntry(time: now.since(startedAt), kind: .event, text: EventText.line(record), event: record)
    }

    func report(
        _ kind: TimelineEntry.Kind, _ text: String, line: Int? = nil, now: UInt64, into actions: inout [ScenarioAction]
    ) {
        actions.append(.report(TimelineEntry(time: now.since(startedAt), kind: kind, text: text, line: line)))
    }

    func verdict(now: UInt64) -> Verdict {
        Verdict(
            name: name, file: file, outcome: outcome ?? .passed, duration: now.since(startedAt), counts: counts,
            failures: failures)
    }
}
