internal import DashrigClient
internal import EvemuFormat
internal import LinuxIO
internal import RigConfiguration
internal import RigModel
internal import ScenarioCore
internal import UinputDevice
internal import VirtualInput

/// Makes an input device in the kernel and lets it do what standard input or a recording says.
enum InputCreateCommand {
    static let syntax = CommandSyntax(
        "create", .input, "make an input device in the kernel, through uinput",
        discussion: [
            "The device is there as long as the command runs: to the end of standard input, or of the recording with --play, "
                + "or to Ctrl-C. It needs /dev/uinput and the permission to write it, and no rig; dashrig doctor says what "
                + "is missing. A rig that runs takes it as it takes a real one, without being told to in [input].",
            "When udev is done with the node, and not before, a line tells it. Then standard input is read, a command a line: "
                + "turn DETENTS, press and release for a knob; tap X Y, down SLOT X Y, move SLOT X Y and up SLOT for a "
                + "surface, with X and Y from 0 to 1 from its top left; press and release for a touchpad too; for all, "
                + "wait TIME, and echo WORD, which prints the word when everything before it is done. A line of evemu's "
                + "form, E: TIME TYPE CODE VALUE, is sent with the SYN_REPORT behind it; its time is not waited for, and no "
                + "other command may stand before that SYN_REPORT. # begins a comment. A wrong line is told with its "
                + "number and word; nothing of it is done, and what follows is.",
            "With --play the device is that of a recording in either form that 'input replay' reads, and does what was "
                + "recorded in the time of the recording, 1 s after it is ready or after --delay. Standard input is not "
                + "read.",
            "Standard output has one line when the device is ready, 'ready: NODE (SYSNAME) \"NAME\"', and then a line "
                + "for each echo, the word alone. All else is for people and goes to standard error: notes, wrong lines, "
                + "the totals at the end, and why it ended. Events and lines that were read are never written.",
            "The machine itself is safe from it: no device has keys for power, sleep, radios or SysRq, nor Ctrl and Alt, and "
                + "the rig's udev rule keeps desktops away from it. The kernel's text console takes no notice of the three "
                + "kinds; a recording of a keyboard types there, which is told.",
            "With --json all of it is on standard output, an object a line in the order in which it happens: one when it is "
                + "ready, with node, sysname, syspath, name, udev and notes; one for each echo, with echo; one for each "
                + "wrong line, with error badLine, line, field and text; one with the totals at the end: reports, events, "
                + "unfinished, refusedLines, latestMicroseconds, with --play leftOut. Exit code 1 when it cannot be made or "
                + "a line was wrong, 2 when the recording is.",
        ],
        operands: [
            OperandSyntax(
                "KIND", .word(VirtualInputDevice.Kind.allCases.map(\.rawValue)), "what it is; not with --play",
                count: .optional)
        ],
        options: [
            OptionSyntax("--name", "NAME", .text(limit: VirtualInputDevice.maximumName), "what it calls itself"),
            OptionSyntax("--id", "VENDOR:PRODUCT", .text(limit: 9), "its ids, by which rules may know it: 077d:0410"),
            OptionSyntax("--size", "WxH", .text(limit: 11), "how many places a surface has: 1000x600 or 1280x720"),
            OptionSyntax(
                "--resolution", "N", .integer(0...10_000), "places per mm: 10 on a pad, 0 (not told) on a screen"),
            OptionSyntax(
                "--slots", "N", .integer(1...VirtualInputDevice.maximumSlots),
                "how many fingers it tells apart: 5 or 10"),
            OptionSyntax("--play", "FILE", .file, "the recording that it is made from and plays"),
            OptionSyntax(
                "--recorded", "DEVICE", .text(limit: 1_024),
                "which of several devices of a libinput recording: its node or its name"),
            OptionSyntax(
                "--delay", "TIME", .duration(0...DurationText.maximum), "when to begin to play, once it is ready"),
            OptionSyntax("--speed", "FACTOR", .hundredths(1...10_000), "how much quicker than recorded: 0.01 to 100"),
            OptionSyntax("--loop", "N", .integer(1...1_000_000), "play it so often, each time after the other"),
        ],
        examples: [
            Example("dashrig input create knob", "Make a knob, and type what it does: turn 3, press, release."),
            Example(
                "printf 'down 0 0.2 0.5\\nwait 50ms\\nmove 0 0.8 0.5\\nup 0\\n' | dashrig input create touchpad",
                "Swipe on a touchpad."),
            Example("dashrig input create --play taps.evemu --loop 10", "Make the device of a recording, and play it."),
            Example(
                "sleep infinity | dashrig input create touchscreen --size 1920x720",
                "Keep a touchscreen that does nothing."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let order = try VirtualInputOrder(call.arguments)
        let report = VirtualInputReport(output: call.output)
        for note in order.notes { report.note(note) }
        let session = try VirtualInputSession(order.device, report, call)
        defer { session.end() }
        try session.waitUntilReady()
        try report.tell(
            VirtualInputReport.Ready(
                node: session.node, sysname: session.sysname, syspath: session.syspath,
                name: order.device.description.name, isKnownToUdev: session.isKnownToUdev, notes: order.notes))
        if let playback = order.playback {
            try session.play(playback, order)
        } else {
            try session.follow(descriptor: 0)
        }
        try session.linger()
        report.tell(
            VirtualInputReport.Totals(
                reports: session.reports, events: session.events, unfinished: session.unfinished,
                refusedLines: session.refusedLines, latest: session.latest, leftOut: order.playback?.leftOut))
        return session.refusedLines == 0 ? .done : .failed
    }
}
