internal import DashrigClient
internal import RigModel
internal import VarlinkProtocol

/// Commands about the tool itself.
enum ToolCommands {
    static let help = CommandSyntax(
        "help", .tool, "explain a command",
        discussion: ["Without a command: what there is. The same as --help behind the command."],
        operands: [OperandSyntax("COMMAND", .text(limit: 64), "the command: plug, knob rotate", count: .any)],
        examples: [
            Example("dashrig help", "See what there is."),
            Example("dashrig help knob rotate", "Have one command explained."),
        ],
        action: { call throws(CommandLineFailure) in
            try DashrigTool.help(call.arguments.texts("COMMAND"), call.output)
        })

    static let completion = CommandSyntax(
        "completion", .tool, "print completion for a shell",
        discussion: [
            "Commands, options and words come from this program's own table; names of devices, profiles and displays "
                + "from the rig, when one is running."
        ],
        operands: [OperandSyntax("SHELL", .word(["bash"]), "bash")],
        examples: [
            Example("source <(dashrig completion bash)", "Have completion in this shell."),
            Example(
                "dashrig completion bash | sudo tee /etc/bash_completion.d/dashrig >/dev/null",
                "Have it in every shell."),
        ],
        action: { call throws(CommandLineFailure) in
            let script = BashCompletion.script()
            if call.output.isJSON {
                call.output.json(.object(["shell": "bash", "script": .string(script)]))
            } else {
                call.output.text(script)
            }
            return .done
        })

    static let version = CommandSyntax(
        "version", .tool, "print the versions of this tool and of the rig",
        discussion: ["Exit code 0 also when no rig is running: then only the tool's version is printed."],
        examples: [
            Example("dashrig version", "See both versions."),
            Example("dashrig version --json | jq -r .version", "Get the tool's version for a script."),
        ],
        action: runVersion)

    @Sendable private static func runVersion(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        var state: StateView?
        var failure: CommandLineFailure?
        do {
            let connection = try call.connect()
            state = try call.ask { () throws(ClientFailure) in try connection.state() }
        } catch .rig(.interrupted) {
            throw .interrupted
        } catch {
            failure = error
        }
        if call.output.isJSON {
            var object: JSONObject = ["version": .string(ToolVersion.text)]
            object["rig"] = state.map { .string($0.version) }
            object["instance"] = state.map { .string($0.instance) }
            object["rigError"] = failure.map(\.json)
            call.output.json(.object(object))
            return .done
        }
        call.output.line("dashrig \(ToolVersion.text)")
        if let state {
            let instance = state.instance.isEmpty ? "" : ", instance \(state.instance)"
            call.output.line(PrintableText.escaped("rig \(state.version)\(instance), in \(call.access.directory.path)"))
        } else if let failure {
            call.output.line("no rig: \(failure.name)")
        }
        return .done
    }
}

/// The version of this program.
public enum ToolVersion {
    /// Major, minor and patch.
    public static let text = Release.version
}
