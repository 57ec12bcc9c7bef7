import RigModel
import Testing

@testable import RigCore

/// What runs hold for themselves: who is refused, who waits, and when it is over.
@Suite struct LeaseTests {
    private func run(_ bench: inout Bench, _ text: String, _ name: String = "test", wait: UInt64 = 0) -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: name, text: text, wait: wait)))
        return client
    }

    private func outcome(_ bench: Bench, _ client: ClientID) -> String? {
        bench.replies[client]?.last?.value(at: "verdict.outcome")?.text
    }

    private func leases(_ bench: inout Bench) -> [RecordValue] {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .listLeases))
        guard case .array(let leases)? = bench.replies[client]?.last?.value(at: "leases") else { return [] }
        return leases
    }

    /// Two lines that need the same thing, and two that do not.
    @Test(arguments: [
        ("plug iphone as a\nwait 1s\n", "lock a\n", "device a"), ("knob rotate 1\nwait 1s\n", "key home\n", "input"),
        ("plug iphone as a\nwait 1s\n", "plug iphone as a\n", "device a"),
        ("knob rotate 1\nwait 1s\n", "plug iphone as b\nfront b\n", "input"),
        ("fault drop device a\nwait 1s\n", "send a 0x7777 from phone\n", "device a"),
        (
            "plug iphone as c\nexpect session active\ndisplay main set scale 3\nwait 1s\n", "touch tap 1 1 on main\n",
            "display main"
        ),
    ])
    func aRunThatNeedsTheSameIsRefusedByName(first: String, second: String, what: String) {
        var bench = Bench()
        bench.pass(Bench.second)
        let one = run(&bench, first, "one.rig")
        bench.pass(100 * Bench.millisecond)
        let two = run(&bench, second, "two.rig")
        guard case .busy(let owner, let since)? = bench.failures[two]?.first else {
            Issue.record("\(bench.failures[two] ?? [])")
            return
        }
        #expect(owner == "'one.rig' of uid 1000, process 1, which has \(what)")
        #expect(since == Bench.second)
        bench.pass(2 * Bench.second)
        #expect(outcome(bench, one) == "passed", "the other one is not disturbed")
        bench.handle(.clientCalled(two, .run(name: "again", text: "mark \"x\"\n")))
        #expect(outcome(bench, two) == "passed", "the connection serves for the next try")
    }

    @Test(arguments: [
        ("plug iphone as a\nwait 1s\n", "plug iphone as b\nexpect device.attached where device = b\n"),
        ("plug iphone as a\nexpect session active\nknob rotate 1 device a\nwait 1s\n", "knob rotate 1\n"),
        ("plug iphone as a\nwait 1s\n", "mark \"x\"\nappearance dark\nexpect device.detached where device = a\n"),
    ])
    func whatTheyDoNotShareTheyDoAtOnce(first: String, second: String) {
        var bench = Bench()
        let one = run(&bench, first)
        let two = run(&bench, second)
        #expect(bench.failures[two] == nil)
        bench.pass(2 * Bench.second)
        #expect(outcome(bench, one) == "passed" && outcome(bench, two) == "passed")
    }

    @Test func whoWaitsStartsWhenItIsFreeInTheOrderOfComing() {
        var bench = Bench()
        let one = run(&bench, "plug iphone as a\nwait 1s\n", "one")
        let two = run(&bench, "plug iphone as a\nwait 1s\n", "two", wait: 10 * Bench.second)
        let three = run(&bench, "plug iphone as a\nwait 1s\n", "three", wait: 10 * Bench.second)
        #expect(leases(&bench).map { $0.value(at: "waiting") } == [.bool(false), .bool(true), .bool(true)])
        bench.pass(Bench.second)
        #expect(outcome(bench, one) == "passed" && outcome(bench, two) == nil)
        #expect(bench.deviceNames() == ["a"])
        let late = run(&bench, "lock a\n", "late")
        #expect(bench.failures[late]?.first?.text.contains("'two'") == true)
        bench.pass(Bench.second)
        #expect(outcome(bench, two) == "passed" && outcome(bench, three) == nil)
        bench.pass(Bench.second)
        #expect(outcome(bench, three) == "passed")
        #expect(bench.events(.deviceAttached).map(\.device?.generation) == [1, 2, 3])
        #expect(leases(&bench).isEmpty && bench.core.nextDeadline == nil)
    }

    @Test func whoWaitsTooLongIsRefusedThenByName() {
        var bench = Bench()
        _ = run(&bench, "plug iphone as a\nwait 5s\n", "one")
        let two = run(&bench, "lock a\n", "two", wait: 2 * Bench.second)
        bench.pass(1_999 * Bench.millisecond)
        #expect(bench.failures[two] == nil)
        bench.pass(Bench.millisecond)
        #expect(bench.failures[two]?.first?.text.contains("'one' of uid 1000") == true)
        #expect(leases(&bench).count == 1)
        bench.handle(.clientCalled(two, .getState))
        #expect(bench.replies[two]?.last?.value(at: "state") != nil)
    }

    @Test func aLeaseEndsWithItsConnection() {
        var bench = Bench()
        let one = run(&bench, "plug iphone as a\nwait 1h\n", "one")
        let two = run(&bench, "plug iphone as a\nwait 1s\n", "two", wait: 60 * Bench.second)
        let three = run(&bench, "plug iphone as a\nwait 1s\n", "three", wait: 60 * Bench.second)
        bench.handle(.clientClosed(two))
        #expect(leases(&bench).count == 2, "who waited and left waits no more")
        bench.handle(.clientClosed(one))
        #expect(bench.events(.deviceDetached).count == 1)
        bench.pass(Bench.second)
        #expect(outcome(bench, three) == "passed")
        #expect(bench.core.runs.isEmpty && bench.core.nextDeadline == nil)
    }

    @Test func theListSaysWhoHasWhatSinceWhen() throws {
        var bench = Bench()
        bench.pass(3 * Bench.second)
        _ = run(&bench, "plug iphone as a\nknob rotate 1\nlock a\nwait 5s\n", "one.rig")
        let lease = try #require(leases(&bench).first)
        #expect(lease.value(at: "id")?.text == "r1" && lease.value(at: "owner")?.text == "one.rig")
        #expect(lease.value(at: "uid")?.int == 1_000 && lease.value(at: "since")?.int == Int64(3 * Bench.second))
        #expect(lease.value(at: "resources") == .array([.string("device a"), .string("input")]))
    }

    @Test func takenByForceItIsToldAndTheRunPutsItsThingsAway() {
        var bench = Bench()
        let one = run(&bench, "plug iphone as a\nwait 1h\n", "one")
        let two = run(&bench, "plug iphone as a\nwait 1s\n", "two", wait: 60 * Bench.second)
        let admin = bench.connect(uid: 0)
        bench.handle(.clientCalled(admin, .unlease("r9", force: true)))
        bench.handle(.clientCalled(admin, .unlease("r1", force: false)))
        #expect(bench.failures[admin]?.count == 2)
        #expect(bench.failures[admin]?.last == .busy(owner: "'one' of uid 1000, process 1", since: 0))
        #expect(bench.events(.leaseTaken).isEmpty && outcome(bench, one) == nil)

        bench.handle(.clientCalled(admin, .unlease("r1", force: true)))
        #expect(bench.replies[admin]?.last == .record([]))
        let text = "device a taken from 'one' of uid 1000, process 1 by uid 0, process 1"
        #expect(bench.events(.leaseTaken).map(\.payload) == [.text(text)])
        #expect(outcome(bench, one) == "interrupted")
        #expect(bench.events(.deviceDetached).count == 1)
        bench.pass(Bench.second)
        #expect(outcome(bench, two) == "passed", "and the next one has it")
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func aPlaceInTheQueueCanBeTakenToo() {
        var bench = Bench()
        let one = run(&bench, "plug iphone as a\nwait 1s\n", "one")
        let two = run(&bench, "plug iphone as a\n", "two", wait: 60 * Bench.second)
        let admin = bench.connect(uid: 0)
        bench.handle(.clientCalled(admin, .unlease("r2", force: true)))
        #expect(bench.failures[two]?.first == .busy(owner: "uid 0, process 1", since: 0))
        bench.pass(Bench.second)
        #expect(outcome(bench, one) == "passed" && bench.core.runs.isEmpty && bench.core.nextDeadline == nil)
    }
}
