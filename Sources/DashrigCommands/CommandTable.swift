internal import LinuxIO

/// All commands, from which parsing, help, completion, the manual page and the reference are made.
enum CommandTable {
    /// The commands in the order of the documentation.
    static let commands: [CommandSyntax] = [
        StatusCommand.syntax, ListCommands.devices, ListCommands.sessions, ListCommands.displays, WatchCommand.syntax,
        CaptureCommand.syntax,
        ListCommands.profiles, PlugCommand.syntax, PhoneCommands.unplug, PhoneCommands.lock, PhoneCommands.unlock,
        PhoneCommands.trust, PhoneCommands.untrust, PhoneCommands.refuse, PhoneCommands.slow,
        PhoneCommands.late, PhoneCommands.misorder, PhoneCommands.carPlay, PhoneCommands.retry, PhoneCommands.front,
        USBCommands.syntax, KnobCommand.syntax, TouchCommand.touch, TouchCommand.touchpad, KeyCommand.syntax,
        InputCommands.syntax, InjectCommand.syntax, InjectCommands.key, InjectCommands.rotary, InjectCommands.motion,
        VehicleCommands.appearance,
        VehicleCommands.driverSide, VehicleCommands.limitedUI, VehicleCommands.vehicle, DisplayCommand.syntax,
        FaultCommand.syntax,
        RunCommand.syntax, ScenarioCommands.syntax, SimulateCommand.syntax, CycleCommand.syntax, LeaseCommands.unlease,
        SendCommand.send, SendCommand.messages, MarkCommand.syntax,
        LaunchCommand.syntax,
        DecodeCommand.syntax, DoctorCommand.syntax, ToolCommands.completion, ToolCommands.version, ToolCommands.help,
    ]

    /// What may stand behind every command.
    static let globalOptions: [OptionSyntax] = [
        OptionSyntax(flag: "--json", "answer in JSON: one object, or one a line for streams; errors too"),
        OptionSyntax(
            "--socket-dir", "DIR", .folder,
            "where the rig's sockets are; else DASHRIG_SOCKET_DIR, else /run/dashrig"),
        OptionSyntax(
            "--timeout", "TIME", .duration(1_000_000...86_400_000_000_000),
            "how long the rig may take to answer (10s), and a session to become active (60s)"),
        OptionSyntax(flag: "--help", short: "-h", "explain the command"),
        OptionSyntax(flag: "--version", "print the version of this tool"),
    ]

    static let parser = ArgumentParser(commands: commands, globalOptions: globalOptions)

    /// A command with the words that name it.
    struct Entry {
        let path: [String]
        let command: CommandSyntax
    }

    /// Every command and every group of commands, each group before its commands.
    static var entries: [Entry] { entries(commands, below: []) }

    private static func entries(_ commands: [CommandSyntax], below path: [String]) -> [Entry] {
        commands.flatMap { command in
            let own = path + [command.name]
            return [Entry(path: own, command: command)] + entries(command.subcommands, below: own)
        }
    }

    /// The command of a path; nothing when there is none.
    static func entry(_ path: [String]) -> Entry? { entries.first { $0.path == path } }
}
