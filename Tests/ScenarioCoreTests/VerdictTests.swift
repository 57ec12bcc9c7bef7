import RigModel
import ScenarioCore
import Testing

@Suite struct VerdictTests {
    @Test(arguments: [
        (Outcome.passed, Int32(0)), (.failed, 1), (.scriptWrong, 2), (.rigFailed, 3), (.interrupted, 4),
    ])
    func anOutcomeHasItsExitCode(_ outcome: Outcome, _ code: Int32) {
        let verdict = Verdict(
            name: "n", file: "f", outcome: outcome, duration: 0, counts: RunCounts(), failures: [])
        #expect(verdict.exitCode == code)
        #expect(verdict.record.value(at: "exitCode") == .int(Int64(code)))
    }

    @Test func aVerdictComesBackFromItsRecord() throws {
        for text in [
            "mark a", "plug iphone as p\nexpect session active where generation = 9 within 200ms", "plug nothing",
            "plug iphone as p\nexpect session active\nexpect session active never within 1ms",
        ] {
            let run = try VirtualRun(text)
            #expect(try Verdict(record: run.verdict.record) == run.verdict)
            for entry in run.timeline { #expect(try TimelineEntry(record: entry.record) == entry) }
        }
    }

    @Test func aVerdictOnAWrongTextTellsEveryProblem() throws {
        let problems = #expect(throws: ScenarioProblems.self) { try Scenario(parsing: "plg\nknob", file: "t.rig") }
        let verdict = Verdict(name: "n", file: "t.rig", problems: try #require(problems))
        #expect(verdict.outcome == .scriptWrong)
        #expect(
            verdict.failures.map(\.text) == [
                "there is no step 'plg'; did you mean 'plug'?", "'rotate', 'press' or 'nudge' is missing",
            ])
        #expect(verdict.failures.map(\.place?.line) == [1, 2])
        #expect(try Verdict(record: verdict.record) == verdict)
        #expect(TimelineText.summary(verdict) == "SCRIPT WRONG  n: 2 problems; nothing was run")
    }

    @Test func fieldsOfALaterVersionArePassedOver() throws {
        let verdict = try VirtualRun("mark a").verdict
        guard case .object(let fields) = verdict.record else { throw WrongShape() }
        let later = RecordValue.object(fields.reversed() + [RecordField("artifacts", .array([.int(1)]))])
        #expect(try Verdict(record: later) == verdict)
    }

    @Test(arguments: ["name", "file", "outcome", "duration", "counts"])
    func aRecordThatLacksAFieldIsRefusedByName(_ field: String) throws {
        guard case .object(let fields) = try VirtualRun("mark a").verdict.record else { throw WrongShape() }
        let error = #expect(throws: RecordProblem.self) {
            try Verdict(record: .object(fields.filter { $0.name != field }))
        }
        #expect(error?.field == field)
        let wrong = #expect(throws: RecordProblem.self) {
            try Verdict(record: .object(fields.map { $0.name == field ? RecordField(field, .bool(true)) : $0 }))
        }
        #expect(wrong?.field == field || field == "counts")
    }

    @Test(arguments: [
        RecordValue.null, .int(3), .record([]), .record([RecordField("time", .int(-1))]),
        .record([RecordField("time", .double(1.5))]), .record([RecordField("time", .double(.infinity))]),
        .record([RecordField("time", .int(1)), RecordField("kind", .string("other"))]),
        .record([
            RecordField("time", .int(1)), RecordField("kind", .string("note")), RecordField("text", .string("t")),
            RecordField("line", .string("one")),
        ]),
    ])
    func whatIsNoEntryIsRefused(_ record: RecordValue) {
        #expect(throws: RecordProblem.self) { try TimelineEntry(record: record) }
    }

    @Test func aNumberThatJSONMadeADoubleIsReadAsWhole() throws {
        let record = RecordValue.record([
            RecordField("time", .double(5e9)), RecordField("kind", .string("note")), RecordField("text", .string("t")),
        ])
        #expect(try TimelineEntry(record: record).time == 5_000_000_000)
    }
}
