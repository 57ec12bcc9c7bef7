import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Gestures on their way: when their events come, what they carry, and how they end.
@Suite struct GestureTests {
    static let millisecond = Bench.millisecond

    private func bench() -> Bench {
        var bench = Bench()
        bench.plug("iphone", "phone", displays: "standard")
        bench.pass(Bench.second)
        return bench
    }

    private func inputs(_ bench: Bench, from index: Int = 0) -> [Event] {
        bench.events.dropFirst(index).filter { $0.input != nil && $0.kind != .inputStep }
    }

    @Test func eventsComeWhenTheyAreDue() {
        var bench = bench()
        bench.command(.inject(Injection(.rotate(detents: -3, interval: 80 * Self.millisecond), tag: "turn")))
        bench.pass(Bench.second)
        let events = inputs(bench)
        #expect(events.map(\.time) == [1_000, 1_080, 1_160].map { $0 * Self.millisecond })
        #expect(events.map(\.input?.id.number) == [1, 2, 3])
        #expect(events.allSatisfy { $0.payload == .input(.knob(.rotate(detents: -1))) })
        #expect(events.allSatisfy { $0.input?.tag == "turn" && $0.kind == .inputKnob })
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func moreThanOneCallDoesAreDoneInSeveral() {
        var bench = bench()
        let count = RigCore.maximumDue + 50
        for _ in 0..<count { bench.command(.inject(Injection(.press(hold: 80 * Self.millisecond)))) }
        let index = bench.events.count
        bench.now += 80 * Self.millisecond
        bench.handle(.deadlineReached)
        #expect(inputs(bench, from: index).count == RigCore.maximumDue)
        #expect(bench.core.nextDeadline.map { $0 <= bench.now } == true, "it wants to be called again at once")
        bench.handle(.deadlineReached)
        #expect(inputs(bench, from: index).count == count)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func aLateGestureIsNotSentWholeBeforeAnother() {
        var bench = bench()
        let start = bench.events.count
        for _ in 0..<2 {
            bench.command(.inject(Injection(.rotate(detents: 1_000, interval: Self.millisecond))))
        }
        bench.now += Bench.second
        bench.handle(.deadlineReached)
        let numbers = inputs(bench, from: start).compactMap { $0.input?.id.number }
        #expect(numbers.count == 2 + RigCore.maximumDue, "one call does no more, however late it is")
        #expect(numbers.count { $0 <= 1_000 } == numbers.count { $0 > 1_000 }, "the two go on side by side")
    }

    @Test func theFirstEventComesAtOnceAndTheAnswerBeforeIt() {
        var bench = bench()
        let client = bench.connect()
        var buffer = ActionBuffer()
        bench.core.handle(
            .clientCalled(client, .inject(Injection(.press(hold: 5)), wait: .accepted, within: 0)), at: bench.now,
            into: &buffer)
        #expect(buffer.events.map(\.kind) == [.inputKnob])
        guard case .reply(client, _, continues: false)? = buffer.actions.first else {
            Issue.record("the answer comes first")
            return
        }
        #expect(bench.core.nextDeadline == bench.now + 5)
    }

    @Test func aPressIsLongFromTheConfiguredTimeOn() {
        var bench = Bench { $0.longPress = 300 * Bench.millisecond }
        bench.command(.inject(Injection(.press(hold: 300 * Self.millisecond - 1))))
        bench.pass(Bench.second)
        bench.command(.inject(Injection(.press(hold: 300 * Self.millisecond))))
        bench.pass(Bench.second)
        let payloads = inputs(bench).map(\.payload)
        #expect(
            payloads == [
                .input(.knob(.pressed)), .input(.knob(.released(held: 300 * Self.millisecond - 1, long: false))),
                .input(.knob(.pressed)), .input(.knob(.released(held: 300 * Self.millisecond, long: true))),
            ])
    }

    @Test func eachKindOfGestureHasItsKindOfEvent() {
        var bench = bench()
        let gestures: [(Gesture, EventKind)] = [
            (.nudge(.upLeft, hold: 0), .inputKnob), (.key(.voice, hold: 0), .inputKey),
            (InjectionTests.tap(3, 4), .inputTouch), (InjectionTests.pad(at: 1, 1), .inputTouchpad),
        ]
        for (gesture, kind) in gestures {
            let before = bench.events.count
            bench.command(.inject(Injection(gesture)))
            #expect(bench.kinds(from: before) == [kind, kind])
        }
    }

    @Test func gesturesAtTheSameTimeKeepTheirNumbersApart() {
        var bench = bench()
        bench.command(.inject(Injection(.press(hold: 100 * Self.millisecond), tag: "a")))
        bench.pass(10 * Self.millisecond)
        bench.command(.inject(Injection(.key(.home, hold: 10 * Self.millisecond), tag: "b")))
        bench.pass(Bench.second)
        let events = inputs(bench)
        #expect(events.map(\.input?.id.number) == [1, 3, 4, 2])
        #expect(events.map(\.input?.tag) == ["a", "b", "b", "a"])
        #expect(events.map(\.time) == [1_000, 1_010, 1_020, 1_100].map { $0 * Self.millisecond })
    }

    @Test func aSwipeCarriesTheRevisionItWasMadeWith() {
        var bench = bench()
        let path = ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 799, y: 479)])
        bench.command(.inject(Injection(.touch([path], duration: 100 * Self.millisecond))))
        bench.pass(40 * Self.millisecond)
        bench.command(.setDisplay(DisplayTests.change { $0.appearance = .dark }))
        bench.pass(Bench.second)
        let events = inputs(bench)
        #expect(events.count == 7)
        #expect(events.prefix(3).allSatisfy { $0.input?.revision == 1 })
        #expect(events.dropFirst(3).allSatisfy { $0.input?.revision == 2 })
    }

    @Test func aNewResolutionTakesFingersBack() throws {
        var bench = bench()
        let path = ContactPath(id: 4, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 799, y: 479)])
        let client = bench.connect()
        _ = bench.launch()
        bench.handle(
            .clientCalled(
                client,
                .inject(Injection(.touch([path], duration: 100 * Self.millisecond)), wait: .read, within: Bench.second))
        )
        bench.command(.inject(Injection(.press(hold: 100 * Self.millisecond))))
        bench.pass(40 * Self.millisecond)
        let before = bench.events.count
        bench.command(.setDisplay(DisplayTests.change { $0.pixels = PixelSize(width: 400, height: 240) }))
        #expect(bench.kinds(from: before) == [.inputTouch, .displayChanged])
        let last = try #require(bench.events.dropFirst(before).first)
        #expect(last.input?.revision == 1, "it was on the display as it was")
        #expect(last.input?.id == InputID(4))
        guard case .input(.touch(let touch)) = last.payload else {
            Issue.record("the finger is taken back")
            return
        }
        #expect(touch.contacts.map(\.phase) == [.cancelled])
        #expect(touch.contacts.map(\.id) == [4])
        #expect(bench.replies[client]?.count == 1, "who waits for the rest is answered")
        bench.pass(Bench.second)
        #expect(bench.kinds(from: before) == [.inputTouch, .displayChanged, .inputKnob], "a knob has no pixels")
    }

    @Test func aTouchOnAnotherDisplayGoesOn() {
        var bench = Bench()
        bench.plug("iphone", "phone", displays: "cluster-minimum")
        let path = ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 100, y: 100)])
        bench.command(.inject(Injection(.touch([path], duration: 100 * Self.millisecond), display: "cluster")))
        bench.command(.setDisplay(DisplayTests.change { $0.pixels = PixelSize(width: 400, height: 240) }))
        bench.pass(Bench.second)
        guard case .input(.touch(let touch))? = bench.events.last(where: { $0.kind == .inputTouch })?.payload else {
            Issue.record("it is a touch")
            return
        }
        #expect(touch.contacts.map(\.phase) == [.ended])
    }

    // MARK: The safe area

    /// The safe area 50,30 700x400 of 800×480: its corners, and the pixels just outside of each.
    static let places: [(x: Int, y: Int, outside: Bool)] = [
        (50, 30, false), (49, 30, true), (50, 29, true), (49, 29, true),
        (749, 30, false), (750, 30, true), (749, 29, true),
        (50, 429, false), (49, 429, true), (50, 430, true),
        (749, 429, false), (750, 429, true), (749, 430, true), (750, 430, true),
        (400, 240, false), (0, 0, true), (799, 479, true),
    ]

    private func safe() -> Bench {
        var bench = bench()
        bench.command(
            .setDisplay(DisplayTests.change { $0.safeArea = PixelRect(x: 50, y: 30, width: 700, height: 400) }))
        return bench
    }

    @Test(arguments: places) func whatIsOutsideTheSafeAreaIsMarked(_ place: (x: Int, y: Int, outside: Bool)) {
        var bench = safe()
        bench.attach(.knob(port: "3-1"))
        let point = PixelPoint(x: place.x, y: place.y)
        bench.command(.inject(Injection(InjectionTests.tap(place.x, place.y))))
        bench.handle(
            .input(
                key: "3-1", .touch(TouchEvent(contacts: [Contact(id: 0, point: point, phase: .began)])), time: bench.now
            ))
        let marks = inputs(bench).compactMap { event -> Bool? in
            if case .input(.touch(let touch)) = event.payload { touch.outsideSafeArea } else { nil }
        }
        #expect(marks == Array(repeating: place.outside, count: 3), "injected and real touches alike")
    }

    @Test func oneFingerOutsideIsEnough() {
        var bench = safe()
        let paths = [
            ContactPath(id: 0, points: [PixelPoint(x: 400, y: 240)]),
            ContactPath(id: 1, points: [PixelPoint(x: 0, y: 0)]),
        ]
        bench.command(.inject(Injection(.touch(paths, duration: 0))))
        guard case .input(.touch(let touch))? = inputs(bench).first?.payload else {
            Issue.record("it is a touch")
            return
        }
        #expect(touch.outsideSafeArea)
    }

    // MARK: The end of the session

    struct Cut: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let gesture: Gesture
        /// When the cable is pulled.
        let after: UInt64
        /// What takes the gesture back, or `nil` when nothing is held.
        let cancelled: InputEvent?
        /// The number of that event.
        var id: UInt64 = 2
    }

    static let swipe = Gesture.touch(
        [
            ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 60, y: 0)]),
            ContactPath(id: 7, points: [PixelPoint(x: 9, y: 9)]),
        ], duration: 100 * millisecond)

    static let cuts = [
        Cut(
            testDescription: "press", gesture: .press(hold: 100 * millisecond), after: 50 * millisecond,
            cancelled: .knob(.released(held: 50 * millisecond, long: false))),
        Cut(
            testDescription: "a press that is long already", gesture: .press(hold: 900 * millisecond),
            after: 600 * millisecond, cancelled: .knob(.released(held: 600 * millisecond, long: true))),
        Cut(
            testDescription: "nudge", gesture: .nudge(.down, hold: 100 * millisecond), after: 50 * millisecond,
            cancelled: .knob(.nudge(.down, down: false))),
        Cut(
            testDescription: "key", gesture: .key(.call, hold: 100 * millisecond), after: 50 * millisecond,
            cancelled: .key(KeyEvent(key: .call, down: false))),
        Cut(
            testDescription: "rotate", gesture: .rotate(detents: 9, interval: 20 * millisecond),
            after: 50 * millisecond, cancelled: nil),
        Cut(
            testDescription: "swipe", gesture: swipe, after: 40 * millisecond,
            cancelled: .touch(
                TouchEvent(contacts: [
                    Contact(id: 0, point: PixelPoint(x: 20, y: 0), phase: .cancelled),
                    Contact(id: 7, point: PixelPoint(x: 9, y: 9), phase: .cancelled),
                ])), id: 4),
        Cut(
            testDescription: "touchpad",
            gesture: .touchpad([ContactPath(id: 1, points: [PadPoint(x: 5, y: 6)])], duration: 100 * millisecond),
            after: 50 * millisecond,
            cancelled: .touchpad(
                TouchpadEvent(contacts: [PadContact(id: 1, point: PadPoint(x: 5, y: 6), phase: .cancelled)]))),
        Cut(
            testDescription: "a key that is up again", gesture: .key(.call, hold: 10 * millisecond),
            after: 50 * millisecond, cancelled: nil),
    ]

    @Test(arguments: cuts, ["unplug", "surprise", "busy", "stuck", "turn"])
    func nothingIsHeldWhenASessionEnds(_ cut: Cut, by cause: String) throws {
        var bench = Bench()
        bench.attach(.iPhone("A1B2C3D4", port: "1-1"))
        bench.plug("iphone", "virtual")
        let name = ["unplug", "surprise"].contains(cause) ? "virtual" : "iphone-1"
        bench.command(.setFront(device: name))
        let app = bench.launch()
        bench.command(.inject(Injection(cut.gesture, tag: "t")))
        bench.pass(cut.after)
        let before = bench.events.count
        switch cause {
        case "unplug": bench.unplug(name, surprise: false)
        case "surprise": bench.unplug(name, surprise: true)
        case "busy": bench.handle(.deviceBusy(key: "1-1", Reason("busy", .device, "")))
        case "stuck": bench.handle(.deviceStuck(key: "1-1", Reason("stuck", .device, "")))
        default:
            bench.handle(.deviceChanged(key: "1-1", DeviceFacts.iPhone("A1B2C3D4", port: "1-1").shown(as: .headUnit)))
        }
        let events = inputs(bench, from: before)
        #expect(events.map(\.payload) == (cut.cancelled.map { [.input($0)] } ?? []))
        if let event = events.first {
            #expect(bench.events[before] == event, "before everything else of the end")
            #expect(event.input?.id.number == cut.id)
            #expect(event.input?.tag == "t")
            #expect(bench.streams[app]?.contains(event) == true)
        }
        #expect(bench.core.gestures.isEmpty)
        bench.pass(60 * Bench.second)
        #expect(inputs(bench, from: before).count == events.count, "nothing comes afterwards")
    }

    @Test func gesturesOfOtherSessionsGoOn() {
        var bench = bench()
        bench.plug("iphone", "other")
        bench.command(.inject(Injection(.press(hold: 100 * Self.millisecond), device: "other")))
        bench.command(.inject(Injection(.press(hold: 100 * Self.millisecond))))
        bench.unplug("phone")
        bench.pass(Bench.second)
        let released = inputs(bench).filter { $0.payload != .input(.knob(.pressed)) }
        #expect(released.map(\.session) == [SessionID(1), SessionID(2)])
        #expect(released.last?.payload == .input(.knob(.released(held: 100 * Self.millisecond, long: false))))
    }

    @Test(arguments: [(Int32(2), UInt64(60_000), true), (-4, 20_000, true), (-4, 20_001, false), (1_000, 60, true)])
    func aTurnTakesAtMostAMinute(detents: Int32, milliseconds: UInt64, isTaken: Bool) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let result = bench.command(
            .inject(Injection(.rotate(detents: detents, interval: milliseconds * Self.millisecond))))
        switch result {
        case .success: #expect(isTaken)
        case .failure(.invalidParameter(let field, _)):
            #expect(!isTaken && field == "knob.intervalMilliseconds")
        case .failure, nil: Issue.record("another answer: \(String(describing: result))")
        }
    }
}
