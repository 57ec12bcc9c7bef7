import DashrigDaemon
import LinuxIO
import Testing
import VarlinkProtocol

/// The interface files are the truth: what is served is them, what is sent fits them, and they only grow.
@Suite struct InterfaceTests {
    static let descriptions = [
        (RigInterface.name, RigInterface.description), (AppInterface.name, AppInterface.description),
    ]

    private static var fixtures: String {
        let file = #filePath
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/Fixtures/interfaces"
    }

    @Test(arguments: descriptions)
    func theServedTextIsTheFile(name: String, text: String) throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect(name)
        try client.send("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
        #expect(try client.reply().parameters["description"]?.stringValue == text)
        try client.send("org.varlink.service.GetInfo")
        let info = try client.reply().parameters
        #expect(info["vendor"]?.stringValue == "Dashrig")
        #expect(info["interfaces"]?.arrayValue?.contains(.string(name)) == true)
    }

    /// When this fails, something was taken away or changed that clients may rely on. Add a new name instead. When you
    /// have only added: run `Scripts/golden-interfaces` and commit what it changes.
    @Test(arguments: descriptions)
    func theyOnlyGrow(name: String, text: String) throws {
        let golden = try FileContents.read("\(Self.fixtures)/\(name).varlink", limit: 1 << 20)
        let old = try InterfaceDescription(parsing: String(decoding: golden, as: UTF8.self))
        let new = try InterfaceDescription(parsing: text)
        #expect(new.growthProblems(since: old).map(\.description) == [])
    }

    @Test func everythingThatIsSentFitsTheInterface() throws {
        let daemon = try RunningDaemon()
        let rig = try InterfaceDescription(parsing: RigInterface.description)
        let app = try InterfaceDescription(parsing: AppInterface.description)
        let watcher = try daemon.connect()
        try watcher.send("\(RigInterface.name).Subscribe", more: true)
        let launched = try daemon.connect(RunningDaemon.app)
        try launched.send("\(AppInterface.name).Launch", ["manifest": ["name": "demo"]], more: true)
        let calls: [(String, JSONObject)] = [
            ("Plug", ["profile": "iphone", "name": "phone", "locked": true]),
            ("SetPhone", ["device": "phone", "locked": false]),
            ("Plug", ["profile": "head-unit", "name": "car", "linkVersion": 2, "delays": ["challenge": 1]]),
            ("SetVehicle", ["appearance": "dark", "limitKeyboard": true]),
            (
                "SetVehicle",
                [
                    "speed": 13.889, "gear": "drive", "parkingBrake": false, "ambientLight": 300,
                    "location": [
                        "latitude": 48.1372, "longitude": 11.5756, "altitude": 520, "heading": 90, "accuracy": 5,
                    ],
                    "battery": 80, "fuel": 50.5, "range": 300, "rangeLow": false, "automatic": ["appearance"],
                ]
            ), ("SetVehicle", ["unknown": ["speed", "gear"], "track": "time,speed\n0,1\n0.001,2\n60,3\n"]),
            ("SetVehicle", ["stopTrack": true]),
            ("SetDisplay", ["display": "s1/main", "safeArea": ["x": 0, "y": 0, "width": 700, "height": 480]]),
            ("Inject", ["knob": ["detents": -2]]), ("Inject", ["knob": ["press": true]]),
            ("Inject", ["knob": ["nudge": "left"]]), ("Inject", ["key": ["key": "home"]]),
            ("Inject", ["touch": ["contacts": [["points": [["x": 10, "y": 10], ["x": 790.5, "y": 20]]]]]]),
            ("Inject", ["touchpad": ["contacts": [["points": [["x": 50, "y": 50]]]]], "tag": "t"]),
            ("SetFront", ["device": "car"]), ("Mark", ["text": "here"]), ("ListProfiles", [:]), ("GetState", [:]),
            ("Unplug", ["device": "phone"]), ("Unplug", ["device": "car", "surprise": true]), ("Mark", ["text": "end"]),
        ]
        for (method, parameters) in calls {
            let reply = try daemon.call(method, parameters)
            #expect(reply.error == nil, "\(method)")
            try rig.validate(reply: reply.parameters, ofMethod: method)
        }
        var kinds: Set<String> = []
        while !kinds.contains("mark.end") {
            let reply = try watcher.reply()
            try rig.validate(reply: reply.parameters, ofMethod: "Subscribe")
            let event = reply.parameters["event"]?.objectValue
            kinds.insert(event?["kind"]?.stringValue ?? "")
            if event?["text"]?.stringValue == "end" { kinds.insert("mark.end") }
        }
        #expect(kinds.isSuperset(of: ["session.waiting", "input.touch", "input.touchpad", "display.changed"]))
        while true {
            let reply = try launched.reply()
            try app.validate(reply: reply.parameters, ofMethod: "Launch")
            let event = reply.parameters["event"]?.objectValue
            // The last session has ended and nobody is in front.
            if event?["kind"]?.stringValue == "front.changed", event?["session"] == nil { break }
        }
    }

    @Test func aPlugSaysWhatIsPublishedOfThePhone() throws {
        let daemon = try RunningDaemon()
        let reply = try daemon.call(
            "Plug",
            [
                "profile": "iphone", "trustAfterMilliseconds": 10, "delays": ["challenge": 1, "sessionOffer": 2_000],
                "misorder": "offerFirst", "carPlay": false, "linkVersion": 3,
            ])
        #expect(
            reply.parameters["device"]?.objectValue?["phone"] == [
                "locked": false, "trusted": false, "trustAfterMilliseconds": 10, "slowMilliseconds": 0,
                "delays": ["challenge": 1, "sessionOffer": 2_000], "misorder": "offerFirst", "carPlay": false,
                "linkVersion": 3,
            ])
    }

    @Test func aScenarioRunFitsTheInterfaceAndEndsWithAVerdict() throws {
        let daemon = try RunningDaemon()
        let rig = try InterfaceDescription(parsing: RigInterface.description)
        let client = try daemon.connect()
        let text = "plug iphone as phone\nexpect session active within 1s\nknob rotate 2\nexpect input knob within 1s\n"
        try client.send("\(RigInterface.name).Run", ["scenario": .string(text), "name": "short"], more: true)
        var verdict: JSONObject?
        while verdict == nil {
            let reply = try client.reply()
            #expect(reply.error == nil)
            try rig.validate(reply: reply.parameters, ofMethod: "Run")
            verdict = reply.parameters["verdict"]?.objectValue
        }
        #expect(verdict?["outcome"]?.stringValue == "passed", "\(verdict.map(String.init(describing:)) ?? "")")
        try client.send("\(RigInterface.name).Run", ["scenario": "plugg iphone\n", "name": "wrong"], more: true)
        let wrong = try client.reply()
        #expect(wrong.error == "org.dashrig.Rig.ScenarioWrong")
        try client.send("\(RigInterface.name).GetState")
        let devices = try client.reply().parameters["state"]?.objectValue?["devices"]?.arrayValue
        #expect(devices?.isEmpty == true, "the scenario put away what it plugged in")
    }
}
