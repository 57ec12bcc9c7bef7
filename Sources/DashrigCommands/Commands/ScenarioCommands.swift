internal import DashrigClient
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// What can be done with a scenario without a rig.
enum ScenarioCommands {
    static let syntax = CommandSyntax(
        "scenario", .script, "check, format or explain a scenario",
        discussion: ["No rig is needed: the files are only read. docs/scenarios.md has the language."],
        subcommands: [check, format, explain])

    private static let files = OperandSyntax("FILE", .file, "the scenarios, or - for standard input", count: .oneOrMore)

    static let check = CommandSyntax(
        "check", .script, "look for mistakes in scenarios",
        discussion: [
            "Every mistake of every file is shown with its line; then the exit code is 2. The files that they include and "
                + "the tracks that they play are read, too, and each row of a table is checked.",
            "With --json: one object for each file, with its problems.",
        ],
        operands: [files], options: ScenarioSource.optionSyntax,
        examples: [
            Example("dashrig scenario check demo.rig", "Check one."),
            Example("dashrig scenario check scenarios/*.rig --json", "Check several for a program."),
        ],
        action: { call throws(CommandLineFailure) in
            var wrong: [String] = []
            for path in call.arguments.texts("FILE") {
                let (file, result) = try read(path, call)
                switch result {
                case .success(let scenario):
                    try RunPrograms.check(scenario)
                    let runs = scenario.rows.isEmpty ? "" : " in each of \(scenario.rows.count) runs"
                    tell(["problems": []], file, "\(counted(scenario.steps.count, "step"))\(runs), nothing wrong", call)
                case .failure(let error):
                    wrong += error.problems.map(\.rendered)
                    if call.output.isJSON {
                        tell(["problems": .array(error.problems.map { JSON($0.record) })], file, "", call)
                    }
                }
            }
            guard wrong.isEmpty else { throw .scenarioWrong(wrong) }
            return .done
        })

    static let format = CommandSyntax(
        "format", .script, "put scenarios into their usual form",
        discussion: [
            "One space between words, four for each open block, tables in columns, comments of neighbouring lines below one "
                + "another. Words and comments stay as they are, and so does what the scenario does. Files are written "
                + "anew in their place; standard input goes to standard output. A file whose lines cannot be read stays "
                + "as it is, and the exit code is 2.",
            "With --check nothing is written, and the exit code is 1 when a file is not in that form.",
        ],
        operands: [files],
        options: [
            OptionSyntax(flag: "--check", "only tell which files are not in that form"),
            OptionSyntax(flag: "--print", "show the text and leave the files as they are"),
        ],
        examples: [
            Example("dashrig scenario format demo.rig", "Format a file in its place."),
            Example("dashrig scenario format --check scenarios/*.rig", "See in CI that all are formatted."),
        ],
        action: { call throws(CommandLineFailure) in
            var isOther = false
            for path in call.arguments.texts("FILE") {
                let (file, bytes) = try ScenarioSource.read(path)
                let text: String
                do throws(ScenarioProblems) {
                    text = try Scenario.formatted(bytes, file: file)
                } catch {
                    throw .scenarioWrong(error.problems.map(\.rendered))
                }
                let isSame = Array(text.utf8) == bytes
                if call.arguments.flag("--check") {
                    isOther = isOther || !isSame
                    let told = isSame ? "formatted" : "not formatted; 'dashrig scenario format' does it"
                    tell(["formatted": .bool(isSame)], file, told, call)
                } else if path == "-" || call.arguments.flag("--print") {
                    // It holds nothing that a terminal acts on, or there would have been a problem.
                    if !call.output.isJSON { call.output.text(text) }
                    tell(["scenario": .string(text)], file, nil, call)
                } else {
                    if !isSame { try ReportFile.write(path, text) }
                    tell(["changed": .bool(!isSame)], file, isSame ? "formatted already" : "formatted", call)
                }
            }
            return isOther ? .failed : .done
        })

    static let explain = CommandSyntax(
        "explain", .script, "tell in words what each line of a scenario does, and when",
        discussion: [
            "Lines of a loop are told once, with how often they run. Times are those of the plan: from the start, or from "
                + "the event that the line before waits for.",
            "With --json: one object for each line: file, line, step, count, when and what.",
        ],
        operands: [OperandSyntax("FILE", .file, "the scenario, or - for standard input")],
        options: ScenarioSource.optionSyntax,
        examples: [
            Example("dashrig scenario explain demo.rig", "Explain a scenario."),
            Example("dashrig scenario explain demo.rig --set delay=80ms", "The same with a value for a parameter."),
        ],
        action: { call throws(CommandLineFailure) in
            switch try read(call.arguments.required("FILE"), call).result {
            case .success(let scenario):
                if call.output.isJSON {
                    for explanation in scenario.explanations { call.output.json(JSON(explanation.record)) }
                } else {
                    call.output.line(scenario.explanation)
                }
            case .failure(let error): throw .scenarioWrong(error.problems.map(\.rendered))
            }
            return .done
        })

    /// The scenario of a file, with what it includes and plays; or what is wrong with it.
    private static func read(
        _ path: String, _ call: Invocation
    ) throws(CommandLineFailure) -> (file: String, result: Result<Scenario, ScenarioProblems>) {
        let (file, bytes) = try ScenarioSource.read(path)
        let files = ScenarioSource.files(of: bytes, path, try ScenarioSource.options(call.arguments))
        do throws(ScenarioProblems) {
            let scenario = try Scenario(
                parsing: bytes, file: file, tracks: files.tracks, absent: files.absent, options: files.options)
            return (file, .success(scenario))
        } catch {
            return (file, .failure(error))
        }
    }

    /// One line, or one object, about a file.
    private static func tell(_ more: JSONObject, _ file: String, _ text: String?, _ call: Invocation) {
        if call.output.isJSON {
            var object = more
            object["file"] = .string(file)
            call.output.json(.object(object))
        } else if let text, !text.isEmpty {
            call.output.line(PrintableText.escaped("\(file): \(text)"))
        }
    }
}
