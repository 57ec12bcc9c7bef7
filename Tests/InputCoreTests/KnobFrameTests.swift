import InputCore
import RigModel
import Testing

/// A knob that is told of whole frames.
@Suite struct KnobFrameTests {
    private static let press = EvdevCode.button0
    private static let turn = EvdevEvent(type: EvdevCode.relative, code: EvdevCode.dial, value: -2, time: 5_000)
    private static let down = EvdevEvent(type: EvdevCode.key, code: press, value: 1, time: 6_000)
    private static let up = EvdevEvent(type: EvdevCode.key, code: press, value: 0, time: 9_000)

    private static func told(_ frames: [EvdevFrame], _ layout: KnobLayout) -> [InputEvent] {
        var decoder = KnobDecoder(layout: layout)
        var events: [InputEvent] = []
        for frame in frames { decoder.decode(frame, into: &events) }
        return events
    }

    @Test(arguments: [
        (EvdevFrame.Cause.initial, [InputEvent]()),
        (.reported, [.knob(.rotate(detents: -2)), .knob(.pressed), .knob(.released(held: 3_000, long: false))]),
        (.recovered, [.knob(.rotate(detents: -2)), .knob(.pressed), .knob(.released(held: 3_000, long: false))]),
    ])
    func aFrameCountsUnlessItIsTheFirst(cause: EvdevFrame.Cause, expected: [InputEvent]) {
        let frame = EvdevFrame(cause: cause, events: [Self.turn, Self.down, Self.up], time: 9_000)
        #expect(Self.told([frame], KnobLayout(axis: EvdevCode.dial, press: Self.press)) == expected)
    }

    @Test func aButtonHeldWhenTheNodeIsOpenedIsNoPressAndItsReleaseNothing() {
        let frames = [
            EvdevFrame(cause: .initial, events: [Self.down], time: 6_000),
            EvdevFrame(cause: .reported, events: [Self.up], time: 9_000),
        ]
        #expect(Self.told(frames, KnobLayout(axis: EvdevCode.dial, press: Self.press)) == [])
    }

    @Test func aNodeWithoutAnAxisTurnsNothing() {
        let frame = EvdevFrame(cause: .reported, events: [Self.turn, Self.down], time: 6_000)
        #expect(Self.told([frame], KnobLayout(axis: nil, press: Self.press)) == [.knob(.pressed)])
    }
}
