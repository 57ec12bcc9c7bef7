import RigModel

/// A sequence that is under way.
struct ActiveSequence: Sendable {
    struct Step: Sendable {
        /// From the beginning of the sequence, in nanoseconds.
        var offset: UInt64
        var input: InjectedInput
        /// The number of its first event.
        var firstInput: UInt64
    }

    let client: ClientID
    let steps: [Step]
    let startedAt: UInt64
    let place: InputPlace
    let tag: String?
    let isTracked: Bool
    /// The most of its gestures that are under way at once.
    let overlap: Int
    /// The most that its single inputs hold at once.
    let holding: Int
    let hasTouches: Bool
    /// The client that waits for it.
    var wait: UInt64?
    /// The index of the step that is due next.
    var next = 0
    /// How many of the steps that were begun are under way.
    var underWay = 0
}

extension RigCore {
    /// Takes a sequence whole, or says which step cannot be, and then nothing of it happens.
    ///
    /// - Parameter isAwaited: whether somebody waits for more than that it is accepted.
    /// - Returns: what to tell the caller, the sequence, whose first step is begun by its deadline, and when its last
    ///   event is due, from now.
    mutating func accept(
        _ sequence: InjectionSequence, by client: ClientID, isAwaited: Bool
    ) throws(CommandFailure) -> (receipt: InjectionReceipt, sequence: UInt64, length: UInt64) {
        let (session, display) = try target(
            device: sequence.device, generation: sequence.generation, display: sequence.display, tag: sequence.tag)
        guard !sequence.steps.isEmpty, sequence.steps.count <= InjectionSequence.maximumSteps else {
            throw .invalidParameter(
                "steps",
                text: "a sequence has 1 to \(InjectionSequence.maximumSteps) steps, not \(sequence.steps.count)")
        }
        let hasTouches = sequence.steps.contains { $0.input.isTouch }
        if hasTouches, display == nil {
            throw .invalidParameter("display", text: "no session with a display is in front, so there is none to touch")
        }
        let place = InputPlace(session: session, display: display?.description.name)
        var draft = SequenceDraft(
            fingers: hasTouches ? fingers(on: .touch([]), at: place) : 0, longPress: settings.longPress)
        for (index, step) in sequence.steps.enumerated() {
            do throws(CommandFailure) {
                try draft.take(step, on: display, firstInput: lastInput + 1)
            } catch {
                throw error.within("steps.\(index)")
            }
        }
        try draft.checkEnd()
        try checkSequences(of: client)
        try checkGestures(draft.overlap, of: gestureCaller(.client(client)))
        guard heldInputs + draft.holding <= settings.maximumHeldInputs else {
            throw .limitReached("heldInputs", settings.maximumHeldInputs)
        }
        let reach = reach(of: sequence.steps.map(\.input.likeGesture), at: place)
        let receipt = InjectionReceipt(
            first: InputID(lastInput + 1), count: draft.count, steps: draft.counts, session: session,
            reaches: reach.step)
        lastInput += UInt64(draft.count)
        lastSequence += 1
        sequences[lastSequence] = ActiveSequence(
            client: client, steps: draft.steps, startedAt: now, place: place, tag: sequence.tag,
            isTracked: isAwaited && reach.isTracked, overlap: draft.overlap, holding: draft.holding,
            hasTouches: hasTouches)
        deadlines.set(.sequence(lastSequence), at: now &+ draft.steps[0].offset)
        return (receipt, lastSequence, draft.length)
    }

    /// Whether a client may have one sequence more: of its own, of those of its user's clients, and of all.
    private func checkSequences(of client: ClientID) throws(CommandFailure) {
        let own = sequences.values.count { $0.client == client }
        guard own < settings.maximumSequencesPerClient else {
            throw .limitReached("sequencesPerClient", settings.maximumSequencesPerClient)
        }
        let uid = clients[client]?.credentials.uid
        let users = sequences.values.count { clients[$0.client]?.credentials.uid == uid }
        guard users < settings.maximumSequencesPerUser else {
            throw .limitReached("sequencesPerUser", settings.maximumSequencesPerUser)
        }
        guard sequences.count < settings.maximumSequences else {
            throw .limitReached("sequences", settings.maximumSequences)
        }
    }

    /// Begins the step that is due and sets the deadline of the next, which may have passed already.
    mutating func sequenceDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let sequence = sequences[id], sequence.steps.indices.contains(sequence.next) else { return }
        let step = sequence.steps[sequence.next]
        sequences.update(id) {
            $0.next += 1
            $0.underWay += 1
        }
        if sequence.next + 1 < sequence.steps.count {
            deadlines.set(.sequence(id), at: sequence.startedAt &+ sequence.steps[sequence.next + 1].offset)
        }
        var gesture = ActiveGesture(
            plan: GesturePlan(step.input.likeGesture, longPress: settings.longPress),
            // What is late is late by the sequence's own times, and what follows is not put off by it.
            startedAt: sequence.startedAt &+ step.offset, firstInput: step.firstInput, session: sequence.place.session,
            display: sequence.place.display, tag: sequence.tag, owner: step.firstInput, isTracked: sequence.isTracked,
            sequence: id, wait: sequence.wait)
        if case .single(let single) = step.input {
            do throws(CommandFailure) {
                try take(single, by: .sequence(id), InjectedHolds.Room.ofOne, into: &gesture)
            } catch {
                // The steps were tried when the sequence was taken, and its room was kept for it, so this does not happen.
                // Were it to, what follows would be done to something that never went down.
                return cancelSequence(id, into: &actions)
            }
        }
        lastGesture += 1
        gestures[lastGesture] = gesture
        gestureDeadlineReached(lastGesture, into: &actions)
    }

    /// One of its steps has sent its last event.
    mutating func sequenceStepEnded(_ id: UInt64) {
        let isOver = sequences.update(id) { sequence -> Bool in
            sequence.underWay -= 1
            return sequence.underWay == 0 && sequence.next == sequence.steps.count
        }
        if isOver == true { sequences[id] = nil }
    }

    /// Ends a sequence: its steps that are not begun are not done, what is under way or held is taken back, and who waits
    /// for it is answered.
    mutating func cancelSequence(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let sequence = sequences[id] else { return }
        sequences[id] = nil
        deadlines.set(.sequence(id), at: nil)
        for gesture in gestures.ids where gestures[gesture]?.sequence == id {
            cancelGesture(gesture, into: &actions)
        }
        letGo(into: &actions) { $0.holder == .sequence(id) }
        if let wait = sequence.wait { answer(wait, into: &actions) }
    }

    /// Ends the sequences of a client that is gone.
    mutating func cancelSequences(of client: ClientID, into actions: inout ActionBuffer) {
        for id in sequences.ids where sequences[id]?.client == client { cancelSequence(id, into: &actions) }
    }
}

/// A sequence while it is looked at, step by step.
private struct SequenceDraft {
    /// How many fingers the display takes.
    let fingers: Int
    let longPress: UInt64
    private(set) var steps: [ActiveSequence.Step] = []
    /// How many events each step makes.
    private(set) var counts: [Int] = []
    private(set) var count = 0
    /// When the last event is due.
    private(set) var length: UInt64 = 0
    private(set) var overlap = 0
    /// The most that single inputs hold at once.
    private(set) var holding = 0
    /// When the gestures end that may still be under way.
    private var ends: [UInt64] = []
    private var holds = InjectedHolds()

    init(fingers: Int, longPress: UInt64) {
        self.fingers = fingers
        self.longPress = longPress
    }

    mutating func take(
        _ step: InjectionSequence.Step, on display: Display?, firstInput: UInt64
    ) throws(CommandFailure) {
        let last = steps.last?.offset ?? 0
        guard step.offset >= last else {
            let (time, before) = (Self.milliseconds(step.offset), Self.milliseconds(last))
            throw .invalidParameter("at", text: "\(time) ms is before the \(before) ms of the step before")
        }
        guard step.offset <= InjectionSequence.maximumOffset else {
            throw .invalidParameter("at", text: "\(Self.milliseconds(step.offset)) ms is more than 10 min")
        }
        try step.input.validate()
        try RigCore.check(step.input, on: display)
        var events = 1
        var end = step.offset
        switch step.input {
        case .gesture(let gesture):
            let plan = GesturePlan(gesture, longPress: longPress)
            events = plan.count
            end += plan.length
            ends.removeAll { $0 < step.offset }
            ends.append(end)
            overlap = max(overlap, ends.count)
        case .single(let single):
            var room = InjectedHolds.Room.ofOne
            if step.input.isTouch { room.fingers = fingers }
            // The place among the steps stands for the time: it names what is never let go.
            _ = try holds.take(
                single, by: .sequence(0), at: InputPlace(), tag: nil, room: room, longPress: longPress,
                now: UInt64(steps.count))
            holding = max(holding, holds.holds.count)
        }
        guard count + events <= InjectionSequence.maximumEvents else {
            throw .invalidParameter(
                "at", text: "with this step there are more than \(InjectionSequence.maximumEvents) events")
        }
        steps.append(
            ActiveSequence.Step(offset: step.offset, input: step.input, firstInput: firstInput + UInt64(count)))
        counts.append(events)
        count += events
        length = max(length, end)
    }

    /// What a sequence puts down it lets go.
    func checkEnd() throws(CommandFailure) {
        guard let hold = holds.holds.first else { return }
        let (field, what) = hold.control.naming
        throw .invalidParameter(
            "steps.\(hold.since).\(field)", text: "\(what) goes down here, and no later step lets it go")
    }

    private static func milliseconds(_ time: UInt64) -> UInt64 { time / 1_000_000 }
}
