internal import DashrigClient
internal import VarlinkProtocol

/// What runs hold for themselves.
enum LeaseCommands {
    static let unlease = CommandSyntax(
        "unlease", .script, "take from a run what it holds, and so end it",
        discussion: [
            "A run holds the devices, displays and input that it names; 'dashrig status' shows who holds what. With --force "
                + "the run is interrupted and puts away what it plugged in, and the next one that waits begins. The rig "
                + "publishes and logs whose it was and who took it. Without --force it is only said whose it is.",
            "With --json: an object with the lease.",
        ],
        operands: [OperandSyntax("LEASE", .text(limit: 32), "its name: r1")],
        options: [OptionSyntax(flag: "--force", "do it")],
        examples: [
            Example("dashrig unlease r1", "See whose it is."),
            Example("dashrig unlease r1 --force", "End a run that somebody forgot."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let name = call.arguments.required("LEASE")
        let connection = try call.connect()
        let force = call.arguments.flag("--force")
        try call.ask { () throws(ClientFailure) in try connection.unlease(name, force: force) }
        if call.output.isJSON {
            call.output.json(.object(["lease": .string(name)]))
        } else {
            call.output.line("\(call.output.style.text(PrintableText.escaped(name), .name)) is taken; its run is over")
        }
        return .done
    }
}
