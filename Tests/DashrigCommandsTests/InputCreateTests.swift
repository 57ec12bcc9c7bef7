import ClientTestKit
import Foundation
import Glibc
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol
import VirtualInput

@testable import DashrigCommands

/// `dashrig input create` on machines without uinput. With it: Tests/VM/smoke.
@Suite struct InputCreateTests {
    private static let keyboard = """
        # EVEMU 1.3
        N: Keys
        I: 0003 0001 0002 0100
        B: 01 02 00 00 60 00 00 00 00
        B: 01 00 00 00 00 00 00 10 00
        E: 0.000000 0001 0074 0001
        E: 0.000000 0000 0000 0000
        E: 0.100000 0004 0004 0001
        E: 0.100000 0001 001e 0001
        E: 0.100000 0000 0000 0000

        """

    @Test func withoutUinputItIsSaid() throws {
        let result = tool("input create knob")
        #expect(result.code == .failed && result.out.isEmpty)
        #expect(result.err.contains("there is no /nowhere/dev/uinput: load the module with \"sudo modprobe uinput\""))
        let json = try tool("input create touchpad --size 800x480 --slots 2 --name Pad --json").json
        #expect(json["error"] == "uinputAbsent")
    }

    @Test(arguments: [
        ("", "needs KIND, or --play FILE"), ("knob --play x", "KIND contradicts --play"),
        ("wheel", "is none of knob, touchpad, touchscreen"), ("knob --size 100x100", "a knob has no surface"),
        ("knob --slots 2", "a knob has no surface"), ("knob --loop 2", "--loop is for --play"),
        ("knob --delay 1s", "--delay is for --play"), ("touchpad --size 100", "is not WIDTHxHEIGHT"),
        ("touchpad --size 1x100", "at least 2 places"), ("touchpad --slots 0", "not between 1 and 100"),
        ("touchscreen --id 12345:1", "is not VENDOR:PRODUCT"), ("touchscreen --id 1234", "is not VENDOR:PRODUCT"),
        ("--play x --size 10x10", "--size contradicts --play"),
    ])
    func aWrongLineIsRefused(_ words: String, _ text: String) {
        let result = tool("input create \(words)")
        #expect(result.code == .usage, "\(words)")
        #expect(result.err.contains(text), "\(words): \(result.err)")
    }

    @Test func aRecordingIsReadBeforeAnythingIsMade() throws {
        let folder = try TestFolder()
        func play(_ text: String) throws -> ToolResult {
            let path = "\(folder.path)/r.evemu"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return tool("input create --play \(path)")
        }
        #expect(tool("input create --play /nowhere/r.evemu").code == .usage)
        let wrong = try play("N: Knob\nB: 02 zz\n")
        #expect(wrong.code == .usage && wrong.err.contains("r.evemu: line 2"))
        let bare = try play("E: 0.000000 0000 0000 0000\n")
        #expect(bare.code == .usage && bare.err.contains("no description of a device"))
        let impossible = try play("N: Pad\nB: 03 01 00\nA: 00 5 5 0 0\n")
        #expect(impossible.code == .usage && impossible.err.contains("from 5 to 5"))
        let good = try play(Self.keyboard)
        #expect(good.code == .failed && good.err.contains("modprobe uinput"))
    }

    /// The files of `input replay`, read in the same way.
    @Test func aRecordingOfLibinputIsReadToo() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/r.yml"
        try Data(InputReplayTests.libinput(["Griffin PowerMate", "Other"]).utf8).write(to: URL(fileURLWithPath: path))
        #if HAVE_YAML
            let unnamed = tool("input create --play \(path)")
            #expect(unnamed.code == .usage && unnamed.err.contains("--recorded names one of"), "\(unnamed.err)")
            let named = tool("input create --play \(path) --recorded Other")
            #expect(named.code == .failed && named.err.contains("r.yml: Other, 1 report\n"), "\(named.err)")
            #expect(named.err.contains("modprobe uinput"), "\(named.err)")
        #else
            #expect(tool("input create --play \(path)").err.contains("libyaml"))
        #endif
        try Data(Self.keyboard.utf8).write(to: URL(fileURLWithPath: path))
        #expect(tool("input create --play \(path) --recorded Keys").err.contains("--recorded is for others"))
        #expect(tool("input create knob --recorded Keys").err.contains("--recorded is for --play"))
    }

    @Test func whatOfARecordingIsNotMadeIsTold() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/k.evemu"
        try Data(Self.keyboard.utf8).write(to: URL(fileURLWithPath: path))
        let result = tool("input create --play \(path)")
        #expect(result.err.contains("k.evemu: Keys, 1 report\n"))
        #expect(
            result.err.contains(
                "made without keys that the machine itself would act on: KEY_LEFTCTRL, KEY_POWER; they were pressed "
                    + "1 time, which is left out\n"), "\(result.err)")
        #expect(result.err.contains("the kernel's text console hears them too"))
    }

    /// What is said of a device from its making to its end, where people or scripts read it.
    private static func said(isJSON: Bool) throws -> (out: String, err: String) {
        let (results, words) = (MemorySink(), MemorySink())
        let output = Output(results: results, words: words)
        output.isJSON = isJSON
        let report = VirtualInputReport(output: output)
        report.note("made without keys")
        try report.tell(
            VirtualInputReport.Ready(
                node: "/dev/input/event5", sysname: "input12", syspath: "/sys/input12", name: "Knob\u{7}",
                isKnownToUdev: false, notes: ["made without keys"]))
        try report.echo("half")
        try report.refuse(VirtualInputProblem(line: 3, text: "what is that"))
        try report.echo("whole")
        report.tell(
            VirtualInputReport.Totals(
                reports: 2, events: 3, unfinished: 1, refusedLines: 1, latest: 340_000, leftOut: isJSON ? 4 : nil))
        output.flush()
        return (results.text, words.text)
    }

    @Test func standardOutputHasWhatScriptsWaitFor() throws {
        let (out, err) = try Self.said(isJSON: false)
        #expect(out == "ready: /dev/input/event5 (input12) \"Knob\\u{7}\"\nhalf\nwhole\n")
        #expect(
            err == """
                made without keys
                no udev runs here: nobody has set the node's group, and a rig does not hear of it
                dashrig: line 3, field 1: what is that
                1 event without a SYN_REPORT behind: not sent
                3 events in 2 reports, 1 line refused, the latest 0.3ms late

                """)
    }

    @Test func withJSONAllIsOnStandardOutputInItsOrder() throws {
        let (out, err) = try Self.said(isJSON: true)
        #expect(err.isEmpty)
        let objects = try out.split(separator: "\n").map { try JSON.parse(String($0)) }
        #expect(
            objects == [
                [
                    "node": "/dev/input/event5", "sysname": "input12", "syspath": "/sys/input12", "name": "Knob\u{7}",
                    "udev": false, "notes": ["made without keys"],
                ],
                ["echo": "half"], ["error": "badLine", "line": 3, "field": 1, "text": "what is that"],
                ["echo": "whole"],
                [
                    "reports": 2, "events": 3, "unfinished": 1, "refusedLines": 1, "latestMicroseconds": 340,
                    "leftOut": 4,
                ],
            ], "\(out)")
    }

    @Test func whoReadsNoMoreEndsIt() throws {
        let results = MemorySink()
        results.failure = .readerGone
        let report = VirtualInputReport(output: Output(results: results, words: MemorySink()))
        #expect(throws: CommandLineFailure.output(.readerGone)) { try report.echo("half") }
    }

    /// This machine's own: only where it has none.
    static let hasUinput = access("/dev/uinput", F_OK) == 0

    @Test(.enabled(if: !hasUinput, "this machine has uinput")) func asAProcess() throws {
        let child = try ChildProcess(
            ChildSpecification(ProcessTests.path, ["input", "create", "knob"], environment: Environment.current()))
        #expect(try child.wait(until: SystemClock.monotonicNow() + 10_000_000_000) == .exited(1))
        #expect(child.output.isEmpty)
        #expect(
            String(decoding: child.errorOutput, as: UTF8.self)
                == "dashrig: there is no /dev/uinput: load the module with \"sudo modprobe uinput\"; where there is none, "
                + "the kernel has no uinput. \"dashrig doctor\" says more\n")
    }
}
