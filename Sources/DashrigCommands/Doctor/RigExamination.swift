internal import DashrigClient
internal import RigModel

/// Looks at the sockets, at who answers on them, and at what it says of its devices.
struct RigExamination {
    let access: RigAccess
    let machine: Machine

    /// Where the sockets are, in a mend's words.
    private var isStandard: Bool { access.directory.path == SocketDirectory.standardPath }

    /// What was found, and the state when a rig answered.
    func examine() throws(CommandLineFailure) -> (findings: [Finding], state: StateView?) {
        var findings: [Finding] = []
        var state: StateView?
        for interface in SocketInterface.allCases {
            do {
                let connection = try RigConnection(
                    socketDirectory: access.directory, interface: interface, timeout: access.callTimeout,
                    interrupt: access.interrupt)
                if interface == .rig { state = try connection.state() }
                findings.append(.ok(subject(interface), "\(access.directory.socket(interface)) is live"))
            } catch {
                if error == .interrupted { throw .interrupted }
                findings.append(finding(error, interface))
            }
        }
        if let state {
            findings.append(version(state))
            findings += devices(state)
        }
        return (findings, state)
    }

    private func subject(_ interface: SocketInterface) -> String {
        switch interface {
        case .rig: "control socket"
        case .app: "app socket"
        }
    }

    private func finding(_ failure: ClientFailure, _ interface: SocketInterface) -> Finding {
        let subject = subject(interface)
        let path = access.directory.socket(interface)
        switch failure {
        case .notRunning(_, socketExists: false):
            let folder = SocketFacts(path: access.directory.path)
            return .problem(
                subject, folder == nil ? "there is no folder \(access.directory.path)" : "there is no socket \(path)",
                mend: isStandard
                    ? "start it: sudo systemctl enable --now dashrig-rig.socket dashrig-app.socket; or run a rig of your "
                        + "own: dashrigd --socket-dir DIR, and say --socket-dir DIR here too"
                    : "start it: dashrigd --socket-dir \(access.directory.path)")
        case .notRunning(_, socketExists: true):
            return .problem(
                subject, "\(path) is there, but nobody listens: its daemon is gone",
                mend: isStandard
                    ? "sudo systemctl restart dashrig-rig.socket dashrig-app.socket; journalctl -u dashrigd says why"
                    : "start it again: dashrigd --socket-dir \(access.directory.path)")
        case .notPermitted(_, let group): return permission(subject, path, group)
        case .timedOut:
            return .problem(
                subject, "\(path) takes connections, but does not answer",
                mend: "look at its log (journalctl -u dashrigd); sudo systemctl restart dashrigd")
        case .wrongPath, .refused, .protocolViolation, .closed, .interrupted, .system:
            return .problem(subject, failure.text, mend: "look at the daemon's log: journalctl -u dashrigd")
        }
    }

    private func permission(_ subject: String, _ path: String, _ group: String) -> Finding {
        // The group may have been joined since this session began.
        if let entry = machine.group(group), !machine.groups.contains(entry.gid),
            let user = machine.userName, entry.members.contains(user)
        {
            return .problem(
                subject, "\(path) is for the group \(group); you are in it, but this login is older than that",
                mend: "log out and in again, or: newgrp \(group)")
        }
        return .problem(
            subject, "\(path) is for the group \(group), and you are not in it",
            mend: "sudo usermod -aG \(group) \"$USER\", then log out and in again")
    }

    private func version(_ state: StateView) -> Finding {
        if state.version == ToolVersion.text {
            return .ok("version", "rig and tool are both \(ToolVersion.text)")
        }
        return .problem(
            "version", "the rig is \(state.version), this tool \(ToolVersion.text)",
            mend: "install both from the same build, then: sudo systemctl restart dashrigd")
    }

    private func devices(_ state: StateView) -> [Finding] {
        var findings: [Finding] = []
        for device in state.devices {
            let reason = StateText.reason(device.reason)
            let why = reason.isEmpty ? "" : ": \(reason)"
            switch DeviceState(rawValue: device.state) {
            case .failed?:
                findings.append(
                    .problem(
                        "device \(device.id)", "its handshake failed\(why)",
                        mend: "replug it; 'dashrig watch --device \(device.id)' shows how far it comes"))
            case .stuck?:
                findings.append(
                    .problem("device \(device.id)", "a call to its driver does not return\(why)", mend: "replug it"))
            case .busy?:
                findings.append(
                    .problem(
                        "device \(device.id)", "somebody else holds it\(why)",
                        mend: "end the program or the other instance that uses it"))
            case .attached?, .connecting?, .active?, .reenumerating?, .detached?, nil: continue
            }
        }
        let names = state.devices.map(\.id).joined(separator: ", ")
        if findings.isEmpty {
            findings.append(.ok("devices", names.isEmpty ? "none is plugged in" : "\(names): none has a problem"))
        }
        return findings
    }
}
