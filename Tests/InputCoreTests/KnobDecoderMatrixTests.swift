import InputCore
import RigModel
import Testing

/// Every state of the decoder against every event that can reach it.
@Suite struct KnobDecoderMatrixTests {
    enum Start: String, CaseIterable { case gathering, dropping, unsure }
    enum Step: String, CaseIterable {
        case turn, otherAxis, down, up, repeated, miscellaneous, report, dropped, keysUp, keysDown, end
    }

    private static let pressed = InputEvent.knob(.pressed)
    private static let released = InputEvent.knob(.released(held: 10, long: false))
    private static let turned = InputEvent.knob(.rotate(detents: 1))

    /// What a step yields at once, and what the next SYN_REPORT yields after it.
    private static func expected(_ start: Start, _ held: Bool, _ step: Step) -> (
        now: [InputEvent], lost: Bool, next: [InputEvent]
    ) {
        let open = start != .dropping
        switch step {
        case .turn: return ([], false, open ? [turned] : [])
        case .down: return ([], false, open && !held ? [pressed] : [])
        case .up: return ([], false, open && held ? [released] : [])
        case .otherAxis, .repeated, .miscellaneous, .report: return ([], false, [])
        case .dropped: return ([], open, [])
        case .keysUp, .end: return (held ? [released] : [], false, [])
        case .keysDown: return (held ? [] : [pressed], false, [])
        }
    }

    @Test(arguments: Start.allCases, Step.allCases)
    func everyStateTakesEveryEvent(start: Start, step: Step) {
        for held in [false, true] {
            var feed = Feed()
            if held {
                feed.button(1)
                feed.report()
            }
            if start != .gathering { feed.dropped() }
            if start == .unsure { feed.report() }
            feed.events = []
            feed.notices = []
            feed.time += 10
            switch step {
            case .turn: feed.turn(1)
            case .otherAxis: feed.turn(1, axis: EvdevCode.wheel)
            case .down: feed.button(1)
            case .up: feed.button(0)
            case .repeated: feed.button(2)
            case .miscellaneous: feed.send(4, 4, 1)
            case .report: feed.report()
            case .dropped: feed.dropped()
            case .keysUp: feed.resynchronize([])
            case .keysDown: feed.resynchronize([EvdevCode.button0])
            case .end: feed.decoder.end(time: feed.time, into: &feed.events)
            }
            let expected = Self.expected(start, held, step)
            #expect(feed.take() == expected.now, "held \(held)")
            #expect(feed.notices == (expected.lost ? [.inputLost] : []), "held \(held)")
            feed.report()
            #expect(feed.take() == expected.next, "held \(held)")
            // Whatever happened, the next whole frame counts.
            feed.turn(1)
            feed.report()
            #expect(feed.take() == [Self.turned], "held \(held)")
        }
    }
}
