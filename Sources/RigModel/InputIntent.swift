/// What somebody meant by what was done with an input device: told beside the raw events, never instead of them.
public enum InputIntent: Equatable, Sendable {
    /// The knob was pressed and let go before a press is long, without turning it, and not twice.
    case press
    /// The knob has been held down, without turning it, for as long as makes a press long. It is still down.
    case longPress
    /// The knob was pressed twice within the configured time.
    case doublePress
    /// The knob was turned while it is held down; positive is clockwise, never 0.
    case pressTurn(detents: Int32)
    /// So many fingers touched a pad shortly without moving.
    case tap(fingers: Int)
    /// So many fingers moved quickly over a pad and were lifted; up, down, left or right, in millimetres per second.
    case swipe(NudgeDirection, fingers: Int, speed: Int)
    /// Two fingers moved over a pad: how far since the last of these, in hundredths of a millimetre, right and down
    /// positive as the fingers went. Never both 0.
    case scroll(x: Int, y: Int)
    /// A finger on a pad that moves the focus went one step on; up, down, left or right.
    case focus(NudgeDirection)

    /// The words that `meaning` can be.
    public static let meanings = [
        "press", "longPress", "doublePress", "pressTurn", "tap", "swipe", "scroll", "focus",
    ]
}

extension InputIntent {
    /// True for intents that only say "further". They may be merged for a slow client, their ways added up; the others
    /// never are.
    public var isMotion: Bool {
        switch self {
        case .pressTurn, .scroll: true
        case .press, .longPress, .doublePress, .tap, .swipe, .focus: false
        }
    }
}

extension InputIntent: RecordWritable {
    /// A scroll's ways are millimetres.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.key("meaning")
        switch self {
        case .press: sink.string("press")
        case .longPress: sink.string("longPress")
        case .doublePress: sink.string("doublePress")
        case .pressTurn(let detents):
            sink.string("pressTurn")
            sink.field("detents", detents)
        case .tap(let fingers):
            sink.string("tap")
            sink.field("fingers", fingers)
        case .swipe(let direction, let fingers, let speed):
            sink.string("swipe")
            sink.field("direction", direction.rawValue)
            sink.field("fingers", fingers)
            sink.field("speed", speed)
        case .scroll(let x, let y):
            sink.string("scroll")
            sink.field("x", Double(x) / 100)
            sink.field("y", Double(y) / 100)
        case .focus(let direction):
            sink.string("focus")
            sink.field("direction", direction.rawValue)
        }
        sink.endObject()
    }
}

/// The times and ways that make intents of events.
public struct IntentLimits: Equatable, Sendable {
    /// From how many nanoseconds on a press is long.
    public var longPress: UInt64
    /// Within how many nanoseconds after it was let go a second press makes a double one; 0 tells each press at once.
    public var doublePress: UInt64
    /// How long a tap may last, in nanoseconds.
    public var tap: UInt64
    /// How far fingers may move before it is no tap, in hundredths of a millimetre.
    public var slop: Int
    /// How far fingers must move for a swipe, in hundredths of a millimetre.
    public var swipe: Int
    /// How long a swipe may last, in nanoseconds.
    public var swipeTime: UInt64
    /// How far a finger moves for one step of the focus, in hundredths of a millimetre; above 0.
    public var focusStep: Int

    /// States limits; a `focusStep` below 1 is 1. The defaults: 500 ms for a long press as desktop and phone toolkits
    /// have it; no double press, since waiting for one delays every press; a tap of 250 ms and 4 mm, a swipe of 10 mm in
    /// 500 ms and a focus step of 8 mm are ours; published taps on a pad of unknown size go 3.5 mm.
    public init(
        longPress: UInt64 = InputLayout.defaultLongPress, doublePress: UInt64 = 0, tap: UInt64 = 250_000_000,
        slop: Int = 400, swipe: Int = 1_000, swipeTime: UInt64 = 500_000_000, focusStep: Int = 800
    ) {
        self.longPress = longPress
        self.doublePress = doublePress
        self.tap = tap
        self.slop = slop
        self.swipe = swipe
        self.swipeTime = swipeTime
        self.focusStep = max(1, focusStep)
    }
}
