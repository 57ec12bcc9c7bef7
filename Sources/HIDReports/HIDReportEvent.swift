/// What a person did, by a report and what was known before it.
public enum HIDReportEvent: Equatable, Sendable {
    /// A dial or wheel was turned; never 0, positive as the device counts up, mostly clockwise.
    case rotated(Int)
    /// A knob is pushed to here now, in thousandths of the way: -1,000 left or up, 1,000 right or down, 0 at rest.
    case pushed(x: Int, y: Int)
    /// A frame of touches in which something changed: every contact that touches or was just lifted, by number.
    case contacts([HIDContact])
    /// A button or key went down or up.
    case button(HIDUsage, isDown: Bool)
}

/// One finger.
public struct HIDContact: Equatable, Sendable {
    /// What it did since the last frame.
    public enum Phase: String, Sendable, CaseIterable {
        /// It touched down.
        case down
        /// It moved.
        case moved
        /// It stayed while something else changed.
        case still
        /// It was lifted; the place is its last one.
        case up
    }

    /// The largest coordinate: the far edge.
    public static let full = 65_535

    /// 0 to `HIDReportReader.maximumContacts` - 1, the same from touching down to lifting; the device's own number where
    /// it is one of these.
    public var number: Int
    /// What it did.
    public var phase: Phase
    /// From the left edge, 0 to `full`.
    public var x: Int
    /// From the top edge, 0 to `full`.
    public var y: Int

    /// States a contact.
    public init(number: Int, phase: Phase, x: Int, y: Int) {
        self.number = number
        self.phase = phase
        self.x = x
        self.y = y
    }

    /// A coordinate among `count` pixels, 0 to `count` - 1; the nearest.
    public static func pixel(_ coordinate: Int, of count: Int) -> Int {
        scale(coordinate, from: full, to: max(0, count - 1))
    }

    /// `value` of 0 to `from` as the nearest of 0 to `to`; both at most 2^32, so that no product overflows.
    static func scale(_ value: Int, from: Int, to: Int) -> Int {
        guard from > 0 else { return 0 }
        return (min(max(value, 0), from) * to + from / 2) / from
    }
}
