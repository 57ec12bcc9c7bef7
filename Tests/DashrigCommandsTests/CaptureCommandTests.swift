import ClientTestKit
import DashrigClient
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig capture` of a name that may be a slip, or may come later.
@Suite struct CaptureCommandTests {
    private static func answer(_ call: VarlinkCall, _ peer: FakeRig.Peer, opens: String? = nil) {
        switch call.method.split(separator: ".").last {
        case "GetState":
            peer.reply(["state": ["epoch": "e", "sequence": 1, "devices": [["id": "iphone-1", "generation": 1]]]])
        case "Capture":
            peer.reply(["start": ["epoch": "e", "time": 0, "realtime": 1, "version": "1"]], continues: true)
            guard let opens else { return }
            peer.reply(
                [
                    "record": [
                        "time": 1, "kind": "opened", "device": .string(opens), "generation": 1, "session": "s1",
                        "role": "headUnit", "peer": "simulated",
                    ]
                ], continues: true)
        default: peer.fail("org.varlink.service.MethodNotFound", ["method": .string(call.method)])
        }
    }

    @Test func aNameThatIsNotThereIsAwaitedAndMissed() throws {
        let folder = try TestFiles()
        try withRig { call, peer in
            Self.answer(call, peer)
        } body: { rig throws in
            let result = tool("capture ipone-1 -o \(folder.path)/c.pcapng --for 50ms", rig: rig)
            #expect(result.code == .failed)
            #expect(
                result.err.contains(
                    "there is no device 'ipone-1' yet; its sessions are awaited; did you mean 'iphone-1'?"))
            #expect(result.err.contains("no device 'ipone-1' had a session in that time"))
            let json = tool("capture ipone-1 -o \(folder.path)/c.pcapng --for 50ms --json", rig: rig)
            #expect(json.code == .failed && json.err.isEmpty)
            #expect(try json.objects.last?["error"] == "deviceDidNotCome")
        }
    }

    @Test func aDeviceThatIsThereOrComesIsNoFailure() throws {
        let folder = try TestFiles()
        try withRig { call, peer in
            Self.answer(call, peer)
        } body: { rig throws in
            for name in ["iphone-1", ""] {
                let result = tool("capture \(name) -o \(folder.path)/c.pcapng --for 50ms", rig: rig)
                #expect(result.code == .done && !result.err.contains("awaited"), "\(result.err)")
            }
        }
        try withRig { call, peer in
            Self.answer(call, peer, opens: "later")
        } body: { rig throws in
            let result = tool("capture later -o \(folder.path)/c.pcapng --for 50ms", rig: rig)
            #expect(result.code == .done && result.err.contains("its sessions are awaited"), "\(result.err)")
        }
    }
}
