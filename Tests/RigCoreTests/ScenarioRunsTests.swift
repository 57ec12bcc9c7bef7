import RigModel
import Testing

@testable import RigCore

/// Scenarios that run inside the rig: what they do, what they see, and what they leave behind.
@Suite struct ScenarioRunsTests {
    private func run(_ bench: inout Bench, _ text: String, name: String = "test") -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: name, text: text)))
        return client
    }

    private func verdict(_ bench: Bench, _ client: ClientID) -> RecordValue? {
        bench.replies[client]?.last?.value(at: "verdict")
    }

    private func outcome(_ bench: Bench, _ client: ClientID) -> String? {
        verdict(bench, client)?.value(at: "outcome")?.text
    }

    @Test func aRunThatHoldsPasses() throws {
        var bench = Bench()
        let client = run(
            &bench,
            """
            plug iphone as phone
            expect session.active where device = phone within 2s
            knob rotate 2
            expect input.knob where knob.detents = 2
            wait 500ms
            unplug phone
            expect device.detached where device = phone
            """)
        #expect(outcome(bench, client) == nil)
        #expect(bench.core.runs.count == 1)
        bench.pass(Bench.second)
        let told = verdict(bench, client)
        let verdict = try #require(told)
        #expect(verdict.value(at: "outcome")?.text == "passed")
        #expect(verdict.value(at: "exitCode")?.int == 0)
        #expect(verdict.value(at: "name")?.text == "test")
        #expect(verdict.value(at: "failures")?.count == 0)
        #expect(verdict.value(at: "counts.met")?.int == 3)
        #expect(verdict.value(at: "duration")?.int == Int64(500 * Bench.millisecond))
        let replies = try #require(bench.replies[client])
        #expect(replies.dropLast().allSatisfy { $0.value(at: "entry") != nil }, "lines first, then the verdict")
        #expect(replies.count > 10)
        #expect(bench.core.runs.isEmpty)
        #expect(bench.core.nextDeadline == nil)
        #expect(bench.deviceNames().isEmpty)
    }

    /// Each step begins when the one before is over, also when the daemon's turn comes late: by a little, or by more than a
    /// gesture takes.
    @Test(arguments: [0, 1, 30, 200])
    func whatFollowsAGestureComesBehindItHoweverLateTheTurn(late: UInt64) {
        var bench = Bench()
        bench.plug("iphone", "phone", displays: "standard")
        bench.pass(Bench.second)
        _ = run(&bench, "key home\nkey home\nkey home\nknob press for 600ms\nkey back")
        for _ in 0..<40 {
            guard let deadline = bench.core.nextDeadline else { break }
            bench.now = max(bench.now, deadline) + late * Bench.millisecond
            bench.handle(.deadlineReached)
        }
        let keys = ["s1/main home down", "s1/main home up"]
        let press = ["s1/main press", "s1/main release 600 long"]
        #expect(bench.told() == keys + keys + keys + press + ["s1/main back down", "s1/main back up"])
    }

    /// Times of the file that make a step late do not put the next one into it.
    @Test(arguments: [
        ("at 10ms key home\nkey home", 2), ("at 20ms every 50ms for 100ms key home for 20ms\nkey home", 3),
    ]) func whatFollowsALateGestureComesBehindItToo(steps: String, count: Int) {
        var bench = Bench()
        bench.plug("iphone", "phone", displays: "standard")
        bench.pass(Bench.second)
        _ = run(&bench, "wait 300ms\n\(steps)")
        bench.pass(5 * Bench.second)
        let expected = [[String]](repeating: ["s1/main home down", "s1/main home up"], count: count)
        #expect(bench.told() == Array(expected.joined()))
    }

    @Test func onlyTheVerdictEndsTheAnswer() {
        var bench = Bench()
        let client = bench.connect()
        var buffer = ActionBuffer()
        bench.core.handle(.clientCalled(client, .run(name: "r", text: "mark \"x\"\n")), at: 0, into: &buffer)
        let last = buffer.actions.compactMap { action -> Bool? in
            if case .reply(client, _, let continues) = action { continues } else { nil }
        }
        #expect(last.count > 1)
        #expect(last.last == false)
        #expect(last.dropLast().allSatisfy { $0 })
        guard case .open(client, first: [])? = buffer.actions.first else {
            Issue.record("the stream is opened first")
            return
        }
    }

    @Test func whatDoesNotComeFailsTheRunAndItsDevicesGo() throws {
        var bench = Bench()
        let client = run(&bench, "plug iphone as phone\nexpect mark within 700ms\n")
        bench.pass(699 * Bench.millisecond)
        #expect(outcome(bench, client) == nil)
        #expect(bench.deviceNames() == ["phone"])
        bench.pass(Bench.millisecond)
        let told = verdict(bench, client)
        let verdict = try #require(told)
        #expect(verdict.value(at: "outcome")?.text == "failed")
        #expect(verdict.value(at: "exitCode")?.int == 1)
        #expect(verdict.value(at: "failures.0.line")?.int == 2)
        #expect(verdict.value(at: "failures.0.text")?.text == "mark did not come within 700ms")
        #expect(bench.deviceNames().isEmpty)
        #expect(bench.events(.sessionClosed).last?.reason?.code == "unplugged", "with a goodbye")
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func aWrongTextIsAnsweredLineByLineAndNothingRuns() throws {
        var bench = Bench()
        let client = run(&bench, "plug iphone\nfly away\nexpect nothing.known\n", name: "file.rig")
        guard case .array(let problems)? = bench.replies[client]?.first else {
            Issue.record("the text is wrong")
            return
        }
        #expect(problems.count >= 2)
        #expect(problems.first?.text?.contains("file.rig:2") == true)
        #expect(bench.events.isEmpty)
        #expect(bench.core.runs.isEmpty)
        bench.handle(.clientCalled(client, .run(name: "r", text: "wait 1ms\n")))
        bench.pass(Bench.millisecond)
        #expect(outcome(bench, client) == "passed", "the connection serves for the next try")
    }

    @Test func afterItsVerdictAConnectionMakesCallsAgain() {
        var bench = Bench()
        let client = run(&bench, "wait 1ms\n")
        bench.pass(Bench.millisecond)
        #expect(outcome(bench, client) == "passed")
        bench.handle(.clientCalled(client, .getState))
        #expect(bench.replies[client]?.last?.value(at: "state") != nil)
    }

    @Test(arguments: [
        ("unplug nobody\n", "failed"), ("plug iphon\n", "scriptWrong"),
        ("plug iphone with displays no\n", "scriptWrong"),
        ("plug iphone as car\n", "rigFailed"),
    ])
    func aStepThatTheRigRefusesIsJudgedByWhoCanMendIt(text: String, expected: String) {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let client = run(&bench, text)
        if bench.core.runs.isEmpty, outcome(bench, client) == nil {
            // Words that the language knows are told before anything runs.
            #expect(expected == "scriptWrong")
        } else {
            bench.pass(Bench.second)
            #expect(outcome(bench, client) == expected)
        }
        #expect(bench.deviceNames() == ["car"], "what was there before stays")
        #expect(bench.core.runs.isEmpty)
    }

    @Test func whatTheRigPublishesForOthersIsSeen() {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        let client = run(&bench, "expect mark where text = go within 5s\nthen input.knob exactly 3 within 1s\n")
        bench.pass(Bench.second)
        bench.command(.mark("stop"))
        bench.command(.mark("go"))
        for _ in 1...3 { bench.handle(.input(key: "3-1", .knob(.rotate(detents: 1)), time: bench.now)) }
        bench.pass(Bench.second)
        #expect(outcome(bench, client) == "passed")
    }

    @Test func whatCameBeforeAStepDoesNotMeetWhatIsExpectedOfIt() {
        // The session became active before the phone was locked, in the same instant; 'at' opens a new window.
        var bench = Bench()
        let early = run(&bench, "plug iphone as phone\nat +0s lock phone\nexpect session.active within 500ms\n")
        bench.pass(Bench.second)
        #expect(outcome(bench, early) == "failed")
        let right = run(
            &bench, "plug iphone as phone\nexpect session.active within 500ms\nlock phone\nexpect phone.changed\n")
        bench.pass(Bench.second)
        #expect(outcome(bench, right) == "passed")
    }

    @Test func theTimelineIsInTheOrderOfWhatHappened() throws {
        var bench = Bench()
        let client = run(&bench, "plug iphone as phone\nmark \"here\"\nunplug phone\n")
        bench.pass(Bench.second)
        #expect(outcome(bench, client) == "passed")
        let kinds = (bench.replies[client] ?? []).compactMap { $0.value(at: "entry.kind")?.text }
        let texts = (bench.replies[client] ?? []).compactMap { $0.value(at: "entry.text")?.text }
        #expect(kinds.count == texts.count)
        func place(_ text: String) throws -> Int {
            try #require(texts.firstIndex { $0.contains(text) }, "\(text) is told: \(texts)")
        }
        #expect(try place("plug iphone as phone") < place("session.active"))
        #expect(try place("session.active") < place("mark \"here\""))
        #expect(try place("mark \"here\"") < place("unplug phone"))
    }

    @Test func twoRunsHaveTheirOwnDevicesAndSeeAllEvents() {
        var bench = Bench()
        let first = run(
            &bench, "plug iphone as one\nexpect session.active where device = one\nwait 1s\nunplug one\n", name: "first"
        )
        let second = run(
            &bench,
            "plug android as two\nexpect session.active where device = two\nexpect device.detached where device = one\nwait 1s\n",
            name: "second")
        #expect(bench.deviceNames() == ["one", "two"])
        bench.pass(Bench.second)
        #expect(outcome(bench, first) == "passed")
        #expect(verdict(bench, first)?.value(at: "name")?.text == "first")
        #expect(bench.deviceNames() == ["two"])
        #expect(outcome(bench, second) == nil)
        bench.pass(Bench.second)
        #expect(outcome(bench, second) == "passed")
        #expect(bench.deviceNames().isEmpty)
    }

    @Test func twoRunsThatWantTheSameNameAreToldSo() {
        var bench = Bench()
        let first = run(&bench, "plug iphone as phone\nwait 1s\n")
        let second = run(&bench, "plug iphone as phone\nwait 1s\n")
        #expect(bench.failures[second]?.first?.text.contains("which has device phone") == true)
        #expect(bench.deviceNames() == ["phone"], "the other run's phone stays")
        bench.pass(Bench.second)
        #expect(outcome(bench, first) == "passed")
    }

    @Test func runsThatAnswerEachOtherEnd() {
        var bench = Bench()
        let text =
            "expect mark where text = ping within 2s\nmark \"pong\"\nexpect mark where text = ping within 2s\nmark \"pong\"\n"
        let first = run(&bench, text)
        let second = run(
            &bench, text.replacing("ping", with: "PONG").replacing("pong", with: "ping").replacing("PONG", with: "pong")
        )
        bench.command(.mark("ping"))
        bench.pass(3 * Bench.second)
        #expect(outcome(bench, first) == "passed")
        #expect(outcome(bench, second) == "passed")
        #expect(bench.events(.mark).map(\.payload) == ["ping", "pong", "ping", "pong", "ping"].map { .text($0) })
    }

    @Test(arguments: [
        "plug iphone as phone\nwait 10s\n", "plug iphone as phone\nexpect mark within 60s\n",
        "plug iphone as phone slow 300ms\nevery 10ms for 10s knob rotate 1\n",
    ])
    func whenItsClientGoesARunIsTakenDownAndNobodyIsTold(text: String) {
        var bench = Bench()
        let client = run(&bench, text)
        bench.pass(Bench.second)
        #expect(bench.deviceNames() == ["phone"])
        let told = bench.replies[client]?.count
        bench.handle(.clientClosed(client))
        #expect(bench.deviceNames().isEmpty)
        #expect(bench.core.runs.isEmpty)
        #expect(bench.events(.sessionClosed).count == 1)
        let count = bench.events.count
        bench.pass(100 * Bench.second)
        #expect(bench.events.count == count)
        #expect(bench.replies[client]?.count == told)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func whatShallStayStays() {
        var bench = Bench()
        let client = run(&bench, "plug iphone as phone keep\nexpect session.active\n")
        bench.pass(Bench.second)
        #expect(outcome(bench, client) == "passed")
        #expect(bench.deviceNames() == ["phone"])
    }

    @Test func aDeviceThatWasPulledMeanwhileIsNoTrouble() {
        var bench = Bench()
        let client = run(&bench, "plug iphone as phone\nwait 1s\n")
        bench.unplug("phone")
        bench.plug("iphone", "phone")
        bench.pass(Bench.second)
        #expect(outcome(bench, client) == "passed")
        #expect(bench.deviceNames() == ["phone"], "the phone of this name is another one by now, and not the run's")
    }
}
