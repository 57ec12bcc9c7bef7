import RigConfiguration
import RigModel
import Testing

@testable import RigCore

extension Bench {
    /// Injects with a client that stays, and gives back what it was answered.
    @discardableResult
    mutating func inject(
        _ single: SingleInput, by client: ClientID, device: String? = nil, display: String? = nil, tag: String? = nil
    ) -> Result<RecordValue, CommandFailure> {
        let before = failures[client]?.count ?? 0
        handle(
            .clientCalled(
                client,
                .inject(
                    Injection(.single(single), device: device, display: display, tag: tag), wait: .accepted, within: 0))
        )
        if let failure = failures[client]?.dropFirst(before).first { return .failure(failure) }
        return .success(replies[client]?.last ?? .null)
    }

    /// What was done by injection since an event, in words.
    func told(from index: Int = 0) -> [String] {
        events.dropFirst(index).compactMap { event in
            guard event.input?.source == "injected", case .input(let input) = event.payload else { return nil }
            let tag = event.input?.tag.map { " (\($0))" } ?? ""
            return "\(event.display ?? "-") \(Self.words(input))\(tag)"
        }
    }

    private static func words(_ input: InputEvent) -> String {
        switch input {
        case .knob(.rotate(let detents)): return "rotate \(detents)"
        case .knob(.pressed): return "press"
        case .knob(.released(let held, let long)): return "release \(held / millisecond)\(long ? " long" : "")"
        case .knob(.nudge(let direction, let down)): return "nudge \(direction) \(down ? "down" : "up")"
        case .key(let key): return "\(key.key) \(key.down ? "down" : "up")"
        case .touch(let touch):
            return touch.contacts.map { "\($0.phase) \($0.id) \($0.point.x),\($0.point.y)" }.joined(separator: " + ")
        case .touchpad(let touch):
            return "pad "
                + touch.contacts.map { "\($0.phase) \($0.id) \($0.point.x),\($0.point.y)" }.joined(separator: " + ")
        }
    }
}

/// Parts of gestures: what stays down over several calls, who lets it go, and what is refused.
@Suite struct SingleInputTests {
    /// Two phones without a word on the link, so that all is published at once; the first is in front.
    private func bench() -> Bench {
        var bench = Bench()
        bench.plug("iphone", "one", displays: "standard")
        bench.plug("iphone", "two", displays: "cluster-minimum")
        bench.pass(Bench.second)
        return bench
    }

    static func down(_ id: Int, _ x: Int, _ y: Int) -> FingerChange<PixelPoint> {
        FingerChange(id: id, .began(PixelPoint(x: x, y: y)))
    }
    static func move(_ id: Int, _ x: Int, _ y: Int) -> FingerChange<PixelPoint> {
        FingerChange(id: id, .moved(PixelPoint(x: x, y: y)))
    }
    static func up(_ id: Int) -> FingerChange<PixelPoint> { FingerChange(id: id, .ended(nil)) }
    static func padDown(_ id: Int, _ x: Int, _ y: Int) -> FingerChange<PadPoint> {
        FingerChange(id: id, .began(PadPoint(x: x, y: y)))
    }

    struct Halves: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let down: SingleInput
        let up: SingleInput
        let told: [String]
        /// What comes when the caller does not let it go.
        let released: String
        let field: String
    }

    static let halves = [
        Halves(
            testDescription: "knob", down: .press(down: true), up: .press(down: false),
            told: ["press", "release 700 long"], released: "release 700 long", field: "knob.down"),
        Halves(
            testDescription: "nudge", down: .nudge(.left, down: true), up: .nudge(.left, down: false),
            told: ["nudge left down", "nudge left up"], released: "nudge left up", field: "knob.down"),
        Halves(
            testDescription: "key", down: .key(.voice, down: true), up: .key(.voice, down: false),
            told: ["voice down", "voice up"], released: "voice up", field: "key.down"),
        Halves(
            testDescription: "finger", down: .touch([down(3, 7, 8)]), up: .touch([up(3)]),
            told: ["began 3 7,8", "ended 3 7,8"], released: "cancelled 3 7,8", field: "touch.frame.0.phase"),
        Halves(
            testDescription: "pad finger", down: .touchpad([padDown(2, 100, 200)]),
            up: .touchpad([FingerChange(id: 2, .ended(nil))]),
            told: ["pad began 2 100,200", "pad ended 2 100,200"], released: "pad cancelled 2 100,200",
            field: "touchpad.frame.0.phase"),
    ]

    @Test(arguments: halves) func itIsHeldOverSeveralCalls(_ half: Halves) throws {
        var bench = bench()
        let client = bench.connect()
        let reply = try bench.inject(half.down, by: client, tag: "t").get()
        #expect(reply.value(at: "first") == .int(1))
        #expect(reply.value(at: "count") == .int(1))
        bench.pass(700 * Bench.millisecond)
        #expect(bench.told() == ["s1/main \(half.told[0]) (t)"], "it stays down")
        #expect(try bench.inject(half.up, by: client, tag: "t").get().value(at: "first") == .int(2))
        #expect(bench.told() == half.told.map { "s1/main \($0) (t)" })
        #expect(bench.core.holds.holds.isEmpty && bench.core.gestures.isEmpty)
        bench.handle(.clientClosed(client))
        #expect(bench.told().count == 2, "nothing is let go that is not held")
    }

    @Test(arguments: halves) func aCallerThatIsAnAppIsNotToldOfItsOwnEnd(_ half: Halves) {
        var bench = bench()
        let client = bench.connect()
        bench.inject(half.down, by: client)
        bench.handle(.clientCalled(client, .launch(AppManifest(name: "demo"), device: nil, token: "token")))
        bench.pass(Bench.second)
        let (told, before) = (bench.streams[client], bench.events.count)
        bench.handle(.clientClosed(client))
        #expect(
            bench.told().map { $0.split(separator: " ").dropFirst().first }
                == [half.told[0], half.released].map { $0.split(separator: " ").first })
        #expect(bench.told(from: before).count == 1, "it is let go then, and once")
        let kinds = bench.kinds(from: before)
        #expect(kinds.first == .appEnded && kinds.count == 2, "what it was goes before what it held")
        #expect(bench.streams[client] == told, "it is told nothing of that")
        #expect(bench.core.holds.holds.isEmpty && bench.core.apps.isEmpty)
    }

    @Test(arguments: halves) func itIsLetGoOnceWhenItsCallerEnds(_ half: Halves) {
        var bench = bench()
        let client = bench.connect()
        bench.inject(half.down, by: client, tag: "t")
        bench.pass(700 * Bench.millisecond)
        bench.handle(.clientClosed(client))
        #expect(bench.told() == ["s1/main \(half.told[0]) (t)", "s1/main \(half.released) (t)"])
        #expect(bench.core.holds.holds.isEmpty)
        bench.unplug("one")
        #expect(bench.told().count == 2)
    }

    @Test(arguments: halves) func itIsLetGoOnceWhenItsSessionEnds(_ half: Halves) {
        var bench = bench()
        let client = bench.connect()
        bench.inject(half.down, by: client)
        bench.pass(700 * Bench.millisecond)
        bench.unplug("one")
        #expect(bench.told() == ["s1/main \(half.told[0])", "s1/main \(half.released)"])
        bench.handle(.clientClosed(client))
        #expect(bench.told().count == 2)
    }

    @Test(arguments: halves) func anotherFrontLeavesItWhereItBegan(_ half: Halves) {
        var bench = bench()
        let client = bench.connect()
        bench.inject(half.down, by: client)
        bench.command(.setFront(device: "two"))
        bench.pass(700 * Bench.millisecond)
        bench.inject(half.up, by: client)
        #expect(bench.told() == half.told.map { "s1/main \($0)" })
    }

    @Test(arguments: halves) func aSecondDownAndAnUpOfNothingAreRefused(_ half: Halves) {
        var bench = bench()
        let client = bench.connect()
        #expect(Self.field(bench.inject(half.up, by: client)) == half.field)
        bench.inject(half.down, by: client)
        #expect(Self.field(bench.inject(half.down, by: client)) == half.field)
        let other = bench.connect()
        #expect(Self.field(bench.inject(half.up, by: other)) == half.field, "it is not another caller's")
        #expect(bench.told().count == 1)
        bench.inject(half.up, by: client)
        #expect(Self.field(bench.inject(half.up, by: client)) == half.field)
    }

    @Test(arguments: halves) func eachCallerHoldsForItself(_ half: Halves) {
        var bench = bench()
        let (one, other) = (bench.connect(), bench.connect())
        bench.inject(half.down, by: one, tag: "one")
        bench.inject(half.down, by: other, tag: "other")
        bench.handle(.clientClosed(one))
        #expect(bench.told().count == 3)
        #expect(bench.told().last?.hasSuffix("(one)") == true)
        bench.inject(half.up, by: other, tag: "other")
        #expect(bench.told().last?.hasSuffix("(other)") == true)
        #expect(bench.core.holds.holds.isEmpty)
    }

    static func field(_ result: Result<RecordValue, CommandFailure>) -> String? {
        guard case .failure(.invalidParameter(let field, let text)) = result else { return nil }
        #expect(!text.isEmpty)
        return field
    }

    @Test func fingersOfAFrameAreToldWithThoseThatStay() {
        var bench = bench()
        let client = bench.connect()
        bench.inject(.touch([Self.down(1, 10, 10)]), by: client)
        bench.inject(.touch([Self.down(0, 20, 20)]), by: client)
        bench.inject(.touch([Self.move(1, 11, 10)]), by: client)
        bench.inject(.touch([FingerChange(id: 0, .ended(PixelPoint(x: 21, y: 22))), Self.move(1, 12, 10)]), by: client)
        bench.inject(.touch([Self.up(1)]), by: client)
        #expect(
            bench.told() == [
                "s1/main began 1 10,10", "s1/main began 0 20,20 + stationary 1 10,10",
                "s1/main stationary 0 20,20 + moved 1 11,10", "s1/main ended 0 21,22 + moved 1 12,10",
                "s1/main ended 1 12,10",
            ])
    }

    @Test func fingersOnTwoDisplaysKeepApart() {
        var bench = bench()
        let client = bench.connect()
        bench.inject(.touch([Self.down(0, 1, 1)]), by: client, device: "two", display: "main")
        bench.inject(.touch([Self.down(0, 2, 2)]), by: client, device: "two", display: "cluster")
        #expect(Self.field(bench.inject(.touch([Self.move(0, 3, 3)]), by: client)) == "display", "of two")
        bench.inject(.touch([Self.move(0, 3, 3)]), by: client, device: "two", display: "cluster")
        bench.inject(.touch([Self.up(0)]), by: client, device: "two", display: "main")
        bench.inject(.touch([Self.up(0)]), by: client)
        #expect(
            bench.told() == [
                "s2/main began 0 1,1", "s2/cluster began 0 2,2", "s2/cluster moved 0 3,3", "s2/main ended 0 1,1",
                "s2/cluster ended 0 3,3",
            ])
    }

    /// A frame without a display goes where all its fingers are down; where that is not one place it is refused, and
    /// nothing happens.
    @Test func aFrameWithoutADisplayGoesWhereItsFingersAre() {
        var bench = bench()
        let client = bench.connect()
        bench.inject(.touch([Self.down(0, 1, 1), Self.down(1, 1, 2)]), by: client, device: "two", display: "main")
        bench.inject(.touch([Self.down(2, 5, 5)]), by: client)
        bench.inject(.touch([Self.down(3, 7, 7), Self.down(1, 8, 8)]), by: client, device: "two", display: "cluster")
        let before = bench.events.count
        // Of one display each, wherever the last finger went down.
        bench.inject(.touch([Self.move(0, 2, 2)]), by: client)
        bench.inject(.touch([Self.move(3, 9, 9)]), by: client)
        bench.inject(.touch([Self.move(1, 3, 3), Self.move(0, 3, 3)]), by: client)
        bench.inject(.touch([Self.move(3, 4, 4), Self.down(5, 4, 4)]), by: client)
        #expect(
            bench.told(from: before) == [
                "s2/main moved 0 2,2 + stationary 1 1,2 + stationary 2 5,5",
                "s2/cluster stationary 1 8,8 + moved 3 9,9",
                "s2/main moved 0 3,3 + moved 1 3,3 + stationary 2 5,5",
                "s2/cluster stationary 1 8,8 + moved 3 4,4 + began 5 4,4",
            ])
        let (count, holds) = (bench.events.count, bench.core.holds.holds.count)
        #expect(Self.field(bench.inject(.touch([Self.move(1, 5, 5)]), by: client)) == "display", "1 is on both")
        #expect(Self.field(bench.inject(.touch([Self.down(6, 5, 5)]), by: client)) == "display", "there are two")
        #expect(Self.field(bench.inject(.touch([Self.up(0), Self.up(3)]), by: client)) == "touch.frame", "of each one")
        #expect(Self.field(bench.inject(.touch([Self.up(0), Self.up(9)]), by: client)) == "touch.frame.1.phase")
        #expect(Self.field(bench.inject(.touch([Self.up(0)]), by: client, device: "one")) == "touch.frame.0.phase")
        #expect(bench.events.count == count && bench.core.holds.holds.count == holds)
        // A device narrows it down.
        bench.inject(.touch([Self.down(1, 6, 6)]), by: client, device: "one")
        bench.inject(.touch([Self.up(1)]), by: client, device: "one")
        #expect(bench.told(from: count) == ["s1/main began 1 6,6", "s1/main ended 1 6,6"])
    }

    @Test func aFingerOfASessionThatIsGoneIsNotDown() throws {
        var bench = Bench()
        bench.plug("iphone", "one")
        bench.pass(Bench.second)
        let client = bench.connect()
        bench.inject(.touch([Self.down(0, 1, 1)]), by: client)
        bench.unplug("one")
        guard case .failure(.invalidParameter(let field, let text)) = bench.inject(.touch([Self.up(0)]), by: client)
        else {
            Issue.record("a finger is lifted that is not down")
            return
        }
        #expect(field == "touch.frame.0.phase" && text.contains("is not down") && text.contains("session"))
    }

    @Test func aChangeOfPixelsTakesFingersBackAndNothingElse() {
        var bench = bench()
        let (client, other) = (bench.connect(), bench.connect())
        bench.inject(.touch([Self.down(0, 1, 1), Self.down(2, 5, 5)]), by: client)
        bench.inject(.touch([Self.down(0, 9, 9)]), by: other)
        bench.inject(.key(.home, down: true), by: client)
        let before = bench.events.count
        var change = DisplayChange(display: "s1/main")
        change.pixels = PixelSize(width: 640, height: 400)
        bench.command(.setDisplay(change))
        #expect(
            bench.told(from: before) == [
                "s1/main cancelled 0 1,1 + cancelled 2 5,5", "s1/main cancelled 0 9,9",
            ])
        let cancelled = bench.events.dropFirst(before).first { $0.kind == .inputTouch }
        #expect(cancelled?.input?.revision == 1, "it is of the display that it was scaled with")
        #expect(Self.field(bench.inject(.touch([Self.move(0, 1, 1)]), by: client)) == "touch.frame.0.phase")
        bench.inject(.touch([Self.down(0, 1, 1)]), by: client)
        bench.inject(.key(.home, down: false), by: client)
        #expect(bench.told().last == "s1/main home up")
    }

    @Test func withoutASessionSubscribersHearOfIt() {
        var bench = Bench()
        let client = bench.connect()
        bench.inject(.press(down: true), by: client)
        bench.inject(.touchpad([Self.padDown(0, 5, 5)]), by: client)
        bench.handle(.clientClosed(client))
        #expect(bench.told() == ["- press", "- pad began 0 5,5", "- release 0", "- pad cancelled 0 5,5"])
    }

    @Test func aTurnWhileItIsPressedIsBetween() {
        var bench = bench()
        let client = bench.connect()
        bench.inject(.press(down: true), by: client)
        bench.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        bench.pass(20 * Bench.millisecond)
        bench.inject(.press(down: false), by: client)
        #expect(bench.told() == ["s1/main press", "s1/main rotate 1", "s1/main release 20"])
    }

    @Test func aScenarioLetsGoOfWhatItHolds() {
        var bench = bench()
        let client = bench.connect()
        let text = "key home down\ntouch down 0 5 5 and 1 7 7\nwait 100ms\nknob press down\nwait 50ms\n"
        bench.handle(.clientCalled(client, .run(name: "held", text: text)))
        bench.pass(Bench.second)
        #expect(
            bench.told() == [
                "s1/main home down", "s1/main began 0 5,5 + began 1 7,7", "s1/main press", "s1/main home up",
                "s1/main cancelled 0 5,5 + cancelled 1 7,7", "s1/main release 50",
            ])
        #expect(bench.core.holds.holds.isEmpty)
        bench.handle(.clientClosed(client))
        #expect(bench.told().count == 6)
    }

    static let wrong: [(SingleInput, String)] = [
        (.touch([]), "touch.frame"),
        (.touch((0..<11).map { down($0, 1, 1) }), "touch.frame"),
        (.touch([down(10, 1, 1)]), "touch.frame.0.id"),
        (.touch([down(-1, 1, 1)]), "touch.frame.0.id"),
        (.touch([down(1, 1, 1), down(1, 2, 2)]), "touch.frame.1.id"),
        (.touch([down(1, 1, 1), up(1)]), "touch.frame.1.id"),
        (.touch([down(0, 1, 1), up(1)]), "touch.frame.1.phase"),
        (.touch([down(0, 1, 1), move(1, 1, 1)]), "touch.frame.1.phase"),
        (.touch([down(0, 800, 1)]), "touch.frame.0"),
        (.touch([down(0, 1, 1), down(1, 1, -1)]), "touch.frame.1"),
        (.touch([FingerChange(id: 0, .ended(PixelPoint(x: 1, y: 480)))]), "touch.frame.0.phase"),
        (.touchpad([]), "touchpad.frame"),
        (.touchpad([padDown(0, 10_001, 0)]), "touchpad.frame.0"),
        (.touchpad([padDown(0, 0, 0), padDown(0, 0, 0)]), "touchpad.frame.1.id"),
        (.touchpad([FingerChange(id: 4, .ended(nil))]), "touchpad.frame.0.phase"),
    ]

    @Test(arguments: wrong.indices) func whatCannotBeIsRefusedByItsField(index: Int) {
        var bench = bench()
        let client = bench.connect()
        let (single, field) = Self.wrong[index]
        #expect(Self.field(bench.inject(single, by: client)) == field)
        #expect(bench.told().isEmpty && bench.core.holds.holds.isEmpty, "nothing of it is done")
        bench.inject(.press(down: true), by: client)
        #expect(bench.events.last { $0.kind == .inputKnob }?.input?.id == InputID(1), "it took no number")
    }

    @Test func theTargetIsRefusedByItsName() {
        var bench = bench()
        let client = bench.connect()
        #expect(
            bench.inject(.press(down: true), by: client, device: "three")
                == .failure(.unknownDevice("three", known: ["one", "two"])))
        #expect(Self.field(bench.inject(.touch([Self.down(0, 1, 1)]), by: client, display: "cluster")) == "display")
        var empty = Bench()
        let caller = empty.connect()
        #expect(Self.field(empty.inject(.touch([Self.down(0, 1, 1)]), by: caller)) == "display")
    }

    @Test func aCallerHoldsSoManyAndAllCallersSoMany() {
        var bench = Bench { $0.maximumHeldInputs = 33 }
        bench.plug("iphone", "one")
        bench.pass(Bench.second)
        let client = bench.connect()
        for key in Key.allCases { bench.inject(.key(key, down: true), by: client) }
        for direction in NudgeDirection.allCases { bench.inject(.nudge(direction, down: true), by: client) }
        let count = Key.allCases.count + NudgeDirection.allCases.count
        for id in 0..<InjectedHolds.maximumPerHolder - count {
            bench.inject(.touchpad([Self.padDown(id, 1, 1)]), by: client)
        }
        #expect(bench.core.holds.holds.count == InjectedHolds.maximumPerHolder)
        let limit = CommandFailure.limitReached("heldInputsPerCaller", InjectedHolds.maximumPerHolder)
        #expect(bench.inject(.press(down: true), by: client) == .failure(limit))
        #expect(bench.inject(.touchpad([Self.padDown(9, 1, 1)]), by: client) == .failure(limit))
        let other = bench.connect()
        bench.inject(.press(down: true), by: other)
        #expect(bench.inject(.key(.home, down: true), by: other) == .failure(.limitReached("heldInputs", 33)))
        bench.inject(.press(down: false), by: other)
        bench.handle(.clientClosed(client))
        #expect(bench.core.holds.holds.isEmpty)
    }

    /// A frame of several fingers is looked at as a whole: all of them have room, or none goes down.
    @Test func theLimitIsExactForFramesOfFingers() {
        var bench = Bench { $0.maximumHeldInputs = 11 }
        bench.plug("iphone", "one")
        bench.pass(Bench.second)
        let (client, other) = (bench.connect(), bench.connect())
        bench.inject(.key(.home, down: true), by: other)
        bench.inject(.key(.back, down: true), by: other)
        let full = CommandFailure.limitReached("heldInputs", 11)
        let ten = (0..<10).map { Self.down($0, 1, 1) }
        #expect(bench.inject(.touch(ten), by: client) == .failure(full))
        #expect(bench.core.holds.holds.count == 2 && bench.told().count == 2, "none of them is down")
        bench.inject(.touch(Array(ten.dropLast())), by: client)
        #expect(bench.core.holds.holds.count == 11)
        #expect(bench.inject(.touch([Self.down(9, 1, 1)]), by: client) == .failure(full))
        #expect(bench.inject(.touchpad([Self.padDown(0, 1, 1)]), by: client) == .failure(full))
        // One for another is no more than there were.
        bench.inject(.touch([Self.up(0), Self.down(9, 1, 1)]), by: client)
        #expect(bench.core.holds.holds.count == 11)
        #expect(bench.failures[client]?.count == 3)
    }

    /// The rig is the phone of a simulated head unit: its touchscreen takes two fingers, and input comes over the link.
    @Test func whatTheLinkCarriesIsHeldThere() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        bench.pass(2 * Bench.second)
        let client = bench.connect()
        bench.inject(.touch([Self.down(0, 10, 10)]), by: client, tag: "a")
        bench.inject(.touch([Self.down(1, 20, 20)]), by: client, tag: "a")
        let refused = bench.inject(.touch([Self.down(2, 30, 30)]), by: client)
        #expect(Self.field(refused) == "touch.frame")
        bench.inject(.key(.home, down: true), by: client, tag: "b")
        bench.inject(.touch([Self.move(0, 11, 10)]), by: client, tag: "a")
        bench.pass(Bench.second)
        let before = bench.events.count
        #expect(bench.told().count == 4)
        bench.handle(.clientClosed(client))
        bench.pass(Bench.second)
        let told = bench.told(from: before)
        #expect(told.contains { $0.contains("home up") })
        #expect(told.contains { $0.contains("cancelled 0") && $0.contains("cancelled 1") })
        #expect(told.count == 2, "\(told)")
    }

    /// The devices of a link tell what is down, not who holds it.
    @Test(arguments: [
        (SingleInput.key(.home, down: true), SingleInput.key(.home, down: false)),
        (.key(.next, down: true), .key(.next, down: false)),
        (.press(down: true), .press(down: false)),
        (.nudge(.left, down: true), .nudge(.left, down: false)),
    ]) func whatTwoHoldOverALinkComesUpWithTheLast(_ down: SingleInput, _ up: SingleInput) {
        for firstGoes in [true, false] {
            var bench = Bench { settings in
                for unit in settings.headUnits.indices {
                    for display in settings.headUnits[unit].displays.indices {
                        settings.headUnits[unit].displays[display].inputs = DisplayInput.allCases
                    }
                }
            }
            bench.plug("head-unit", "car")
            bench.pass(2 * Bench.second)
            let clients = [bench.connect(), bench.connect()]
            let before = bench.events.count
            for client in clients {
                bench.inject(down, by: client, tag: "\(client)")
                bench.pass(Bench.second)
            }
            bench.inject(up, by: clients[firstGoes ? 0 : 1])
            bench.pass(Bench.second)
            #expect(bench.told(from: before).count == 1, "\(bench.told(from: before))")
            // The other goes without a word.
            bench.handle(.clientClosed(clients[firstGoes ? 1 : 0]))
            bench.pass(Bench.second)
            let told = bench.told(from: before)
            #expect(told.count == 2 && told.last?.contains("down") == false, "\(told)")
            bench.inject(down, by: clients[firstGoes ? 0 : 1])
            bench.pass(Bench.second)
            #expect(bench.told(from: before).count == 3, "it can be pressed again")
        }
    }

    @Test func aChangeOfPixelsTakesBackOnceWhatTheLinkCarries() {
        var bench = Bench()
        bench.plug("head-unit", "car")
        bench.pass(2 * Bench.second)
        let client = bench.connect()
        bench.inject(.touch([Self.down(0, 10, 10)]), by: client)
        bench.inject(.touch([Self.down(1, 20, 20)]), by: client)
        bench.pass(Bench.second)
        let before = bench.events.count
        guard let display = bench.core.sessions.values.first?.displays.first else {
            Issue.record("the car has no display")
            return
        }
        var change = DisplayChange(display: display.name)
        change.pixels = PixelSize(width: display.description.pixels.width / 2, height: 200)
        bench.command(.setDisplay(change))
        bench.pass(Bench.second)
        let told = bench.told(from: before).joined(separator: " + ")
        for id in 0...1 {
            #expect(told.components(of: "cancelled \(id)") == 1, "\(told)")
        }
        #expect(told.components(of: "moved") + told.components(of: "ended") == 0, "\(told)")
        let touches = bench.events.dropFirst(before).filter { $0.kind == .inputTouch }
        #expect(touches.allSatisfy { $0.input?.revision == display.revision }, "of the display it was scaled with")
        bench.handle(.clientClosed(client))
        bench.pass(Bench.second)
        #expect(bench.told(from: before).joined(separator: " + ") == told, "and once")
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
