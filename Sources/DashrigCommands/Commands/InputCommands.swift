/// input: recordings of what input devices send, and input devices that the kernel is told to make.
enum InputCommands {
    static let syntax = CommandSyntax(
        "input", .input, "record input devices, play them back, and make them",
        subcommands: [InputRecordCommand.syntax, InputReplayCommand.syntax, InputCreateCommand.syntax])
}
