internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

/// A whole sequence of input, exact and acknowledged.
enum InjectCommand {
    static let syntax = CommandSyntax(
        "inject", .input, "send a sequence of input at exact times",
        discussion: [
            "FILE holds lines as in a scenario ('at 100ms key home down'), with knob, touch, touchpad, key and wait only; or, "
                + "when it begins with { or [, JSON: the parameters of the rig's InjectSequence, or its steps alone. - is "
                + "standard input. Each step begins at its time from the start; a line without a time begins when the one "
                + "before is over. It is refused whole, naming the line or the step and field, before anything is done.",
            "Parts of gestures are for what lasts: 'knob press down' and 'knob press up', 'key home down' and 'key home up', "
                + "'touch down 0 X Y', 'touch move 0 X Y' and 'touch up 0', where 0 is a finger's number, 0 to 9. What a "
                + "sequence puts down it lets go itself.",
            InputTarget.discussion,
            "The command ends when all is sent, and has come to --wait where the target can bring it there; --within counts "
                + "from the last event. It tells how late the latest event was. When the command is stopped, or the session "
                + "ends, or the display's pixels change under a touch, the rest is not sent, and what is held is let go: "
                + "exit code 1, with how much was sent.",
            "With --json: an object with first, count, session, reaches, reached, sent, latestMicroseconds and the numbers of "
                + "each step's events.",
        ],
        operands: [OperandSyntax("FILE", .file, "the sequence, or - for standard input")],
        options: InputTarget.options,
        examples: [
            Example("dashrig inject pinch.rig --wait read", "Send a sequence, and wait until all of it is read."),
            Example(
                "printf 'knob press down\\nat 100ms knob rotate 1\\nat 200ms knob press up\\n' | dashrig inject -",
                "Turn the knob while it is pressed."),
            Example(
                "echo '[{\"at\":0,\"key\":{\"key\":\"home\"}},{\"at\":250,\"knob\":{\"detents\":2}}]' | dashrig inject -",
                "The same in JSON."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let (file, bytes) = try ScenarioSource.read(arguments.required("FILE"))
        let source = try InjectionSource(ByteOrderMark.skipped(in: bytes), file)
        var parameters = source.parameters
        for (option, name) in [("--device", "device"), ("--display", "display"), ("--tag", "tag")] {
            if let text = arguments.text(option) { parameters[name] = .string(text) }
        }
        if let generation = arguments.number("--generation") { parameters["generation"] = .int(Int64(generation)) }
        let (fileWait, fileWithin) = (try source.wait(), try source.within())
        let wait = arguments.text("--wait").flatMap(InputStep.init) ?? fileWait ?? .accepted
        let within = arguments.duration("--within") ?? fileWithin ?? InputTarget.standardWithin
        let connection = try call.connect()
        let result: InjectionView
        do {
            result = try call.ask { [parameters] () throws(ClientFailure) in
                // The sequence ends with the connection, so that at least its end is waited for.
                try connection.injectSequence(parameters, wait: max(wait, .delivered), within: within)
            }
        } catch {
            throw source.explained(error)
        }
        let sent = result.sent ?? result.count
        guard sent >= result.count else {
            let reason = "its session has ended, or the pixels of its display have changed"
            throw .failed(
                name: .sequenceEnded,
                text: "\(file): \(sent) of \(counted(Int(clamping: result.count), "event")) sent: \(reason)")
        }
        guard wait == .accepted || result.reached.map({ $0 >= wait }) ?? false else {
            throw InputTarget.fellShort(result, file, wait, within)
        }
        if call.output.isJSON {
            call.output.json(JSON(result.record))
        } else {
            call.output.line(PrintableText.escaped(told(result, file)))
        }
        return .done
    }

    private static func told(_ result: InjectionView, _ file: String) -> String {
        let late = DurationText.short(min(result.latestMicroseconds ?? 0, .max / 1_000) * 1_000)
        return InputTarget.told(result, "\(file): \(counted(result.steps.count, "step"))") + ", the latest \(late) late"
    }
}
