public import RigModel

/// What a run asks its caller to do.
public enum ScenarioAction: Equatable, Sendable {
    /// Give the command to the rig and tell `completed` with this step number what it said.
    case perform(Command, step: Int)
    /// Show or send a line of the timeline.
    case report(TimelineEntry)
    /// The run is over; nothing follows.
    case finished(Verdict)
}

/// Runs a scenario: time and events in, actions out. It has no clock; `now` is nanoseconds of the caller's clock and must
/// not go back.
///
/// The caller calls `deadlineReached` when `nextDeadline` has come, which is often at once, but first tells everything
/// that happened until then: only `start` and `deadlineReached` begin steps, so a step never begins in the middle of a
/// burst of events and is never taken for the cause of its rest.
///
/// Every step has a time of its own on the timeline, computed from the time of the step before it and never from when
/// that really happened, so lateness is told and never adds up. `docs/scenarios.md` describes the rules with a picture.
public struct ScenarioRun: Sendable {
    /// The step number of the end's first `clearFaults`, counted from the number of steps: behind those of every `unplug`.
    static let clearingStep = 1 << 32
    /// How long the rig may take to answer a command: 10 s. A rig that is alive answers in milliseconds.
    public static let commandLimit: UInt64 = 10_000_000_000
    /// How long the rig may take to release what the scenario plugged in: 2 s, four times what a removal may take.
    public static let teardownLimit: UInt64 = 2_000_000_000
    /// How long the steps of `teardown` may take together: 60 s, so that a run which is stopped comes to an end.
    public static let teardownStepsLimit: UInt64 = 60_000_000_000

    enum State {
        /// Nothing has begun. Exits: running (start), finished (cancel, rigFailed).
        case created
        /// Setup and test go their ways. Exits: puttingAway, tearingDown, finished.
        case running
        /// The steps of `teardown` are done, until `deadline` at most. Exits: tearingDown, finished.
        case puttingAway(deadline: UInt64)
        /// What the run plugged in was told to go; every `device.detached` is awaited, and the answers to the commands
        /// that have none yet, which may have plugged in one more. Exits: finished.
        case tearingDown(deadline: UInt64)
        /// The verdict is out; everything else is ignored. No exit.
        case finished
    }

    let steps: [ScenarioStep]
    let setupCount: Int
    let teardownStart: Int
    let seed: UInt64?
    var state = State.created
    var journal: RunJournal
    /// The scenario's own way, and behind it those of the branches of a `parallel`.
    var lanes: [RunLane]
    var devices: PluggedDevices
    /// The steps whose commands have no answer although nobody goes on from there any more.
    var unanswered: [Int] = []
    /// The faults that the run set.
    var faults: [FaultID] = []
    /// How often it told the rig to clear them.
    var clearings = 0
    /// When the steps that have a label were to begin.
    var labelTimes: [Int: UInt64] = [:]
    /// What `at` counts from: the start, or the end of the setup.
    var zero: UInt64 = 0
    private var isCancelled = false

    /// Prepares a run; `name` is what the verdict carries.
    public init(_ scenario: Scenario, name: String) {
        steps = scenario.steps
        setupCount = scenario.setupCount
        teardownStart = scenario.teardownStart
        seed = scenario.seed
        journal = RunJournal(name: name, file: scenario.file)
        journal.counts.steps = steps.count { $0.branches == nil }
        journal.counts.expectations = steps.count { $0.expectation != nil }
        devices = PluggedDevices(firstStep: steps.count)
        lanes = [RunLane(0..<scenario.teardownStart, at: 0, window: EventWindow())]
    }

    /// When `deadlineReached` must be called, or `nil` when the run waits for no time.
    public var nextDeadline: UInt64? {
        switch state {
        case .created, .finished: nil
        case .running: lanes.lazy.compactMap(\.deadline).min()
        case .puttingAway(let deadline): lanes.lazy.compactMap(\.deadline).min().map { min($0, deadline) } ?? deadline
        case .tearingDown(let deadline): deadline
        }
    }

    /// Whether the verdict is out.
    public var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Whether steps are done.
    var doesSteps: Bool {
        switch state {
        case .running, .puttingAway: true
        case .created, .tearingDown, .finished: false
        }
    }

    /// When a step whose command the rig is to do was to begin, or its turn, if that was later; `nil` when it is none.
    /// What lasts counts from then, so that it is over when the next step begins, however late the caller is.
    public func beginning(of step: Int) -> UInt64? {
        for lane in lanes {
            if case .performing(let pending, _) = lane.state, pending.step == step { return pending.beginning }
        }
        return nil
    }

    /// Begins; `now` is the timeline's zero. A second start is ignored.
    public mutating func start(now: UInt64, into actions: inout [ScenarioAction]) {
        switch state {
        case .created:
            journal.start(now: now)
            if let seed { journal.report(.note, "choices come from seed \(seed)", now: now, into: &actions) }
            zero = now
            lanes[0].base = now
            lanes[0].point = now
            lanes[0].window.open(kinds: kinds(from: 0, openedBy: nil, in: lanes[0].range))
            state = .running
            prepare(0, 0, turn: now)
            advance(now, &actions)
        case .running, .puttingAway, .tearingDown, .finished: break
        }
    }

    /// Takes a published event.
    public mutating func received(_ event: Event, now: UInt64, into actions: inout [ScenarioAction]) {
        received(event.kind, event.record, now, &actions)
    }

    /// Takes a published event as a client has it. One of an unknown kind is shown and counted, and meets nothing.
    public mutating func received(record: RecordValue, now: UInt64, into actions: inout [ScenarioAction]) {
        received(record.text(at: "kind").flatMap(EventKind.init(rawValue:)), record, now, &actions)
    }

    private mutating func received(
        _ kind: EventKind?, _ record: RecordValue, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        switch state {
        case .created, .finished: return
        case .running, .puttingAway:
            // Too late for these searches, however late the caller is with the deadline.
            for lane in lanes.indices where doesSteps && lanes.indices.contains(lane) {
                if case .searching(let search) = lanes[lane].state, now > search.deadline {
                    conclude(lane, search, now, &actions)
                }
            }
        case .tearingDown: break
        }
        if isFinished { return }
        journal.came(record, now: now, into: &actions)
        if kind == .deviceDetached, let name = record.text(at: "device"), let number = record.whole(at: "generation") {
            devices.gone(DeviceReference(name: name, generation: UInt32(clamping: number)))
        }
        let places = lanes.indices.map { lane in kind.flatMap { lanes[lane].window.add($0, record, time: now) } }
        switch state {
        case .created, .finished: break
        case .running, .puttingAway:
            for (lane, place) in places.enumerated() where doesSteps && lanes.indices.contains(lane) {
                if case .searching(let search) = lanes[lane].state, let place,
                    lanes[lane].window.matches(place, search.expectation)
                {
                    found(lane, place, search, now, &actions)
                }
                failIfOverfull(lane, now, &actions)
            }
        case .tearingDown: finishIfClean(now, &actions)
        }
    }

    /// Takes the rig's answer to the command of `step`. An answer that nobody waits for is ignored, except that a device
    /// which was plugged in too late is unplugged.
    public mutating func completed(
        step: Int, _ result: Result<CommandResult, CommandFailure>, now: UInt64, into actions: inout [ScenarioAction]
    ) {
        switch state {
        case .created, .finished: break
        case .running, .puttingAway:
            for lane in lanes.indices {
                guard case .performing(let pending, _) = lanes[lane].state, pending.step == step else { continue }
                switch result {
                case .success(let answer):
                    took(answer, of: step)
                    over(lane, pending)
                case .failure(let failure):
                    lanes[lane].state = .over
                    fail(lane, step, failure.outcome, failure.text, now, &actions)
                }
                return
            }
            guard unanswered.contains(step) else { return }
            unanswered.removeAll { $0 == step }
            if case .success(let answer) = result { took(answer, of: step) }
        case .tearingDown:
            unanswered.removeAll { $0 == step }
            switch result {
            case .success(let answer):
                took(answer, of: step)
                clearFaults(now, &actions)
                unplugAll(now, &actions)
            case .failure(let failure):
                if let device = devices.refused(step: step, failure) {
                    let text = "'\(device.reference.name)' could not be unplugged at the end: \(failure.text)"
                    tell(self.failure(0, device.step, .rigFailed, text), now, &actions)
                }
            }
            finishIfClean(now, &actions)
        }
    }

    /// The time that `nextDeadline` told has come. Too early a call does nothing.
    public mutating func deadlineReached(now: UInt64, into actions: inout [ScenarioAction]) {
        guard let deadline = nextDeadline, now >= deadline else { return }
        switch state {
        case .created, .finished: break
        case .running: reachDeadlines(now, &actions)
        case .puttingAway(let deadline):
            if now >= deadline {
                let text = "the teardown did not end within \(DurationText.text(Self.teardownStepsLimit))"
                tell(failure(0, lanes[0].step, .failed, text), now, &actions)
                tearDown(now, &actions)
            } else {
                reachDeadlines(now, &actions)
            }
        case .tearingDown: giveUp(now, &actions)
        }
    }

    private mutating func reachDeadlines(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        for lane in lanes.indices where doesSteps && lanes.indices.contains(lane) {
            guard let deadline = lanes[lane].deadline, now >= deadline else { continue }
            switch lanes[lane].state {
            case .performing(let pending, _):
                let text = "the rig did not answer within \(DurationText.text(Self.commandLimit))"
                fail(lane, pending.step, .rigFailed, text, now, &actions)
            case .searching(let search): conclude(lane, search, now, &actions)
            case .ready, .joining, .over: break
            }
        }
        advance(now, &actions)
    }

    /// Somebody wants it to stop: `teardown` is done and what was plugged in is unplugged, then the verdict is
    /// `interrupted`. A second call does not wait for that any more.
    public mutating func cancel(now: UInt64, into actions: inout [ScenarioAction]) {
        let isAgain = isCancelled
        isCancelled = true
        switch state {
        case .created:
            journal.start(now: now)
            journal.decide(.interrupted)
            finish(now, &actions)
        case .running:
            journal.decide(.interrupted)
            stop(at: now, now, &actions)
        case .puttingAway:
            journal.decide(.interrupted)
            guard isAgain else { return }
            clearFaults(now, &actions)
            unplugAll(now, &actions)
            finish(now, &actions)
        case .tearingDown:
            journal.decide(.interrupted)
            let left = devices.leftover.map(\.reference.name).joined(separator: ", ")
            if !left.isEmpty { journal.report(.note, "left plugged in: \(left)", now: now, into: &actions) }
            finish(now, &actions)
        case .finished: break
        }
    }

    /// The rig is gone, so nothing can be taken down: the verdict comes at once.
    public mutating func rigFailed(_ text: String, now: UInt64, into actions: inout [ScenarioAction]) {
        let step: Int?
        switch state {
        case .created:
            journal.start(now: now)
            step = nil
        case .running, .puttingAway: step = lanes[0].step
        case .tearingDown: step = nil
        case .finished: return
        }
        tell(failure(0, step, .rigFailed, text), now, &actions)
        finish(now, &actions)
    }
}
