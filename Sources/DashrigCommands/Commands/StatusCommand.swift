internal import DashrigClient
internal import VarlinkProtocol

enum StatusCommand {
    static let syntax = CommandSyntax(
        "status", .look, "show the whole rig on one screen",
        discussion: [
            "Instance, how long it has been up, the car, the device in front, every device with its session and "
                + "displays, the apps, and what runs hold for themselves.",
            "With --json: the rig's state as GetState answers it.",
        ],
        examples: [
            Example("dashrig status", "Look at the rig."),
            Example("dashrig status --json | jq '.sessions[].phase'", "Ask for the phase of each session."),
            Example("DASHRIG_SOCKET_DIR=/tmp/rig dashrig status", "Look at a rig that runs without root in /tmp/rig."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let connection = try call.connect()
        let state = try call.ask { () throws(ClientFailure) in try connection.state() }
        if call.output.isJSON {
            call.output.json(JSON(state.record))
            return .done
        }
        // A rig of before has no leases to list.
        let leases: [LeaseView]
        do throws(CommandLineFailure) {
            leases = try call.ask { () throws(ClientFailure) in try connection.leases() }
        } catch {
            guard case .rig(.refused) = error else { throw error }
            leases = []
        }
        let text = StatusText(
            state: state, leases: leases, style: call.output.style, width: call.output.width,
            directory: call.access.directory.path)
        call.output.lines(text.lines())
        return .done
    }
}
