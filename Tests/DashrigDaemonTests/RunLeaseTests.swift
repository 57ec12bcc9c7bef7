import Testing
import VarlinkProtocol

/// Runs beside one another, and cycles, on the real socket.
@Suite struct RunLeaseTests {
    private static let rig = RunningDaemon.rig

    @Test func aRunThatNeedsTheSameIsRefusedOrWaits() throws {
        let daemon = try RunningDaemon()
        let one = try daemon.connect()
        try one.send("\(Self.rig).Run", ["scenario": "plug iphone as a\nwait 300ms\n", "name": "one"], more: true)
        #expect(try one.reply().parameters["entry"] != nil)
        let two = try daemon.connect()
        try two.send("\(Self.rig).Run", ["scenario": "lock a\n", "name": "two"], more: true)
        let refusal = try two.reply()
        #expect(refusal.error == "\(Self.rig).Busy")
        #expect(refusal.parameters["owner"]?.stringValue?.contains("'one' of uid ") == true)
        let three = try daemon.connect()
        try three.send(
            "\(Self.rig).Run", ["scenario": "plug iphone as a\n", "name": "three", "waitMilliseconds": 20_000],
            more: true)
        let leases = try daemon.call("ListLeases").parameters["leases"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(leases.map { $0["owner"] } == ["one", "three"])
        #expect(leases.map { $0["waiting"] } == [false, true])
        #expect(leases.first?["resources"] == ["device a"])
        #expect(try verdict(of: one) == "passed")
        #expect(try verdict(of: three) == "passed")
        #expect(try daemon.call("ListLeases").parameters["leases"] == [])
    }

    @Test func waitedForTooLongItIsRefusedAndTheConnectionServesOn() throws {
        let daemon = try RunningDaemon()
        let one = try daemon.connect()
        try one.send("\(Self.rig).Run", ["scenario": "plug iphone as a\nwait 1h\n"], more: true)
        #expect(try one.reply().parameters["entry"] != nil)
        let two = try daemon.connect()
        try two.send("\(Self.rig).Run", ["scenario": "lock a\n", "waitMilliseconds": 50], more: true)
        #expect(try two.reply().error == "\(Self.rig).Busy")
        try two.send("\(Self.rig).GetState")
        #expect(try two.reply().parameters["state"] != nil)
    }

    @Test func aLeaseIsTakenByForceOnly() throws {
        let daemon = try RunningDaemon()
        let one = try daemon.connect()
        try one.send("\(Self.rig).Run", ["scenario": "plug iphone as a\nwait 1h\n", "name": "one"], more: true)
        #expect(try one.reply().parameters["entry"] != nil)
        #expect(try daemon.call("Unlease", ["lease": "r1"]).error == "\(Self.rig).Busy")
        #expect(
            try daemon.call("Unlease", ["lease": "r7", "force": true]).error?.hasSuffix("InvalidParameter") == true)
        #expect(try daemon.call("Unlease", ["lease": "r1", "force": true]).error == nil)
        #expect(try verdict(of: one) == "interrupted")
    }

    @Test func cyclesAreToldOneByOneAndThenTogether() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send(
            "\(Self.rig).Cycle",
            [
                "profile": "iphone", "name": "p", "count": 5, "unplugAt": "authenticating", "slowMilliseconds": 1,
                "intervalMilliseconds": 1,
            ], more: true)
        for number in 1...5 {
            let cycle = try client.reply().parameters["cycle"]?.objectValue
            #expect(cycle?["number"] == .int(Int64(number)) && cycle?["pulledAt"] == "authenticating")
            #expect(cycle?["code"] == nil && (cycle?["ready"]?.intValue ?? 0) > 0, "\(cycle ?? [:])")
        }
        let summary = try client.reply().parameters["summary"]?.objectValue
        #expect(summary?["succeeded"] == 5 && summary?["failed"] == 0 && summary?["interrupted"] == false)
        try client.send("\(Self.rig).Cycle", ["profile": "iphon", "count": 1], more: true)
        #expect(try client.reply().error?.hasSuffix("InvalidParameter") == true)
        try client.send("\(Self.rig).Cycle", ["profile": "iphone", "count": 1])
        #expect(try client.reply().error?.hasSuffix("ExpectedMore") == true)
    }

    private func verdict(of client: TestClient) throws -> String? {
        while true {
            let reply = try client.reply()
            if let verdict = reply.parameters["verdict"]?.objectValue { return verdict["outcome"]?.stringValue }
            try #require(reply.parameters["entry"] != nil, "\(reply)")
        }
    }
}
