import ClientTestKit
import DashrigClient
import Foundation
import Glibc
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// A machine below a folder of the test.
private struct FakeMachine {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    func put(_ path: String, _ text: String = "") throws { try put(path, Data(text.utf8)) }

    func put(_ path: String, _ data: Data) throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// Everything that an installed rig has.
    func installAll() throws {
        try put("/usr/local/lib/udev/rules.d/72-dashrig.rules")
        for unit in ["dashrigd.service", "dashrig-rig.socket", "dashrig-app.socket"] {
            try put("/usr/local/lib/systemd/system/\(unit)")
        }
        try put("/etc/group", "root:x:0:\ndashrig:x:900:anna,berta\ndashrig-app:x:901:\n")
        try put("/etc/passwd", "root:x:0:0::/:/bin/sh\nberta:x:1000:1000::/:/bin/sh\n")
        try put("/run/udev/control")
        try put("/proc/sys/kernel/osrelease", "6.1.0\n")
        try put("/lib/modules/6.1.0/modules.dep", "kernel/drivers/usb/usbip/vhci-hcd.ko.xz: kernel/x.ko\n")
        try put("/sys/module/can_raw/refcnt")
        try put("/sys/module/uinput/refcnt")
        try put("/dev/uinput")
        chmod(folder.path + "/dev/uinput", 0o666)
        for file in [
            "/usr/include/libusb-1.0/libusb.h", "/usr/include/libudev.h", "/usr/include/umockdev-1.0/umockdev.h",
            "/usr/bin/umockdev-wrapper", "/usr/bin/qemu-system-x86_64",
        ] { try put(file) }
    }

    /// A USB device with one interface, as sysfs shows it.
    func plug(_ port: String, vendor: UInt16, product: UInt16, name: String, interface: [UInt8] = [0x06, 0x01, 0x01])
        throws
    {
        func low(_ value: UInt16) -> UInt8 { UInt8(value & 0xFF) }
        func high(_ value: UInt16) -> UInt8 { UInt8(value >> 8) }
        var bytes: [UInt8] = [18, 1, 0, 2, 0, 0, 0, 64, low(vendor), high(vendor), low(product), high(product)]
        bytes += [0, 1, 1, 2, 3, 1]
        bytes += [9, 2, 32, 0, 1, 1, 0, 0x80, 250, 9, 4, 0, 0, 2] + interface + [0]
        bytes += [7, 5, 0x81, 2, 0, 2, 0, 7, 5, 0x02, 2, 0, 2, 0]
        try put("/sys/bus/usb/devices/\(port)/descriptors", Data(bytes))
        for (file, text) in [("product", name), ("busnum", "1"), ("devnum", "7"), ("bConfigurationValue", "1")] {
            try put("/sys/bus/usb/devices/\(port)/\(file)", text + "\n")
        }
        try put("/dev/bus/usb/001/007")
    }

    func machine(uid: UInt32 = 1_000, groups: [UInt32] = [1_000]) -> Machine {
        Machine(root: folder.path, uid: uid, groups: groups)
    }

    func findings(isService: Bool = true, state: JSONObject? = nil) -> [Finding] {
        let view = state.map { StateView(RecordValue($0)) }
        return MachineExamination(machine: machine(), isService: isService, state: view).examine()
    }
}

@Suite struct MachineExaminationTests {
    private func finding(_ subject: String, _ findings: [Finding]) throws -> Finding {
        try #require(findings.first { $0.subject == subject }, "\(subject) in \(findings.map(\.subject))")
    }

    @Test func anInstalledMachineHasNoProblems() throws {
        let machine = try FakeMachine()
        try machine.installAll()
        let findings = machine.findings(state: SampleRig.state())
        #expect(findings.filter { $0.state == .problem } == [])
        #expect(try finding("udev rule", findings).text == "/usr/local/lib/udev/rules.d/72-dashrig.rules")
        #expect(try finding("module uinput", findings).state == .ok)
        #expect(try finding("uinput", findings).state == .ok)
        let module = try finding("module vhci_hcd", findings)
        #expect(module.state == .note && module.mend == "sudo modprobe vhci_hcd")
        #expect(try finding("packages", findings).state == .ok)
        #expect(try finding("bus", findings).text == "no phone, dongle or head unit is on it")
    }

    @Test func whatIsMissingForAServiceIsAProblem() throws {
        let machine = try FakeMachine()
        try machine.put("/etc/group", "root:x:0:\n")
        let findings = machine.findings()
        for subject in ["udev rule", "units", "group dashrig", "group dashrig-app"] {
            let found = try finding(subject, findings)
            #expect(found.state == .problem && found.mend != nil, "\(subject)")
        }
        #expect(try finding("udev", findings).state == .note)
        #expect(try finding("module uinput", findings).text.contains("this kernel has none"))
        #expect(try finding("package umockdev", findings).mend == "sudo apt-get install umockdev")
    }

    @Test func whatUinputLacksIsSaid() throws {
        let machine = try FakeMachine()
        try machine.put("/etc/passwd", "berta:x:1000:1000::/:/bin/sh\n")
        try machine.put("/proc/sys/kernel/osrelease", "6.1.0\n")
        let can = try finding("module can_raw", machine.findings())
        #expect(can.state == .note && can.text.contains("[input] can"))
        let absent = try finding("module uinput", machine.findings())
        #expect(absent.state == .note && absent.text.contains("this kernel has none; only for dashrig input create"))
        try machine.put("/lib/modules/6.1.0/modules.dep", "kernel/drivers/input/misc/uinput.ko.xz:\n")
        #expect(try finding("module uinput", machine.findings()).mend == "sudo modprobe uinput")
        try machine.put("/sys/module/uinput/refcnt")
        #expect(try finding("module uinput", machine.findings()).text.contains("loaded, but there is no /dev/uinput"))

        // The node, by its owner, group and mode; the test's own user owns it.
        try machine.put("/dev/uinput")
        let path = machine.folder.path + "/dev/uinput"
        func access(_ mode: mode_t, gid: gid_t? = nil, uid: UInt32 = 1_000, groups: [UInt32] = [1_000]) throws
            -> Finding
        {
            chmod(path, mode)
            if let gid { try #require(chown(path, uid_t.max, gid) == 0) }
            let machine = machine.machine(uid: uid, groups: groups)
            let modules = KernelModules(machine: machine)
            let findings = UinputExamination(machine: machine, modules: modules).examine()
            #expect(findings.count == 2 && findings[0].state == .ok)
            return try #require(findings.last)
        }
        let refused = try access(0o600)
        if getegid() == 0 {
            #expect(refused.state == .note && refused.text.contains("group root, mode 0600, and you may not write it"))
            #expect(refused.mend?.contains("/etc/udev/rules.d/70-uinput.rules") == true)
        }
        #expect(try access(0o600, uid: 0).state == .ok)
        #expect(try access(0o600, uid: geteuid()).state == .ok)
        #expect(try access(0o666).state == .ok)
        guard geteuid() == 0 else { return }
        let foreign = try access(0o660, gid: 54_321)
        #expect(foreign.mend == "sudo usermod -aG 54321 berta, then log in again; or use sudo")
        #expect(try access(0o660, gid: 54_321, groups: [54_321]).state == .ok)
        #expect(try access(0o640, gid: 54_321, groups: [54_321]).state == .note)
    }

    @Test func aRigOfOnesOwnNeedsNoInstallation() throws {
        let findings = try FakeMachine().findings(isService: false)
        #expect(findings.allSatisfy { $0.state != .problem })
        #expect(findings.filter { $0.subject == "service" }.count == 1)
    }

    @Test func aDeviceThatTheRigDoesNotHaveIsFound() throws {
        let machine = try FakeMachine()
        try machine.installAll()
        try machine.plug("1-1.4", vendor: 0x05AC, product: 0x12A8, name: "iPhone")
        try machine.plug("1-2", vendor: 0x0781, product: 0x5567, name: "Stick", interface: [0x08, 0x06, 0x50])
        try machine.put("/sys/bus/usb/devices/1-1:1.0/bInterfaceClass", "06\n")
        try machine.put("/sys/bus/usb/devices/usb1/descriptors", "nonsense")
        let strangers = machine.findings(state: SampleRig.state()).filter { $0.subject.hasPrefix("port") }
        #expect(strangers.map(\.subject) == ["port 1-1.4"])
        #expect(strangers.first?.state == .problem)
        #expect(strangers.first?.text.contains("iPhone (profile iphone) is on the bus") == true)
        // Its node is there and belongs to somebody else's group: the rule was not applied.
        #expect(strangers.first?.text.contains("belongs to the group") == true)

        var facts = SampleRig.device().facts
        facts.port = "1-1.4"
        let device = Device(id: DeviceID(1), name: "iphone-1", facts: facts, peer: .simulated, phone: nil)
        let known = machine.findings(state: SampleRig.state(devices: [device]))
        #expect(try finding("bus", known).text == "the rig has all 1 devices")
        let unasked = machine.findings(state: nil).filter { $0.subject == "port 1-1.4" }
        #expect(unasked.map(\.state) == [.note])
    }
}

@Suite struct DoctorCommandTests {
    @Test func aHealthyRigIsExitCodeZero() throws {
        let machine = try FakeMachine()
        try machine.installAll()
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, peer in peer.reply(["state": .object(SampleRig.full)]) }
        let app = try FakeRig(folder.path, .app) { _, _ in }
        defer {
            rig.stop()
            app.stop()
        }
        let result = tool("doctor", rig: rig, machine: machine.machine())
        #expect(result.code == .done && result.err.isEmpty)
        #expect(result.lines.first?.hasPrefix("ok       control socket") == true)
        #expect(result.lines.last == "No problems, 1 note.")
        let json = try tool("doctor --json", rig: rig, machine: machine.machine()).json
        #expect(json["problems"] == 0)
        #expect(json["findings"]?.arrayValue?.allSatisfy { $0.objectValue?["state"] != "problem" } == true)
        #expect(tool("doctor --problems", rig: rig, machine: machine.machine()).lines == ["No problems, 1 note."])
    }

    @Test func noRigIsAProblemWithItsRemedy() throws {
        let machine = try FakeMachine()
        try machine.installAll()
        let result = tool("doctor --problems --socket-dir /nowhere", machine: machine.machine())
        #expect(result.code == .failed)
        #expect(result.out.contains("there is no folder /nowhere"))
        #expect(result.out.contains("-> start it: dashrigd --socket-dir /nowhere"))
        #expect(result.lines.last?.hasPrefix("2 problems") == true)
    }

    @Test func anotherVersionAndFailedDevicesAreProblems() throws {
        let machine = try FakeMachine()
        try machine.installAll()
        let reason = Reason("authenticationRefused", .peer, "the phone refused")
        let device = SampleRig.device(state: .failed, session: nil, reason: reason)
        let state = SampleRig.state(devices: [device], version: "9.9.9")
        try withRig(answers: ["GetState": ["state": .object(state)]]) { rig throws in
            let result = tool("doctor --problems", rig: rig, machine: machine.machine())
            #expect(result.code == .failed)
            #expect(result.out.contains("the rig is 9.9.9, this tool \(ToolVersion.text)"))
            #expect(result.out.contains("its handshake failed: authenticationRefused: the phone refused"))
        }
    }

    @Test func aRigThatDoesNotAnswerIsAProblem() throws {
        let machine = try FakeMachine()
        try withRig { _, _ in
        } body: { rig throws in
            let result = tool("doctor --problems --timeout 60ms", rig: rig, machine: machine.machine())
            #expect(result.code == .failed && result.out.contains("takes connections, but does not answer"))
        }
    }
}
