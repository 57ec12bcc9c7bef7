internal import DashrigClient
internal import RigConfiguration
internal import RigModel

/// Looks at what the machine offers: rules, units, udev, modules, packages, and devices that the rig does not have.
struct MachineExamination {
    let machine: Machine
    /// Whether the rig is the installed service: then what is missing is a problem and not only good to know.
    let isService: Bool
    /// What the rig says, when one answered.
    let state: StateView?

    func examine() -> [Finding] {
        installation() + [udev()] + modules() + packages() + devices()
    }

    // MARK: Installation

    private static let libraries = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

    private func installation() -> [Finding] {
        let findings = installedParts()
        // A rig of one's own needs none of it: one line says so.
        if isService || !findings.contains(where: { $0.state != .ok }) { return findings }
        let absent = findings.filter { $0.state != .ok }.map(\.subject).joined(separator: ", ")
        return findings.filter { $0.state == .ok } + [
            .note(
                "service", "not installed: \(absent); a rig of your own needs it only for devices on cables",
                mend: "sudo make install; its last lines say what to do then")
        ]
    }

    private func installedParts() -> [Finding] {
        let rule = "72-dashrig.rules"
        let units = ["dashrigd.service", "dashrig-rig.socket", "dashrig-app.socket"]
        var findings: [Finding] = []
        if let folder = machine.folder(of: rule, among: Self.libraries.map { "\($0)/udev/rules.d" }) {
            findings.append(.ok("udev rule", "\(folder)/\(rule)"))
        } else {
            findings.append(
                .problem(
                    "udev rule", "\(rule) is not installed: plugged-in devices cannot be opened without root",
                    mend: "sudo make install, then: sudo udevadm control --reload && sudo udevadm trigger"))
        }
        let folders = Self.libraries.map { "\($0)/systemd/system" }
        let absent = units.filter { machine.folder(of: $0, among: folders) == nil }
        if absent.isEmpty {
            findings.append(.ok("units", units.joined(separator: ", ")))
        } else {
            findings.append(
                .problem(
                    "units", "not installed: \(absent.joined(separator: ", "))",
                    mend: "sudo make install && sudo systemctl daemon-reload"))
        }
        for interface in SocketInterface.allCases where machine.group(interface.group) == nil {
            findings.append(
                .problem("group \(interface.group)", "there is no such group", mend: "sudo systemd-sysusers"))
        }
        return findings
    }

    // MARK: Kernel

    private func udev() -> Finding {
        if machine.exists("/run/udev/control") { return .ok("udev", "it runs") }
        return .note(
            "udev", "it does not run here: devices on cables are not found (virtual ones are)",
            mend: "not in a container; on a machine: sudo systemctl start systemd-udevd")
    }

    private func modules() -> [Finding] {
        let modules = KernelModules(machine: machine)
        let bus = modules.finding("vhci_hcd", purpose: "virtual phones on the kernel's own USB bus")
        let can = CANExamination(
            machine: machine, modules: modules, isService: isService,
            units: Self.libraries.map { "\($0)/systemd/system" })
        return [bus] + can.examine() + UinputExamination(machine: machine, modules: modules).examine()
    }

    // MARK: Packages

    /// What is only needed to build or to test: the package, a file that shows that it is there, and what for.
    private static let optional = [
        ("libusb-1.0-0-dev", "/usr/include/libusb-1.0/libusb.h", "to build"),
        ("libudev-dev", "/usr/include/libudev.h", "to build"),
        ("libumockdev-dev", "/usr/include/umockdev-1.0/umockdev.h", "for tests on mock devices"),
        ("umockdev", "/usr/bin/umockdev-wrapper", "for tests on mock devices"),
        ("qemu-system-x86", "/usr/bin/qemu-system-x86_64", "for tests in a VM"),
    ]

    private func packages() -> [Finding] {
        let absent = Self.optional.filter { !machine.exists($0.1) }
        if absent.isEmpty {
            return [.ok("packages", Self.optional.map(\.0).joined(separator: ", "))]
        }
        return absent.map {
            .note("package \($0.0)", "not installed; only \($0.2)", mend: "sudo apt-get install \($0.0)")
        }
    }

    // MARK: Devices

    /// A device on the bus that would be one for the rig.
    private struct Candidate {
        let port: String
        let name: String
        let profile: String
        let node: String?
    }

    private func devices() -> [Finding] {
        let candidates = candidates()
        guard let state else {
            return candidates.map {
                .note("port \($0.port)", "\($0.name) is plugged in (profile \($0.profile)); no rig was asked about it")
            }
        }
        let known = state.devices.map(\.port)
        let strangers = candidates.filter { !known.contains($0.port) }
        if strangers.isEmpty {
            let count = candidates.count
            return [
                .ok("bus", count == 0 ? "no phone, dongle or head unit is on it" : "the rig has all \(count) devices")
            ]
        }
        return strangers.map { stranger in
            let text = "\(stranger.name) (profile \(stranger.profile)) is on the bus, but the rig does not have it"
            if let node = stranger.node, let facts = machine.facts(node), facts.groupName != "dashrig-devices" {
                return .problem(
                    "port \(stranger.port)", "\(text): \(node) belongs to the group \(facts.groupName)",
                    mend: "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=usb")
            }
            return .problem(
                "port \(stranger.port)", text,
                mend: "a rig that was started with --no-usb or with a port filter leaves it alone; else look at the log"
            )
        }
    }

    private func candidates() -> [Candidate] {
        let bus = "/sys/bus/usb/devices"
        var found: [Candidate] = []
        // Interfaces have a colon in their names, root hubs begin with "usb".
        for port in machine.names(bus) where !port.contains(":") && !port.hasPrefix("usb") {
            let folder = "\(bus)/\(port)"
            guard let bytes = machine.bytes("\(folder)/descriptors"), let read = try? USBDescriptors.parse(bytes) else {
                continue
            }
            func text(_ name: String) -> String { machine.attribute("\(folder)/\(name)") ?? "" }
            let device = USBDeviceDescription(
                vendor: read.vendor, product: read.product, release: read.release, deviceClass: read.deviceClass,
                manufacturer: text("manufacturer"), model: text("product"), serial: text("serial"), port: port,
                configurations: read.configurations, activeConfiguration: UInt8(text("bConfigurationValue")))
            guard let profile = DeviceTable.shipped.classify(device) else { continue }
            let name = device.model.isEmpty ? "\(hexadecimal(read.vendor)):\(hexadecimal(read.product))" : device.model
            found.append(
                Candidate(
                    port: port, name: name, profile: profile.facts(of: device).profile,
                    node: node(bus: text("busnum"), device: text("devnum"))))
        }
        return found
    }

    private func node(bus: String, device: String) -> String? {
        guard let bus = UInt16(bus), let device = UInt16(device) else { return nil }
        func three(_ number: UInt16) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        }
        return "/dev/bus/usb/\(three(bus))/\(three(device))"
    }

    private func hexadecimal(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
