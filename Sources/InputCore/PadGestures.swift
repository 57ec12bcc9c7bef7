import RigModel

/// Finds what is meant by the contacts of one touchpad: taps, swipes, scrolling with two fingers, steps of the focus.
///
/// The contacts themselves go their way untouched, so that a character that is drawn arrives as it was drawn. A touch
/// begins with the first finger and is over when the last one is lifted.
struct PadGestures: Sendable {
    /// What the fingers are doing.
    private enum State: Equatable, Sendable {
        /// Nobody touches the pad. Exits: undecided.
        case idle
        /// Fingers are down and have not gone far. Exits: scrolling, dragging (gone far), spent (gone far while they are
        /// lifted), idle (all lifted, a tap where it was short).
        case undecided
        /// Two fingers scroll. Exits: spent (one lifted), undecided (one came), idle.
        case scrolling
        /// One finger, or three and more, go somewhere. Exits: undecided (one came), idle (all lifted, a swipe where it was
        /// quick).
        case dragging(fingers: Int)
        /// Whatever it was is told. Exits: undecided (a finger came), idle.
        case spent
    }

    private struct Place: Sendable {
        var x = 0
        var y = 0
    }

    private let limits: IntentLimits
    private let movesFocus: Bool
    private let transform: SurfaceTransform
    /// Width and height in hundredths of a millimetre, as the pad is mounted.
    private let size: (x: Int, y: Int)
    private var state = State.idle
    private var places = Array(repeating: Place(), count: SurfaceLayout.maximumSlots)
    private var began: UInt64 = 0
    /// When the fingers whose way is measured were last all down.
    private var measured: UInt64 = 0
    /// How many contacts are measured, how many fingers the device counted then, the sum of the ways of the contacts, and
    /// how much of the mean of it is told.
    private var count = 0
    private var counted = 0
    private var way = Place()
    private var told = Place()
    /// The most fingers of this touch.
    private var most = 0
    /// False once a tap is out of the question: something moved, or the pad was pressed.
    private var canTap = false

    /// The size of a pad whose driver does not know it: the 70 mm by 40 mm of a smaller notebook's.
    static let assumedSize = (x: 7_000, y: 4_000)
    /// No pad is larger than a metre; what a broken driver says beyond is cut.
    static let maximumSize = 100_000
    /// The most steps of the focus in one frame; ours.
    static let maximumSteps = 16

    init(_ surface: SurfaceLayout, _ limits: IntentLimits) {
        self.limits = limits
        movesFocus = surface.kind == .focusPad
        transform = SurfaceTransform(surface)
        let width = Self.length(surface.x, assumed: Self.assumedSize.x)
        let height = Self.length(surface.y, assumed: Self.assumedSize.y)
        size =
            switch surface.mount.rotation {
            case .none, .half: (width, height)
            case .quarter, .threeQuarters: (height, width)
            }
    }

    private static func length(_ axis: AbsoluteRange, assumed: Int) -> Int {
        let units = Int(axis.maximum) - Int(axis.minimum)
        guard axis.resolution > 0, units > 0 else { return assumed }
        return min(units * 100 / Int(axis.resolution), maximumSize)
    }

    /// The pad was pressed: this touch is no tap.
    mutating func pressed() { canTap = false }

    /// How many fingers the device says are there, which may change in a frame without contacts; counts also where it
    /// tells fewer of them apart.
    mutating func count(fingers: Int) {
        guard state != .idle, fingers != counted else { return }
        most = max(most, fingers)
        change(to: count, fingers: fingers)
    }

    /// Takes one frame of contacts, of which at least one changed.
    mutating func take(
        _ contacts: [SurfaceContact], fingers: Int, time: UInt64, _ tell: (InputIntent) -> Void
    ) {
        if contacts.contains(where: { $0.phase == .cancelled }) {
            state = .idle
            return
        }
        var down = 0
        var moved = Place()
        for contact in contacts {
            let place = place(of: contact)
            switch contact.phase {
            case .began: down += 1
            case .moved, .stationary:
                down += 1
                moved.x += place.x - places[slot(contact)].x
                moved.y += place.y - places[slot(contact)].y
            case .ended, .cancelled: break
            }
            places[slot(contact)] = place
        }
        if state == .idle {
            guard down > 0 else { return }
            start(time)
        }
        // A report that begins and ends a touch is two frames, and the device counts none at its end.
        let fingers = max(fingers, down)
        most = max(most, fingers)
        if down == 0 { return lifted(at: time, tell) }
        if down != count || fingers != counted {
            change(to: down, fingers: fingers)
        } else {
            way.x += moved.x
            way.y += moved.y
            measured = time
        }
        follow(fingers: fingers, tell)
    }

    // MARK: The touch

    private mutating func start(_ time: UInt64) {
        state = .undecided
        began = time
        measured = time
        most = 0
        count = 0
        counted = 0
        canTap = true
    }

    /// Fingers came or went: what is measured begins anew, so that no jump between fingers is taken for a way.
    private mutating func change(to down: Int, fingers: Int) {
        let isMore = fingers > counted
        counted = fingers
        switch state {
        case .dragging where !isMore:
            // What was measured is what a swipe is judged by; nothing more is added to it.
            return
        case .scrolling where !isMore: state = .spent
        case .dragging, .scrolling, .spent:
            if isMore { state = .undecided }
        case .undecided, .idle: break
        }
        count = down
        way = Place()
        told = Place()
    }

    private mutating func follow(fingers: Int, _ tell: (InputIntent) -> Void) {
        if state == .undecided {
            let mean = mean
            guard mean.x * mean.x + mean.y * mean.y > limits.slop * limits.slop else { return }
            canTap = false
            // The finger that stays while others are lifted goes nowhere on purpose.
            state = fingers < most ? .spent : fingers == 2 ? .scrolling : .dragging(fingers: fingers)
        }
        switch state {
        case .scrolling:
            let mean = mean
            guard mean.x != told.x || mean.y != told.y else { return }
            tell(.scroll(x: mean.x - told.x, y: mean.y - told.y))
            told = mean
        case .dragging(fingers: 1): if movesFocus { step(tell) }
        case .idle, .undecided, .dragging, .spent: break
        }
    }

    private mutating func step(_ tell: (InputIntent) -> Void) {
        let mean = mean
        for _ in 0..<Self.maximumSteps {
            let rest = Place(x: mean.x - told.x, y: mean.y - told.y)
            guard max(abs(rest.x), abs(rest.y)) >= limits.focusStep else { return }
            if abs(rest.x) >= abs(rest.y) {
                told.x += rest.x.signum() * limits.focusStep
                told.y = mean.y
                tell(.focus(rest.x > 0 ? .right : .left))
            } else {
                told.y += rest.y.signum() * limits.focusStep
                told.x = mean.x
                tell(.focus(rest.y > 0 ? .down : .up))
            }
        }
        // More than any finger goes in one frame.
        told = mean
    }

    /// The last finger is lifted.
    private mutating func lifted(at time: UInt64, _ tell: (InputIntent) -> Void) {
        switch state {
        case .undecided:
            if canTap && time.distance(after: began) <= limits.tap { tell(.tap(fingers: most)) }
        case .dragging(let fingers):
            let mean = mean
            let far = max(abs(mean.x), abs(mean.y))
            let lasted = measured.distance(after: began)
            guard !(movesFocus && fingers == 1), far >= limits.swipe, lasted <= limits.swipeTime else { break }
            let direction: NudgeDirection =
                abs(mean.x) >= abs(mean.y) ? (mean.x > 0 ? .right : .left) : (mean.y > 0 ? .down : .up)
            // Hundredths of a millimetre in nanoseconds; shorter than a millisecond is no time at all.
            let speed = far * 10_000_000 / Int(max(lasted, 1_000_000))
            tell(.swipe(direction, fingers: fingers, speed: speed))
        case .idle, .scrolling, .spent: break
        }
        state = .idle
    }

    /// The mean of the ways of the fingers that are measured.
    private var mean: Place { count > 0 ? Place(x: way.x / count, y: way.y / count) : Place() }

    private func slot(_ contact: SurfaceContact) -> Int { min(max(contact.id, 0), places.count - 1) }

    private func place(of contact: SurfaceContact) -> Place {
        let share = transform.way(x: contact.x, y: contact.y)
        let limit = Self.maximumSize * 10
        return Place(
            x: min(max(share.x.place(of: size.x + 1), -limit), limit),
            y: min(max(share.y.place(of: size.y + 1), -limit), limit))
    }
}
