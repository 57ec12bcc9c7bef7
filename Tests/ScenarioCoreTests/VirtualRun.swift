import RigModel
import ScenarioCore

/// A scenario that runs against a fake rig on a virtual clock, to its verdict.
struct VirtualRun {
    var timeline: [TimelineEntry] = []
    var verdict: Verdict
    var rig: FakeRig
    /// The virtual time of each command.
    var performed: [(time: UInt64, command: Command)] = []

    /// Where the clock begins: not at zero, so that absolute and relative times cannot be confused.
    static let origin: UInt64 = 7_000_000_000

    /// Runs `text`. Commands are answered `latency` later; `cancelAt` stops it so long after the start.
    init(
        _ text: String, file: String = "test.rig", rig: FakeRig = FakeRig(), latency: UInt64 = 0,
        cancelAt: UInt64? = nil
    ) throws {
        try self.init(Scenario(parsing: text, file: file), rig: rig, latency: latency, cancelAt: cancelAt)
    }

    init(_ scenario: Scenario, rig: FakeRig = FakeRig(), latency: UInt64 = 0, cancelAt: UInt64? = nil) throws {
        var rig = rig
        var now = Self.origin
        var run = ScenarioRun(scenario, name: "test")
        var actions: [ScenarioAction] = []
        var answers: [(time: UInt64, step: Int, result: Result<CommandResult, CommandFailure>)] = []
        var timeline: [TimelineEntry] = []
        var performed: [(time: UInt64, command: Command)] = []
        var verdict: Verdict?
        var cancel = cancelAt.map { Self.origin + $0 }
        run.start(now: now, into: &actions)
        var rounds = 0
        while verdict == nil {
            rounds += 1
            guard rounds < 200_000 else { throw Stuck() }
            let taken = actions
            actions = []
            for action in taken {
                switch action {
                case .perform(let command, let step):
                    performed.append((now - Self.origin, command))
                    if let result = rig.perform(command, now: now) { answers.append((now + latency, step, result)) }
                case .report(let entry): timeline.append(entry)
                case .finished(let result): verdict = result
                }
            }
            if !taken.isEmpty { continue }
            let answered = answers.map(\.time).min()
            guard let next = [rig.nextTime, run.nextDeadline, answered, cancel].compactMap({ $0 }).min() else {
                throw Stuck()
            }
            now = max(now, next)
            if let place = answers.firstIndex(where: { $0.time <= now }) {
                let answer = answers.remove(at: place)
                run.completed(step: answer.step, answer.result, now: now, into: &actions)
                continue
            }
            let events = rig.events(until: now)
            for event in events { run.received(event, now: now, into: &actions) }
            if let time = cancel, time <= now {
                cancel = nil
                run.cancel(now: now, into: &actions)
            }
            if events.isEmpty { run.deadlineReached(now: now, into: &actions) }
        }
        guard let verdict else { throw Stuck() }
        self.verdict = verdict
        self.timeline = timeline
        self.rig = rig
        self.performed = performed
    }

    /// The run waits for nothing, or never ends.
    struct Stuck: Error {}

    /// The steps with their times in milliseconds from the start.
    var steps: [String] {
        timeline.filter { $0.kind == .step }.map { "\($0.time / 1_000_000) \($0.text)" }
    }
}

extension UInt64 {
    static func ms(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }
}
