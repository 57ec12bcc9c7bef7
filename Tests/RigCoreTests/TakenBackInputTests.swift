import InputCore
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What real devices hold when the display or the session under it changes or goes: it is taken back once, and the rest of
/// it is nobody's until it is let go.
@Suite struct TakenBackInputTests {
    private static func bench(_ profile: String = "iphone", area: SurfaceMount.Area = .display) -> Bench {
        var bench = Bench()
        var facts = DeviceFacts(kind: .touchscreen, profile: "touchscreen", port: "3-1", origin: .observed)
        facts.surface = SurfaceLayout(
            kind: .screen, x: AbsoluteRange(code: 0x35, minimum: 0, maximum: 4_095),
            y: AbsoluteRange(code: 0x36, minimum: 0, maximum: 4_095), mount: SurfaceMount(area: area), slots: 10)
        bench.attach(facts)
        bench.attach(.knob(port: "3-2"))
        bench.plug(profile, "x")
        bench.pass(Bench.second)
        return bench
    }

    private static func touch(_ bench: inout Bench, _ fingers: (id: Int, x: Int32, phase: ContactPhase)...) {
        let contacts = fingers.map { SurfaceContact(id: $0.id, x: $0.x, y: 0, phase: $0.phase) }
        bench.handle(.deviceInput(key: "3-1", .touch(contacts), time: bench.now))
        bench.pass(Bench.second)
    }

    private static func pixels(_ width: Int, _ height: Int = 480) -> Command {
        var change = DisplayChange(display: "s1/main")
        change.pixels = PixelSize(width: width, height: height)
        return .setDisplay(change)
    }

    /// Touches as `id phase x@revision`.
    private static func touches(_ events: some Sequence<Event>) -> [String] {
        events.compactMap { event in
            guard case .input(.touch(let touch)) = event.payload else { return nil }
            let contacts = touch.contacts.map { "\($0.id) \($0.phase) \($0.point.x)" }
            return contacts.joined(separator: ", ") + "@\(event.input?.revision ?? 0)"
        }
    }

    private static func inputs(_ events: some Sequence<Event>) -> [Event] {
        events.filter { if case .input = $0.payload { true } else { false } }
    }

    // MARK: Another display

    @Test(arguments: ["iphone", "head-unit"]) func aTouchIsTakenBackBeforeItsDisplayChanges(_ profile: String) {
        var bench = Self.bench(profile)
        bench.command(Self.pixels(801))
        let before = bench.events.count
        Self.touch(&bench, (0, 4_095, .began))
        bench.command(Self.pixels(401))
        Self.touch(&bench, (0, 0, .moved))
        Self.touch(&bench, (0, 0, .ended))
        Self.touch(&bench, (0, 4_095, .began))
        Self.touch(&bench, (0, 4_095, .ended))
        let told = bench.events.dropFirst(before)
        #expect(Self.touches(told) == ["0 began 800@2", "0 cancelled 800@2", "0 began 400@3", "0 ended 400@3"])
        let kinds = told.filter { $0.kind == .inputTouch || $0.kind == .displayChanged }.map(\.kind)
        #expect(kinds == [.inputTouch, .inputTouch, .displayChanged, .inputTouch, .inputTouch])
        #expect(Set(Self.inputs(told).map { $0.input?.source }) == ["touchscreen-1"])
        let ids = Self.inputs(told).compactMap(\.input?.id)
        #expect(Set(ids).count == ids.count)
        #expect(bench.events(.linkIrregularity).isEmpty)
    }

    @Test func aDisplayThatStaysWhereItIsKeepsItsTouches() {
        var bench = Self.bench()
        let before = bench.events.count
        Self.touch(&bench, (0, 0, .began))
        var change = DisplayChange(display: "s1/main")
        change.appearance = .dark
        bench.command(.setDisplay(change))
        Self.touch(&bench, (0, 0, .ended))
        #expect(Self.touches(bench.events.dropFirst(before)) == ["0 began 0@1", "0 ended 0@2"])
    }

    @Test(arguments: [SurfaceMount.Area.display, .viewArea])
    func aTouchOfAViewAreaGoesWithTheViewArea(_ area: SurfaceMount.Area) throws {
        var bench = Self.bench("iphone", area: area)
        let display = try #require(
            bench.events.compactMap { if case .display(let display) = $0.payload { display } else { nil } }.last)
        guard
            let other = display.description.viewAreas.indices.first(where: {
                display.description.viewAreas[$0].frame != display.description.viewArea.frame
            })
        else {
            // The shipped head unit has one view area: a narrower display makes another of it.
            Self.touch(&bench, (0, 0, .began))
            bench.command(Self.pixels(display.description.pixels.width * 2, display.description.pixels.height))
            #expect(Self.touches(bench.events).last == (area == .display ? "0 cancelled 0@1" : "0 began 0@1"))
            return
        }
        Self.touch(&bench, (0, 0, .began))
        var change = DisplayChange(display: "s1/main")
        change.viewArea = other
        bench.command(.setDisplay(change))
        #expect(Self.touches(bench.events).last?.contains("cancelled") == (area == .viewArea))
    }

    @Test func theFingerThatRestsIsLeftOutOfTheOthersFrames() {
        var bench = Self.bench()
        bench.command(Self.pixels(801))
        let before = bench.events.count
        Self.touch(&bench, (0, 0, .began), (3, 4_095, .began))
        bench.command(Self.pixels(401))
        Self.touch(&bench, (0, 0, .stationary), (3, 4_095, .moved))
        Self.touch(&bench, (0, 0, .stationary), (1, 4_095, .began), (3, 4_095, .stationary))
        Self.touch(&bench, (0, 0, .ended), (1, 4_095, .stationary), (3, 4_095, .stationary))
        Self.touch(&bench, (1, 4_095, .ended), (3, 4_095, .stationary))
        Self.touch(&bench, (0, 0, .began), (3, 4_095, .stationary))
        Self.touch(&bench, (0, 0, .stationary), (3, 4_095, .cancelled))
        #expect(
            Self.touches(bench.events.dropFirst(before)) == [
                "0 began 0, 3 began 800@2", "0 cancelled 0, 3 cancelled 800@2", "1 began 400@3", "1 ended 400@3",
                "0 began 0@3",
            ])
    }

    @Test func anotherSurfaceUnderTheFingerTakesItBack() {
        var bench = Self.bench()
        Self.touch(&bench, (0, 0, .began))
        bench.handle(
            .deviceChanged(
                key: "3-1", DeviceFacts(kind: .touchscreen, profile: "touchscreen", port: "3-1", origin: .observed)))
        #expect(Self.touches(bench.events) == ["0 began 0@1", "0 cancelled 0@1"])
        Self.touch(&bench, (0, 0, .ended))
        #expect(Self.touches(bench.events).count == 2)
    }

    @Test func aTouchThatBeganWithoutASessionIsNowhereToItsEnd() {
        var bench = Bench()
        var facts = DeviceFacts(kind: .touchscreen, profile: "touchscreen", port: "3-1", origin: .observed)
        facts.surface = .link
        bench.attach(facts)
        Self.touch(&bench, (0, 0, .began))
        bench.plug("iphone", "x")
        Self.touch(&bench, (0, 0, .moved))
        Self.touch(&bench, (0, 0, .ended))
        #expect(Self.touches(bench.events).isEmpty)
        Self.touch(&bench, (0, 0, .began))
        #expect(Self.touches(bench.events) == ["0 began 0@1"])
    }

    // MARK: The session

    struct Hold: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let down: InputEvent
        /// What is told when it is taken back 3 s later.
        let back: InputEvent
        /// What the device still tells of it; the last lets it go.
        let rest: [InputEvent]
    }

    private static func touch(_ phase: ContactPhase) -> InputEvent {
        .touch(TouchEvent(contacts: [Contact(id: 2, point: PixelPoint(x: 5, y: 6), phase: phase)]))
    }

    private static func pad(_ phase: ContactPhase) -> InputEvent {
        .touchpad(TouchpadEvent(contacts: [PadContact(id: 2, point: PadPoint(x: 50, y: 60), phase: phase)]))
    }

    static let holds = [
        Hold(
            testDescription: "button", down: .knob(.pressed),
            back: .knob(.released(held: 3 * Bench.second, long: true)),
            rest: [.knob(.released(held: 9 * Bench.second, long: true))]),
        Hold(
            testDescription: "nudge", down: .knob(.nudge(.upLeft, down: true)),
            back: .knob(.nudge(.upLeft, down: false)), rest: [.knob(.nudge(.upLeft, down: false))]),
        Hold(
            testDescription: "key", down: .key(KeyEvent(key: .voice, down: true)),
            back: .key(KeyEvent(key: .voice, down: false)), rest: [.key(KeyEvent(key: .voice, down: false))]),
        Hold(
            testDescription: "touch", down: touch(.began), back: touch(.cancelled),
            rest: [touch(.moved), touch(.stationary), touch(.ended)]),
        Hold(
            testDescription: "touchpad", down: pad(.began), back: pad(.cancelled),
            rest: [pad(.moved), pad(.stationary), pad(.cancelled)]),
    ]

    enum Change: CaseIterable {
        case unplug, goodbye, front, another
    }

    @Test(arguments: holds, Change.allCases)
    func whatIsHeldWhenItsSessionGoesIsTakenBackOnce(_ hold: Hold, _ change: Change) throws {
        try takesBackOnce(hold, change, profile: "iphone")
    }

    /// The same over the link of a simulated head unit, which has no way to say the voice key.
    @Test(arguments: holds, Change.allCases)
    func whatWentOverALinkIsTakenBackOnce(_ hold: Hold, _ change: Change) throws {
        try takesBackOnce(hold, change, profile: "head-unit")
    }

    private func takesBackOnce(_ hold: Hold, _ change: Change, profile: String) throws {
        var bench = Bench { $0.front = change == .another ? .last : .first }
        bench.attach(.knob(port: "3-2"))
        bench.plug(profile, "x")
        if change != .another { bench.plug("iphone", "other") }
        bench.pass(Bench.second)
        let app = bench.launch()
        let before = bench.events.count
        func act(_ input: InputEvent) {
            bench.handle(.input(key: "3-2", input, time: bench.now))
            bench.pass(Bench.second)
        }
        act(hold.down)
        bench.pass(2 * Bench.second)
        let closing = bench.events.count
        switch change {
        case .unplug: bench.unplug("x")
        case .goodbye: bench.unplug("x", surprise: false)
        case .front: bench.command(.setFront(device: "other"))
        case .another: bench.plug("iphone", "other")
        }
        let back = Self.inputs(bench.events.dropFirst(closing))
        #expect(back.map(\.session) == [SessionID(1)])
        guard case .input(let told)? = back.first?.payload else {
            Issue.record("nothing is taken back")
            return
        }
        if profile == "iphone" {
            #expect(told == hold.back)
        } else {
            // Places went over the link in its own units.
            #expect(told.isLettingGo)
        }
        #expect(Self.inputs(bench.streams[app] ?? []).contains { $0.sequence == back.first?.sequence })
        let order = bench.events.dropFirst(closing).map(\.kind)
        let end = try #require(
            order.firstIndex { $0 == .sessionClosed || $0 == .frontChanged || $0 == .displayRemoved })
        #expect(try #require(order.firstIndex(of: back[0].kind)) < end)
        bench.pass(Bench.second)
        let after = bench.events.count
        for input in hold.rest { act(input) }
        #expect(Self.inputs(bench.events.dropFirst(after)).isEmpty)
        act(hold.down)
        act(hold.rest[hold.rest.count - 1])
        let next = Self.inputs(bench.events.dropFirst(after))
        #expect(next.map(\.session) == [SessionID(2), SessionID(2)])
        #expect(Self.inputs(bench.events.dropFirst(before)).count == 4)
        #expect(bench.events(.linkIrregularity).isEmpty)
        #expect(RigInvariants.violation(in: bench.core) == nil)
    }

    @Test(arguments: holds) func aDeviceThatGoesWithoutAWordLetsGo(_ hold: Hold) {
        var bench = Self.bench()
        bench.handle(.input(key: "3-2", hold.down, time: bench.now))
        bench.pass(3 * Bench.second)
        let before = bench.events.count
        bench.detach("3-2")
        let told = bench.events.dropFirst(before)
        #expect(Self.inputs(told).map(\.payload) == [.input(hold.back)])
        #expect(told.map(\.kind).last == .deviceDetached)
    }

    @Test func whatIsTurnedWhileItIsTakenBackIsTurnedInFront() {
        var bench = Self.bench()
        bench.plug("iphone", "other")
        bench.handle(.input(key: "3-2", .knob(.pressed), time: bench.now))
        bench.command(.setFront(device: "other"))
        bench.handle(.input(key: "3-2", .knob(.rotate(detents: 2)), time: bench.now))
        #expect(bench.events.last?.session == SessionID(2))
    }

    // MARK: What was meant

    private static func meant(_ bench: inout Bench, _ intent: InputIntent) -> [SessionID?] {
        let before = bench.events.count
        bench.handle(.deviceInput(key: "3-2", .intent(intent), time: bench.now))
        return bench.events.dropFirst(before).map(\.session)
    }

    @Test func whatIsMeantByAPressIsToldWhereItBegan() {
        var bench = Self.bench()
        bench.plug("iphone", "other")
        bench.handle(.input(key: "3-2", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-2", .knob(.released(held: 0, long: false)), time: bench.now))
        // It waited whether a second one comes.
        bench.command(.setFront(device: "other"))
        #expect(Self.meant(&bench, .press) == [SessionID(1)])
        bench.unplug("x")
        #expect(Self.meant(&bench, .press).isEmpty)
        #expect(Self.meant(&bench, .tap(fingers: 1)) == [SessionID(2)], "of a pad nothing began")
    }

    @Test func whatIsMeantByWhatWasTakenBackIsNotTold() {
        var bench = Self.bench()
        bench.plug("iphone", "other")
        bench.handle(.input(key: "3-2", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-2", Self.pad(.began), time: bench.now))
        bench.command(.setFront(device: "other"))
        #expect(Self.meant(&bench, .longPress).isEmpty && Self.meant(&bench, .pressTurn(detents: 1)).isEmpty)
        #expect(Self.meant(&bench, .scroll(x: 1, y: 0)).isEmpty)
        bench.handle(.input(key: "3-2", .knob(.released(held: 0, long: false)), time: bench.now))
        bench.handle(.input(key: "3-2", Self.pad(.ended), time: bench.now))
        // The decoder tells these behind the events that end what was done.
        #expect(Self.meant(&bench, .press).isEmpty && Self.meant(&bench, .swipe(.up, fingers: 1, speed: 9)).isEmpty)
        bench.handle(.input(key: "3-2", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-2", Self.pad(.began), time: bench.now))
        #expect(Self.meant(&bench, .press) == [SessionID(2)] && Self.meant(&bench, .tap(fingers: 1)) == [SessionID(2)])
    }

    // MARK: Devices of a head unit

    @Test func aTouchOfARealHeadUnitIsTakenBackBeforeItsDisplayChanges() {
        var pair = WiredPair()
        pair.plug()
        pair.headUnit.attach(.knob(port: "3-1"))
        pair.phone.command(Self.pixels(801))
        func act(_ x: Int, _ phase: ContactPhase) {
            let contact = Contact(id: 0, point: PixelPoint(x: x, y: 100), phase: phase)
            pair.headUnit.handle(
                .input(key: "3-1", .touch(TouchEvent(contacts: [contact])), time: pair.headUnit.now))
            pair.settle()
            pair.pass(Bench.second)
        }
        let before = pair.phone.events.count
        act(0, .began)
        pair.phone.command(Self.pixels(401))
        act(0, .moved)
        act(10, .moved)
        act(10, .ended)
        act(0, .began)
        act(0, .ended)
        #expect(
            Self.touches(pair.phone.events.dropFirst(before)) == [
                "0 began 0@2", "0 cancelled 0@2", "0 began 0@3", "0 ended 0@3",
            ])
        #expect(pair.phone.events(.linkIrregularity).isEmpty)
    }
}

extension InputEvent {
    fileprivate var isLettingGo: Bool {
        switch self {
        case .knob(.released), .knob(.nudge(_, down: false)): true
        case .knob: false
        case .key(let key): !key.down
        case .touch(let touch): touch.contacts.allSatisfy { $0.phase == .cancelled }
        case .touchpad(let touch): touch.contacts.allSatisfy { $0.phase == .cancelled }
        }
    }
}
