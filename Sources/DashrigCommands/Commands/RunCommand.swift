internal import DashrigClient
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

enum RunCommand {
    static let syntax = CommandSyntax(
        "run", .script, "run a scenario and give its verdict",
        discussion: [
            "The file is checked first; then the rig runs it, so that its timing does not depend on this program. The "
                + "timeline is shown as it comes, and the verdict at the end, with what was expected and what came "
                + "before each failure. Ctrl-C stops the scenario and puts away what it plugged in.",
            "A run holds the devices, displays and input that its steps name until it ends. When another run holds one of "
                + "them it is refused, which says whose it is, or waits (--wait).",
            "Exit codes: 0 passed, 1 an expectation failed, 2 the file is wrong, 3 the rig failed, 4 interrupted.",
            "A script for the console of Android Auto's desktop head unit (*.dhu, or any file with --dhu) is put in our "
                + "words first; docs/dhu.md lists them. It needs no phone of its own: what it does goes to the session "
                + "in front. With --print the scenario is shown and not run, to be kept instead of the script.",
            "Files that it includes and tracks that it plays are read from its folder. A scenario with a table is run once "
                + "for each row; each run has its own verdict and test case, and the highest exit code counts.",
            "With --json: one object a line, {\"entry\": ...} for the timeline and {\"verdict\": ...} at the end.",
        ],
        operands: [OperandSyntax("FILE", .file, "the scenario (*.rig), the script (*.dhu), or - for standard input")],
        options: [
            OptionSyntax("--name", "NAME", .text(limit: 128), "what verdict and JUnit call it; else the file's name"),
            OptionSyntax(flag: "--dhu", "the file is a script for the desktop head unit, whatever its name"),
            OptionSyntax(flag: "--print", "only show the scenario that would run; no rig is needed"),
            OptionSyntax(flag: "--check", "only check the file; no rig is needed"),
            OptionSyntax(flag: "--full", "show every line of the timeline: moving contacts and input steps too"),
            OptionSyntax(
                "--wait", "TIME", .duration(0...86_400_000_000_000),
                "wait so long for a device, display or input that another run holds"),
        ] + RunReport.options + ScenarioSource.optionSyntax,
        examples: [
            Example("dashrig run demo.rig", "Run a scenario and watch it."),
            Example("dashrig run demo.rig --junit report.xml", "The same in CI, with a report."),
            Example("dashrig run demo.rig --artifacts out", "Keep verdict, report, timeline and scenario in a folder."),
            Example("dashrig run --check demo.rig", "Only look for mistakes."),
            Example("dashrig run demo.rig --set delay=80ms", "Give a parameter of the scenario its value."),
            Example("dashrig run drive.dhu", "Run a script for the desktop head unit."),
            Example("dashrig run --dhu script.txt --print > drive.rig", "Move over: keep its steps as a scenario."),
            Example("echo 'expect session.active within 2s' | dashrig run -", "Run a line from a script."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let path = call.arguments.required("FILE")
        let (file, bytes) = try ScenarioSource.read(path)
        let name = call.arguments.text("--name") ?? ScenarioSource.name(file)
        let isScript = call.arguments.flag("--dhu") || ScenarioSource.isScript(path)
        let options = try ScenarioSource.options(call.arguments)
        let files = isScript ? ScenarioSource.Files() : ScenarioSource.files(of: bytes, path, options)
        let source: ScenarioSource
        do {
            source = try ScenarioSource(bytes, file: file, isScript: isScript, files: files)
        } catch {
            return try refuse(error, file, name, call)
        }
        // What was parsed is UTF-8, or there would have been a problem.
        let text = String(decoding: source.bytes, as: UTF8.self)
        let steps = source.scenario.steps.count
        try RunPrograms.check(source.scenario)
        if call.arguments.flag("--print") {
            // It holds nothing that a terminal acts on, or there would have been a problem.
            if !call.output.isJSON { call.output.text(text) }
            answer(["scenario": .string(text)], file, steps, call)
        } else if call.arguments.flag("--check") {
            if !call.output.isJSON {
                let rows = source.scenario.rows.isEmpty ? "" : " in each of \(source.scenario.rows.count) runs"
                call.output.line(PrintableText.escaped("\(file): \(counted(steps, "step"))\(rows), nothing wrong"))
            }
            answer(["problems": []], file, steps, call)
        } else {
            return try performAll(text, source, name: name, call)
        }
        return .done
    }

    /// Runs the scenario, or each row of its table, one after the other. The report is written whatever comes.
    private static func performAll(
        _ text: String, _ source: ScenarioSource, name: String, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        var report = RunReport(call.arguments)
        var code: Int32 = 0
        for row in source.rows {
            var options = source.options
            options.row = row?.number
            options.runsPrograms = true
            let run = row?.name(of: name) ?? name
            if let row, !call.output.isJSON {
                call.output.line(PrintableText.escaped("row \(row.number): \(row.title)"))
            }
            do {
                code = max(code, try perform(text, source, options, name: run, &report, call))
            } catch {
                try report.write(scenario: text)
                throw error
            }
            if code == Outcome.interrupted.exitCode { break }
        }
        try report.write(scenario: text)
        return ExitCode(rawValue: code) ?? .rig
    }

    /// The object of a call that runs nothing.
    private static func answer(_ more: JSONObject, _ file: String, _ steps: Int, _ call: Invocation) {
        guard call.output.isJSON else { return }
        var object = more
        object["file"] = .string(file)
        object["steps"] = .int(Int64(steps))
        call.output.json(.object(object))
    }

    /// A file that cannot be run: problems with their lines, a verdict for JUnit, and exit code 2.
    private static func refuse(
        _ problems: ScenarioProblems, _ file: String, _ name: String, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        var report = RunReport(call.arguments)
        report.add(Verdict(name: name, file: file, problems: problems), [])
        try report.write(scenario: nil)
        throw .scenarioWrong(problems.problems.map(\.rendered))
    }

    private static func perform(
        _ text: String, _ source: ScenarioSource, _ options: ScenarioOptions, name: String, _ report: inout RunReport,
        _ call: Invocation
    ) throws(CommandLineFailure) -> Int32 {
        let output = call.output
        let file = source.file
        let programs = try self.programs(of: text, source, options, call)
        defer { programs.end() }
        var timeline = RunTimeline(output: output, name: name, isFull: call.arguments.flag("--full"))
        do {
            let stream = try RunStream(
                socketDirectory: call.access.directory, scenario: text, name: file, tracks: source.tracks,
                options: options, wait: call.arguments.duration("--wait") ?? 0, timeout: call.access.callTimeout,
                interrupt: call.access.interrupt)
            while true {
                if !stream.hasNext { output.flush() }
                if let failure = output.failure { throw CommandLineFailure.output(failure) }
                let wait = programs.isBusy ? RunPrograms.interval : 500_000_000
                let step = try stream.next(until: SystemClock.monotonicNow().addingClamped(wait))
                try programs.tend()
                switch step {
                case .entry(let record):
                    timeline.add(record)
                    if let entry = try? TimelineEntry(record: record) { try programs.follow(entry) }
                case .deadline: timeline.waited()
                case .verdict(let record):
                    let verdict = try timeline.verdict(record, file: file)
                    report.add(verdict, timeline.entries, row: options.row)
                    finish(verdict, output)
                    return verdict.exitCode
                }
            }
        } catch let failure as ClientFailure {
            stopped(failure, timeline, name: name, file: file, options.row, &report)
            return try RunRefusal.end(failure, call).rawValue
        } catch let failure as CommandLineFailure {
            throw failure
        } catch {
            preconditionFailure("no other error is thrown")
        }
    }

    /// The programs of a run, with the values that hold in it.
    private static func programs(
        of text: String, _ source: ScenarioSource, _ options: ScenarioOptions, _ call: Invocation
    ) throws(CommandLineFailure) -> RunPrograms {
        let scenario: Scenario
        do throws(ScenarioProblems) {
            scenario = try Scenario(parsing: text, file: source.file, tracks: source.tracks, options: options)
        } catch {
            throw .scenarioWrong(error.problems.map(\.rendered))
        }
        return try RunPrograms(scenario, call)
    }

    private static func finish(_ verdict: Verdict, _ output: Output) {
        output.clearProgress()
        if output.isJSON {
            output.json(.object(["verdict": JSON(verdict.record)]))
        } else {
            output.line()
            output.line(TimelineText.render(verdict, style: RunTimeline.style(output)))
        }
    }

    /// A run that ended without a verdict still leaves a report: CI must not take a missing file for a passed test.
    private static func stopped(
        _ failure: ClientFailure, _ timeline: RunTimeline, name: String, file: String, _ row: Int?,
        _ report: inout RunReport
    ) {
        let outcome: Outcome
        switch failure {
        case .interrupted: outcome = .interrupted
        case .refused(let refusal): outcome = refusal.scenarioProblems == nil ? .rigFailed : .scriptWrong
        case .notRunning, .notPermitted, .wrongPath, .protocolViolation, .timedOut, .closed, .system:
            outcome = .rigFailed
        }
        var counts = RunCounts()
        for entry in timeline.entries {
            switch entry.kind {
            case .step: (counts.steps, counts.done) = (counts.steps + 1, counts.done + 1)
            case .expectation: (counts.expectations, counts.met) = (counts.expectations + 1, counts.met + 1)
            case .event: counts.events += 1
            case .note, .failure: break
            }
        }
        let verdict = Verdict(
            name: name, file: file, outcome: outcome, duration: timeline.entries.last?.time ?? 0, counts: counts,
            failures: [RunFailure(outcome: outcome, place: nil, step: nil, text: failure.text)])
        report.add(verdict, timeline.entries, row: row)
    }
}

/// The timeline of a run as it comes.
struct RunTimeline {
    private let output: Output
    private let name: String
    private let isFull: Bool
    /// What was shown, for the report; the last of it when it is very much.
    private(set) var entries: [TimelineEntry] = []
    private var start = SystemClock.monotonicNow()

    /// So many entries are kept for the report. A scenario has at most some ten thousand steps.
    private static let kept = 100_000

    init(output: Output, name: String, isFull: Bool) {
        self.output = output
        self.name = name
        self.isFull = isFull
    }

    static func style(_ output: Output) -> TextStyle { TextStyle(colours: output.style.isColored) }

    mutating func add(_ record: RecordValue) {
        let entry = try? TimelineEntry(record: record)
        if let entry, entries.count < Self.kept { entries.append(entry) }
        if output.isJSON {
            output.json(.object(["entry": JSON(record)]))
        } else if let entry {
            if !isFull && TimelineText.isRoutine(entry) { return }
            output.line(TimelineText.line(entry, style: Self.style(output)))
        } else {
            // A kind of a newer rig: its text is still worth reading.
            output.line(PrintableText.escaped(record.text("text") ?? "?"))
        }
    }

    /// Tells a person who watches that it goes on.
    func waited() {
        let seconds = (SystemClock.monotonicNow() - start) / 1_000_000_000
        if seconds >= 2 { output.progress("running \(name) (\(seconds) s, Ctrl-C stops)") }
    }

    /// The verdict as the rig gave it, under the name that the user chose: the rig knows the file only.
    func verdict(_ record: RecordValue, file: String) throws(ClientFailure) -> Verdict {
        do {
            let verdict = try Verdict(record: record)
            return Verdict(
                name: name, file: file, outcome: verdict.outcome, duration: verdict.duration, counts: verdict.counts,
                failures: verdict.failures)
        } catch {
            throw .protocolViolation("the verdict cannot be read: \(error.field): \(error.text)")
        }
    }
}
