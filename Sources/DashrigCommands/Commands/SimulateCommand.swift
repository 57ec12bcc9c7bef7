internal import DashrigClient
internal import ConfigurationFiles
internal import Glibc
internal import LinuxIO
internal import RigConfiguration
internal import RigCore
internal import RigModel
internal import RigSimulation
internal import ScenarioCore
internal import VarlinkProtocol

enum SimulateCommand {
    static let syntax = CommandSyntax(
        "simulate", .script, "run a scenario many times without a rig and without waiting",
        discussion: [
            "The scenario runs inside this program, in a rig of its own on a clock of its own: nothing is waited for, and "
                + "no daemon is needed. Each run has a seed, which decides what a real rig leaves to chance: the bytes of "
                + "the handshake, what a fault corrupts, the scenario's own random choices, and by how much each step and "
                + "timeout is late (--late). The same seed gives the same run. Each row of a table has runs of its own.",
            "It stops at the first seed whose run does not pass, and shows what led to it: the last steps and events, "
                + "and the verdict. 'dashrig simulate FILE --seed S --runs 1 --full' shows the whole of it.",
            "There is no hardware: a scenario that waits for a real device or for a person fails here.",
            "Exit codes: those of 'dashrig run', of the first run that did not pass.",
            "With --json: {\"entry\": ...} a line for the timeline of the run that did not pass (with --full: of the only "
                + "run), then one object with simulation and verdict.",
        ],
        operands: [OperandSyntax("FILE", .file, "the scenario (*.rig), the script (*.dhu), or - for standard input")],
        options: [
            OptionSyntax("--runs", "N", .integer(1...maximumRuns), "how many seeds are tried; else 100"),
            OptionSyntax("--seed", "S", .integer(0...Int(Int32.max)), "the first of them; else 1"),
            OptionSyntax(
                "--late", "TIME", .duration(0...1_000_000_000), "the most that the rig is late: 5ms; else 2ms"),
            OptionSyntax("--config", "FILE", .file, "the configuration of the rig; else that of this machine's daemon"),
            OptionSyntax("--name", "NAME", .text(limit: 128), "what verdict and JUnit call it; else the file's name"),
            OptionSyntax(flag: "--dhu", "the file is a script for the desktop head unit, whatever its name"),
            OptionSyntax(flag: "--full", "show every line of the timeline; of a run that passes too if it is the only"),
        ] + RunReport.options + ScenarioSource.optionSyntax.filter { $0.name != "--seed" },
        examples: [
            Example("dashrig simulate demo.rig", "Try a scenario with a hundred seeds."),
            Example("dashrig simulate demo.rig --runs 10000 --late 20ms", "The same on a machine that is very busy."),
            Example("dashrig simulate demo.rig --seed 4711 --runs 1 --full", "See all of one run."),
        ],
        action: run)

    /// The most runs of one call: ours.
    private static let maximumRuns = 10_000_000

    /// What was tried so far.
    private struct Count {
        var runs = 0
        /// Nanoseconds of the rigs' clocks.
        var virtual: UInt64 = 0
        let began = SystemClock.monotonicNow()

        var real: UInt64 { SystemClock.monotonicNow() - began }

        /// How many times faster than real time.
        var speed: Double { Double(virtual) / Double(max(real, 1)) }
    }

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let path = arguments.required("FILE")
        let (file, bytes) = try ScenarioSource.read(path)
        let name = arguments.text("--name") ?? ScenarioSource.name(file)
        var report = RunReport(arguments)
        let isScript = arguments.flag("--dhu") || ScenarioSource.isScript(path)
        let options = try ScenarioSource.options(arguments)
        let files = isScript ? ScenarioSource.Files() : ScenarioSource.files(of: bytes, path, options)
        let source: ScenarioSource
        do {
            source = try ScenarioSource(bytes, file: file, isScript: isScript, files: files)
        } catch {
            report.add(Verdict(name: name, file: file, problems: error), [])
            try report.write(scenario: nil)
            throw .scenarioWrong(error.problems.map(\.rendered))
        }
        // What was parsed is UTF-8, or there would have been a problem.
        let text = String(decoding: source.bytes, as: UTF8.self)
        let settings = try settings(arguments.text("--config"))
        var code = ExitCode.done
        for row in source.rows where code == .done {
            var options = source.options
            options.row = row?.number
            if let row, !call.output.isJSON {
                call.output.line(PrintableText.escaped("row \(row.number): \(row.title)"))
            }
            let simulation = ScenarioSimulation(
                text, file: source.file, tracks: source.tracks, options: options, settings: settings,
                lateness: arguments.duration("--late") ?? ScenarioSimulation.usualLateness)
            code = try simulate(simulation, name: row?.name(of: name) ?? name, &report, call)
        }
        try report.write(scenario: text)
        return code
    }

    /// Runs one scenario with every seed, or to the first that does not pass.
    private static func simulate(
        _ simulation: ScenarioSimulation, name: String, _ report: inout RunReport, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let runs = arguments.number("--runs") ?? 100
        let first = UInt64(arguments.number("--seed") ?? 1)
        let watchesAll = runs == 1 && arguments.flag("--full")
        var count = Count()
        var shown = count.began
        var run = simulation.run(seed: first, isWatched: watchesAll || report.folder != nil)
        var seed = first
        while true {
            count.runs += 1
            count.virtual &+= run.time
            guard run.verdict.outcome == .passed, count.runs < runs else { break }
            if Interruption.isAsked(call.access.interrupt) { throw .interrupted }
            let now = SystemClock.monotonicNow()
            if now - shown > 500_000_000 {
                shown = now
                call.output.progress(
                    "\(count.runs) of \(runs) runs passed, \(speed(count.speed)) (Ctrl-C stops)")
            }
            seed += 1
            run = simulation.run(seed: seed)
        }
        // The run is the same again, and now somebody looks: to keep every timeline would cost more than the runs.
        if run.verdict.outcome != .passed, run.timeline.isEmpty {
            run = simulation.run(seed: seed, isWatched: true)
        }
        let verdict = tell(run, seed: seed, first: first, of: runs, count, name: name, call)
        report.add(verdict, run.timeline, row: simulation.options.row)
        return ExitCode(rawValue: verdict.exitCode) ?? .rig
    }

    private static func tell(
        _ run: ScenarioSimulation.Run, seed: UInt64, first: UInt64, of runs: Int, _ count: Count, name: String,
        _ call: Invocation
    ) -> Verdict {
        let output = call.output
        let given = run.verdict
        let verdict = Verdict(
            name: name, file: given.file, outcome: given.outcome, duration: given.duration, counts: given.counts,
            failures: given.failures)
        let hasPassed = verdict.outcome == .passed
        let isFull = call.arguments.flag("--full")
        output.clearProgress()
        if output.isJSON {
            if !hasPassed || isFull {
                for entry in run.timeline { output.json(.object(["entry": JSON(entry.record)])) }
            }
            var numbers: JSONObject = [
                "runs": .int(Int64(count.runs)), "passed": .int(Int64(hasPassed ? count.runs : count.runs - 1)),
                "firstSeed": .int(Int64(first)), "virtualNanoseconds": .int(Int64(clamping: count.virtual)),
                "realNanoseconds": .int(Int64(clamping: count.real)), "speed": .double(count.speed),
            ]
            if !hasPassed { numbers["failingSeed"] = .int(Int64(seed)) }
            output.json(.object(["simulation": .object(numbers), "verdict": JSON(verdict.record)]))
        } else {
            var style = RunTimeline.style(output)
            style.full = isFull
            if isFull, !run.timeline.isEmpty {
                output.line(TimelineText.render(run.timeline, style: style))
                output.line()
            } else if !hasPassed {
                output.line(ShortTimeline.render(run.timeline, style: style))
                output.line()
            }
            output.line(TimelineText.render(verdict, style: style))
            let passed = hasPassed ? "\(count.runs) of \(runs) runs passed" : "seed \(seed) did not pass; "
            let before = count.runs - 1
            output.line(
                passed + (hasPassed ? "" : before == 0 ? "it was the first" : "\(before) before it passed")
                    + ", \(DurationText.seconds(count.virtual)) s in \(DurationText.short(count.real)): "
                    + speed(count.speed))
        }
        return verdict
    }

    private static func speed(_ speed: Double) -> String { "\(Int(speed.rounded())) times real time" }

    /// The rig that the daemon of this machine would be.
    private static func settings(_ path: String?) throws(CommandLineFailure) -> CoreSettings {
        do throws(ConfigurationProblems) {
            return CoreSettings(try ConfigurationLoading(path: path).load(), version: ToolVersion.text)
        } catch {
            throw .file(error.lines.joined(separator: "\n"))
        }
    }
}

/// Whether somebody wants the program to end, for what does not wait.
enum Interruption {
    static func isAsked(_ descriptor: Int32?) -> Bool {
        guard let descriptor else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
