import RigConfiguration
import RigCore
import RigModel
import RigSimulation
import ScenarioCore
import Testing

/// Scenarios in a rig of their own, without waiting.
@Suite struct ScenarioSimulationTests {
    private func simulation(_ text: String, lateness: UInt64 = 2_000_000) -> ScenarioSimulation {
        ScenarioSimulation(
            text, file: "t.rig", settings: CoreSettings(Configuration.shipped, version: "test"), lateness: lateness)
    }

    @Test func aScenarioThatHoldsPassesWithEverySeed() {
        let simulation = simulation(
            """
            plug iphone as phone slow 100ms
            expect session.active device phone within 5s
            every 80ms for 800ms knob rotate 1
            wait 10min
            unplug phone
            expect device.detached device phone
            """)
        for seed in 1...20 as ClosedRange<UInt64> {
            let run = simulation.run(seed: seed)
            #expect(run.verdict.outcome == .passed, "seed \(seed): \(run.verdict.failures)")
            #expect(run.timeline.isEmpty, "nobody asked for it")
            #expect(run.time >= 600_000_000_000, "ten minutes went by")
        }
    }

    @Test func theSameSeedGivesTheSameRunAndAnotherAnother() {
        let simulation = simulation("plug iphone as phone slow 50ms\nexpect session.active within 5s\nwait 300ms\n")
        let first = simulation.run(seed: 7, isWatched: true)
        let again = simulation.run(seed: 7, isWatched: true)
        #expect(first.timeline == again.timeline && first.verdict == again.verdict && first.time == again.time)
        #expect(!first.timeline.isEmpty)
        #expect(first.verdict.counts.maximumLateness <= 2_000_000)
        let other = simulation.run(seed: 8, isWatched: true)
        #expect(other.timeline.map(\.time) != first.timeline.map(\.time), "it is late at other times")
        let exact = self.simulation("wait 1s\nmark \"x\"\n", lateness: 0).run(seed: 7)
        #expect(exact.verdict.counts.maximumLateness == 0 && exact.verdict.duration == 1_000_000_000)
    }

    @Test func whatHoldsOnlyWhenNothingIsLateFailsWithSomeSeed() {
        // The mark of a step that is 2 ms late misses the window of the run's other line by that much.
        let simulation = simulation("wait 100ms\nmark \"x\"\nexpect input.knob exactly 5 within 100ms\n")
        #expect(simulation.run(seed: 1).verdict.outcome == .failed)
    }

    @Test(arguments: [
        ("expect mark within 300ms\n", Outcome.failed), ("nonsense\n", .scriptWrong), ("plug iphon\n", .scriptWrong),
        ("plug iphone as a\nplug iphone as a\n", .rigFailed),
    ])
    func theVerdictIsThatOfARun(text: String, outcome: Outcome) {
        let run = simulation(text).run(seed: 1)
        #expect(run.verdict.outcome == outcome)
        #expect(!run.verdict.failures.isEmpty)
    }
}
