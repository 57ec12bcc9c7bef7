import InputCore
import RigModel

/// What a real input device holds down, and the session in which it began.
///
/// What is let go is let go there. When that session ends, or does not stay in front, or the display under a finger
/// changes, what is held is taken back once; what the device still tells of it is left out until it is let go.
struct HardwareHold: Equatable, Sendable {
    private enum Control: Equatable, Sendable {
        case button
        case nudge(NudgeDirection)
        case key(Key)
        case finger(Int)
        case padFinger(Int)

        var isPadFinger: Bool {
            if case .padFinger = self { true } else { false }
        }
    }

    private struct Held: Equatable, Sendable {
        let control: Control
        /// When it went down.
        let since: UInt64
        /// Where a finger was told last: pixels of the display, or places on the pad.
        var x = 0
        var y = 0
        /// The display of a finger, by its description's name; `nil` is the session's first.
        var display: String?
        /// The part of the display that the surface lies on; `nil` for a finger that came in pixels.
        var area: PixelRect?
        /// Whether it is published as it comes over the link.
        var isThrough: Bool

        var isFinger: Bool {
            if case .finger = control { true } else { false }
        }
    }

    /// Something that is taken back.
    struct TakenBack: Equatable, Sendable {
        var input: InputEvent
        var display: String?
        var isThrough: Bool
    }

    /// To whom it is told what was meant by a press, or by a touch of a pad.
    private enum Listener: Equatable, Sendable {
        /// Nothing was done so far: to the session in front.
        case front
        /// To the session in which it began; `nil` is none.
        case session(SessionID?)
        /// It was taken back.
        case nobody
    }

    /// The most that one device is taken to hold at once: ours, more than hands can. What is above it is not waited for.
    static let maximum = 64

    /// The session that was in front when the first of it went down; `nil` is none.
    private(set) var session: SessionID?
    private var held: [Held] = []
    /// What was taken back and is still down.
    private var takenBack: [Control] = []
    private var pressListener = Listener.front
    private var padListener = Listener.front

    /// Whether anything is held that was told.
    var isHolding: Bool { !held.isEmpty }

    // MARK: What the device does

    /// Takes note of an event.
    ///
    /// - Parameters:
    ///   - front: the session in front.
    ///   - isThrough: whether its session's input comes over the link.
    /// - Returns: what is to be told of it, and the session that it belongs to; `nil` when nothing is.
    mutating func take(
        _ input: InputEvent, front: SessionID?, isThrough: Bool, at time: UInt64
    ) -> (input: InputEvent, session: SessionID?)? {
        if held.isEmpty { session = front }
        switch input {
        case .knob(.rotate): return (input, session)
        case .knob(.pressed): hold(.button, time, isThrough)
        case .knob(.released): if !letGo(.button) { return nil }
        case .knob(.nudge(let direction, down: true)): hold(.nudge(direction), time, isThrough)
        case .knob(.nudge(let direction, down: false)): if !letGo(.nudge(direction)) { return nil }
        case .key(let key):
            if key.down { hold(.key(key.key), time, isThrough) } else if !letGo(.key(key.key)) { return nil }
        case .touch(var touch):
            let contacts = admit(touch.contacts, time, isThrough, { (.finger($0.id), $0.phase) })
            guard let contacts else { return nil }
            touch.contacts = contacts
            place(contacts, display: nil, area: nil)
            return (.touch(touch), session)
        case .touchpad(var touch):
            let contacts = admit(touch.contacts, time, isThrough, { (.padFinger($0.id), $0.phase) })
            guard let contacts else { return nil }
            touch.contacts = contacts
            for contact in contacts { place(.padFinger(contact.id), contact.point.x, contact.point.y) }
            return (.touchpad(touch), session)
        }
        return (input, session)
    }

    /// Takes note of a frame of a touchscreen that has no pixels yet, as of an event.
    mutating func take(
        _ contacts: [SurfaceContact], front: SessionID?, isThrough: Bool, at time: UInt64
    ) -> (contacts: [SurfaceContact], session: SessionID?)? {
        if held.isEmpty { session = front }
        return admit(contacts, time, isThrough, { (.finger($0.id), $0.phase) }).map { ($0, session) }
    }

    /// Takes note of where fingers are told.
    ///
    /// - Parameters:
    ///   - display: the display, by its description's name.
    ///   - area: the part of it that the surface lies on.
    mutating func place(_ contacts: [Contact], display: String?, area: PixelRect?) {
        for contact in contacts {
            guard let index = held.firstIndex(where: { $0.control == .finger(contact.id) }) else { continue }
            (held[index].x, held[index].y) = (contact.point.x, contact.point.y)
            held[index].display = display
            held[index].area = area
        }
    }

    /// Fingers are told nowhere, since there is no display: nobody hears of them until they are lifted.
    mutating func ignoreFingers() {
        for one in held where one.isFinger { swallow(one.control) }
        held.removeAll(where: \.isFinger)
    }

    /// Takes note of the way on which an event went.
    mutating func went(_ input: InputEvent, isThrough: Bool) {
        let controls: [Control] =
            switch input {
            case .knob(.rotate), .knob(.released): []
            case .knob(.pressed): [.button]
            case .knob(.nudge(let direction, _)): [.nudge(direction)]
            case .key(let key): [.key(key.key)]
            case .touch(let touch): touch.contacts.map { .finger($0.id) }
            case .touchpad(let touch): touch.contacts.map { .padFinger($0.id) }
            }
        for index in held.indices where controls.contains(held[index].control) { held[index].isThrough = isThrough }
    }

    /// To whom something is told that was meant: to the session in which it began, or to that in front when nothing
    /// began.
    ///
    /// - Returns: the session, in which `nil` is none; `nil` when it is told nobody, since it was taken back.
    func listener(of intent: InputIntent, front: SessionID?) -> SessionID?? {
        let listener: Listener =
            switch intent {
            case .press, .longPress, .doublePress, .pressTurn: pressListener
            case .tap, .swipe, .scroll, .focus: padListener
            }
        return switch listener {
        case .front: .some(front)
        case .session(let session): .some(session)
        case .nobody: .none
        }
    }

    // MARK: Taking back

    /// Takes everything back that is held.
    ///
    /// - Parameter longPress: from how many nanoseconds on a press is long.
    mutating func takeBack(longPress: UInt64, now: UInt64) -> [TakenBack] {
        takeBack(longPress: longPress, now: now) { _ in true }
    }

    /// Takes the fingers back that are on a display.
    ///
    /// - Parameters:
    ///   - changed: whether the place of a finger means something else now, by the part of the display that its surface
    ///     lies on; `nil` is a finger that came in pixels.
    mutating func takeBackFingers(
        now: UInt64, where changed: (_ display: String?, _ area: PixelRect?) -> Bool
    ) -> [TakenBack] {
        takeBack(longPress: .max, now: now) { $0.isFinger && changed($0.display, $0.area) }
    }

    private mutating func takeBack(
        longPress: UInt64, now: UInt64, where isTaken: (Held) -> Bool
    ) -> [TakenBack] {
        let taken = held.filter(isTaken)
        held.removeAll(where: isTaken)
        var parts: [TakenBack] = []
        for one in taken {
            swallow(one.control)
            let input: InputEvent
            switch one.control {
            case .button:
                let time = now - min(one.since, now)
                input = .knob(.released(held: time, long: time >= longPress))
            case .nudge(let direction): input = .knob(.nudge(direction, down: false))
            case .key(let key): input = .key(KeyEvent(key: key, down: false))
            case .finger(let id):
                let point = PixelPoint(x: one.x, y: one.y)
                input = .touch(TouchEvent(contacts: [Contact(id: id, point: point, phase: .cancelled)]))
            case .padFinger(let id):
                let point = PadPoint(x: one.x, y: one.y)
                input = .touchpad(TouchpadEvent(contacts: [PadContact(id: id, point: point, phase: .cancelled)]))
            }
            Self.join(TakenBack(input: input, display: one.display, isThrough: one.isThrough), to: &parts)
        }
        return parts
    }

    /// Fingers that are taken back at once are one frame.
    private static func join(_ part: TakenBack, to parts: inout [TakenBack]) {
        for index in parts.indices
        where parts[index].display == part.display && parts[index].isThrough == part.isThrough {
            switch (parts[index].input, part.input) {
            case (.touch(var frame), .touch(let other)):
                frame.contacts = (frame.contacts + other.contacts).sorted { $0.id < $1.id }
                parts[index].input = .touch(frame)
                return
            case (.touchpad(var frame), .touchpad(let other)):
                frame.contacts = (frame.contacts + other.contacts).sorted { $0.id < $1.id }
                parts[index].input = .touchpad(frame)
                return
            case (.knob, _), (.key, _), (.touch, _), (.touchpad, _): continue
            }
        }
        parts.append(part)
    }

    // MARK: Controls

    private mutating func hold(_ control: Control, _ time: UInt64, _ isThrough: Bool) {
        // Who goes down again was let go without a word.
        takenBack.removeAll { $0 == control }
        if control == .button { pressListener = .session(session) }
        if control.isPadFinger, !held.contains(where: \.control.isPadFinger), !takenBack.contains(where: \.isPadFinger)
        {
            padListener = .session(session)
        }
        guard held.count < Self.maximum, !held.contains(where: { $0.control == control }) else { return }
        held.append(Held(control: control, since: time, isThrough: isThrough))
    }

    /// False for what was taken back.
    private mutating func letGo(_ control: Control) -> Bool {
        if let place = takenBack.firstIndex(of: control) {
            takenBack.remove(at: place)
            return false
        }
        held.removeAll { $0.control == control }
        return true
    }

    private mutating func swallow(_ control: Control) {
        if takenBack.count < Self.maximum, !takenBack.contains(control) { takenBack.append(control) }
        switch control {
        case .button: pressListener = .nobody
        case .padFinger: padListener = .nobody
        case .nudge, .key, .finger: break
        }
    }

    /// Leaves out of a frame what was taken back; `nil` when it has no news then.
    private mutating func admit<Finger>(
        _ fingers: [Finger], _ time: UInt64, _ isThrough: Bool, _ change: (Finger) -> (Control, ContactPhase)
    ) -> [Finger]? {
        var admitted: [Finger] = []
        var isNews = false
        for finger in fingers {
            let (control, phase) = change(finger)
            switch phase {
            case .began:
                hold(control, time, isThrough)
                isNews = true
            case .moved, .stationary:
                if takenBack.contains(control) { continue }
                if phase == .moved { isNews = true }
            case .ended, .cancelled:
                guard letGo(control) else { continue }
                isNews = true
            }
            admitted.append(finger)
        }
        return isNews || admitted.count == fingers.count ? admitted : nil
    }

    private mutating func place(_ control: Control, _ x: Int, _ y: Int) {
        guard let index = held.firstIndex(where: { $0.control == control }) else { return }
        (held[index].x, held[index].y) = (x, y)
    }
}
