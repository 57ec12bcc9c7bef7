import ClientTestKit
import DashrigClient
import Foundation
import LinuxIO
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// `dashrig inject`: what it reads, what it asks of the rig, and how it ends; and the gestures by speed.
@Suite struct SequenceCommandTests {
    static let answer: JSONObject = [
        "first": 12, "count": 3, "session": "s1", "reaches": "read", "reached": "read", "sent": 3,
        "latestMicroseconds": 340, "steps": [["first": 12, "count": 1], ["first": 13, "count": 2]],
    ]

    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "sequence-\(UUID().uuidString)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    static let files: [(text: String, steps: JSON)] = [
        (
            "knob press down\nat 100ms knob rotate 1  # turned while pressed\nat 200ms knob press up\n",
            [
                ["at": 0.0, "knob": ["press": true, "down": true]], ["at": 100.0, "knob": ["detents": 1]],
                ["at": 200.0, "knob": ["press": true, "down": false]],
            ]
        ),
        (" \n[{\"at\": 0, \"key\": {\"key\": \"home\"}}]", [["at": 0, "key": ["key": "home"]]]),
        ("{\"steps\": [{\"at\": 1.5, \"anything\": 1}]}", [["at": 1.5, "anything": 1]]),
    ]

    @Test(arguments: files.indices) func linesAndJSONAreOneCall(_ index: Int) throws {
        try withRig(answers: ["InjectSequence": Self.answer]) { rig throws in
            try withFile(Self.files[index].text) { path throws in
                let result = tool("inject \(path) --device a --tag t", rig: rig)
                #expect(result.code == .done && result.err.isEmpty, "\(result.err)")
                #expect(
                    result.out == "\(path): 2 steps: input 12 to 14, session s1, read, the latest 0.3ms late\n",
                    "\(result.out)")
                #expect(
                    rig.parameters(of: "InjectSequence") == [
                        "steps": Self.files[index].steps, "device": "a", "tag": "t", "wait": "delivered",
                        "withinMilliseconds": 1_000,
                    ])
                #expect(try tool("inject \(path) --json --wait read", rig: rig).json == Self.answer)
                #expect(rig.parameters(of: "InjectSequence")?["wait"] == "read")
            }
        }
    }

    static let short: [(change: JSONObject, line: String, text: String)] = [
        (["sent": 1], "", "1 of 3 events sent: its session has ended"),
        (["reached": "delivered"], "--wait read --within 50ms", "it is delivered, and not read, after 50ms"),
        (["reaches": "accepted", "reached": "accepted"], "--wait read", "this target can reach accepted at most"),
    ]

    @Test(arguments: short.indices) func whatFellShortIsTold(_ index: Int) throws {
        let (change, line, text) = Self.short[index]
        var answer = Self.answer
        for name in ["sent", "reached", "reaches"] { if let value = change[name] { answer[name] = value } }
        try withRig(answers: ["InjectSequence": answer]) { rig throws in
            try withFile("knob press\n") { path throws in
                let result = tool("inject \(path) \(line)", rig: rig)
                #expect(result.code == .failed && result.err.contains(text), "\(result.err)")
            }
        }
    }

    @Test func withoutAWaitWhatIsSentIsEnough() throws {
        var answer = Self.answer
        answer["reached"] = "accepted"
        try withRig(answers: ["InjectSequence": answer]) { rig throws in
            try withFile("knob press\n") { path throws in #expect(tool("inject \(path)", rig: rig).code == .done) }
        }
    }

    static let wrong: [(text: String, told: String)] = [
        ("knob press\nplug iphone\n", "a sequence has only knob, touch, touchpad, key and wait"),
        ("key nothing\n", "'nothing' is not a key"), ("", "the scenario has no steps"),
        ("knob press\nplug iphone\n", ":2:1: "), ("# all waits\n wait 1s\n", ":2:2: there is nothing but waits"),
        ("[]", ": steps: "),
        ("{\"steps\": []}", ": steps: the sequence has no steps"), ("\n\n", ":2:1: the scenario has no steps"),
        ("\u{FEFF}[{\"at\": }]", "line 1, column 9: "), ("\u{FEFF} key nothing", ":1:6: "),
        ("[{\"at\": }]", "line 1, column 9: "), ("{\"steps\": [", "line 1, column 12: "),
        ("{\"steps\": [{\"at\": 0}], \"wait\": \"seen\"}", ": wait: this is none of accepted, "),
        ("{\"steps\": [{\"at\": 0}], \"withinMilliseconds\": -5}", ": withinMilliseconds: this is no whole number"),
    ]

    @Test(arguments: wrong.indices) func whatIsNoSequenceIsToldBeforeTheRigIsAsked(_ index: Int) throws {
        let (text, told) = Self.wrong[index]
        try withFile(text) { path throws in
            let result = tool("inject \(path) --socket-dir /nowhere")
            #expect(result.code == .usage && result.err.contains(told), "\(result.err)")
        }
        #expect(tool("inject /nowhere/file --socket-dir /nowhere").code == .usage)
    }

    /// What the command line says counts more.
    @Test func aFileSaysHowFarItsInputHasToCome() throws {
        var answer = Self.answer
        answer["reached"] = "read"
        let text = #"{"steps": [{"at": 0, "knob": {"press": true}}], "wait": "read", "withinMilliseconds": 250}"#
        try withRig(answers: ["InjectSequence": answer]) { rig throws in
            try withFile(text) { path throws in
                for (line, wait, within) in [("", "read", 250), (" --wait delivered --within 2s", "delivered", 2_000)] {
                    let result = tool("inject \(path)\(line)", rig: rig)
                    #expect(result.code == .done, "\(result.err)")
                    let parameters = rig.parameters(of: "InjectSequence")
                    #expect(parameters?["wait"] == .string(wait))
                    #expect(parameters?["withinMilliseconds"]?.intValue == Int64(within))
                }
            }
        }
    }

    @Test(arguments: ["knob press\n", "[{\"at\": 0, \"knob\": {\"press\": true}}]"])
    func aByteOrderMarkIsPassedOver(_ text: String) throws {
        try withRig(answers: ["InjectSequence": Self.answer]) { rig throws in
            try withFile("\u{FEFF}" + text) { path throws in
                let result = tool("inject \(path)", rig: rig)
                #expect(result.code == .done, "\(result.err)")
                #expect(rig.parameters(of: "InjectSequence")?["steps"]?.arrayValue?.count == 1)
            }
        }
    }

    private static let refusal: FakeRig.Handler = { call, peer in
        let field = call.parameters["tag"]?.stringValue ?? "steps.2.touch.x"
        peer.fail(
            "org.varlink.service.InvalidParameter", ["parameter": .string(field)],
            text: "\(field): 900 is outside of the display")
    }

    /// The rig knows steps; whoever wrote lines knows lines.
    @Test func whatTheRigRefusesIsToldAtItsLine() throws {
        let text = "# a pinch\nevery 20ms for 40ms knob rotate 1\n\n  touch tap 900 5   # here\nkey home\n"
        try withRig(.rig, Self.refusal) { rig throws in
            try withFile(text) { path throws in
                let result = tool("inject \(path)", rig: rig)
                #expect(result.code == .usage)
                #expect(
                    result.err.hasPrefix(
                        "dashrig: \(path):4:3: 900 is outside of the display\n 4 |   touch tap 900 5   # here\n   |   ^~~~"
                    ),
                    "\(result.err)")
                #expect(try tool("inject \(path) --json", rig: rig).json["error"] == "scenarioWrong")
                // What is no step of the file's.
                let display = tool("inject \(path) --tag display", rig: rig)
                #expect(display.code == .usage && display.err == "dashrig: display: 900 is outside of the display\n")
                let many = tool("inject \(path) --tag steps.77", rig: rig)
                #expect(many.err == "dashrig: \(path): steps.77: 900 is outside of the display\n", "\(many.err)")
            }
        }
    }

    @Test func whatTheRigRefusesOfJSONIsToldWithItsFile() throws {
        try withRig(.rig, Self.refusal) { rig throws in
            try withFile("[{\"at\": 0}]") { path throws in
                let result = tool("inject \(path)", rig: rig)
                #expect(result.code == .usage)
                #expect(
                    result.err == "dashrig: \(path): steps.2.touch.x: 900 is outside of the display\n", "\(result.err)")
                let json = try tool("inject \(path) --json", rig: rig).json
                #expect(json["error"] == "org.varlink.service.InvalidParameter")
            }
        }
    }

    /// A rig that takes the call and says nothing: it is waited for as long as the file says, and --timeout.
    @Test(arguments: ["knob press\n", "[{\"at\": 100, \"key\": {\"key\": \"home\", \"down\": true}}]"])
    func aRigThatIsStuckIsLeftInTime(_ text: String) throws {
        try withRig(.rig) { _, _ in
        } body: { rig throws in
            try withFile(text) { path throws in
                let start = SystemClock.monotonicNow()
                let json = try tool("inject \(path) --timeout 100ms --within 1ms --json", rig: rig).json
                let waited = SystemClock.monotonicNow() - start
                #expect(json["error"] == "timedOut", "\(json)")
                // Far from the 11 minutes that a sequence may take.
                #expect((150_000_000..<10_000_000_000).contains(waited), "\(waited / 1_000_000) ms")
            }
        }
    }

    static let gestures: [(line: String, parameters: JSONObject)] = [
        ("knob rotate 5 --over 1s", ["knob": ["detents": 5, "intervalMilliseconds": 250]]),
        (
            "touch swipe 0 0 300 400 --velocity 1000",
            [
                "touch": [
                    "contacts": [["points": [["x": 0.0, "y": 0.0], ["x": 300.0, "y": 400.0]], "id": 0]],
                    "durationMilliseconds": 500,
                ]
            ]
        ),
    ]

    @Test(arguments: gestures.indices) func speedsAndTimesBecomeTheRigsTimes(_ index: Int) throws {
        let (line, parameters) = Self.gestures[index]
        try withRig(answers: ["Inject": InputCommandTests.answer]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .done, "\(result.err)")
            #expect(rig.parameters(of: "Inject") == parameters)
        }
    }

    @Test func aFlickIsAWayThatGetsFaster() throws {
        try withRig(answers: ["Inject": InputCommandTests.answer]) { rig throws in
            #expect(tool("touchpad flick 80 50 20 50 --velocity 600", rig: rig).code == .done)
            let touch = rig.parameters(of: "Inject")?["touchpad"]?.objectValue
            #expect(touch?["durationMilliseconds"]?.intValue == 200)
            let points = touch?["contacts"]?.arrayValue?.first?.objectValue?["points"]?.arrayValue
            let places = (points ?? []).compactMap { $0.objectValue?["x"]?.doubleValue }
            #expect(places.count == 9 && places.first == 80 && places.last == 20)
        }
    }

    static let contradictions = [
        "knob rotate 2 --every 5ms --over 1s", "touch swipe 1 1 2 2 --for 5ms --velocity 5",
        "touch flick 1 1 1 1 --velocity 5", "touch swipe 0 0 9999 0 --velocity 1", "touch tap 1 1 --velocity 5",
    ]

    @Test(arguments: contradictions) func whatContradictsItselfIsRefused(_ line: String) throws {
        try withRig(answers: [:]) { rig throws in #expect(tool(line, rig: rig).code == .usage) }
    }
}
