internal import DashrigClient
internal import RigModel
internal import VarlinkProtocol

enum MarkCommand {
    static let syntax = CommandSyntax(
        "mark", .script, "write a line into the timeline",
        discussion: [
            "Everybody who watches sees it as an event of the kind mark, in order with all others. At most "
                + "\(Command.maximumMark) bytes."
        ],
        operands: [OperandSyntax("TEXT", .text(limit: Command.maximumMark), "the line", count: .oneOrMore)],
        examples: [
            Example("dashrig mark before the firmware update", "Write a line."),
            Example("make flash && dashrig mark \"flashed $(git describe)\"", "Mark what a script has done."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let text = call.arguments.texts("TEXT").joined(separator: " ")
        guard text.utf8.count <= Command.maximumMark else {
            throw .usage(
                UsageFailure(
                    "TEXT: it has \(text.utf8.count) bytes; the most is \(Command.maximumMark)",
                    path: call.arguments.path))
        }
        let connection = try call.connect()
        try call.ask { () throws(ClientFailure) in try connection.mark(text) }
        if call.output.isJSON {
            call.output.json(.object(["text": .string(text)]))
        } else {
            call.output.line("marked")
        }
        return .done
    }
}
