/// Bits of a frame that stand next to each other within one byte.
public struct CANBits: Equatable, Sendable {
    /// Which byte, 0 to 7.
    public let place: Int
    /// Which of its bits: a run of ones.
    public let mask: UInt8

    /// States bits; `nil` where the byte is none of a frame's, or the mask is no run of ones.
    public init?(place: Int, mask: UInt8 = 0xFF) {
        guard (0..<CANFrame.maximumBytes).contains(place), mask != 0 else { return nil }
        let run = mask >> UInt8(mask.trailingZeroBitCount)
        guard run & (run &+ 1) == 0 else { return nil }
        self.place = place
        self.mask = mask
    }

    /// How many bits these are.
    public var width: Int { mask.nonzeroBitCount }

    /// What they say, from 0; `nil` where the frame is too short.
    public func value(in frame: CANFrame) -> UInt8? {
        frame.byte(place).map { ($0 & mask) >> UInt8(mask.trailingZeroBitCount) }
    }
}

/// A number without a sign that a frame carries, in one or several pieces.
public struct CANNumber: Equatable, Sendable {
    /// Its pieces, the lowest bits first.
    public let parts: [CANBits]

    /// States a number; `nil` where it has no pieces or more bits than `maximumWidth`.
    public init?(_ parts: [CANBits]) {
        guard !parts.isEmpty, parts.reduce(0, { $0 + $1.width }) <= Self.maximumWidth else { return nil }
        self.parts = parts
    }

    /// The most bits: ours, so that a counter and its differences fit 32 bits with a sign. The widest known has 16.
    public static let maximumWidth = 24

    /// The largest value, from 1 to 2^24 - 1.
    public var maximum: Int32 { Int32(1) << Int32(parts.reduce(0) { $0 + $1.width }) - 1 }

    /// What a frame says; `nil` where it is too short.
    public func value(in frame: CANFrame) -> Int32? {
        var value: Int32 = 0
        var shift: Int32 = 0
        for part in parts {
            guard let bits = part.value(in: frame) else { return nil }
            value |= Int32(bits) << shift
            shift += Int32(part.width)
        }
        return value
    }
}

/// Whether a byte, or some of its bits, are one of some values.
public struct CANTest: Equatable, Sendable {
    /// Which byte, 0 to 7.
    public let place: Int
    /// Which of its bits are looked at.
    public let mask: UInt8
    /// What they may be, not shifted.
    public let values: [UInt8]

    /// States a test.
    public init(place: Int, mask: UInt8 = 0xFF, values: [UInt8]) {
        self.place = place
        self.mask = mask
        self.values = values
    }

    /// Whether it holds; `nil` where the frame is too short to say.
    public func holds(in frame: CANFrame) -> Bool? { frame.byte(place).map { values.contains($0 & mask) } }
}

/// A button or direction of a controller, and how frames tell it.
public struct CANControl: Equatable, Sendable {
    /// What it does.
    public let meaning: KeyMeaning
    /// In which message it is told.
    public let id: CANIdentifier
    /// Which frames of the message speak of it: those for which all of these hold. Empty for all.
    public let concerns: [CANTest]
    /// When it is down: all of these hold. Never empty.
    public let down: [CANTest]
    /// When a frame only repeats that it is still down, which presses nothing: all of these hold. Empty for never.
    public let held: [CANTest]

    /// States a control.
    public init(
        _ meaning: KeyMeaning, id: CANIdentifier, concerns: [CANTest] = [], down: [CANTest], held: [CANTest] = []
    ) {
        self.meaning = meaning
        self.id = id
        self.concerns = concerns
        self.down = down
        self.held = held
    }
}

/// The counter of a controller's turns: it runs over its ends.
public struct CANTurn: Equatable, Sendable {
    /// In which message it is told.
    public var id: CANIdentifier
    /// The counter, higher clockwise.
    public var counter: CANNumber
    /// How many steps of it make `detents` detents; from 1 to 100,000.
    public var units: Int32 = 1
    /// How many detents `units` steps make; from 1 to 100.
    public var detents: Int32 = 1
    /// True where it counts up when it is turned counter-clockwise.
    public var reversed = false

    /// States a counter of which each step is a detent.
    public init(id: CANIdentifier, counter: CANNumber) {
        self.id = id
        self.counter = counter
    }
}

/// The touchpad on a controller.
public struct CANPad: Equatable, Sendable {
    /// Where one finger is.
    public struct Place: Equatable, Sendable {
        /// From the left edge.
        public let x: CANNumber
        /// From the top edge, or from the bottom.
        public let y: CANNumber

        /// States a place.
        public init(x: CANNumber, y: CANNumber) {
            self.x = x
            self.y = y
        }
    }

    /// A value of `state` and how many fingers it says.
    public struct Count: Equatable, Sendable {
        /// The value.
        public let value: UInt8
        /// The fingers, 0 to 5.
        public let fingers: Int

        /// States a value.
        public init(value: UInt8, fingers: Int) {
            self.value = value
            self.fingers = fingers
        }
    }

    /// In which message it is told.
    public var id: CANIdentifier
    /// Where fingers are that are told apart: one or two.
    public var places: [Place]
    /// Which byte tells how many fingers there are.
    public var state: Int
    /// What it says; a frame with another value says nothing.
    public var counts: [Count]
    /// Whether its rows are counted from the bottom.
    public var isFromBottom = false

    /// States a pad.
    public init(id: CANIdentifier, places: [Place], state: Int, counts: [Count]) {
        self.id = id
        self.places = places
        self.state = state
        self.counts = counts
    }
}

/// A frame that a controller needs to hear.
public struct CANSending: Equatable, Sendable {
    /// When it is sent.
    public enum Rhythm: Equatable, Sendable {
        /// At the beginning, and again when the controller says that it has forgotten it.
        case start
        /// Every so many nanoseconds.
        case every(UInt64)
    }

    /// When it is sent.
    public let rhythm: Rhythm
    /// What is sent; its time says nothing.
    public let frame: CANFrame

    /// States a frame and when it is sent.
    public init(_ rhythm: Rhythm, _ frame: CANFrame) {
        self.rhythm = rhythm
        self.frame = frame
    }
}

/// What the frames of one controller mean.
public struct CANLayout: Equatable, Sendable {
    /// A message that says that the controller has forgotten how it was started.
    public struct Reset: Equatable, Sendable {
        /// The message.
        public let id: CANIdentifier
        /// All of these hold. Never empty.
        public let tests: [CANTest]

        /// States a message.
        public init(id: CANIdentifier, tests: [CANTest]) {
            self.id = id
            self.tests = tests
        }
    }

    /// The counter of its turns, if it has one.
    public var turn: CANTurn?
    /// Its buttons and directions, at most one of each meaning.
    public var controls: [CANControl] = []
    /// Its touchpad, if it has one.
    public var pad: CANPad?
    /// Messages that say no more than that it is there.
    public var alive: [CANIdentifier] = []
    /// How it says that it has forgotten how it was started.
    public var reset: Reset?
    /// For how many nanoseconds no frame may come until what it holds is let go.
    public var silence: UInt64 = CANLayout.defaultSilence
    /// What it needs to hear.
    public var sendings: [CANSending] = []

    /// A controller that says nothing.
    public init() {}

    /// 5 s: ours. No source says how often a controller repeats what is held; this is ten times a long press.
    public static let defaultSilence: UInt64 = 5_000_000_000

    /// The messages that are listened to, each once, in the order turn, pad, controls, alive, reset.
    public var identifiers: [CANIdentifier] {
        var ids: [CANIdentifier] = []
        let all = [turn?.id, pad?.id] + controls.map(\.id) + alive + [reset?.id]
        for case .some(let id) in all where !ids.contains(id) { ids.append(id) }
        return ids
    }
}
