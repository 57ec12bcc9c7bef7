internal import CANInput
internal import ConfigurationFiles
internal import RigConfiguration

/// Looks at what `[input] can` needs: the kernel's raw CAN sockets, and for the service the drop-in of its unit that lets
/// it open them. Where no controller is named, nobody needs either.
struct CANExamination {
    let machine: Machine
    let modules: KernelModules
    let isService: Bool
    /// Where units are.
    let units: [String]

    private static let unit = "dashrigd.service"
    private static let dropIn = "share/dashrig/systemd/can.conf"

    func examine() -> [Finding] {
        let module = modules.finding("can_raw", purpose: "controllers on CAN buses ([input] can)")
        let path = ConfigurationLoading.defaultPath
        guard machine.exists(path) || machine.exists("\(path).d") else { return [module] }
        let choices: [CANChoice]
        do throws(ConfigurationProblems) {
            choices = try ConfigurationLoading(machine.root, path).load().settings.input.can
        } catch {
            let line = error.lines.first ?? ""
            return [
                module,
                .problem(
                    "configuration", error.lines.count > 1 ? "\(line) (and \(error.lines.count - 1) more)" : line,
                    mend: "mend the file; sudo systemctl reload dashrigd then takes it"),
            ]
        }
        if choices.isEmpty { return [module] }
        let names = choices.map { "\($0.interface):\($0.controller)" }.joined(separator: ", ")
        return [sockets("[input] can = \(names)", module)]
    }

    private func sockets(_ setting: String, _ module: Finding) -> Finding {
        let subject = "can"
        // What a process outside the service may do says nothing of what the service may.
        if isService, UnitSettings(machine: machine, unit: Self.unit, folders: units).allows(family: "AF_CAN") == false
        {
            return .problem(
                subject,
                "\(setting): the service may not open CAN sockets (EAFNOSUPPORT): RestrictAddressFamilies of its unit has no "
                    + "AF_CAN", mend: "\(copy) && sudo systemctl daemon-reload && sudo systemctl restart dashrigd")
        }
        switch machine.canSockets() {
        case nil: return .ok(subject, "\(setting): CAN sockets can be opened")
        case .noKernelSupport?:
            return .problem(
                subject,
                "\(setting): this kernel opens no raw CAN sockets (EAFNOSUPPORT); module can_raw: \(module.text)",
                mend: module.mend
                    ?? "in a container or under a service's restrictions: allow AF_CAN there; see 'dashrig doctor' outside"
            )
        case .noAccess?:
            return .problem(
                subject, "\(setting): raw CAN sockets are not allowed here (EPERM)",
                mend: "in a container: allow the socket family AF_CAN there, or run the rig on the machine itself")
        case let error?:
            return .problem(subject, "\(setting): \(error)", mend: "see the daemon's log: journalctl -u dashrigd")
        }
    }

    /// Puts the drop-in where systemd reads it.
    private var copy: String {
        let folder = "/etc/systemd/system/\(Self.unit).d"
        if let prefix = machine.folder(of: Self.dropIn, among: ["/usr/local", "/usr"]) {
            return "sudo install -D -m 644 -t \(folder) \(prefix)/\(Self.dropIn)"
        }
        return
            "printf '[Service]\\nRestrictAddressFamilies=AF_CAN\\n' | sudo install -D -m 644 /dev/stdin \(folder)/can.conf"
    }
}
