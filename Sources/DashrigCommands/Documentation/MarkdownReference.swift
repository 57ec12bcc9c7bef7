/// The reference of the command line for docs/.
enum MarkdownReference {
    static func text() -> String {
        var lines = [
            "# The command line", "",
            "<!-- Made from the command table by `swift test`; DASHRIG_WRITE_DOCS=1 writes it anew. -->", "",
            "`dashrig` asks a running rig over its control socket; `dashrig doctor`, `dashrig help`, `dashrig completion` "
                + "and `dashrig run --check` also work without one. This page says the same as `dashrig help COMMAND`. "
                + "What the exit codes mean is in [exit-codes.md](exit-codes.md).", "",
            "## For every command", "",
        ]
        lines += options(CommandTable.globalOptions)
        for group in CommandGroup.allCases {
            lines += ["## \(group.rawValue)", ""]
            for entry in CommandTable.entries where entry.command.group == group && entry.command.action != nil {
                lines += command(entry)
            }
        }
        while lines.last == "" { lines.removeLast() }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func command(_ entry: CommandTable.Entry) -> [String] {
        let command = entry.command
        var lines = ["### \(entry.path.joined(separator: " "))", "", sentence(command.summary), ""]
        lines += ["    \(HelpText.usage(entry))", ""]
        for paragraph in command.discussion { lines += [escaped(paragraph), ""] }
        if !command.operands.isEmpty {
            lines += ["| Operand | |", "|---|---|"]
            lines += command.operands.map { "| `\($0.name)` | \(cell($0.summary)) |" }
            lines.append("")
        }
        if !command.options.isEmpty { lines += options(command.options) }
        for example in command.examples {
            lines += [escaped(example.text), "", "```sh", example.line, "```", ""]
        }
        return lines
    }

    private static func options(_ options: [OptionSyntax]) -> [String] {
        ["| Option | |", "|---|---|"]
            + options.map { option in
                let names = (option.short.map { "`\($0)`, " } ?? "") + "`\(option.usage)`"
                return "| \(names) | \(cell(option.summary)) |"
            } + [""]
    }

    private static func sentence(_ text: String) -> String {
        guard let first = text.first else { return text }
        return escaped(first.uppercased() + text.dropFirst() + ".")
    }

    private static func cell(_ text: String) -> String {
        escaped(text).split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    /// Text that must not become markup.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text {
            if "*_<[`".contains(letter) { result.append("\\") }
            result.append(letter)
        }
        return result
    }
}
