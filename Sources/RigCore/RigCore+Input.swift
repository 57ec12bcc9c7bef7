import RigModel

/// A gesture that is under way.
struct ActiveGesture: Sendable {
    let plan: GesturePlan
    let startedAt: UInt64
    let firstInput: UInt64
    let session: SessionID?
    /// The display it goes to, by its description's name.
    let display: String?
    let tag: String?
    /// The index of the event that is due next.
    var next = 0
}

/// A client that is answered when all of a gesture's events have come as far as it asked.
struct InputWait: Sendable {
    let client: ClientID
    let receipt: InjectionReceipt
    let step: InputStep
    /// How far each of the gesture's events has come.
    var steps: [InputStep]
    /// How many of them have come as far as asked.
    var arrived = 0
}

extension RigCore {
    /// The name of the input device of injected events.
    static let injectedSource = "injected"

    /// Takes what a real input device did: it goes to the front session, on the same way as injected input.
    mutating func inputArrived(key: String, _ input: InputEvent, time: UInt64, into actions: inout ActionBuffer) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        lastInput += 1
        route(
            input, id: InputID(lastInput), source: device.name, tag: nil, origin: .observed, session: front.session,
            display: nil, time: min(time, now), into: &actions)
    }

    mutating func inputLost(key: String, into actions: inout ActionBuffer) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        publish(
            Event(
                time: now, kind: .inputLost, origin: .observed, device: device.reference,
                reason: Reason("overflow", .device, "the kernel's queue of this input device ran over; motion is lost")
            ), into: &actions)
    }

    /// The one way of all input: names its target, checks it against the display and publishes it.
    private mutating func route(
        _ input: InputEvent, id: InputID, source: String, tag: String?, origin: Origin, session: SessionID?,
        display name: String?, time: UInt64, into actions: inout ActionBuffer
    ) {
        let entry = session.flatMap { sessions[$0] }
        let display = entry.flatMap { entry in
            name.map { name in entry.displays.first { $0.description.name == name } } ?? entry.displays.first
        }
        var input = input
        let kind: EventKind
        switch input {
        case .knob: kind = .inputKnob
        case .touch(var touch):
            kind = .inputTouch
            if let safe = display?.description.viewArea.safeArea {
                touch.outsideSafeArea = touch.contacts.contains { !safe.contains(x: $0.point.x, y: $0.point.y) }
                input = .touch(touch)
            }
        case .touchpad: kind = .inputTouchpad
        case .key: kind = .inputKey
        }
        publish(
            Event(
                time: time, kind: kind, origin: origin, device: entry?.session.device, session: entry?.session.id,
                display: display?.name,
                input: InputReference(id: id, source: source, revision: display?.revision, tag: tag),
                payload: .input(input)), into: &actions)
    }

    /// Checks an injection and finds its target, without doing anything yet.
    private func target(
        of injection: Injection
    ) throws(CommandFailure) -> (session: SessionID?, display: Display?) {
        try injection.gesture.validate()
        if let tag = injection.tag, tag.utf8.count > Injection.maximumTag {
            throw .invalidParameter("tag", text: "a tag has at most \(Injection.maximumTag) bytes")
        }
        var session = front.session
        if let name = injection.device {
            let entry = try attached(name, generation: injection.generation)
            guard let own = entry.device.session, sessions[own]?.session.phase == .active else {
                throw .invalidParameter("device", text: "'\(name)' has no active session to inject into")
            }
            session = own
        }
        var display: Display?
        if let name = injection.display {
            let found = try self.display(named: name, in: session)
            if injection.device != nil, let own = session, own != found.session {
                let (owner, meant) = (sessions[found.session]?.session.device.name, sessions[own]?.session.device.name)
                throw .invalidParameter(
                    "display", text: "'\(name)' is a display of '\(owner ?? "")', not of '\(meant ?? "")'")
            }
            display = found
            session = found.session
        } else {
            display = session.flatMap { sessions[$0]?.displays.first }
        }
        guard case .touch(let paths, _) = injection.gesture else { return (session, display) }
        guard let display else {
            throw .invalidParameter("display", text: "no session with a display is in front, so there is none to touch")
        }
        let size = display.description.pixels
        for (index, path) in paths.enumerated() {
            for (place, point) in path.points.enumerated()
            where !PixelRect(size).contains(x: point.x, y: point.y) {
                throw .invalidParameter(
                    "touch.contacts.\(index).points.\(place)",
                    text: "\(point.x),\(point.y) is outside \(display.name)'s \(size.width)x\(size.height) pixels")
            }
        }
        return (session, display)
    }

    /// Begins a gesture.
    ///
    /// - Returns: what to tell the caller, and the gesture, whose first event is due at once: `beginGesture` sends it, so
    ///   that the answer can go out before.
    mutating func accept(
        _ injection: Injection
    ) throws(CommandFailure) -> (receipt: InjectionReceipt, gesture: UInt64) {
        let (session, display) = try target(of: injection)
        guard gestures.count < settings.maximumGestures else {
            throw .limitReached("gestures", settings.maximumGestures)
        }
        let plan = GesturePlan(injection.gesture, longPress: settings.longPress)
        lastGesture += 1
        let first = lastInput + 1
        lastInput += UInt64(plan.count)
        gestures[lastGesture] = ActiveGesture(
            plan: plan, startedAt: now, firstInput: first, session: session, display: display?.description.name,
            tag: injection.tag)
        let hasApp = session.map { id in apps.values.contains { $0.app.session == id } } ?? false
        let receipt = InjectionReceipt(
            first: InputID(first), count: plan.count, session: session, reaches: hasApp ? .read : .accepted)
        return (receipt, lastGesture)
    }

    /// Sends one event of a gesture that is due and sets the deadline of the next, which may have passed already: what
    /// is late is then sent in the order of its times, gesture by gesture, and not all of one before all of another.
    mutating func gestureDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let gesture = gestures[id] else { return }
        if gesture.next + 1 < gesture.plan.count {
            gestures.update(id) { $0.next += 1 }
            deadlines.set(.gesture(id), at: gesture.startedAt &+ gesture.plan.offset(gesture.next + 1))
        } else {
            gestures[id] = nil
        }
        route(
            gesture.plan.event(gesture.next), id: InputID(gesture.firstInput + UInt64(gesture.next)),
            source: Self.injectedSource, tag: gesture.tag, origin: .simulated, session: gesture.session,
            display: gesture.display, time: now, into: &actions)
    }

    /// Ends the gestures of a session that ends, and answers those who wait for input of it.
    mutating func cancelGestures(of session: SessionID, into actions: inout ActionBuffer) {
        for id in gestures.ids where gestures[id]?.session == session { cancelGesture(id, into: &actions) }
        let ended = waits.ids.filter { waits[$0]?.receipt.session == session }
        for id in ended { answer(id, into: &actions) }
    }

    /// Ends the touches on a display whose pixels are about to be others: the places that are left would lie elsewhere.
    mutating func cancelTouches(on display: Display, into actions: inout ActionBuffer) {
        for id in gestures.ids {
            guard let gesture = gestures[id], gesture.session == display.session,
                gesture.display == display.description.name, gesture.plan.isTouch
            else { continue }
            cancelGesture(id, into: &actions)
            let ended = waits.ids.filter { waits[$0]?.receipt.first.number == gesture.firstInput }
            for id in ended { answer(id, into: &actions) }
        }
    }

    /// Ends a gesture. What it holds is taken back, so that nobody holds it for ever.
    private mutating func cancelGesture(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let gesture = gestures[id] else { return }
        gestures[id] = nil
        deadlines.set(.gesture(id), at: nil)
        guard gesture.next > 0, gesture.next < gesture.plan.count,
            let event = gesture.plan.cancellation(after: gesture.next - 1, held: now - gesture.startedAt)
        else { return }
        route(
            event, id: InputID(gesture.firstInput + UInt64(gesture.next)), source: Self.injectedSource,
            tag: gesture.tag, origin: .simulated, session: gesture.session, display: gesture.display, time: now,
            into: &actions)
    }
}
