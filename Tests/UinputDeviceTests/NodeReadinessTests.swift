import ClientTestKit
import Foundation
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
        try put("/sys/devices/virtual/input/input7/event0/dev", "13:64\n")
        #expect(readiness.look() == .noNode)
        try put("/dev/input/event0")
        #expect(readiness.look() == .ready(node: "/dev/input/event0", byUdev: false))
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
        ]
        for (error, remedy) in errors { #expect(error.description.contains(remedy), "\(error)") }
        #expect(Set(errors.map(\.0.description)).count == errors.count)
    }
}
