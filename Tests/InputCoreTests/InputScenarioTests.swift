import InputCore
import RigConfiguration
import RigModel
import Testing

/// Every row of the device table against what such a device sends.
@Suite struct InputScenarioTests {
    @Test(arguments: try InputScenarioFile.names())
    func scenario(name: String) throws {
        let file = try InputScenarioFile(name)
        var bench = InputBench(limits: file.limits)
        for node in file.nodes {
            let decision = DeviceTable.shipped.decision(of: node.description, isChosen: file.isChosen)
            #expect(decision.deciding?.rule == node.rule, "\(name): \(decision)")
            guard bench.add(node.description, .shipped, isChosen: file.isChosen) else { continue }
        }
        for exchange in file.exchanges {
            for step in exchange.steps {
                switch step {
                case .frame(let cause, let node, let events): bench.feed(events, cause: cause, node: node)
                case .wait(let time): bench.wait(time)
                case .gone: bench.end()
                }
            }
            #expect(bench.lines() == exchange.expected, "\(name):\(exchange.line)")
        }
    }

    /// The shipped rules that make a device each have a file of their own.
    @Test func everyRowHasAScenario() throws {
        var rules: [String] = []
        for name in try InputScenarioFile.names() { rules += try InputScenarioFile(name).nodes.map(\.rule) }
        for rule in DeviceTable.shipped.inputRules {
            #expect(rules.contains(rule.name), "no scenario for \(rule.name)")
        }
    }
}
