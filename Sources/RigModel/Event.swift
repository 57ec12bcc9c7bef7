/// The kinds of events. The text is what the socket carries; clients ignore kinds that they do not know.
public enum EventKind: String, Sendable, CaseIterable {
    case deviceAttached = "device.attached"
    case deviceChanged = "device.changed"
    case deviceDetached = "device.detached"
    case deviceRefused = "device.refused"
    case phoneChanged = "phone.changed"
    case sessionOpened = "session.opened"
    case sessionPhase = "session.phase"
    case sessionWaiting = "session.waiting"
    case sessionActive = "session.active"
    case sessionClosed = "session.closed"
    case linkIrregularity = "link.irregularity"
    case messageSent = "message.sent"
    case messageReceived = "message.received"
    case fileReceived = "file.received"
    case displayAdded = "display.added"
    case displayChanged = "display.changed"
    case displayRemoved = "display.removed"
    case frontChanged = "front.changed"
    case vehicleChanged = "vehicle.changed"
    case inputKnob = "input.knob"
    case inputTouch = "input.touch"
    case inputTouchpad = "input.touchpad"
    case inputKey = "input.key"
    case inputIntent = "input.intent"
    case inputStep = "input.step"
    case inputLost = "input.lost"
    case appLaunched = "app.launched"
    case appEnded = "app.ended"
    case configurationReloaded = "configuration.reloaded"
    case configurationRefused = "configuration.refused"
    case faultArmed = "fault.armed"
    case faultStruck = "fault.struck"
    case faultCleared = "fault.cleared"
    case leaseTaken = "lease.taken"
    case mark = "mark"
    case resync = "resync"
    case streamLost = "stream.lost"

    /// One line of what the kind means, for the documentation and `--help`.
    public var meaning: String {
        switch self {
        case .deviceAttached: "a device was plugged in, or came back with a new generation"
        case .deviceChanged: "a device's state or facts changed"
        case .deviceDetached: "a device is gone; the reason says how"
        case .deviceRefused: "a device is left alone because a limit is reached; the reason says which"
        case .phoneChanged: "a phone was locked, unlocked, trusted, slowed down or told to refuse"
        case .sessionOpened: "a link is open and its handshake begins"
        case .sessionPhase: "the handshake reached its next phase"
        case .sessionWaiting: "the handshake waits for a person: the phone is locked or not trusted"
        case .sessionActive: "the session is active; its displays are declared"
        case .sessionClosed: "the session is over; the reason says why"
        case .linkIrregularity: "something on a link was damaged or against the rules; it says what was done about it"
        case .messageSent: "the rig's end of a session sent a message that is no part of the handshake"
        case .messageReceived: "the rig's end of a session received a message that is no part of the handshake"
        case .fileReceived: "the other side has sent a whole file on the file transfer channel"
        case .displayAdded: "a display was declared"
        case .displayChanged: "a display changed; its revision is one higher"
        case .displayRemoved: "a display is gone with its session"
        case .frontChanged: "another session, or none, is in front"
        case .vehicleChanged: "the vehicle changed: it was set, a track went on, or a rule decided something"
        case .inputKnob: "a knob was turned, pressed or nudged"
        case .inputTouch: "one frame of a touchscreen"
        case .inputTouchpad: "one frame of a touchpad"
        case .inputKey: "a key went down or up"
        case .inputIntent:
            "what was meant: a press, a long or double one, a tap, a swipe, a scroll, a step of the focus"
        case .inputStep: "an input event was delivered to, or read by, its target"
        case .inputLost: "events of an input device were lost, or it holds more than is taken; the reason says which"
        case .appLaunched: "an app declared its manifest"
        case .appEnded: "an app's connection is closed"
        case .configurationReloaded: "the configuration was read again"
        case .configurationRefused: "a changed configuration has an error; the old one stays"
        case .faultArmed: "a fault is set, or has found the device that it waited for"
        case .faultStruck: "a fault did something to a link; the strike says what"
        case .faultCleared: "a fault is there no more: used up, cleared, or gone with its device"
        case .leaseTaken: "somebody took from a run what it held, and so ended it; the text says whose it was"
        case .mark: "somebody wrote a line into the timeline"
        case .resync: "a bus lost events; the whole state was read again"
        case .streamLost: "this stream lost or merged events; the numbers say which"
        }
    }
}

/// What an event carries beside its head: whatever its kind needs.
///
/// What is large and rare lies apart (`indirect`): an event of input, which is copied and kept thousands of times a second,
/// is not as large as a device.
public enum EventPayload: Equatable, Sendable {
    /// Nothing more.
    case none
    /// The device as it is now.
    indirect case device(Device)
    /// The session as it is now.
    indirect case session(Session)
    /// The display as it is now.
    indirect case display(Display)
    /// The vehicle as it is now, what of it changed, and why where a rule decided it.
    indirect case vehicle(Vehicle, changed: [VehicleField] = [], derivation: VehicleDerivation? = nil)
    /// What an input device did.
    case input(InputEvent)
    /// What was meant by what an input device did.
    case intent(InputIntent)
    /// How far an input event has come.
    case step(InputStep, app: AppID?)
    /// The app as it is now.
    indirect case app(App)
    /// What was wrong on a link.
    indirect case irregularity(Irregularity)
    /// What was said on the control session.
    indirect case message(LinkMessage)
    /// A file that came over a link.
    indirect case file(LinkFile)
    /// The fault as it is now, with what it did or why it is gone.
    indirect case fault(Fault, strike: FaultStrike? = nil, ending: FaultEnding? = nil)
    /// A line of text.
    case text(String)
    /// Sequence numbers `from` to `to` are missing in this stream, `merged` of them as part of a later event.
    case lost(from: UInt64, to: UInt64, merged: UInt64)
}

/// The input part of an event's head.
public struct InputReference: Equatable, Sendable {
    /// The event's number.
    public var id: InputID
    /// The input device: `knob-1`, or `injected`.
    public var source: String
    /// The revision of the display it was scaled with, where it has a display.
    public var revision: UInt32?
    /// The caller's tag, when it was injected with one.
    public var tag: String?
    /// By how many nanoseconds an injected event was sent later than it was due, when that is worth telling.
    public var late: UInt64?

    /// Injected input that is sent so much later than it was due tells it: 2 ms, which an idle rig stays below.
    public static let toldLateness: UInt64 = 2_000_000

    /// States a reference.
    public init(id: InputID, source: String, revision: UInt32? = nil, tag: String? = nil, late: UInt64? = nil) {
        self.id = id
        self.source = source
        self.revision = revision
        self.tag = tag
        self.late = late
    }
}

/// One published fact. The only record type of both sockets.
public struct Event: Equatable, Sendable {
    /// One counter for the whole rig, from 1. Holes in a filtered stream mean nothing.
    public var sequence: UInt64
    /// Nanoseconds of CLOCK_MONOTONIC from the daemon's start.
    public var time: UInt64
    /// What happened.
    public var kind: EventKind
    /// Where the fact comes from.
    public var origin: Origin
    /// The device it is about.
    public var device: DeviceReference?
    /// The session it is about.
    public var session: SessionID?
    /// The display it is about: `s1/main`.
    public var display: String?
    /// For input: which, from where.
    public var input: InputReference?
    /// What the kind needs beside.
    public var payload: EventPayload
    /// Why, where there is a reason.
    public var reason: Reason?

    /// States an event. The sequence number is given when it is published.
    public init(
        sequence: UInt64 = 0, time: UInt64, kind: EventKind, origin: Origin, device: DeviceReference? = nil,
        session: SessionID? = nil, display: String? = nil, input: InputReference? = nil,
        payload: EventPayload = .none, reason: Reason? = nil
    ) {
        self.sequence = sequence
        self.time = time
        self.kind = kind
        self.origin = origin
        self.device = device
        self.session = session
        self.display = display
        self.input = input
        self.payload = payload
        self.reason = reason
    }
}

extension Event: RecordWritable {
    /// Writes it as it is published.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.field("sequence", sequence)
        sink.field("time", time)
        sink.field("kind", kind.rawValue)
        sink.field("origin", origin.rawValue)
        if let device {
            sink.field("device", device.name)
            sink.field("generation", device.generation)
        }
        if let session { sink.field("session", session.name) }
        if let display { sink.field("display", display) }
        if let input { sink.field("input", input) }
        payload.write(into: &sink)
        if let reason { sink.field("reason", reason.record) }
        sink.endObject()
    }
}

extension InputReference: RecordWritable {
    /// Writes it as it is published.
    public func write(into sink: inout some RecordSink) {
        sink.beginObject()
        sink.field("id", id.number)
        sink.field("source", source)
        if let revision { sink.field("revision", revision) }
        if let tag { sink.field("tag", tag) }
        if let late { sink.field("lateMicroseconds", late / 1_000) }
        sink.endObject()
    }
}

extension EventPayload {
    /// Writes what the kind needs, as fields of the event.
    fileprivate func write(into sink: inout some RecordSink) {
        switch self {
        case .none: break
        case .device(let device): sink.field("deviceState", device.record)
        case .session(let session): sink.field("sessionState", session.record)
        case .display(let display): sink.field("displayState", display.record)
        case .vehicle(let vehicle, let changed, let derivation):
            sink.field("vehicle", vehicle.record)
            sink.field("changed", .array(changed.map { .string($0.rawValue) }))
            if let derivation { sink.field("derivation", derivation.record) }
        case .input(.knob(let knob)): sink.field("knob", knob)
        case .input(.touch(let touch)): sink.field("touch", touch)
        case .input(.touchpad(let touchpad)): sink.field("touchpad", touchpad)
        case .input(.key(let key)): sink.field("key", key)
        case .intent(let intent): sink.field("intent", intent)
        case .step(let step, let app):
            sink.field("step", step.rawValue)
            if let app { sink.field("app", app.name) }
        case .app(let app):
            sink.field("app", app.id.name)
            sink.field("appState", app.record)
        case .irregularity(let irregularity): sink.field("irregularity", irregularity.record)
        case .message(let message): sink.field("message", message.record)
        case .file(let file): sink.field("file", file.record)
        case .fault(let fault, let strike, let ending):
            sink.field("fault", fault.id.name)
            sink.field("faultState", fault.record)
            if let strike { sink.field("strike", strike.record) }
            if let ending { sink.field("ending", ending.rawValue) }
        case .text(let text): sink.field("text", text)
        case .lost(let from, let to, let merged):
            sink.key("lost")
            sink.beginObject()
            sink.field("first", from)
            sink.field("last", to)
            sink.field("merged", merged)
            sink.endObject()
        }
    }
}
