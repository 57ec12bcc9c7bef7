import RigModel
import Testing

@testable import RigCore

/// Sequences: whole or not at all, in order, at their times, and told how late.
@Suite struct SequenceTests {
    typealias Step = InjectionSequence.Step

    private static let millisecond = Bench.millisecond

    private func bench(_ change: (inout CoreSettings) -> Void = { _ in }) -> Bench {
        var bench = Bench(change)
        bench.plug("iphone", "one", displays: "standard")
        bench.plug("iphone", "two", displays: "cluster-minimum")
        bench.pass(Bench.second)
        return bench
    }

    private static func step(_ time: UInt64, _ single: SingleInput) -> Step {
        Step(at: time * millisecond, .single(single))
    }
    private static func step(_ time: UInt64, _ gesture: Gesture) -> Step {
        Step(at: time * millisecond, .gesture(gesture))
    }
    private static let turn = Gesture.rotate(detents: 1, interval: 0)

    private func call(
        _ bench: inout Bench, _ steps: [Step], by client: ClientID, wait: InputStep = .accepted,
        within: UInt64 = Bench.second, device: String? = nil, tag: String? = nil
    ) {
        bench.handle(
            .clientCalled(
                client, .injectSequence(InjectionSequence(steps, device: device, tag: tag), wait: wait, within: within))
        )
    }

    /// What was injected, each with its time in milliseconds from a moment.
    private func timeline(_ bench: Bench, from start: UInt64) -> [String] {
        let events = bench.events.filter { event in
            guard event.input?.source == "injected", case .input = event.payload else { return false }
            return true
        }
        return zip(events, bench.told()).map { event, words in
            "\(event.input?.id.number ?? 0) \((event.time - start) / Self.millisecond) \(words)"
        }
    }

    @Test func stepsComeInTheirOrderAtTheirTimes() throws {
        var bench = bench()
        let client = bench.connect()
        let start = bench.now
        call(
            &bench,
            [
                Self.step(0, .press(down: true)), Self.step(100, .rotate(detents: 3, interval: 50 * Self.millisecond)),
                Self.step(120, .key(.voice, hold: 300 * Self.millisecond)), Self.step(120, Self.turn),
                Self.step(700, .press(down: false)),
            ], by: client, tag: "t")
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "first") == .int(1))
        #expect(reply.value(at: "count") == .int(8))
        #expect(reply.value(at: "session") == .string("s1"))
        #expect(reply.value(at: "reached") == .string("accepted"))
        #expect(reply.value(at: "sent") == nil)
        let numbers = [(1, 1), (2, 3), (5, 2), (7, 1), (8, 1)]
        for (index, (first, count)) in numbers.enumerated() {
            #expect(reply.value(at: "steps.\(index).first") == .int(Int64(first)))
            #expect(reply.value(at: "steps.\(index).count") == .int(Int64(count)))
        }
        #expect(bench.told().count == 1, "the first is due at once")
        bench.pass(Bench.second)
        #expect(
            timeline(bench, from: start) == [
                "1 0 s1/main press (t)", "2 100 s1/main rotate 1 (t)", "5 120 s1/main voice down (t)",
                "7 120 s1/main rotate 1 (t)", "3 150 s1/main rotate 1 (t)", "4 200 s1/main rotate 1 (t)",
                "6 420 s1/main voice up (t)", "8 700 s1/main release 700 long (t)",
            ])
        #expect(bench.events.allSatisfy { $0.input?.late == nil })
        #expect(bench.core.sequences.isEmpty && bench.core.gestures.isEmpty && bench.core.holds.holds.isEmpty)
        #expect(bench.core.deadlines.count == bench.core.links.count || bench.core.nextDeadline != nil)
    }

    /// The line behind a gesture begins when it is over: the same key pushed twice comes up in between.
    @Test func aStepAtTheEndOfTheOneBeforeComesBehindIt() {
        var bench = bench()
        let client = bench.connect()
        let start = bench.now
        let hold = 80 * Self.millisecond
        call(
            &bench,
            [
                Self.step(0, .key(.home, hold: hold)), Self.step(80, .key(.home, hold: hold)),
                Self.step(160, .press(hold: hold)), Self.step(240, .press(hold: hold)),
                Self.step(320, .rotate(detents: 2, interval: hold)), Self.step(400, .press(hold: hold)),
            ], by: client)
        bench.pass(Bench.second)
        #expect(
            timeline(bench, from: start) == [
                "1 0 s1/main home down", "2 80 s1/main home up", "3 80 s1/main home down", "4 160 s1/main home up",
                "5 160 s1/main press", "6 240 s1/main release 80", "7 240 s1/main press", "8 320 s1/main release 80",
                "9 320 s1/main rotate 1", "10 400 s1/main rotate 1", "11 400 s1/main press",
                "12 480 s1/main release 80",
            ])
    }

    /// Its client would close the connection at the answer, and the rest would not be done.
    @Test func anAppThatGoesEndsNoSequence() throws {
        var bench = bench()
        let app = bench.launch()
        let client = bench.connect()
        call(
            &bench, [Self.step(0, .key(.home, down: true)), Self.step(500, .key(.home, down: false))], by: client,
            wait: .read)
        bench.pass(100 * Self.millisecond)
        bench.handle(.clientClosed(app))
        #expect(bench.replies[client] == nil)
        bench.pass(Bench.second)
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "sent") == .int(2))
        #expect(reply.value(at: "reaches") == .string("accepted"))
        #expect(reply.value(at: "reached") == .string("accepted"))
        #expect(bench.told() == ["s1/main home down", "s1/main home up"])
    }

    @Test func fingersOfASequenceAreItsOwn() {
        var bench = bench()
        let client = bench.connect()
        bench.inject(.touch([SingleInputTests.down(0, 5, 5)]), by: client)
        call(
            &bench,
            [
                Self.step(0, .touch([SingleInputTests.down(0, 9, 9)])),
                Self.step(10, .touch([SingleInputTests.move(0, 10, 9)])),
                Self.step(20, .touch([SingleInputTests.up(0)])),
            ], by: client)
        bench.pass(Bench.second)
        bench.inject(.touch([SingleInputTests.up(0)]), by: client)
        #expect(
            bench.told() == [
                "s1/main began 0 5,5", "s1/main began 0 9,9", "s1/main moved 0 10,9", "s1/main ended 0 10,9",
                "s1/main ended 0 5,5",
            ])
    }

    /// On the link, with no app: the last event arrives while it is sent.
    @Test func whatArrivesWhileItIsSentIsCounted() throws {
        var bench = Bench()
        bench.plug("iphone", "one")
        bench.pass(Bench.second)
        let client = bench.connect()
        call(
            &bench, [Self.step(0, Self.turn), Self.step(20, .press(hold: Self.millisecond))], by: client,
            wait: .delivered)
        bench.pass(Bench.second)
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "reached") == .string("delivered"))
        #expect(reply.value(at: "sent") == .int(3))
    }

    @Test func fingersOfOthersTakeNoRoomFromASequence() throws {
        var bench = bench()
        let (other, client) = (bench.connect(), bench.connect())
        func frame(_ ids: Range<Int>, _ change: (Int) -> FingerChange<PixelPoint>) -> SingleInput {
            .touch(ids.map(change))
        }
        bench.inject(frame(0..<6) { SingleInputTests.down($0, 10 + $0, 10) }, by: other)
        call(
            &bench,
            [
                Self.step(10, frame(0..<5) { SingleInputTests.down($0, 50 + $0, 50) }),
                Self.step(20, frame(0..<5) { SingleInputTests.up($0) }),
            ], by: client, wait: .delivered)
        bench.pass(3 * Bench.second)
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "sent") == .int(2))
        #expect(bench.core.sequences.isEmpty && bench.core.holds.holds.count == 6)
    }

    @Test func whatIsLateSaysHowLateAndPutsNothingOff() throws {
        var bench = bench()
        let client = bench.connect()
        let start = bench.now
        call(
            &bench,
            [
                Self.step(0, Self.turn), Self.step(10, .key(.voice, hold: 10 * Self.millisecond)),
                Self.step(15, Self.turn), Self.step(40, Self.turn), Self.step(100, Self.turn),
            ], by: client, wait: .delivered, within: 0)
        // Nobody wakes the rig until 41.5 ms: it is busy elsewhere.
        bench.now = start + 41_500_000
        bench.handle(.deadlineReached)
        bench.pass(Bench.second)
        let events = bench.events.filter { $0.input?.source == "injected" }
        #expect(events.map { $0.input?.id.number } == [1, 2, 4, 3, 5, 6], "in the order of their times")
        #expect(events.map { $0.input?.late } == [nil, 31_500_000, 26_500_000, 21_500_000, nil, nil])
        #expect(events.last?.time == start + 100 * Self.millisecond, "what comes later is not put off")
        #expect(events[1].record.value(at: "input.lateMicroseconds") == .int(31_500))
        #expect(events[4].record.value(at: "input.lateMicroseconds") == nil, "1.5 ms is not worth telling")
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "latestMicroseconds") == .int(31_500))
        #expect(reply.value(at: "sent") == .int(6))
    }

    @Test func theLatenessThatIsToldBeginsAtTwoMilliseconds() {
        for late in [1_999_999, 2_000_000] as [UInt64] {
            var bench = bench()
            let client = bench.connect()
            call(&bench, [Self.step(10, Self.turn)], by: client)
            bench.now += 10 * Self.millisecond + late
            bench.handle(.deadlineReached)
            #expect(bench.events.last?.input?.late == (late == 2_000_000 ? late : nil))
        }
    }

    @Test func aGestureThatIsLateSaysSoToo() {
        var bench = bench()
        bench.command(.inject(Injection(.key(.voice, hold: 10 * Self.millisecond))))
        bench.now += 15 * Self.millisecond
        bench.handle(.deadlineReached)
        #expect(bench.events.last?.input?.late == 5 * Self.millisecond)
    }

    // MARK: Waiting

    @Test func whoWaitsIsAnsweredWhenAllHaveComeSoFar() throws {
        var bench = bench()
        _ = bench.launch()
        let client = bench.connect()
        call(&bench, [Self.step(0, Self.turn), Self.step(50, Self.turn)], by: client, wait: .read)
        bench.pass(20 * Self.millisecond)
        bench.takeAll()
        bench.handle(.clientCalled(bench.connect(), .acknowledge(token: "token", ids: [1])))
        #expect(bench.replies[client] == nil)
        bench.pass(40 * Self.millisecond)
        bench.takeAll()
        #expect(bench.replies[client] == nil, "the second is not read")
        bench.handle(.clientCalled(bench.connect(), .acknowledge(token: "token", ids: [2])))
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "reached") == .string("read"))
        #expect(reply.value(at: "sent") == .int(2))
        #expect(reply.value(at: "latestMicroseconds") == .int(0))
        #expect(bench.core.waits.isEmpty)
    }

    @Test func whatCannotComeSoFarIsWaitedForUntilItIsSent() throws {
        var bench = Bench()
        let client = bench.connect()
        let press = Gesture.press(hold: 100 * Self.millisecond)
        call(&bench, [Self.step(0, Self.turn), Self.step(200, press)], by: client, wait: .read)
        bench.pass(299 * Self.millisecond)
        #expect(bench.replies[client] == nil)
        bench.pass(Self.millisecond)
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "reached") == .string("accepted"))
        #expect(reply.value(at: "reaches") == .string("accepted"))
        #expect(reply.value(at: "sent") == .int(3))
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func theTimeToWaitCountsFromTheLastEvent() throws {
        var bench = bench()
        _ = bench.launch()
        let client = bench.connect()
        call(
            &bench, [Self.step(0, .press(hold: 400 * Self.millisecond)), Self.step(100, Self.turn)], by: client,
            wait: .read, within: 100 * Self.millisecond)
        bench.pass(500 * Self.millisecond)
        #expect(bench.replies[client] == nil)
        bench.pass(Self.millisecond)
        #expect(bench.replies[client]?.first?.value(at: "reached") == .string("accepted"))
        #expect(bench.replies[client]?.first?.value(at: "sent") == .int(3))
    }

    // MARK: Ends

    private static let long: [Step] = [
        step(0, .key(.voice, down: true)), step(0, .touch([SingleInputTests.down(0, 1, 1)])),
        step(50, .press(hold: Bench.second)), step(500, .touch([SingleInputTests.up(0)])),
        step(600, .key(.voice, down: false)),
    ]
    private static let takenBack = ["s1/main release 50", "s1/main voice up", "s1/main cancelled 0 1,1"]

    @Test func itEndsWithItsSession() throws {
        var bench = bench()
        let client = bench.connect()
        call(&bench, Self.long, by: client, wait: .delivered)
        bench.pass(100 * Self.millisecond)
        let before = bench.events.count
        bench.unplug("one")
        #expect(bench.told(from: before) == Self.takenBack)
        let reply = try #require(bench.replies[client]?.first)
        #expect(reply.value(at: "sent") == .int(3))
        #expect(reply.value(at: "count") == .int(6))
        bench.pass(Bench.second)
        #expect(bench.told(from: before) == Self.takenBack, "once")
        #expect(bench.core.sequences.isEmpty && bench.core.gestures.isEmpty && bench.core.holds.holds.isEmpty)
    }

    @Test func itEndsWithItsCaller() {
        var bench = bench()
        let client = bench.connect()
        call(&bench, Self.long, by: client)
        bench.pass(100 * Self.millisecond)
        let before = bench.events.count
        bench.handle(.clientClosed(client))
        #expect(bench.told(from: before) == Self.takenBack)
        bench.pass(Bench.second)
        #expect(bench.told(from: before) == Self.takenBack)
        #expect(bench.core.sequences.isEmpty && bench.core.waits.isEmpty)
    }

    @Test(arguments: [true, false]) func itEndsWithThePixelsThatItTouches(touches: Bool) {
        var bench = bench()
        let client = bench.connect()
        let steps = touches ? Self.long : Self.long.filter { !$0.input.isTouch }
        call(&bench, steps, by: client, wait: .delivered)
        bench.pass(100 * Self.millisecond)
        let before = bench.events.count
        var change = DisplayChange(display: "s1/main")
        change.pixels = PixelSize(width: 640, height: 400)
        bench.command(.setDisplay(change))
        #expect(bench.told(from: before) == (touches ? Self.takenBack : []))
        #expect((bench.replies[client] != nil) == touches)
        bench.pass(2 * Bench.second)
        #expect(bench.told(from: before).count == (touches ? 3 : 2))
        #expect(bench.core.sequences.isEmpty)
    }

    // MARK: Refusals

    struct Wrong: Sendable {
        let steps: [Step]
        let field: String

        init(_ field: String, _ steps: [Step]) {
            self.steps = steps
            self.field = field
        }
    }

    static let wrong: [Wrong] = [
        Wrong("steps", []),
        Wrong("steps", Array(repeating: step(0, turn), count: InjectionSequence.maximumSteps + 1)),
        Wrong("steps.1.at", [step(100, turn), step(99, turn)]),
        Wrong("steps.0.at", [step(600_001, turn)]),
        Wrong("steps.1.knob.detents", [step(0, turn), step(0, .rotate(detents: 0, interval: 0))]),
        Wrong("steps.1.key.holdMilliseconds", [step(0, turn), step(0, .key(.home, hold: .max))]),
        Wrong("steps.2.key.down", [step(0, .key(.home, down: true)), step(1, turn), step(2, .key(.home, down: true))]),
        Wrong("steps.0.key.down", [step(0, .key(.home, down: false))]),
        Wrong("steps.1.key.down", [step(0, turn), step(0, .key(.home, down: true))]),
        Wrong("steps.0.knob.down", [step(0, .press(down: true)), step(5, turn)]),
        Wrong(
            "steps.1.touch.frame.0.phase",
            [step(0, .touch([SingleInputTests.down(0, 1, 1)])), step(1, .touch([SingleInputTests.move(1, 1, 1)]))]),
        Wrong("steps.0.touch.frame", [step(0, .touch([SingleInputTests.down(0, 1, 1)]))]),
        Wrong("steps.0.touchpad.frame", [step(0, .touchpad([SingleInputTests.padDown(1, 1, 1)]))]),
        Wrong("steps.1.touch.frame.0", [step(0, turn), step(0, .touch([SingleInputTests.down(0, 800, 0)]))]),
        Wrong("steps.1.touch.contacts.0.points.0", [step(0, turn), step(9, InjectionTests.tap(0, 480))]),
        Wrong("steps.0.touch.frame.1.id", [step(0, .touch([SingleInputTests.down(0, 1, 1), SingleInputTests.up(0)]))]),
        Wrong(
            "steps.13.at",
            Array(
                repeating: step(
                    0,
                    .touchpad(
                        [ContactPath(id: 0, points: [PadPoint(x: 0, y: 0), PadPoint(x: 9, y: 9)])],
                        duration: Gesture.maximumDuration)), count: 14)),
    ]

    @Test(arguments: wrong.indices) func aStepThatCannotBeRefusesAll(index: Int) {
        var bench = bench()
        let client = bench.connect()
        let before = bench.events.count
        call(&bench, Self.wrong[index].steps, by: client)
        guard case .invalidParameter(let field, let text)? = bench.failures[client]?.first else {
            Issue.record("it is not refused")
            return
        }
        #expect(field == Self.wrong[index].field)
        #expect(!text.isEmpty)
        bench.pass(Bench.second)
        #expect(bench.told(from: before).isEmpty, "nothing of it is done")
        #expect(bench.core.sequences.isEmpty && bench.core.holds.holds.isEmpty)
        bench.inject(.press(down: true), by: client)
        #expect(bench.events.last { $0.kind == .inputKnob }?.input?.id == InputID(1), "it took no number")
    }

    @Test func itsTargetIsRefusedByItsName() {
        var bench = bench()
        let client = bench.connect()
        call(&bench, [Self.step(0, Self.turn)], by: client, device: "three")
        #expect(bench.failures[client] == [.unknownDevice("three", known: ["one", "two"])])
        call(&bench, [Self.step(0, Self.turn)], by: client, tag: String(repeating: "t", count: 257))
        guard case .invalidParameter("tag", _)? = bench.failures[client]?.last else {
            Issue.record("the tag is not refused")
            return
        }
        var empty = Bench()
        let caller = empty.connect()
        call(&empty, [Self.step(0, Self.turn), Self.step(0, InjectionTests.tap(1, 1))], by: caller)
        guard case .invalidParameter("display", _)? = empty.failures[caller]?.first else {
            Issue.record("a touch of nothing is not refused")
            return
        }
    }

    @Test func aClientAndAUserHaveSoManySequencesOfTheirOwn() {
        var bench = bench {
            $0.maximumSequences = 5
            $0.maximumSequencesPerClient = 2
            $0.maximumSequencesPerUser = 3
        }
        let (one, two, stranger) = (bench.connect(uid: 1), bench.connect(uid: 1), bench.connect(uid: 2))
        func begin(_ client: ClientID) -> CommandFailure? {
            let before = bench.failures[client]?.count ?? 0
            call(&bench, [Self.step(1_000, Self.turn)], by: client)
            return bench.failures[client]?.dropFirst(before).first
        }
        #expect(begin(one) == nil && begin(one) == nil)
        #expect(begin(one) == .limitReached("sequencesPerClient", 2))
        #expect(begin(two) == nil)
        #expect(begin(two) == .limitReached("sequencesPerUser", 3))
        #expect(begin(stranger) == nil && begin(stranger) == nil)
        let last = bench.connect(uid: 3)
        #expect(begin(last) == .limitReached("sequences", 5))
        #expect(bench.core.sequences.count == 5)
        bench.handle(.clientClosed(one))
        #expect(begin(two) == nil, "what a client leaves is free again")
        bench.pass(2 * Bench.second)
        #expect(begin(two) == nil && begin(two) == nil)
    }

    /// What a sequence will hold is kept for it from the beginning: nobody takes it, and it takes nothing else.
    @Test func roomForWhatASequenceHoldsIsKept() {
        var bench = bench { $0.maximumHeldInputs = 5 }
        let (client, other) = (bench.connect(), bench.connect())
        let three = (0..<3).map { SingleInputTests.down($0, 5, 5) }
        let steps = [
            Self.step(0, .key(.home, down: true)), Self.step(5, .key(.home, down: false)),
            Self.step(10, .touch(three)), Self.step(20, .touch((0..<3).map { SingleInputTests.up($0) })),
        ]
        let full = CommandFailure.limitReached("heldInputs", 5)
        call(&bench, steps, by: client)
        bench.inject(.press(down: true), by: other)
        bench.inject(.key(.back, down: true), by: other)
        #expect(bench.inject(.key(.home, down: true), by: other) == .failure(full), "three are kept")
        call(&bench, steps, by: client)
        #expect(bench.failures[client] == [full])
        bench.inject(.key(.back, down: false), by: other)
        let before = bench.events.count
        call(&bench, [Self.step(0, .key(.home, down: true)), Self.step(1, .key(.home, down: false))], by: client)
        #expect(bench.failures[client]?.count == 1, "this one fits")
        bench.pass(15 * Self.millisecond)
        #expect(bench.core.holds.holds.count == 4)
        bench.pass(Bench.second)
        #expect(bench.told(from: before).count == 5, "all but the first, which was before")
        #expect(bench.core.heldInputs == 1)
        call(&bench, steps, by: client)
        #expect(bench.failures[client]?.count == 1)
    }

    @Test func sequencesHaveLimits() {
        var bench = bench {
            $0.maximumSequences = 2
            $0.maximumGestures = 4
        }
        let client = bench.connect()
        let pair = [Self.step(0, .press(hold: Bench.second)), Self.step(10, .key(.home, hold: Bench.second))]
        call(&bench, pair + [Self.step(2_000, .press(hold: 0))], by: client)
        bench.command(.inject(Injection(.press(hold: Bench.second))))
        call(&bench, pair, by: client)
        #expect(bench.failures[client] == [.limitReached("gestures", 4)], "two and one and two")
        call(&bench, [Self.step(5_000, Self.turn)], by: client)
        call(&bench, [Self.step(0, Self.turn)], by: client)
        #expect(bench.failures[client]?.last == .limitReached("sequences", 2))
        bench.pass(6 * Bench.second)
        #expect(bench.core.heldGestures == 0)
        call(&bench, pair, by: client)
        #expect(bench.failures[client]?.count == 2)
    }
}
