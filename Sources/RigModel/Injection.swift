/// The way of one injected finger: down at the first point, in a straight line from point to point, up at the last.
public struct ContactPath<Point: Equatable & Sendable>: Equatable, Sendable {
    /// 0 to 9, each once in a gesture.
    public var id: Int
    /// One point is a tap.
    public var points: [Point]

    /// States a path.
    public init(id: Int, points: [Point]) {
        self.id = id
        self.points = points
    }
}

/// An input gesture as a script or a person names it. Durations are nanoseconds.
public enum Gesture: Equatable, Sendable {
    /// Turn by `detents`, positive clockwise, never 0. With an `interval` one detent at a time, else all at once.
    case rotate(detents: Int32, interval: UInt64)
    /// Push the knob down for `hold`.
    case press(hold: UInt64)
    /// Push the knob sideways for `hold`.
    case nudge(NudgeDirection, hold: UInt64)
    /// Fingers on a display for `duration`, in display pixels.
    case touch([ContactPath<PixelPoint>], duration: UInt64)
    /// Fingers on a touchpad for `duration`.
    case touchpad([ContactPath<PadPoint>], duration: UInt64)
    /// Push a key for `hold`.
    case key(Key, hold: UInt64)

    /// The most detents of one gesture.
    public static let maximumDetents: Int32 = 1_000
    /// The most fingers.
    public static let maximumContacts = 10
    /// The most points of one finger's path.
    public static let maximumPoints = 64
    /// The longest duration, hold or interval: 60 s.
    public static let maximumDuration: UInt64 = 60_000_000_000
    /// How long a press, nudge or key is held when nobody says: 80 ms.
    public static let defaultHold: UInt64 = 80_000_000
    /// How long a tap is when nobody says: 60 ms.
    public static let defaultTap: UInt64 = 60_000_000
    /// How long a swipe is when nobody says: 300 ms.
    public static let defaultSwipe: UInt64 = 300_000_000
}

/// How far an input event has come.
public enum InputStep: String, Sendable, CaseIterable, Comparable {
    /// The rig took it.
    case accepted
    /// Its last byte was taken by the app's socket, or put on the link.
    case delivered
    /// The app acknowledged it, or the peer's link acknowledgement covers it.
    case read

    private var rank: Int {
        switch self {
        case .accepted: 0
        case .delivered: 1
        case .read: 2
        }
    }

    /// Further is greater.
    public static func < (left: InputStep, right: InputStep) -> Bool { left.rank < right.rank }
}

/// A wish to inject a gesture, or a part of one.
public struct Injection: Equatable, Sendable {
    /// What to do.
    public var input: InjectedInput
    /// The device whose session gets it, or `nil` for the front session.
    public var device: String?
    /// The generation the caller means, or `nil` for whichever is there.
    public var generation: UInt32?
    /// The display, as `main` or `s1/main`; `nil` is the session's first.
    public var display: String?
    /// The caller's own mark, echoed in every event of the gesture; at most 256 bytes.
    public var tag: String?

    /// The longest tag in bytes.
    public static let maximumTag = 256

    /// States a wish.
    public init(
        _ input: InjectedInput, device: String? = nil, generation: UInt32? = nil, display: String? = nil,
        tag: String? = nil
    ) {
        self.input = input
        self.device = device
        self.generation = generation
        self.display = display
        self.tag = tag
    }

    /// Wishes a gesture.
    public init(
        _ gesture: Gesture, device: String? = nil, generation: UInt32? = nil, display: String? = nil,
        tag: String? = nil
    ) {
        self.init(.gesture(gesture), device: device, generation: generation, display: display, tag: tag)
    }
}

/// What the rig says to an injection that it took.
public struct InjectionReceipt: Equatable, Sendable {
    /// The id of the first event; the others follow without holes.
    public var first: InputID
    /// How many events it makes.
    public var count: Int
    /// For a sequence, how many of them each of its steps makes; else `nil`.
    public var steps: [Int]?
    /// The session that gets them, or `nil` when none is in front: then nobody but subscribers hears of them.
    public var session: SessionID?
    /// The last step that this target can reach.
    public var reaches: InputStep

    /// States a receipt.
    public init(first: InputID, count: Int, steps: [Int]? = nil, session: SessionID?, reaches: InputStep) {
        self.first = first
        self.count = count
        self.steps = steps
        self.session = session
        self.reaches = reaches
    }
}
