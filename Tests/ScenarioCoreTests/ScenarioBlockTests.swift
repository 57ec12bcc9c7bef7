import RigModel
import Testing

@testable import ScenarioCore

/// repeat, for, parallel, setup, teardown and labels.
@Suite struct ScenarioBlockTests {
    @Test func loopsAreWrittenOut() {
        let text = """
            repeat 2 {
                for key in home back {
                    key ${key}
                }
                wait 1s
            }
            for t in 10ms to 30ms by 10ms {
                wait ${t}
            }
            for n in -1 to 1 {
                mark ${n}
            }
            """
        #expect(
            ScenarioNamesTests.read(text) == [
                "key home", "key back", "wait 1s", "key home", "key back", "wait 1s", "wait 10ms", "wait 20ms",
                "wait 30ms", "mark -1", "mark 0", "mark 1",
            ])
    }

    @Test(arguments: [
        ("repeat 2", "1:9: '{' that opens the block, at the end of the line, is missing"),
        ("repeat {\nmark x\n}", "1:8: '{' is no whole number; how often is expected here"),
        ("repeat 0 {\nmark x\n}", "1:8: 0 is not between 1 and 200000"),
        ("repeat 2 {\nmark x", "1:1: the '}' that closes this block is missing at the end of the file"),
        ("mark x\n}", "2:1: no block is open that this could close"),
        ("repeat 2 {\nmark x\n} and {\nmark y\n}", "3:1: only 'parallel' has several branches"),
        ("repeat 2 {\nmark x\n} mark y", "3:3: 'mark' has no meaning here; the step is complete"),
        ("repeat 2 x {\nmark x\n}", "1:10: 'x' has no meaning here; '{' is expected"),
        ("for x {\nmark x\n}", "1:6: 'in' and the values is missing"),
        ("for x in {\nmark x\n}", "1:9: the values is missing"),
        (
            "for x in 1s to 2s by 1 {\nmark x\n}",
            "1:22: the step is of the same kind as what it steps through, and above zero"
        ),
        ("knob {", "1:6: '{' is nothing that a knob does"),
        ("mark x\nplug iphone {", "2:13: '{' is no option of plug"),
        ("{\nmark x\n}", "1:1: '{' belongs to a block: repeat, for, parallel, setup, teardown"),
        ("plug {iphone}", "1:6: '{' stands alone, at the end or the beginning of a block"),
        ("parallel {\nmark x\n}", "1:1: a 'parallel' has two branches at least; '} and {' begins the next one"),
        ("parallel {\nmark x\n} and {\n}", "1:1: branch 2 of this has no steps"),
        (
            "parallel {\nparallel {\nmark x\n} and {\nmark y\n}\n} and {\nmark z\n}",
            "2:1: a 'parallel' cannot be part of another"
        ),
        ("repeat 2 {\nsetup {\nmark x\n}\n}", "2:1: 'setup' cannot stand in a block"),
        ("mark x\nsetup {\nmark y\n}", "2:1: 'setup' runs before everything else; write it before the first step"),
        ("mark x\nteardown {\nat 1s mark y\n}", "3:1: when a teardown begins, nobody knows"),
        ("repeat 2 {\nat 2s mark x\nat 3s mark y\n}", "2:1: this is before 'at 3s' in line 3"),
        ("repeat 60000 {\nmark x\n}", "2:1: with this there are more than 50000 steps"),
        (
            "mark x\nrepeat 1000 {\nrepeat 1000 {\nlet a = 1\n}\n}",
            "3:1: with loops, rows and included files written out, there are more than 200000 lines"
        ),
        (
            "mark x\nrepeat 1000 {\nfor x in 1 to 100000 {\n}\n}",
            "3:1: with loops, rows and included files written out, there are more than 200000 lines"
        ),
        ("a: mark x\na: mark y", "2:1: the label 'a' stands in line 1 already"),
        ("a: mark x\nat b mark y", "2:4: 'b' is no time, and no label of a step above"),
        ("parallel {\na: mark x\n} and {\nat a mark y\n}", "4:4: 'a' is no time, and no label of a step above"),
    ])
    func whatIsWrongIsToldWithItsPlace(_ text: String, _ problem: String) {
        let first = ScenarioNamesTests.read(text).first ?? ""
        #expect(first.hasPrefix("t.rig:\(problem)"), "\(first)")
    }

    @Test func blocksLieAtMostEightDeep() {
        let text = String(repeating: "repeat 1 {\n", count: 9) + "mark x\n" + String(repeating: "}\n", count: 9)
        #expect(ScenarioNamesTests.read(text) == ["t.rig:9:1: blocks lie at most 8 deep in one another"])
    }

    @Test func branchesRunAtTheSameTime() throws {
        let run = try VirtualRun(
            """
            plug iphone as phone
            expect session active device phone
            wait 100ms
            start: mark go
            parallel {
                every 100ms for 300ms knob rotate 1
                mark left
            } and {
                at +150ms mark right
                wait 500ms
            }
            mark both
            at start +1s mark late
            """)
        #expect(run.verdict.outcome == .passed)
        let begin = run.timeline.first { $0.text.hasPrefix("start:") }?.time ?? 0
        let told = run.timeline.filter { $0.kind == .step && $0.time >= begin }.map {
            "\(($0.time - begin) / 1_000_000) \($0.text)"
        }
        #expect(
            told == [
                "0 start: mark go", "0 parallel", "0 every 100ms for 300ms knob rotate 1 (1 of 3)",
                "100 every 100ms for 300ms knob rotate 1 (2 of 3)", "150 at +150ms mark right", "150 wait 500ms",
                "200 every 100ms for 300ms knob rotate 1 (3 of 3)", "300 mark left", "650 mark both",
                "1000 at start +1s mark late",
            ])
        #expect(run.verdict.counts.steps == 10 && run.verdict.counts.done == 10)
    }

    @Test func eachBranchLooksAtTheEventsByItself() throws {
        let run = try VirtualRun(
            """
            plug iphone as phone
            parallel {
                expect session active device phone
                mark a
                expect mark where text = a
            } and {
                expect session active device phone
                unplug phone surprise
                expect session closed device phone
            }
            expect session closed never within 100ms
            expect device detached device phone
            """)
        #expect(run.verdict.outcome == .passed, "\(TimelineText.render(run.verdict))")
    }

    @Test func aFailureInABranchEndsTheRun() throws {
        let run = try VirtualRun(
            """
            parallel {
                wait 10s
            } and {
                expect session active within 100ms
            }
            mark never
            """)
        #expect(run.verdict.outcome == .failed && run.verdict.duration < .ms(200))
        #expect(run.verdict.failures.map(\.place?.line) == [4])
        #expect(!run.timeline.contains { $0.text.contains("mark never") })
    }

    private static let putsAway = """
        setup {
            plug iphone as phone
            expect session active device phone
        }
        teardown {
            mark one
            expect session closed within 50ms
            mark two
        }
        teardown {
            mark zero
        }
        at 1s mark test
        STEP
        """

    @Test(arguments: [("mark fine", nil), ("expect session closed within 10ms", nil), ("wait 1h", UInt64.ms(1_500))])
    func teardownRunsHoweverTheTestEnds(_ step: String, _ cancelAt: UInt64?) throws {
        let text = Self.putsAway.replacing("STEP", with: step)
        let run = try VirtualRun(text, cancelAt: cancelAt)
        let marks = run.timeline.filter { $0.kind == .step && $0.text.hasPrefix("mark") }.map(\.text)
        #expect(marks.suffix(3) == ["mark zero", "mark one", "mark two"])
        let outcome: Outcome = cancelAt == nil ? .failed : .interrupted
        #expect(run.verdict.outcome == outcome)
        #expect(run.verdict.failures.last?.place?.line == 7)
        #expect(run.verdict.failures.count == (step.hasPrefix("expect") ? 2 : 1))
        // The setup took 100 ms: times count from its end.
        #expect(run.timeline.first { $0.text == "at 1s mark test" }.map { $0.time > .ms(1_050) } == true)
    }

    @Test func aTeardownThatDoesNotEndIsEnded() throws {
        let run = try VirtualRun("mark a\nteardown {\nwait 2min\nmark b\n}\n")
        #expect(run.verdict.outcome == .failed)
        #expect(run.verdict.failures.map(\.text) == ["the teardown did not end within 1min"])
    }

    @Test func whoStopsTwiceDoesNotWaitForTheTeardown() throws {
        var run = ScenarioRun(
            try Scenario(parsing: "wait 1h\nteardown {\nwait 10s\n}\n", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        run.start(now: 0, into: &actions)
        run.cancel(now: .ms(1), into: &actions)
        #expect(!run.isFinished)
        run.cancel(now: .ms(2), into: &actions)
        #expect(run.isFinished)
    }

    @Test func includedStepsAreToldWithBothLines() throws {
        let options = ScenarioOptions(includes: [
            IncludedFile(name: "a.rig", text: "\nmark in\nexpect session active within 1ms\n")
        ])
        let run = try VirtualRun(Scenario(parsing: "\n\n\ninclude a.rig\n", file: "t.rig", options: options))
        #expect(run.timeline.first?.text == "mark in  [a.rig:2]" && run.timeline.first?.line == 4)
        #expect(run.timeline.last { $0.kind == .failure }?.line == 4)
        #expect(run.verdict.failures.first?.place == SourcePlace(file: "a.rig", line: 3, column: 1))
    }

    @Test func aCableCanBeOutForAWhile() throws {
        let text = """
            plug iphone as phone slow 10ms keep
            expect session active device phone
            at 1s unplug phone surprise for 300ms
            expect device detached device phone
            then session active device phone where generation = 2
            mark x
            """
        let run = try VirtualRun(text)
        #expect(run.verdict.outcome == .passed, "\(TimelineText.render(run.verdict))")
        let plugs = run.performed.filter { if case .plug = $0.command { true } else { false } }
        #expect(plugs.map(\.time) == [0, .ms(1_300)] && plugs[0].command == plugs[1].command)
        let steps = try Scenario(parsing: text, file: "t.rig").steps
        #expect(steps.map(\.keepsDevice) == [true, false, false, true, false, false, false])
        let problem = "t.rig:1:8: no line above plugs in 'p', so nobody knows what to plug in again"
        #expect(ScenarioNamesTests.read("unplug p for 1s") == [problem])
        let repeated = ScenarioNamesTests.read("plug iphone as p\nevery 1s for 2s unplug p for 10ms")
        #expect(repeated == ["t.rig:2:17: 'unplug … for …' cannot be repeated; write the lines of a loop"])
    }

    @Test func choicesAreToldWithTheirSeed() throws {
        let run = try VirtualRun("seed 42\nlet a = random 1 to 9\nmark ${a}\n")
        #expect(run.timeline.first?.text == "choices come from seed 42")
    }
}
