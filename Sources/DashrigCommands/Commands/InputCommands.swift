/// input: recordings of what input devices send.
enum InputCommands {
    static let syntax = CommandSyntax(
        "input", .input, "record what an input device sends, and play it back",
        subcommands: [InputRecordCommand.syntax, InputReplayCommand.syntax])
}
