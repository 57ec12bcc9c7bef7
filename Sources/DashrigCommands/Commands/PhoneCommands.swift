internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

/// What can be said about a phone on a command line.
enum PhoneOptions {
    /// The steps of a handshake that a phone can refuse.
    static let steps = HandshakeStep.allCases.map(\.rawValue)
    /// The most that a phone can be slowed down: 60 s.
    static let slowest = PhoneConditions.maximumSlowness
    /// The answers that a phone can give later.
    static let answers = PhoneAnswer.allCases.map(\.rawValue)
    /// What a phone can do in the wrong order.
    static let misorders = PhoneMisorder.allCases.map(\.rawValue)
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

    static let trust = CommandSyntax(
        "trust", .plug, "tap trust on a phone",
        discussion: [
            "A handshake that waits for it goes on: at once, or with --after so long after the handshake came to its trust "
                + "step, in each handshake anew."
        ],
        operands: [device],
        options: [
            generation,
            OptionSyntax(
                "--after", "TIME", .duration(0...PhoneConditions.maximumTrustDelay), "hesitate so long: 5s, at most 60s"
            ),
        ],
        examples: [
            Example("dashrig trust iphone-1", "Tap trust on a phone that was plugged in untrusted."),
            Example("dashrig trust iphone-1 --after 5s", "Let its user hesitate for 5 s."),
            Example("dashrig plug iphone --untrusted && dashrig trust iphone-1", "Plug in, hesitate, trust."),
        ],
        action: { call throws(CommandLineFailure) in
            guard let after = call.arguments.duration("--after") else {
                return try set(call, PhoneChange(trusted: true), "trusts the head unit")
            }
            return try set(
                call, PhoneChange(trustAfter: after), "trusts the head unit after \(ConfigurationValue.format(after))")
        })

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
            "authentication or signature: it says that the answer to its challenge is wrong. certificate: that the "
                + "certificate is. identification: it rejects what the head unit says it can do. trust: its user does "
                + "not trust the head unit. session: it never offers a session. none: it refuses nothing again. It "
                + "holds for a handshake that has not passed the step yet and for the next ones, for as long as the "
                + "phone is plugged in: what comes back has the conditions that plug gives it (plug --refuse)."
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

    static let late = CommandSyntax(
        "late", .plug, "make a phone give one answer later",
        discussion: [
            "That one answer of its handshake comes so much later, beside what 'slow' adds to each; 0ms takes it back. At "
                + "most 2s."
        ],
        operands: [
            device, OperandSyntax("ANSWER", .word(PhoneOptions.answers), "the answer"),
            OperandSyntax("TIME", .duration(0...AnswerDelays.maximum), "how much later: 200ms, 1.5s"),
        ],
        options: [generation],
        examples: [
            Example("dashrig late iphone-1 challenge 500ms", "Send the challenge 500 ms later."),
            Example("dashrig late iphone-1 challenge 0ms", "Send it at once again."),
        ],
        action: { call throws(CommandLineFailure) in
            let name = call.arguments.required("ANSWER")
            let time = call.arguments.duration("TIME") ?? 0
            let delays = PhoneAnswer(rawValue: name).map { [PhoneChange.Delay($0, time)] } ?? []
            return try set(
                call, PhoneChange(delays: delays),
                time == 0 ? "gives \(name) at once" : "gives \(name) \(ConfigurationValue.format(time)) later")
        })

    static let misorder = CommandSyntax(
        "misorder", .plug, "make a phone do something in the wrong order",
        discussion: [
            "identificationEarly: it asks for the identification before the authentication is done. challengeFirst: it "
                + "sends a challenge before it asked for the certificate. resultFirst: it says that the authentication "
                + "succeeded before it sent a challenge. acceptanceFirst: it accepts an identification before it asked "
                + "for one. offerFirst: it offers the session before everything else. none: it is orderly again."
        ],
        operands: [device, OperandSyntax("WHAT", .word(PhoneOptions.misorders + ["none"]), "what, or none")],
        options: [generation],
        examples: [
            Example("dashrig misorder iphone-1 challengeFirst", "See what the head unit makes of it."),
            Example("dashrig misorder iphone-1 none", "Be orderly again."),
        ],
        action: { call throws(CommandLineFailure) in
            let what = call.arguments.required("WHAT")
            return try set(
                call, PhoneChange(misorder: .some(PhoneMisorder(rawValue: what))),
                what == "none" ? "is orderly" : "does \(what)")
        })

    static let carPlay = CommandSyntax(
        "carplay", .plug, "switch CarPlay on or off on a phone",
        discussion: ["While it is off a handshake waits where the phone would offer the session; a session goes on."],
        operands: [device, OperandSyntax("STATE", .word(["on", "off"]), "on or off")],
        options: [generation],
        examples: [
            Example("dashrig carplay iphone-1 off", "Let the next handshake wait."),
            Example("dashrig carplay iphone-1 on", "Let it go on."),
        ],
        action: { call throws(CommandLineFailure) in
            let state = call.arguments.required("STATE")
            return try set(call, PhoneChange(carPlay: state == "on"), "has CarPlay \(state)")
        })

    static let retry = CommandSyntax(
        "retry", .plug, "try a handshake that failed again",
        discussion: [
            "At once, whatever it failed of; its pauses begin anew. A change that takes away what a phone's handshake "
                + "failed of ('refuse NAME none') does the same, any other change waits for the device's next try.",
            "It works for real devices, too.",
        ],
        operands: [device],
        options: [generation],
        examples: [
            Example("dashrig fault clear && dashrig retry iphone-1", "Let a handshake that a fault broke go through."),
            Example("dashrig retry iphone-1 --generation 2", "Only if it is still in generation 2."),
        ],
        action: { call throws(CommandLineFailure) in
            try act(call, "is tried again", [:]) { (rig, name, generation) throws(ClientFailure) in
                try rig.retry(name, generation: generation)
            }
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
