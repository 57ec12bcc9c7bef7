import ClientTestKit
import Foundation
import Glibc
import LinuxIO
import Testing
import VirtualInput

@testable import UinputDevice

@Suite struct NodeReadinessTests {
    private let folder: TestFolder
    /// What a device that was made 5 s after the start of the machine waits for.
    private let readiness: NodeReadiness

    init() throws {
        folder = try TestFolder()
        readiness = NodeReadiness(root: folder.path, sysname: "input7", created: 5_000_000_000)
    }

    private func put(_ path: String, _ text: String = "") throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    @Test func itIsReadyWhenUdevHasWrittenItsEntry() throws {
        var readiness = readiness
        #expect(readiness.syspath == "/sys/devices/virtual/input/input7")
        #expect(readiness.look() == .noNode)
        try put("/run/udev/control")
        try put("/sys/devices/virtual/input/input7/name", "Dashrig knob\n")
        try put("/sys/devices/virtual/input/input7/mouse0/dev", "13:32\n")
        #expect(readiness.look() == .noNode)
        try put("/sys/devices/virtual/input/input7/event3/dev", "13:67\n")
        // In sysfs, but not in /dev.
        #expect(readiness.look() == .noNode)
        try put("/dev/input/event3")
        #expect(readiness.look() == .udevBusy(node: "/dev/input/event3"))
        // Of another number, and of a device that had the number before.
        try put("/run/udev/data/c13:66", "I:6000000\n")
        try put("/run/udev/data/c13:67", "I:4999999\nE:ID_INPUT=1\n")
        #expect(readiness.look() == .udevBusy(node: "/dev/input/event3"))
        // Half an entry.
        try put("/run/udev/data/c13:67", "E:ID_INPUT=1\nI:x\n")
        #expect(readiness.look() == .udevBusy(node: "/dev/input/event3"))
        try put("/run/udev/data/c13:67", "E:ID_INPUT=1\nI:5000000\nG:dashrig\n")
        #expect(readiness.look() == .ready(node: "/dev/input/event3", byUdev: true))
    }

    @Test func withoutUdevTheKernelsNodeIsAllThereIs() throws {
        var readiness = readiness
        try put("/sys/devices/virtual/input/input7/event0/dev", "13:64\n")
        #expect(readiness.look() == .noNode)
        try put("/dev/input/event0")
        #expect(readiness.look() == .ready(node: "/dev/input/event0", byUdev: false))
    }

    @Test func whatWasThereAndIsNotIsGone() throws {
        var readiness = readiness
        #expect(readiness.look() == .noNode)
        try put("/sys/devices/virtual/input/input7/event0/dev", "13:64\n")
        try put("/dev/input/event0")
        #expect(readiness.look() == .ready(node: "/dev/input/event0", byUdev: false))
        // The node alone: udev may make it anew.
        unlink(folder.path + "/dev/input/event0")
        #expect(readiness.look() == .noNode)
        try FileManager.default.removeItem(atPath: folder.path + "/sys/devices/virtual/input/input7")
        #expect(readiness.look() == .gone)
        #expect(readiness.look() == .gone)
    }

    // MARK: What cannot be looked at

    /// What is looked at, in its order.
    enum Place: String, CaseIterable, Sendable {
        case folder = "/sys/devices/virtual/input/input7"
        case number = "/sys/devices/virtual/input/input7/event0/dev"
        case node = "/dev/input/event0"
        case udev = "/run/udev/control"
        case entry = "/run/udev/data/c13:64"
    }

    /// What is said when one of them answers with an error, where the device was not seen before, and where it was.
    static let errors:
        [(number: Int32, first: [Place: NodeReadiness.Progress], later: [Place: NodeReadiness.Progress])] = {
            func all(_ outcome: (Place) -> NodeReadiness.Progress) -> [Place: NodeReadiness.Progress] {
                Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, outcome($0)) })
            }
            func failed(_ number: Int32) -> [Place: NodeReadiness.Progress] {
                all { .failed(.system(SystemError("call", number, $0.rawValue))) }
            }
            let denied = all { .denied(path: $0.rawValue) }
            let node = Place.node.rawValue
            let absent: [Place: NodeReadiness.Progress] = [
                .folder: .noNode, .number: .noNode, .node: .noNode, .udev: .ready(node: node, byUdev: false),
                .entry: .udevBusy(node: node),
            ]
            let absentLater = absent.merging([.folder: .gone]) { $1 }
            // Once its folder could be read, it was there.
            let taken = all { $0 == .folder ? .noNode : .gone }
            return [
                (EACCES, denied, denied), (EPERM, denied, denied), (ENOENT, absent, absentLater),
                (ENODEV, taken, all { _ in .gone }), (ENXIO, taken, all { _ in .gone }),
                (EIO, failed(EIO), failed(EIO)),
                (EMFILE, failed(EMFILE), failed(EMFILE)), (ENOTDIR, failed(ENOTDIR), failed(ENOTDIR)),
            ]
        }()

    /// Files of a device that is ready, of which one may answer with an error.
    private final class Files: @unchecked Sendable {
        var place: Place?
        var number: Int32 = 0

        func readiness() -> NodeReadiness {
            var files = NodeFiles(root: "")
            files.names = { [self] path throws(FileError) in
                try check(path)
                return ["event0", "name"]
            }
            files.read = { [self] path throws(FileError) in
                try check(path)
                return Array((path == Place.number.rawValue ? "13:64\n" : "I:5000000\n").utf8)
            }
            files.look = { [self] path throws(FileError) in try check(path) }
            return NodeReadiness(files: files, sysname: "input7", created: 5_000_000_000)
        }

        private func check(_ path: String) throws(FileError) {
            if path == place?.rawValue { throw .system(SystemError("call", number, path)) }
        }
    }

    @Test(arguments: Place.allCases)
    func permissionAbsenceAndFailureAreToldApart(place: Place) {
        for (number, first, later) in Self.errors {
            let files = Files()
            var readiness = files.readiness()
            (files.place, files.number) = (place, number)
            #expect(readiness.look() == first[place], "errno \(number) at \(place), at first")
            files.place = nil
            #expect(readiness.look() == .ready(node: Place.node.rawValue, byUdev: true), "nothing stays of it")
            files.place = place
            #expect(readiness.look() == later[place], "errno \(number) at \(place), later")
        }
    }

    @Test func whatIsNoFileIsAFailure() throws {
        var readiness = readiness
        try put("/sys/devices/virtual/input/input7/event0/dev/x")
        let path = folder.path + "/sys/devices/virtual/input/input7/event0/dev"
        #expect(readiness.look() == .failed(.notAFile(path: path)))
        // A real error of reading: what procfs answers where nothing is mapped.
        try FileManager.default.removeItem(atPath: path)
        symlink("/proc/self/mem", path)
        #expect(readiness.look() == .failed(.system(SystemError("read", EIO, path))))
    }
}

@Suite struct UinputDeviceTests {
    @Test func withoutUinputItSaysWhatIsMissing() throws {
        let knob = try VirtualInputDevice(.knob)
        let folder = try TestFolder()
        #expect(throws: UinputError.absent("\(folder.path)/uinput")) {
            try UinputDevice(knob, at: "\(folder.path)/uinput", phys: "dashrig/test")
        }
        // Something else under its name.
        try Data().write(to: URL(fileURLWithPath: "\(folder.path)/uinput"))
        do {
            _ = try UinputDevice(knob, at: "\(folder.path)/uinput", phys: "dashrig/test")
            Issue.record("a file is no uinput")
        } catch {
            #expect(error.description.hasPrefix("UI_GET_VERSION uinput: "))
        }
    }

    @Test func everyErrorHasItsRemedy() {
        let errors: [(UinputError, String)] = [
            (.absent("/dev/uinput"), "modprobe uinput"), (.notLoaded("/dev/uinput"), "modprobe uinput"),
            (.noAccess("/dev/uinput"), "dashrig doctor"), (.tooOld(version: 4), "Linux 4.5"),
            (.noNode(sysname: "input7"), "modprobe evdev"), (.udevLate(node: "/dev/input/event3"), "--timeout"),
            (.nodeHidden(path: "/dev/input/event3"), "--timeout"), (.gone(sysname: "input7"), "journalctl -k"),
            (.unreadable(.notAFile(path: "/dev/input/event3")), "journalctl -k"),
        ]
        for (error, remedy) in errors { #expect(error.description.contains(remedy), "\(error)") }
        #expect(Set(errors.map(\.0.description)).count == errors.count)
    }
}
