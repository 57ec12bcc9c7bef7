public import RigModel

/// When a controller on a CAN bus is sent what it needs to hear: its start, and then what keeps it awake.
///
/// A controller that says nothing is started again every `pause`, since it may be plugged in or powered later.
public struct CANSchedule: Sendable {
    private enum State: Equatable, Sendable {
        /// Nothing is sent. Exits: calling (opened).
        case closed
        /// The start was sent, and is sent again then. Exits: running (heard), closed.
        case calling(next: UInt64)
        /// The controller was heard at that time. Exits: calling (forgotten, or silent), closed.
        case running(heardAt: UInt64)
    }

    private let sendings: [CANSending]
    private let silence: UInt64
    private var state = State.closed
    /// When what has a rhythm is sent next; in the order of `sendings`, of no meaning for a start.
    private var due: [UInt64]

    /// 5 s, as the public adapter for the ZBE4 waits for its answer.
    public static let pause: UInt64 = 5_000_000_000

    /// A schedule that waits for the bus.
    public init(_ layout: CANLayout) {
        sendings = layout.sendings
        silence = max(layout.silence, Self.pause)
        due = layout.sendings.map { _ in 0 }
    }

    /// The bus can be sent to: appends what is sent at once.
    public mutating func opened(now: UInt64, into frames: inout [CANFrame]) {
        for place in sendings.indices { due[place] = now }
        call(now, &frames)
        sendDue(now, &frames)
    }

    /// The bus can no longer be sent to.
    public mutating func closed() { state = .closed }

    /// A frame of the controller was heard; appends its start where it has forgotten it.
    public mutating func heard(_ hearing: CANHearing, now: UInt64, into frames: inout [CANFrame]) {
        switch (state, hearing) {
        case (.closed, _), (_, .foreign): break
        case (.calling, .heard), (.running, .heard): state = .running(heardAt: now)
        // It says so until it has been started: once in a pause is enough.
        case (.calling, .forgotten): break
        case (.running, .forgotten): call(now, &frames)
        }
    }

    /// When `deadlineReached` is to be called; `nil` when nothing is to be sent.
    public var nextDeadline: UInt64? {
        guard !sendings.isEmpty else { return nil }
        var next: UInt64
        switch state {
        case .closed: return nil
        case .calling(let time): next = time
        case .running(let heardAt): next = heardAt.adding(silence)
        }
        for place in sendings.indices where sendings[place].rhythm != .start { next = min(next, due[place]) }
        return next
    }

    /// Time has passed: appends what is sent now. What is late is sent once, not as often as it was missed.
    public mutating func deadlineReached(now: UInt64, into frames: inout [CANFrame]) {
        switch state {
        case .closed: return
        case .calling(let next): if next <= now { call(now, &frames) }
        case .running(let heardAt): if heardAt.adding(silence) <= now { call(now, &frames) }
        }
        sendDue(now, &frames)
    }

    private mutating func call(_ now: UInt64, _ frames: inout [CANFrame]) {
        state = .calling(next: now.adding(Self.pause))
        for sending in sendings where sending.rhythm == .start { frames.append(sending.frame) }
    }

    private mutating func sendDue(_ now: UInt64, _ frames: inout [CANFrame]) {
        for (place, sending) in sendings.enumerated() {
            guard case .every(let interval) = sending.rhythm, due[place] <= now else { continue }
            frames.append(sending.frame)
            due[place] = now.adding(max(interval, 1))
        }
    }
}
