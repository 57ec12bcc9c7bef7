/// The manual page dashrig(1), in the man macros.
enum ManualPage {
    static func text() -> String {
        var lines = [
            ".\\\" Made from the command table; DASHRIG_WRITE_DOCS=1 swift test writes it anew.",
            ".TH DASHRIG 1 \"\" \"dashrig \(ToolVersion.text)\" \"User Commands\"", ".SH NAME",
            "dashrig \\- the command line of the Dashrig bench", ".SH SYNOPSIS", ".B dashrig",
            ".I COMMAND", "[arguments] [options]", ".SH DESCRIPTION",
            escaped(
                "Plug in, or pretend to plug in, a phone; turn a knob; and see what your app is told. dashrig asks the "
                    + "daemon dashrigd over its control socket."),
        ]
        lines.append(".SH OPTIONS")
        lines.append("These may stand behind every command.")
        for option in CommandTable.globalOptions { lines += optionLines(option) }
        for group in CommandGroup.allCases {
            lines.append(".SH \"\(group.rawValue.uppercased())\"")
            for entry in CommandTable.entries where entry.command.group == group && entry.command.action != nil {
                lines += command(entry)
            }
        }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B DASHRIG_SOCKET_DIR",
            "The folder of the rig's sockets, unless --socket\\-dir "
                + "names one.", ".TP", ".B NO_COLOR", "When it is not empty, nothing is coloured.",
        ]
        lines += [".SH \"EXIT STATUS\""]
        for code in ExitCode.allCases { lines += [".TP", ".B \(code.rawValue)", escaped(code.meaning + ".")] }
        lines += [
            ".SH FILES", ".TP", ".I /run/dashrig/org.dashrig.Rig", "The control socket.", ".TP",
            ".I /run/dashrig/org.dashrig.App", "The socket of apps.", ".SH \"SEE ALSO\"", ".BR dashrigd (8)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func command(_ entry: CommandTable.Entry) -> [String] {
        var lines = [".SS \"\(escaped(String(HelpText.usage(entry).dropFirst("dashrig ".count))))\""]
        lines.append(escaped(sentence(entry.command.summary)))
        for paragraph in entry.command.discussion { lines += [".PP", escaped(paragraph)] }
        for operand in entry.command.operands {
            lines += [".TP", ".I \(escaped(operand.name))", escaped(sentence(operand.summary))]
        }
        for option in entry.command.options { lines += optionLines(option) }
        for example in entry.command.examples {
            lines += [".PP", escaped(example.text), ".RS", ".nf", escaped(example.line), ".fi", ".RE"]
        }
        return lines
    }

    private static func optionLines(_ option: OptionSyntax) -> [String] {
        let names = (option.short.map { "\($0), " } ?? "") + option.name
        let head = option.valueName.map { ".BI \"\(escaped(names)) \" \(escaped($0))" } ?? ".B \"\(escaped(names))\""
        return [".TP", head, escaped(sentence(option.summary))]
    }

    private static func sentence(_ text: String) -> String {
        guard let first = text.first else { return text }
        return first.uppercased() + text.dropFirst() + "."
    }

    /// Text for roff: backslashes, and dashes that must stay dashes; no line may begin like a request.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text {
            switch letter {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            default: result.append(letter)
            }
        }
        if let first = result.first, first == "." || first == "'" { return "\\&" + result }
        return result
    }
}
