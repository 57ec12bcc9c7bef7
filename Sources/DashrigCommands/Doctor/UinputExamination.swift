internal import DashrigClient

/// Looks at what `dashrig input create` needs: uinput, its node, the permission to write it, and udev with the rig's rule.
struct UinputExamination {
    let machine: Machine
    let modules: KernelModules

    private static let purpose = "dashrig input create (virtual knobs, touchpads and touchscreens)"
    private static let node = "/dev/uinput"

    func examine() -> [Finding] {
        let module = modules.finding("uinput", purpose: Self.purpose)
        guard let facts = machine.facts(Self.node) else { return [withoutNode(module)] }
        // The node can be there without its driver: opening it then loads the module. And it can be built in, so
        // that no list of modules has it.
        return (module.state == .ok ? [module] : []) + [access(facts)]
    }

    /// Without its node: the module's own words, unless it is loaded all the same.
    private func withoutNode(_ module: Finding) -> Finding {
        guard module.state == .ok else { return module }
        return .note(
            module.subject, "loaded, but there is no \(Self.node); only for \(Self.purpose)",
            mend: "in a container: hand the node in; on a machine: sudo udevadm trigger --name-match=uinput")
    }

    private func access(_ facts: SocketFacts) -> Finding {
        let subject = "uinput"
        if mayWrite(facts) {
            return .ok(subject, "\(Self.node) can be written: dashrig input create works")
        }
        let owner = "\(Self.node) belongs to the group \(facts.groupName), mode \(octal(facts.mode))"
        let text = "\(owner), and you may not write it; only for \(Self.purpose)"
        if facts.gid != 0 && facts.mode & 0o020 != 0 {
            let name = machine.userName ?? "$USER"
            return .note(
                subject, text, mend: "sudo usermod -aG \(facts.groupName) \(name), then log in again; or use sudo")
        }
        // Who may make input devices may type as whoever sits at the machine: no rule for it is shipped.
        return .note(
            subject, text,
            mend: "sudo dashrig input create ...; or, where all of the group dashrig may type on this machine, put "
                + "'SUBSYSTEM==\"misc\", KERNEL==\"uinput\", GROUP=\"dashrig\", MODE=\"0660\"' into "
                + "/etc/udev/rules.d/70-uinput.rules, then: sudo udevadm control --reload && sudo udevadm trigger "
                + "--name-match=uinput")
    }

    private func mayWrite(_ facts: SocketFacts) -> Bool {
        if machine.uid == 0 { return true }
        if facts.uid == machine.uid { return facts.mode & 0o200 != 0 }
        if machine.groups.contains(facts.gid) { return facts.mode & 0o020 != 0 }
        return facts.mode & 0o002 != 0
    }

    private func octal(_ mode: UInt32) -> String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
