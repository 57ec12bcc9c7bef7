import RigModel

/// Turns the keys, buttons and stick of one node into presses, nudges, keys of the car and turns.
///
/// Several codes may mean the same: it is down from the first of them to the last.
struct KeyDecoder: Sendable {
    /// What is known of one code.
    private enum State: Equatable, Sendable {
        /// It is up. Exits: down, ignored.
        case up
        /// It was already down when the device was opened, which is no press. Exits: up.
        case ignored
        /// It is down. Exits: settling, up (where nothing bounces, or the device is gone).
        case down
        /// It came up at this time and is still taken for down, since contacts bounce. Exits: down, up (time has passed, or
        /// the device is gone).
        case settling(since: UInt64)

        /// Whether it counts as held.
        var isHeld: Bool {
            switch self {
            case .up, .ignored: false
            case .down, .settling: true
            }
        }
    }

    private let bindings: [KeyBinding]
    private let bounce: UInt64
    private let longPress: UInt64
    private var states: [State]
    private var pressedSince: UInt64 = 0
    private let stick: NudgeLayout?
    /// Which way the stick is pushed, as signs; and whether that is how it stood when it was opened, which is no push.
    private var pushed = (x: 0, y: 0)
    private var isStickIgnored = false
    private var nudge: NudgeDirection?
    /// Detents of keys that went down in this frame, held within ±`Int32.max`.
    private(set) var turned: Int64 = 0

    init(_ layout: InputLayout) {
        bindings = layout.keys
        bounce = layout.keyBounce
        longPress = layout.longPress
        stick = layout.nudge
        states = Array(repeating: .up, count: layout.keys.count)
    }

    /// Takes the change of a code. `isState` is true for keys that were down when the device was opened.
    mutating func take(
        _ code: UInt16, _ value: Int32, isState: Bool, time: UInt64, into inputs: inout [DeviceInput]
    ) {
        // 2 is the kernel's autorepeat of a key that is held.
        guard value == 0 || value == 1, let place = bindings.firstIndex(where: { $0.code == code }) else { return }
        switch (states[place], value == 1) {
        case (.up, true):
            if isState {
                states[place] = .ignored
            } else {
                wentDown(place, time, &inputs)
            }
        case (.ignored, false): states[place] = .up
        case (.down, false):
            if bounce > 0 {
                states[place] = .settling(since: time)
            } else {
                wentUp(place, time, &inputs)
            }
        case (.settling(let since), true):
            // Late: the deadline was not called in time.
            if since.adding(bounce) <= time {
                wentUp(place, since, &inputs)
                wentDown(place, time, &inputs)
            } else {
                states[place] = .down
            }
        case (.up, false), (.ignored, true), (.down, true), (.settling, false): break
        }
    }

    /// Takes a value of an absolute axis; of the stick's it moves the stick.
    mutating func takeAxis(_ code: UInt16, _ value: Int32, isState: Bool) {
        if let x = stick?.x, x.code == code {
            pushed.x = Self.side(value, of: x)
        } else if let y = stick?.y, y.code == code {
            pushed.y = Self.side(value, of: y)
        } else {
            return
        }
        if pushed == (0, 0) {
            isStickIgnored = false
        } else if isState {
            isStickIgnored = true
        }
    }

    /// -1, 0 or 1: a stick is pushed from half its way on, as one on the link is.
    private static func side(_ value: Int32, of range: AbsoluteRange) -> Int {
        let span = Int(range.maximum) - Int(range.minimum)
        guard span > 0 else { return 0 }
        // Twice the distance from the middle; the whole way to an end is `span`.
        let way = 2 * Int(value) - Int(range.minimum) - Int(range.maximum)
        return 2 * way >= span ? 1 : 2 * way <= -span ? -1 : 0
    }

    /// The frame is complete: tells where the knob is pushed. Up and right together are up-right, up and down are nothing.
    mutating func finish(into inputs: inout [DeviceInput]) {
        var x = isStickIgnored ? 0 : pushed.x
        var y = isStickIgnored ? 0 : pushed.y
        for place in states.indices where states[place].isHeld {
            guard case .nudge(let direction) = bindings[place].meaning else { continue }
            x += direction.signs.x
            y += direction.signs.y
        }
        let next = NudgeDirection(x: x.signum(), y: y.signum())
        guard next != nudge else { return }
        if let nudge { inputs.append(.event(.knob(.nudge(nudge, down: false)))) }
        if let next { inputs.append(.event(.knob(.nudge(next, down: true)))) }
        nudge = next
    }

    /// The detents of this frame, which begin anew.
    mutating func takeTurn() -> Int64 {
        defer { turned = 0 }
        return turned
    }

    /// When `deadlineReached` is to be called for keys that settle.
    var nextDeadline: UInt64? {
        guard bounce > 0 else { return nil }
        var next: UInt64?
        for state in states {
            if case .settling(let since) = state { next = min(next ?? .max, since.adding(bounce)) }
        }
        return next
    }

    /// Keys that have settled are up, since they came up.
    mutating func deadlineReached(now: UInt64, into inputs: inout [DeviceInput]) {
        for place in states.indices {
            if case .settling(let since) = states[place], since.adding(bounce) <= now {
                wentUp(place, since, &inputs)
            }
        }
        finish(into: &inputs)
    }

    /// The device is gone: whatever is held comes up.
    mutating func end(time: UInt64, into inputs: inout [DeviceInput]) {
        turned = 0
        pushed = (0, 0)
        isStickIgnored = false
        for place in states.indices {
            switch states[place] {
            case .up: break
            case .ignored: states[place] = .up
            case .down: wentUp(place, time, &inputs)
            case .settling(let since): wentUp(place, since, &inputs)
            }
        }
        finish(into: &inputs)
    }

    // MARK: What a change means

    private mutating func wentDown(_ place: Int, _ time: UInt64, _ inputs: inout [DeviceInput]) {
        let meaning = bindings[place].meaning
        let isFirst = !isHeld(meaning)
        states[place] = .down
        switch meaning {
        case .turn(let detents):
            let limit = Int64(Int32.max)
            turned = min(max(turned + Int64(detents), -limit), limit)
        // Told when the frame is complete: a push along both axes is one.
        case .nudge: break
        case .press:
            guard isFirst else { return }
            pressedSince = time
            inputs.append(.event(.knob(.pressed)))
        case .key(let key):
            if isFirst { inputs.append(.event(.key(KeyEvent(key: key, down: true)))) }
        }
    }

    private mutating func wentUp(_ place: Int, _ time: UInt64, _ inputs: inout [DeviceInput]) {
        let meaning = bindings[place].meaning
        states[place] = .up
        switch meaning {
        case .turn: break
        case .nudge: break
        case .press:
            guard !isHeld(meaning) else { return }
            // A device's clock that runs backwards makes a press of no length, not one of 584 years.
            let held = time.distance(after: pressedSince)
            inputs.append(.event(.knob(.released(held: held, long: held >= longPress))))
        case .key(let key):
            if !isHeld(meaning) { inputs.append(.event(.key(KeyEvent(key: key, down: false)))) }
        }
    }

    private func isHeld(_ meaning: KeyMeaning) -> Bool {
        states.indices.contains { states[$0].isHeld && bindings[$0].meaning == meaning }
    }
}
