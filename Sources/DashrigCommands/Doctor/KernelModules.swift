/// Which of the kernel's modules are there.
struct KernelModules {
    /// Where a module is.
    enum Place: Equatable {
        /// In the kernel, loaded or built in.
        case loaded
        /// On disk, to be loaded.
        case available
        /// Not in this kernel.
        case absent
    }

    private let machine: Machine
    /// The modules of this kernel, on disk and built in, as depmod lists them.
    private let list: String

    init(machine: Machine) {
        self.machine = machine
        let folder = "/lib/modules/\(machine.attribute("/proc/sys/kernel/osrelease") ?? "")"
        list = (machine.text("\(folder)/modules.dep") ?? "") + (machine.text("\(folder)/modules.builtin") ?? "")
    }

    /// Where a module is; its name with `_`.
    func place(_ name: String) -> Place {
        if machine.exists("/sys/module/\(name)") { return .loaded }
        let file = "/\(String(name.map { $0 == "_" ? "-" : $0 })).ko"
        return list.contains(file) || list.contains("/\(name).ko") ? .available : .absent
    }

    /// What is to be said of a module that not everybody needs.
    func finding(_ name: String, purpose: String) -> Finding {
        let subject = "module \(name)"
        switch place(name) {
        case .loaded: return .ok(subject, "loaded: \(purpose)")
        case .available: return .note(subject, "not loaded; only for \(purpose)", mend: "sudo modprobe \(name)")
        case .absent:
            return .note(
                subject, "this kernel has none; only for \(purpose)",
                mend: "use a kernel with it, for instance Debian's linux-image-amd64 in a VM (make test-vm)")
        }
    }
}
