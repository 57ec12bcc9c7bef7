import DeviceTestKit
import Glibc
import LinuxIO
import Testing

/// `dashrig input record` as its own process, on a node under umockdev.
@Suite(.serialized, .enabled(if: DeviceTestbed.isAvailable, Comment(rawValue: DeviceTestbed.skipReason)))
struct InputRecordTests {
    private static var program: String {
        get throws { String(try RunningDaemon.program.dropLast()) }
    }

    /// A recording that has begun.
    private final class Recording {
        let folder: String
        let child: ChildProcess
        var file: String { "\(folder)/knob.evemu" }
        var text: String {
            String(decoding: (try? FileContents.read(file, limit: 1 << 24)) ?? [], as: UTF8.self)
        }

        init(_ testbed: DeviceTestbed, _ node: String, _ more: [String] = []) throws {
            folder = try RunningDaemon.privateFolder()
            child = try testbed.launch(
                try InputRecordTests.program, ["input", "record", node, "-o", "\(folder)/knob.evemu"] + more)
        }

        deinit {
            unlink(file)
            rmdir(folder)
        }
    }

    private func ended(_ recording: Recording) throws -> (exit: ChildExit, words: String) {
        let exit = try #require(try recording.child.wait(until: RunningDaemon.soon()), "it does not end")
        return (exit, String(decoding: recording.child.output + recording.child.errorOutput, as: UTF8.self))
    }

    @Test func whatAKnobSendsIsInTheFileAndReadsAsThat() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob(InputStage.patient(1))
        let recording = try Recording(testbed, knob.node)
        #expect(InputStage.comes { recording.text.contains("\nB: 03") })
        knob.rotate(100)
        knob.rotate(-30)
        knob.press(for: 20_000_000)
        #expect(
            InputStage.comes { recording.text.split(separator: "\n").count { $0.hasSuffix("0001 0100 0000") } == 1 })
        try recording.child.signal(SIGINT)
        let end = try ended(recording)
        #expect(end.exit == .exited(4), "\(end.words)")
        #expect(end.words.contains("132 events in 132 reports") && end.words.contains("nothing lost"), "\(end.words)")
        let lines = recording.text.split(separator: "\n")
        #expect(lines.first == "# EVEMU 1.3" && lines.contains("N: \(knob.profile.name)"))
        #expect(lines.first { $0.hasPrefix("E:") }?.hasPrefix("E: 0.000000 0002 0007 0001") == true)

        let replay = try ChildProcess(
            ChildSpecification(try Self.program, ["input", "replay", recording.file, "--dry-run"]))
        #expect(try replay.wait(until: RunningDaemon.soon()) == .exited(0))
        let told = String(decoding: replay.output, as: UTF8.self).split(separator: "\n")
        #expect(told.count { $0.hasSuffix("knob  rotate 1") } == 100)
        #expect(told.count { $0.hasSuffix("knob  rotate -1") } == 30)
        #expect(told.count { $0.hasSuffix("knob  press") } == 1)
        #expect(told.count { $0.contains("knob  release after ") } == 1, "\(told.suffix(4))")
    }

    @Test func itEndsInTime() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let recording = try Recording(testbed, knob.node, ["--for", "300ms", "--json"])
        let end = try ended(recording)
        #expect(end.exit == .exited(0))
        #expect(end.words.contains("\"reports\":0") && end.words.contains("\"losses\":0"), "\(end.words)")
    }

    @Test func anUnpluggedDeviceIsToldAndTheFileIsWhole() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let recording = try Recording(testbed, knob.node)
        #expect(InputStage.comes { recording.text.contains("\nB: 03") })
        knob.rotate(1)
        #expect(InputStage.comes { recording.text.contains("0002 0007 0001") })
        testbed.remove(knob)
        let end = try ended(recording)
        #expect(end.exit == .exited(1))
        #expect(end.words.contains("the device was unplugged"), "\(end.words)")
        #expect(recording.text.hasSuffix("0000 0000 0000\n"))
    }

    /// The kernel's ring runs over while the recorder is stopped: that is told, and marked in the file.
    @Test func aLossIsToldAndMarked() throws {
        let testbed = try DeviceTestbed()
        let knob = try testbed.addKnob()
        let recording = try Recording(testbed, knob.node)
        #expect(InputStage.comes { recording.text.contains("\nB: 03") })
        try recording.child.signal(SIGSTOP)
        for step in 0..<500 { knob.report([(2, 7, step % 2 == 0 ? 1 : 2)]) }
        knob.press()
        try recording.child.signal(SIGCONT)
        #expect(InputStage.comes { recording.text.contains("# events were lost") })
        try recording.child.signal(SIGTERM)
        let end = try ended(recording)
        #expect(end.words.contains("events lost once"), "\(end.words)")
        let lines = recording.text.split(separator: "\n")
        let mark = try #require(lines.firstIndex { $0.hasPrefix("# events were lost") })
        #expect(lines[mark + 1].hasSuffix("0001 0100 0001"))
    }

    @Test func aDeviceOfTheRigIsFoundByItsName() throws {
        let testbed = try DeviceTestbed()
        let daemon = try RunningDaemon(environment: testbed.environment, devices: true)
        let watcher = try InputStage.watch(daemon)
        let knob = try testbed.addKnob(InputStage.patient(1))
        _ = try watcher.events(until: "device.attached")
        _ = try testbed.addKnob(InputStage.patient(2))
        let recording = try Recording(
            testbed, "knob-1", ["--for", "300ms", "--json", "--socket-dir", daemon.folder])
        let end = try ended(recording)
        #expect(end.exit == .exited(0), "\(end.words)")
        #expect(end.words.contains("\"node\":\"\(knob.node)\""), "\(end.words)")
    }

    @Test func whatIsNoDeviceLeavesTheFileAlone() throws {
        let testbed = try DeviceTestbed()
        let recording = try Recording(testbed, "event77")
        let end = try ended(recording)
        #expect(end.exit == .exited(1))
        #expect(end.words.contains("/dev/input/event77"), "\(end.words)")
        #expect(access(recording.file, F_OK) != 0)
    }
}
