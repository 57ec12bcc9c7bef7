import Foundation
import RigModel
import ScenarioCore
import Testing

@Suite struct ScenarioFuzzTests {
    private static let words =
        Scenario.stepWords + Scenario.conditionPaths.prefix(60) + EventKind.allCases.map(\.rawValue)
        + [
            "session", "active", "device", "where", "within", "exactly", "never", "and", "=", "!=", "<", "~", "for",
            "on",
            "to", "as", "set", "scale", "phone", "p", "iphone", "1", "-1", "0", "99999999999999999999", "80ms", "1.5s",
            "+250ms", "0ms", "50%", "100.01%", "\"", "\"a b\"", "\\", "$", "#", "main", "s1/main", "800x480", "0,0",
            "rotate", "press", "nudge", "up", "tap", "swipe", "home", "dark", "keyboard,lists", "none", "true", "🚗",
            "\t",
            "let", "a:", "param", "seed", "table", "row", "include", "repeat", "for", "parallel", "setup", "teardown",
            "{",
            "}", "${a}", "${", "in", "random", "of", "by", "\n", "} and {", "\u{202E}", "\u{0}", "\r",
            "9223372036854775808", "1e400", "-", "%", ",", "x", ".", "..",
        ]

    /// Problems lie inside the text, and can be shown.
    private static func parse(_ bytes: [UInt8], _ note: String) -> Scenario? {
        do {
            let scenario = try Scenario(parsing: bytes, file: "f.rig", options: Self.options)
            // What can be read can be formatted, to the same steps and only once.
            let formatted = try Scenario.formatted(bytes, file: "f.rig")
            let again = try? Scenario(parsing: formatted, file: "f.rig", options: Self.options)
            #expect(again?.steps.map(\.action) == scenario.steps.map(\.action), "\(note): \(formatted)")
            #expect(again?.steps.map(\.timing) == scenario.steps.map(\.timing), "\(note): \(formatted)")
            let twice = try? Scenario.formatted(Array(formatted.utf8), file: "f.rig")
            #expect(twice == formatted, "\(note)")
            #expect(!scenario.explanation.isEmpty, "\(note)")
            return scenario
        } catch {
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
            #expect(!error.problems.isEmpty && error.problems.count <= ScenarioProblems.maximum, "\(note)")
            for problem in error.problems {
                let last = problem.includedFrom.isEmpty ? lines : 3
                #expect((1...max(1, last)).contains(problem.place.line), "\(note)")
                #expect((1...problem.line.count + 1).contains(problem.place.column), "\(note)")
                #expect(!problem.text.isEmpty && problem.rendered.contains(problem.text), "\(note)")
            }
            return nil
        }
    }

    private static let options = ScenarioOptions(includes: ShippedScenarioTests.included)

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func linesOfRandomWordsAreReadOrRefused(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<4_000 {
            let count = Int(random.next() % 9)
            let line = (0..<count).compactMap { _ in Self.words.randomElement(using: &random) }
                .joined(separator: random.next() % 8 == 0 ? "" : " ")
            _ = Self.parse(Array(line.utf8), "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func changedScenariosAreReadOrRefusedAndRunToAnEnd(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let examples = DocumentBlock.all(in: "docs/scenarios.md").filter { $0.info == "rig" }.map(\.text)
        try #require(!examples.isEmpty)
        var ran = 0
        for round in 0..<800 {
            var bytes = Array((examples.randomElement(using: &random) ?? "").utf8)
            for _ in 0..<random.next() % 4 { Self.change(&bytes, &random) }
            guard let scenario = Self.parse(bytes, "seed \(seed), round \(round)") else { continue }
            var rig = FakeRig()
            if random.next() % 4 == 0 { rig.refusals[Int(random.next() % 6)] = .busy(owner: "x", since: 0) }
            if random.next() % 8 == 0 { rig.silentCommands = [Int(random.next() % 6)] }
            rig.neverDetaches = random.next() % 10 == 0
            let cancel = random.next() % 3 == 0 ? random.next() % 2_000_000_000 : nil
            let run = try VirtualRun(scenario, rig: rig, latency: random.next() % 5_000_000, cancelAt: cancel)
            ran += 1
            let verdict = run.verdict
            let isPassed = verdict.outcome == .passed
            #expect(isPassed ? verdict.failures.isEmpty : true, "seed \(seed), round \(round)")
            #expect(isPassed ? verdict.counts.done == verdict.counts.steps : true, "seed \(seed), round \(round)")
            #expect(
                isPassed || verdict.outcome == .interrupted || !verdict.failures.isEmpty, "seed \(seed), round \(round)"
            )
            #expect(try Verdict(record: verdict.record) == verdict, "seed \(seed), round \(round)")
            #expect(run.timeline.map(\.time) == run.timeline.map(\.time).sorted(), "seed \(seed), round \(round)")
        }
        #expect(ran > 150, "seed \(seed)")
    }

    @Test(arguments: [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func anyOrderOfCallsEndsOnceAndThenIsSilent(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let texts = DocumentBlock.all(in: "docs/scenarios.md").filter { $0.info == "rig" }.map(\.text)
        for round in 0..<600 {
            let scenario = try Scenario(
                parsing: texts.randomElement(using: &random) ?? "", file: "f.rig", options: Self.options)
            var run = ScenarioRun(scenario, name: "f")
            var actions: [ScenarioAction] = []
            var now: UInt64 = random.next() % 10 == 0 ? .max - 5_000_000_000 : 0
            for _ in 0..<200 {
                now =
                    now.addingReportingOverflow(random.next() % 300_000_000).overflow
                    ? .max : now &+ random.next() % 300_000_000
                Self.call(&run, now, &random, &actions)
            }
            if !run.isFinished {
                run.cancel(now: now, into: &actions)
                run.cancel(now: now, into: &actions)
            }
            let ends = actions.indices.filter { if case .finished = actions[$0] { true } else { false } }
            #expect(ends == [actions.count - 1], "seed \(seed), round \(round)")
            #expect(run.nextDeadline == nil, "seed \(seed), round \(round)")
            let before = actions.count
            for _ in 0..<20 { Self.call(&run, now, &random, &actions) }
            #expect(actions.count == before, "seed \(seed), round \(round)")
        }
    }

    private static func call(
        _ run: inout ScenarioRun, _ now: UInt64, _ random: inout SeededRandom, _ actions: inout [ScenarioAction]
    ) {
        let reference = DeviceReference(
            name: ["phone", "left", "p"].randomElement(using: &random) ?? "p", generation: UInt32(1 + random.next() % 2)
        )
        switch random.next() % 24 {
        case 0...1: run.start(now: now, into: &actions)
        case 2...7:
            let kind = EventKind.allCases.randomElement(using: &random) ?? .mark
            run.received(
                Event(time: now, kind: kind, origin: .simulated, device: reference), now: now, into: &actions)
        case 8: run.received(record: .record([RecordField("kind", .int(1))]), now: now, into: &actions)
        case 9...12: run.deadlineReached(now: now, into: &actions)
        case 13...16: run.deadlineReached(now: max(now, run.nextDeadline ?? now), into: &actions)
        case 17...21:
            let step = actions.last { if case .perform = $0 { true } else { false } }
            if case .perform(let command, let number)? = step {
                var result: Result<CommandResult, CommandFailure> = .success(.done)
                if case .plug = command {
                    let facts = DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated)
                    result = .success(
                        .plugged(
                            Device(id: DeviceID(1), name: reference.name, facts: facts, peer: .simulated, phone: nil)))
                }
                if random.next() % 12 == 0 { result = .failure(.unknownApp) }
                run.completed(step: number, result, now: now, into: &actions)
            }
        case 22: if random.next() % 8 == 0 { run.cancel(now: now, into: &actions) }
        default: if random.next() % 16 == 0 { run.rigFailed("gone", now: now, into: &actions) }
        }
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard !bytes.isEmpty else { return }
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 6 {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
        case 3: bytes.insert(UInt8(ascii: "0") + UInt8(random.next() % 10), at: place)
        default:
            // Lines change places or come twice: mostly still a scenario, but another one.
            var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
            let first = Int(random.next() % UInt64(lines.count))
            let second = Int(random.next() % UInt64(lines.count))
            if random.next() % 2 == 0 { lines.swapAt(first, second) } else { lines.insert(lines[first], at: second) }
            bytes = Array(lines.joined(separator: [0x0A]))
        }
    }
}
