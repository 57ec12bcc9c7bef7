internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

/// What can be said about a phone on a command line.
enum PhoneOptions {
    /// The steps of a handshake that a phone can refuse.
    static let steps = HandshakeStep.allCases.map(\.rawValue)
    /// The most that a phone can be slowed down: 60 s.
    static let slowest: UInt64 = 60_000_000_000
}

/// unplug, and what is set on a device that is there.
enum PhoneCommands {
    private static let device = OperandSyntax("NAME", .name(.device), "the device, as 'dashrig devices' names it")
    private static let generation = OptionSyntax(
        "--generation", "N", .integer(1...Int(UInt32.max)), "only if the device is in this generation")

    static let unplug = CommandSyntax(
        "unplug", .plug, "pull a virtual device",
        discussion: [
            "With a goodbye, as a phone that ends its session and leaves; or by surprise, as a cable that is pulled. "
                + "Everything that hangs off its session is released at once.",
            "With --generation a device that has come back in the meantime is left alone.",
        ],
        operands: [device],
        options: [
            OptionSyntax(flag: "--surprise", "pull the cable: no goodbye"), generation,
        ],
        examples: [
            Example("dashrig unplug iphone-1", "Let it say goodbye and go."),
            Example("dashrig unplug iphone-1 --surprise", "Pull the cable, whatever is going on."),
            Example("dashrig unplug iphone-1 --generation 2", "Only pull it if it is still in generation 2."),
        ],
        action: { call throws(CommandLineFailure) in
            let surprise = call.arguments.flag("--surprise")
            return try act(call, surprise ? "is unplugged by surprise" : "is unplugged", ["surprise": .bool(surprise)])
            {
                (rig, name, generation) throws(ClientFailure) in
                try rig.unplug(name, surprise: surprise, generation: generation)
            }
        })

    static let lock = phone(
        "lock", "lock a phone", PhoneChange(locked: true), "is locked",
        [
            "A handshake waits at its trust step while the phone is locked; a session that runs goes on."
        ],
        [
            Example("dashrig lock iphone-1", "Lock it while its session runs."),
            Example("dashrig lock iphone-1 --generation 2", "Only if it is still in generation 2."),
        ])

    static let unlock = phone(
        "unlock", "unlock a phone", PhoneChange(locked: false), "is unlocked",
        ["A handshake that waits for it goes on."],
        [
            Example("dashrig unlock iphone-1", "Let a phone that was plugged in locked go on."),
            Example(
                "dashrig unlock iphone-1 && dashrig watch --until session.active --for 5s", "Wait for what comes of it."
            ),
        ])

    static let trust = phone(
        "trust", "tap trust on a phone", PhoneChange(trusted: true), "trusts the head unit",
        ["A handshake that waits for it goes on."],
        [
            Example("dashrig trust iphone-1", "Tap trust on a phone that was plugged in untrusted."),
            Example("dashrig plug iphone --untrusted && dashrig trust iphone-1", "Plug in, hesitate, trust."),
        ])

    static let untrust = phone(
        "untrust", "take the trust back", PhoneChange(trusted: false), "does not trust the head unit any more",
        [
            "The next handshake waits at its trust step; a session that runs goes on. It holds for as long as the phone is "
                + "plugged in: what comes back has the conditions that plug gives it (plug --untrusted)."
        ],
        [
            Example("dashrig untrust iphone-1", "Make the next handshake wait."),
            Example("dashrig untrust iphone-1 --generation 1", "Only if it is still in generation 1."),
        ])

    private static func phone(
        _ name: String, _ summary: String, _ change: PhoneChange, _ done: String, _ discussion: [String],
        _ examples: [Example]
    ) -> CommandSyntax {
        CommandSyntax(
            name, .plug, summary, discussion: discussion, operands: [device], options: [generation],
            examples: examples,
            action: { call throws(CommandLineFailure) in try set(call, change, done) })
    }

    static let refuse = CommandSyntax(
        "refuse", .plug, "make a phone refuse a step of the handshake",
        discussion: [
            "authentication: it says that certificate or answer are wrong. identification: it rejects what the head "
                + "unit says it can do. session: it never offers a session. none: it refuses nothing again. It holds "
                + "from the next handshake on, for as long as the phone is plugged in: what comes back has the conditions "
                + "that plug gives it (plug --refuse)."
        ],
        operands: [device, OperandSyntax("STEP", .word(PhoneOptions.steps + ["none"]), "the step, or none")],
        options: [generation],
        examples: [
            Example("dashrig refuse iphone-1 authentication", "Make its next handshake fail at authentication."),
            Example("dashrig refuse iphone-1 none", "Let it go through again."),
        ],
        action: { call throws(CommandLineFailure) in
            let step = call.arguments.required("STEP")
            return try set(
                call, PhoneChange(refuse: .some(HandshakeStep(rawValue: step))),
                step == "none" ? "refuses nothing" : "refuses \(step)")
        })

    static let slow = CommandSyntax(
        "slow", .plug, "make a phone answer later",
        discussion: ["Each answer of its handshake comes so much later; 0ms makes it quick again. At most 60s."],
        operands: [device, OperandSyntax("TIME", .duration(0...PhoneOptions.slowest), "how much later: 200ms, 1.5s")],
        options: [generation],
        examples: [
            Example("dashrig slow iphone-1 200ms", "Answer each step 200 ms later."),
            Example("dashrig slow iphone-1 0ms", "Answer at once again."),
        ],
        action: { call throws(CommandLineFailure) in
            let slow = call.arguments.duration("TIME") ?? 0
            return try set(
                call, PhoneChange(slow: slow),
                slow == 0 ? "answers at once" : "answers \(ConfigurationValue.format(slow)) later")
        })

    static let front = CommandSyntax(
        "front", .plug, "put a device's session in front",
        discussion: [
            "Input and apps that are bound to no device go to the session in front. Without this command the rig's "
                + "configuration decides which one that is."
        ],
        operands: [device],
        examples: [
            Example("dashrig front iphone-2", "Let knob and touch go to the second phone."),
            Example("dashrig front iphone-1 && dashrig knob press", "Press the knob for the first one."),
        ],
        action: { call throws(CommandLineFailure) in
            try act(call, "is in front", [:]) { (rig, name, _) throws(ClientFailure) in try rig.setFront(name) }
        })

    private static func set(
        _ call: Invocation, _ change: PhoneChange, _ done: String
    ) throws(CommandLineFailure) -> ExitCode {
        try act(call, done, [:]) { (rig, name, generation) throws(ClientFailure) in
            try rig.setPhone(name, change, generation: generation)
        }
    }

    private static func act(
        _ call: Invocation, _ done: String, _ fields: JSONObject,
        _ body: (RigConnection, String, UInt32?) throws(ClientFailure) -> Void
    ) throws(CommandLineFailure) -> ExitCode {
        let name = call.arguments.required("NAME")
        let takesGeneration = call.arguments.path != ["front"]
        let generation = takesGeneration ? call.arguments.number("--generation").flatMap { UInt32(exactly: $0) } : nil
        let connection = try call.connect()
        try call.ask { () throws(ClientFailure) in try body(connection, name, generation) }
        if call.output.isJSON {
            var object: JSONObject = ["device": .string(name)]
            for member in fields { object[member.key] = member.value }
            call.output.json(.object(object))
        } else {
            call.output.line("\(call.output.style.text(PrintableText.escaped(name), .name)) \(done)")
        }
        return .done
    }
}
