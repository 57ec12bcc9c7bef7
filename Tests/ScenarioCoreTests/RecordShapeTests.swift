import RigModel
import ScenarioCore
import Testing

/// The paths that conditions may name are those that the model publishes: no more, no fewer.
@Suite struct RecordShapeTests {
    /// Events that together have every field of every record.
    static let samples: [Event] = {
        var facts = DeviceFacts(
            kind: .iPhone, profile: "iphone", vendor: 0x05AC, product: 0x12A8, serial: "S", port: "1-1",
            manufacturer: "M", model: "N", origin: .simulated)
        facts.mode = "03030300"
        facts.isCarPlayCapable = true
        let reason = Reason("code", .peer, "text")
        var phone = PhoneConditions(
            trusted: false, trustAfter: 1_000_000, refuse: .session, misorder: .offerFirst,
            linkVersion: 2)
        for answer in PhoneAnswer.allCases { phone.delays[answer] = 1_000_000 }
        var device = Device(id: DeviceID(1), name: "a", facts: facts, peer: .wire, phone: phone)
        device.nextTry = 1
        device.session = SessionID(1)
        device.reason = reason
        var session = Session(
            id: SessionID(1), device: device.reference, link: LinkID(1), role: .headUnit, peer: .wire, openedAt: 1)
        session.waiting = .locked
        session.activeAt = 2
        session.headUnit = "H"
        var authentication = SessionAuthentication(signer: .libcrypto, shape: .p256)
        authentication.subject = "CN=x"
        authentication.serial = "01"
        authentication.verdict = "accepted"
        session.authentication = authentication
        session.reason = reason
        let description = DisplayDescription(
            name: "main", pixels: PixelSize(width: 8, height: 4), widthMillimetres: 1, heightMillimetres: 1)
        let display = Display(session: session.id, description: description, origin: .declared)
        let app = App(id: AppID(1), name: "n", device: "a", session: session.id, uid: 1)
        let input = InputReference(id: InputID(1), source: "s", revision: 1, tag: "t", late: 2_000_000)
        let contact = Contact(id: 0, point: PixelPoint(x: 1, y: 2), phase: .began)
        let padContact = PadContact(id: 0, point: PadPoint(x: 1, y: 2), phase: .began)
        let fault = Fault(
            id: FaultID(1),
            request: FaultRequest(
                .delay, device: "a", place: .during(.active), after: 1, count: 2, duration: 1_000_000),
            device: device.reference)
        let since = Fault(
            id: FaultID(2), request: FaultRequest(.unplug, place: .since(.active), afterBytes: 9), device: nil)
        let strike = FaultStrike(direction: .toDevice, packet: 1, phase: .active, bytes: 9, effect: "e", suppressed: 1)
        var vehicle = Vehicle()
        vehicle.measures.speed = 1
        vehicle.measures.gear = .drive
        vehicle.measures.parkingBrake = true
        vehicle.measures.ambientLight = 2
        vehicle.measures.location = VehicleLocation(latitude: 1, longitude: 2, altitude: 3, heading: 4, accuracy: 5)
        vehicle.measures.battery = 3
        vehicle.measures.fuel = 4
        vehicle.measures.range = 5
        vehicle.measures.rangeLow = false
        vehicle.automatic = [.keyboard]
        vehicle.track = TrackProgress(point: 1, points: 2)
        let derivation = VehicleDerivation(
            property: .keyboard, value: "limited", cause: .speed, measured: "9m/s", rule: "r")
        let payloads: [EventPayload] = [
            .none, .device(device), .session(session), .display(display),
            .vehicle(vehicle, changed: [.speed], derivation: derivation),
            .input(.knob(.rotate(detents: 1))), .input(.knob(.pressed)),
            .input(.knob(.released(held: 1, long: true))), .input(.knob(.nudge(.up, down: true))),
            .input(.knob(.nudge(.up, down: false))), .input(.touch(TouchEvent(contacts: [contact]))),
            .intent(.pressTurn(detents: 1)), .intent(.swipe(.left, fingers: 1, speed: 2)), .intent(.scroll(x: 1, y: 2)),
            .input(.touchpad(TouchpadEvent(contacts: [padContact]))), .input(.key(KeyEvent(key: .home, down: true))),
            .step(.read, app: app.id), .app(app), .text("t"), .lost(from: 1, to: 2, merged: 1),
            .irregularity(
                Irregularity(
                    layer: .link, end: .rig, rule: "r", offset: 1, length: 1, party: .peer, reaction: "drop", text: "t",
                    suppressed: 1)),
            .file(LinkFile(transfer: 1, type: 2, size: 3, sender: .phone)),
            .message(LinkMessage(name: "n", number: "0x1", sender: .phone, fields: .string("any shape"))),
            .fault(fault, strike: strike, ending: .usedUp), .fault(since),
        ]
        return payloads.map {
            Event(
                time: 1, kind: .mark, origin: .observed, device: device.reference, session: session.id,
                display: display.name, input: input, payload: $0, reason: reason)
        }
    }()

    private static func paths(_ value: RecordValue) -> [String] {
        switch value {
        case .null: []
        case .bool, .int, .double, .string: [""]
        case .array(let values): values.first.map { paths($0).map { $0.isEmpty ? "0" : "0.\($0)" } } ?? []
        case .object(let fields):
            fields.flatMap { field in paths(field.value).map { $0.isEmpty ? field.name : "\(field.name).\($0)" } }
        }
    }

    @Test func thePathsAreThoseOfTheRecords() {
        let published = Set(Self.samples.flatMap { Self.paths($0.record) })
        #expect(Set(Scenario.conditionPaths).symmetricDifference(published).sorted() == [])
    }

    @Test func everyPathCanBeAskedForWithTheValueThatIsThere() throws {
        for sample in Self.samples {
            for path in Self.paths(sample.record) {
                guard let value = sample.record.value(at: path) else { throw WrongShape() }
                let text: String
                switch value {
                case .string(let word): text = "\"\(word)\""
                default: text = EventText.value(value)
                }
                var run = ScenarioRun(
                    try Scenario(parsing: "expect mark where \(path) = \(text)", file: "t.rig"), name: "t")
                var actions: [ScenarioAction] = []
                run.start(now: 0, into: &actions)
                run.received(sample, now: 0, into: &actions)
                run.deadlineReached(now: 0, into: &actions)
                #expect(run.isFinished, "\(path) = \(text)")
            }
        }
    }

    @Test func theWordsOfAFieldAreThoseOfTheModel() throws {
        for phase in SessionPhase.allCases {
            _ = try EventCondition(parsing: "sessionState.phase = \(phase.rawValue)")
        }
        let gestures: [KnobEvent] = [
            .rotate(detents: 1), .pressed, .released(held: 1, long: false), .nudge(.up, down: true),
            .nudge(.up, down: false),
        ]
        for gesture in gestures {
            guard case .string(let word)? = gesture.record.value(at: "gesture") else { throw WrongShape() }
            _ = try EventCondition(parsing: "knob.gesture = \(word)")
        }
    }
}
