import HIDReports
import InputCore
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
    /// Whether the link tells how far its events have come.
    let isTracked: Bool
    /// Whether it is published as it comes over the link, as its first event went. Then the link also lets go of what is
    /// held when it ends: what has not come by then never does.
    var isThrough: Bool?
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

    /// Takes what a real input device did: it goes to the front session, on the same way as injected input. While it holds
    /// something down, it goes where that began, as a gesture does; to nobody when that session is over.
    mutating func inputArrived(key: String, _ input: InputEvent, time: UInt64, into actions: inout ActionBuffer) {
        guard let id = devices.id(key: key),
            let (name, began) = devices.update(id, { ($0.device.name, $0.hold.take(input, front: front.session)) })
        else { return }
        let session = began.flatMap { sessions.contains($0) ? $0 : nil }
        lastInput += 1
        route(
            input,
            InputStamp(
                id: InputID(lastInput), source: name, tag: nil, origin: .observed, display: nil,
                owner: Self.owner(id), isCancellation: false, isTracked: false), session: session,
            time: min(time, now), into: &actions)
    }

    /// Who does what a device does: each counts its fingers from 0. Above what gestures are told apart by, the numbers of
    /// their first events.
    private static func owner(_ device: DeviceID) -> UInt64 { 1 << 63 | UInt64(device.number) }

    /// Takes what a real input device did before its display is known: a touch gets the pixels of the front session's
    /// touchscreen as that is now, an intent is told to whom the input went.
    mutating func deviceInputArrived(key: String, _ input: DeviceInput, time: UInt64, into actions: inout ActionBuffer)
    {
        switch input {
        case .event(let event): inputArrived(key: key, event, time: time, into: &actions)
        case .touch(let contacts): touched(key: key, contacts, time: time, into: &actions)
        case .intent(let intent):
            guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
            lastInput += 1
            let entry = front.session.flatMap { sessions[$0] }
            publish(
                Event(
                    time: min(time, now), kind: .inputIntent, origin: .observed, device: entry?.session.device,
                    session: entry?.session.id, input: InputReference(id: InputID(lastInput), source: device.name),
                    payload: .intent(intent)), into: &actions)
        }
    }

    /// One frame of a real touchscreen. Without a session there is no display that it could be on.
    private mutating func touched(
        key: String, _ contacts: [SurfaceContact], time: UInt64, into actions: inout ActionBuffer
    ) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        let began = devices.update(device.id) { $0.hold.take(contacts, front: front.session) } ?? nil
        guard let surface = device.facts.surface, let entry = began.flatMap({ sessions[$0] }),
            let display = entry.displays.first(where: { $0.description.inputs.contains(.touchscreen) })
                ?? entry.displays.first
        else { return }
        let geometry = TouchGeometry(surface, on: display.description, revision: display.revision)
        lastInput += 1
        route(
            .touch(geometry.event(contacts)),
            InputStamp(
                id: InputID(lastInput), source: device.name, tag: nil, origin: .observed,
                display: display.description.name, owner: Self.owner(device.id), isCancellation: false,
                isTracked: false), session: entry.session.id, time: min(time, now), into: &actions)
    }

    mutating func inputLost(key: String, into actions: inout ActionBuffer) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        publish(
            Event(
                time: now, kind: .inputLost, origin: .observed, device: device.reference,
                reason: Reason("overflow", .device, "the kernel's queue of this input device ran over; motion is lost")
            ), into: &actions)
    }

    /// The one way of all input of the rig: to its session, over the link where that has a way for it, and to everybody
    /// who is told.
    ///
    /// - Parameter isThrough: the way that the gesture's first event went, which the others go as well; `nil` for the
    ///   first.
    /// - Returns: whether it is published when it comes over the link, and not before.
    @discardableResult private mutating func route(
        _ input: InputEvent, _ stamp: InputStamp, session: SessionID?, isThrough: Bool? = nil, time: UInt64,
        into actions: inout ActionBuffer
    ) -> Bool {
        let link = session.flatMap { sessions.look(at: $0) { $0.session.link } }
        switch link.flatMap({ links.look(at: $0) { $0.inputWay } }) ?? .none {
        case .through where isThrough != false:
            if put(input, stamp, session, link, into: &actions) { return true }
        case .alongside:
            publish(input, stamp, session: session, time: time, into: &actions)
            _ = put(input, stamp, session, link, into: &actions)
            return false
        case .through, .none: break
        }
        if isThrough == true { return true }
        publish(input, stamp, session: session, time: time, into: &actions)
        return false
    }

    /// Puts input on a link; false when it cannot be said there.
    private mutating func put(
        _ input: InputEvent, _ stamp: InputStamp, _ session: SessionID?, _ link: LinkID?,
        into actions: inout ActionBuffer
    ) -> Bool {
        guard let link, let session else { return false }
        guard sessions.look(at: session, { $0.session.phase == .active }) == true else { return false }
        let display = sessions.look(at: session) { $0.pixels(ofDisplay: stamp.display) } ?? nil
        let isPut = links.update(link, { $0.put(input, stamp, on: display, now: now) }) ?? false
        // Also what is not put may have told something.
        settle(link, into: &actions)
        return isPut
    }

    /// A device of the head unit was used: it is published as what it means on the display that it belongs to.
    mutating func linkInputArrived(_ input: LinkInput, _ id: SessionID, into actions: inout ActionBuffer) {
        guard let entry = sessions[id] else { return }
        let screens = entry.displays.filter { $0.description.inputs.contains(.touchscreen) }
        for (done, screen) in input.arrival.inputs {
            let stamp: InputStamp
            if let known = input.stamp {
                stamp = known
            } else {
                lastInput += 1
                stamp = InputStamp(
                    id: InputID(lastInput), source: input.arrival.source, tag: nil,
                    origin: entry.session.peer == .simulated ? .simulated : .observed, display: nil, owner: 0,
                    isCancellation: input.arrival.isCancellation, isTracked: false)
            }
            let parts = sessions.update(id) {
                $0.held.attribute(done, of: input.arrival.source, screen: screen, by: stamp)
            }
            for part in parts ?? [] { publish(part, screen, entry, screens, into: &actions) }
        }
    }

    private mutating func publish(
        _ part: HeldInputs.Part, _ screen: Int, _ entry: SessionEntry, _ screens: [Display],
        into actions: inout ActionBuffer
    ) {
        var stamp = part.stamp
        if part.isForeign {
            lastInput += 1
            stamp.id = InputID(lastInput)
        }
        let event: InputEvent
        switch part.input {
        case .knob(let knob): event = .knob(knob)
        case .key(let key): event = .key(key)
        case .touchpad(var touch):
            for index in touch.contacts.indices where stamp.isCancellation {
                if touch.contacts[index].phase == .ended { touch.contacts[index].phase = .cancelled }
            }
            event = .touchpad(touch)
        case .touch(let contacts):
            // A touchscreen that belongs to no display lies on the first.
            guard let display = screens.indices.contains(screen) ? screens[screen] : entry.displays.first else {
                return
            }
            stamp.display = display.description.name
            let geometry = TouchGeometry(.link, on: display.description, revision: display.revision)
            event = .touch(
                geometry.event(contacts.map { SurfaceContact($0, isCancelled: stamp.isCancellation) }))
        }
        publish(event, stamp, session: entry.session.id, time: now, into: &actions)
    }
    /// Names the target of input, checks it against the display and publishes it.
    private mutating func publish(
        _ input: InputEvent, _ stamp: InputStamp, session: SessionID?, time: UInt64, into actions: inout ActionBuffer
    ) {
        let device = session.flatMap { sessions.look(at: $0) { $0.session.device } }
        let display = session.flatMap { sessions.look(at: $0) { $0.display(named: stamp.display) } } ?? nil
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
                time: time, kind: kind, origin: stamp.origin, device: device,
                session: device.flatMap { _ in session }, display: display?.name,
                input: InputReference(
                    id: stamp.id, source: stamp.source, revision: display?.revision, tag: stamp.tag),
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
    /// - Parameter isAwaited: whether somebody waits for more than that it is accepted. Only then the link's steps are
    ///   told: three events for each that nobody asked about would crowd every stream.
    /// - Returns: what to tell the caller, and the gesture, whose first event is due at once: `beginGesture` sends it, so
    ///   that the answer can go out before.
    mutating func accept(
        _ injection: Injection, isAwaited: Bool
    ) throws(CommandFailure) -> (receipt: InjectionReceipt, gesture: UInt64) {
        let (session, display) = try target(of: injection)
        guard gestures.count < settings.maximumGestures else {
            throw .limitReached("gestures", settings.maximumGestures)
        }
        let plan = GesturePlan(injection.gesture, longPress: settings.longPress)
        lastGesture += 1
        let first = lastInput + 1
        lastInput += UInt64(plan.count)
        let hasApp = session.map { id in apps.values.contains { $0.app.session == id } } ?? false
        // An app is nearer than the link: where there is one, its word counts.
        let reaches = hasApp ? .read : linkReach(of: injection.gesture, session, display)
        gestures[lastGesture] = ActiveGesture(
            plan: plan, startedAt: now, firstInput: first, session: session, display: display?.description.name,
            tag: injection.tag, isTracked: isAwaited && !hasApp && reaches > .accepted)
        let receipt = InjectionReceipt(
            first: InputID(first), count: plan.count, session: session, reaches: reaches)
        return (receipt, lastGesture)
    }

    private func linkReach(of gesture: Gesture, _ session: SessionID?, _ display: Display?) -> InputStep {
        guard let entry = session.flatMap({ sessions[$0] }), entry.session.phase == .active,
            let place = entry.place(ofDisplay: display?.description.name)
        else { return .accepted }
        return links[entry.session.link]?.reach(of: gesture, display: place) ?? .accepted
    }

    /// What an event of a gesture is published with.
    private func stamp(_ gesture: ActiveGesture, at index: Int, isCancellation: Bool = false) -> InputStamp {
        InputStamp(
            id: InputID(gesture.firstInput + UInt64(index)), source: Self.injectedSource, tag: gesture.tag,
            origin: .simulated, display: gesture.display, owner: gesture.firstInput, isCancellation: isCancellation,
            isTracked: gesture.isTracked)
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
        let isThrough = route(
            gesture.plan.event(gesture.next), stamp(gesture, at: gesture.next), session: gesture.session,
            isThrough: gesture.isThrough, time: now, into: &actions)
        gestures.update(id) { $0.isThrough = isThrough }
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
            event, stamp(gesture, at: gesture.next, isCancellation: true), session: gesture.session,
            isThrough: gesture.isThrough, time: now, into: &actions)
    }
}

extension SessionEntry {
    /// The place of a display by its description's name, or of the first; `nil` when there is none.
    fileprivate func place(ofDisplay name: String?) -> Int? {
        name.flatMap { name in displays.firstIndex { $0.description.name == name } } ?? displays.indices.first
    }

    fileprivate func display(named name: String?) -> Display? { place(ofDisplay: name).map { displays[$0] } }

    fileprivate func pixels(ofDisplay name: String?) -> (place: Int, pixels: PixelSize)? {
        place(ofDisplay: name).map { (place: $0, pixels: displays[$0].description.pixels) }
    }
}
