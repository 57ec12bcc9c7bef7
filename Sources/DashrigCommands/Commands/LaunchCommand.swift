internal import DashrigClient
internal import LinuxIO
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

enum LaunchCommand {
    static let syntax = CommandSyntax(
        "launch", .script, "be a small app, and show what an app is told",
        discussion: [
            "Declares a manifest on the app socket, shows its session, displays and input as they come, and acknowledges "
                + "input as a real app would. Ends with Ctrl-C or after --for; with it the app is gone.",
            "With --json: one object a line, as watch has them; kind app.launched comes first.",
        ],
        operands: [OperandSyntax("NAME", .text(limit: AppManifest.maximumName), "the app's name")],
        options: [
            OptionSyntax(
                "--device", "NAME", .name(.device), "bind it to this device; else it follows the front session"),
            OptionSyntax("--bundle", "ID", .text(limit: 256), "its bundle identifier"),
            OptionSyntax("--for", "TIME", .duration(1_000_000...DurationText.maximum), "end after so long: 10s"),
            OptionSyntax(flag: "--no-acknowledge", "do not acknowledge input"),
        ],
        examples: [
            Example("dashrig launch Demo", "Start an app that follows the front session."),
            Example("dashrig launch Maps --device iphone-2 --for 10s", "Be an app of the second phone for 10 s."),
            Example("dashrig launch Sleepy --no-acknowledge", "See how input is waited for."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let output = call.output
        let end = arguments.duration("--for").map { SystemClock.monotonicNow().addingClamped($0) }
        let acknowledges = !arguments.flag("--no-acknowledge")
        let app = AppConnection(
            socketDirectory: call.access.directory,
            manifest: AppManifest(name: arguments.required("NAME"), bundle: arguments.text("--bundle")),
            device: arguments.text("--device"), timeout: call.access.callTimeout, interrupt: call.access.interrupt)
        let told = WatchText(output: output)
        var unread: [UInt64] = []
        while true {
            if !app.hasNext || unread.count >= batch {
                output.flush()
                let ids = unread
                unread = []
                try acknowledge(ids, app, call)
            }
            if let failure = output.failure { throw .output(failure) }
            let step: AppConnection.Step
            do {
                step = try app.next(until: end)
            } catch {
                // Ctrl-C is how a person ends it; there is nothing to say about that.
                if error == .interrupted { return .interrupted }
                throw .rig(error)
            }
            switch step {
            case .deadline: return .done
            case .update(.launched(let id)): launched(id, arguments.required("NAME"), output)
            case .update(.state(let state)): told.state(state)
            case .update(.lost(let from, let to, let merged)): told.lost(from, to, merged)
            case .update(.disconnected(let failure)): told.disconnected(failure)
            case .update(.event(let event)):
                told.event(event)
                if acknowledges, let id = event.acknowledgeableID { unread.append(id) }
            }
        }
    }

    /// How many events are acknowledged in one call at most.
    private static let batch = 1_024

    /// What cannot be acknowledged because the rig has gone is told by the stream.
    private static func acknowledge(
        _ ids: [UInt64], _ app: AppConnection, _ call: Invocation
    ) throws(CommandLineFailure) {
        guard !ids.isEmpty else { return }
        do {
            try app.acknowledge(ids)
        } catch {
            switch error {
            case .notRunning, .closed: return
            case .refused(let refusal) where refusal.shortName == "UnknownApp": return
            case .notPermitted, .wrongPath, .refused, .protocolViolation, .timedOut, .interrupted, .system:
                throw .rig(error)
            }
        }
    }

    private static func launched(_ id: String, _ name: String, _ output: Output) {
        if output.isJSON {
            output.json(.object(["kind": "app.launched", "app": .string(id), "text": .string(name)]))
        } else {
            let text = PrintableText.escaped("            -- \(name) is launched as \(id)")
            output.line(output.style.text(text, .good))
        }
    }
}
