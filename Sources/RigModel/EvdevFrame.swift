/// One raw event of an input device as the kernel gives it, with its time on the clock of every deadline.
public struct EvdevEvent: Equatable, Sendable {
    /// `EV_KEY`, `EV_REL`, ….
    public var type: UInt16
    /// The code inside the type.
    public var code: UInt16
    /// The value.
    public var value: Int32
    /// CLOCK_MONOTONIC in nanoseconds; the kernel counts in microseconds.
    public var time: UInt64

    /// States an event.
    public init(type: UInt16, code: UInt16, value: Int32, time: UInt64) {
        self.type = type
        self.code = code
        self.value = value
        self.time = time
    }
}

/// What one report of an input device says: its events up to a SYN_REPORT, which is left out.
///
/// A frame is whole: reports that the kernel tore by dropping events never become one. Whoever takes frames needs to know
/// nothing of SYN_DROPPED.
public struct EvdevFrame: Equatable, Sendable {
    /// Why there is a frame.
    public enum Cause: Sendable, CaseIterable {
        /// The node was opened: this is how it stands. Keys that are down, the place of every absolute axis, every
        /// value of every slot, the empty ones too. Nothing of it happened now. Comes once, before all others, also when
        /// it is empty.
        case initial
        /// The device reported it.
        case reported
        /// Reports were lost; this is what the kernel's state shows to be different from what was told before.
        case recovered
    }

    /// Why there is a frame.
    public var cause: Cause
    /// The events in the device's order. After `recovered` a contact that was exchanged for another is ended by one frame
    /// and the other is begun by the next.
    public var events: [EvdevEvent]
    /// When the report ended, CLOCK_MONOTONIC in nanoseconds. It is the device's word: it may run backwards.
    public var time: UInt64

    /// The most events of a frame. True ones have some dozens; a device with 128 slots of 14 values and 768 keys could
    /// have 2,700 in its first, and no driver makes that many slots.
    public static let maximumEvents = 4_096

    /// States a frame.
    public init(cause: Cause, events: [EvdevEvent] = [], time: UInt64 = 0) {
        self.cause = cause
        self.events = events
        self.time = time
    }
}

/// The range of one absolute axis, as EVIOCGABS gives it.
public struct AbsoluteRange: Equatable, Sendable {
    /// The axis.
    public var code: UInt16
    /// The smallest value. A broken driver may give one above `maximum`.
    public var minimum: Int32
    /// The largest value.
    public var maximum: Int32
    /// Changes up to this are noise that the kernel filters.
    public var fuzz: Int32
    /// Values around the middle up to this are rest; joysticks have it.
    public var flat: Int32
    /// Units per millimetre, for turning axes units per radian; 0 where the driver does not know.
    public var resolution: Int32

    /// States a range.
    public init(
        code: UInt16, minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
    ) {
        self.code = code
        self.minimum = minimum
        self.maximum = maximum
        self.fuzz = fuzz
        self.flat = flat
        self.resolution = resolution
    }
}
