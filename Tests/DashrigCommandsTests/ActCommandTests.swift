import ClientTestKit
import DashrigClient
import Foundation
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// Commands that ask one thing: what is asked, and what is said then.
@Suite struct ActCommandTests {
    static let phoneCommands: [(line: String, method: String, parameters: JSONObject, said: String)] = [
        ("unplug a", "Unplug", ["device": "a"], "a is unplugged"),
        (
            "unplug a --surprise --generation 2", "Unplug", ["device": "a", "surprise": true, "generation": 2],
            "a is unplugged by surprise"
        ),
        ("lock a", "SetPhone", ["device": "a", "locked": true], "a is locked"),
        ("unlock a --generation 3", "SetPhone", ["device": "a", "generation": 3, "locked": false], "a is unlocked"),
        ("trust a", "SetPhone", ["device": "a", "trusted": true], "a trusts the head unit"),
        ("untrust a", "SetPhone", ["device": "a", "trusted": false], "a does not trust the head unit any more"),
        (
            "trust a --after 5s", "SetPhone", ["device": "a", "trustAfterMilliseconds": 5_000],
            "a trusts the head unit after 5s"
        ),
        (
            "late a challenge 500ms", "SetPhone", ["device": "a", "delays": ["challenge": 500]],
            "a gives challenge 500ms later"
        ),
        (
            "late a sessionOffer 0ms", "SetPhone", ["device": "a", "delays": ["sessionOffer": 0]],
            "a gives sessionOffer at once"
        ),
        (
            "misorder a challengeFirst", "SetPhone", ["device": "a", "misorder": "challengeFirst"],
            "a does challengeFirst"
        ),
        ("misorder a none", "SetPhone", ["device": "a", "misorder": "none"], "a is orderly"),
        ("carplay a off", "SetPhone", ["device": "a", "carPlay": false], "a has CarPlay off"),
        (
            "carplay a on --generation 2", "SetPhone", ["device": "a", "generation": 2, "carPlay": true],
            "a has CarPlay on"
        ),
        ("refuse a session", "SetPhone", ["device": "a", "refuse": "session"], "a refuses session"),
        ("refuse a none", "SetPhone", ["device": "a", "refuse": "none"], "a refuses nothing"),
        ("slow a 200ms", "SetPhone", ["device": "a", "slowMilliseconds": 200], "a answers 200ms later"),
        ("slow a 0ms", "SetPhone", ["device": "a", "slowMilliseconds": 0], "a answers at once"),
        ("retry a", "Retry", ["device": "a"], "a is tried again"),
        ("retry a --generation 2", "Retry", ["device": "a", "generation": 2], "a is tried again"),
        ("front a", "SetFront", ["device": "a"], "a is in front"),
        ("mark one two", "Mark", ["text": "one two"], "marked"),
        ("mark -- --json", "Mark", ["text": "--json"], "marked"),
    ]

    @Test(arguments: phoneCommands.indices) func itAsksAndTells(_ index: Int) throws {
        let (line, method, parameters, said) = Self.phoneCommands[index]
        try withRig(answers: [method: [:]]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .done && result.err.isEmpty)
            #expect(result.lines == [said])
            #expect(rig.parameters(of: method) == parameters)
            if !line.contains("--json") { #expect(try !tool("\(line) --json", rig: rig).json.isEmpty) }
        }
    }

    @Test func aMarkHasALimit() throws {
        try withRig(answers: ["Mark": [:]]) { rig throws in
            let half = String(repeating: "x", count: 512)
            #expect(tool("mark \(half) \(half.dropLast())", rig: rig).code == .done)
            let result = tool("mark \(half) \(half)", rig: rig)
            #expect(result.code == .usage && result.err.contains("it has 1025 bytes; the most is 1024"))
        }
    }

    static let vehicles: [(line: String, parameters: JSONObject)] = [
        ("appearance dark", ["appearance": "dark"]), ("driver-side right", ["driverSide": "right"]),
        ("limited-ui keyboard,lists", ["limitKeyboard": true, "limitLists": true]),
        ("limited-ui lists", ["limitKeyboard": false, "limitLists": true]),
        ("limited-ui none", ["limitKeyboard": false, "limitLists": false]),
        ("limited-ui all", ["limitKeyboard": true, "limitLists": true]),
        ("appearance automatic", ["automatic": ["appearance"]]),
        ("limited-ui automatic", ["automatic": ["keyboard", "lists"]]),
        (
            "vehicle set speed=36km/h gear=drive parking-brake=off ambient-light=300lx location=48.5,-11 altitude=520m "
                + "heading=90 accuracy=5m battery=80% fuel=50% range=120km range-low=on",
            [
                "speed": 10.0, "gear": "drive", "parkingBrake": false, "ambientLight": 300.0,
                "location": [
                    "latitude": 48.5, "longitude": -11.0, "altitude": 520.0, "heading": 90.0, "accuracy": 5.0,
                ], "battery": 80.0, "fuel": 50.0, "range": 120.0, "rangeLow": true,
            ]
        ),
        (
            "vehicle set speed=unknown location=unknown appearance=dark driver-side=right limited-ui=lists",
            [
                "unknown": ["speed", "location"], "appearance": "dark", "driverSide": "right", "limitKeyboard": false,
                "limitLists": true,
            ]
        ),
        ("vehicle set appearance=automatic limited-ui=automatic", ["automatic": ["appearance", "keyboard", "lists"]]),
        ("vehicle stop-track", ["stopTrack": true]),
    ]

    @Test(arguments: [
        ("speed=50", "speed: '50' has no unit"), ("speed=600km/h", "speed: 600km/h is not between -50 and 150 m/s"),
        ("gear=drvie", "did you mean drive?"), ("heading=5", "'heading' needs the location that it belongs to"),
        ("location=48.1", "location: '48.1' is not LATITUDE,LONGITUDE"), ("fuel=1% fuel=2%", "fuel is given twice"),
        ("sped=5m/s", "\"sped\" is no key"), ("appearance=grey", "appearance: \"grey\" is none of light, dark"),
        ("limited-ui=automatic,lists", "\"automatic\" stands alone"), ("battery=full", "battery: 'full' is no number"),
    ])
    func aWrongMeasureIsToldBeforeTheRigIsAsked(_ assignments: String, _ text: String) throws {
        try withRig(answers: [:]) { rig throws in
            let result = tool("vehicle set \(assignments)", rig: rig)
            #expect(result.code == .usage && result.err.contains(text), "\(result.err)")
            #expect(rig.calls.isEmpty)
        }
    }

    @Test func aTrackIsReadCheckedAndSent() throws {
        let folder = try TestFolder()
        let text = "time,speed\n0,1\n1.5,2\n"
        let good = "\(folder.path)/a.csv"
        let bad = "\(folder.path)/b.csv"
        try text.write(toFile: good, atomically: true, encoding: .utf8)
        try "time,speed\n0,1\n1,151\n".write(toFile: bad, atomically: true, encoding: .utf8)
        var vehicle = Vehicle()
        vehicle.track = TrackProgress(point: 0, points: 2)
        try withRig(answers: ["SetVehicle": ["vehicle": JSON(vehicle.record)]]) { rig throws in
            let result = tool("vehicle track \(bad)", rig: rig)
            #expect(result.code != .done && result.err.contains("\(bad):3: speed: 151 is not between -50 and 150 m/s"))
            #expect(tool("vehicle track \(folder.path)/c.csv", rig: rig).err.contains("c.csv"))
            #expect(rig.calls.isEmpty)
            #expect(
                tool("vehicle track \(good)", rig: rig).lines == [
                    "the car is light, driver left, nothing limited, track at point 0 of 2"
                ])
            #expect(rig.parameters(of: "SetVehicle") == ["track": .string(text)])
        }
    }

    @Test func theVehicleIsShownWithWhatIsNotKnown() throws {
        try withRig { _, peer in
            peer.reply(["state": .object(SampleRig.full)])
        } body: { rig throws in
            let lines = tool("vehicle show", rig: rig).lines
            #expect(lines.contains("speed unknown") && lines.contains("location unknown"))
        }
    }

    @Test(arguments: vehicles.indices) func theVehicleIsChanged(_ index: Int) throws {
        let (line, parameters) = Self.vehicles[index]
        let vehicle = Vehicle(appearance: .dark, driverSide: .right, limitedUI: LimitedUI(keyboard: true))
        try withRig(answers: ["SetVehicle": ["vehicle": JSON(vehicle.record)]]) { rig throws in
            #expect(tool(line, rig: rig).lines == ["the car is dark, driver right, keyboard limited"])
            #expect(rig.parameters(of: "SetVehicle") == parameters)
            #expect(try tool("\(line) --json", rig: rig).json["vehicle"] == JSON(vehicle.record))
        }
    }

    @Test func allAndNoneStandAlone() {
        #expect(tool("limited-ui none,lists").code == .usage)
        #expect(tool("display set main limited-ui=all,lists").code == .usage)
    }

    @Test func aDisplayIsChangedInEveryWay() throws {
        try withRig(answers: ["SetDisplay": ["display": JSON(SampleRig.display().record)]]) { rig throws in
            let line =
                "display set main view-area=1 safe-area=420,0,1080x720 pixels=1920x720 scale=1.5 frame-rate=30 "
                + "appearance=dark driver-side=right limited-ui=lists primary-input=knob"
            let result = tool(line, rig: rig)
            #expect(result.lines == ["s1/main is 800x480 @2, 400x240 pt, light, revision 1"])
            #expect(
                rig.parameters(of: "SetDisplay") == [
                    "display": "main", "viewArea": 1, "safeArea": ["x": 420, "y": 0, "width": 1_080, "height": 720],
                    "width": 1_920, "height": 720, "scale": 1.5, "framesPerSecond": 30, "appearance": "dark",
                    "driverSide": "right", "limitKeyboard": false, "limitLists": true, "primaryInput": "knob",
                ])
        }
    }

    @Test(arguments: [
        "scale=5", "scale=", "view-area=8", "view-area=-1", "pixels=0x1", "pixels=800", "safe-area=1,2",
        "frame-rate=241",
        "appearance=grey", "primary-input=mouse", "limited-ui=wheels", "scale=2 scale=3", "safe-area=0,0,0x0",
    ])
    func aWrongValueIsToldBeforeTheRigIsAsked(_ assignments: String) throws {
        try withRig(answers: [:]) { rig throws in
            let result = tool("display set main \(assignments)", rig: rig)
            #expect(result.code == .usage)
            #expect(rig.calls.isEmpty)
        }
    }

    @Test func aWrongDisplayIsToldWithTheRightOnes() throws {
        try withRig { call, peer in
            if call.method.hasSuffix("GetState") {
                peer.reply(["state": .object(SampleRig.full)])
            } else {
                peer.fail("org.varlink.service.InvalidParameter", ["parameter": "display"])
            }
        } body: { rig throws in
            for line in ["display set mian scale=2", "knob press --display mian"] {
                let result = tool(line, rig: rig)
                #expect(result.code == .failed)
                #expect(
                    result.err == "dashrig: there is no display \"mian\"; there is s1/main; did you mean \"main\"?\n")
            }
        }
    }
}

@Suite struct InputCommandTests {
    static let answer: JSONObject = [
        "first": 41, "count": 3, "session": "s1", "reaches": "read", "reached": "accepted",
    ]

    static let gestures: [(line: String, parameters: JSONObject)] = [
        ("knob rotate 3", ["knob": ["detents": 3]]),
        ("knob rotate -3 --every 80ms", ["knob": ["detents": -3, "intervalMilliseconds": 80]]),
        ("knob press", ["knob": ["press": true, "holdMilliseconds": 80]]),
        ("knob press --for 800ms", ["knob": ["press": true, "holdMilliseconds": 800]]),
        ("knob nudge up-left", ["knob": ["nudge": "upLeft", "holdMilliseconds": 80]]),
        ("key play-pause --for 1s", ["key": ["key": "playPause", "holdMilliseconds": 1_000]]),
        (
            "touch tap 100 200",
            ["touch": ["contacts": [["points": [["x": 100.0, "y": 200.0]], "id": 0]], "durationMilliseconds": 60]]
        ),
        (
            "touch swipe 1 2 3 4 --for 1s",
            [
                "touch": [
                    "contacts": [["points": [["x": 1.0, "y": 2.0], ["x": 3.0, "y": 4.0]], "id": 0]],
                    "durationMilliseconds": 1_000,
                ]
            ]
        ),
        (
            "touch path 1,2 3,4 + 5,6",
            [
                "touch": [
                    "contacts": [
                        ["points": [["x": 1.0, "y": 2.0], ["x": 3.0, "y": 4.0]], "id": 0],
                        ["points": [["x": 5.0, "y": 6.0]], "id": 1],
                    ], "durationMilliseconds": 300,
                ]
            ]
        ),
        (
            "touchpad tap 12.5 100",
            ["touchpad": ["contacts": [["points": [["x": 12.5, "y": 100.0]], "id": 0]], "durationMilliseconds": 60]]
        ),
        (
            "touchpad swipe 20 50 80 50",
            [
                "touchpad": [
                    "contacts": [["points": [["x": 20.0, "y": 50.0], ["x": 80.0, "y": 50.0]], "id": 0]],
                    "durationMilliseconds": 300,
                ]
            ]
        ),
    ]

    @Test(arguments: gestures.indices) func aGestureIsInjected(_ index: Int) throws {
        let (line, parameters) = Self.gestures[index]
        try withRig(answers: ["Inject": Self.answer]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .done && result.lines.count == 1)
            #expect(result.out.hasSuffix(": input 41 to 43, session s1, accepted\n"))
            #expect(rig.parameters(of: "Inject") == parameters)
        }
    }

    @Test func theTargetAndTheStepGoAlong() throws {
        var answer = Self.answer
        answer["reached"] = "read"
        try withRig(answers: ["Inject": answer]) { rig throws in
            let line = "key home --device a --generation 2 --display main --tag t1 --wait read --within 2s"
            #expect(tool(line, rig: rig).out == "key home pushed: input 41 to 43, session s1, read\n")
            #expect(
                rig.parameters(of: "Inject") == [
                    "key": ["key": "home", "holdMilliseconds": 80], "device": "a", "generation": 2, "display": "main",
                    "tag": "t1", "wait": "read", "withinMilliseconds": 2_000,
                ])
            #expect(try tool("\(line) --json", rig: rig).json == answer)
        }
    }

    static let shortfalls: [(answer: JSONObject, text: String)] = [
        (
            ["first": 1, "count": 1, "session": "s1", "reaches": "read", "reached": "delivered"],
            "it is delivered, and not read, after 1s"
        ),
        (
            ["first": 1, "count": 1, "session": "s1", "reaches": "accepted", "reached": "accepted"],
            "this target can reach accepted at most: no app and no link takes it"
        ),
        (["first": 1, "count": 1, "reaches": "accepted", "reached": "accepted"], "there is no session in front"),
    ]

    @Test(arguments: shortfalls.indices) func whatDoesNotComeFarEnoughIsAFailure(_ index: Int) throws {
        let (answer, text) = Self.shortfalls[index]
        try withRig(answers: ["Inject": answer]) { rig throws in
            let result = tool("knob press --wait read", rig: rig)
            #expect(result.code == .failed && result.out.isEmpty)
            #expect(result.err.contains(text), "\(result.err)")
            #expect(try tool("knob press --wait read --json", rig: rig).json["error"] == "stepNotReached")
            #expect(tool("knob press", rig: rig).code == .done)
        }
    }

    @Test func withoutASessionItSaysWhoHearsOfIt() throws {
        let answer: JSONObject = ["first": 7, "count": 1, "reaches": "accepted", "reached": "accepted"]
        try withRig(answers: ["Inject": answer]) { rig throws in
            #expect(
                tool("knob rotate 1", rig: rig).out
                    == "knob turned by 1 detent: input 7; no session is in front, so that only subscribers hear of it\n"
            )
        }
    }

    @Test func pointsBecomePixelsOfTheDisplay() throws {
        var second = SampleRig.display("cluster", scale: 300)
        second.description.name = "cluster"
        let state = SampleRig.state(
            devices: [SampleRig.device()], sessions: [SampleRig.session()], displays: [SampleRig.display(), second],
            front: "s1")
        try withRig(answers: ["GetState": ["state": .object(state)], "Inject": Self.answer]) { rig throws in
            func tapped(_ line: String) -> JSON? {
                #expect(tool(line, rig: rig).code == .done)
                let touch = rig.parameters(of: "Inject")?["touch"]?.objectValue
                return touch?["contacts"]?.arrayValue?.first?.objectValue?["points"]?.arrayValue?.first
            }
            #expect(tapped("touch tap 100.25 10 --points") == ["x": 201.0, "y": 20.0])
            #expect(tapped("touch tap 100.25 10 --points --display cluster") == ["x": 301.0, "y": 30.0])
            #expect(tapped("touch tap 1 1 --points --display s1/cluster") == ["x": 3.0, "y": 3.0])
            #expect(tapped("touch tap 1 1 --points --device iphone-1") == ["x": 2.0, "y": 2.0])
            let unknown = tool("touch tap 1 1 --points --display c", rig: rig)
            #expect(unknown.code == .failed && unknown.err.contains("there is no display \"c\""))
        }
        try withRig(answers: ["GetState": ["state": .object(SampleRig.state())]]) { rig throws in
            let result = tool("touch tap 1 1 --points", rig: rig)
            #expect(result.code == .failed && result.err.contains("the session in front has no display"))
        }
    }

    @Test(arguments: [
        "knob rotate 0", "touch tap 1.5 2", "touch path + 1,2", "touch path 1,2 +", "touch path 1,2 + + 3,4",
        "touch path +",
    ])
    func aGestureThatCannotBeIsToldBeforeTheRigIsAsked(_ line: String) throws {
        try withRig(answers: [:]) { rig throws in
            #expect(tool(line, rig: rig).code == .usage)
            #expect(rig.calls.isEmpty)
        }
    }

    @Test func fingersAndPointsHaveLimits() throws {
        try withRig(answers: ["Inject": Self.answer]) { rig throws in
            func path(_ fingers: Int, _ points: Int) -> String {
                let way = Array(repeating: "1,1", count: points).joined(separator: " ")
                return "touch path " + Array(repeating: way, count: fingers).joined(separator: " + ")
            }
            #expect(tool(path(Gesture.maximumContacts, Gesture.maximumPoints), rig: rig).code == .done)
            #expect(tool(path(Gesture.maximumContacts + 1, 1), rig: rig).code == .usage)
            #expect(tool(path(1, Gesture.maximumPoints + 1), rig: rig).code == .usage)
        }
    }

    @Test(arguments: [(100, 100, 1), (10_025, 200, 201), (10_024, 200, 200), (1_638_300, 400, 65_532), (0, 300, 0)])
    func pixelsAreRounded(_ hundredths: Int, _ scale: Int, _ pixels: Int) {
        #expect(TouchCommand.pixels(hundredths, scale) == pixels)
    }
}
