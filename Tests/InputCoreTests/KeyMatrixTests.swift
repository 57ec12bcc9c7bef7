import InputCore
import RigModel
import Testing

/// Every state of a key against every event that can reach it, with and without bouncing contacts.
@Suite struct KeyMatrixTests {
    enum Start: String, CaseIterable { case up, ignored, down, settling }
    enum Step: String, CaseIterable { case down, up, repeated, foundDown, foundUp, time, end }

    private static let down = "down"
    private static let up = "up"

    /// What a step tells at once, and what the time for bouncing tells after it; the key bounces for 10.
    private static func expected(_ start: Start, _ step: Step) -> (now: [String], later: [String]) {
        switch (start, step) {
        case (.up, .down), (.up, .foundDown): ([down], [])
        case (.up, _): ([], [])
        case (.ignored, _): ([], [])
        case (.down, .up), (.down, .foundUp): ([], [up])
        case (.down, .end): ([up], [])
        case (.down, _): ([], [])
        case (.settling, .down), (.settling, .foundDown): ([], [])
        case (.settling, .up), (.settling, .foundUp), (.settling, .repeated): ([], [up])
        case (.settling, .time), (.settling, .end): ([up], [])
        }
    }

    private struct Node {
        var decoder: InputDecoder
        var now: UInt64 = 1_000
        var inputs: [DeviceInput] = []

        init(bounce: UInt64) {
            decoder = InputDecoder(InputLayout(keys: [KeyBinding(172, .key(.home))], keyBounce: bounce))
        }

        mutating func feed(_ value: Int32, _ cause: EvdevFrame.Cause = .reported) {
            let event = EvdevEvent(type: 1, code: 172, value: value, time: now)
            decoder.decode(EvdevFrame(cause: cause, events: [event], time: now), into: &inputs)
        }

        mutating func wait(_ time: UInt64) {
            now += time
            decoder.deadlineReached(now: now, into: &inputs)
        }

        mutating func take() -> [String] {
            defer { inputs = [] }
            return inputs.map {
                guard case .event(.key(let key)) = $0 else { return "\($0)" }
                return key.down ? KeyMatrixTests.down : KeyMatrixTests.up
            }
        }
    }

    private static func node(at start: Start) -> Node {
        var node = Node(bounce: 10)
        switch start {
        case .up: break
        case .ignored: node.feed(1, .initial)
        case .down: node.feed(1)
        case .settling:
            node.feed(1)
            node.feed(0)
        }
        _ = node.take()
        return node
    }

    @Test(arguments: Start.allCases, Step.allCases)
    func everyStateTakesEveryEvent(start: Start, step: Step) {
        var node = Self.node(at: start)
        switch step {
        case .down: node.feed(1)
        case .up: node.feed(0)
        case .repeated: node.feed(2)
        case .foundDown: node.feed(1, .recovered)
        case .foundUp: node.feed(0, .recovered)
        case .time: node.wait(10)
        case .end: node.decoder.end(time: node.now, into: &node.inputs)
        }
        let expected = Self.expected(start, step)
        #expect(node.take() == expected.now)
        node.wait(10)
        #expect(node.take() == expected.later)
        #expect(node.decoder.nextDeadline == nil)
    }

    @Test func withoutBouncingEachChangeIsBelieved() {
        var node = Node(bounce: 0)
        for value: Int32 in [1, 1, 2, 0, 0, 1] { node.feed(value) }
        #expect(node.take() == [Self.down, Self.up, Self.down])
        #expect(node.decoder.nextDeadline == nil)
    }

    @Test func aLateChangeAfterBouncingIsAnother() {
        var node = Self.node(at: .settling)
        node.now += 10
        node.feed(1)
        #expect(node.take() == [Self.up, Self.down])
    }

    /// Two codes that mean the same are one key.
    @Test func severalCodesAreOneKeyFromTheFirstToTheLast() {
        let layout = InputLayout(keys: [KeyBinding(28, .press), KeyBinding(96, .press), KeyBinding(28, .key(.back))])
        #expect(layout.keys.count == 2)
        var decoder = InputDecoder(layout)
        var inputs: [DeviceInput] = []
        func feed(_ code: UInt16, _ value: Int32, _ time: UInt64) {
            let event = EvdevEvent(type: 1, code: code, value: value, time: time)
            decoder.decode(EvdevFrame(cause: .reported, events: [event], time: time), into: &inputs)
        }
        feed(28, 1, 100)
        feed(96, 1, 200)
        feed(28, 0, 300)
        feed(96, 0, 500_000_100)
        #expect(
            inputs == [
                .event(.knob(.pressed)), .event(.knob(.released(held: 500_000_000, long: true))),
            ])
    }

    @Test func aKeyOfTheCarIsDownFromTheFirstCodeToTheLast() {
        var decoder = InputDecoder(InputLayout(keys: [KeyBinding(582, .key(.voice)), KeyBinding(583, .key(.voice))]))
        var inputs: [DeviceInput] = []
        for (code, value) in [(582, 1), (583, 1), (582, 0), (583, 0)] as [(UInt16, Int32)] {
            let event = EvdevEvent(type: 1, code: code, value: value, time: 0)
            decoder.decode(EvdevFrame(cause: .reported, events: [event]), into: &inputs)
        }
        #expect(
            inputs == [
                .event(.key(KeyEvent(key: .voice, down: true))), .event(.key(KeyEvent(key: .voice, down: false))),
            ])
    }

    /// A clock that runs backwards makes no endless press.
    @Test func aPressThatEndsBeforeItBeganHasNoLength() {
        var decoder = InputDecoder(InputLayout(keys: [KeyBinding(28, .press)]))
        var inputs: [DeviceInput] = []
        for (value, time) in [(1, 1_000), (0, 1)] as [(Int32, UInt64)] {
            let event = EvdevEvent(type: 1, code: 28, value: value, time: time)
            decoder.decode(EvdevFrame(cause: .reported, events: [event], time: time), into: &inputs)
        }
        #expect(inputs.last == .event(.knob(.released(held: 0, long: false))))
    }
}
