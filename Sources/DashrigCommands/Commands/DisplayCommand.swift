internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

enum DisplayCommand {
    /// The same words as in a scenario.
    static let keys = [
        "view-area", "safe-area", "pixels", "scale", "frame-rate", "appearance", "driver-side", "limited-ui",
        "primary-input",
    ]

    static let syntax = CommandSyntax(
        "display", .car, "change a display while it is shown",
        subcommands: [
            CommandSyntax(
                "set", .car, "change one display of a session",
                discussion: [
                    "DISPLAY is s1/main, or main for that of the session in front. Each change counts its revision up; "
                        + "contacts that are down are cancelled.",
                    "view-area=N takes another of the declared view areas, counted from 0. safe-area=X,Y,WxH gives the "
                        + "one in use another safe area. pixels=WxH, scale=3 and frame-rate=30 change the panel. "
                        + "appearance=dark, driver-side=right, limited-ui=keyboard,lists and primary-input=knob do as "
                        + "they say.",
                    "With --json: an object with the display as it is now.",
                ],
                operands: [
                    OperandSyntax("DISPLAY", .name(.display), "the display: s1/main, or main of the front session"),
                    OperandSyntax("KEY=VALUE", .assignment(keys), "what changes", count: .oneOrMore),
                ],
                examples: [
                    Example("dashrig display set main appearance=dark", "Make one display dark."),
                    Example("dashrig display set s1/main view-area=1", "Move the phone's picture aside."),
                    Example(
                        "dashrig display set main pixels=1920x720 scale=3 frame-rate=30",
                        "Change the panel under a running session."),
                    Example(
                        "dashrig display set main safe-area=420,0,1080x720", "Cover the left and right edges."),
                ],
                action: run)
        ])

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let name = call.arguments.required("DISPLAY")
        var change = DisplayChange(display: name)
        var seen: [Substring] = []
        for assignment in call.arguments.texts("KEY=VALUE") {
            let equals = assignment.firstIndex(of: "=") ?? assignment.endIndex
            let key = assignment[..<equals]
            if seen.contains(key) { throw .usage(UsageFailure("\(key) is given twice", path: call.arguments.path)) }
            seen.append(key)
            try apply(String(key), String(assignment[equals...].dropFirst()), to: &change, call.arguments.path)
        }
        let connection = try call.connect()
        let display: DisplayView
        do {
            display = try call.ask { () throws(ClientFailure) in try connection.setDisplay(change) }
        } catch {
            throw DisplayName.explained(error, name, connection)
        }
        if call.output.isJSON {
            call.output.json(.object(["display": JSON(display.record)]))
        } else {
            call.output.line(
                PrintableText.escaped(
                    "\(display.id) is \(StateText.size(display)), \(display.record.text("appearance") ?? ""), revision "
                        + "\(display.revision)"))
        }
        return .done
    }

    private static func apply(
        _ key: String, _ text: String, to change: inout DisplayChange, _ path: [String]
    ) throws(CommandLineFailure) {
        do {
            switch key {
            case "view-area":
                change.viewArea = try ConfigurationValue.integer(text, in: 0...DisplayDescription.maximumViewAreas - 1)
            case "safe-area": change.safeArea = try ConfigurationValue.rect(rectangle(text))
            case "pixels": change.pixels = try ConfigurationValue.size(text)
            case "scale": change.scaleHundredths = try ConfigurationValue.scale(text)
            case "frame-rate": change.framesPerSecond = try ConfigurationValue.integer(text, in: 1...240)
            case "appearance": change.appearance = try ConfigurationValue.choice(text, of: Appearance.self)
            case "driver-side": change.driverSide = try ConfigurationValue.choice(text, of: DriverSide.self)
            case "primary-input": change.primaryInput = try ConfigurationValue.choice(text, of: DisplayInput.self)
            case "limited-ui":
                guard case .words(let words) = try ValueSyntax.words(VehicleCommands.limits).value(text) else { return }
                change.limitedUI = try VehicleCommands.limitedUI(words, path: path)
            default: preconditionFailure("the syntax lets no other key through")
            }
        } catch let error as ConfigurationValueError {
            throw .usage(UsageFailure("\(key): \(error.text)", suggestion: error.suggestion, path: path))
        } catch let failure as CommandLineFailure {
            throw failure
        } catch {
            preconditionFailure("no other error is thrown")
        }
    }

    /// A rectangle without a space, which would have to be quoted: `420,0,1080x720` is `420,0 1080x720`.
    private static func rectangle(_ text: String) -> String {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        return parts.count == 3 ? "\(parts[0]),\(parts[1]) \(parts[2])" : text
    }
}

/// A display that somebody named wrongly.
enum DisplayName {
    /// The failure with the displays that there are, when the rig refused the display's name.
    static func explained(
        _ failure: CommandLineFailure, _ name: String, _ connection: RigConnection
    ) -> CommandLineFailure {
        guard case .rig(.refused(let refusal)) = failure, refusal.invalidParameter == "display",
            let state = try? connection.state()
        else { return failure }
        let known = state.displays.map(\.id)
        let front = state.frontSession.map { state.displays(of: $0.id).map(\.name) } ?? []
        if known.contains(name) || front.contains(name) { return failure }
        let text =
            known.isEmpty
            ? "there is no display \"\(name)\": there is no active session"
            : "there is no display \"\(name)\"; there is \(known.joined(separator: ", "))"
        return .unknownName(
            name: refusal.error.name, text: text, suggestion: Spelling.nearest(to: name, among: known + front))
    }
}
