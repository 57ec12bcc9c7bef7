import RigModel
import Testing

@testable import ScenarioCore

/// let, param, include, table, seed: what gives names their values.
@Suite struct ScenarioNamesTests {
    /// The steps as they run, and the problems as they are told.
    static func read(
        _ text: String, file: String = "t.rig", options: ScenarioOptions = ScenarioOptions()
    ) -> [String] {
        do {
            return try Scenario(parsing: text, file: file, options: options).steps.map(\.text)
        } catch {
            return error.problems.map { "\($0.place.text): \($0.message)" }
        }
    }

    static func values(_ texts: String...) -> ScenarioOptions {
        ScenarioOptions(values: texts.compactMap { ParameterValue(assignment: $0) })
    }

    @Test func aNameStandsForItsValue() {
        let text = """
            let speed = 80ms
            let where = "on main"   # a word stays one word
            let n = 3
            knob rotate ${n} every ${speed}
            mark ${n}x "${speed}" and more  # not this
            mark "${where} \\${n}"
            every ${speed} for 1${n}0ms key home for ${n}ms
            """
        #expect(
            Self.read(text) == [
                "knob rotate 3 every 80ms", "mark 3x \"80ms\" and more", "mark \"on main \\${n}\"",
                "every 80ms for 130ms key home for 3ms",
            ])
    }

    @Test func aValueNeverBecomesMoreThanOneWord() {
        let text = "let x = \"1 every 80ms\"\nknob rotate ${x}\n"
        #expect(
            Self.read(text) == [
                "t.rig:2:13: '1 every 80ms' is no whole number; the number of detents is expected here (${x} is 1 every 80ms)"
            ])
    }

    @Test func parametersHaveStandardsThatCanBeReplaced() throws {
        let text = "param delay = 80ms\nparam name\nplug iphone as ${name} slow ${delay}\n"
        #expect(Self.read(text, options: Self.values("name=p")) == ["plug iphone as p slow 80ms"])
        #expect(Self.read(text, options: Self.values("delay=1s", "name=q")) == ["plug iphone as q slow 1s"])
        #expect(Self.read(text) == ["t.rig:2:1: 'name' has no value; say which: --set name=VALUE"])
        #expect(
            Self.read(text, options: Self.values("nam=p", "name=p"))
                == ["t.rig:1:1: there is no parameter 'nam'; there is delay, name; did you mean 'name'?"])
        let parameters = try Scenario(parsing: text, file: "t.rig", options: Self.values("name=p")).parameters
        #expect(parameters.map(\.name) == ["delay", "name"] && parameters.map(\.value) == ["80ms", "p"])
        #expect(parameters.map(\.standard) == ["80ms", nil])
    }

    @Test(arguments: [
        ("let = 1", "1:5: '=' is no name; a name is a letter, then letters, digits, '-' or '_', at most 32"),
        ("let 1a = 1", "1:5: '1a' is no name; a name is a letter, then letters, digits, '-' or '_', at most 32"),
        ("let a 1", "1:7: '=' is expected between the name and its value"),
        ("let a =", "1:8: the value is missing"),
        ("let a", "1:6: '=' and the value is missing"),
        ("let a = 1 2", "1:11: '2' has no meaning here; the step is complete"),
        ("let a = 1\nlet a = 2", "2:5: 'a' has its value from line 1; take another name"),
        ("let a = 1\nfor a in 1 2 {\nmark x\n}", "2:5: 'a' has its value from line 1; take another name"),
        (
            "repeat 2 {\nlet a = 1\nmark x\n}\nmark ${a}",
            "5:6: there is no 'a' here; 'let' or 'param' gives a name its value"
        ),
        (
            "let delay = 1\nmark ${dely}",
            "2:6: there is no 'dely' here; 'let' or 'param' gives a name its value; did you mean 'delay'?"
        ),
        ("mark ${a", "1:6: the brace that closes '${a' is missing"),
        ("mark $a", "1:6: '$' stands before a name in braces: ${NAME}; in double quotes, \\$ is the sign"),
        ("let a = mark\n${a} x", "2:1: a step begins with a word of its own, not with a value (${a} is mark)"),
        ("repeat 2 {\nparam a = 1\nmark x\n}", "2:1: 'param' cannot stand in a block"),
        ("let a = random 5 to 4", "1:21: this is less than the first value"),
        ("let a = random 5 to 9s", "1:21: one of the two is a duration, and the other is none"),
        ("let a = random of", "1:18: what it is chosen from is missing"),
        ("seed x", "1:6: 'x' is no whole number from 0 on"),
        ("seed 1\nseed 2", "2:1: the seed stands in line 1 already"),
        ("let a = random 1 to 2\nseed 2", "2:1: choices were made before this; write the seed above them"),
        ("table", "1:6: the name is missing"),
        ("row 1", "1:1: a row belongs to the table above it: 'table NAME …'"),
        ("table a b\nrow 1", "2:1: the table has 2 columns (a, b), and this row 1"),
        ("mark x\ntable a", "2:1: a table is one run for each row; write it before the first step"),
        ("table a\nmark x", "1:1: the table in line 1 has no rows: 'row VALUE …'"),
    ])
    func whatIsWrongIsToldWithItsPlace(_ text: String, _ problem: String) {
        #expect(Self.read(text).first == "t.rig:\(problem)")
    }

    @Test func valuesOfManyLinesStayWithinTheirLimit() {
        var text = "let a0 = \"\(String(repeating: "x", count: 1_000))\"\n"
        for number in 1...4 { text += "let a\(number) = ${a\(number - 1)}${a\(number - 1)}\n" }
        #expect(Self.read(text + "mark x\n").first?.contains("a value has at most 1024 bytes") == true)
    }

    // Seeds.

    @Test func theSameSeedChoosesTheSame() throws {
        let text = """
            let a = random 10ms to 90ms
            let b = random of red green blue
            let c = random 1 to 1000000
            let d = random 1s to 3s by 500ms
            repeat 3 {
                let e = random 1 to 6
                mark ${e}
            }
            mark ${a} ${b} ${c} ${d}
            """
        let first = Self.read(text, options: ScenarioOptions(seed: 7))
        #expect(first == ["mark 5", "mark 4", "mark 5", "mark 85ms red 609347 2.5s"])
        #expect(Self.read("seed 7\n\(text)") == first)
        #expect(Self.read("seed 8\n\(text)", options: ScenarioOptions(seed: 7)) == first)
        #expect(Self.read(text) != first)
        #expect(try Scenario(parsing: text, file: "t.rig").seed == Scenario.standardSeed)
        #expect(try Scenario(parsing: "mark x", file: "t.rig").seed == nil)
    }

    @Test func everyValueOfARangeComesAndNoOther() {
        var random = ScenarioRandom(seed: 1)
        var counts = [Int](repeating: 0, count: 5)
        for _ in 0..<5_000 { counts[Int(random.next(below: 5))] += 1 }
        #expect(counts.allSatisfy { (900...1_100).contains($0) })
    }

    // Tables.

    @Test func aTableIsOneRunForEachRow() throws {
        let text = "table n d\nrow 1 80ms\nrow 2 \"20ms\"  # two\nknob rotate ${n} every ${d}\n"
        let scenario = try Scenario(parsing: text, file: "t.rig")
        #expect(scenario.rows.map(\.title) == ["n=1 d=80ms", "n=2 d=20ms"] && scenario.row == nil)
        #expect(scenario.rows[1].name(of: "demo") == "demo [2: n=2 d=20ms]")
        #expect(scenario.steps.map(\.text) == ["knob rotate 1 every 80ms"])
        #expect(Self.read(text, options: ScenarioOptions(row: 2)) == ["knob rotate 2 every 20ms"])
        #expect(Self.read(text, options: ScenarioOptions(row: 3)) == ["t.rig:1:1: the table has 2 rows, and no row 3"])
        #expect(Self.read("mark x", options: ScenarioOptions(row: 1)) == ["t.rig:1:1: there is no table"])
        #expect(
            Self.read(text, options: Self.values("n=1"))
                == ["t.rig:1:1: 'n' is a column of the table in line 1, and no parameter"])
    }

    @Test func everyRowIsChecked() {
        #expect(
            Self.read("table n\nrow 1\nrow 80ms\nknob rotate ${n}\n") == [
                "t.rig:4:13: '80ms' is no whole number; the number of detents is expected here (${n} is 80ms)"
            ])
    }

    // Files.

    static let files = ScenarioOptions(includes: [
        IncludedFile(name: "lib/plug.rig", text: "include \"more/names.rig\"\nplug iphone as ${phone}\n"),
        IncludedFile(name: "lib/more/names.rig", text: "let phone = p\n"),
        IncludedFile(name: "lib/wrong.rig", text: "mark a\nplg iphone\n"),
        IncludedFile(name: "lib/deep.rig", text: "include wrong.rig\n"),
        IncludedFile(name: "circle.rig", text: "mark x\ninclude lib/round.rig\n"),
        IncludedFile(name: "lib/round.rig", text: "include ../circle.rig\n"),
        IncludedFile(name: "back.rig", text: "include t.rig\n"),
    ])

    @Test func anIncludedFileStandsInPlaceOfItsLine() throws {
        let text = "mark a\ninclude lib/plug.rig\nunplug ${phone}\n"
        let scenario = try Scenario(parsing: text, file: "s/t.rig", options: Self.files)
        #expect(scenario.steps.map(\.text) == ["mark a", "plug iphone as p", "unplug p"])
        #expect(scenario.steps[1].place == SourcePlace(file: "s/lib/plug.rig", line: 2, column: 1))
        #expect(scenario.steps.map(\.ownLine) == [1, 2, 3])
    }

    @Test func aProblemTellsTheFileAndWhoIncludesIt() throws {
        let error = #expect(throws: ScenarioProblems.self) {
            try Scenario(parsing: "\ninclude lib/deep.rig\nmrk x\n", file: "s/t.rig", options: Self.files)
        }
        #expect(
            error?.rendered == """
                s/lib/wrong.rig:2:1: there is no step 'plg'; did you mean 'plug'?
                 2 | plg iphone
                   | ^~~
                   | included by s/lib/deep.rig:1
                   | included by s/t.rig:2

                s/t.rig:3:1: there is no step 'mrk'; did you mean 'mark'?
                 3 | mrk x
                   | ^~~
                """)
    }

    @Test func circlesAndDepthsAreRefused() {
        #expect(
            Self.read("include circle.rig\n", options: Self.files) == [
                "lib/round.rig:1:9: this goes in a circle: circle.rig includes lib/round.rig includes circle.rig"
            ])
        #expect(
            Self.read("include back.rig\n", file: "s/t.rig", options: Self.files) == [
                "s/back.rig:1:9: this goes in a circle: t.rig includes back.rig includes t.rig"
            ])
        let chain = (1...12).map { IncludedFile(name: "\($0).rig", text: "include \($0 + 1).rig\n") }
        #expect(
            Self.read("include 1.rig\n", options: ScenarioOptions(includes: chain)) == [
                "8.rig:1:9: files include one another at most 8 deep"
            ])
        let many = (0...64).map { IncludedFile(name: "\($0).rig", text: "mark x") }
        #expect(
            Self.read("include 0.rig\n", options: ScenarioOptions(includes: many)) == [
                "t.rig:1:9: a scenario includes at most 64 files"
            ])
        let large = [IncludedFile(name: "a", text: String(repeating: "#\n", count: 1 << 19) + "#")]
        #expect(
            Self.read("include a\n", options: ScenarioOptions(includes: large)) == [
                "t.rig:1:9: the included files have together more than 1048576 bytes"
            ])
    }

    @Test func missingFilesAreFoundStepByStep() {
        let text = "let f = lib/plug\ninclude ${f}.rig\nvehicle track a.csv\n"
        func missing(_ files: [IncludedFile]) -> [String] {
            Scenario.missingFiles(parsing: Array(text.utf8), file: "s/t.rig", options: ScenarioOptions(includes: files))
                .map { "\($0.kind) \($0.name) \($0.place.text)" }
        }
        #expect(missing([]) == ["include lib/plug.rig s/t.rig:2:1", "track a.csv s/t.rig:3:15"])
        let plug = IncludedFile(name: "lib/plug.rig", text: "vehicle track ../b.csv\ninclude x.rig\n")
        #expect(
            missing([plug]) == [
                "track b.csv s/lib/plug.rig:1:15", "include lib/x.rig s/lib/plug.rig:2:1", "track a.csv s/t.rig:3:15",
            ])
    }

    @Test(arguments: [
        ("", "a.rig", "a.rig"), ("lib/", "../a.rig", "a.rig"), ("", "../a.rig", "../a.rig"),
        ("../x/", "../../a", "../../a"), ("a/", "/b/../../c", "/c"), ("a//b/", "./c", "a/b/c"),
    ])
    func pathsAreJoinedAsText(_ folder: String, _ name: String, _ path: String) {
        #expect(ScenarioPath.joined(folder, name) == path)
    }
}
