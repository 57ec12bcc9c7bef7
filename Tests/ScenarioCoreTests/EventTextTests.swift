import RigModel
import ScenarioCore
import Testing

@Suite struct EventTextTests {
    private static func event(
        _ kind: EventKind, _ payload: EventPayload = .none, device: (String, UInt32)? = ("phone", 1),
        session: UInt32? = nil, display: String? = nil, input: InputReference? = nil, reason: Reason? = nil,
        origin: Origin = .simulated
    ) -> Event {
        Event(
            time: 0, kind: kind, origin: origin, device: device.map { DeviceReference(name: $0.0, generation: $0.1) },
            session: session.map(SessionID.init), display: display, input: input, payload: payload, reason: reason)
    }

    private static func device(_ change: (inout Device) -> Void = { _ in }) -> EventPayload {
        let facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated)
        var device = Device(
            id: DeviceID(1), name: "phone", facts: facts, peer: .simulated, phone: PhoneConditions())
        change(&device)
        return .device(device)
    }

    private static func session(_ change: (inout Session) -> Void) -> EventPayload {
        var session = Session(
            id: SessionID(1), device: DeviceReference(name: "phone", generation: 1), link: LinkID(1), role: .headUnit,
            peer: .simulated, openedAt: 1_000_000)
        change(&session)
        return .session(session)
    }

    private static func display(_ change: (inout Display) -> Void = { _ in }) -> EventPayload {
        let description = DisplayDescription(
            name: "main", pixels: PixelSize(width: 1920, height: 720), scaleHundredths: 300, widthMillimetres: 1,
            heightMillimetres: 1)
        var display = Display(session: SessionID(1), description: description, origin: .simulated)
        change(&display)
        return .display(display)
    }

    private static let pulled = Reason("surpriseRemoval", .device, "the device is gone")
    private static let injected = InputReference(id: InputID(7), source: "injected")

    static let lines: [(Event, String)] = [
        (event(.deviceAttached, device()), "device.attached   phone      iphone, simulated"),
        (
            event(
                .deviceAttached,
                device {
                    $0.generation = 2
                    $0.identity = .portWithinWindow
                    $0.facts.port = "1-1.4"
                }, device: ("phone", 2), origin: .observed),
            "device.attached   phone#2    iphone, port 1-1.4, back again, known by port within window, observed"
        ),
        (
            event(.deviceChanged, device { $0.state = .failed }, reason: pulled),
            "device.changed    phone      iphone, failed, surpriseRemoval: the device is gone"
        ),
        (event(.deviceDetached, device()), "device.detached   phone"),
        (
            event(.deviceRefused, device: nil, reason: Reason("limitReached", .local, "64 are there")),
            "device.refused               limitReached: 64 are there"
        ),
        (event(.phoneChanged, device { $0.phone?.locked = true }), "phone.changed     phone      locked"),
        (
            event(
                .phoneChanged,
                device { $0.phone = PhoneConditions(trusted: false, slow: 200_000_000, refuse: .identification) }),
            "phone.changed     phone      unlocked, not trusted, answers 200ms later, refuses identification"
        ),
        (
            event(.phoneChanged, device { $0.phone = PhoneConditions(carPlay: false, linkVersion: 2) }),
            "phone.changed     phone      unlocked, CarPlay off, speaks link version 2"
        ),
        (
            event(
                .faultArmed, .fault(Fault(id: FaultID(1), request: FaultRequest(.drop), device: nil)), device: nil,
                origin: .declared), "fault.armed                  f1, drop fromDevice, waits for the next device"
        ),
        (
            event(
                .faultArmed,
                .fault(
                    Fault(
                        id: FaultID(2),
                        request: FaultRequest(
                            .stall, device: "phone", direction: .both, place: .since(.active), after: 3, count: nil,
                            duration: 1_500_000_000, keep: true),
                        device: DeviceReference(name: "phone", generation: 1)))),
            "fault.armed       phone      f2, stall both from active after 3 always for 1.5s keep"
        ),
        (
            event(
                .faultStruck,
                .fault(
                    Fault(
                        id: FaultID(1), request: FaultRequest(.drop, place: .packet(.challenge), count: 2),
                        device: nil),
                    strike: FaultStrike(
                        direction: .fromDevice, packet: 4, phase: .authenticating, bytes: 40, effect: "it is lost"))),
            "fault.struck      phone      f1, drop, from the device, packet 4 of 40 bytes, authenticating, it is lost"
        ),
        (
            event(
                .faultCleared,
                .fault(
                    Fault(id: FaultID(1), request: FaultRequest(.drop, place: .packet(.challenge)), device: nil),
                    ending: .usedUp)),
            "fault.cleared     phone      f1, drop fromDevice at challenge, used up, never struck"
        ),
        (
            event(.sessionOpened, session { _ in }, session: 1),
            "session.opened    phone      s1, the rig is the head unit, simulated peer"
        ),
        (
            event(.sessionPhase, session { $0.phase = .identifying }, session: 1),
            "session.phase     phone      s1, identifying"
        ),
        (
            event(.sessionWaiting, session { $0.waiting = .locked }, session: 1),
            "session.waiting   phone      s1, waits, the phone is locked"
        ),
        (event(.sessionWaiting, session { _ in }, session: 1), "session.waiting   phone      s1, waits no longer"),
        (
            event(
                .sessionActive,
                session {
                    $0.headUnit = "Bench"
                    $0.activeAt = 83_400_000
                }, session: 1), "session.active    phone      s1, Bench, 82.4ms after it was opened"
        ),
        (
            event(.sessionClosed, session { _ in }, session: 1, reason: pulled),
            "session.closed    phone      s1, surpriseRemoval: the device is gone"
        ),
        (
            event(.displayAdded, display(), display: "s1/main"),
            "display.added     phone      s1/main, 1920x720@3, touchscreen"
        ),
        (
            event(
                .displayChanged,
                display {
                    $0.revision = 4
                    $0.description.currentViewArea = 1
                    $0.description.appearance = .dark
                    $0.description.limitedUI = LimitedUI(keyboard: true, lists: true)
                }, display: "s1/main"),
            "display.changed   phone      s1/main, 1920x720@3, revision 4, view area 1, dark, limited: keyboard and lists"
        ),
        (event(.displayRemoved, display(), display: "s1/main"), "display.removed   phone      s1/main"),
        (event(.frontChanged, device: nil, session: 2), "front.changed                s2"),
        (event(.frontChanged, device: nil), "front.changed                none"),
        (
            event(.vehicleChanged, .vehicle(Vehicle(appearance: .dark)), device: nil),
            "vehicle.changed              dark, driver left"
        ),
        (
            event(.inputKnob, .input(.knob(.rotate(detents: 3))), input: injected),
            "input.knob        phone      rotate +3"
        ),
        (
            event(
                .inputKnob, .input(.knob(.rotate(detents: -3))), display: "s1/main",
                input: InputReference(id: InputID(1), source: "knob-1", tag: "t")),
            "input.knob        phone      rotate -3, on s1/main, from knob-1, tag t"
        ),
        (
            event(
                .inputKnob, .input(.knob(.rotate(detents: 1))),
                input: InputReference(id: InputID(1), source: "injected", late: 31_500_000)),
            "input.knob        phone      rotate +1, 31.5ms late"
        ),
        (event(.inputKnob, .input(.knob(.pressed)), device: nil), "input.knob                   press"),
        (
            event(.inputKnob, .input(.knob(.released(held: 800_000_000, long: true)))),
            "input.knob        phone      release after 800ms, a long press"
        ),
        (event(.inputKnob, .input(.knob(.nudge(.upLeft, down: true)))), "input.knob        phone      nudge up left"),
        (
            event(.inputKnob, .input(.knob(.nudge(.upLeft, down: false)))),
            "input.knob        phone      nudge up left over"
        ),
        (
            event(
                .inputTouch,
                .input(
                    .touch(
                        TouchEvent(
                            contacts: [Contact(id: 0, point: PixelPoint(x: 4, y: 5), phase: .began)],
                            outsideSafeArea: true)))), "input.touch       phone      began 4,5, outside the safe area"
        ),
        (
            event(
                .inputTouchpad,
                .input(
                    .touchpad(
                        TouchpadEvent(contacts: [
                            PadContact(id: 0, point: PadPoint(x: 5_000, y: 1_250), phase: .moved),
                            PadContact(id: 1, point: PadPoint(x: 0, y: 10_000), phase: .ended),
                        ])))), "input.touchpad    phone      0: moved 50%,12.5%  1: ended 0%,100%"
        ),
        (
            event(.inputKey, .input(.key(KeyEvent(key: .hangUp, down: true)))),
            "input.key         phone      hangUp down"
        ),
        (
            event(.inputIntent, .intent(.swipe(.left, fingers: 2, speed: 310))),
            "input.intent      phone      swipe left 2 fingers 310 mm/s"
        ),
        (event(.inputIntent, .intent(.pressTurn(detents: -2))), "input.intent      phone      pressTurn -2 detents"),
        (event(.inputIntent, .intent(.scroll(x: 0, y: -150))), "input.intent      phone      scroll 0,-1.5 mm"),
        (
            event(.inputStep, .step(.read, app: AppID(2)), input: injected),
            "input.step        phone      input 7, read, app-2"
        ),
        (
            event(.inputLost, device: nil, input: InputReference(id: InputID(1), source: "knob-1")),
            "input.lost                   knob-1"
        ),
        (
            event(
                .appLaunched, .app(App(id: AppID(1), name: "Maps", device: nil, session: SessionID(1), uid: 1)),
                device: nil), "app.launched                 app-1, Maps, in s1"
        ),
        (
            event(
                .linkIrregularity,
                .irregularity(
                    Irregularity(
                        layer: .link, end: .partner, rule: "garbage", offset: 9, party: .device, reaction: "drop",
                        text: "3 bytes belong to no packet", suppressed: 2))),
            "link.irregularity phone      garbage: 3 bytes belong to no packet, drop, seen by the partner, 2 more before it"
        ),
        (
            event(
                .messageReceived,
                .message(
                    LinkMessage(
                        name: "DeviceLanguageUpdate", number: "0x4E0A", sender: .phone,
                        fields: .object([RecordField("language", .string("en"))])))),
            "message.received  phone      DeviceLanguageUpdate, {language: 'en'}"
        ),
        (
            event(
                .messageSent,
                .message(LinkMessage(name: "0x7777", number: "0x7777", sender: .headUnit, fields: .object([])))),
            "message.sent      phone      0x7777"
        ),
        (
            event(.fileReceived, .file(LinkFile(transfer: 128, type: 2, size: 4_096, sender: .phone))),
            "file.received     phone      4096 bytes, type 2, from the phone"
        ),
        (
            event(.appEnded, .app(App(id: AppID(1), name: "Maps", device: nil, session: nil, uid: 1)), device: nil),
            "app.ended                    app-1, Maps"
        ),
        (event(.configurationReloaded, device: nil), "configuration.reloaded"),
        (event(.configurationRefused, .text("no"), device: nil), "configuration.refused            no"),
        (event(.leaseTaken, .text("x taken"), device: nil), "lease.taken                  x taken"),
        (event(.mark, .text("hello"), device: nil), "mark                         hello"),
        (event(.resync, device: nil), "resync"),
        (
            event(.streamLost, .lost(from: 4, to: 9, merged: 2), device: nil),
            "stream.lost                  4 to 9, 2 of them merged"
        ),
    ]

    @Test(arguments: lines.indices)
    func anEventIsOneLine(_ index: Int) {
        #expect(EventText.line(Self.lines[index].0) == Self.lines[index].1)
    }

    @Test func everyKindHasALineOfItsOwn() {
        let kinds = Set(Self.lines.map(\.0.kind))
        #expect(EventKind.allCases.filter { !kinds.contains($0) } == [])
        for kind in EventKind.allCases {
            // Without any payload it is still a line that names its kind.
            #expect(EventText.line(Self.event(kind)).hasPrefix(kind.rawValue))
        }
    }

    @Test func aKindOfALaterVersionIsShownWithItsFields() {
        let record = RecordValue.record([
            RecordField("sequence", .int(1)), RecordField("kind", .string("scene.pushed")),
            RecordField("device", .string("phone")), RecordField("generation", .int(3)),
            RecordField("scene", .record([RecordField("id", .string("x")), RecordField("depth", .double(2))])),
        ])
        #expect(EventText.line(record) == "scene.pushed      phone#3    scene {id: 'x', depth: 2}")
        #expect(EventText.line(.int(3)) == "event                        3")
    }

    @Test func whatOthersWroteCannotMoveTheCursor() {
        let line = EventText.line(Self.event(.mark, .text("a\u{1B}[2Jb\nc\u{202E}d"), device: nil))
        #expect(line == "mark                         a\\u{1B}[2Jb\\nc\\u{202E}d")
    }

    @Test func everyShapeOfRecordHasALine() {
        var random = SeededRandom(seed: 5)
        for round in 0..<3_000 {
            let record = Self.anything(&random, depth: 3)
            let line = EventText.line(record)
            #expect(!line.isEmpty && !line.contains("\n"), "seed 5, round \(round)")
        }
    }

    private static func anything(_ random: inout SeededRandom, depth: Int) -> RecordValue {
        let names = [
            "kind", "device", "generation", "session", "display", "knob", "touch", "contacts", "reason", "code", "x",
            "deviceState", "sessionState", "displayState", "openedAt", "activeAt", "input", "lost", "since", "phone",
        ]
        switch random.next() % (depth > 0 ? 9 : 6) {
        case 0: return .null
        case 1: return .bool(random.next() % 2 == 0)
        case 2: return .int(Int64(bitPattern: random.next()))
        case 3: return .double(Double(Int64(bitPattern: random.next())) * 1e10)
        case 4: return .string(EventKind.allCases.randomElement(using: &random)?.rawValue ?? "")
        case 5: return .string(["rotate", "release", "nudge", "\u{0}", "", "wire"].randomElement(using: &random) ?? "")
        case 6: return .array((0..<random.next() % 3).map { _ in anything(&random, depth: depth - 1) })
        default:
            return .record(
                names.shuffled(using: &random).prefix(Int(random.next() % 8)).map {
                    RecordField($0, anything(&random, depth: depth - 1))
                })
        }
    }
}
