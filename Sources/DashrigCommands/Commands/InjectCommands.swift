internal import RigModel

/// The input commands of Android Automotive's `cmd car_service`, with their own arguments.
enum InjectCommands {
    private static let discussion =
        "The arguments are those of Android Automotive's 'cmd car_service'. What has no meaning here is refused by name, "
        + "with exit code 2. -d 0 is the display main, 1 is cluster; --display names any."

    static let key = CommandSyntax(
        "inject-key", .input, "push a key by its number of Android",
        discussion: [
            discussion,
            "Arguments: [-d display] [-t down_delay_ms] key_code, a number or a name such as KEYCODE_HOME. There is no -a "
                + "(down and up are one gesture) and no -s (seat).",
            "The keys: "
                + AndroidKeyCode.all.map { "\($0.code) \($0.name) is \($0.meaning.text)" }.joined(separator: "; ")
                + ".",
            InputTarget.discussion,
        ],
        operands: [arguments("options and the key's code", .oneOrMore)], options: InputTarget.options,
        takesDashWords: true,
        examples: [
            Example("dashrig inject-key 3", "Go to the home screen."),
            Example("dashrig inject-key -t 800 KEYCODE_DPAD_CENTER", "A long press of the knob."),
            Example("dashrig inject-key 282 --wait read", "Nudge the knob to the left, and wait until it is read."),
        ],
        action: { call throws(CommandLineFailure) in try inject(try AndroidInjection.key(words(call)), call) })

    static let rotary = CommandSyntax(
        "inject-rotary", .input, "turn the knob, counterclockwise unless -c true",
        discussion: [
            discussion,
            "Arguments: [-d display] [-i 10] [-c true|false] [-dt t1 t2 ...]. -dt tells how long ago each detent was, in "
                + "ms and descending: several detents, as far apart, which has to be even. There is no volume knob (-i 11).",
            InputTarget.discussion,
        ],
        operands: [arguments("options", .any)], options: InputTarget.options, takesDashWords: true,
        examples: [
            Example("dashrig inject-rotary -c true", "One detent clockwise."),
            Example("dashrig inject-rotary -dt 100 50 0", "Three detents back, 50 ms apart."),
        ],
        action: { call throws(CommandLineFailure) in try inject(try AndroidInjection.rotary(words(call)), call) })

    static let motion = CommandSyntax(
        "inject-motion", .input, "touch the display with one or more fingers",
        discussion: [
            discussion,
            "Arguments: [-d display] [--source touchscreen] [-t down_delay_ms] [-c count] [-p id ...] x0 y0 x1 y1 ..., in "
                + "pixels. There is no -a (down and up are one gesture; 'touch swipe' and 'touch path' move), no -s "
                + "(seat), and no source but the touchscreen.",
            InputTarget.discussion,
        ],
        operands: [arguments("options and the places", .oneOrMore)],
        options: [
            OptionSyntax("--source", "SOURCE", .word(sources), "what is touched; only touchscreen has a meaning")
        ] + InputTarget.options,
        takesDashWords: true,
        examples: [
            Example("dashrig inject-motion 400 240", "Tap the middle of an 800x480 display."),
            Example("dashrig inject-motion -t 600 -c 2 300 240 500 240", "Hold two fingers down."),
        ],
        action: { call throws(CommandLineFailure) in
            let source = call.arguments.text("--source")
            return try inject(try AndroidInjection.motion(words(call), source: source), call)
        })

    private static let sources = [
        "touchscreen", "touchpad", "touchnavigation", "joystick", "stylus", "gamepad", "dpad", "mouse", "keyboard",
        "trackball",
    ]

    private static func arguments(_ summary: String, _ count: OperandSyntax.Count) -> OperandSyntax {
        OperandSyntax("ARGUMENT", .text(limit: 64), summary, count: count)
    }

    private static func words(_ call: Invocation) -> AndroidWords {
        AndroidWords(call.arguments.texts("ARGUMENT"), path: call.arguments.path)
    }

    private static func inject(
        _ injection: AndroidInjection, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        if injection.display != nil, call.arguments.text("--display") != nil {
            throw .usage(UsageFailure("-d and --display name two displays", path: call.arguments.path))
        }
        return try InputTarget.inject(
            injection.gesture, injection.told, call, try call.connect(), display: injection.display)
    }
}
