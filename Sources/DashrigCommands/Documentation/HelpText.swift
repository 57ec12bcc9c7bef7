internal import VarlinkProtocol

/// Help as a person reads it in a terminal.
enum HelpText {
    private static let indent = 2

    /// The whole tool on one screen.
    static func overview(width: Int) -> [String] {
        var lines = TextWrap.lines(
            "dashrig: plug in, or pretend to plug in, a phone; turn a knob; and see what your app is told", width: width
        )
        lines += ["", "Usage: dashrig COMMAND [arguments] [options]"]
        let nameWidth = CommandTable.commands.map { $0.name.count }.max() ?? 0
        for group in CommandGroup.allCases {
            lines += ["", "\(group.rawValue):"]
            for command in CommandTable.commands where command.group == group {
                lines += row(command.name, command.summary, nameWidth: nameWidth, width: width)
            }
        }
        lines += ["", "For every command:"]
        lines += optionRows(CommandTable.globalOptions, width: width)
        lines += ["", "To begin:"]
        for example in overviewExamples { lines += exampleLines(example, width: width) }
        lines += [""]
        lines += TextWrap.lines(
            "'dashrig help COMMAND' explains a command. Exit codes: 0 done, 1 it did not come out as wanted, 2 the command "
                + "line or the scenario is wrong, 3 the rig is not there or failed, 4 interrupted.", width: width)
        return lines
    }

    static let overviewExamples = [
        Example("dashrig plug iphone", "Plug in a virtual iPhone and wait for its session."),
        Example("dashrig knob rotate 3", "Turn the knob by three detents, clockwise."),
        Example("dashrig run demo.rig --junit report.xml", "Run a scenario and get its verdict."),
    ]

    /// One command, or one group of commands.
    static func command(_ entry: CommandTable.Entry, width: Int) -> [String] {
        let command = entry.command
        let name = entry.path.joined(separator: " ")
        var lines = TextWrap.lines("dashrig \(name): \(command.summary)", width: width)
        lines += [""]
        lines += TextWrap.lines("Usage: \(usage(entry))", width: width, hanging: 7)
        for paragraph in command.discussion {
            lines += [""] + TextWrap.lines(paragraph, width: width)
        }
        if !command.subcommands.isEmpty {
            lines += ["", "Commands:"]
            let nameWidth = command.subcommands.map { $0.name.count }.max() ?? 0
            for subcommand in command.subcommands {
                lines += row(subcommand.name, subcommand.summary, nameWidth: nameWidth, width: width)
            }
        }
        if !command.operands.isEmpty {
            lines += ["", "Operands:"]
            let nameWidth = command.operands.map { $0.name.count }.max() ?? 0
            for operand in command.operands {
                lines += row(operand.name, operand.summary, nameWidth: nameWidth, width: width)
            }
        }
        if !command.options.isEmpty {
            lines += ["", "Options:"] + optionRows(command.options, width: width)
        }
        lines += ["", "For every command:"] + optionRows(CommandTable.globalOptions, width: width)
        let examples = command.examples.isEmpty ? command.subcommands.compactMap(\.examples.first) : command.examples
        if !examples.isEmpty {
            lines += ["", "Examples:"]
            for example in examples { lines += exampleLines(example, width: width) }
        }
        return lines
    }

    /// `dashrig plug PROFILE [options]`.
    static func usage(_ entry: CommandTable.Entry) -> String {
        let command = entry.command
        let name = "dashrig " + entry.path.joined(separator: " ")
        if !command.subcommands.isEmpty {
            return "\(name) \(command.subcommands.map(\.name).joined(separator: "|")) ..."
        }
        return ([name] + command.operands.map(\.usage) + (command.options.isEmpty ? [] : ["[options]"]))
            .joined(separator: " ")
    }

    private static func optionRows(_ options: [OptionSyntax], width: Int) -> [String] {
        let names = options.map { option in option.short.map { "\($0), \(option.usage)" } ?? option.usage }
        let nameWidth = min(names.map(\.count).max() ?? 0, 28)
        return zip(names, options).flatMap { row($0, $1.summary, nameWidth: nameWidth, width: width) }
    }

    /// A name, and what it means beside it; below it when the name is too long.
    private static func row(_ name: String, _ text: String, nameWidth: Int, width: Int) -> [String] {
        let column = indent + nameWidth + 2
        let pad = String(repeating: " ", count: indent)
        // On a narrow terminal a column beside the names would be too thin to read.
        if width - column < thinnestColumn {
            return [pad + name]
                + TextWrap.lines(text, width: width - 6).map { String(repeating: " ", count: 6) + $0 }
        }
        let lines = TextWrap.lines(text, width: width - column)
        let rest = lines.map { String(repeating: " ", count: column) + $0 }
        if name.count > nameWidth { return [pad + name] + rest }
        let first = pad + PrintableText.padded(name, to: nameWidth) + "  " + (lines.first ?? "")
        return [first] + rest.dropFirst()
    }

    private static let thinnestColumn = 30

    private static func exampleLines(_ example: Example, width: Int) -> [String] {
        ["  \(example.line)"]
            + TextWrap.lines(example.text, width: width - 6).map { "      \($0)" }
    }

    // MARK: For machines

    static func overviewJSON() -> JSON {
        .object([
            "commands": .array(
                CommandTable.entries.map { entry in
                    .object([
                        "command": .string(entry.path.joined(separator: " ")),
                        "group": .string(entry.command.group.rawValue),
                        "summary": .string(entry.command.summary),
                    ])
                }),
            "options": .array(CommandTable.globalOptions.map(option)),
            "exitCodes": .array(
                ExitCode.allCases.map {
                    .object(["code": .int(Int64($0.rawValue)), "meaning": .string($0.meaning)])
                }),
        ])
    }

    static func json(_ entry: CommandTable.Entry) -> JSON {
        let command = entry.command
        return .object([
            "command": .string(entry.path.joined(separator: " ")), "usage": .string(usage(entry)),
            "summary": .string(command.summary), "discussion": .array(command.discussion.map(JSON.string)),
            "subcommands": .array(command.subcommands.map { .string($0.name) }),
            "operands": .array(
                command.operands.map {
                    .object(["name": .string($0.name), "summary": .string($0.summary)])
                }),
            "options": .array(command.options.map(option)),
            "examples": .array(
                command.examples.map {
                    .object(["line": .string($0.line), "text": .string($0.text)])
                }),
        ])
    }

    private static func option(_ option: OptionSyntax) -> JSON {
        var object: JSONObject = ["name": .string(option.name)]
        object["value"] = option.valueName.map(JSON.string)
        object["summary"] = .string(option.summary)
        return .object(object)
    }
}
