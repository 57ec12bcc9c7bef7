internal import RigConfiguration
internal import RigModel

enum KnobCommand {
    private static let holds = OptionSyntax(
        "--for", "TIME", .duration(1_000_000...Gesture.maximumDuration), "how long it is held: 80ms; long from 500ms on"
    )

    static let syntax = CommandSyntax(
        "knob", .input, "turn, press and nudge the rotary knob",
        subcommands: [
            CommandSyntax(
                "rotate", .input, "turn the knob by some detents",
                discussion: [
                    "Positive is clockwise, negative counterclockwise. All at once, or with --every or --over one detent "
                        + "after the other.",
                    InputTarget.discussion,
                ],
                operands: [
                    OperandSyntax(
                        "N", .integer(-Int(Gesture.maximumDetents)...Int(Gesture.maximumDetents)),
                        "how many detents; negative is counterclockwise")
                ],
                options: [
                    OptionSyntax(
                        "--every", "TIME", .duration(0...Gesture.maximumDuration), "one detent each so often: 80ms"),
                    OptionSyntax(
                        "--over", "TIME", .duration(0...Gesture.maximumDuration),
                        "evenly, so long from the first detent to the last"),
                ] + InputTarget.options,
                examples: [
                    Example("dashrig knob rotate 3", "Three detents clockwise, at once."),
                    Example("dashrig knob rotate -1", "One detent back."),
                    Example("dashrig knob rotate 5 --over 1s", "Five detents within a second."),
                    Example(
                        "dashrig knob rotate 20 --every 40ms --wait read", "Scroll a list, and wait until it is read."),
                ],
                action: rotate),
            CommandSyntax(
                "press", .input, "push the knob down and let it go",
                discussion: [InputTarget.discussion],
                options: [holds] + InputTarget.options,
                examples: [
                    Example("dashrig knob press", "Select."),
                    Example("dashrig knob press --for 800ms", "A long press."),
                ],
                action: press),
            CommandSyntax(
                "nudge", .input, "push the knob sideways and let it go",
                discussion: [InputTarget.discussion],
                operands: [
                    OperandSyntax(
                        "DIRECTION", .word(NudgeDirection.allCases.map { ConfigurationValue.word($0.rawValue) }),
                        "up, down, left, right, up-left, up-right, down-left or down-right")
                ],
                options: [holds] + InputTarget.options,
                examples: [
                    Example("dashrig knob nudge left", "Go to the part on the left."),
                    Example("dashrig knob nudge up-right --for 200ms", "Hold it up and to the right."),
                ],
                action: nudge),
        ])

    @Sendable private static func rotate(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let detents = call.arguments.requiredNumber("N")
        guard detents != 0, let count = Int32(exactly: detents) else {
            throw .usage(
                UsageFailure("N: 0 detents is no turn; positive is clockwise", path: call.arguments.path))
        }
        let every = call.arguments.duration("--every")
        let over = call.arguments.duration("--over").map { Gesture.interval(of: count, over: $0) }
        if every != nil, over != nil {
            throw .usage(UsageFailure("--every and --over contradict each other", path: call.arguments.path))
        }
        let gesture = Gesture.rotate(detents: count, interval: every ?? over ?? 0)
        let what = "knob turned by \(detents) detent\(abs(detents) == 1 ? "" : "s")"
        return try InputTarget.inject(gesture, what, call, try call.connect())
    }

    @Sendable private static func press(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let hold = call.arguments.duration("--for") ?? Gesture.defaultHold
        return try InputTarget.inject(
            .press(hold: hold), "knob pressed for \(ConfigurationValue.format(hold))", call, try call.connect())
    }

    @Sendable private static func nudge(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let word = call.arguments.required("DIRECTION")
        guard let direction = NudgeDirection.allCases.first(where: { ConfigurationValue.word($0.rawValue) == word })
        else { preconditionFailure("the syntax lets no other direction through") }
        let hold = call.arguments.duration("--for") ?? Gesture.defaultHold
        return try InputTarget.inject(
            .nudge(direction, hold: hold), "knob nudged \(word)", call, try call.connect())
    }
}
