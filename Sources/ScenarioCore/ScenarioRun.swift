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
    private static let clearingStep = 1 << 32
    /// How long the rig may take to answer a command: 10 s. A rig that is alive answers in milliseconds.
    public static let commandLimit: UInt64 = 10_000_000_000
    /// How long the rig may take to release what the scenario plugged in: 2 s, four times what a removal may take.
    public static let teardownLimit: UInt64 = 2_000_000_000

    /// A step whose time is known.
    private struct Pending: Equatable {
        /// Its index; `steps.count` stands for the end.
        let step: Int
        /// When it is to begin.
        let scheduled: UInt64
        /// When it can begin: not before a `wait` in front of it is over, even if that is later.
        let possible: UInt64
        /// When its turn is: what stands before it has begun, or was met, by the same times.
        let turn: UInt64
        /// When it begins if nobody is late.
        var beginning: UInt64 { max(possible, turn) }
        /// For a repetition: which one, from 0.
        var occurrence = 0
        /// For a repetition: when the first was to begin.
        var first: UInt64
        /// For `after`: whether its event came.
        var isConditionMet = false

        init(step: Int, scheduled: UInt64, notBefore: UInt64 = 0, turn: UInt64) {
            self.step = step
            self.scheduled = scheduled
            self.possible = max(scheduled, notBefore)
            self.turn = turn
            self.first = scheduled
        }
    }

    /// A search for events.
    private struct Search {
        let pending: Pending
        let expectation: EventExpectation
        /// The last moment at which an event counts.
        let deadline: UInt64
        /// How many came.
        var found = 0
    }

    private enum State {
        /// Nothing has begun. Exits: ready (start), finished (cancel, rigFailed).
        case created
        /// The time of the next step, or of the end, is awaited. Exits: performing, searching, ready (wait), tearingDown,
        /// finished.
        case ready(Pending)
        /// The rig's answer to a step's command is awaited until `deadline`. Exits: ready, tearingDown, finished.
        case performing(Pending, deadline: UInt64)
        /// Events are awaited. Exits: ready, tearingDown, finished.
        case searching(Search)
        /// What the run plugged in was told to go; every `device.detached` is awaited, and the answer to the command of
        /// step `unanswered`, which may have plugged in one more. Exits: finished.
        case tearingDown(unanswered: Int?, deadline: UInt64)
        /// The verdict is out; everything else is ignored. No exit.
        case finished
    }

    private let steps: [ScenarioStep]
    private var state = State.created
    private var journal: RunJournal
    private var window = EventWindow()
    private var devices: PluggedDevices
    /// The faults that the run set.
    private var faults: [FaultID] = []
    /// How often it told the rig to clear them.
    private var clearings = 0
    /// When the step before is over, on the timeline: where the next one begins that says nothing.
    private var point: UInt64 = 0
    /// When the step before was to begin: what `at +` counts from.
    private var base: UInt64 = 0

    /// Prepares a run; `name` is what the verdict carries.
    public init(_ scenario: Scenario, name: String) {
        steps = scenario.steps
        journal = RunJournal(name: name, file: scenario.file)
        journal.counts.steps = steps.count
        journal.counts.expectations = steps.count { $0.expectation != nil }
        devices = PluggedDevices(firstStep: steps.count)
    }

    /// When `deadlineReached` must be called, or `nil` when the run waits for no time.
    public var nextDeadline: UInt64? {
        switch state {
        case .created, .finished: nil
        case .ready(let pending): pending.possible
        case .performing(_, let deadline): deadline
        case .searching(let search): search.deadline
        case .tearingDown(_, let deadline): deadline
        }
    }

    /// When the step whose command the rig is to do was to begin, or its turn, if that was later; `nil` when there is none.
    /// What lasts counts from then, so that it is over when the next step begins, however late the caller is.
    public var beginning: UInt64? {
        switch state {
        case .performing(let pending, _): pending.beginning
        case .created, .ready, .searching, .tearingDown, .finished: nil
        }
    }

    /// Whether the verdict is out.
    public var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Begins; `now` is the timeline's zero. A second start is ignored.
    public mutating func start(now: UInt64, into actions: inout [ScenarioAction]) {
        switch state {
        case .created:
            journal.start(now: now)
            base = now
            point = now
            window.open(kinds: kinds(from: 0))
            prepare(0, turn: now)
            advance(now, &actions)
        case .ready, .performing, .searching, .tearingDown, .finished: break
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
        case .searching(let search):
            // Too late for this search, however late the caller is with the deadline.
            if now > search.deadline { conclude(search, now, &actions) }
        case .ready, .performing, .tearingDown: break
        }
        if isFinished { return }
        journal.came(record, now: now, into: &actions)
        let index = kind.flatMap { window.add($0, record, time: now) }
        if kind == .deviceDetached, let name = record.text(at: "device"), let number = record.whole(at: "generation") {
            devices.gone(DeviceReference(name: name, generation: UInt32(clamping: number)))
        }
        switch state {
        case .created, .finished: break
        case .ready(let pending), .performing(let pending, _): failIfOverfull(pending.step, now, &actions)
        case .searching(let search):
            if let index, window.matches(index, search.expectation) { found(index, search, now, &actions) }
            failIfOverfull(search.pending.step, now, &actions)
        case .tearingDown(let unanswered, _): finishIfClean(unanswered, now, &actions)
        }
    }

    /// Takes the rig's answer to the command of `step`. An answer that nobody waits for is ignored, except that a device
    /// which was plugged in too late is unplugged.
    public mutating func completed(
        step: Int, _ result: Result<CommandResult, CommandFailure>, now: UInt64, into actions: inout [ScenarioAction]
    ) {
        switch state {
        case .created, .ready, .searching, .finished: break
        case .performing(let pending, _):
            guard pending.step == step else { return }
            switch result {
            case .success(let answer):
                took(answer, of: step)
                over(pending)
            case .failure(let failure): fail(step, failure.outcome, failure.text, now, &actions)
            }
        case .tearingDown(let unanswered, let deadline):
            let rest = unanswered == step ? nil : unanswered
            state = .tearingDown(unanswered: rest, deadline: deadline)
            switch result {
            case .success(let answer):
                took(answer, of: step)
                clearFaults(now, &actions)
                unplugAll(now, &actions)
            case .failure(let failure):
                if let device = devices.refused(step: step, failure) {
                    let text = "'\(device.reference.name)' could not be unplugged at the end: \(failure.text)"
                    journal.add(self.failure(device.step, .rigFailed, text), now: now, into: &actions)
                }
            }
            finishIfClean(rest, now, &actions)
        }
    }

    /// The time that `nextDeadline` told has come. Too early a call does nothing.
    public mutating func deadlineReached(now: UInt64, into actions: inout [ScenarioAction]) {
        guard let deadline = nextDeadline, now >= deadline else { return }
        switch state {
        case .created, .finished: break
        case .ready: advance(now, &actions)
        case .performing(let pending, _):
            let text = "the rig did not answer within \(DurationText.text(Self.commandLimit))"
            fail(pending.step, .rigFailed, text, unanswered: pending.step, now, &actions)
        case .searching(let search):
            conclude(search, now, &actions)
            advance(now, &actions)
        case .tearingDown(let unanswered, _): giveUp(unanswered, now, &actions)
        }
    }

    /// Somebody wants it to stop: what was plugged in is unplugged, then the verdict is `interrupted`. A second call does
    /// not wait for that any more.
    public mutating func cancel(now: UInt64, into actions: inout [ScenarioAction]) {
        switch state {
        case .created:
            journal.start(now: now)
            journal.decide(.interrupted)
            finish(now, &actions)
        case .ready, .searching:
            journal.decide(.interrupted)
            tearDown(unanswered: nil, now, &actions)
        case .performing(let pending, _):
            journal.decide(.interrupted)
            tearDown(unanswered: pending.step, now, &actions)
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
        case .ready(let pending), .performing(let pending, _): step = pending.step
        case .searching(let search): step = search.pending.step
        case .tearingDown: step = nil
        case .finished: return
        }
        journal.add(failure(step, .rigFailed, text), now: now, into: &actions)
        finish(now, &actions)
    }
}

// The way along the timeline.
extension ScenarioRun {
    private func step(_ index: Int) -> ScenarioStep? { steps.indices.contains(index) ? steps[index] : nil }

    /// The kinds that expectations from `index` on ask for, up to the next step that opens a window.
    private func kinds(from index: Int) -> [EventKind] {
        var kinds: [EventKind] = []
        for number in steps.indices.dropFirst(index) {
            if let kind = steps[number].expectation?.kind, !kinds.contains(kind) { kinds.append(kind) }
            if steps[number].opensWindow, number > index { break }
        }
        return kinds
    }

    /// Gives the step at `index` its time.
    private mutating func prepare(_ index: Int, notBefore: UInt64 = 0, turn: UInt64) {
        let scheduled =
            switch step(index)?.timing {
            case nil, .next, .after: point
            case .at(let time): journal.startedAt.later(by: time)
            case .later(let time): base.later(by: time)
            }
        state = .ready(Pending(step: index, scheduled: scheduled, notBefore: notBefore, turn: turn))
    }

    /// Begins every step whose time has come.
    private mutating func advance(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        while case .ready(let pending) = state, pending.possible <= now { begin(pending, now, &actions) }
    }

    private mutating func begin(_ pending: Pending, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        guard let step = step(pending.step) else { return tearDown(unanswered: nil, now, &actions) }
        if case .after(let expectation) = step.timing, !pending.isConditionMet {
            return search(expectation, pending, now, &actions)
        }
        switch step.action {
        case .expect(let expectation): search(expectation, pending, now, &actions)
        case .wait(let duration):
            journal.began(step, occurrence: 0, scheduled: pending.scheduled, now: now, into: &actions)
            point = pending.scheduled.later(by: duration)
            base = point
            journal.counts.done += 1
            prepare(pending.step + 1, notBefore: point, turn: pending.beginning)
        case .perform(let command):
            if step.opensWindow, pending.occurrence == 0 { window.open(kinds: kinds(from: pending.step)) }
            journal.began(
                step, occurrence: pending.occurrence, scheduled: pending.scheduled, now: now, into: &actions)
            state = .performing(pending, deadline: now.later(by: Self.commandLimit))
            actions.append(.perform(command, step: pending.step))
        }
    }

    /// The rig did what the step asked: on to its next repetition, or to the next step.
    private mutating func over(_ pending: Pending) {
        guard let step = step(pending.step) else { return }
        if let repetition = step.repetition, pending.occurrence + 1 < repetition.count {
            var next = Pending(
                step: pending.step, scheduled: pending.scheduled.later(by: repetition.interval),
                turn: pending.beginning)
            next.occurrence = pending.occurrence + 1
            next.first = pending.first
            next.isConditionMet = true
            state = .ready(next)
            return
        }
        base = pending.first
        point = pending.first.later(by: step.duration)
        journal.counts.done += 1
        prepare(pending.step + 1, turn: pending.beginning)
    }

    private mutating func took(_ answer: CommandResult, of index: Int) {
        guard let step = step(index), case .perform(let command) = step.action else { return }
        switch answer {
        case .plugged(let device): devices.plugged(device, isKept: step.keepsDevice, step: index)
        case .faultSet(let fault): faults.append(fault.id)
        case .injected, .display, .vehicle, .faultsCleared, .done:
            if case .unplug(let name, _, _) = command { devices.unplugged(name) }
        }
    }
}

// Expectations.
extension ScenarioRun {
    private mutating func search(
        _ expectation: EventExpectation, _ pending: Pending, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        state = .searching(
            Search(pending: pending, expectation: expectation, deadline: now.later(by: expectation.within)))
        var from = 0
        while case .searching(let search) = state, let index = window.first(expectation, from: from) {
            found(index, search, now, &actions)
            from = index + 1
        }
    }

    /// The event at `index` of the window is one that the search is about.
    private mutating func found(_ index: Int, _ search: Search, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        var search = search
        search.found += 1
        let place = search.pending.step
        window.use(index, line: step(place)?.place.line ?? 0)
        let kind = search.expectation.kind.rawValue
        switch search.expectation.amount {
        case .once:
            window.met(by: index)
            met(search, at: max(search.pending.scheduled, window.events[index].time), now, &actions)
        case .exactly(let count):
            state = .searching(search)
            if search.found > count {
                let text = "\(kind) came \(search.found) times, and exactly \(count) was expected"
                fail(place, .failed, text, expected: search.expectation, now, &actions)
            }
        case .never:
            let time = DurationText.seconds(window.events[index].time.since(journal.startedAt))
            fail(
                place, .failed, "\(kind) came at \(time) s, and never was expected", expected: search.expectation, now,
                &actions)
        }
    }

    /// The time of a search is over.
    private mutating func conclude(_ search: Search, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        let expectation = search.expectation
        let end = search.pending.scheduled.later(by: expectation.within)
        let kind = expectation.kind.rawValue
        let within = "within \(DurationText.text(expectation.within))"
        let failure: String
        switch expectation.amount {
        case .never:
            window.metByAll()
            return met(search, at: end, now, &actions)
        case .exactly(let count):
            if search.found == count {
                window.metByAll()
                return met(search, at: end, now, &actions)
            }
            failure = "\(kind) came \(search.found) times \(within), and exactly \(count) was expected"
        case .once: failure = "\(kind) did not come \(within)"
        }
        fail(search.pending.step, .failed, failure, expected: expectation, now, &actions)
    }

    private mutating func met(
        _ search: Search, at time: UInt64, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        journal.counts.met += 1
        point = time
        base = time
        let index = search.pending.step
        let turn = max(time, search.pending.beginning)
        journal.report(
            .expectation, search.expectation.text, line: step(index)?.place.line, now: now, into: &actions)
        if case .after = step(index)?.timing {
            var pending = Pending(step: index, scheduled: time, turn: turn)
            pending.isConditionMet = true
            state = .ready(pending)
        } else {
            journal.counts.done += 1
            prepare(index + 1, turn: turn)
        }
    }

    private mutating func failIfOverfull(_ index: Int, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        guard window.isOverfull else { return }
        let text = "more than \(EventWindow.maximumEvents) events of the expected kinds came; expect them sooner"
        fail(index, .failed, text, now, &actions)
    }
}

// The end.
extension ScenarioRun {
    /// Something failed: the run goes no further.
    private mutating func fail(
        _ index: Int, _ outcome: Outcome, _ text: String, expected: EventExpectation? = nil, unanswered: Int? = nil,
        _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        journal.add(failure(index, outcome, text, expected: expected), now: now, into: &actions)
        tearDown(unanswered: unanswered, now, &actions)
    }

    private func failure(
        _ index: Int?, _ outcome: Outcome, _ text: String, expected: EventExpectation? = nil
    ) -> RunFailure {
        let step = index.flatMap(step)
        return RunFailure(
            outcome: outcome, place: step?.place, step: step?.text, text: text, expected: expected?.text,
            hint: expected.flatMap { window.hint(for: $0, since: journal.startedAt) },
            came: window.last(RunFailure.maximumCame).map { journal.entry($0.record, at: $0.time) })
    }

    private mutating func tearDown(unanswered: Int?, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        state = .tearingDown(unanswered: unanswered, deadline: now.later(by: Self.teardownLimit))
        clearFaults(now, &actions)
        unplugAll(now, &actions)
        finishIfClean(unanswered, now, &actions)
    }

    /// Clears the faults that the run set, so that the goodbyes of its devices pass. Those that are used up are no more,
    /// which is no failure, so that nobody waits for the answer.
    private mutating func clearFaults(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        guard !faults.isEmpty else { return }
        actions.append(.perform(.clearFaults(.these(faults)), step: steps.count + Self.clearingStep + clearings))
        faults = []
        clearings += 1
    }

    private mutating func unplugAll(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        for unplug in devices.unplugAll() {
            journal.report(.note, "end of the run: unplug \(unplug.name)", now: now, into: &actions)
            actions.append(.perform(unplug.command, step: unplug.step))
        }
    }

    private mutating func finishIfClean(_ unanswered: Int?, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        if unanswered == nil, devices.leftover.isEmpty { finish(now, &actions) }
    }

    private mutating func giveUp(_ unanswered: Int?, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        let limit = DurationText.text(Self.teardownLimit)
        for device in devices.leftover {
            let text = "the rig did not release '\(device.reference.name)' within \(limit)"
            journal.add(failure(device.step, .rigFailed, text), now: now, into: &actions)
        }
        if let unanswered {
            let text = "the rig still had not answered at the end of the run"
            journal.add(failure(unanswered, .rigFailed, text), now: now, into: &actions)
        }
        finish(now, &actions)
    }

    private mutating func finish(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        state = .finished
        actions.append(.finished(journal.verdict(now: now)))
    }
}

extension ScenarioStep {
    /// What the step looks for, as an expectation or as the condition of `after`.
    var expectation: EventExpectation? {
        if case .after(let expectation) = timing { return expectation }
        if case .expect(let expectation) = action { return expectation }
        return nil
    }
}

extension CommandFailure {
    /// What it makes of a run. What depends on the rig's state is a failed step; a parameter that can never be right is
    /// the script's fault; what the rig lacks, holds back or has given to others is the rig's.
    var outcome: Outcome {
        switch self {
        case .unknownDevice, .staleDevice, .unknownApp: .failed
        case .invalidParameter: .scriptWrong
        case .notPermitted, .limitReached, .busy, .deviceRefused, .methodNotImplemented: .rigFailed
        }
    }
}
