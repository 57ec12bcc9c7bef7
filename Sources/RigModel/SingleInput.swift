/// What one finger does at one moment.
public struct FingerChange<Point: Equatable & Sendable>: Equatable, Sendable {
    /// What it does.
    public enum Change: Equatable, Sendable {
        /// It touches down.
        case began(Point)
        /// It goes on, while it is down.
        case moved(Point)
        /// It is lifted, where it is or, if that is said, from another place.
        case ended(Point?)

        /// Where it is, if that is said.
        public var point: Point? {
            switch self {
            case .began(let point), .moved(let point): point
            case .ended(let point): point
            }
        }

        /// What is published of it.
        public var phase: ContactPhase {
            switch self {
            case .began: .began
            case .moved: .moved
            case .ended: .ended
            }
        }
    }

    /// 0 to 9, each once in a frame.
    public var id: Int
    /// What it does.
    public var change: Change

    /// States a change.
    public init(id: Int, _ change: Change) {
        self.id = id
        self.change = change
    }
}

/// One thing that is done at one moment, as part of something longer: a half of a press, a frame of a touch.
///
/// What goes down stays down until its caller lets it go, over as many calls as the caller likes. It is let go for it, once,
/// when its session ends or its caller does, and fingers also when the pixels of their display change.
public enum SingleInput: Equatable, Sendable {
    /// The knob goes down or comes up.
    case press(down: Bool)
    /// The knob is pushed sideways or let go.
    case nudge(NudgeDirection, down: Bool)
    /// A key goes down or comes up.
    case key(Key, down: Bool)
    /// Fingers on a display; those that are down and not named stay where they are.
    case touch([FingerChange<PixelPoint>])
    /// Fingers on a touchpad.
    case touchpad([FingerChange<PadPoint>])
}

/// What an injection does.
public enum InjectedInput: Equatable, Sendable {
    /// Something with its beginning and its end.
    case gesture(Gesture)
    /// A part of something.
    case single(SingleInput)
}

/// Inputs at their times, all to one target, taken or refused as a whole.
public struct InjectionSequence: Equatable, Sendable {
    /// One input and when it begins.
    public struct Step: Equatable, Sendable {
        /// Nanoseconds from the beginning of the sequence, at most `maximumOffset`; not before the step before it.
        public var offset: UInt64
        /// What is done. A gesture may last beyond the next steps. What a single input holds down, a later step of the
        /// same sequence lets go.
        public var input: InjectedInput

        /// States a step.
        public init(at offset: UInt64, _ input: InjectedInput) {
            self.offset = offset
            self.input = input
        }
    }

    /// The steps in the order of their times.
    public var steps: [Step]
    /// The device whose session gets them, or `nil` for the session that is in front when the sequence is taken.
    public var device: String?
    /// The generation the caller means, or `nil` for whichever is there.
    public var generation: UInt32?
    /// The display, as `main` or `s1/main`; `nil` is the session's first.
    public var display: String?
    /// The caller's own mark, echoed in every event; at most `Injection.maximumTag` bytes.
    public var tag: String?

    /// The most steps: ours; a minute of a touchscreen's frames is more, and goes as paths or in parts.
    public static let maximumSteps = 2_000
    /// The most input events of all steps: ours; ten minutes at 60 Hz are 36,000.
    public static let maximumEvents = 50_000
    /// The latest beginning of a step: 10 min.
    public static let maximumOffset: UInt64 = 600_000_000_000

    /// States a sequence.
    public init(
        _ steps: [Step], device: String? = nil, generation: UInt32? = nil, display: String? = nil, tag: String? = nil
    ) {
        self.steps = steps
        self.device = device
        self.generation = generation
        self.display = display
        self.tag = tag
    }
}
