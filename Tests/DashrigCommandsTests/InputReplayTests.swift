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
}
