import ClientTestKit
import DashrigClient
import Foundation
import Glibc
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

@Suite struct FailureTests {
    @Test func noRigSaysHowToStartOne() throws {
        let folder = try TestFolder()
        let result = tool("status --socket-dir \(folder.path)")
        #expect(result.code == .rig && result.out.isEmpty)
        #expect(result.err.hasPrefix("dashrig: no rig is running: there is no socket \(folder.path)/org.dashrig.Rig."))
        #expect(result.err.contains("dashrigd --socket-dir DIR"))
        let json = try tool("status --json --socket-dir \(folder.path)").json
        #expect(json["error"] == "notRunning" && json["text"]?.stringValue?.contains("no rig is running") == true)
    }

    @Test func anErrorInJSONIsOneObjectAndNothingElse() throws {
        let folder = try TestFolder()
        for line in ["status", "fly", "knob rotate x", "watch", "run /nowhere.rig", "launch A"] {
            let result = tool("\(line) --json --socket-dir \(folder.path)")
            #expect(result.err.isEmpty, "\(line)")
            #expect(try result.json.keys.contains("error"), "\(line)")
        }
    }

    @Test func aPermissionNamesTheGroup() throws {
        guard geteuid() != 0 else { return try permissionAsAnother() }
        let folder = try TestFolder()
        let rig = try FakeRig(folder.path) { _, _ in }
        defer { rig.stop() }
        chmod(rig.directory.socket(.rig), 0)
        let result = tool("status", rig: rig)
        #expect(result.code == .rig && result.err.contains("it is for the group"))
    }

    /// Root may do everything; the words are those of the failure all the same.
    private func permissionAsAnother() throws {
        let failure = CommandLineFailure.rig(.notPermitted(path: "/run/dashrig/org.dashrig.Rig", group: "dashrig"))
        #expect(failure.exitCode == .rig && failure.name == "notPermitted")
        #expect(failure.text.contains("it is for the group dashrig") && failure.text.contains("usermod -aG dashrig"))
    }

    @Test func aDaemonThatClosesInTheMiddleIsSaid() throws {
        try withRig { _, peer in
            peer.close()
        } body: { rig throws in
            let result = tool("mark x", rig: rig)
            #expect(result.code == .rig)
            #expect(result.err.contains("closed the connection before it answered org.dashrig.Rig.Mark"))
        }
    }

    @Test func garbageIsSaid() throws {
        try withRig { _, peer in
            peer.send(Array("HTTP/1.0 200 OK\r\n\0".utf8))
        } body: { rig throws in
            let result = tool("status", rig: rig)
            #expect(result.code == .rig && result.err.contains("is not the rig that this program knows"))
        }
    }

    @Test func silenceEndsWithTheTimeout() throws {
        try withRig { _, _ in
        } body: { rig throws in
            let result = tool("status --timeout 60ms", rig: rig)
            #expect(result.code == .rig)
            #expect(result.err.contains("did not answer org.dashrig.Rig.GetState within 60 ms"))
            #expect(try tool("status --timeout 60ms --json", rig: rig).json["error"] == "timedOut")
        }
    }

    @Test func aLongWaitIsExplainedToWhoWatches() throws {
        try withRig { _, _ in
        } body: { rig throws in
            let result = tool("status --timeout 2300ms", rig: rig, terminal: 80)
            #expect(result.err.contains("waiting for the rig (2 s, Ctrl-C stops)"))
            let quiet = tool("status --timeout 60ms", rig: rig)
            #expect(!quiet.err.contains("waiting"))
        }
    }

    @Test func anInterruptionIsFour() throws {
        let pipe = try LinuxIO.Pipe()
        _ = pipe.writer.write([1])
        try withRig { _, _ in
        } body: { rig throws in
            for line in ["status", "mark x", "plug iphone", "doctor", "version"] {
                let result = tool(line, rig: rig, interrupt: pipe.reader.rawValue)
                #expect(result.code == .interrupted, "\(line)")
                #expect(result.err.contains("interrupted"), "\(line)")
            }
            for line in ["watch", "launch A"] {
                let result = tool(line, rig: rig, interrupt: pipe.reader.rawValue)
                #expect(result.code == (line == "watch" ? .interrupted : .rig), "\(line)")
            }
        }
    }

    static let refusals: [(error: String, fields: JSONObject, code: ExitCode, text: String)] = [
        (
            "org.dashrig.Rig.UnknownDevice", ["id": "iphone1", "known": ["iphone-1", "b"]], .failed,
            "did you mean \"iphone-1\"?"
        ),
        ("org.dashrig.Rig.UnknownDevice", ["id": "x", "known": []], .failed, "nothing is plugged in"),
        ("org.dashrig.Rig.StaleDevice", ["id": "a", "generation": 4], .failed, "generation 4"),
        ("org.dashrig.Rig.NotPermitted", ["text": "only root"], .failed, "only root"),
        ("org.dashrig.Rig.LimitReached", ["limit": "devices", "value": 64], .failed, "the limit devices of 64"),
        ("org.dashrig.Rig.Busy", ["owner": "run demo", "since": 3], .failed, "in use by run demo"),
        (
            "org.dashrig.Rig.RuleBroken", ["rule": "r", "reason": "why", "confidence": "high"], .failed,
            "rule r is broken: why"
        ),
        ("org.varlink.service.InvalidParameter", ["parameter": "device"], .failed, "'device'"),
        ("org.varlink.service.InvalidParameter", ["parameter": "generation"], .usage, "'generation'"),
        ("org.varlink.service.MethodNotFound", ["method": "a.B"], .rig, "does not know a.B"),
        ("org.varlink.service.MethodNotImplemented", ["method": "a.B"], .rig, "not in this version"),
        ("org.varlink.service.InterfaceNotFound", ["interface": "a.b"], .rig, "does not serve a.b"),
        ("org.varlink.service.PermissionDenied", [:], .failed, "does not let this user"),
        ("com.example.Other", ["a": 1], .failed, "com.example.Other"),
    ]

    @Test(arguments: refusals.indices) func aRefusalHasItsCodeAndWords(_ index: Int) throws {
        let (error, fields, code, text) = Self.refusals[index]
        try withRig { _, peer in
            peer.fail(error, fields)
        } body: { rig throws in
            let result = tool("unplug iphone1", rig: rig)
            #expect(result.code == code)
            #expect(result.err.contains(text), "\(result.err)")
            let json = try tool("unplug iphone1 --json", rig: rig).json
            #expect(json["error"] == .string(error))
            #expect((json["parameters"] ?? .object([:])) == .object(fields))
        }
    }

    @Test func theRigsOwnWordsAreShown() throws {
        try withRig { _, peer in
            peer.fail("org.varlink.service.InvalidParameter", ["parameter": "name"], text: "name: 'a b' has a space")
        } body: { rig throws in
            #expect(tool("unplug a", rig: rig).err.hasPrefix("dashrig: name: 'a b' has a space\n"))
        }
    }

    @Test func usageErrorsPointToHelp() {
        let result = tool("knob rotate")
        #expect(result.code == .usage && result.out.isEmpty)
        #expect(
            result.err == """
                dashrig: knob rotate needs N: how many detents; negative is counterclockwise
                See: dashrig help knob rotate

                """)
    }

    @Test func noWordsShowWhatThereIs() {
        let result = tool("")
        #expect(result.code == .usage && result.out.isEmpty && result.err.contains("Usage: dashrig COMMAND"))
    }

    @Test func helpGoesToStandardOutput() throws {
        for line in ["help", "--help", "-h"] {
            let result = tool(line)
            #expect(result.code == .done && result.err.isEmpty && result.out.contains("plug in a virtual device"))
        }
        #expect(tool("help knob rotate").out == tool("knob rotate --help").out)
        #expect(tool("help konb").code == .usage)
        #expect(tool("help konb").err.contains("did you mean \"knob\"?"))
        #expect(try tool("help plug --json").json["usage"] == "dashrig plug PROFILE [options]")
        #expect(try tool("help --json").json["exitCodes"]?.arrayValue?.count == 5)
    }

    @Test func anOutputThatCannotBeWrittenIsNotSuccess() throws {
        try withRig(answers: QueryCommandTests.state) { rig throws in
            for (failure, code) in [
                (OutputFailure.readerGone, ExitCode.interrupted), (.refused("No space left on device (ENOSPC)"), .rig),
            ] {
                let results = MemorySink()
                results.failure = failure
                let words = MemorySink()
                let found = DashrigTool.run(
                    ["status"], environment: Environment(["DASHRIG_SOCKET_DIR": rig.directory.path]), results: results,
                    words: words, interrupt: nil, machine: Machine(root: "", uid: 0, groups: []))
                #expect(found == code)
                #expect(words.text.isEmpty == (code == .interrupted))
            }
        }
    }
}
