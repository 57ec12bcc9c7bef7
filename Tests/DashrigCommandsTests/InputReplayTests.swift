import ClientTestKit
import DashrigClient
import EvemuFormat
import Foundation
import InputCore
import RigConfiguration
import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigCommands

/// Recordings that are played, into gestures and into a rig.
@Suite struct InputReplayTests {
    private static let knob =
        "# EVEMU 1.3\nN: Griffin PowerMate\nI: 0003 077d 0410 0311\nP: 00\nB: 00 07\n"
        + String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 4) + "B: 01 01\nB: 02 80\n"
    private static let knobEvents = """
        E: 5.000000 0002 0007 0002
        E: 5.000000 0000 0000 0000
        E: 5.040000 0001 0100 0001
        E: 5.040000 0000 0000 0000
        E: 5.060000 0002 0007 -001
        E: 5.060000 0000 0000 0000
        E: 5.100000 0001 0100 0000
        E: 5.100000 0000 0000 0000

        """
    private static let panel =
        "# EVEMU 1.3\nN: Panel\nI: 0003 0eef 0001 0100\nP: 02\nB: 00 0b\n"
        + String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 5) + "B: 01 00 04\n"
        + "B: 03 03 00 00 00 00 80 60 02\nA: 00 0 1000 0 0 0\nA: 01 0 1000 0 0 0\nA: 2f 0 9 0 0 0\n"
        + "A: 35 0 1000 0 0 0\nA: 36 0 1000 0 0 0\nA: 39 0 65535 0 0 0\n"
    private static let panelEvents = """
        E: 0.000000 0003 0039 0007
        E: 0.000000 0003 0035 0000
        E: 0.000000 0003 0036 0500
        E: 0.000000 0001 014a 0001
        E: 0.000000 0000 0000 0000
        E: 0.034000 0003 0035 1000
        E: 0.034000 0000 0000 0000
        E: 0.050000 0003 0039 -001
        E: 0.050000 0001 014a 0000
        E: 0.050000 0000 0000 0000

        """
    private static let answer: JSONObject = [
        "first": 1, "count": 2, "session": "s1", "reaches": "read", "reached": "accepted",
    ]

    private static func decoded(_ text: String) throws -> DecodedRecording {
        let recording = try EvemuRecording(parsing: Array(text.utf8))
        let device = try #require(recording.device)
        let profile = try #require(DeviceTable.shipped.classify(device, isChosen: true))
        return DecodedRecording(recording.frames, of: device, as: profile)
    }

    /// Runs a body with the text in a file.
    private static func with(_ text: String, _ body: (String) throws -> Void) throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/recording.evemu"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try body(path)
    }

    @Test func aKnobIsTurnedAndPressedInItsTime() throws {
        let decoded = try Self.decoded(Self.knob + Self.knobEvents)
        #expect(decoded.kind == .knob)
        #expect(decoded.duration == 100_000_000)
        let plan = ReplayPlan(decoded, touches: nil)
        #expect(
            plan.steps == [
                ReplayPlan.Step(offset: 0, input: .gesture(.rotate(detents: 2, interval: 0))),
                ReplayPlan.Step(offset: 40_000_000, input: .single(.press(down: true))),
                ReplayPlan.Step(offset: 60_000_000, input: .gesture(.rotate(detents: -1, interval: 0))),
                ReplayPlan.Step(offset: 100_000_000, input: .single(.press(down: false))),
            ])
        #expect(plan.notes.map(\.text) == [ReplayPlan.intents])
    }

    @Test func aTouchGoesFrameByFrameInPixels() throws {
        let decoded = try Self.decoded(Self.panel + Self.panelEvents)
        #expect(decoded.kind == .touchscreen)
        let surface = try #require(decoded.surface)
        let display = DisplayDescription(
            name: "main", pixels: PixelSize(width: 801, height: 401), widthMillimetres: 160, heightMillimetres: 96)
        let plan = ReplayPlan(decoded, touches: TouchGeometry(surface, on: display, revision: 1))
        #expect(plan.notes.isEmpty)
        func frame(_ change: FingerChange<PixelPoint>.Change) -> InjectedInput {
            .single(.touch([FingerChange(id: 0, change)]))
        }
        #expect(
            plan.steps == [
                ReplayPlan.Step(offset: 0, input: frame(.began(PixelPoint(x: 0, y: 200)))),
                ReplayPlan.Step(offset: 34_000_000, input: frame(.moved(PixelPoint(x: 800, y: 200)))),
                ReplayPlan.Step(offset: 50_000_000, input: frame(.ended(PixelPoint(x: 800, y: 200)))),
            ])
        #expect(ReplayPlan(decoded, touches: nil).notes.map(\.text) == [ReplayPlan.noDisplay])
    }

    @Test func whatIsHeldForLongIsHeldForLong() throws {
        let late = Self.knobEvents.replacing("E: 5.100000", with: "E: 99.100000")
        let plan = ReplayPlan(try Self.decoded(Self.knob + late), touches: nil)
        #expect(plan.steps.last == ReplayPlan.Step(offset: 94_100_000_000, input: .single(.press(down: false))))
        #expect(UInt64.max.played(at: 100) == UInt64.max / 100)
    }

    @Test func theRigGetsEveryGestureInEveryRound() throws {
        try Self.with(Self.knob + Self.knobEvents) { path in
            try withRig(answers: ["Inject": Self.answer]) { rig throws in
                let result = tool("input replay \(path) --speed 2 --loop 2", rig: rig)
                #expect(result.code == .done, "\(result.err)")
                #expect(result.err.contains("Griffin PowerMate is a knob by rule"), "\(result.err)")
                #expect(result.err.contains("intents"))
                #expect(result.out.hasPrefix("16 inputs played, the latest"), "\(result.out)")
                let injected = rig.calls.filter { $0.method.hasSuffix(".Inject") }.map { $0.parameters["knob"] }
                let round: [JSON?] = [
                    ["detents": 2], ["press": true, "down": true], ["detents": -1], ["press": true, "down": false],
                ]
                #expect(injected == round + round)
            }
        }
    }

    @Test func touchesGoToTheDisplayInFront() throws {
        let state = SampleRig.state(
            devices: [SampleRig.device()], sessions: [SampleRig.session()], displays: [SampleRig.display()], front: "s1"
        )
        try Self.with(Self.panel + Self.panelEvents) { path in
            try withRig(answers: ["GetState": ["state": .object(state)], "Inject": Self.answer]) { rig throws in
                let result = tool("input replay \(path) --json", rig: rig)
                #expect(result.code == .done, "\(result.err)")
                #expect(try result.json["inputs"] == 6)
                #expect(rig.parameters(of: "Inject")?["display"] == "s1/main")
                let frame = rig.parameters(of: "Inject")?["touch"]?.objectValue?["frame"]?.arrayValue
                #expect(frame?.last?.objectValue?["x"] == 799.0, "\(String(describing: frame))")
                #expect(frame?.last?.objectValue?["phase"] == "ended")
            }
        }
    }

    @Test func touchesWithoutADisplayAreAFailure() throws {
        try Self.with(Self.panel + Self.panelEvents) { path in
            try withRig(answers: ["GetState": ["state": .object(SampleRig.state())]]) { rig throws in
                let result = tool("input replay \(path)", rig: rig)
                #expect(result.code == .failed && result.err.contains(ReplayPlan.noDisplay), "\(result.err)")
            }
        }
    }

    @Test func aDryRunNeedsNoRig() throws {
        try Self.with(Self.knob + Self.knobEvents) { path in
            let text = tool("input replay \(path) --dry-run")
            #expect(text.code == .done)
            #expect(text.lines.first == "0.000000 s  knob  rotate 2")
            let objects = try tool("input replay \(path) --dry-run --json").objects
            #expect(
                objects.first == ["microseconds": 0, "kind": "knob", "input": ["gesture": "rotate", "detents": 2]])
            #expect(objects.last?["rule"] != nil && objects.last?["reports"] == 4)
        }
    }

    // MARK: The daemon's rules

    /// A configuration with device tables beside it, and the recording of a knob.
    private static func withConfiguration(
        _ tables: [String: String], settings: String = "",
        _ body: (_ configuration: String, _ folder: String) throws -> Void
    ) throws {
        let folder = try TestFolder()
        let devices = "\(folder.path)/devices"
        try FileManager.default.createDirectory(atPath: devices, withIntermediateDirectories: false)
        for (name, text) in tables {
            try text.write(toFile: "\(devices)/\(name)", atomically: true, encoding: .utf8)
        }
        try settings.write(toFile: "\(folder.path)/rig.ini", atomically: true, encoding: .utf8)
        try (knob + knobEvents).write(toFile: "\(folder.path)/knob.evemu", atomically: true, encoding: .utf8)
        try body("\(folder.path)/rig.ini", folder.path)
    }

    private static func rule(_ name: String, priority: Int, reversed: Bool = false) -> String {
        """
        [input \(name)]
        kind = knob
        priority = \(priority)
        match-name = Griffin PowerMate
        axis = REL_DIAL
        press = BTN_0
        reversed = \(reversed ? "yes" : "no")

        """
    }

    @Test func theRulesOfTheDaemonDecide() throws {
        let tables = [
            "20-b.ini": Self.rule("second", priority: 300, reversed: true),
            "10-a.ini": Self.rule("first", priority: 300), "note.txt": "no rules",
        ]
        try Self.withConfiguration(tables) { configuration, folder in
            let replay = "input replay \(folder)/knob.evemu --dry-run --config \(configuration)"
            let result = tool(replay)
            #expect(result.lines.first == "0.000000 s  knob  rotate -2", "\(result.out) \(result.err)")
            #expect(result.err.contains("is a knob by rule second (300), not by first (300)"), "\(result.err)")
            #expect(
                result.err.contains(
                    "rules: the shipped ones, then \(folder)/devices/10-a.ini, \(folder)/devices/20-b.ini;"),
                "\(result.err)")
            let mine = "\(folder)/mine.ini"
            try Self.rule("mine", priority: 300).write(toFile: mine, atomically: true, encoding: .utf8)
            let more = tool("\(replay) --table \(mine)")
            #expect(more.lines.first == "0.000000 s  knob  rotate 2")
            #expect(more.err.contains("by rule mine (300), not by second (300), first (300)"), "\(more.err)")
            let totals = try tool("\(replay) --table \(mine) --json").objects.last
            #expect(totals?["tables"]?.arrayValue?.last == .string(mine))
            #expect(totals?["tables"]?.arrayValue?.count == 3)
        }
    }

    @Test func theTimesOfTheDaemonCount() throws {
        for (time, meaning) in [("100ms", "press"), ("50ms", "longPress")] {
            try Self.withConfiguration([:], settings: "[rig]\nlong-press = \(time)\n") { configuration, folder in
                try Self.knobEvents.replacing("E: 5.060000 0002 0007 -001", with: "E: 5.060000 0004 0004 0001").write(
                    toFile: "\(folder)/press.events", atomically: true, encoding: .utf8)
                let result = tool(
                    "input replay \(folder)/press.events --description \(folder)/knob.evemu --dry-run --config \(configuration)"
                )
                #expect(result.lines.contains { $0.contains(meaning) }, "\(result.out) \(result.err)")
            }
        }
    }

    @Test func whatIsWrongWithTheDaemonsRulesIsTold() throws {
        try Self.withConfiguration(["a.ini": "[input x]\nkind = knob\nnonsense = 1\n"]) { configuration, folder in
            let result = tool("input replay \(folder)/knob.evemu --dry-run --config \(configuration)")
            #expect(result.code == .usage && result.err.contains("\(folder)/devices/a.ini:3"), "\(result.err)")
            let missing = tool("input replay \(folder)/knob.evemu --dry-run --config \(folder)/other.ini")
            #expect(missing.code == .usage && missing.err.contains("other.ini"), "\(missing.err)")
        }
    }

    @Test func whatIsWrongIsTold() throws {
        try Self.with(Self.knob + "E: 1 2\n") { path in
            let result = tool("input replay \(path) --dry-run")
            #expect(result.code == .usage)
            #expect(result.err.contains("line 12") && result.err.contains("six digits"), "\(result.err)")
        }
        try Self.with(Self.knobEvents) { path in
            let result = tool("input replay \(path) --dry-run")
            #expect(result.code == .usage && result.err.contains("--description"))
            try Self.with(Self.knob) { other in
                #expect(tool("input replay \(path) --description \(other) --dry-run").code == .done)
            }
        }
        try Self.with("N: Lamp\nI: 0003 0001 0002 0003\n" + Self.knobEvents) { path in
            let result = tool("input replay \(path) --dry-run")
            #expect(result.code == .failed && result.err.contains("no rule"), "\(result.err)")
        }
        #expect(tool("input replay x --once --loop 2 --dry-run").code == .usage)
        #expect(tool("input record /dev/null").code == .usage)
        #expect(tool("input record /dev/null -o - --json").code == .usage)
        #expect(tool("input replay /nowhere --dry-run").code == .usage)
    }

    static func libinput(_ devices: [String]) -> String {
        "# libinput record\nversion: 1\nndevices: \(devices.count)\ndevices:\n"
            + devices.enumerated().map { place, name in
                """
                  - node: /dev/input/event\(place)
                    evdev:
                      name: "\(name)"
                      id: [3, 1917, 1040, 785]
                      codes:
                        0: [0]
                        1: [256]
                        2: [7]
                      properties: []
                    events:
                      - evdev:
                        - [  5,      0,   2,   7,     2]
                        - [  5,      0,   0,   0,     0]

                """
            }.joined()
    }

    @Test func aRecordingOfLibinputIsPlayedTheSameWay() throws {
        try Self.with(Self.libinput(["Griffin PowerMate"])) { path in
            let result = tool("input replay \(path) --dry-run")
            #if HAVE_YAML
                #expect(result.code == .done)
                #expect(result.lines.first == "0.000000 s  knob  rotate 2", "\(result.err)")
            #else
                #expect(result.code == .usage && result.err.contains("libyaml"))
            #endif
        }
        #if HAVE_YAML
            try Self.with(Self.libinput(["Griffin PowerMate", "Other"])) { path in
                let unnamed = tool("input replay \(path) --dry-run")
                #expect(unnamed.code == .usage)
                #expect(unnamed.err.contains("--recorded") && unnamed.err.contains("/dev/input/event1 (Other)"))
                #expect(tool("input replay \(path) --recorded /dev/input/event0 --dry-run").code == .done)
                #expect(tool("input replay \(path) --recorded event0 --dry-run").err.contains("no device event0"))
            }
            try Self.with(Self.libinput(["Griffin PowerMate"]).replacing("[256]", with: "[x]")) { path in
                #expect(tool("input replay \(path) --dry-run").err.contains("line 11: \"x\""))
            }
        #endif
        try Self.with(Self.knob + Self.knobEvents) { path in
            #expect(tool("input replay \(path) --recorded knob --dry-run").code == .usage)
        }
    }
}
