import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Clients that leave, wholly or half, and what they had sent before.
@Suite struct LeavingClientTests {
    static let rig = RunningDaemon.rig

    private func calls(_ count: Int, _ method: String, _ parameters: JSONObject, oneway: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count {
            VarlinkCall(method: "\(Self.rig).\(method)", parameters: parameters, oneway: oneway).write(into: &bytes)
        }
        return bytes
    }

    private func sequence(_ daemon: RunningDaemon) throws -> Int64? {
        try daemon.call("GetState").parameters["state"]?.objectValue?["sequence"]?.intValue
    }

    @Test(arguments: [1, 2_000])
    func onewayCallsOfAClientThatLeavesAtOnceAreDone(count: Int) throws {
        let daemon = try RunningDaemon()
        // It is gone before the daemon looks: the daemon must not see less because of that.
        try daemon.process.signal(SIGSTOP)
        do {
            let client = try daemon.connect()
            try client.send(calls(count, "Mark", ["text": "last words"], oneway: true))
        }
        try daemon.process.signal(SIGCONT)
        let deadline = RunningDaemon.soon()
        while try sequence(daemon) != Int64(count), SystemClock.monotonicNow() < deadline { usleep(10_000) }
        #expect(try sequence(daemon) == Int64(count))
    }

    @Test func commandsOfAClientThatLeavesAreDoneAndNothingIsLeftOfIt() throws {
        let daemon = try RunningDaemon()
        let before = try daemon.descriptorCount
        for name in ["a", "b", "c"] {
            let client = try daemon.connect()
            // Answers that nobody reads, then a command, then a stream that would never end.
            try client.send(
                calls(50, "GetState", [:]) + calls(1, "Plug", ["profile": "iphone", "name": .string(name)]))
            try client.send("\(Self.rig).Subscribe", more: true)
        }
        let deadline = RunningDaemon.soon()
        var plugged: Int?
        repeat {
            plugged = try daemon.call("GetState").parameters["state"]?.objectValue?["devices"]?.arrayValue?.count
        } while plugged != 3 && SystemClock.monotonicNow() < deadline
        #expect(plugged == 3)
        _ = try daemon.call("GetState")
        #expect(try daemon.descriptorCount <= before + 1)
    }

    @Test func aStreamGoesOnForAClientThatHasEndedItsSide() throws {
        let daemon = try RunningDaemon()
        let watcher = try daemon.connect()
        try watcher.send("\(Self.rig).Subscribe", ["kinds": ["mark"]], more: true)
        try watcher.finishSending()
        _ = try watcher.reply()
        let runner = try daemon.connect()
        try runner.send("\(Self.rig).Run", ["scenario": "at 50ms mark \"from a scenario\"\n"], more: true)
        try runner.send("\(Self.rig).ListProfiles")
        try runner.finishSending()
        var last: VarlinkReply?
        while let reply = try runner.nextReply() {
            if let verdict = reply.parameters["verdict"]?.objectValue {
                #expect(verdict["outcome"]?.stringValue == "passed")
            }
            last = reply
        }
        #expect(last?.parameters["profiles"] != nil, "the call behind the stream is answered, then the connection ends")
        #expect(try watcher.events(until: "mark").count == 1)
    }

    @Test func aWrongRecordBehindALongAnswerEndsTheConnection() throws {
        let daemon = try RunningDaemon()
        // An answer above the high-water mark that the socket takes at once.
        for _ in 0..<80 { _ = try daemon.call("Plug", ["profile": "iphone"]) }
        let client = try daemon.connect()
        try client.send(calls(1, "GetState", [:]) + Array("garbage\0".utf8))
        #expect(try client.reply().error == nil)
        #expect(client.isEnded())
    }

    @Test func whoIsTooSlowForAScenarioIsLoggedOnce() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send(
            "\(Self.rig).Run", ["scenario": .string(String(repeating: "mark x\n", count: 40_000))], more: true)
        _ = try daemon.process.waitForOutput("client.tooSlow", until: RunningDaemon.soon())
        _ = try daemon.call("GetState")
        _ = try daemon.process.waitForOutput("never said", until: RunningDaemon.soon(1))
        #expect(daemon.log().split(separator: "\n").count { $0.contains("client.tooSlow") } == 1)
    }
}
