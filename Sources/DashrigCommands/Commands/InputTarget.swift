internal import DashrigClient
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

/// What all input commands have in common: where the input goes, and how far it has to come.
enum InputTarget {
    static let options: [OptionSyntax] =
        places + [
            OptionSyntax(
                "--wait", "STEP", .word(InputStep.allCases.map(\.rawValue)),
                "wait until it is accepted, delivered or read"),
            OptionSyntax(
                "--within", "TIME", .duration(1_000_000...Gesture.maximumDuration), "how long to wait for that: 1s"),
        ]

    /// Where the input goes.
    static let places: [OptionSyntax] = [
        OptionSyntax("--device", "NAME", .name(.device), "the device whose session gets it; else the front one"),
        OptionSyntax("--generation", "N", .integer(1...Int(UInt32.max)), "only if the device is in this generation"),
        OptionSyntax("--display", "DISPLAY", .name(.display), "the display: main or s1/main; else the first"),
        OptionSyntax("--tag", "TEXT", .text(limit: Injection.maximumTag), "a mark that comes back in each event"),
    ]

    /// An input for the place that the options name.
    static func injection(of input: InjectedInput, _ arguments: Arguments) -> Injection {
        Injection(
            input, device: arguments.text("--device"),
            generation: arguments.number("--generation").flatMap { UInt32(exactly: $0) },
            display: arguments.text("--display"), tag: arguments.text("--tag"))
    }

    /// About the steps that input goes through.
    static let discussion =
        "Input goes the way that hardware's goes. accepted: the rig took it. delivered: its last byte was taken by the "
        + "app's socket or put on the link. read: the app acknowledged it, or the peer's link did. With --wait the "
        + "command ends when the step is reached, or with exit code 1 after --within (1s). Without a session in front "
        + "only subscribers hear of it."

    /// How long to wait for a step when nobody says: a second.
    static let standardWithin: UInt64 = 1_000_000_000

    /// Injects a gesture as the options say, and tells what became of it. `display` counts when `--display` is not given.
    static func inject(
        _ gesture: Gesture, _ what: String, _ call: Invocation, _ connection: RigConnection, display: String? = nil
    ) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let display = arguments.text("--display") ?? display
        let wait = arguments.text("--wait").flatMap(InputStep.init) ?? .accepted
        let within = arguments.duration("--within") ?? standardWithin
        var injection = injection(of: .gesture(gesture), arguments)
        injection.display = display
        let result: InjectionView
        do {
            result = try call.ask { () throws(ClientFailure) in
                try connection.inject(injection, wait: wait, within: within)
            }
        } catch {
            guard let name = display else { throw error }
            throw DisplayName.explained(error, name, connection)
        }
        let cameFar = result.reached.map { $0 >= wait } ?? (wait == .accepted)
        guard cameFar else { throw fellShort(result, what, wait, within) }
        if call.output.isJSON {
            call.output.json(JSON(result.record))
        } else {
            call.output.line(PrintableText.escaped(told(result, what)))
        }
        return .done
    }

    static func told(_ result: InjectionView, _ what: String) -> String {
        let last = result.first.addingClamped(result.count > 0 ? result.count - 1 : 0)
        let ids = result.count == 1 ? "input \(result.first)" : "input \(result.first) to \(last)"
        guard let session = result.session else {
            return "\(what): \(ids); no session is in front, so that only subscribers hear of it"
        }
        return "\(what): \(ids), session \(session), \(result.reached?.rawValue ?? "accepted")"
    }

    static func fellShort(
        _ result: InjectionView, _ what: String, _ wait: InputStep, _ within: UInt64
    ) -> CommandLineFailure {
        let reached = result.reached?.rawValue ?? "accepted"
        let text: String
        if result.session == nil {
            text = "\(what): there is no session in front that could have it \(wait.rawValue)"
        } else if let reaches = result.reaches, reaches < wait {
            let hint = reaches == .accepted ? ": no app and no link takes it; 'dashrig launch Demo' is an app" : ""
            text = "\(what): it is \(reached); this target can reach \(reaches.rawValue) at most\(hint)"
        } else {
            text = "\(what): it is \(reached), and not \(wait.rawValue), after \(ConfigurationValue.format(within))"
        }
        return .failed(name: .stepNotReached, text: text)
    }
}
