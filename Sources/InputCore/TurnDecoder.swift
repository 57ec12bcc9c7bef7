import RigModel

/// Turns the values of one axis into detents.
///
/// What makes no whole detent yet is kept, and forgotten when the knob is turned the other way: a knob that is turned back
/// stands in a detent, and a rest of the way there would swallow its first click.
struct TurnDecoder: Sendable {
    private let layout: TurnLayout
    /// Units of this frame, positive clockwise; held within ±`Int32.max` so that sums cannot overflow.
    private var frame: Int64 = 0
    /// Units, times `layout.detents`, that did not make a detent yet; always smaller than one detent.
    private var remainder: Int64 = 0
    /// Where a device that tells its place was last seen.
    private var place: Int32?
    /// Which way the last detent went, and when it came; 0 before the first.
    private var direction: Int64 = 0
    private var lastTime: UInt64 = 0
    /// Detents against `direction` that may be bouncing contacts, and when the first of them came; 0 for none.
    private var heldBack: Int64 = 0
    private var heldSince: UInt64 = 0

    /// From this time between two detents on there is no acceleration: ours.
    static let slow: UInt64 = 100_000_000
    /// At this time and below the acceleration is the whole: ours.
    static let fast: UInt64 = 20_000_000

    init(_ layout: TurnLayout) { self.layout = layout }

    /// Whether an event of this type and code is for this axis.
    func listens(type: UInt16, code: UInt16) -> Bool {
        guard code == layout.axis else { return false }
        return switch layout.form {
        case .steps, .counter: type == EvdevCode.relative
        case .position: type == EvdevCode.absolute
        }
    }

    /// Takes a value of the axis. `isState` is true for where the device stood when it was opened, which is no turn.
    mutating func take(_ value: Int32, isState: Bool) {
        let units: Int64
        switch layout.form {
        case .steps: units = isState ? 0 : Int64(value)
        case .counter(let range): units = moved(to: value, from: 0, count: Int64(range))
        case .position(let minimum, let maximum):
            units = moved(to: value, from: Int64(minimum), count: Int64(maximum) - Int64(minimum) + 1)
        }
        let limit = Int64(Int32.max)
        frame = isState ? 0 : min(max(frame + (layout.reversed ? -units : units), -limit), limit)
    }

    /// The shorter way around from the last place; none from the first.
    private mutating func moved(to value: Int32, from first: Int64, count: Int64) -> Int64 {
        defer { place = value }
        guard let place, count > 1 else { return 0 }
        let way = (Int64(value) - Int64(place)) % count
        return way > count / 2 ? way - count : way < -(count / 2) ? way + count : way
    }

    /// The frame is complete: how many detents are to be told.
    mutating func finish(time: UInt64) -> Int64 {
        guard frame != 0 else { return 0 }
        let scaled = frame * Int64(layout.detents)
        frame = 0
        if remainder.signum() * scaled.signum() < 0 { remainder = 0 }
        let unit = Int64(layout.units)
        let total = remainder + scaled
        remainder = total % unit
        return tell(total / unit, time)
    }

    /// When `deadlineReached` is to be called for what is held back.
    var nextDeadline: UInt64? {
        heldBack == 0 ? nil : heldSince.adding(layout.bounce)
    }

    /// What was held back and turned out to be no bounce.
    mutating func deadlineReached(now: UInt64) -> Int64 {
        guard let deadline = nextDeadline, deadline <= now else { return 0 }
        return release(0, now)
    }

    /// Nothing follows: what was held back was a turn.
    mutating func end(time: UInt64) -> Int64 {
        frame = 0
        remainder = 0
        return heldBack == 0 ? 0 : release(0, time)
    }

    /// Detents that the bounce filter lets through.
    private mutating func tell(_ detents: Int64, _ time: UInt64) -> Int64 {
        guard detents != 0 else { return 0 }
        guard layout.bounce > 0 else { return pass(detents, time) }
        if heldBack != 0 {
            // One that goes on the new way says that it was turned; the time alone does so too.
            if detents.signum() == heldBack.signum() || isPast(time) { return release(detents, time) }
            let rest = heldBack + detents
            heldBack = 0
            lastTime = time
            if rest.signum() == -direction {
                heldBack = rest
                return 0
            }
            return rest == 0 ? 0 : pass(rest, time)
        }
        if detents.signum() == -direction && time.distance(after: lastTime) < layout.bounce {
            heldBack = detents
            heldSince = time
            return 0
        }
        return pass(detents, time)
    }

    private func isPast(_ time: UInt64) -> Bool { nextDeadline.map { $0 <= time } ?? false }

    private mutating func release(_ more: Int64, _ time: UInt64) -> Int64 {
        let limit = Int64(Int32.max)
        let sum = min(max(heldBack + more, -limit), limit)
        heldBack = 0
        return sum == 0 ? 0 : pass(sum, time)
    }

    private mutating func pass(_ detents: Int64, _ time: UInt64) -> Int64 {
        let isSameWay = detents.signum() == direction
        let pause = time.distance(after: lastTime)
        direction = detents.signum()
        lastTime = time
        guard layout.acceleration > 1 && isSameWay else { return detents }
        return detents * Self.factor(pause: pause, most: Int64(layout.acceleration))
    }

    /// 1 for slow turns, `most` for fast ones, and evenly between.
    private static func factor(pause: UInt64, most: Int64) -> Int64 {
        if pause >= slow { return 1 }
        if pause <= fast { return most }
        let span = Int64(slow - fast)
        return 1 + ((most - 1) * Int64(slow - pause) + span / 2) / span
    }
}

extension UInt64 {
    /// How long this time is after `earlier`; 0 where a clock ran backwards.
    func distance(after earlier: UInt64) -> UInt64 { self > earlier ? self - earlier : 0 }

    /// The time `duration` later, or the end of time.
    func adding(_ duration: UInt64) -> UInt64 {
        let (sum, isOver) = addingReportingOverflow(duration)
        return isOver ? .max : sum
    }
}
