internal import RigConfiguration
internal import RigModel

enum KeyCommand {
    static let words = Key.allCases.map { ConfigurationValue.word($0.rawValue) }

    static let syntax = CommandSyntax(
        "key", .input, "push a key of the car",
        discussion: [
            "The keys: \(words.joined(separator: ", ")).",
            InputTarget.discussion,
        ],
        operands: [OperandSyntax("KEY", .word(words), "which key")],
        options: [
            OptionSyntax(
                "--for", "TIME", .duration(1_000_000...Gesture.maximumDuration), "how long it is held: 80ms")
        ] + InputTarget.options,
        examples: [
            Example("dashrig key home", "Go to the home screen."),
            Example("dashrig key play-pause --device iphone-2", "Start or stop the music of the second phone."),
            Example("dashrig key voice --for 1s", "Hold the voice key."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let word = call.arguments.required("KEY")
        guard let key = Key.allCases.first(where: { ConfigurationValue.word($0.rawValue) == word }) else {
            preconditionFailure("the syntax lets no other key through")
        }
        let hold = call.arguments.duration("--for") ?? Gesture.defaultHold
        return try InputTarget.inject(.key(key, hold: hold), "key \(word) pushed", call, try call.connect())
    }
}
