import Foundation
import RigModel
import ScenarioCore
import Testing

@Suite struct DHUScriptTests {
    private static func steps(_ text: String) throws -> [String] {
        let script = try DHUScript(parsing: Array(text.utf8), file: "t.dhu")
        let scenario = try Scenario(parsing: script.scenario, file: "t.rig")
        #expect(scenario.steps.count == script.steps)
        return scenario.steps.map(\.text)
    }

    private static func problems(_ text: String) -> [ScenarioProblem] {
        do {
            _ = try DHUScript(parsing: Array(text.utf8), file: "t.dhu")
            return []
        } catch {
            return error.problems
        }
    }

    /// A phrase with arguments that fit.
    private static func example(_ phrase: DHUPhrase) -> String {
        switch phrase.meaning {
        case .tap: "\(phrase.text) 400 240"
        case .sleep: "\(phrase.text) 3"
        case .none: "\(phrase.text) some thing"
        case .measure(_, .number): "\(phrase.text) 5"
        case .measure(_, .truth): "\(phrase.text) true"
        case .measure(_, .gear): "\(phrase.text) 101"
        case .location: "\(phrase.text) 48.1372 11.5756"
        case .step, .appearance, .otherAppearance, .end: phrase.text
        }
    }

    @Test(arguments: DHUPhrase.all.map(\.text)) func aPhraseBecomesWhatTheTableSays(_ text: String) throws {
        let phrase = try #require(DHUPhrase.all.first { $0.text == text })
        let line = Self.example(phrase)
        switch phrase.meaning {
        case .step(let step): #expect(try Self.steps(line) == [step])
        case .tap: #expect(try Self.steps(line) == ["touch tap 400 240"])
        case .sleep: #expect(try Self.steps(line) == ["wait 3s"])
        case .appearance(let look): #expect(try Self.steps(line) == ["appearance \(look.rawValue)"])
        case .otherAppearance:
            #expect(try Self.steps(line) == ["appearance light", "appearance dark"])
            #expect(try Self.steps("night;\(line)") == ["appearance dark", "appearance light"])
            #expect(try Self.steps("day;\(line);\(line)").last == "appearance light")
        case .measure(let word, let measure):
            let value: String
            switch measure {
            case .number(let quantity, _): value = quantity.text(5 * quantity.stepsPerUnit)
            case .truth: value = "on"
            case .gear: value = "park"
            }
            #expect(try Self.steps(line) == ["vehicle \(word) \(value)"])
            #expect(try Self.steps(phrase.text) == ["vehicle \(word) unknown"])
        case .location: #expect(try Self.steps(line) == ["vehicle location 48.1372,11.5756"])
        case .end: #expect(try Self.steps("day\n\(line)\nnight") == ["appearance light"])
        case .none(let reason):
            let problem = try #require(Self.problems("day\nday; \(line)").first)
            #expect(problem.text == "'\(text)' has no meaning here: \(reason)")
            #expect(problem.place == SourcePlace(file: "t.dhu", line: 2, column: 6))
            #expect(problem.length == text.count)
        }
    }

    @Test func noPhraseIsTheBeginningOfAnother() {
        for phrase in DHUPhrase.all {
            let longer = DHUPhrase.all.filter { $0.words.starts(with: phrase.words) }
            #expect(longer.count == 1, "\(phrase.text)")
        }
    }

    @Test func theReferenceHasEveryPhraseInItsPlace() throws {
        let rows = DHUPhrase.all.map { phrase in
            switch phrase.meaning {
            case .step(let step): "| `\(phrase.text)` | `\(step)` |"
            case .appearance(let look): "| `\(phrase.text)` | `appearance \(look.rawValue)` |"
            case .otherAppearance:
                "| `\(phrase.text)` | `appearance light` or `appearance dark`: not the last one |"
            case .tap: "| `\(phrase.text) X Y` | `touch tap X Y` |"
            case .sleep: "| `\(phrase.text) N` | `wait Ns` |"
            case .end: "| `\(phrase.text)` | the end; what follows is checked and not run |"
            case .measure(let word, .number(let quantity, _)):
                "| `\(phrase.text) [N]` | `vehicle \(word) N\(quantity.text(0).dropFirst())`, or `unknown` |"
            case .measure(let word, .truth):
                "| `\(phrase.text) [TRUTH]` | `vehicle \(word) on`, `off` or `unknown` |"
            case .measure(let word, .gear):
                "| `\(phrase.text) [N]` | `vehicle \(word)` `neutral` (0), `drive` (100), `park` (101), `reverse` (102) "
                    + "or `unknown` |"
            case .location:
                "| `\(phrase.text) [LAT LONG [ACC ALT SPEED BEARING]]` | `vehicle location LAT,LONG accuracy ACCm altitude "
                    + "ALTm speed SPEEDm/s heading BEARING`, or `unknown` |"
            case .none(let reason): "| `\(phrase.text)` | nothing: \(reason) |"
            }
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("docs/dhu.md")
        let document = try String(contentsOf: file, encoding: .utf8)
        #expect(document.hasSuffix("| there | here |\n|---|---|\n" + rows.joined(separator: "\n") + "\n"))
    }

    @Test func theReferencesExampleIsATestThatPasses() throws {
        let blocks = DocumentBlock.all(in: "docs/dhu.md")
        let script = try #require(blocks.first { $0.info == "dhu" })
        let scenario = try #require(blocks.first { $0.info == "rig" })
        let translated = try DHUScript(parsing: Array(script.text.utf8), file: "example.dhu")
        #expect(translated.scenario == scenario.text + "\n")
        #expect(try VirtualRun(translated.scenario, file: "example.rig").verdict.outcome == .passed)
    }

    @Test func aWrongExampleIsToldAsTheReferenceSays() throws {
        let block = try #require(DocumentBlock.all(in: "docs/dhu.md").first { $0.info == "dhu wrong" })
        let told = Self.problems(block.text).map(\.rendered).joined(separator: "\n\n")
        #expect(told.replacingOccurrences(of: "t.dhu", with: "example.dhu") == block.following)
    }

    @Test func aLocationSkipsWhatIsNotKnown() throws {
        #expect(
            try Self.steps("location 48.1372 -11.5 NAN 520 nan 90\nlocation\nlocation 1 2 3 4 5 6.25\nspeed -1.5") == [
                "vehicle location 48.1372,-11.5 altitude 520m heading 90", "vehicle location unknown",
                "vehicle location 1,2 accuracy 3m altitude 4m speed 5m/s heading 6.25", "vehicle speed -1.5m/s",
            ])
    }

    @Test func commandsStandBetweenSemicolons() throws {
        #expect(
            try Self.steps("\u{FEFF};; dpad  click;tap 1\t2 ;\r\n\r\n  day;") == [
                "knob press", "touch tap 1 2", "appearance light",
            ])
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        let text: String
        let column: Int
        let message: String
        var testDescription: String { text }

        init(_ text: String, _ column: Int, _ message: String) {
            (self.text, self.column, self.message) = (text, column, message)
        }
    }

    @Test(arguments: [
        Wrong("dpad", 5, "'dpad' needs one more word: up"),
        Wrong("dpad rotate", 12, "'dpad rotate' needs one more word"),
        Wrong("nigth", 1, "there is no word 'nigth' of that console; did you mean 'night'?"),
        Wrong("day light", 5, "'light' is too much for 'day'"), Wrong("é; dpad upp", 1, "there is no word 'é'"),
        Wrong("day; dpad upp", 11, "'upp' is nothing that can follow 'dpad'; did you mean 'up'?"),
        Wrong("tap", 4, "x in pixels is missing behind 'tap'"), Wrong("tap 1", 6, "y in pixels is missing behind '1'"),
        Wrong("tap 1 2 3", 9, "'3' is too much for 'tap'"), Wrong("tap -1 2", 5, "'-1' is no whole number"),
        Wrong("tap 1 999999", 7, "999999 is not between 0 and"), Wrong("sleep 1.5", 7, "'1.5' is no whole number"),
        Wrong("sleep", 6, "the whole number of seconds is missing"), Wrong("sleep 604801", 7, "between 0 and 604800"),
        Wrong("sleep 99999999999999999999999", 7, "between 0 and 604800"), Wrong("DAY", 1, "there is no word 'DAY'"),
        Wrong("quit; nothing", 7, "there is no word 'nothing'"), Wrong("# day", 1, "there is no word '#'"),
        Wrong("speed fast", 7, "'fast' is no number; a number of metres per second is expected here"),
        Wrong("speed 5km/h", 7, "'5km/h' is no number"), Wrong("speed 151", 7, "151 is not between -50 and 150 m/s"),
        Wrong("speed 5 6", 9, "'6' is too much for 'speed'"), Wrong("fuel 101", 6, "101 is not between 0 and 100 %"),
        Wrong("range -1", 7, "-1 is not between 0 and 10000 km"),
        Wrong("gear 3", 6, "'3' is no gear here; there is 0 (neutral), 100 (drive), 101 (park), 102 (reverse)"),
        Wrong("parking_brake maybe", 15, "'maybe' is none of on, off, true, false"),
        Wrong("location 48.1", 14, "the longitude is missing behind '48.1'"),
        Wrong("location 91 11", 10, "91 is not between -90 and 90"),
        Wrong("location NAN 11", 10, "'NAN' is no number; the latitude is expected here"),
        Wrong("location 48 11 5 520 3 360", 24, "360 is not between 0 and 359.99"),
        Wrong("location 48 11 5 520 3 90 7", 27, "'7' is too much for 'location'"),
        Wrong("day\u{1B}[31m", 4, "a control character (U+001B)"), Wrong("", 1, "the script has no steps"),
        Wrong("quit; day", 1, "the script has no steps"),
        Wrong(String(repeating: "day;", count: 1_100), 1, "the line is longer than 4096 bytes"),
    ]) func whatIsWrongIsToldWithItsPlace(_ wrong: Wrong) throws {
        let problem = try #require(Self.problems(wrong.text).first)
        #expect(problem.message.contains(wrong.message), "\(problem.message)")
        #expect(problem.place == SourcePlace(file: "t.dhu", line: 1, column: wrong.column))
    }

    @Test func everyProblemIsToldUpToTheMost() {
        #expect(Self.problems("x;y\nday\nz").map(\.place.line) == [1, 1, 3])
        let many = Self.problems(String(repeating: "x\n", count: ScenarioProblems.maximum + 1))
        #expect(many.count == ScenarioProblems.maximum && many.last?.text.contains("more than") == true)
    }

    @Test func neitherScriptNorScenarioIsLongerThanAScenario() {
        let long = String(repeating: "day\n", count: Scenario.maximumBytes / 4)
        let problems = Self.problems(long)
        #expect(problems.count == 1 && problems[0].text.contains("the scenario is longer than 1048576 bytes"))
        #expect(Self.problems(long + "\n").first?.text.contains("the most is 1048576") == true)
    }
}
