import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigDaemon

/// What `Run` takes besides a scenario's text.
@Suite struct ScenarioOptionsTests {
    private static let run = "\(RigInterface.name).Run"

    @Test func includesValuesSeedAndRowReachTheRun() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send(
            Self.run,
            [
                "scenario": "table r\nrow 1\nrow 2\nparam x\ninclude lib.rig\nmark ${x}${r}\n", "name": "t.rig",
                "includes": [["name": "lib.rig", "text": "mark lib\n"]], "values": [["name": "x", "value": "v"]],
                "seed": 9, "row": 2,
            ], more: true)
        var texts: [String] = []
        while true {
            let parameters = try client.reply().parameters
            if let entry = parameters["entry"]?.objectValue { texts.append(entry["text"]?.stringValue ?? "") }
            guard let verdict = parameters["verdict"]?.objectValue else { continue }
            #expect(verdict["outcome"]?.stringValue == "passed")
            break
        }
        #expect(texts.first == "choices come from seed 9")
        #expect(texts.contains("mark lib  [lib.rig:1]") && texts.contains("mark v2"))
    }

    @Test(
        arguments: [
            (["values": [["name": "1", "value": "v"]]], "values.0"), (["seed": -1], "seed"), (["row": 0], "row"),
            (["values": [["name": "a", "value": "a\nb"]]], "values.0"),
        ] as [(JSONObject, String)])
    func whatCannotBeIsRefusedByItsName(_ parameters: JSONObject, _ field: String) throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        var all = parameters
        all["scenario"] = "mark x\n"
        try client.send(Self.run, all, more: true)
        let reply = try client.reply()
        #expect(reply.error == "org.varlink.service.InvalidParameter")
        #expect(reply.parameters["parameter"]?.stringValue == field)
    }
}
