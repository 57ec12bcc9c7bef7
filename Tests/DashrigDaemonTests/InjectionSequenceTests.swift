import LinuxIO
import Testing
import VarlinkProtocol

/// Injection on the real socket, with the real clock.
@Suite struct InjectionSequenceTests {
    @Test func aSequenceComesInTimeAndIsAnsweredWhenAllOfItIsRead() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let app = try daemon.connect(RunningDaemon.app)
        try app.send("org.dashrig.App.Launch", ["manifest": ["name": "demo"]], more: true)
        let token = try #require(try app.reply().parameters["app"]?.stringValue)
        let bench = try daemon.connect()
        try bench.send(
            "org.dashrig.Rig.InjectSequence",
            [
                "steps": [
                    ["at": 0, "key": ["key": "home", "down": true]],
                    ["at": 40, "knob": ["detents": 2]],
                    ["at": 80.5, "key": ["key": "home", "down": false]],
                    ["at": 120, "touch": ["contacts": [["points": [["x": 5, "y": 5]]]], "durationMilliseconds": 30]],
                ], "tag": "t", "wait": "read", "withinMilliseconds": 20_000,
            ])
        var times: [Int64] = []
        var ids: [Int64] = []
        var late: [Int64] = []
        while ids.count < 5 {
            guard let event = try app.reply().parameters["event"]?.objectValue,
                let input = event["input"]?.objectValue, input["tag"]?.stringValue == "t"
            else { continue }
            times.append(try #require(event["time"]?.intValue))
            ids.append(try #require(input["id"]?.intValue))
            late.append(input["lateMicroseconds"]?.intValue ?? 0)
        }
        #expect(ids == (0..<5).map { (ids.first ?? 0) + $0 }, "in their order")
        let due: [Int64] = [0, 40_000, 80_500, 120_000, 150_000]
        for (index, time) in times.enumerated() {
            let lateness = (time - times[0]) / 1_000 - due[index]
            #expect(lateness >= -1, "never early")
            // What is late says so; what does not say so is not late.
            let told = late[index]
            #expect(abs(lateness - told) <= (told == 0 ? 2_001 : 1), "\(lateness) us, told \(told)")
        }
        let acknowledged = try daemon.call(
            "Acknowledge", ["app": .string(token), "ids": .array(ids.map(JSON.int))], interface: RunningDaemon.app)
        #expect(acknowledged.parameters["acknowledged"]?.intValue == 5)
        let answer = try bench.reply().parameters
        #expect(answer["reached"]?.stringValue == "read")
        #expect(answer["count"]?.intValue == 5 && answer["sent"]?.intValue == 5)
        #expect(answer["latestMicroseconds"]?.intValue ?? -1 >= late.max() ?? 0)
        let steps = answer["steps"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(steps.map { $0["count"]?.intValue } == [1, 1, 1, 2])
        #expect(steps.map { ($0["first"]?.intValue ?? 0) - ids[0] } == [0, 1, 2, 3])
    }

    /// How late is measured by `Scripts/bench inject`: the machine that tests run on is seldom idle.
    @Test func whereNobodyReadsAllOfItIsSentAndToldHowLate() throws {
        let daemon = try RunningDaemon()
        let bench = try daemon.connect()
        let steps: JSON = [["at": 0, "knob": ["detents": 1]], ["at": 7.5, "knob": ["detents": 1]]]
        let begin = SystemClock.monotonicNow()
        try bench.send("org.dashrig.Rig.InjectSequence", ["steps": steps, "wait": "delivered"])
        let answer = try bench.reply(within: 60).parameters
        let took = Int64(SystemClock.monotonicNow() - begin) / 1_000
        #expect(answer["sent"]?.intValue == 2 && answer["reached"]?.stringValue == "accepted")
        let latest = try #require(answer["latestMicroseconds"]?.intValue)
        #expect(took >= 7_500 && (0...took).contains(latest), "\(latest) of \(took) us")
    }

    @Test func aConnectionHoldsAndItsEndLetsGo() throws {
        let daemon = try RunningDaemon()
        _ = try daemon.call("Plug", ["profile": "iphone", "name": "phone"])
        let watcher = try daemon.connect()
        try watcher.send("org.dashrig.Rig.Subscribe", ["kinds": ["input.key", "input.touch"]], more: true)
        _ = try watcher.reply()
        func holds() throws {
            let bench = try daemon.connect()
            try bench.send("org.dashrig.Rig.Inject", ["key": ["key": "voice", "down": true]])
            #expect(try bench.reply().error == nil)
            try bench.send(
                "org.dashrig.Rig.Inject",
                ["touch": ["frame": [["id": 4, "phase": "began", "x": 20, "y": 30]]]])
            #expect(try bench.reply().error == nil)
            try bench.send("org.dashrig.Rig.Inject", ["key": ["key": "voice", "down": true]])
            let again = try bench.reply()
            #expect(again.error == "org.varlink.service.InvalidParameter")
            #expect(again.parameters["parameter"]?.stringValue == "key.down")
        }
        try holds()
        #expect(try watcher.events(until: "input.key").last?["key"]?.objectValue?["down"]?.boolValue == true)
        let up = try #require(try watcher.events(until: "input.key").last)
        #expect(up["key"]?.objectValue?["down"]?.boolValue == false)
        #expect(up["key"]?.objectValue?["key"]?.stringValue == "voice")
        let touch = try #require(try watcher.events(until: "input.touch").last?["touch"]?.objectValue)
        #expect(touch["contacts"]?.arrayValue?.first?.objectValue?["phase"]?.stringValue == "cancelled")
    }

    static let wrong: [(steps: JSON, field: String)] = [
        ([], "steps"), ([["at": 0, "knob": ["detents": 1]], ["at": 1, "foo": 1]], "steps.1.foo"),
        (
            [["at": 0, "touch": ["contacts": [["points": [["x": 1, "y": "a"]]]]]]],
            "steps.0.touch.contacts.0.points.0.y"
        ),
        ([["at": -1, "knob": ["detents": 1]]], "steps.0.at"),
        ([["at": 5, "knob": ["detents": 1]], ["at": 4.5, "knob": ["detents": 1]]], "steps.1.at"),
        ([["at": 0, "knob": ["detents": 1]], ["at": 0]], "steps.1.knob"),
        ([["at": 0, "key": ["key": "nothing"]]], "steps.0.key.key"),
        ([["at": 0, "key": ["key": "home", "down": true, "holdMilliseconds": 5]]], "steps.0.key.down"),
        ([["at": 0, "knob": ["detents": 1, "down": true]]], "steps.0.knob.down"),
        (
            [["at": 0, "knob": ["detents": 2, "intervalMilliseconds": 5, "durationMilliseconds": 5]]],
            "steps.0.knob.durationMilliseconds"
        ),
        ([["at": 0, "touchpad": [:]]], "steps.0.touchpad"),
        (
            [["at": 0, "touchpad": ["contacts": [["points": [["x": 1, "y": 1]]]], "velocity": 5]]],
            "steps.0.touchpad.velocity"
        ),
        (
            [["at": 0, "touchpad": ["contacts": [["points": [["x": 1, "y": 1]]]], "flick": true]]],
            "steps.0.touchpad.contacts.0.points"
        ),
        (
            [["at": 0, "touchpad": ["frame": [["id": 0, "phase": "began", "x": 1, "y": 1]], "velocity": 5]]],
            "steps.0.touchpad.velocity"
        ),
        ([["at": 0, "touchpad": ["frame": [["id": 0, "phase": "began", "x": 1]]]]], "steps.0.touchpad.frame.0.y"),
        ([["at": 0, "touchpad": ["frame": [["id": 10, "phase": "ended"]]]]], "steps.0.touchpad.frame.0.id"),
        ([["at": 0, "touchpad": ["frame": [["id": 1, "phase": "ended"]]]]], "steps.0.touchpad.frame.0.phase"),
        ([["at": 0, "key": ["key": "home", "down": true]]], "steps.0.key.down"),
        ([["at": 0, "touch": ["frame": [["id": 0, "phase": "began", "x": 1, "y": 1]]]]], "display"),
    ]

    @Test func whatCannotBeIsRefusedByStepAndField() throws {
        let daemon = try RunningDaemon()
        for (steps, field) in Self.wrong {
            let reply = try daemon.call("InjectSequence", ["steps": steps])
            #expect(reply.error == "org.varlink.service.InvalidParameter", "\(steps)")
            #expect(reply.parameters["parameter"]?.stringValue == field, "\(steps)")
        }
    }

    @Test func speedsBecomeTimes() throws {
        let daemon = try RunningDaemon()
        func count(_ fields: JSONObject) throws -> Int64? {
            let reply = try daemon.call("Inject", fields)
            #expect(reply.error == nil, "\(reply.parameters)")
            return reply.parameters["count"]?.intValue
        }
        let way: JSON = [["points": [["x": 10, "y": 50], ["x": 60, "y": 50]]]]
        // 50 % at 100 %/s are 500 ms: 2 and 29 frames between them; a flick has half that speed on the mean.
        #expect(try count(["touchpad": ["contacts": way, "velocity": 100]]) == 31)
        #expect(try count(["touchpad": ["contacts": way, "velocity": 100, "flick": true]]) == 61)
        #expect(try count(["touchpad": ["contacts": way, "flick": true]]) == 7)
        #expect(try count(["knob": ["detents": -5, "durationMilliseconds": 100]]) == 5)
    }
}
