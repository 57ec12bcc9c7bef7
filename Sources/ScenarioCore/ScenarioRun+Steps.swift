import RigModel

// The way along the timeline.
extension ScenarioRun {
    func step(_ index: Int) -> ScenarioStep? { steps.indices.contains(index) ? steps[index] : nil }

    /// The kinds that expectations from `index` to the end of `range` ask for, up to the next step that opens a window
    /// behind the one that did.
    func kinds(from index: Int, openedBy opener: Int?, in range: Range<Int>) -> [EventKind] {
        var kinds: [EventKind] = []
        func add(_ more: [EventKind]) { for kind in more where !kinds.contains(kind) { kinds.append(kind) } }
        for number in index..<max(index, range.upperBound) {
            if let kind = steps[number].expectation?.kind { add([kind]) }
            if let branches = steps[number].branches {
                // Each begins with what was there; behind them there is a window of its own.
                for branch in branches { add(self.kinds(from: branch.lowerBound, openedBy: nil, in: branch)) }
                break
            }
            if steps[number].opensWindow, number != opener { break }
        }
        return kinds
    }

    /// Gives the step at `index` its time.
    mutating func prepare(_ lane: Int, _ index: Int, notBefore: UInt64 = 0, turn: UInt64) {
        let point = lanes[lane].point
        if index == setupCount, setupCount > 0, lane == 0 { zero = point }
        let timing = index < lanes[lane].range.upperBound ? step(index)?.timing : nil
        let scheduled =
            switch timing {
            case nil, .next, .after: point
            case .at(let time): zero.later(by: time)
            case .later(let time): lanes[lane].base.later(by: time)
            case .from(let label, let time): (labelTimes[label] ?? point).later(by: time)
            }
        lanes[lane].state = .ready(RunLane.Pending(step: index, scheduled: scheduled, notBefore: notBefore, turn: turn))
    }

    /// Begins every step whose time has come, those of all lanes in the order of their times.
    mutating func advance(_ now: UInt64, _ actions: inout [ScenarioAction]) {
        while doesSteps, let (lane, pending) = due(now) { begin(lane, pending, now, &actions) }
    }

    private func due(_ now: UInt64) -> (lane: Int, pending: RunLane.Pending)? {
        var first: (lane: Int, pending: RunLane.Pending)?
        for lane in lanes.indices {
            guard case .ready(let pending) = lanes[lane].state, pending.possible <= now else { continue }
            if let known = first, known.pending.possible <= pending.possible { continue }
            first = (lane, pending)
        }
        return first
    }

    private mutating func begin(
        _ lane: Int, _ pending: RunLane.Pending, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        guard pending.step < lanes[lane].range.upperBound, let step = step(pending.step) else {
            lanes[lane].end = pending.beginning
            return ended(lane, now, &actions)
        }
        if pending.step == setupCount, setupCount > 0, pending.occurrence == 0, !pending.isConditionMet {
            journal.report(.note, "the setup is over; times of 'at' count from here", now: now, into: &actions)
        }
        if case .after(let expectation) = step.timing, !pending.isConditionMet {
            return search(lane, expectation, pending, now, &actions)
        }
        if step.label != nil, pending.occurrence == 0 { labelTimes[pending.step] = pending.scheduled }
        switch step.action {
        case .expect(let expectation): search(lane, expectation, pending, now, &actions)
        case .wait(let duration):
            journal.began(step, occurrence: 0, scheduled: pending.scheduled, now: now, into: &actions)
            lanes[lane].point = pending.scheduled.later(by: duration)
            lanes[lane].base = lanes[lane].point
            journal.counts.done += 1
            prepare(lane, pending.step + 1, notBefore: lanes[lane].point, turn: pending.beginning)
        case .program:
            openWindow(lane, pending)
            journal.began(step, occurrence: 0, scheduled: pending.scheduled, now: now, into: &actions)
            lanes[lane].base = pending.scheduled
            lanes[lane].point = pending.scheduled
            journal.counts.done += 1
            prepare(lane, pending.step + 1, turn: pending.beginning)
        case .parallel(let branches):
            journal.began(step, occurrence: 0, scheduled: pending.scheduled, now: now, into: &actions)
            fork(lane, pending, branches)
        case .perform(let command):
            openWindow(lane, pending)
            journal.began(
                step, occurrence: pending.occurrence, scheduled: pending.scheduled, now: now, into: &actions)
            lanes[lane].state = .performing(pending, deadline: now.later(by: Self.commandLimit))
            actions.append(.perform(command, step: pending.step))
        }
    }

    private mutating func openWindow(_ lane: Int, _ pending: RunLane.Pending) {
        guard step(pending.step)?.opensWindow == true, pending.occurrence == 0 else { return }
        lanes[lane].window.open(kinds: kinds(from: pending.step, openedBy: pending.step, in: lanes[lane].range))
    }

    /// The branches set out, each with what is known of events; the lane itself waits for them.
    private mutating func fork(_ lane: Int, _ pending: RunLane.Pending, _ branches: [Range<Int>]) {
        let window = lanes[lane].window
        let behind = branches.last?.upperBound ?? pending.step + 1
        lanes[lane].window.open(kinds: kinds(from: behind, openedBy: nil, in: lanes[lane].range))
        lanes[lane].state = .joining(pending)
        for range in branches {
            lanes.append(RunLane(range, at: pending.scheduled, window: window))
            prepare(lanes.count - 1, range.lowerBound, turn: pending.beginning)
        }
    }

    /// A lane is at its end.
    private mutating func ended(_ lane: Int, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        lanes[lane].state = .over
        guard lane > 0 else {
            switch state {
            case .running: return stop(at: lanes[0].point, now, &actions)
            case .created, .puttingAway, .tearingDown, .finished: return tearDown(now, &actions)
            }
        }
        let branches = lanes.dropFirst()
        guard branches.allSatisfy({ if case .over = $0.state { true } else { false } }) else { return }
        let behind = branches.map(\.range.upperBound).max() ?? 0
        for branch in branches {
            lanes[0].window.use(whatMetIn: branch.window)
            lanes[0].point = max(lanes[0].point, branch.point)
        }
        lanes[0].base = lanes[0].point
        let turn = branches.map(\.end).max() ?? lanes[0].point
        lanes.removeSubrange(1...)
        prepare(0, behind, turn: max(turn, lanes[0].point))
    }

    /// The rig did what the step asked: on to its next repetition, or to the next step.
    mutating func over(_ lane: Int, _ pending: RunLane.Pending) {
        guard let step = step(pending.step) else { return }
        if let repetition = step.repetition, pending.occurrence + 1 < repetition.count {
            var next = RunLane.Pending(
                step: pending.step, scheduled: pending.scheduled.later(by: repetition.interval),
                notBefore: pending.beginning.later(by: repetition.once),
                turn: pending.beginning)
            next.occurrence = pending.occurrence + 1
            next.first = pending.first
            next.isConditionMet = true
            lanes[lane].state = .ready(next)
            return
        }
        lanes[lane].base = pending.first
        lanes[lane].point = pending.first.later(by: step.duration)
        journal.counts.done += 1
        prepare(lane, pending.step + 1, notBefore: endOfGesture(step, pending, lane), turn: pending.beginning)
    }

    /// When what a step does has come to its end, for a step that begins where it ends: what the file's own times made late
    /// ends late, and two presses that follow one another do not become one.
    private func endOfGesture(_ step: ScenarioStep, _ pending: RunLane.Pending, _ lane: Int) -> UInt64 {
        guard pending.step + 1 < lanes[lane].range.upperBound, case .next? = self.step(pending.step + 1)?.timing else {
            return 0
        }
        return pending.beginning.later(by: step.durationOnce)
    }

    mutating func took(_ answer: CommandResult, of index: Int) {
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
        _ lane: Int, _ expectation: EventExpectation, _ pending: RunLane.Pending, _ now: UInt64,
        _ actions: inout [ScenarioAction]
    ) {
        lanes[lane].state = .searching(
            RunLane.Search(pending: pending, expectation: expectation, deadline: now.later(by: expectation.within)))
        var from = 0
        while doesSteps, lanes.indices.contains(lane), case .searching(let search) = lanes[lane].state,
            search.pending == pending, let place = lanes[lane].window.first(expectation, from: from)
        {
            found(lane, place, search, now, &actions)
            from = place + 1
        }
    }

    /// The event at `place` of the window is one that the search is about.
    mutating func found(
        _ lane: Int, _ place: Int, _ search: RunLane.Search, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        var search = search
        search.found += 1
        let index = search.pending.step
        lanes[lane].window.use(place, line: step(index)?.ownLine ?? 0)
        let kind = search.expectation.kind.rawValue
        let time = lanes[lane].window.events[place].time
        switch search.expectation.amount {
        case .once:
            if let demand = search.expectation.demand, !demand.holds(for: lanes[lane].window.events[place].record) {
                let text = lanes[lane].window.events[place].record.text(at: demand.path) ?? "nothing"
                return fail(
                    lane, index, .failed, "it was '\(text)'", expected: search.expectation, now, &actions)
            }
            lanes[lane].window.met(by: place)
            met(lane, search, at: max(search.pending.scheduled, time), now, &actions)
        case .exactly(let count):
            lanes[lane].state = .searching(search)
            if search.found > count {
                let text = "\(kind) came \(search.found) times, and exactly \(count) was expected"
                fail(lane, index, .failed, text, expected: search.expectation, now, &actions)
            }
        case .never:
            let text =
                "\(kind) came at \(DurationText.seconds(time.since(journal.startedAt))) s, and never was expected"
            fail(lane, index, .failed, text, expected: search.expectation, now, &actions)
        }
    }

    /// The time of a search is over.
    mutating func conclude(
        _ lane: Int, _ search: RunLane.Search, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        let expectation = search.expectation
        let end = search.pending.scheduled.later(by: expectation.within)
        let kind = expectation.kind.rawValue
        let within = "within \(DurationText.text(expectation.within))"
        let failure: String
        switch expectation.amount {
        case .never:
            lanes[lane].window.metByAll()
            return met(lane, search, at: end, now, &actions)
        case .exactly(let count):
            if search.found == count {
                lanes[lane].window.metByAll()
                return met(lane, search, at: end, now, &actions)
            }
            failure = "\(kind) came \(search.found) times \(within), and exactly \(count) was expected"
        case .once: failure = "\(kind) did not come \(within)"
        }
        fail(lane, search.pending.step, .failed, failure, expected: expectation, now, &actions)
    }

    private mutating func met(
        _ lane: Int, _ search: RunLane.Search, at time: UInt64, _ now: UInt64, _ actions: inout [ScenarioAction]
    ) {
        journal.counts.met += 1
        lanes[lane].point = time
        lanes[lane].base = time
        let index = search.pending.step
        let turn = max(time, search.pending.beginning)
        journal.report(.expectation, search.expectation.text, line: step(index)?.ownLine, now: now, into: &actions)
        if case .after = step(index)?.timing, !search.pending.isConditionMet {
            var pending = RunLane.Pending(step: index, scheduled: time, turn: turn)
            pending.isConditionMet = true
            lanes[lane].state = .ready(pending)
        } else {
            journal.counts.done += 1
            prepare(lane, index + 1, turn: turn)
        }
    }

    mutating func failIfOverfull(_ lane: Int, _ now: UInt64, _ actions: inout [ScenarioAction]) {
        guard doesSteps, lanes.indices.contains(lane), lanes[lane].window.isOverfull, let index = lanes[lane].step
        else {
            return
        }
        let text = "more than \(EventWindow.maximumEvents) events of the expected kinds came; expect them sooner"
        fail(lane, index, .failed, text, now, &actions)
    }
}
