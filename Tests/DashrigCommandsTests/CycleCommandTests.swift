import ClientTestKit
import DashrigClient
import Foundation
import LinuxIO
import RigModel
import ScenarioCore
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig cycle` with a rig that answers as the test says.
@Suite struct CycleCommandTests {
    private static let profiles: JSONObject = [
        "profiles": [["name": "iphone", "kind": "iPhone", "text": "a phone"]], "headUnits": [],
    ]

    private static func result(_ number: Int, _ failure: CycleFailure? = nil) -> CycleResult {
        var result = CycleResult(number: number)
        result.ready = failure == nil ? UInt64(number) * 1_000_000 : nil
        result.released = 2_000_000
        result.failure = failure
        return result
    }

    /// Answers the cycles that are asked for; those of `failing` fail.
    private static func handler(failing: Set<Int> = [], interrupted: Bool = false) -> FakeRig.Handler {
        { call, peer in
            switch call.method {
            case "org.dashrig.Rig.ListProfiles": peer.reply(profiles)
            case "org.dashrig.Rig.Cycle":
                let first = Int(call.parameters["first"]?.intValue ?? 1)
                let last = Int(call.parameters["count"]?.intValue ?? 0)
                for number in first...last {
                    let failure = CycleFailure(step: "identifying", code: "timedOut", text: "it took too long")
                    let cycle = result(number, failing.contains(number) ? failure : nil)
                    peer.reply(["cycle": JSON(cycle.record)], continues: true)
                }
                peer.reply(["summary": ["succeeded": 0, "failed": 0, "interrupted": .bool(interrupted)]])
            default: peer.fail("org.varlink.service.MethodNotFound")
            }
        }
    }

    @Test func whatCameThroughIsToldWithItsTimes() throws {
        try withRig(.rig, Self.handler()) { rig throws in
            let result = tool("cycle iphone --count 4 --unplug-at certificate-request --slow 20ms --name p", rig: rig)
            #expect(result.code == .done && result.err.isEmpty, "\(result)")
            try #require(result.lines.count > 3)
            #expect(result.lines[0] == "PASSED  4 of 4 cycles came through (100.0 %)")
            #expect(result.lines[1] == "  ready     p50 2ms  p95 4ms  p99 4ms  max 4ms")
            #expect(result.lines.count { $0.contains("▇") } >= 3, "\(result.out)")
            let parameters = try #require(rig.parameters(of: "Cycle"))
            #expect(parameters["unplugAt"] == "certificateRequest" && parameters["count"] == 4)
            #expect(parameters["slowMilliseconds"] == 20 && parameters["name"] == "p")
            #expect(parameters["seed"] == nil && parameters["first"] == nil)
        }
    }

    @Test func failuresHaveTheirTableAndTheExitCode() throws {
        try withRig(.rig, Self.handler(failing: [2, 3])) { rig throws in
            let result = tool("cycle iphone --count 4", rig: rig)
            #expect(result.code == .failed)
            #expect(result.lines.contains("cycle 2 failed at identifying: timedOut, it took too long"))
            #expect(result.lines.contains("FAILED  2 of 4 cycles came through (50.0 %)"))
            #expect(result.lines.last?.split(separator: " ") == ["identifying", "timedOut", "2", "2"])
            let json = try tool("cycle iphone --count 4 --json", rig: rig).objects
            try #require(json.count == 5)
            #expect(json[1]["cycle"]?.objectValue?["code"] == "timedOut")
            let summary = try #require(json.last?["summary"]?.objectValue)
            #expect(summary["succeeded"] == 2 && summary["failed"] == 2 && summary["rate"] == 0.5)
            #expect(summary["failures"]?.arrayValue?.first?.objectValue?["first"] == 2)
        }
        try withRig(.rig, Self.handler(interrupted: true)) { rig throws in
            let result = tool("cycle iphone --count 2", rig: rig)
            #expect(result.code == .interrupted && result.out.hasPrefix("INTERRUPTED  2 of 2"))
        }
    }

    @Test func theTableGoesOnWhereItEnds() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/c.csv"
        try "\(CycleTable.head)\n1,ok,,1000,,2000,,\n2,failed,,,,,plug,busy\n3,o".write(
            toFile: path, atomically: true, encoding: .utf8)
        try withRig(.rig, Self.handler()) { rig throws in
            let result = tool("cycle iphone --count 4 --csv \(path) --resume", rig: rig)
            #expect(result.code == .failed, "one of before has failed")
            #expect(rig.parameters(of: "Cycle")?["first"] == 3)
            #expect(result.lines.contains("FAILED  3 of 4 cycles came through (75.0 %)"))
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            try #require(lines.count == 5)
            #expect(lines[3] == "3,ok,,3000,,2000,," && lines[4].hasPrefix("4,ok"))
            let again = tool("cycle iphone --count 4 --csv \(path) --resume", rig: rig)
            #expect(again.lines.contains("FAILED  3 of 4 cycles came through (75.0 %)"), "nothing is left to do")
            #expect(tool("cycle iphone --count 2 --csv \(path)", rig: rig).code == .done)
            #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 3, "a new one")
        }
        #expect(tool("cycle iphone --csv /etc/hostname --resume").code == .usage)
    }

    @Test func whatDoesNotGoTogetherIsRefused() throws {
        for options in [
            "--resume", "--on x", "--off x", "--on x --off y --labgrid z", "--on x --off y --slow 1s",
            "--on x --off y --unplug-at challenge", "--count 0", "--unplug-at nowhere",
        ] {
            let result = tool("cycle iphone \(options) --socket-dir /nowhere")
            #expect(result.code == .usage && result.err.contains("dashrig help cycle"), "\(options): \(result.err)")
        }
        try withRig(
            .rig,
            { call, peer in
                switch call.method {
                case "org.dashrig.Rig.ListProfiles": peer.reply(Self.profiles)
                default: peer.fail("org.dashrig.Rig.Busy", ["owner": "'x'", "since": 1], text: "it is in use by 'x'")
                }
            }
        ) { rig throws in
            let result = tool("cycle iphone --count 2", rig: rig)
            #expect(result.code == .rig && result.err.contains("it is in use by 'x'"))
        }
    }

    @Test func commandsSwitchADeviceAndTheTimeToItsAppearanceIsTold() throws {
        let folder = try TestFolder()
        let log = "\(folder.path)/log"
        let subscribed = SubscribedPeer()
        try withRig(
            .rig,
            { call, peer in
                guard call.method == "org.dashrig.Rig.Subscribe" else {
                    return peer.fail("org.varlink.service.MethodNotFound")
                }
                subscribed.begin(peer)
            }
        ) { rig throws in
            // The switch itself tells the rig of the test what the kernel would see.
            let thread = Thread {
                for generation in 1...2 {
                    subscribed.wait(for: log, lines: generation * 2)
                    subscribed.event("device.attached", generation)
                    subscribed.event("session.active", generation)
                    subscribed.wait(for: log, lines: generation * 2 + 1)
                    subscribed.event("device.detached", generation)
                }
            }
            thread.start()
            let result = tool(
                "cycle d --count 2 --interval 10ms --on 'echo on >> \(log)' --off 'echo off >> \(log)' --json", rig: rig
            )
            #expect(result.code == .done, "\(result)")
            let objects = try result.objects
            try #require(objects.count == 3)
            #expect(objects[0]["cycle"]?.objectValue?["appeared"] != nil)
            #expect(try String(contentsOfFile: log, encoding: .utf8) == "off\non\noff\non\noff\n")
        }
    }
}

/// The subscription of a test, to which it sends what a rig would see.
private final class SubscribedPeer: @unchecked Sendable {
    private var peer: FakeRig.Peer?
    private var sequence = 0
    private let base = SystemClock.monotonicNow()

    func begin(_ peer: FakeRig.Peer) {
        peer.reply(
            [
                "state": [
                    "epoch": "e", "base": .int(Int64(base)), "time": 0, "sequence": 0, "devices": [], "sessions": [],
                    "displays": [], "apps": [],
                ], "complete": true,
            ], continues: true)
        self.peer = peer
    }

    func wait(for path: String, lines: Int) {
        for _ in 0..<2_000 {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            if text.split(separator: "\n").count >= lines, peer != nil { return }
            usleep(5_000)
        }
    }

    func event(_ kind: String, _ generation: Int) {
        sequence += 1
        peer?.reply(
            [
                "event": [
                    "sequence": .int(Int64(sequence)), "time": .int(Int64(SystemClock.monotonicNow() - base)),
                    "kind": .string(kind), "origin": "observed", "device": "d", "generation": .int(Int64(generation)),
                ]
            ], continues: true)
    }
}
