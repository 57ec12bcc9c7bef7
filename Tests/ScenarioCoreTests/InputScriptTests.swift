import RigModel
import Testing

@testable import ScenarioCore

/// Parts of gestures and speeds in a scenario's words, and scenarios as sequences.
@Suite struct InputScriptTests {
    private static func input(_ line: String) throws -> InjectedInput? {
        let step = try Scenario(parsing: line, file: "t.rig").steps.first
        guard case .perform(.inject(let injection))? = step?.action else { return nil }
        return injection.input
    }

    static let singles: [(String, SingleInput)] = [
        ("knob press down", .press(down: true)), ("knob press up on main", .press(down: false)),
        ("knob nudge up down", .nudge(.up, down: true)), ("knob nudge up-left up", .nudge(.upLeft, down: false)),
        ("key up down", .key(.up, down: true)), ("key home up device p", .key(.home, down: false)),
        ("touch down 0 1 2", .touch([FingerChange(id: 0, .began(PixelPoint(x: 1, y: 2)))])),
        (
            "touch move 3 1 2 and 9 3 4 on s1/main",
            .touch([
                FingerChange(id: 3, .moved(PixelPoint(x: 1, y: 2))),
                FingerChange(id: 9, .moved(PixelPoint(x: 3, y: 4))),
            ])
        ),
        (
            "touch up 3 and 1 5 6 device p",
            .touch([FingerChange(id: 3, .ended(nil)), FingerChange(id: 1, .ended(PixelPoint(x: 5, y: 6)))])
        ),
        ("touchpad down 2 50% 12.5%", .touchpad([FingerChange(id: 2, .began(PadPoint(x: 5_000, y: 1_250)))])),
        ("touchpad up 2", .touchpad([FingerChange(id: 2, .ended(nil))])),
    ]

    @Test(arguments: singles) func aPartIsOneMoment(_ line: String, _ single: SingleInput) throws {
        #expect(try Self.input(line) == .single(single))
        #expect(try Scenario(parsing: line, file: "t.rig").steps.first?.duration == 0)
    }

    static let times: [(String, UInt64)] = [
        ("knob rotate 5 over 1s", 1_000_000_000), ("knob rotate -1 over 1s", 0),
        ("touch swipe 0 0 to 300 400 velocity 1000", 500_000_000),
        ("touch flick 0 0 to 300 400 velocity 1000", 1_000_000_000),
        ("touch flick 0 0 to 300 400", Gesture.defaultFlick), ("touch flick 0 0 to 3 4 for 50ms", 50_000_000),
        ("touch 0 0 to 0 100 and 0 0 to 0 10 velocity 100", 1_000_000_000),
        ("touchpad swipe 10% 50% to 60% 50% velocity 100", 500_000_000),
    ]

    @Test(arguments: times) func speedsAndTimesOfATurnAreTimes(_ line: String, _ duration: UInt64) throws {
        #expect(try Scenario(parsing: line, file: "t.rig").steps.first?.duration == duration)
    }

    @Test func aFlickGetsEverFaster() throws {
        guard case .gesture(.touch(let paths, _))? = try Self.input("touch flick 700 100 to 60 100") else {
            Issue.record("it is no touch")
            return
        }
        let places = paths[0].points.map(\.x)
        #expect(places.first == 700 && places.last == 60)
        let steps = zip(places, places.dropFirst()).map { $0.0 - $0.1 }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.0 < $0.1 }, "\(steps)")
    }

    static let wrong: [(String, Int)] = [
        ("knob rotate 3 every 5ms over 1s", 32), ("knob press down for 5ms", 17), ("key home down down", 15),
        ("touch down 10 1 1", 12), ("touch down 0 1", 15), ("touch down 0 1 1 and 0 2 2", 22), ("touch up", 9),
        ("touch flick 1 1", 16), ("touch flick 1 1 to 2 2 to 3 3", 24), ("touch tap 1 1 velocity 5", 15),
        ("touch swipe 1 1 to 2 2 velocity 0", 33), ("touch swipe 1 1 to 1 1 velocity 5", 24),
        ("touch swipe 1 1 to 2 2 for 5ms velocity 5", 24), ("touch swipe 0 0 to 9999 0 velocity 1", 27),
        ("touchpad down 0 5 5", 17),
    ]

    @Test(arguments: wrong) func whatIsWrongHasItsPlace(_ line: String, _ column: Int) {
        do throws(ScenarioProblems) {
            _ = try Scenario(parsing: line, file: "t.rig")
            Issue.record("'\(line)' is taken")
        } catch {
            #expect(error.problems.first?.place.column == column, "\(error.rendered)")
        }
    }

    // MARK: Sequences

    private static func sequence(_ text: String) throws(ScenarioProblems) -> [InjectionSequence.Step] {
        try InputScript(try Scenario(parsing: text, file: "t.rig")).sequence.steps
    }

    @Test func stepsHaveTheTimesAtWhichTheyWouldBegin() throws {
        let text = """
            knob press down
            at 100ms knob rotate 3 every 50ms   # until 200 ms
            key home for 30ms
            at +10ms key back
            wait 500ms
            every 20ms for 50ms knob rotate 1
            knob press up
            """
        let steps = try Self.sequence(text)
        #expect(steps.map { $0.offset / 1_000_000 } == [0, 100, 200, 210, 790, 810, 830, 840])
        #expect(steps.last?.input == .single(.press(down: false)))
    }

    static let noSequence = [
        "plug iphone", "expect session active", "after session active key home", "key home device p",
        "touch tap 1 1 on main", "at 700s key home", "at 100ms key home\nat 50us key back",
        "every 1ms for 3s key home for 1ms",
    ]

    @Test(arguments: noSequence) func whatHasNoPlaceInASequenceIsNamed(_ text: String) {
        #expect(throws: ScenarioProblems.self) { try Self.sequence("knob press\n\(text)") }
    }

    @Test func aStepKnowsItsLine() throws {
        let text = "knob press\n\n  every 20ms for 50ms key home for 1ms  # three\nkey back\n"
        let script = try InputScript(try Scenario(parsing: text, file: "t.rig"))
        let lines = (0..<script.sequence.steps.count).map { script.problem(ofStep: $0, "wrong")?.place.line }
        #expect(lines == [1, 3, 3, 3, 4])
        #expect(
            script.problem(ofStep: 1, "wrong")?.rendered.hasPrefix(
                "t.rig:3:3: wrong\n 3 |   every 20ms for 50ms key home for 1ms  # three\n   |   ^~") == true)
        #expect(script.problem(ofStep: 5, "wrong") == nil && script.problem(ofStep: -1, "wrong") == nil)
    }

    @Test func waitsAloneAreNoSequence() {
        let problems = #expect(throws: ScenarioProblems.self) { try Self.sequence("# nothing\n wait 1s\n") }
        #expect(problems?.rendered.hasPrefix("t.rig:2:2: there is nothing but waits") == true)
    }
}
