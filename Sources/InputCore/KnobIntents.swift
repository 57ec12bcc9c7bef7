import RigModel

/// Finds what is meant by the presses and turns of one knob: press, long press, double press, turning while pressed.
///
/// The raw events go their way at once; this tells beside them. Deadlines out, time in.
struct KnobIntents: Sendable {
    private enum State: Equatable, Sendable {
        /// It is up and nothing waits. Exits: down.
        case resting
        /// It is down since this time; `isSecond` when it was pressed shortly before. Exits: held (long), turning (turned),
        /// waiting or resting (released).
        case down(since: UInt64, isSecond: Bool)
        /// It is down and told as long. Exits: turning (turned), resting (released).
        case held
        /// It is down and was turned meanwhile: no press any more. Exits: resting (released).
        case turning
        /// It was pressed and may be pressed again until this time. Exits: down (pressed), resting (turned, time over).
        case waiting(until: UInt64)
    }

    private let limits: IntentLimits
    private var state = State.resting

    init(_ limits: IntentLimits) { self.limits = limits }

    /// When `deadlineReached` is to be called.
    var nextDeadline: UInt64? {
        switch state {
        case .resting, .held, .turning: nil
        case .down(let since, _): since.adding(limits.longPress)
        case .waiting(let until): until
        }
    }

    /// It was pressed. `tell` gets the intents.
    mutating func pressed(at time: UInt64, _ tell: (InputIntent) -> Void) {
        deadlineReached(now: time, tell)
        switch state {
        case .resting: state = .down(since: time, isSecond: false)
        case .waiting: state = .down(since: time, isSecond: true)
        case .down, .held, .turning: break
        }
    }

    /// It was let go.
    mutating func released(at time: UInt64, _ tell: (InputIntent) -> Void) {
        deadlineReached(now: time, tell)
        switch state {
        case .down(_, isSecond: true):
            state = .resting
            tell(.doublePress)
        case .down(_, isSecond: false):
            if limits.doublePress > 0 {
                state = .waiting(until: time.adding(limits.doublePress))
            } else {
                state = .resting
                tell(.press)
            }
        case .held, .turning: state = .resting
        case .resting, .waiting: break
        }
    }

    /// It was turned by `detents`, which are not 0.
    mutating func turned(_ detents: Int32, at time: UInt64, _ tell: (InputIntent) -> Void) {
        deadlineReached(now: time, tell)
        switch state {
        case .resting: break
        case .waiting:
            state = .resting
            tell(.press)
        case .down(_, let isSecond):
            if isSecond { tell(.press) }
            state = .turning
            tell(.pressTurn(detents: detents))
        case .held, .turning:
            state = .turning
            tell(.pressTurn(detents: detents))
        }
    }

    /// Time has passed.
    mutating func deadlineReached(now: UInt64, _ tell: (InputIntent) -> Void) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        switch state {
        case .waiting:
            state = .resting
            tell(.press)
        case .down(_, let isSecond):
            if isSecond { tell(.press) }
            state = .held
            tell(.longPress)
        case .resting, .held, .turning: break
        }
    }

    /// The knob is gone: a press that only waited for a second one was one; what is held is none.
    mutating func end(_ tell: (InputIntent) -> Void) {
        switch state {
        case .waiting, .down(_, isSecond: true): tell(.press)
        case .resting, .down(_, isSecond: false), .held, .turning: break
        }
        state = .resting
    }
}
