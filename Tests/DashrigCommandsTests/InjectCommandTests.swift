import ClientTestKit
import RigConfiguration
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// The input commands of Android Automotive's shell: what they ask of the rig, and what they refuse.
@Suite struct InjectCommandTests {
    private static func touch(_ contacts: [(id: Int64, x: Double, y: Double)], _ duration: Int64) -> JSONObject {
        let list = contacts.map { contact -> JSON in
            ["points": [["x": .double(contact.x), "y": .double(contact.y)]], "id": .int(contact.id)]
        }
        return ["touch": ["contacts": .array(list), "durationMilliseconds": .int(duration)]]
    }

    static let calls: [(line: String, parameters: JSONObject, told: String)] = [
        ("inject-key 3", ["key": ["key": "home", "holdMilliseconds": 80]], "3 (HOME) is key home"),
        ("inject-key KEYCODE_HOME", ["key": ["key": "home", "holdMilliseconds": 80]], "3 (HOME) is key home"),
        (
            "inject-key -d 0 -t 800 DPAD_CENTER",
            ["knob": ["press": true, "holdMilliseconds": 800], "display": "main"], "23 (DPAD_CENTER) is knob press"
        ),
        (
            "inject-key -d 1 268", ["knob": ["nudge": "upLeft", "holdMilliseconds": 80], "display": "cluster"],
            "268 (DPAD_UP_LEFT) is knob nudge up-left"
        ),
        (
            "inject-key 85 --device a --display s1/main --tag -t",
            [
                "key": ["key": "playPause", "holdMilliseconds": 80], "device": "a", "display": "s1/main", "tag": "-t",
            ], "85 (MEDIA_PLAY_PAUSE) is key play-pause"
        ),
        ("inject-rotary", ["knob": ["detents": -1]], "knob turned by -1 detent"),
        ("inject-rotary -i 10 -c true", ["knob": ["detents": 1]], "knob turned by 1 detent"),
        ("inject-rotary -c false", ["knob": ["detents": -1]], "knob turned by -1 detent"),
        (
            "inject-rotary -dt 100 50 0 -c true", ["knob": ["detents": 3, "intervalMilliseconds": 50]],
            "knob turned by 3 detents"
        ),
        ("inject-rotary -dt 5 5", ["knob": ["detents": -2]], "knob turned by -2 detents"),
        ("inject-motion 400 240.0", touch([(0, 400, 240)], 60), "display tapped"),
        (
            "inject-motion --source touchscreen -t 600 -c 2 -p 3 1 1 2 3 4", touch([(3, 1, 2), (1, 3, 4)], 600),
            "display tapped with 2 fingers"
        ),
        ("inject-motion -c 2 1 2 3 4", touch([(0, 1, 2), (1, 3, 4)], 60), "display tapped with 2 fingers"),
    ]

    @Test(arguments: calls.indices) func itsArgumentsBecomeOurGesture(_ index: Int) throws {
        let (line, parameters, told) = Self.calls[index]
        try withRig(answers: ["Inject": InputCommandTests.answer]) { rig throws in
            let result = tool(line, rig: rig)
            #expect(result.code == .done && result.err.isEmpty, "\(result.err)")
            #expect(result.out == "\(told): input 41 to 43, session s1, accepted\n")
            #expect(rig.parameters(of: "Inject") == parameters)
            #expect(try tool("\(line) --json", rig: rig).json == InputCommandTests.answer)
        }
    }

    static let refusals: [(line: String, text: String)] = [
        ("inject-key", "needs ARGUMENT"), ("inject-key -t", "-t needs a value"),
        ("inject-key -t 5", "key_code is missing"),
        ("inject-key -s 0x1 3", "-s has no meaning here: the car has one seat"),
        ("inject-key -a down 3", "-a has no meaning here: down and up are one gesture"),
        ("inject-key -x 3", "there is no option -x"), ("inject-key 3 4", "\"4\" is too much"),
        ("inject-key -t 0 3", "-t: 0 is not between 1 and 60000"), ("inject-key -t 1s 3", "\"1s\" is no whole number"),
        ("inject-key -d 2 3", "-d 2 has no meaning here"), ("inject-key 9999", "there is no key \"9999\" in a car"),
        ("inject-key HOEM", "there is no key \"HOEM\" in a car; did you mean \"HOME\"?"),
        ("inject-key 24", "key_code 24 (VOLUME_UP) has no meaning here: the rig carries no sound"),
        ("inject-key -d 0 3 --display main", "-d and --display name two displays"),
        ("inject-rotary -i 11", "-i 11 (the volume knob) has no meaning here"),
        ("inject-rotary -i 3", "-i: 3 is neither"),
        ("inject-rotary -c yes", "-c: \"yes\" is neither true nor false"), ("inject-rotary 3", "\"3\" is too much"),
        ("inject-rotary -dt", "-dt needs a value"), ("inject-rotary -dt 0 50", "the times stand in descending order"),
        ("inject-rotary -dt 100 50 20", "-dt with uneven times has no meaning here"),
        ("inject-rotary -dt 100 -50", "-dt: -50 is not between 0 and"),
        ("inject-rotary -dt 70000 0", "the most between two detents is 60000"),
        ("inject-motion -a move 1 2", "-a has no meaning here"), ("inject-motion 1", "y0 is missing"),
        ("inject-motion 1 2 3", "\"3\" is too much"), ("inject-motion -c 2 1 2", "x1 is missing"),
        ("inject-motion 1.5 2", "x0: pixels are whole numbers, not 1.5"), ("inject-motion nan 2", "is no number"),
        ("inject-motion 1e300 2", "x0: 1e300 is not between 0 and"), ("inject-motion -- -1 2", "x0: -1 is not between"),
        ("inject-motion -c 11 1 2", "-c: 11 is not between 1 and 10"),
        ("inject-motion -c 2 -p 1 1 1 2 3 4", "stands twice"),
        ("inject-motion -p 0 -c 2 1 2 3 4", "-p: it names 1 fingers, and -c says 2"),
        ("inject-motion --source touchpad 1 2", "--source touchpad has no meaning here"),
        ("inject-motion --source mouse 1 2", "--source mouse has no meaning here"),
        ("inject-motion --source glove 1 2", "--source"),
    ]

    @Test(arguments: refusals.indices) func whatHasNoMeaningIsRefusedByName(_ index: Int) {
        let (line, text) = Self.refusals[index]
        let result = tool("\(line) --socket-dir /nowhere")
        #expect(result.code == .usage && result.err.contains(text), "\(line): \(result.err)")
    }

    @Test func everyKeyOfTheTableIsPushedOrRefused() throws {
        #expect(Set(AndroidKeyCode.all.map(\.code)).count == AndroidKeyCode.all.count)
        #expect(Set(AndroidKeyCode.all.map(\.name)).count == AndroidKeyCode.all.count)
        for key in AndroidKeyCode.all {
            for word in ["\(key.code)", key.name, "KEYCODE_\(key.name)"] {
                let words = AndroidWords([word], path: ["inject-key"])
                if let gesture = key.meaning.gesture(hold: Gesture.defaultHold) {
                    #expect(try AndroidInjection.key(words).gesture == gesture)
                } else {
                    #expect(throws: CommandLineFailure.self) { try AndroidInjection.key(words) }
                }
            }
        }
    }

    @Test func everyKeyOfTheCarHasANumber() {
        let gestures = AndroidKeyCode.all.compactMap { $0.meaning.gesture(hold: 1) }
        for key in Key.allCases { #expect(gestures.contains(.key(key, hold: 1)), "\(key)") }
        for way in NudgeDirection.allCases { #expect(gestures.contains(.nudge(way, hold: 1)), "\(way)") }
    }
}
