import Glibc
import LinuxIO
import Testing
import VarlinkProtocol

/// Whatever comes in on a socket ends that client at worst; the others go on.
@Suite struct BadInputTests {
    static let rig = RunningDaemon.rig

    @Test(arguments: [
        "this is no JSON\0", "\0", "[1,2,3]\0", "{\"method\":\0", "\"text\"\0", "{\"method\":\"\u{0001}\"}\0",
        "{\"oneway\":\"yes\",\"method\":\"a.b.C\"}\0",
    ])
    func recordsThatAreNoCallsCloseTheirConnectionOnly(text: String) throws {
        let daemon = try RunningDaemon()
        let other = try daemon.connect()
        let client = try daemon.connect()
        try client.send(Array(text.utf8))
        #expect(client.isEnded())
        try other.send("\(Self.rig).GetState")
        #expect(try other.reply().error == nil)
    }

    @Test func wrongTypesAndUnknownWordsAreAnsweredByNameAndTheConnectionGoesOn() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let wrong: [(String, JSONObject, String, String)] = [
            ("\(Self.rig).Plug", ["profile": 5], "org.varlink.service.InvalidParameter", "profile"),
            ("\(Self.rig).Plug", [:], "org.varlink.service.InvalidParameter", "profile"),
            ("\(Self.rig).Plug", ["profil": "x"], "org.varlink.service.InvalidParameter", "profil"),
            ("\(Self.rig).Plug", ["profile": "ifone"], "org.varlink.service.InvalidParameter", "profile"),
            (
                "\(Self.rig).Plug", ["profile": "iphone", "linkVersion": 0], "org.varlink.service.InvalidParameter",
                "linkVersion"
            ),
            (
                "\(Self.rig).Plug", ["profile": "iphone", "linkVersion": 4], "org.varlink.service.InvalidParameter",
                "linkVersion"
            ),
            (
                "\(Self.rig).Plug", ["profile": "iphone", "linkVersion": "2"], "org.varlink.service.InvalidParameter",
                "linkVersion"
            ),
            (
                "\(Self.rig).Plug", ["profile": "iphone", "delays": ["challenge": 2_001]],
                "org.varlink.service.InvalidParameter", "delays.challenge"
            ),
            (
                "\(Self.rig).Plug", ["profile": "iphone", "misorder": "first"], "org.varlink.service.InvalidParameter",
                "misorder"
            ),
            (
                "\(Self.rig).SetPhone", ["device": "x", "linkVersion": 1], "org.varlink.service.InvalidParameter",
                "linkVersion"
            ),
            (
                "\(Self.rig).Inject", ["knob": ["detents": 1, "press": true]], "org.varlink.service.InvalidParameter",
                "knob"
            ),
            ("\(Self.rig).Inject", [:], "org.varlink.service.InvalidParameter", "knob"),
            (
                "\(Self.rig).Inject", ["touch": ["contacts": [["points": [["x": 1, "y": 1]]]]]],
                "org.varlink.service.InvalidParameter", "display"
            ),
            ("\(Self.rig).SetFront", ["device": "nobody"], "org.dashrig.Rig.UnknownDevice", ""),
            ("\(Self.rig).Subscribe", [:], "org.varlink.service.ExpectedMore", ""),
            ("\(Self.rig).Cycle", ["profile": "iphone", "count": 1], "org.varlink.service.ExpectedMore", ""),
            ("\(Self.rig).SetFault", [:], "org.varlink.service.InvalidParameter", "kind"),
            ("\(Self.rig).SetFault", ["kind": "dorp"], "org.varlink.service.InvalidParameter", "kind"),
            ("\(Self.rig).SetFault", ["kind": "drop", "at": "x"], "org.varlink.service.InvalidParameter", "at"),
            (
                "\(Self.rig).SetFault", ["kind": "drop", "at": "active", "since": "active"],
                "org.varlink.service.InvalidParameter", "since"
            ),
            (
                "\(Self.rig).SetFault", ["kind": "drop", "count": 2, "always": true],
                "org.varlink.service.InvalidParameter", "count"
            ),
            ("\(Self.rig).SetFault", ["kind": "delay"], "org.varlink.service.InvalidParameter", "durationMilliseconds"),
            ("\(Self.rig).ClearFaults", ["fault": "one"], "org.varlink.service.InvalidParameter", "fault"),
            ("\(Self.rig).ClearFaults", ["device": "nobody"], "org.dashrig.Rig.UnknownDevice", ""),
            ("\(Self.rig).Record", [:], "org.varlink.service.MethodNotImplemented", ""),
            ("\(Self.rig).Nothing", [:], "org.varlink.service.MethodNotFound", ""),
            ("org.dashrig.Nothing.Do", [:], "org.varlink.service.InterfaceNotFound", ""),
            ("nonsense", [:], "org.varlink.service.InvalidParameter", "method"),
            ("org.dashrig.App.Acknowledge", ["app": "x", "ids": []], "org.varlink.service.InterfaceNotFound", ""),
        ]
        for (method, parameters, error, field) in wrong {
            try client.send(method, parameters)
            let reply = try client.reply()
            #expect(reply.error == error, "\(method) \(parameters)")
            if !field.isEmpty {
                #expect(reply.parameters["parameter"]?.stringValue == field, "\(method) \(parameters)")
            }
        }
        try client.send("\(Self.rig).GetState")
        #expect(try client.reply().error == nil)
    }

    @Test func aNumberBeyondADoubleIsAnsweredWithItsPlaceAndTheConnectionGoesOn() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let call = "{\"method\":\"\(Self.rig).Send\",\"parameters\":{\"device\":\"x\",\"fields\":{\"a\":[1e999]}}}\0"
        try client.send(Array(call.utf8))
        let reply = try client.reply()
        #expect(reply.error == "org.varlink.service.InvalidParameter")
        #expect(reply.parameters["parameter"]?.stringValue == "fields.a.0")
        try client.send("\(Self.rig).GetState")
        #expect(try client.reply().error == nil)
    }

    @Test func aRecordOverTheLimitEndsItsConnectionAndTheMemoryStaysBounded() throws {
        let daemon = try RunningDaemon()
        let before = try daemon.fact("VmRSS")
        for _ in 0..<5 {
            let client = try daemon.connect()
            // 5 MiB: the daemon stops reading at 1 MiB, so the rest may not be taken.
            try? client.send([UInt8](repeating: UInt8(ascii: "a"), count: 5 << 20))
            #expect(client.isEnded())
        }
        #expect(try daemon.call("GetState").error == nil)
        #expect(try daemon.fact("VmRSS") - before < 8_192, "5 times 5 MiB left less than 8 MiB behind")
    }

    @Test func halfARecordHoldsNobodyUp() throws {
        let daemon = try RunningDaemon()
        let half = try daemon.connect()
        try half.send(Array("{\"method\":\"\(Self.rig).Get".utf8))
        #expect(try daemon.call("GetState").error == nil)
        try half.send(Array("State\"}\0".utf8))
        #expect(try half.reply().error == nil)
    }

    @Test func pipelinedCallsAreAnsweredInOrderAndOnewayOnesNotAtAll() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        var bytes: [UInt8] = []
        VarlinkCall(method: "\(Self.rig).Mark", parameters: ["text": "quiet"], oneway: true).write(into: &bytes)
        VarlinkCall(method: "\(Self.rig).Nothing", oneway: true).write(into: &bytes)
        VarlinkCall(method: "\(Self.rig).ListProfiles").write(into: &bytes)
        VarlinkCall(method: "\(Self.rig).Record").write(into: &bytes)
        VarlinkCall(method: "\(Self.rig).GetState").write(into: &bytes)
        try client.send(bytes)
        #expect(try client.reply().parameters["profiles"] != nil)
        #expect(try client.reply().error == "org.varlink.service.MethodNotImplemented")
        let state = try client.reply().parameters["state"]?.objectValue
        #expect(state?["sequence"]?.intValue == 1, "the mark was published")
    }

    @Test func aStreamEndsWithItsConnectionAndLeavesNothingBehind() throws {
        let daemon = try RunningDaemon()
        let before = try daemon.descriptorCount
        for _ in 0..<50 {
            let client = try daemon.connect()
            try client.send("\(Self.rig).Subscribe", more: true)
            _ = try client.reply()
        }
        let deadline = RunningDaemon.soon()
        while try daemon.descriptorCount > before, SystemClock.monotonicNow() < deadline { usleep(10_000) }
        #expect(try daemon.descriptorCount <= before)
    }
}
