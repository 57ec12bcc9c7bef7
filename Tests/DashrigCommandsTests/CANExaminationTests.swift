import CANInput
import ClientTestKit
import Foundation
import Glibc
import LinuxIO
import Testing

@testable import DashrigCommands

@Suite struct CANExaminationTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try put("/proc/sys/kernel/osrelease", "6.1.0\n")
        try put("/lib/modules/6.1.0/modules.dep", "kernel/net/can/can-raw.ko.xz: kernel/net/can/can.ko.xz\n")
    }

    private func put(_ path: String, _ text: String = "") throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private static let libraries = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"]

    private func findings(isService: Bool = true, refusal: CANError? = nil) -> [Finding] {
        let machine = Machine(root: folder.path, uid: 1_000, groups: [], canSockets: { refusal })
        return CANExamination(
            machine: machine, modules: KernelModules(machine: machine), isService: isService,
            units: Self.libraries.map { "\($0)/systemd/system" }
        ).examine()
    }

    /// The one finding, and nothing of the module beside it.
    private func finding(isService: Bool = true, refusal: CANError? = nil) throws -> Finding {
        let found = findings(isService: isService, refusal: refusal)
        #expect(found.count == 1)
        return try #require(found.first)
    }

    private static let setting = "[input]\ncan = can0:idrive-g\n"

    @Test func whereNoControllerIsNamedNothingIsMissing() throws {
        #expect(try finding(refusal: .noKernelSupport).state == .note)
        try put("/etc/dashrig/dashrig.ini", "[input]\ngrab = no\n")
        try put("/usr/lib/systemd/system/dashrigd.service", "RestrictAddressFamilies=AF_UNIX\n")
        let module = try finding(refusal: .noKernelSupport)
        #expect(module.subject == "module can_raw" && module.state == .note)
    }

    @Test func aServiceWithoutTheDropInIsTheProblemAndItsMendIsOneCommand() throws {
        try put("/etc/dashrig/dashrig.ini.d/can.ini", Self.setting)
        try put(
            "/usr/local/lib/systemd/system/dashrigd.service", "[Service]\nRestrictAddressFamilies=AF_UNIX AF_NETLINK\n")
        // Whatever this process may do: the service is another one.
        for refusal in [nil, CANError.noKernelSupport, .noAccess("PF_CAN")] {
            let found = try finding(refusal: refusal)
            #expect(found.state == .problem && found.subject == "can")
            #expect(
                found.text == "[input] can = can0:idrive-g: the service may not open CAN sockets (EAFNOSUPPORT): "
                    + "RestrictAddressFamilies of its unit has no AF_CAN")
            #expect(
                found.mend?.hasPrefix("printf '[Service]\\nRestrictAddressFamilies=AF_CAN\\n' | sudo install") == true)
        }
        try put("/usr/local/share/dashrig/systemd/can.conf")
        #expect(
            try finding().mend == "sudo install -D -m 644 -t /etc/systemd/system/dashrigd.service.d "
                + "/usr/local/share/dashrig/systemd/can.conf && sudo systemctl daemon-reload && "
                + "sudo systemctl restart dashrigd")
        // A rig of one's own has no unit.
        #expect(try finding(isService: false).state == .ok)
        try put("/etc/systemd/system/dashrigd.service.d/can.conf", "[Service]\nRestrictAddressFamilies=AF_CAN\n")
        #expect(try finding() == .ok("can", "[input] can = can0:idrive-g: CAN sockets can be opened"))
    }

    @Test func aRefusedSocketIsNamedWithWhatItNeeds() throws {
        try put("/etc/dashrig/dashrig.ini", Self.setting)
        for isService in [true, false] {
            let kernel = try finding(isService: isService, refusal: .noKernelSupport)
            #expect(
                kernel.state == .problem && kernel.text.contains("EAFNOSUPPORT")
                    && kernel.mend == "sudo modprobe can_raw")
            let denied = try finding(isService: isService, refusal: .noAccess("PF_CAN"))
            #expect(
                denied.state == .problem && denied.text.contains("EPERM") && denied.mend?.contains("AF_CAN") == true)
            let other = try finding(
                isService: isService, refusal: .system(SystemError("socket", EMFILE, "PF_CAN")))
            #expect(other.state == .problem && other.text.contains("EMFILE"))
        }
        try put("/sys/module/can_raw/refcnt")
        #expect(try finding(refusal: .noKernelSupport).mend?.contains("allow AF_CAN") == true)
    }

    @Test func aWrongConfigurationIsToldInItsPlace() throws {
        try put("/etc/dashrig/dashrig.ini", "[input]\ncan = can0:nothing\nfoo = 1\n")
        let found = findings()
        #expect(found.map(\.subject) == ["module can_raw", "configuration"])
        #expect(found.last?.state == .problem && found.last?.text.contains("/dashrig.ini:") == true, "\(found)")
    }

    /// The unit's lines, those of drop-ins in the order of their names, and whether a CAN socket is allowed.
    static let units: [(unit: String, dropIns: [String], isAllowed: Bool)] = [
        ("", [], true), ("RestrictAddressFamilies=AF_UNIX", [], false),
        ("RestrictAddressFamilies=AF_UNIX AF_CAN", [], true),
        ("RestrictAddressFamilies=none", [], false), ("RestrictAddressFamilies=~AF_CAN", [], false),
        ("RestrictAddressFamilies=~AF_INET", [], true),
        (" RestrictAddressFamilies = AF_UNIX\n#RestrictAddressFamilies=AF_CAN", [], false),
        ("RestrictAddressFamilies=AF_UNIX", ["RestrictAddressFamilies=AF_CAN"], true),
        ("RestrictAddressFamilies=AF_UNIX AF_CAN", ["RestrictAddressFamilies=~AF_CAN"], false),
        ("RestrictAddressFamilies=AF_UNIX", ["RestrictAddressFamilies="], true),
        ("RestrictAddressFamilies=AF_CAN", ["RestrictAddressFamilies=\nRestrictAddressFamilies=AF_UNIX"], false),
        ("RestrictAddressFamilies=~AF_CAN", ["RestrictAddressFamilies=AF_CAN"], true),
        (
            "RestrictAddressFamilies=AF_UNIX", ["RestrictAddressFamilies=AF_CAN", "RestrictAddressFamilies=~AF_CAN"],
            false
        ),
    ]

    @Test(arguments: units)
    func listsOfFamiliesAddUpAsInSystemd(unit: String, dropIns: [String], isAllowed: Bool) throws {
        let machine = Machine(root: folder.path, uid: 1_000, groups: [])
        let settings = UnitSettings(
            machine: machine, unit: "dashrigd.service", folders: Self.libraries.map { "\($0)/systemd/system" })
        #expect(settings.allows(family: "AF_CAN") == nil)
        try put("/usr/lib/systemd/system/dashrigd.service", "[Service]\n\(unit)\n")
        // The same name in /etc stands in the place of this one.
        try put("/usr/lib/systemd/system/dashrigd.service.d/0.conf", "RestrictAddressFamilies=AF_CAN AF_UNIX\n")
        try put("/etc/systemd/system/dashrigd.service.d/0.conf", "[Service]\n")
        for (number, lines) in dropIns.enumerated() {
            let library = number % 2 == 0 ? "/usr/lib" : "/run"
            try put("\(library)/systemd/system/dashrigd.service.d/\(number + 1).conf", "[Service]\n\(lines)\n")
        }
        #expect(settings.allows(family: "AF_CAN") == isAllowed)
    }

    /// The one that is shipped says what the mend says.
    @Test func theDropInThatIsShippedLetsTheShippedUnit() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("systemd")
        func text(_ name: String) throws -> String {
            try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
        }
        try put("/etc/dashrig/dashrig.ini", Self.setting)
        try put("/usr/lib/systemd/system/dashrigd.service", try text("dashrigd.service"))
        #expect(try finding().state == .problem)
        try put("/etc/systemd/system/dashrigd.service.d/can.conf", try text("drop-ins/can.conf"))
        #expect(try finding().state == .ok)
    }
}
