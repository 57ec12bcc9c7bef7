import RigModel
import Testing

@testable import RigCore

/// What a run is given besides its text.
@Suite struct ScenarioOptionsTests {
    private func run(_ text: String, _ options: ScenarioOptions) -> (outcome: String?, bench: Bench) {
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: "t.rig", text: text, options: options)))
        bench.pass(2 * 1_000_000_000)
        return (bench.replies[client]?.last?.value(at: "verdict.outcome")?.text, bench)
    }

    @Test func includesValuesAndSeedsReachTheScenario() {
        let text = """
            param count
            include lib.rig
            let n = random 1 to 9
            knob rotate ${count}
            expect input.knob where knob.detents = 3
            mark ${n}
            """
        let lib = IncludedFile(name: "lib.rig", text: "plug iphone as phone\nexpect session.active device phone\n")
        let options = ScenarioOptions(
            includes: [lib], values: [ParameterValue(name: "count", value: "3")], seed: 5)
        #expect(run(text, options).outcome == "passed")
    }

    @Test func aTableNeedsARow() {
        let text = "table n\nrow 1\nrow 2\nknob rotate ${n}\n"
        #expect(run(text, ScenarioOptions(row: 2)).outcome == "passed")
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: "t.rig", text: text)))
        #expect("\(bench.replies[client] ?? [])".contains("each row of the table is a run of its own"))
    }

    @Test func programsNeedSomebodyWhoRunsThem() {
        let text = "exec build: make\n"
        var bench = Bench()
        let client = bench.connect()
        bench.handle(.clientCalled(client, .run(name: "t.rig", text: text)))
        #expect("\(bench.replies[client] ?? [])".contains("runs no programs"))
        let other = bench.connect()
        bench.handle(
            .clientCalled(other, .run(name: "t.rig", text: text, options: ScenarioOptions(runsPrograms: true))))
        _ = bench.command(.mark("⟨build⟩ exit 0"))
        bench.pass(1_000_000_000)
        #expect(bench.replies[other]?.last?.value(at: "verdict.outcome")?.text == "passed")
    }
}
