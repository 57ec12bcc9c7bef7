import RigModel

extension RigCore {
    /// Where an injection goes, without doing anything yet.
    func target(
        device: String?, generation: UInt32?, display name: String?, tag: String?
    ) throws(CommandFailure) -> (session: SessionID?, display: Display?) {
        if let tag, tag.utf8.count > Injection.maximumTag {
            throw .invalidParameter("tag", text: "a tag has at most \(Injection.maximumTag) bytes")
        }
        if device == nil, generation != nil {
            throw .invalidParameter("generation", text: "a generation is one of a device: name the device too")
        }
        var session = front.session
        if let device {
            let entry = try attached(device, generation: generation)
            guard let own = entry.device.session, sessions[own]?.session.phase == .active else {
                throw .invalidParameter("device", text: "'\(device)' has no active session to inject into")
            }
            session = own
        }
        guard let name else { return (session, session.flatMap { sessions[$0]?.displays.first }) }
        let found = try self.display(named: name, in: session)
        if device != nil, let own = session, own != found.session {
            let (owner, meant) = (sessions[found.session]?.session.device.name, sessions[own]?.session.device.name)
            throw .invalidParameter(
                "display", text: "'\(name)' is a display of '\(owner ?? "")', not of '\(meant ?? "")'")
        }
        return (found.session, found)
    }

    /// Checks the places of a touch against the display that it is on.
    static func check(_ input: InjectedInput, on display: Display?) throws(CommandFailure) {
        guard input.isTouch else { return }
        guard let display else {
            throw .invalidParameter("display", text: "no session with a display is in front, so there is none to touch")
        }
        let size = display.description.pixels
        func check(_ point: PixelPoint, _ field: String) throws(CommandFailure) {
            guard !PixelRect(size).contains(x: point.x, y: point.y) else { return }
            throw .invalidParameter(
                field, text: "\(point.x),\(point.y) is outside \(display.name)'s \(size.width)x\(size.height) pixels")
        }
        switch input {
        case .gesture(.touch(let paths, _)):
            for (index, path) in paths.enumerated() {
                for (place, point) in path.points.enumerated() {
                    try check(point, "touch.contacts.\(index).points.\(place)")
                }
            }
        case .single(.touch(let changes)):
            for (index, change) in changes.enumerated() {
                if let point = change.change.point { try check(point, "touch.frame.\(index)") }
            }
        case .gesture, .single: break
        }
    }

    /// Begins a gesture, or takes a part of one.
    ///
    /// - Parameters:
    ///   - caller: who holds what a single input puts down.
    ///   - beginning: when it was to begin, from which its times count; `nil` is now.
    ///   - isAwaited: whether somebody waits for more than that it is accepted. Only then the link's steps are told: three
    ///     events for each that nobody asked about would crowd every stream.
    /// - Returns: what to tell the caller, and the gesture, whose first event is due at once: `gestureDeadlineReached`
    ///   sends it, so that the answer can go out before.
    mutating func accept(
        _ injection: Injection, by caller: InputHolder, at beginning: UInt64? = nil, isAwaited: Bool
    ) throws(CommandFailure) -> (receipt: InjectionReceipt, gesture: UInt64) {
        try injection.input.validate()
        var (session, display) = try target(
            device: injection.device, generation: injection.generation, display: injection.display, tag: injection.tag)
        if case .single(let single) = injection.input, injection.display == nil,
            let held = try holds.place(of: single, by: caller, in: injection.device.flatMap { _ in session })
        {
            session = held.session
            let entry = session.flatMap { sessions[$0] }
            display = entry?.displays.first { $0.description.name == held.display }
        }
        try Self.check(injection.input, on: display)
        let place = InputPlace(session: session, display: display?.description.name)
        let reach = reach(of: [injection.input.likeGesture], at: place)
        var gesture = ActiveGesture(
            plan: GesturePlan(.press(hold: 0), longPress: 0), startedAt: min(beginning ?? now, now),
            firstInput: lastInput + 1, session: session, display: place.display, tag: injection.tag,
            owner: lastInput + 1,
            isTracked: isAwaited && reach.isTracked)
        switch injection.input {
        case .gesture(let wished):
            let caller = gestureCaller(caller)
            try checkGestures(1, of: caller)
            gesture.caller = caller
            gesture.plan = GesturePlan(wished, longPress: settings.longPress)
        case .single(let single):
            let room = InjectedHolds.Room(
                fingers: fingers(on: single, at: place), controls: settings.maximumHeldInputs - heldInputs,
                limit: settings.maximumHeldInputs)
            try take(single, by: caller, room, into: &gesture)
        }
        let receipt = InjectionReceipt(
            first: InputID(gesture.firstInput), count: gesture.plan.count, session: session, reaches: reach.step)
        lastInput += UInt64(gesture.plan.count)
        lastGesture += 1
        gestures[lastGesture] = gesture
        return (receipt, lastGesture)
    }

    /// Makes a single input into a gesture of one event.
    mutating func take(
        _ single: SingleInput, by holder: InputHolder, _ room: InjectedHolds.Room, into gesture: inout ActiveGesture
    ) throws(CommandFailure) {
        let taken = try holds.take(
            single, by: holder, at: gesture.place, tag: gesture.tag, room: room, longPress: settings.longPress,
            now: now)
        gesture.plan = GesturePlan(taken.event, longPress: settings.longPress)
        gesture.owner = holder.owner
        gesture.isThrough = taken.isThrough
        if !taken.begun.isEmpty { gesture.begun = (holder, taken.begun) }
    }

    /// The gestures that count towards their limit: those of calls, and for each sequence as many as it ever has at once.
    var heldGestures: Int { heldGestures { _ in true } }

    /// Those of some callers.
    func heldGestures(of isMeant: (GestureCaller?) -> Bool) -> Int {
        var count = 0
        for sequence in sequences.values where isMeant(gestureCaller(.client(sequence.client))) {
            count += sequence.overlap
        }
        for gesture in gestures.values where gesture.sequence == nil && isMeant(gesture.caller) { count += 1 }
        return count
    }

    /// The client behind a call or the step of a scenario; `nil` when it is gone.
    func gestureCaller(_ holder: InputHolder) -> GestureCaller? {
        let client: ClientID? =
            switch holder {
            case .client(let client): client
            case .run(let run): runs[run]?.client
            case .sequence(let sequence): sequences[sequence]?.client
            }
        return client.flatMap { client in
            clients[client].map { GestureCaller(client: client, user: $0.credentials.uid) }
        }
    }

    /// Whether a caller may have so many gestures more: of its own, of those of its user's clients, and of all.
    func checkGestures(_ count: Int, of caller: GestureCaller?) throws(CommandFailure) {
        if let caller {
            guard heldGestures(of: { $0?.client == caller.client }) + count <= settings.maximumGesturesPerClient else {
                throw .limitReached("gesturesPerClient", settings.maximumGesturesPerClient)
            }
            guard heldGestures(of: { $0?.user == caller.user }) + count <= settings.maximumGesturesPerUser else {
                throw .limitReached("gesturesPerUser", settings.maximumGesturesPerUser)
            }
        }
        guard heldGestures + count <= settings.maximumGestures else {
            throw .limitReached("gestures", settings.maximumGestures)
        }
    }

    /// What counts towards the limit of what is held: what callers hold by their calls and steps, and for each sequence as
    /// much as it ever holds at once.
    var heldInputs: Int { sequences.values.reduce(holds.countBesideSequences) { $0 + $1.holding } }

    /// The last step that all of some inputs can reach, and whether it is the link that tells.
    func reach(of inputs: [Gesture], at place: InputPlace) -> (step: InputStep, isTracked: Bool) {
        // An app is nearer than the link: where there is one, its word counts.
        if let session = place.session, apps.values.contains(where: { $0.app.session == session }) {
            return (.read, false)
        }
        let step = inputs.map { linkReach(of: $0, at: place) }.min() ?? .accepted
        return (step, step > .accepted)
    }

    private func linkReach(of gesture: Gesture, at place: InputPlace) -> InputStep {
        guard let entry = place.session.flatMap({ sessions[$0] }), entry.session.phase == .active,
            let index = entry.place(ofDisplay: place.display)
        else { return .accepted }
        return links[entry.session.link]?.reach(of: gesture, display: index) ?? .accepted
    }

    /// How many fingers the surface of a single input takes: as many as the link's device, where all that is published
    /// comes over the link.
    func fingers(on single: SingleInput, at place: InputPlace) -> Int {
        guard case .touch = single, linkReach(of: single.likeGesture, at: place) > .accepted,
            place.session.flatMap({ sessions[$0]?.session.link }).flatMap({ links[$0]?.inputWay }) == .through
        else { return Gesture.maximumContacts }
        let paths = (0..<Gesture.maximumContacts).map { ContactPath(id: $0, points: [PixelPoint(x: 0, y: 0)]) }
        // The most that it carries, from above.
        return (1...paths.count).reversed().first {
            linkReach(of: .touch(Array(paths.prefix($0)), duration: 0), at: place) > .accepted
        } ?? 1
    }

    /// One of the events of what somebody waits for was sent, and is counted.
    mutating func inputSent(of gesture: ActiveGesture, into actions: inout ActionBuffer) {
        let isOver = gesture.next + 1 >= gesture.plan.count
        if let wait = gesture.wait, waits[wait]?.isDone == true { answer(wait, into: &actions) }
        if isOver, let sequence = gesture.sequence { sequenceStepEnded(sequence) }
    }

    /// Lets go of what meets a condition, and tells it as what was held went.
    mutating func letGo(into actions: inout ActionBuffer, _ isMeant: (InjectedHolds.Hold) -> Bool) {
        while let release = holds.releaseNext(longPress: settings.longPress, now: now, isMeant) {
            lastInput += 1
            route(
                release.event,
                InputStamp(
                    id: InputID(lastInput), source: Self.injectedSource, tag: release.hold.tag, origin: .simulated,
                    display: release.hold.place.display, owner: release.hold.holder.owner, isCancellation: true,
                    isTracked: false), session: release.hold.place.session, isThrough: release.hold.isThrough,
                time: now, into: &actions)
        }
    }
}

extension InputWait {
    /// Whether its client is to be answered. What cannot come as far as was asked is done when it is sent.
    var isDone: Bool { receipt.reaches >= step ? arrived == steps.count : sent >= steps.count }
}

extension InjectedInput {
    /// Whether it is made of places on a display.
    var isTouch: Bool {
        switch self {
        case .gesture(.touch), .single(.touch): true
        case .gesture, .single: false
        }
    }

    /// What it asks of a device.
    var likeGesture: Gesture {
        switch self {
        case .gesture(let gesture): gesture
        case .single(let single): single.likeGesture
        }
    }

    /// Checks its own numbers.
    func validate() throws(CommandFailure) {
        switch self {
        case .gesture(let gesture): try gesture.validate()
        case .single(let single): try single.validate()
        }
    }
}
