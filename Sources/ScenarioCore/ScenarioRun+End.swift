import RigModel

// The end.
extension ScenarioRun {
    /// Something failed: the run goes no further, but for its teardown, which does every step.
    mutating func fail(
        _ lane: Int, _ index: Int, _ outcome: Outcome, _ text: String, expected: EventExpectation? = nil,
        _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        tell(failure(lane, index, outcome, text, expected: expected), now, &actions)
        switch state {
        case .created, .running, .tearingDown, .finished: stop(at: now, now, &actions)
        case .puttingAway:
            if case .performing(let pending, _) = lanes[lane].state { unanswered.append(pending.step) }
            lanes[lane].point = max(lanes[lane].point, now)
            lanes[lane].base = lanes[lane].point
            lanes[lane].window.open(kinds: kinds(from: index + 1, openedBy: nil, in: lanes[lane].range))
            prepare(lane, index + 1, turn: now)
        }
    }

    func failure(
        _ lane: Int, _ index: Int?, _ outcome: Outcome, _ text: String, expected: EventExpectation? = nil
    ) -> RunFailure {
        let step = index.flatMap(step)
        let window = lanes[lane].window
        return RunFailure(
            outcome: outcome, place: step?.place, step: step?.text, text: text, expected: expected?.text,
            hint: expected.flatMap { window.hint(for: $0, since: journal.startedAt) },
            came: window.last(RunFailure.maximumCame).map { journal.entry($0.record, at: $0.time) })
    }

    /// Puts a failure into the timeline and the verdict.
    mutating func tell(_ failure: RunFailure, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        let step = steps.first { $0.place == failure.place && !$0.includedFrom.isEmpty }
        journal.add(failure, line: step?.ownLine, now: now, into: &actions)
    }

    /// The steps of the test are over, done or not: those of `teardown` follow, from `time` on.
    mutating func stop(at time: UInt64, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        for lane in lanes {
            if case .performing(let pending, _) = lane.state { unanswered.append(pending.step) }
        }
        guard teardownStart < steps.count else { return tearDown(now, &actions) }
        state = .puttingAway(deadline: now.later(by: Self.teardownStepsLimit))
        let range = teardownStart..<steps.count
        var lane = RunLane(range, at: time, window: lanes[0].window)
        lane.window.open(kinds: kinds(from: teardownStart, openedBy: nil, in: range))
        lanes = [lane]
        prepare(0, teardownStart, turn: now)
    }

    mutating func tearDown(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        for lane in lanes {
            if case .performing(let pending, _) = lane.state, !unanswered.contains(pending.step) {
                unanswered.append(pending.step)
            }
        }
        lanes.removeSubrange(1...)
        lanes[0].state = .over
        state = .tearingDown(deadline: now.later(by: Self.teardownLimit))
        clearFaults(now, &actions)
        unplugAll(now, &actions)
        finishIfClean(now, &actions)
    }

    /// Clears the faults that the run set, so that the goodbyes of its devices pass. Those that are used up are no more,
    /// which is no failure, so that nobody waits for the answer.
    mutating func clearFaults(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        guard !faults.isEmpty else { return }
        actions.append(.perform(.clearFaults(.these(faults)), step: steps.count + Self.clearingStep + clearings))
        faults = []
        clearings += 1
    }

    mutating func unplugAll(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        for unplug in devices.unplugAll() {
            journal.report(.note, "end of the run: unplug \(unplug.name)", now: now, into: &actions)
            actions.append(.perform(unplug.command, step: unplug.step))
        }
    }

    mutating func finishIfClean(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        if unanswered.isEmpty, devices.leftover.isEmpty { finish(now, &actions) }
    }

    mutating func giveUp(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        let limit = DurationText.text(Self.teardownLimit)
        for device in devices.leftover {
            let text = "the rig did not release '\(device.reference.name)' within \(limit)"
            tell(failure(0, device.step, .rigFailed, text), now, &actions)
        }
        for step in unanswered {
            tell(failure(0, step, .rigFailed, "the rig still had not answered at the end of the run"), now, &actions)
        }
        finish(now, &actions)
    }

    mutating func finish(_ now: UInt64, _ actions: inout [ScenarioAction]) {
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

    /// The program that it has run.
    public var program: ProgramStep? {
        if case .program(let program) = action { program } else { nil }
    }

    /// The branches of a `parallel`.
    var branches: [Range<Int>]? {
        if case .parallel(let branches) = action { branches } else { nil }
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
