/// Where a knob is pushed sideways.
public enum NudgeDirection: String, Sendable, CaseIterable {
    case up, down, left, right, upLeft, upRight, downLeft, downRight
}

/// What a knob did.
public enum KnobEvent: Equatable, Sendable {
    /// It was turned; positive is clockwise. Never 0.
    case rotate(detents: Int32)
    /// It went down.
    case pressed
    /// It came up after `held` nanoseconds; `long` when that is at least the long-press time.
    case released(held: UInt64, long: Bool)
    /// It was pushed sideways, or let go again.
    case nudge(NudgeDirection, down: Bool)
}

extension KnobEvent: RecordWritable {
    /// Writes it as it is published.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        switch self {
        case .rotate(let detents):
            sink.field("gesture", "rotate")
            sink.field("detents", detents)
        case .pressed: sink.field("gesture", "press")
        case .released(let held, let long):
            sink.field("gesture", "release")
            sink.field("heldMilliseconds", held / 1_000_000)
            sink.field("long", long)
        case .nudge(let direction, let down):
            sink.field("gesture", down ? "nudge" : "nudgeEnd")
            sink.field("direction", direction.rawValue)
        }
        sink.endObject()
    }
}

/// What happened to one contact, and to a touch as a whole.
public enum ContactPhase: String, Sendable, CaseIterable {
    /// It touched down.
    case began
    /// It moved.
    case moved
    /// It did not move while another contact did.
    case stationary
    /// It was lifted.
    case ended
    /// It was taken back: the display changed or the device went away.
    case cancelled
}

/// One finger on a display.
public struct Contact: Equatable, Sendable {
    /// 0 to 9, the same from `began` to its end.
    public var id: Int
    /// Where it is, in display pixels.
    public var point: PixelPoint
    /// What it did in this frame.
    public var phase: ContactPhase

    /// States a contact.
    public init(id: Int, point: PixelPoint, phase: ContactPhase) {
        self.id = id
        self.point = point
        self.phase = phase
    }
}

/// One frame of a touchscreen: every contact that is down or was just lifted, in the order of their ids.
public struct TouchEvent: Equatable, Sendable {
    /// The contacts.
    public var contacts: [Contact]
    /// Whether any of them lies outside the display's safe area.
    public var outsideSafeArea: Bool

    /// States a frame.
    public init(contacts: [Contact], outsideSafeArea: Bool = false) {
        self.contacts = contacts
        self.outsideSafeArea = outsideSafeArea
    }
}

extension TouchEvent: RecordWritable {
    /// Writes it as it is published.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.key("contacts")
        sink.beginArray()
        for contact in contacts {
            sink.beginObject()
            sink.field("id", contact.id)
            sink.field("x", contact.point.x)
            sink.field("y", contact.point.y)
            sink.field("phase", contact.phase.rawValue)
            sink.endObject()
        }
        sink.endArray()
        sink.field("outsideSafeArea", outsideSafeArea)
        sink.endObject()
    }
}

/// A place on a touchpad: hundredths of a percent of its width and height, 0 to 10,000, origin top left.
public struct PadPoint: Equatable, Hashable, Sendable {
    /// From the left edge.
    public var x: Int
    /// From the top edge.
    public var y: Int

    /// The largest coordinate: 100 %.
    public static let full = 10_000

    /// States a place.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

/// One finger on a touchpad.
public struct PadContact: Equatable, Sendable {
    /// 0 to 9, the same from `began` to its end.
    public var id: Int
    /// Where it is.
    public var point: PadPoint
    /// What it did in this frame.
    public var phase: ContactPhase

    /// States a contact.
    public init(id: Int, point: PadPoint, phase: ContactPhase) {
        self.id = id
        self.point = point
        self.phase = phase
    }
}

/// One frame of a touchpad: every contact that is down or was just lifted, in the order of their ids.
public struct TouchpadEvent: Equatable, Sendable {
    /// The contacts.
    public var contacts: [PadContact]

    /// States a frame.
    public init(contacts: [PadContact]) { self.contacts = contacts }
}

extension TouchpadEvent: RecordWritable {
    /// Places are percentages from 0 to 100.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.key("contacts")
        sink.beginArray()
        for contact in contacts {
            sink.beginObject()
            sink.field("id", contact.id)
            sink.field("x", Double(contact.point.x) / 100)
            sink.field("y", Double(contact.point.y) / 100)
            sink.field("phase", contact.phase.rawValue)
            sink.endObject()
        }
        sink.endArray()
        sink.endObject()
    }
}

/// The keys of a car.
public enum Key: String, Sendable, CaseIterable {
    case home, back, voice
    case play, pause, playPause, next, previous
    case call, hangUp, hookSwitch, mute
    case up, down, left, right, select
}

/// A key that went down or up.
public struct KeyEvent: Equatable, Sendable {
    /// Which key.
    public var key: Key
    /// Down or up.
    public var down: Bool

    /// States a key event.
    public init(key: Key, down: Bool) {
        self.key = key
        self.down = down
    }
}

extension KeyEvent: RecordWritable {
    /// Writes it as it is published.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.field("key", key.rawValue)
        sink.field("down", down)
        sink.endObject()
    }
}

/// What an input device did, whatever the device is: evdev, HID on the link, or injection.
public enum InputEvent: Equatable, Sendable {
    case knob(KnobEvent)
    case touch(TouchEvent)
    case touchpad(TouchpadEvent)
    case key(KeyEvent)

    /// True for events that only say "further": turns and moves. They may be merged for a slow client; the others
    /// never are.
    public var isMotion: Bool {
        switch self {
        case .knob(.rotate): true
        case .knob(.pressed), .knob(.released), .knob(.nudge): false
        case .touch(let touch): touch.contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
        case .touchpad(let touch): touch.contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
        case .key: false
        }
    }
}
