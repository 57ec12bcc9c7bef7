import RigModel
import ScenarioCore
import Testing

@Suite struct ScenarioRunTests {
    // MARK: Time

    @Test func waitsAndTimesAreKeptOnOneLine() throws {
        let run = try VirtualRun(
            """
            mark a
            wait 500ms
            mark b
            at 2s mark c
            at +250ms mark d
            at +0ms mark e
            wait 1ms
            at +1ms mark f
            """)
        #expect(
            run.steps == [
                "0 mark a", "0 wait 500ms", "500 mark b", "2000 at 2s mark c", "2250 at +250ms mark d",
                "2250 at +0ms mark e", "2250 wait 1ms", "2252 at +1ms mark f",
            ])
        #expect(run.verdict.duration == .ms(2_252))
    }

    @Test func aGestureTakesItsTimeAndPlusCountsFromItsBeginning() throws {
        let run = try VirtualRun(
            """
            knob press for 800ms
            key home for 100ms
            at +50ms knob rotate 3 every 80ms
            touch tap 1 2
            """)
        #expect(
            run.performed.map(\.time) == [0, .ms(800), .ms(850), .ms(1_010)])
        // The last gesture is over before the run is.
        #expect(run.verdict.duration == .ms(1_070))
    }

    @Test func aRepetitionKeepsItsTimes() throws {
        let run = try VirtualRun("wait 10ms\nevery 30ms for 100ms knob rotate 1\nmark after", latency: .ms(4))
        #expect(run.performed.map(\.time) == [.ms(10), .ms(40), .ms(70), .ms(100), .ms(110)])
        #expect(run.steps[1] == "10 every 30ms for 100ms knob rotate 1 (1 of 4)")
        #expect(run.steps[4] == "100 every 30ms for 100ms knob rotate 1 (4 of 4)")
    }

    @Test func aLateRepetitionIsToldAndNothingIsLeftOut() throws {
        let run = try VirtualRun("every 10ms for 40ms mark x\nmark after", latency: .ms(15))
        #expect(run.performed.map(\.time) == [0, .ms(15), .ms(30), .ms(45), .ms(60)])
        let lateness = run.timeline.compactMap(\.lateness)
        #expect(lateness == [0, .ms(5), .ms(10), .ms(15), .ms(20)])
        #expect(run.verdict.counts.maximumLateness == .ms(20))
    }

    @Test func latenessNeverAddsUp() throws {
        let text = Array(repeating: "knob rotate 1\nwait 12ms", count: 5_000).joined(separator: "\n")
        let run = try VirtualRun(text, latency: .ms(3))
        #expect(run.performed.count == 5_000)
        #expect(run.performed.last?.time == .ms(12 * 4_999))
        #expect(run.verdict.counts.maximumLateness == .ms(3))
        #expect(run.verdict.duration == .ms(60_000))
    }

    @Test func aTimeThatIsOverBeginsAtOnceAndIsLate() throws {
        let run = try VirtualRun("wait 3s\nat 2s mark x\nat +500ms mark y\nat +1s mark z")
        #expect(run.performed.map(\.time) == [.ms(3_000), .ms(3_000), .ms(3_500)])
        #expect(run.timeline.filter { $0.kind == .step }.map(\.lateness) == [0, .ms(1_000), .ms(500), 0])
    }

    // MARK: Expectations

    @Test func anEventThatComesBeforeTheLineIsReachedCounts() throws {
        let run = try VirtualRun("plug iphone as p\nwait 1s\nexpect session active\nmark now")
        #expect(run.verdict.outcome == .passed)
        #expect(run.performed[1].time == .ms(1_000))
    }

    @Test func anExpectationIsOverWhenItsEventComes() throws {
        let run = try VirtualRun("plug iphone as p\nexpect session active\nat +10ms mark now")
        #expect(run.performed[1].time == .ms(112))
    }

    @Test func theTimeOfAnExpectationIsThatOfItsEventHoweverLateItIsLookedAt() throws {
        let run = try VirtualRun(
            "plug iphone as p\nexpect session active\nat +10ms mark x", latency: .ms(200))
        // The plug is answered at 200 ms; the event came at 102 ms.
        #expect(run.performed[1].time == .ms(200))
        #expect(run.timeline.last { $0.kind == .step }?.lateness == .ms(88))
    }

    @Test func eventsBeforeTheStepDoNotCount() throws {
        let run = try VirtualRun(
            """
            plug iphone as p
            expect session active
            lock p
            expect session active within 100ms
            """)
        #expect(run.verdict.outcome == .failed)
        let failure = try #require(run.verdict.failures.first)
        #expect(failure.place?.line == 4)
        #expect(failure.text == "session.active did not come within 100ms")
        #expect(failure.expected == "session.active within 100ms")
        #expect(failure.hint == "one came at 0.102 s, before the step that this line is about; expect it further up")
    }

    @Test func stepsThatFollowOneAnotherCountAsOne() throws {
        let run = try VirtualRun(
            """
            plug iphone as a
            plug iphone as b
            mark both
            expect device attached device a within 10ms
            expect device attached device b within 10ms
            """, latency: .ms(50))
        #expect(run.verdict.outcome == .passed)
    }

    @Test func aStepWithATimeOfItsOwnOpensItsOwnWindow() throws {
        let run = try VirtualRun(
            "plug iphone as a\nat +50ms plug iphone as b\nexpect device attached device a within 100ms")
        #expect(run.verdict.outcome == .failed)
    }

    @Test func eachEventMeetsOneExpectation() throws {
        let run = try VirtualRun("plug iphone as p\nexpect session active\nexpect session active within 200ms")
        #expect(run.verdict.outcome == .failed)
        #expect(run.verdict.failures.first?.hint == "the one that came at 0.102 s met line 2 already")
        let two = try VirtualRun(
            "plug iphone as p\nplug iphone as q\nexpect session active\nexpect session active within 200ms")
        #expect(two.verdict.outcome == .passed)
    }

    @Test func expectDoesNotAskForTheOrderAndThenDoes() throws {
        let phases = ["authenticating", "synchronizing"].map { "session phase where sessionState.phase = \($0)" }
        let anyOrder = try VirtualRun("plug iphone as p\nexpect \(phases[0])\nexpect \(phases[1])")
        #expect(anyOrder.verdict.outcome == .passed)
        let inOrder = try VirtualRun("plug iphone as p\nexpect \(phases[1])\nthen \(phases[0])")
        #expect(inOrder.verdict.outcome == .passed)
        let wrongOrder = try VirtualRun("plug iphone as p\nexpect \(phases[0])\nthen \(phases[1]) within 1s")
        #expect(wrongOrder.verdict.outcome == .failed)
        #expect(
            wrongOrder.verdict.failures.first?.hint
                == "one came at 0.022 s, before the event of the line above; "
                + "'expect' in place of 'then' does not ask for the order")
    }

    @Test func thenBehindACountLooksBehindItsEnd() throws {
        let run = try VirtualRun(
            """
            every 100ms for 1s mark x
            expect mark exactly 10 within 1ms
            then mark never within 100ms
            """)
        #expect(run.verdict.outcome == .passed)
        let more = try VirtualRun("mark x\nexpect mark exactly 1 within 1ms\nthen mark within 10ms")
        #expect(more.verdict.outcome == .failed)
    }

    @Test func thenBehindNeverLooksBehindItsEnd() throws {
        // The last event of the handshake comes while `never` still lasts.
        let never = "plug iphone as p\nexpect mark never within 200ms"
        #expect(try VirtualRun("\(never)\nexpect front changed within 100ms").verdict.outcome == .passed)
        #expect(try VirtualRun("\(never)\nthen front changed within 100ms").verdict.outcome == .failed)
    }

    @Test func neverHoldsUntilItsEndAndNoLonger() throws {
        let held = try VirtualRun("plug iphone as p\nexpect session active never within 101ms\nmark x")
        #expect(held.verdict.outcome == .passed)
        #expect(held.performed[1].time == .ms(101))
        // The event at the very end still counts.
        let broken = try VirtualRun("plug iphone as p\nexpect session active never within 102ms\nmark x")
        #expect(broken.verdict.outcome == .failed)
        #expect(broken.verdict.failures.first?.text == "session.active came at 0.102 s, and never was expected")
        let before = try VirtualRun("plug iphone as p\nwait 1s\nexpect session active never within 1ms")
        #expect(before.verdict.outcome == .failed)
    }

    @Test func anEventAtTheVeryEndMeetsAnExpectation() throws {
        #expect(try VirtualRun("plug iphone as p\nexpect session active within 102ms").verdict.outcome == .passed)
        #expect(try VirtualRun("plug iphone as p\nexpect session active within 101ms").verdict.outcome == .failed)
    }

    @Test func exactlyCountsToTheEnd() throws {
        let gesture = "knob rotate 3 every 50ms\nexpect input knob where knob.detents = 1 exactly"
        let exact = try VirtualRun("\(gesture) 3 within 100ms\nmark x")
        #expect(exact.verdict.outcome == .passed)
        #expect(exact.performed[1].time == .ms(200))
        let fewer = try VirtualRun("\(gesture) 4 within 100ms")
        #expect(
            fewer.verdict.failures.first?.text == "input.knob came 3 times within 100ms, and exactly 4 was expected")
        let more = try VirtualRun("\(gesture) 2 within 100ms")
        #expect(more.verdict.failures.first?.text == "input.knob came 3 times, and exactly 2 was expected")
        // It need not wait for its end to know that.
        #expect(more.verdict.duration == .ms(100))
    }

    @Test func anExpectationWithoutATimeWaitsFiveSeconds() throws {
        let run = try VirtualRun("expect mark")
        #expect(run.verdict.outcome == .failed)
        #expect(run.verdict.duration == EventExpectation.defaultWithin)
    }

    @Test func afterDoesItsStepWhenTheEventComes() throws {
        let run = try VirtualRun(
            """
            plug iphone as p
            after session phase where sessionState.phase = identifying unplug p surprise
            expect session closed within 500ms
            """)
        #expect(run.verdict.outcome == .passed)
        #expect(run.performed[1].time == .ms(62))
        #expect(run.verdict.counts.expectations == 2)
        #expect(run.verdict.counts.met == 2)
        #expect(run.verdict.counts.done == 3)
    }

    @Test func afterWithoutItsEventDoesNothing() throws {
        let run = try VirtualRun("after mark within 50ms plug iphone as p\nmark x")
        #expect(run.verdict.outcome == .failed)
        #expect(run.performed.isEmpty)
    }

    @Test func afterCanRepeat() throws {
        let run = try VirtualRun("plug iphone as p\nafter session active every 10ms for 30ms knob rotate 1")
        #expect(run.performed.dropFirst().prefix(3).map(\.time) == [.ms(102), .ms(112), .ms(122)])
    }

    @Test func aStepNeverBeginsInTheMiddleOfABurst() throws {
        // `front.changed` comes in the same burst as `session.active`: it is not what `front` does.
        let run = try VirtualRun("plug iphone as p\nexpect session active\nmark x\nexpect front changed within 100ms")
        #expect(run.verdict.outcome == .failed)
    }

    @Test func aFailureTellsTheLastEventsAndTheNearestMiss() throws {
        let run = try VirtualRun(
            "plug iphone as p\nexpect session active where generation = 2 and device = q within 300ms")
        let failure = try #require(run.verdict.failures.first)
        #expect(failure.hint == "session.active came at 0.102 s, but generation was 1, not 2")
        #expect(failure.came.count == RunFailure.maximumCame)
        #expect(failure.came.last?.text.hasPrefix("front.changed") == true)
        #expect(failure.came.allSatisfy { $0.kind == .event && $0.event != nil })
        #expect(failure.step == "expect session active where generation = 2 and device = q within 300ms")
    }

    @Test func motionDoesNotDriveOutWhatHappened() throws {
        let path = (0..<40).map { "\($0) 1" }.joined(separator: " to ")
        let run = try VirtualRun("mark seen\ntouch \(path)\nexpect device attached within 10ms")
        let came = run.verdict.failures.first?.came.map(\.text) ?? []
        #expect(came.contains { $0.hasPrefix("mark") })
        #expect(!came.contains { $0.contains("moved") })
    }

    @Test(arguments: [
        ("generation = 2", true), ("generation = 3", false), ("generation != 3", true), ("generation < 3", true),
        ("generation < 2", false), ("generation <= 2", true), ("generation > 1.5", true), ("generation >= 2.5", false),
        ("displayState.scale = 2", true), ("displayState.scale > 2", false), ("displayState.scale < 2.01", true),
        ("displayState.inputs ~ knob", true), ("displayState.inputs ~ touchpad", false),
        ("displayState.name ~ ai", true), ("displayState.name ~ ia", false), ("displayState.name ~ \"\"", true),
        ("displayState.name = main", true), ("displayState.limitedUI.keyboard = false", true),
        ("displayState.limitedUI.keyboard != false", false), ("displayState.viewAreas.0.frame.width = 800", true),
        ("displayState.viewAreas.1.frame.width = 800", false), ("displayState.viewAreas.1.frame.width != 800", true),
        ("reason.code = x", false), ("reason.code != x", true), ("reason.code ~ \"\"", false), ("time < 5", false),
    ])
    func conditionsLookIntoTheRecord(_ condition: String, _ holds: Bool) throws {
        let description = DisplayDescription(
            name: "main", pixels: PixelSize(width: 800, height: 480), widthMillimetres: 150, heightMillimetres: 90,
            inputs: [.touchscreen, .knob])
        let event = Event(
            time: 5, kind: .displayAdded, origin: .simulated, device: DeviceReference(name: "p", generation: 2),
            payload: .display(Display(session: SessionID(1), description: description, origin: .simulated)))
        var run = ScenarioRun(
            try Scenario(parsing: "expect display added where \(condition)", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        run.received(record: event.record, now: 1, into: &actions)
        let isMet = actions.contains { if case .report(let entry) = $0 { entry.kind == .expectation } else { false } }
        #expect(isMet == holds)
    }

    @Test func aFloodOfExpectedEventsIsToldAndBounded() throws {
        var run = ScenarioRun(try Scenario(parsing: "wait 1s\nexpect mark", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        let mark = Event(time: 0, kind: .mark, origin: .declared, payload: .text("x"))
        for _ in 0..<16_384 { run.received(mark, now: 1, into: &actions) }
        #expect(!run.isFinished)
        // Others than the expected ones cost nothing.
        for _ in 0..<100 { run.received(Event(time: 0, kind: .resync, origin: .observed), now: 1, into: &actions) }
        #expect(!run.isFinished)
        run.received(mark, now: 1, into: &actions)
        #expect(run.isFinished)
        guard case .finished(let verdict)? = actions.last else { throw WrongShape() }
        #expect(verdict.outcome == .failed)
        #expect(verdict.failures.first?.text.hasPrefix("more than 16384 events") == true)
    }

    // MARK: The rig's answers

    @Test(arguments: [
        (CommandFailure.unknownDevice("p", known: ["q"]), Outcome.failed), (.staleDevice("p", generation: 1), .failed),
        (.unknownApp, .failed), (.invalidParameter("profile", text: "none"), .scriptWrong),
        (.notPermitted("no"), .rigFailed), (.limitReached("devices", 3), .rigFailed),
        (.busy(owner: "x", since: 0), .rigFailed), (.methodNotImplemented("Plug"), .rigFailed),
    ])
    func aRefusalEndsTheRun(_ failure: CommandFailure, _ outcome: Outcome) throws {
        var rig = FakeRig()
        rig.refusals = [1: failure]
        let run = try VirtualRun("mark a\nlock p\nmark b", rig: rig)
        #expect(run.verdict.outcome == outcome)
        #expect(run.verdict.failures.first?.text == failure.text)
        #expect(run.verdict.failures.first?.place?.line == 2)
        #expect(run.performed.count == 2)
        #expect(run.verdict.counts.done == 1)
    }

    @Test func aRigThatDoesNotAnswerFails() throws {
        var rig = FakeRig()
        rig.silentCommands = [1]
        let run = try VirtualRun("plug iphone as p\nlock p\nmark b", rig: rig)
        #expect(run.verdict.outcome == .rigFailed)
        #expect(run.verdict.failures.first?.text == "the rig did not answer within 10s")
        // What was plugged in is unplugged all the same.
        #expect(run.performed.last?.command == .unplug(device: "p", surprise: false, generation: 1))
    }

    @Test func anAnswerThatNobodyWaitsForIsIgnored() throws {
        var run = ScenarioRun(try Scenario(parsing: "mark a\nmark b", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        run.completed(step: 1, .success(.done), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        #expect(actions.filter { if case .perform = $0 { true } else { false } }.count == 1)
        run.completed(step: 0, .success(.done), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        #expect(actions.last == .perform(.mark("b"), step: 1))
    }

    @Test func aRigThatIsGoneEndsTheRunAtOnce() throws {
        var run = ScenarioRun(try Scenario(parsing: "plug iphone\nexpect mark", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        run.rigFailed("the daemon closed the connection", now: 5, into: &actions)
        guard case .finished(let verdict)? = actions.last else { throw WrongShape() }
        #expect(verdict.outcome == .rigFailed)
        #expect(verdict.exitCode == 3)
        #expect(verdict.failures.first?.place?.line == 1)
        #expect(verdict.duration == 5)
    }

    // MARK: The end

    @Test func whatWasPluggedInIsUnpluggedLastOneFirst() throws {
        let run = try VirtualRun("plug iphone as a\nplug iphone as b\nplug iphone as c keep\nunplug b\nplug iphone")
        #expect(run.verdict.outcome == .passed)
        #expect(
            run.performed.map(\.command).suffix(2) == [
                .unplug(device: "iphone-1", surprise: false, generation: 1),
                .unplug(device: "a", surprise: false, generation: 1),
            ])
        // It waits until the last of them is gone.
        #expect(run.timeline.last?.text.hasPrefix("device.detached   a") == true)
    }

    @Test func aDeviceOfTheNextGenerationIsUnpluggedInThatOne() throws {
        let run = try VirtualRun("plug iphone as a\nunplug a\nexpect device detached\nplug iphone as a")
        #expect(run.performed.last?.command == .unplug(device: "a", surprise: false, generation: 2))
    }

    @Test func generationsOfOneNameAreNotConfused() throws {
        var run = ScenarioRun(
            try Scenario(parsing: "plug iphone as a\nunplug a\nplug iphone as a", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        let facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated)
        var device = Device(id: DeviceID(1), name: "a", facts: facts, peer: .simulated, phone: nil)
        func detached(_ generation: UInt32) -> Event {
            let reference = DeviceReference(name: "a", generation: generation)
            return Event(time: 0, kind: .deviceDetached, origin: .simulated, device: reference)
        }
        run.start(now: 0, into: &actions)
        run.completed(step: 0, .success(.plugged(device)), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        run.completed(step: 1, .success(.done), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        device.generation = 2
        run.completed(step: 2, .success(.plugged(device)), now: 0, into: &actions)
        // The first one's end is told after the second one came: it is not the second one's.
        run.received(detached(1), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        #expect(actions.last == .perform(.unplug(device: "a", surprise: false, generation: 2), step: 3))
        run.completed(step: 3, .success(.done), now: 0, into: &actions)
        #expect(!run.isFinished)
        run.received(detached(2), now: 0, into: &actions)
        #expect(run.isFinished)
    }

    @Test func aNameThatReturnsStandsForItsNewGenerationOnly() throws {
        // The rig plugs the name in again without telling that the first one is gone.
        var run = ScenarioRun(
            try Scenario(parsing: "plug iphone as a keep\nunplug a\nplug iphone as a keep", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        let facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated)
        var device = Device(id: DeviceID(1), name: "a", facts: facts, peer: .simulated, phone: nil)
        run.start(now: 0, into: &actions)
        run.completed(step: 0, .success(.plugged(device)), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        run.completed(step: 1, .success(.done), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        device.generation = 2
        run.completed(step: 2, .success(.plugged(device)), now: 0, into: &actions)
        run.deadlineReached(now: 0, into: &actions)
        #expect(run.isFinished)
    }

    @Test func theRunWaitsForWhatTheScenarioItselfUnplugged() throws {
        let run = try VirtualRun("plug iphone as a keep\nunplug a surprise")
        #expect(run.performed.count == 2)
        #expect(run.verdict.duration == .ms(3))
    }

    @Test func aDeviceThatIsNotReleasedFailsTheRig() throws {
        var rig = FakeRig()
        rig.neverDetaches = true
        let run = try VirtualRun("plug iphone as a", rig: rig)
        #expect(run.verdict.outcome == .rigFailed)
        #expect(run.verdict.failures.map(\.text) == ["the rig did not release 'a' within 2s"])
        #expect(run.verdict.duration == ScenarioRun.teardownLimit)
    }

    @Test func aDeviceThatIsGoneAlreadyIsNoFailure() throws {
        var rig = FakeRig()
        rig.refusals = [1: .unknownDevice("a", known: [])]
        #expect(try VirtualRun("plug iphone as a", rig: rig).verdict.outcome == .passed)
        rig.refusals = [1: .staleDevice("a", generation: 1)]
        #expect(try VirtualRun("plug iphone as a", rig: rig).verdict.outcome == .passed)
        rig.refusals = [1: .busy(owner: "x", since: 0)]
        let run = try VirtualRun("plug iphone as a", rig: rig)
        #expect(run.verdict.outcome == .rigFailed)
        #expect(run.verdict.failures.first?.text == "'a' could not be unplugged at the end: it is in use by x")
    }

    @Test func theFirstThingThatGoesWrongDecides() throws {
        var rig = FakeRig()
        rig.neverDetaches = true
        let run = try VirtualRun("plug iphone as a\nexpect mark within 1ms", rig: rig)
        #expect(run.verdict.outcome == .failed)
        #expect(run.verdict.failures.map(\.outcome) == [.failed, .rigFailed])
    }

    @Test func faultsAreClearedAtTheEndBeforeTheDevicesGo() throws {
        let run = try VirtualRun("fault drop device a\nplug iphone as a\nfault stall device a\nfault reset device b")
        #expect(run.verdict.outcome == .passed)
        let ids = [FaultID(1), FaultID(2), FaultID(3)]
        #expect(
            run.performed.suffix(2).map(\.command) == [
                .clearFaults(.these(ids)), .unplug(device: "a", surprise: false, generation: 1),
            ])
    }

    @Test(arguments: [UInt64(0), .ms(100)]) func faultsAreClearedWhenARunFailsOrIsStopped(latency: UInt64) throws {
        let failed = try VirtualRun("fault drop device a\nexpect mark within 1s", latency: latency)
        #expect(failed.verdict.outcome == .failed)
        #expect(failed.performed.last?.command == .clearFaults(.these([FaultID(1)])))
        // With a latency the answer comes only when the run is being taken down.
        let stopped = try VirtualRun("fault drop device a\nwait 10s", latency: latency, cancelAt: .ms(50))
        #expect(stopped.verdict.outcome == .interrupted)
        #expect(stopped.performed.last?.command == .clearFaults(.these([FaultID(1)])))
    }

    @Test func anInterruptedRunCleansUp() throws {
        let run = try VirtualRun("plug iphone as a\nwait 10s\nmark never", cancelAt: .ms(500))
        #expect(run.verdict.outcome == .interrupted)
        #expect(run.verdict.exitCode == 4)
        #expect(run.performed.last?.command == .unplug(device: "a", surprise: false, generation: 1))
        #expect(run.verdict.duration == .ms(503))
    }

    @Test func aPlugThatIsAnsweredAfterTheInterruptionIsTakenBack() throws {
        let run = try VirtualRun("plug iphone as a\nwait 10s", latency: .ms(100), cancelAt: .ms(50))
        #expect(run.verdict.outcome == .interrupted)
        #expect(run.performed.last?.command == .unplug(device: "a", surprise: false, generation: 1))
        #expect(run.performed.last?.time == .ms(100))
    }

    @Test func aSecondInterruptionDoesNotWait() throws {
        var run = ScenarioRun(try Scenario(parsing: "plug iphone as a\nwait 1s", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        let facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated)
        let device = Device(id: DeviceID(1), name: "a", facts: facts, peer: .simulated, phone: nil)
        run.completed(step: 0, .success(.plugged(device)), now: 0, into: &actions)
        run.cancel(now: 5, into: &actions)
        #expect(!run.isFinished)
        run.cancel(now: 6, into: &actions)
        guard case .finished(let verdict)? = actions.last else { throw WrongShape() }
        #expect(verdict.outcome == .interrupted)
        #expect(
            actions.contains { if case .report(let entry) = $0 { entry.text == "left plugged in: a" } else { false } })
    }

    @Test func theSameRunIsTheSameTwice() throws {
        let text =
            "plug iphone as p\nexpect session active\nknob rotate 5 every 20ms\nunplug p surprise\nexpect session closed"
        let first = try VirtualRun(text)
        let second = try VirtualRun(text)
        #expect(first.timeline == second.timeline)
        #expect(first.verdict == second.verdict)
    }
}
