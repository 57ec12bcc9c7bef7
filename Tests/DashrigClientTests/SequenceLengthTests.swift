import RigModel
import Testing
import VarlinkProtocol

@testable import DashrigClient

/// How long an answer to a sequence is waited for follows from the sequence.
@Suite struct SequenceLengthTests {
    static let line: JSON = [["points": [["x": 0, "y": 0], ["x": 300, "y": 400]]]]
    static let point: JSON = [["points": [["x": 5, "y": 5]]]]

    static let steps: [(step: JSONObject, milliseconds: UInt64)] = [
        (["at": 1.5, "knob": ["detents": 1, "intervalMilliseconds": 50]], 1),
        (["at": 100, "knob": ["detents": -5, "intervalMilliseconds": 50]], 300),
        (["at": 100, "knob": ["detents": 5, "durationMilliseconds": 30]], 130),
        (["at": 100, "knob": ["detents": 5]], 100), (["at": 0, "knob": ["press": true]], 80),
        (["at": 0, "knob": ["nudge": "up", "holdMilliseconds": 500]], 500),
        (["at": 7, "knob": ["press": true, "down": true]], 7), (["at": 0, "key": ["key": "home"]], 80),
        (["at": 0, "key": ["key": "home", "holdMilliseconds": 2_000]], 2_000),
        (["at": 3, "key": ["key": "home", "down": false]], 3),
        (["at": 0, "touch": ["contacts": point]], 60), (["at": 0, "touch": ["contacts": line]], 300),
        (["at": 0, "touch": ["contacts": line, "flick": true]], 100),
        (["at": 0, "touch": ["contacts": line, "velocity": 1_000]], 500),
        (["at": 0, "touch": ["contacts": line, "velocity": 1_000, "flick": true]], 1_000),
        (
            [
                "at": 0,
                "touchpad": ["contacts": [["points": [["x": 10, "y": 50], ["x": 60, "y": 50]]]], "velocity": 100],
            ], 500
        ),
        (["at": 0, "touchpad": ["contacts": line, "durationMilliseconds": 45]], 45),
        (["at": 9, "touch": ["frame": [["id": 0, "phase": "ended"]]]], 9),
        // What is refused makes nobody wait.
        (["at": 1e300, "key": ["key": "home", "down": true]], 600_000), (["at": -5, "key": ["down": true]], 0),
        (["at": "x"], 0),
        (["at": 0, "key": ["holdMilliseconds": 99_999_999]], 60_000), (["at": 0, "touch": ["velocity": 0]], 0),
        (["at": 0, "knob": ["detents": -9_223_372_036_854_775_808, "intervalMilliseconds": 60_000]], 999 * 60_000),
    ]

    @Test(arguments: steps.indices) func aStepLastsAsLongAsItsGesture(_ index: Int) {
        let (step, milliseconds) = Self.steps[index]
        #expect(SequenceLength.nanoseconds(of: ["steps": [.object(step)]]) / 1_000_000 == milliseconds)
    }

    @Test func theStepThatEndsLastCounts() {
        let steps: JSON = [
            ["at": 0, "key": ["key": "home", "holdMilliseconds": 5_000]], ["at": 1_000, "knob": ["press": true]],
        ]
        #expect(SequenceLength.nanoseconds(of: ["steps": steps]) == 5_000_000_000)
        #expect(SequenceLength.nanoseconds(of: [:]) == 0)
        #expect(SequenceLength.nanoseconds(of: ["steps": 3]) == 0)
    }
}
