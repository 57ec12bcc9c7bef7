import RigModel
import Testing

@testable import ScenarioCore

/// exec, attach, and what is expected of their lines.
@Suite struct ScenarioProgramTests {
    private static let text = """
        attach log: adb logcat | grep "a  b" # all of it
        exec build within 10s exit 3: make -C app test
        expect log /Car(App)? \\/x #[0-9]+$/ within 2s
        then log /done/
        expect log /error/ never within 10ms
        expect log /done/ exactly 1 within 10ms
        """

    @Test func aProgramHasItsNameAndCommand() throws {
        let scenario = try Scenario(parsing: Self.text, file: "t.rig")
        #expect(
            scenario.steps.compactMap(\.program) == [
                ProgramStep(name: "log", command: "adb logcat | grep \"a  b\"", isAttached: true),
                ProgramStep(name: "build", command: "make -C app test", isAttached: false),
            ])
        #expect(scenario.patterns.map(\.text) == ["Car(App)? /x #[0-9]+$", "done", "error"])
        #expect(scenario.patterns.map(\.place.column) == [12, 10, 12])
        let expected = scenario.steps.compactMap(\.expectation).map(\.text)
        #expect(
            expected == [
                "the end of build with exit code 3 within 10s", "log /Car(App)? /x #[0-9]+$/ within 2s", "log /done/",
                "log /error/ never within 10ms", "log /done/ exactly 1 within 10ms",
            ])
    }

    @Test func theFormKeepsCommandsAndPatterns() throws {
        let form = try Scenario.formatted(Array(Self.text.utf8), file: "t.rig")
        #expect(form.contains("attach log: adb logcat | grep \"a  b\"  # all of it\n"))
        #expect(form.contains("expect log /Car(App)? \\/x #[0-9]+$/ within 2s\n"))
        let again = try Scenario(parsing: form, file: "t.rig")
        #expect(again.patterns.map(\.text) == ["Car(App)? /x #[0-9]+$", "done", "error"])
    }

    /// Runs a scenario whose programs say these lines, 10 ms after one another.
    private static func run(_ text: String, _ lines: [String]) throws -> Verdict {
        var run = ScenarioRun(try Scenario(parsing: text, file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        var now: UInt64 = 0
        run.start(now: now, into: &actions)
        for line in lines {
            now += .ms(10)
            while let deadline = run.nextDeadline, deadline < now { run.deadlineReached(now: deadline, into: &actions) }
            run.received(
                Event(time: now, kind: .mark, origin: .declared, payload: .text(line)), now: now, into: &actions)
        }
        while let deadline = run.nextDeadline { run.deadlineReached(now: max(now, deadline), into: &actions) }
        guard case .finished(let verdict)? = actions.last else { throw VirtualRun.Stuck() }
        return verdict
    }

    @Test func theEndOfAProgramIsWaitedFor() throws {
        let passed = try Self.run("exec build: make\nwait 1s\n", ["build: x", ProgramText.exit("build", 0)])
        #expect(passed.outcome == .passed && passed.duration == 1_000_000_000 + .ms(20))
        let failed = try Self.run("exec build: make\n", ["build: x", ProgramText.exit("build", 2)])
        #expect(failed.outcome == .failed && failed.duration == .ms(20))
        #expect(failed.failures.first?.text == "it was '⟨build⟩ exit 2'")
        #expect(failed.failures.first?.expected == "the end of build with exit code 0 within 1min")
        let other = try Self.run("exec build exit 2: make\n", [ProgramText.exit("build", 2)])
        #expect(other.outcome == .passed)
        let late = try Self.run("exec build within 1s: make\n", [ProgramText.exit("other", 0)])
        #expect(late.outcome == .failed && late.duration == 1_000_000_000)
    }

    @Test func linesThatMatchAreExpected() throws {
        let text = "attach log: x\nexpect log /b/ within 1s\nthen log /a/ within 1s\n"
        func line(_ text: String, _ matches: Int...) -> String { ProgramText.line("log", text, matching: matches) }
        #expect(try Self.run(text, [line("b", 0), line("a", 1)]).outcome == .passed)
        #expect(try Self.run(text, [line("c"), line("ab", 0, 1), line("a", 1)]).outcome == .passed)
        let failed = try Self.run(text, [line("a", 1), line("b", 0)])
        #expect(failed.outcome == .failed && failed.failures.first?.expected == "log /a/ within 1s")
    }

    @Test func aMarkIsNeverTooLong() {
        for length in [0, 1_000, 1_010, 1_020, 5_000] {
            for letter in ["é", "e", "\u{1B}"] {
                let text = ProgramText.line("log", String(repeating: letter, count: length), matching: [0, 63])
                #expect(text.utf8.count <= Command.maximumMark && text.hasSuffix(" ⟨1⟩ ⟨64⟩"), "\(length) \(letter)")
            }
        }
        #expect(ProgramText.line("log", "a\u{1B}b", matching: []) == "log: a\\u{1B}b")
    }
}
