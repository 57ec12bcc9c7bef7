import InputCore
import RigModel

/// What a real input device holds down, and the session in which it began.
///
/// What is let go is let go there. When that session ends, or does not stay in front, or the display under a finger
/// changes, what is held is taken back once; what the device still tells of it is left out until it is let go.
struct HardwareHold: Equatable, Sendable {
    private struct Held: HeldDown, Equatable, Sendable {
        let control: HeldControl
        let since: UInt64
        var x = 0
        var y = 0
        /// The display of a finger, by its description's name; `nil` is the session's first.
        var display: String?
        /// The part of the display that the surface lies on; `nil` for a finger that came in pixels.
        var area: PixelRect?
        /// Whether it is published as it comes over the link.
        var isThrough: Bool

        func isTogether(with other: Held) -> Bool { display == other.display && isThrough == other.isThrough }
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

    /// The most that one device is taken to hold at once: ours, more than hands can. What goes down above it is left out,
    /// and so is all that is told of it until it goes down again.
    static let maximum = 64

    /// The session that was in front when the first of it went down; `nil` is none.
    private(set) var session: SessionID?
    private var held: [Held] = []
    /// What was taken back and is still down.
    private var takenBack: [HeldControl] = []
    /// Whether something was left out since it held nothing, and whether that was told.
    private var isOver = false
    private var isOverTold = false
    private var pressListener = Listener.front
    private var padListener = Listener.front

    /// Whether anything is held that was told.
    var isHolding: Bool { !held.isEmpty }

    /// Whether it is to be told that the device holds too much; true once until it holds nothing.
    mutating func takeNewsOfTooMuch() -> Bool {
        guard isOver, !isOverTold else { return false }
        isOverTold = true
        return true
    }

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
        beginIfFree(in: front)
        switch input {
        case .knob(.rotate): return (input, session)
        case .knob(.pressed): if !hold(.button, time, isThrough) { return nil }
        case .knob(.released): if !letGo(.button) { return nil }
        case .knob(.nudge(let direction, down: true)): if !hold(.nudge(direction), time, isThrough) { return nil }
        case .knob(.nudge(let direction, down: false)): if !letGo(.nudge(direction)) { return nil }
        case .key(let key):
            guard key.down ? hold(.key(key.key), time, isThrough) : letGo(.key(key.key)) else { return nil }
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
        beginIfFree(in: front)
        return admit(contacts, time, isThrough, { (.finger($0.id), $0.phase) }).map { ($0, session) }
    }

    /// What goes down first belongs to the session in front.
    private mutating func beginIfFree(in front: SessionID?) {
        guard held.isEmpty else { return }
        session = front
        isOver = false
        isOverTold = false
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
        for one in held where one.control.surface == .display { swallow(one.control) }
        held.removeAll { $0.control.surface == .display }
    }

    /// Takes note of the way on which an event went.
    mutating func went(_ input: InputEvent, isThrough: Bool) {
        for index in held.indices where held[index].isThrough != isThrough {
            if held[index].control.isTold(by: input) { held[index].isThrough = isThrough }
        }
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

    /// Takes back what went down first, with the fingers that are one frame with it; `nil` when nothing is held.
    ///
    /// - Parameter longPress: from how many nanoseconds on a press is long.
    mutating func takeBackNext(longPress: UInt64, now: UInt64) -> TakenBack? {
        takeBackNext(longPress: longPress, now: now) { _ in true }
    }

    /// Takes back fingers of one frame that are on a display; `nil` when none are left.
    ///
    /// - Parameters:
    ///   - changed: whether the place of a finger means something else now, by the part of the display that its surface
    ///     lies on; `nil` is a finger that came in pixels.
    mutating func takeBackNextFingers(
        now: UInt64, where changed: (_ display: String?, _ area: PixelRect?) -> Bool
    ) -> TakenBack? {
        takeBackNext(longPress: .max, now: now) { $0.control.surface == .display && changed($0.display, $0.area) }
    }

    private mutating func takeBackNext(
        longPress: UInt64, now: UInt64, where isTaken: (Held) -> Bool
    ) -> TakenBack? {
        guard let (event, taken) = held.takeOutNext(longPress: longPress, now: now, where: isTaken),
            let first = taken.first
        else { return nil }
        for one in taken { swallow(one.control) }
        return TakenBack(input: event, display: first.display, isThrough: first.isThrough)
    }

    // MARK: Controls

    /// False for what is above the limit.
    private mutating func hold(_ control: HeldControl, _ time: UInt64, _ isThrough: Bool) -> Bool {
        // Who goes down again was let go without a word.
        takenBack.removeAll { $0 == control }
        let isKnown = held.contains { $0.control == control }
        guard isKnown || held.count < Self.maximum else {
            isOver = true
            return false
        }
        if control == .button { pressListener = .session(session) }
        if control.surface == .pad, !held.contains(where: { $0.control.surface == .pad }),
            !takenBack.contains(where: { $0.surface == .pad })
        {
            padListener = .session(session)
        }
        if !isKnown { held.append(Held(control: control, since: time, isThrough: isThrough)) }
        return true
    }

    private func holds(_ control: HeldControl) -> Bool { held.contains { $0.control == control } }

    /// False for what is not held: it was taken back, or left out.
    private mutating func letGo(_ control: HeldControl) -> Bool {
        takenBack.removeAll { $0 == control }
        guard let place = held.firstIndex(where: { $0.control == control }) else { return false }
        held.remove(at: place)
        return true
    }

    private mutating func swallow(_ control: HeldControl) {
        if takenBack.count < Self.maximum, !takenBack.contains(control) { takenBack.append(control) }
        switch control {
        case .button: pressListener = .nobody
        case .padFinger: padListener = .nobody
        case .nudge, .key, .finger: break
        }
    }

    /// Leaves out of a frame what is not held; `nil` when it has no news then.
    private mutating func admit<Finger>(
        _ fingers: [Finger], _ time: UInt64, _ isThrough: Bool, _ change: (Finger) -> (HeldControl, ContactPhase)
    ) -> [Finger]? {
        // Mostly nothing is left out, and the frame is told as it is: no copy is made of it.
        var admitted: [Finger]?
        var isNews = false
        for (place, finger) in fingers.enumerated() {
            let (control, phase) = change(finger)
            let isHeld: Bool
            let isChange: Bool
            switch phase {
            case .began: (isHeld, isChange) = (hold(control, time, isThrough), true)
            case .moved: (isHeld, isChange) = (holds(control), true)
            case .stationary: (isHeld, isChange) = (holds(control), false)
            case .ended, .cancelled: (isHeld, isChange) = (letGo(control), true)
            }
            if isHeld {
                admitted?.append(finger)
                if isChange { isNews = true }
            } else if admitted == nil {
                admitted = Array(fingers[..<place])
            }
        }
        guard let admitted else { return fingers }
        return isNews ? admitted : nil
    }

    private mutating func place(_ control: HeldControl, _ x: Int, _ y: Int) {
        guard let index = held.firstIndex(where: { $0.control == control }) else { return }
        (held[index].x, held[index].y) = (x, y)
    }
}
