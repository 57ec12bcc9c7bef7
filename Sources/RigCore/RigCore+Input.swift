import HIDReports
import InputCore
import RigModel

/// Whose gestures are counted together. A gesture goes on when its client is gone: then it is still its user's.
struct GestureCaller: Equatable, Sendable {
    let client: ClientID
    let user: UInt32
}

/// A gesture that is under way.
struct ActiveGesture: Sendable {
    var plan: GesturePlan
    let startedAt: UInt64
    let firstInput: UInt64
    let session: SessionID?
    /// The display it goes to, by its description's name.
    let display: String?
    let tag: String?
    /// Whose fingers they are.
    var owner: UInt64
    /// Whether the link tells how far its events have come.
    let isTracked: Bool
    /// Who began it; of a step of a sequence, that is the sequence's matter.
    var caller: GestureCaller?
    /// The sequence that it is a step of.
    var sequence: UInt64?
    /// For a single input, who holds what it puts down.
    var begun: (holder: InputHolder, controls: [HeldControl])?
    /// The client that waits for it.
    var wait: UInt64?
    /// Whether it is published as it comes over the link, as its first event went. Then the link also lets go of what is
    /// held when it ends: what has not come by then never does.
    var isThrough: Bool?
    /// The index of the event that is due next.
    var next = 0

    var place: InputPlace { InputPlace(session: session, display: display) }
}

/// A client that is answered when all events of what it injected have come as far as it asked.
struct InputWait: Sendable {
    let client: ClientID
    var receipt: InjectionReceipt
    let step: InputStep
    /// How far each of the events has come.
    var steps: [InputStep]
    /// How many of them have come as far as asked.
    var arrived = 0
    /// How many of them were sent.
    var sent = 0
    /// By how much the latest of these was sent too late, in nanoseconds.
    var latest: UInt64 = 0
}

extension RigCore {
    /// The name of the input device of injected events.
    static let injectedSource = "injected"

    /// The one way of all input of the rig: to its session, over the link where that has a way for it, and to everybody
    /// who is told.
    ///
    /// What the link makes of it comes last, and can be anything, the end of this session and of others too. So whoever
    /// calls this has written down before what it does, and takes what is left, if anything is, from the rig's own
    /// tables again.
    ///
    /// - Parameters:
    ///   - isThrough: the way that the gesture's first event went, which the others go as well; `nil` for the first.
    ///   - went: writes down whether it is published when it comes over the link, and not before.
    mutating func route(
        _ input: InputEvent, _ stamp: InputStamp, session: SessionID?, isThrough: Bool? = nil, time: UInt64,
        into actions: inout ActionBuffer, _ went: (inout RigCore, Bool) -> Void = { _, _ in }
    ) {
        let link = session.flatMap { sessions.look(at: $0) { $0.session.link } }
        let way = link.flatMap { links.look(at: $0) { $0.inputWay } } ?? .none
        var touched: LinkID?
        switch way {
        case .through where isThrough != false:
            let isPut = put(input, stamp, session, link, &touched)
            if !isPut && isThrough != true { publish(input, stamp, session: session, time: time, into: &actions) }
            went(&self, isPut || isThrough == true)
        case .alongside:
            publish(input, stamp, session: session, time: time, into: &actions)
            _ = put(input, stamp, session, link, &touched)
            went(&self, false)
        case .through, .none:
            if isThrough != true { publish(input, stamp, session: session, time: time, into: &actions) }
            went(&self, isThrough == true)
        }
        // Also what is not put may have told something.
        if let touched { settle(touched, into: &actions) }
    }

    /// Puts input on a link; false when it cannot be said there.
    ///
    /// - Parameter touched: gets the link, when it has to be settled then.
    private mutating func put(
        _ input: InputEvent, _ stamp: InputStamp, _ session: SessionID?, _ link: LinkID?, _ touched: inout LinkID?
    ) -> Bool {
        guard let link, let session else { return false }
        guard sessions.look(at: session, { $0.session.phase == .active }) == true else { return false }
        let display = sessions.look(at: session) { $0.pixels(ofDisplay: stamp.display) } ?? nil
        touched = link
        return links.update(link, { $0.put(input, stamp, on: display, now: now) }) ?? false
    }

    /// A device of the head unit was used: it is published as what it means on the display that it belongs to.
    mutating func linkInputArrived(_ input: LinkInput, _ id: SessionID, into actions: inout ActionBuffer) {
        guard let peer = sessions.look(at: id, { $0.session.peer }) else { return }
        let screen = input.arrival.screen
        var parts: [HeldInputs.Part] = []
        swap(&parts, &partsInHand)
        defer { swap(&parts, &partsInHand) }
        for done in input.arrival.inputs {
            let stamp: InputStamp
            if let known = input.stamp {
                stamp = known
            } else {
                lastInput += 1
                stamp = InputStamp(
                    id: InputID(lastInput), source: input.arrival.source, tag: nil,
                    origin: peer == .simulated ? .simulated : .observed, display: nil, owner: 0,
                    isCancellation: input.arrival.isCancellation, isTracked: false)
            }
            sessions.update(id) {
                $0.held.attribute(done, of: input.arrival.source, screen: screen, by: stamp, into: &parts)
            }
            // Not before: what is held would be copied to be changed.
            if let entry = sessions[id] {
                for part in parts { publish(part, screen, entry, into: &actions) }
            }
            parts.removeAll(keepingCapacity: true)
        }
    }

    mutating func publish(
        _ part: HeldInputs.Part, _ screen: Int, _ entry: SessionEntry, into actions: inout ActionBuffer
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
            guard let display = entry.screen(screen) ?? entry.displays.first else { return }
            stamp.display = display.description.name
            let geometry = TouchGeometry(.link, on: display.description, revision: display.revision)
            geometry.place(contacts, isCancelled: stamp.isCancellation, into: &linkTouchInHand)
            event = .touch(linkTouchInHand)
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
                    id: stamp.id, source: stamp.source, revision: display?.revision, tag: stamp.tag,
                    late: stamp.late >= InputReference.toldLateness ? stamp.late : nil),
                payload: .input(input)), into: &actions)
    }

    /// What an event of a gesture is published with.
    private func stamp(_ gesture: ActiveGesture, at index: Int, isCancellation: Bool = false) -> InputStamp {
        InputStamp(
            id: InputID(gesture.firstInput + UInt64(index)), source: Self.injectedSource, tag: gesture.tag,
            origin: .simulated, display: gesture.display, owner: gesture.owner, isCancellation: isCancellation,
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
        let due = gesture.startedAt &+ gesture.plan.offset(gesture.next)
        var stamp = stamp(gesture, at: gesture.next)
        stamp.late = now - min(due, now)
        // Counted first: over a link it can arrive, and be answered for, while it is sent.
        if let wait = gesture.wait {
            waits.update(wait) {
                $0.sent += 1
                $0.latest = max($0.latest, stamp.late)
            }
        }
        route(
            gesture.plan.event(gesture.next), stamp, session: gesture.session, isThrough: gesture.isThrough, time: now,
            into: &actions
        ) { core, isThrough in
            core.gestures.update(id) { $0.isThrough = isThrough }
            if let (holder, controls) = gesture.begun, gesture.isThrough == nil {
                core.holds.went(isThrough, controls, of: holder, at: gesture.place)
            }
        }
        inputSent(of: gesture, into: &actions)
    }

    /// Ends the gestures of a session that ends, lets go of what is held in it, and answers those who wait for input of
    /// it.
    mutating func cancelGestures(of session: SessionID, into actions: inout ActionBuffer) {
        for id in sequences.ids where sequences[id]?.place.session == session { cancelSequence(id, into: &actions) }
        for id in gestures.ids where gestures[id]?.session == session { cancelGesture(id, into: &actions) }
        letGo(into: &actions) { $0.place.session == session }
        let ended = waits.ids.filter { waits[$0]?.receipt.session == session }
        for id in ended { answer(id, into: &actions) }
    }

    /// Ends the injected touches on a display whose pixels are about to be others: the places that are left would lie
    /// elsewhere.
    mutating func cancelTouches(on display: Display, into actions: inout ActionBuffer) {
        let place = InputPlace(session: display.session, display: display.description.name)
        for id in sequences.ids where sequences[id]?.place == place && sequences[id]?.hasTouches == true {
            cancelSequence(id, into: &actions)
        }
        letGo(into: &actions) { $0.place == place && $0.control.surface == .display }
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
    mutating func cancelGesture(_ id: UInt64, into actions: inout ActionBuffer) {
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
    /// The displays that have a touchscreen, in the order of their touchscreens.
    var screens: [Display] { displays.filter { $0.description.inputs.contains(.touchscreen) } }

    /// The display of a touchscreen by its place among the touchscreens; `nil` when it has none.
    func screen(_ place: Int) -> Display? {
        var left = place
        for display in displays where display.description.inputs.contains(.touchscreen) {
            if left == 0 { return display }
            left -= 1
        }
        return nil
    }

    /// The place of a display by its description's name, or of the first; `nil` when there is none.
    func place(ofDisplay name: String?) -> Int? {
        name.flatMap { name in displays.firstIndex { $0.description.name == name } } ?? displays.indices.first
    }

    fileprivate func display(named name: String?) -> Display? { place(ofDisplay: name).map { displays[$0] } }

    fileprivate func pixels(ofDisplay name: String?) -> (place: Int, pixels: PixelSize)? {
        place(ofDisplay: name).map { (place: $0, pixels: displays[$0].description.pixels) }
    }
}
