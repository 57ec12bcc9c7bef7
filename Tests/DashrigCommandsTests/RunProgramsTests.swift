import ClientTestKit
import DashrigClient
import Foundation
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig run` runs the programs of a scenario and marks what they say.
@Suite struct RunProgramsTests {
    /// The peer whose run is under way.
    private final class Run: @unchecked Sendable {
        private let lock = NSLock()
        private var peer: FakeRig.Peer?

        func begin(_ peer: FakeRig.Peer) { lock.withLock { self.peer = peer } }
        func current() -> FakeRig.Peer? { lock.withLock { peer } }
    }

    /// A rig that begins these steps at once, and ends the run with the mark that begins so.
    private func marks(_ text: String, steps: [String], until end: String) throws -> (marks: [String], code: ExitCode) {
        let folder = try TestFolder()
        let path = "\(folder.path)/t.rig"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let run = Run()
        let handler: FakeRig.Handler = { call, peer in
            if call.method.hasSuffix(".Run") {
                run.begin(peer)
                for step in steps {
                    peer.reply(
                        ["entry": JSON(TimelineEntry(time: 0, kind: .step, text: step).record)], continues: true)
                }
            } else {
                peer.reply()
                guard call.parameters["text"]?.stringValue?.hasPrefix(end) == true else { return }
                run.current()?.reply(["verdict": JSON(RunCommandTests.verdict(.passed).record)])
            }
        }
        var result: (marks: [String], code: ExitCode) = ([], .rig)
        try withRig(.rig, handler) { rig throws in
            let code = tool("run \(path)", rig: rig).code
            #expect(rig.parameters(of: "Run")?["runsPrograms"] == true)
            result = (rig.calls.compactMap { $0.parameters["text"]?.stringValue }, code)
        }
        return result
    }

    @Test func linesAndExitCodesAreMarked() throws {
        let line = "exec build exit 3: echo one; echo two >&2; printf last; exit 3"
        let result = try marks(
            "\(line)\nexpect build /^t.o$/\nexpect build /o/\n", steps: [line], until: ProgramText.exit("build", 3))
        #expect(result.code == .done)
        #expect(
            result.marks == [
                "build: one ⟨2⟩", "build: two ⟨1⟩ ⟨2⟩", "build: last", ProgramText.exit("build", 3),
            ])
    }

    @Test func whatIsAttachedEndsWithTheRun() throws {
        let folder = try TestFolder()
        let escaped = "attach log: \"echo \\$\\$ > \(folder.path)/pid; echo up; sleep 100\""
        let result = try marks("\(escaped)\n", steps: [escaped], until: "log: up")
        #expect(result.code == .done && result.marks == ["log: up"])
        let text = try String(contentsOfFile: "\(folder.path)/pid", encoding: .utf8)
        let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(pid, 0) == -1, "its shell is gone")
    }

    @Test func aChattyProgramIsCutButNotWhereItMatches() throws {
        let line = "exec talk: seq 1 5000"
        let result = try marks("\(line)\nexpect talk /^4999$/\n", steps: [line], until: ProgramText.exit("talk", 0))
        #expect(result.marks.contains("talk: 4999 ⟨1⟩"))
        #expect(
            result.marks.count < 2_000 && result.marks.contains { $0.hasSuffix("more lines that no pattern matches") })
    }

    @Test func aWrongExpressionIsToldWithItsPlace() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/t.rig"
        try "attach log: x\nexpect log /a(/\n".write(toFile: path, atomically: true, encoding: .utf8)
        for command in ["run --check", "scenario check"] {
            let result = tool("\(command) \(path)")
            #expect(result.code == .usage && result.err.contains("\(path):2:12: /a(/ is no regular expression: "))
        }
    }
}
