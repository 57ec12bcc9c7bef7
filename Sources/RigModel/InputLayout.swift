/// What a key or button of an input device does.
public enum KeyMeaning: Equatable, Hashable, Sendable {
    /// It is the knob's press.
    case press
    /// Each time it goes down the knob turns by so many detents, positive clockwise; from ±1 to ±100.
    case turn(detents: Int32)
    /// It pushes the knob sideways.
    case nudge(NudgeDirection)
    /// It is a key of the car.
    case key(Key)
}

/// A code of a device and what it does.
public struct KeyBinding: Equatable, Hashable, Sendable {
    /// The code of `EV_KEY`.
    public var code: UInt16
    /// What it does.
    public var meaning: KeyMeaning

    /// States a binding.
    public init(_ code: UInt16, _ meaning: KeyMeaning) {
        self.code = code
        self.meaning = meaning
    }
}

/// The axis that carries the turns of a knob. A device that reports its motion on several axes, as a wheel does in whole
/// detents and again in 1/120 of them, is listened to on one: whoever adds them turns twice as far.
public struct TurnLayout: Equatable, Sendable {
    /// What the values of the axis are.
    public enum Form: Equatable, Sendable {
        /// A relative axis as it is meant: each value is how far it went.
        case steps
        /// A relative axis that carries where the device is, a counter that runs from 0 to `range` - 1 and over its end.
        /// Its 0 is never seen: the kernel leaves out relative values of 0.
        case counter(range: Int32)
        /// An absolute axis that runs from `minimum` to `maximum` and over its end.
        case position(minimum: Int32, maximum: Int32)
    }

    /// The axis: of `EV_REL`, for a position of `EV_ABS`.
    public var axis: UInt16
    /// What its values are.
    public var form: Form
    /// How many units of the axis make `detents` detents; from 1 to 100,000.
    public var units: Int32
    /// How many detents `units` units make; from 1 to 100. Above 1 only where one unit is more than a detent.
    public var detents: Int32
    /// True where the device counts up when it is turned counter-clockwise.
    public var reversed: Bool
    /// For how many nanoseconds after a detent one the other way is taken for bouncing contacts until another follows it;
    /// 0 takes each as it comes. None is lost: what was no bounce is told later.
    public var bounce: UInt64
    /// How many detents one counts for at most when the knob is turned fast; 1 is no acceleration.
    public var acceleration: Int32

    /// States an axis; numbers out of their ranges are brought into them.
    public init(
        axis: UInt16, form: Form = .steps, units: Int32 = 1, detents: Int32 = 1, reversed: Bool = false,
        bounce: UInt64 = 0, acceleration: Int32 = 1
    ) {
        self.axis = axis
        self.form = form
        self.units = min(max(units, 1), Self.maximumUnits)
        self.detents = min(max(detents, 1), Self.maximumDetents)
        self.reversed = reversed
        self.bounce = min(bounce, Self.maximumBounce)
        self.acceleration = min(max(acceleration, 1), Self.maximumAcceleration)
    }

    /// The most units of a detent. A Surface Dial has 3,600 to a turn; ours is above any optical encoder's.
    public static let maximumUnits: Int32 = 100_000
    /// The most detents of a unit: ours.
    public static let maximumDetents: Int32 = 100
    /// The longest bounce, 200 ms: ours. Contacts of encoders settle within 5 ms or so.
    public static let maximumBounce: UInt64 = 200_000_000
    /// The largest acceleration: ours.
    public static let maximumAcceleration: Int32 = 10
}

/// The axes of a stick that pushes the knob sideways: at rest in the middle of their ranges, right and down positive.
public struct NudgeLayout: Equatable, Sendable {
    /// Left and right, where it has that.
    public var x: AbsoluteRange?
    /// Up and down, where it has that.
    public var y: AbsoluteRange?

    /// States a stick.
    public init(x: AbsoluteRange?, y: AbsoluteRange?) {
        self.x = x
        self.y = y
    }
}

/// A touchpad or touchscreen and how it is mounted.
public struct SurfaceLayout: Equatable, Sendable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A touchscreen: places are display pixels.
        case screen
        /// A touchpad that tells where fingers are.
        case pad
        /// A touchpad whose single finger moves the focus in steps.
        case focusPad
    }

    /// What it is.
    public var kind: Kind
    /// Its axis from left to right, before it is turned.
    public var x: AbsoluteRange
    /// Its axis from top to bottom, before it is turned.
    public var y: AbsoluteRange
    /// Which part of it counts, and how it is turned.
    public var mount: SurfaceMount
    /// How many slots it has for contacts; 0 for one that only knows a single place.
    public var slots: Int

    /// States a surface; `slots` is brought between 0 and `maximumSlots`.
    public init(kind: Kind, x: AbsoluteRange, y: AbsoluteRange, mount: SurfaceMount = SurfaceMount(), slots: Int) {
        self.kind = kind
        self.x = x
        self.y = y
        self.mount = mount
        self.slots = min(max(slots, 0), Self.maximumSlots)
    }

    /// Contacts that are told apart: ten fingers. Slots above are not listened to.
    public static let maximumSlots = 10
}

/// How a surface is mounted. Applied in this order: margins, mirrored, rotation.
public struct SurfaceMount: Equatable, Sendable {
    /// By how much what the device calls up is turned clockwise to be what the display calls up.
    public enum Rotation: Int, Sendable, CaseIterable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270
    }

    /// Which part of a display a touchscreen covers.
    public enum Area: String, Sendable, CaseIterable {
        /// All of it.
        case display
        /// The view area that is shown.
        case viewArea
    }

    /// What is left out at each edge, in units of the device's axes; a contact there is taken to the edge of the rest.
    public struct Margins: Equatable, Sendable {
        /// From the smallest value of the axis from left to right.
        public var left: Int32
        /// From the smallest value of the axis from top to bottom.
        public var top: Int32
        /// From the largest value of the axis from left to right.
        public var right: Int32
        /// From the largest value of the axis from top to bottom.
        public var bottom: Int32

        /// States margins; negative ones are 0.
        public init(left: Int32 = 0, top: Int32 = 0, right: Int32 = 0, bottom: Int32 = 0) {
            self.left = max(0, left)
            self.top = max(0, top)
            self.right = max(0, right)
            self.bottom = max(0, bottom)
        }
    }

    /// What is left out at the edges.
    public var margins: Margins
    /// Whether left and right are exchanged.
    public var mirrored: Bool
    /// How it is turned.
    public var rotation: Rotation
    /// What it covers; of no meaning for a pad.
    public var area: Area

    /// States a mount; the default is one that needs no mention.
    public init(
        margins: Margins = Margins(), mirrored: Bool = false, rotation: Rotation = .none, area: Area = .display
    ) {
        self.margins = margins
        self.mirrored = mirrored
        self.rotation = rotation
        self.area = area
    }
}

/// What one input node is, code by code: a rule of the device table, applied to the device.
public struct InputLayout: Equatable, Sendable {
    /// The axis of its turns, if it has one.
    public var turn: TurnLayout?
    /// Its stick, if it has one.
    public var nudge: NudgeLayout?
    /// Its keys, each code once.
    public var keys: [KeyBinding]
    /// For how many nanoseconds a key that was let go is still taken for held, so that bouncing contacts press once;
    /// 0 believes each change.
    public var keyBounce: UInt64
    /// Its touch surface, if it has one.
    public var surface: SurfaceLayout?
    /// From how many nanoseconds on a press is long.
    public var longPress: UInt64

    /// The most keys of a layout: as many as a keyboard has.
    public static let maximumKeys = 128
    /// 500 ms, the usual limit of desktop and phone toolkits.
    public static let defaultLongPress: UInt64 = 500_000_000

    /// States a layout. Of keys of one code the first counts; those above `maximumKeys` are left out.
    public init(
        turn: TurnLayout? = nil, nudge: NudgeLayout? = nil, keys: [KeyBinding] = [], keyBounce: UInt64 = 0,
        surface: SurfaceLayout? = nil,
        longPress: UInt64 = InputLayout.defaultLongPress
    ) {
        self.turn = turn
        self.nudge = nudge
        var kept: [KeyBinding] = []
        for binding in keys where kept.count < Self.maximumKeys && !kept.contains(where: { $0.code == binding.code }) {
            kept.append(binding)
        }
        self.keys = kept
        self.keyBounce = min(keyBounce, TurnLayout.maximumBounce)
        self.surface = surface
        self.longPress = longPress
    }
}
