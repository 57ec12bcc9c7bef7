import ClientTestKit
import DashrigClient
import Foundation
import Glibc
import LinuxIO
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig` as its own process.
@Suite struct ProcessTests {
    /// The program that this build made, beside the tests' bundle.
    static let path: String = {
        let own = CommandLine.arguments[0]
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
        let folder = URL(fileURLWithPath: own.contains(".build") ? own : bundle).deletingLastPathComponent()
        return folder.appendingPathComponent("dashrig").path
    }()

    static func start(_ arguments: [String], rig: FakeRig) throws -> ChildProcess {
        var environment = Environment.current()
        environment["DASHRIG_SOCKET_DIR"] = rig.directory.path
        return try ChildProcess(
            ChildSpecification(Self.path, arguments, environment: environment))
    }

    @Test func itPrintsAndEndsWithItsCode() throws {
        try withRig(answers: QueryCommandTests.state) { rig throws in
            let child = try Self.start(["devices", "--names"], rig: rig)
            #expect(try child.wait(until: deadline()) == .exited(0))
            #expect(String(decoding: child.output, as: UTF8.self) == "iphone-1\n")
            let wrong = try Self.start(["knob", "rotate", "-3x"], rig: rig)
            #expect(try wrong.wait(until: deadline()) == .exited(2))
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsItWithFour(_ signal: Int32) throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
        } body: { rig throws in
            let child = try Self.start(["watch"], rig: rig)
            #expect(try child.waitForOutput("epoch e1", until: deadline()))
            try child.signal(signal)
            #expect(try child.wait(until: deadline()) == .exited(4))
            #expect(child.errorOutput.isEmpty)
            for _ in 0..<500 where rig.closed == 0 { usleep(10_000) }
            #expect(rig.closed == 1)
        }
    }

    @Test func aSignalEndsACallToo() throws {
        try withRig { _, _ in
        } body: { rig throws in
            let child = try Self.start(["status", "--json"], rig: rig)
            for _ in 0..<500 where rig.calls.isEmpty { usleep(10_000) }
            try child.signal(SIGINT)
            #expect(try child.wait(until: deadline()) == .exited(4))
            #expect(
                String(decoding: child.output, as: UTF8.self)
                    == "{\"error\":\"interrupted\",\"text\":\"interrupted\"}\n")
        }
    }

    /// Somebody's test may have replaced the device by a file.
    static var hasFullDevice: Bool {
        var facts = stat()
        return stat("/dev/full", &facts) == 0 && facts.st_mode & S_IFMT == S_IFCHR
    }

    @Test(
        .enabled(if: hasFullDevice, "needs the device /dev/full"),
        arguments: [
            (
                "\"$0\" status >/dev/full", 3,
                "dashrig: the output cannot be written: No space left on device (ENOSPC)\n"
            ),
            ("\"$0\" status >&-", 3, "descriptor 1 was closed"), ("\"$0\" status 2>&- >/dev/null", 0, ""),
            ("\"$0\" status | head -n 1; echo ${PIPESTATUS[0]} >&2", 0, "0\n"),
            ("\"$0\" watch | head -n 1; echo ${PIPESTATUS[0]} >&2", 0, "4\n"),
        ])
    func whereItWritesTo(_ line: String, _ code: Int32, _ said: String) throws {
        try withRig { call, peer in
            if call.more {
                for number in 0..<20_000 {
                    if number == 0 {
                        peer.reply(["state": .object(SampleRig.full), "complete": true], continues: true)
                    }
                    peer.reply(["event": SampleRig.event(UInt64(number), .mark)], continues: true)
                }
            } else {
                peer.reply(["state": .object(SampleRig.full)])
            }
        } body: { rig throws in
            var environment = Environment.current()
            environment["DASHRIG_SOCKET_DIR"] = rig.directory.path
            let child = try ChildProcess(
                ChildSpecification("/bin/bash", ["-c", line, Self.path], environment: environment))
            #expect(try child.wait(until: deadline()) == .exited(code))
            let words = String(decoding: child.errorOutput, as: UTF8.self)
            #expect(said.isEmpty ? words.isEmpty : words.contains(said), "\(words)")
        }
    }
}

/// Something that comes within ten seconds, or a failed test.
private func deadline() -> UInt64 { SystemClock.monotonicNow() + 10_000_000_000 }
