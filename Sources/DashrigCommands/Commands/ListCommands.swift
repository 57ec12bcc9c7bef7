internal import DashrigClient
internal import RigModel
internal import VarlinkProtocol

/// The commands that list one part of the state.
enum ListCommands {
    private static let names = OptionSyntax(flag: "--names", "print nothing but the names, one a line")

    static let devices = CommandSyntax(
        "devices", .look, "list the devices that are plugged in",
        discussion: [
            "State is attached, connecting, active, failed, busy, stuck, reenumerating or detached. GEN is the "
                + "generation: 1 at the first plug, one more each time the same device comes back. PEER is wire when the device itself "
                + "answers on its link, simulated when a partner inside the rig does.",
            "With --json: an object with the list devices.",
        ],
        options: [names],
        examples: [
            Example("dashrig devices", "See what is plugged in, and in which state."),
            Example("dashrig devices --names", "Get the names for a script."),
            Example(
                "dashrig devices --json | jq -r '.devices[] | select(.state==\"failed\") | .reason.text'",
                "Ask why devices failed."),
        ],
        action: { call throws(CommandLineFailure) in
            try list(call, "devices", none: "No devices. Plug one in: dashrig plug iphone") { $0.devices() }
        })

    static let sessions = CommandSyntax(
        "sessions", .look, "list the sessions and how far they have come",
        discussion: [
            "A session is the authenticated use of a link, from handshake to goodbye. Its phases: detecting, "
                + "synchronizing, authenticating, identifying, starting, active, closed.",
            "With --json: an object with the list sessions.",
        ],
        options: [names],
        examples: [
            Example("dashrig sessions", "See each session's phase, and which one is in front."),
            Example("dashrig sessions --json | jq '.sessions | length'", "Count the sessions."),
        ],
        action: { call throws(CommandLineFailure) in
            try list(call, "sessions", none: "No sessions. Plug a phone in: dashrig plug iphone") { $0.sessions() }
        })

    static let displays = CommandSyntax(
        "displays", .look, "list the displays of all sessions",
        discussion: [
            "Displays belong to a session: s1/main. Sizes are pixels, with the scale and the size in points; "
                + "millimetres after a ~ were assumed and not measured. A * marks the input that moves the focus "
                + "first. REV is one higher after each change, and input carries the revision it was scaled with.",
            "With --json: an object with the list displays.",
        ],
        options: [names],
        examples: [
            Example("dashrig displays", "See size, areas and inputs of each display."),
            Example("dashrig displays --names", "Get the names for touch --display or display set."),
        ],
        action: { call throws(CommandLineFailure) in
            try list(call, "displays", none: "No displays. They come with an active session: dashrig plug iphone") {
                $0.displays()
            }
        })

    private static func list(
        _ call: Invocation, _ part: String, none: String, _ table: (StateText) -> [String]
    ) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        let state = try call.ask { () throws(ClientFailure) in try connection.state() }
        let output = call.output
        let elements = state.record.elements(part)
        if output.isJSON {
            output.json(.object([part: .array(elements.map { JSON($0) })]))
        } else if call.arguments.flag("--names") {
            output.lines(elements.compactMap { $0.text("id") }.map(PrintableText.escaped))
        } else if elements.isEmpty {
            output.note(none)
        } else {
            output.lines(table(StateText(state: state, style: output.style, width: output.width)))
        }
        return .done
    }

    static let profiles = CommandSyntax(
        "profiles", .look, "list what can be plugged in, and the head units",
        discussion: [
            "The first list holds the virtual devices that plug makes; the second the head units whose displays a "
                + "phone can be shown with plug --displays.",
            "With --json: an object with the lists profiles and headUnits.",
        ],
        options: [
            OptionSyntax(flag: "--names", "print nothing but the names of the devices, one a line"),
            OptionSyntax(flag: "--head-units", "with --names: print those of the head units instead"),
        ],
        examples: [
            Example("dashrig profiles", "See what can be plugged in."),
            Example("dashrig profiles --names --head-units", "Get the names of the head units for a script."),
        ],
        action: runProfiles)

    @Sendable private static func runProfiles(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        let profiles = try call.ask { () throws(ClientFailure) in try connection.listProfiles() }
        let output = call.output
        if output.isJSON {
            output.json(JSON(profiles.record))
            return .done
        }
        if call.arguments.flag("--names") {
            let names =
                call.arguments.flag("--head-units")
                ? profiles.headUnits.map(\.name) : profiles.profiles.map(\.name)
            output.lines(names.map(PrintableText.escaped))
            return .done
        }
        var devices = TextTable([
            .init(title: "DEVICE"), .init(title: "KIND"), .init(title: "", leastWidth: 12),
        ])
        for profile in profiles.profiles {
            devices.add([.init(profile.name, .name), .init(StateText.kind(profile.kind)), .init(profile.text)])
        }
        var headUnits = TextTable([
            .init(title: "HEAD UNIT"), .init(title: "DISPLAYS", leastWidth: 8), .init(title: "", leastWidth: 12),
        ])
        for unit in profiles.headUnits {
            headUnits.add([
                .init(unit.name, .name), .init(unit.displays.joined(separator: ", ")), .init(unit.text),
            ])
        }
        output.lines(devices.lines(width: output.width, style: output.style))
        output.line()
        output.lines(headUnits.lines(width: output.width, style: output.style))
        return .done
    }
}
