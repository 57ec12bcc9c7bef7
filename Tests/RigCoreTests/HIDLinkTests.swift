import ControlProtocol
import HIDReports
import RigModel
import Testing

@testable import RigCore

/// Input that travels on the link as reports of real devices, in both roles.
@Suite struct HIDLinkTests {
    private func inject(
        _ bench: inout Bench, _ gesture: Gesture, wait: InputStep = .accepted, within: UInt64 = 5 * Bench.second,
        device: String? = nil, tag: String? = nil
    ) -> ClientID {
        let client = bench.connect()
        bench.handle(
            .clientCalled(
                client, .inject(Injection(gesture, device: device, tag: tag), wait: wait, within: within)))
        return client
    }

    private func inputs(_ bench: Bench, from index: Int) -> [InputEvent] {
        bench.events.dropFirst(index).compactMap { event in
            if case .input(let input) = event.payload { input } else { nil }
        }
    }

    private func send(_ bench: inout Bench, _ message: some TypedControlMessage, _ device: String = "car") throws {
        let message = try message.message()
        let name = try #require(MessageCatalogue.layout(of: message.id)?.name)
        let answer = bench.command(
            .send(SendRequest(device: device, message: name, fields: RecordValue(fieldsOf: message))))
        #expect(throws: Never.self) { try answer?.get() }
    }

    private func irregularities(_ bench: Bench, from index: Int) -> [String] {
        bench.events.dropFirst(index).compactMap { event in
            guard case .irregularity(let what) = event.payload, what.layer == .hid else { return nil }
            return "\(what.rule) \(what.reaction) \(what.end.rawValue)"
        }
    }

    // MARK: The rig is the head unit

    /// An input device whose offer cannot be sent: that is told, and the session goes on.
    @Test func anOfferThatCannotBeSentIsTold() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.pass(Bench.second)
        bench.core.links.update(LinkID(1)) { link in
            link.rig.offer(
                StartHID(component: 9, vendor: 2, product: 9, descriptor: [UInt8](repeating: 0, count: 70_000)))
        }
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        let told = bench.events(.linkIrregularity).map(\.record)
        #expect(told.compactMap { $0.value(at: "irregularity.rule")?.text } == ["hidOffer"])
        #expect(told.first?.value(at: "irregularity.text")?.text?.contains("not offered") == true)
        #expect(bench.phase() == "active")
    }

    @Test func injectedInputIsDeliveredAtOnceAndReadWhenThePhoneAcknowledges() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.pass(Bench.second)
        let before = bench.events.count
        let client = inject(&bench, .rotate(detents: 3, interval: 0), wait: .read)
        #expect(bench.replies[client] == nil)
        #expect(bench.kinds(from: before) == [.inputKnob, .inputStep])
        bench.pass(Bench.second)
        #expect(bench.kinds(from: before) == [.inputKnob, .inputStep, .inputStep])
        let answer = bench.replies[client]?.first
        #expect(answer?.value(at: "reaches")?.text == "read" && answer?.value(at: "reached")?.text == "read")
        let steps = bench.events.dropFirst(before).compactMap { event -> InputStep? in
            guard case .step(let step, nil) = event.payload else { return nil }
            return step
        }
        #expect(steps == [.delivered, .read])
        #expect(irregularities(bench, from: 0) == [])
    }

    @Test(arguments: [
        Gesture.key(.voice, hold: 0), .key(.up, hold: 0),
        .touch((0..<3).map { ContactPath(id: $0, points: [PixelPoint(x: 10 * $0, y: 5)]) }, duration: 0),
        .touchpad([ContactPath(id: 0, points: [PadPoint(x: 0, y: 0)])], duration: 0),
    ])
    func whatNoDeviceCanSayIsOnlyAccepted(gesture: Gesture) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let before = bench.events.count
        let client = inject(&bench, gesture, wait: .read)
        #expect(bench.replies[client]?.first?.value(at: "reaches")?.text == "accepted")
        bench.pass(Bench.second)
        #expect(bench.events(.inputStep, from: before).isEmpty)
        #expect(inputs(bench, from: before).count == 2)
    }

    // MARK: The rig is the phone of a simulated head unit

    /// One gesture of each kind, and what it means when it has come over the link.
    static let gestures: [(Gesture, [InputEvent])] = [
        (.rotate(detents: -2, interval: 0), [.knob(.rotate(detents: -2))]),
        (.rotate(detents: 300, interval: 0), [127, 127, 46].map { .knob(.rotate(detents: $0)) }),
        (.press(hold: 600_000_000), [.knob(.pressed), .knob(.released(held: 600_000_000, long: true))]),
        (
            .nudge(.upRight, hold: 1_000_000),
            [.knob(.nudge(.upRight, down: true)), .knob(.nudge(.upRight, down: false))]
        ),
        (.key(.home, hold: 0), [.key(KeyEvent(key: .home, down: true)), .key(KeyEvent(key: .home, down: false))]),
        (.key(.next, hold: 0), [.key(KeyEvent(key: .next, down: true)), .key(KeyEvent(key: .next, down: false))]),
        (.key(.call, hold: 0), [.key(KeyEvent(key: .call, down: true)), .key(KeyEvent(key: .call, down: false))]),
        (
            .touch([ContactPath(id: 1, points: [PixelPoint(x: 399, y: 101)])], duration: 0),
            [.began, .ended].map { phase in
                .touch(
                    TouchEvent(contacts: [Contact(id: 1, point: PixelPoint(x: 399, y: 101), phase: phase)]))
            }
        ),
    ]

    @Test(arguments: gestures) func aGestureIsPublishedAsItComesOverTheLink(
        gesture: Gesture, expected: [InputEvent]
    ) throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        bench.pass(Bench.second)
        let before = bench.events.count
        let client = inject(&bench, gesture, wait: .read, tag: "mark")
        bench.pass(2 * Bench.second)
        #expect(inputs(bench, from: before).map(Self.inside) == expected)
        for event in bench.events.dropFirst(before) where event.input != nil && event.kind != .inputStep {
            #expect(event.origin == .simulated && event.input?.tag == "mark" && event.input?.source == "injected")
            #expect(event.display == "s1/main" && event.device?.name == "car")
        }
        #expect(bench.replies[client]?.first?.value(at: "reached")?.text == "read")
        #expect(irregularities(bench, from: 0) == [])
    }

    /// Whether it lies in the safe area is another matter.
    private static func inside(_ event: InputEvent) -> InputEvent {
        guard case .touch(var touch) = event else { return event }
        touch.outsideSafeArea = false
        return .touch(touch)
    }

    @Test func aSwipeKeepsEveryPixelOfItsWay() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let way = ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 799, y: 479)])
        var direct = Bench()
        direct.plug("iphone", "phone")
        for gesture in [Gesture.touch([way], duration: 300_000_000)] {
            _ = inject(&bench, gesture)
            _ = inject(&direct, gesture)
        }
        bench.pass(Bench.second)
        direct.pass(Bench.second)
        #expect(inputs(bench, from: 0) == inputs(direct, from: 0))
    }

    @Test func twoGesturesWithTheSameFingerAreTwoFingers() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        for x in [10, 200] {
            _ = inject(&bench, .touch([ContactPath(id: 0, points: [PixelPoint(x: x, y: 9)])], duration: Bench.second))
        }
        bench.pass(2 * Bench.second)
        let frames = inputs(bench, from: before).compactMap { event -> [String]? in
            guard case .touch(let touch) = event else { return nil }
            return touch.contacts.map { "\($0.id) \($0.phase.rawValue) \($0.point.x)" }
        }
        #expect(
            frames == [
                ["0 began 10"], ["0 stationary 10", "1 began 200"], ["0 ended 10", "1 stationary 200"], ["1 ended 200"],
            ])
    }

    /// What two gestures do with one device, as published: tag, what, and each number once.
    private func overlap(_ first: Gesture, _ second: Gesture) -> [String] {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        _ = inject(&bench, first, tag: "a")
        bench.pass(Bench.second)
        _ = inject(&bench, second, tag: "b")
        bench.pass(5 * Bench.second)
        let told = bench.events.dropFirst(before).filter { $0.input != nil && $0.kind != .inputStep }
        #expect(told.allSatisfy { $0.input?.source == "injected" })
        return told.map { event in
            let tag = event.input?.tag ?? "-"
            return switch event.payload {
            case .input(.knob(.pressed)): "\(tag) pressed"
            case .input(.knob(.released(let held, _))): "\(tag) released after \(held / 1_000_000)"
            case .input(.key(let key)): "\(tag) \(key.key.rawValue) \(key.down ? "down" : "up")"
            case .input(.knob(.nudge(let way, let down))): "\(tag) \(way.rawValue) \(down ? "down" : "up")"
            default: "\(tag) other"
            }
        }
    }

    @Test func aButtonThatTwoGesturesShareIsLetGoByWhoPressedIt() {
        let told = overlap(.press(hold: 3 * Bench.second), .press(hold: Bench.second))
        #expect(told == ["a pressed", "a released after 3000"], "the other let go before")
    }

    @Test func aKeyThatAnotherDisplacesIsLetGoByWhoPressedIt() {
        let told = overlap(.key(.play, hold: 3 * Bench.second), .key(.next, hold: Bench.second))
        #expect(told == ["a play down", "a play up", "b next down", "b next up", "b play down", "b play up"])
    }

    @Test func aPushThatAnotherTurnsIsLetGoByWhoPushed() {
        let told = overlap(.nudge(.left, hold: 3 * Bench.second), .nudge(.up, hold: Bench.second))
        let back = ["b left down", "b left up"]
        #expect(
            told == ["a left down", "a left up", "b up down", "b up up"] + back, "it goes back to who still pushes")
    }

    @Test func whatIsHeldWhenTheUnitIsUnpluggedIsLetGoOnce() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        _ = inject(&bench, .press(hold: 3 * Bench.second), tag: "a")
        bench.pass(Bench.second)
        _ = inject(&bench, .key(.play, hold: 3 * Bench.second), tag: "b")
        bench.unplug("car")
        bench.pass(5 * Bench.second)
        let told = bench.events.dropFirst(before).filter { $0.input != nil }
        let released = told.filter { if case .input(.knob(.released)) = $0.payload { true } else { false } }
        #expect(released.map(\.input?.tag) == ["a"])
        // The key was still on its way, and never came: nothing of it is told.
        let keys = told.filter { $0.input?.tag == "b" }
        #expect(keys.count.isMultiple(of: 2), "\(keys)")
    }

    @Test func aTouchThatIsTakenBackIsCancelledThere() throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        _ = inject(
            &bench, .touch([ContactPath(id: 0, points: [PixelPoint(x: 5, y: 9)])], duration: Bench.second))
        let before = bench.events.count
        let name = try #require(bench.state().value(at: "displays.0.id")?.text)
        bench.unplug("car")
        #expect(name == "s1/main")
        guard case .touch(let touch)? = inputs(bench, from: before).last else {
            Issue.record("\(bench.kinds(from: before))")
            return
        }
        #expect(touch.contacts.map(\.phase) == [.cancelled])
    }

    // MARK: What a head unit does by itself

    private static func knob(_ report: KnobReport, _ component: UInt16 = 40) -> AccessoryHIDReport {
        AccessoryHIDReport(component: component, report: report.bytes)
    }

    private func carWithKnob() throws -> Bench {
        var bench = Bench()
        bench.plug("head-unit", "car")
        try send(
            &bench,
            StartHID(
                component: 40, vendor: 1, product: 1,
                descriptor: HIDDescriptor.parse(StandardInput.knob.descriptor).encoded()))
        return bench
    }

    @Test func aReportThatIsWrittenByHandIsInputOfTheHeadUnit() throws {
        var bench = try carWithKnob()
        let before = bench.events.count
        try send(&bench, Self.knob(KnobReport(buttons: .select, wheel: 2)))
        bench.pass(Bench.second)
        try send(&bench, Self.knob(KnobReport()))
        #expect(
            inputs(bench, from: before) == [
                .knob(.rotate(detents: 2)), .knob(.pressed), .knob(.released(held: Bench.second, long: true)),
            ])
        let sources = bench.events.dropFirst(before).compactMap { $0.input?.source }
        #expect(Set(sources) == ["hid-40"])
        // Injected input in between keeps its own name.
        let later = bench.events.count
        _ = inject(&bench, .rotate(detents: 1, interval: 0), tag: "mine")
        #expect(bench.events.dropFirst(later).compactMap { $0.input?.tag } == ["mine"])
    }

    @Test func stoppingADeviceLetsGoWhatItHeld() throws {
        var bench = try carWithKnob()
        try send(&bench, Self.knob(KnobReport(buttons: [.select, .home], x: 127)))
        let before = bench.events.count
        try send(&bench, StopHID(component: 40))
        #expect(
            inputs(bench, from: before) == [
                .knob(.nudge(.right, down: false)), .knob(.released(held: 0, long: false)),
                .key(KeyEvent(key: .home, down: false)),
            ])
        try send(&bench, Self.knob(KnobReport(wheel: 1)))
        try send(&bench, StopHID(component: 40))
        #expect(irregularities(bench, from: before) == ["hidUnknownDevice drop rig", "hidUnknownDevice drop rig"])
    }

    @Test func oddMessagesAreToldAndChangeNothing() throws {
        var bench = try carWithKnob()
        let before = bench.events.count
        try send(&bench, AccessoryHIDReport(component: 40, report: [0, 0, 0]))
        try send(&bench, AccessoryHIDReport(component: 40, report: []))
        try send(&bench, AccessoryHIDReport(component: 99, report: [0, 0, 0, 1]))
        try send(&bench, StartHID(component: 41, vendor: 1, product: 1, descriptor: [0xA1, 0x01]))
        try send(&bench, StartHID(component: 42, vendor: 1, product: 1, descriptor: []))
        try send(&bench, Self.knob(KnobReport(wheel: 1), 41))
        #expect(
            irregularities(bench, from: before) == [
                "hidReport drop rig", "hidReport drop rig", "hidUnknownDevice drop rig", "hidDescriptor drop rig",
                "hidFunction drop rig", "hidUnknownDevice drop rig",
            ])
        #expect(inputs(bench, from: before) == [])
        #expect(bench.phase() == "active")
        let text = bench.events.last {
            $0.kind == .linkIrregularity && $0.record.value(at: "irregularity.rule")?.text == "hidDescriptor"
        }
        #expect(text?.record.value(at: "irregularity.text")?.text?.contains("at offset 0") == true)
    }

    @Test func aDeviceThatIsOfferedAgainBeginsAnew() throws {
        var bench = try carWithKnob()
        try send(&bench, Self.knob(KnobReport(buttons: .select)))
        let before = bench.events.count
        try send(
            &bench, StartHID(component: 40, vendor: 1, product: 1, descriptor: StandardInput.mediaKeys.descriptor))
        #expect(inputs(bench, from: before) == [.knob(.released(held: 0, long: false))])
        #expect(irregularities(bench, from: before) == ["hidStartedAgain reset rig"])
        try send(&bench, AccessoryHIDReport(component: 40, report: MediaKeyReport(.play).bytes))
        #expect(inputs(bench, from: before).last == .key(KeyEvent(key: .play, down: true)))
    }

    @Test func moreDevicesThanTheLimitAreRefused() throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        for component in 100..<UInt16(100 + HIDIntake.maximumDevices) {
            try send(
                &bench,
                StartHID(component: component, vendor: 1, product: 1, descriptor: StandardInput.knob.descriptor))
        }
        // The head unit's own devices are among them.
        let offers = bench.events(.messageReceived).filter {
            $0.record.value(at: "message.name")?.text == "StartHID"
        }
        let own = offers.count - HIDIntake.maximumDevices
        #expect(own == 4)
        #expect(irregularities(bench, from: before) == Array(repeating: "hidTooMany drop rig", count: own))
    }

    // MARK: On a real wire

    @Test(arguments: [1_000_000, 1]) func inputReachesTheOtherRigOverTheWire(pieces: Int) throws {
        var pair = WiredPair()
        pair.pieces = pieces
        pair.plug()
        pair.pass(Bench.second)
        let (unit, phone) = (pair.headUnit.events.count, pair.phone.events.count)
        let client = inject(&pair.headUnit, .key(.back, hold: 0), wait: .read)
        pair.settle()
        #expect(
            pair.headUnit.events(.inputStep, from: unit).allSatisfy { $0.record.value(at: "step")?.text == "delivered" }
        )
        pair.pass(2 * Bench.second)
        let keys: [InputEvent] = [true, false].map { .key(KeyEvent(key: .back, down: $0)) }
        #expect(inputs(pair.headUnit, from: unit) == keys)
        #expect(inputs(pair.phone, from: phone) == keys)
        let there = pair.phone.events.dropFirst(phone).filter { $0.kind == .inputKey }
        #expect(there.allSatisfy { $0.origin == .observed && $0.input?.source == "hid-2" })
        #expect(pair.headUnit.replies[client]?.first?.value(at: "reached")?.text == "read")
    }

    @Test func whatAHeadUnitHeldIsLetGoWhenItIsUnplugged() throws {
        var pair = WiredPair()
        pair.plug()
        pair.pass(Bench.second)
        _ = inject(&pair.headUnit, .press(hold: 10 * Bench.second))
        pair.settle()
        let before = pair.phone.events.count
        pair.phone.detach("unit")
        #expect(
            inputs(pair.phone, from: before).map { if case .knob(.released) = $0 { true } else { false } } == [true])
        // Nothing more comes of it.
        #expect(pair.phone.events(.inputKnob, from: before).count == 1)
    }

    @Test func aPhoneOnAWireInjectsForItselfOnly() {
        var pair = WiredPair()
        pair.plug()
        let (unit, phone) = (pair.headUnit.events.count, pair.phone.events.count)
        let client = inject(&pair.phone, .rotate(detents: 1, interval: 0), wait: .read)
        pair.settle()
        #expect(pair.phone.replies[client]?.first?.value(at: "reaches")?.text == "accepted")
        #expect(inputs(pair.phone, from: phone).count == 1)
        #expect(inputs(pair.headUnit, from: unit) == [])
    }
}
