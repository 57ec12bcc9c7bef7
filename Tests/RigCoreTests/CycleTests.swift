import RigModel
import ScenarioCore
import Testing

@testable import RigCore

/// Plugging and unplugging again and again, inside the rig.
@Suite struct CycleTests {
    private func cycle(
        _ bench: inout Bench, _ plan: CyclePlan, _ request: PlugRequest = PlugRequest(profile: "iphone", name: "phone"),
        wait: UInt64 = 0
    ) -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .cycle(plan, request, wait: wait)))
        return client
    }

    private func results(_ bench: Bench, _ client: ClientID) throws -> [CycleResult] {
        try (bench.replies[client] ?? []).compactMap { $0.value(at: "cycle") }.map { try CycleResult(record: $0) }
    }

    private func summary(_ bench: Bench, _ client: ClientID) -> RecordValue? {
        bench.replies[client]?.last?.value(at: "summary")
    }

    @Test func eachCycleIsOnePlugOneSessionAndOnePull() throws {
        var bench = Bench()
        let slow = PlugRequest(profile: "iphone", name: "phone", phone: PhoneConditions(slow: 10 * Bench.millisecond))
        let client = cycle(&bench, CyclePlan(count: 5, hold: 20 * Bench.millisecond), slow)
        bench.pass(10 * Bench.second)
        let results = try results(bench, client)
        #expect(results.map(\.number) == [1, 2, 3, 4, 5])
        #expect(
            results.allSatisfy { $0.failure == nil && ($0.ready ?? 0) > 10 * Bench.millisecond && $0.released == 0 })
        #expect(summary(bench, client)?.value(at: "succeeded")?.int == 5)
        #expect(summary(bench, client)?.value(at: "interrupted") == .bool(false))
        #expect(bench.events(.deviceAttached).map(\.device?.generation) == [1, 2, 3, 4, 5])
        #expect(bench.events(.sessionClosed).allSatisfy { $0.reason?.code == "surpriseRemoval" })
        #expect(bench.core.runs.isEmpty && bench.core.nextDeadline == nil && bench.deviceNames().isEmpty)
        bench.handle(.clientCalled(client, .getState))
        #expect(bench.replies[client]?.last?.value(at: "state") != nil, "the connection makes calls again")
    }

    @Test(arguments: ["detecting", "synchronizing", "authenticating", "identifying", "starting", "challenge"])
    func pulledAtAStepItIsPluggedInAgainAndGetsThrough(step: String) throws {
        var bench = Bench()
        let client = cycle(&bench, CyclePlan(count: 3, moment: .step(step)))
        bench.pass(10 * Bench.second)
        let results = try results(bench, client)
        #expect(results.count == 3)
        #expect(results.allSatisfy { $0.failure == nil && $0.pulledAt == step && $0.ready != nil }, "\(results)")
        #expect(bench.events(.deviceAttached).count == 6)
        #expect(bench.events(.sessionActive).count == 3)
        #expect(bench.core.faults.isEmpty)
    }

    @Test func failuresHaveTheirStepAndTheirReason() throws {
        var bench = Bench()
        let refusing = PlugRequest(profile: "iphone", name: "a", phone: PhoneConditions(refuse: .authentication))
        let first = cycle(&bench, CyclePlan(count: 2), refusing)
        let locked = PlugRequest(profile: "iphone", name: "b", phone: PhoneConditions(locked: true))
        let second = cycle(&bench, CyclePlan(count: 2, within: Bench.second), locked)
        bench.plug("android", "c")
        let third = cycle(&bench, CyclePlan(count: 1), PlugRequest(profile: "iphone", name: "c"))
        bench.pass(10 * Bench.second)
        #expect(try results(bench, first).map(\.failure?.step) == ["authenticating", "authenticating"])
        #expect(try results(bench, first).allSatisfy { $0.failure?.code.isEmpty == false && $0.ready == nil })
        #expect(try results(bench, second).map(\.failure?.code) == ["timedOut", "timedOut"])
        #expect(try results(bench, third).map(\.failure?.code) == ["busy"])
        #expect(summary(bench, second)?.value(at: "failed")?.int == 2)
        #expect(bench.deviceNames() == ["c"], "what was there before stays")
        #expect(bench.core.runs.isEmpty)
    }

    @Test func aDeviceWithoutANameIsOneDevice() throws {
        var bench = Bench()
        let client = cycle(&bench, CyclePlan(count: 3), PlugRequest(profile: "android"))
        bench.pass(10 * Bench.second)
        #expect(try results(bench, client).allSatisfy { $0.failure == nil })
        #expect(
            bench.events(.deviceAttached).compactMap(\.device).map { "\($0.name)#\($0.generation)" }
                == ["android-cycled#1", "android-cycled#2", "android-cycled#3"])
    }

    @Test(arguments: [0, 250, 700] as [UInt64]) func whenItsClientGoesItStops(after: UInt64) {
        var bench = Bench()
        let slow = PlugRequest(profile: "iphone", phone: PhoneConditions(slow: 100 * Bench.millisecond))
        let client = cycle(&bench, CyclePlan(count: 1_000, moment: .step("authenticating")), slow)
        bench.pass(after * Bench.millisecond)
        bench.handle(.clientClosed(client))
        bench.pass(5 * Bench.second)
        #expect(bench.core.runs.isEmpty && bench.core.faults.isEmpty && bench.deviceNames().isEmpty)
        #expect(bench.core.nextDeadline == nil)
        #expect(bench.events(.deviceAttached).count == bench.events(.deviceDetached).count)
    }

    @Test func itHoldsItsDeviceAgainstOtherRuns() {
        var bench = Bench()
        let one = cycle(&bench, CyclePlan(count: 2))
        let two = bench.connect()
        bench.handle(.clientCalled(two, .run(name: "r", text: "lock phone\n")))
        #expect(bench.failures[two]?.first?.text.contains("'cycles of phone'") == true)
        let three = cycle(&bench, CyclePlan(count: 1), wait: 60 * Bench.second)
        bench.pass(10 * Bench.second)
        #expect(summary(bench, one)?.value(at: "succeeded")?.int == 2)
        #expect(summary(bench, three)?.value(at: "succeeded")?.int == 1)
    }

    @Test(arguments: [
        (CyclePlan(count: 0), "count"), (CyclePlan(count: 2, first: 3), "first"),
        (CyclePlan(count: 1, moment: .step("authenticatin")), "unplugAt"),
        (CyclePlan(count: 1, within: 0), "readyWithinMilliseconds"),
    ])
    func aPlanThatCannotBeIsRefused(plan: CyclePlan, field: String) {
        var bench = Bench()
        let client = cycle(&bench, plan)
        guard case .invalidParameter(field, _)? = bench.failures[client]?.first else {
            Issue.record("\(bench.failures[client] ?? [])")
            return
        }
    }
}
