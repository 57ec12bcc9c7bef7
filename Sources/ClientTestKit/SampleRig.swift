import DashrigClient
public import RigModel
public import VarlinkProtocol

/// A rig with a phone, as values of the model.
public enum SampleRig {
    /// What `GetState` answers.
    public static func state(
        epoch: String = "e1", sequence: UInt64 = 41, devices: [Device] = [], sessions: [Session] = [],
        displays: [Display] = [], apps: [App] = [], front: String? = nil, version: String = "0.1.0"
    ) -> JSONObject {
        let record = RecordValue.record([
            RecordField("epoch", .string(epoch)), RecordField("sequence", .number(sequence)),
            RecordField("time", .int(192_000_000_000)), RecordField("base", .int(5)), RecordField("realtime", .int(7)),
            RecordField("bootID", .string("b")), RecordField("version", .string(version)),
            RecordField("instance", .string("main")), RecordField("front", .text(front)),
            RecordField("vehicle", Vehicle().record), RecordField("devices", .array(devices.map(\.record))),
            RecordField("sessions", .array(sessions.map(\.record))),
            RecordField("displays", .array(displays.map(\.record))), RecordField("apps", .array(apps.map(\.record))),
        ])
        return JSON(record).objectValue ?? [:]
    }

    /// A simulated phone; `nil` as session: none is open.
    public static func device(
        _ name: String = "iphone-1", state: DeviceState = .active, session: UInt32? = 1, generation: UInt32 = 1,
        reason: Reason? = nil
    ) -> Device {
        let facts = DeviceFacts(
            kind: .iPhone, profile: "iphone", serial: "DASHRIG1", port: "virtual", origin: .simulated)
        var device = Device(id: DeviceID(1), name: name, facts: facts, peer: .simulated, phone: PhoneConditions())
        device.state = state
        device.generation = generation
        device.session = session.map { SessionID($0) }
        device.reason = reason
        return device
    }

    /// The session of a device, as a head unit; active 12.5 ms after it was opened.
    public static func session(
        _ number: UInt32 = 1, _ device: Device = device(), phase: SessionPhase = .active, waiting: SessionWait? = nil,
        reason: Reason? = nil
    ) -> Session {
        var session = Session(
            id: SessionID(number), device: device.reference, link: LinkID(number), role: .headUnit, peer: .simulated,
            openedAt: 1_000_000_000)
        session.phase = phase
        session.waiting = waiting
        session.reason = reason
        if phase == .active { session.activeAt = 1_012_500_000 }
        return session
    }

    /// A display of session 1: 800 × 480 pixels, 160 × 96 mm; the scale is in hundredths.
    public static func display(_ name: String = "main", scale: Int = 200) -> Display {
        let description = DisplayDescription(
            name: name, pixels: PixelSize(width: 800, height: 480), scaleHundredths: scale, widthMillimetres: 160,
            heightMillimetres: 96)
        return Display(session: SessionID(1), description: description, origin: .declared)
    }

    /// A phone with an active session in front, one display and one app.
    public static var full: JSONObject {
        state(
            devices: [device()], sessions: [session()], displays: [display()],
            apps: [App(id: AppID(1), name: "Maps", device: nil, session: SessionID(1), uid: 1_000)], front: "s1")
    }

    /// An event as JSON, 1 ms after the one before it in sequence.
    public static func event(
        _ sequence: UInt64, _ kind: EventKind, device: Device? = nil, _ payload: EventPayload = .none
    )
        -> JSON
    {
        let event = Event(
            sequence: sequence, time: 192_000_000_000 + sequence * 1_000_000, kind: kind, origin: .simulated,
            device: device?.reference, payload: payload)
        return JSON(event.record)
    }
}
