import InputCore
import RigModel
import Testing

/// Two nodes of one device that say the same, or something of their own: what counts once, and what counts twice.
@Suite struct EchoTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Turns of nodes at times in milliseconds, and what is told of them.
    struct Turns: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let turns: [(node: Int, time: UInt64, detents: Int32)]
        let told: [Int32]
    }

    static let turns = [
        Turns(testDescription: "an echo", turns: [(0, 0, 1), (1, 8, 1)], told: [1]),
        Turns(testDescription: "an echo at once", turns: [(0, 0, 1), (1, 0, 1)], told: [1]),
        Turns(testDescription: "just an echo", turns: [(0, 0, 1), (1, 29, 1)], told: [1]),
        Turns(testDescription: "no echo any more", turns: [(0, 0, 1), (1, 30, 1)], told: [1, 1]),
        Turns(
            testDescription: "quicker than the echo",
            turns: [(0, 0, 1), (0, 9, 1), (1, 10, 1), (0, 18, 1), (1, 20, 1), (1, 28, 1)],
            told: [1, 1, 1]),
        Turns(
            testDescription: "the other first", turns: [(1, 0, 1), (0, 5, 1), (0, 12, 1), (1, 13, 1)], told: [1, 1]),
        Turns(testDescription: "two at once, one by one", turns: [(0, 0, 2), (1, 3, 1), (1, 6, 1)], told: [2]),
        Turns(testDescription: "one by one, two at once", turns: [(0, 0, 1), (0, 3, 1), (1, 6, 2)], told: [1, 1]),
        Turns(testDescription: "more than was told", turns: [(0, 0, -1), (1, 3, -3)], told: [-1, -2]),
        Turns(testDescription: "each only once", turns: [(0, 0, 1), (1, 3, 1), (1, 6, 1)], told: [1, 1]),
        Turns(testDescription: "the other way", turns: [(0, 0, 1), (1, 3, -1)], told: [1, -1]),
        Turns(
            testDescription: "there and back",
            turns: [(0, 0, 1), (0, 5, 1), (0, 10, -1), (1, 12, 1), (1, 14, 1), (1, 16, -1)],
            told: [1, 1, -1]),
        Turns(testDescription: "three nodes", turns: [(0, 0, 1), (1, 2, 1), (2, 4, 1), (2, 6, 1)], told: [1, 1]),
        Turns(
            testDescription: "read one after the other",
            turns: (0..<20).map { (0, $0 * 12, 1) } + (0..<20).map { (1, $0 * 12 + 4, 1) },
            told: Array(repeating: 1, count: 20)),
        Turns(
            testDescription: "read one after the other, the later first",
            turns: (0..<20).map { (1, $0 * 12 + 4, 1) } + (0..<20).map { (0, $0 * 12, 1) },
            told: Array(repeating: 1, count: 20)),
        Turns(
            testDescription: "long before what was read already", turns: [(0, 500, 1), (1, 100, 1)], told: [1, 1]),
        Turns(testDescription: "one node alone", turns: [(0, 0, 1), (0, 1, 1), (0, 2, 1)], told: [1, 1, 1]),
        Turns(
            testDescription: "as far as it goes", turns: [(0, 0, .min), (1, 1, .min), (1, 2, .max), (0, 3, .max)],
            told: [.min, .max]),
    ]

    @Test(arguments: turns) func whatTwoNodesTurnCountsOnce(_ example: Turns) {
        var assembly = InputAssembly()
        var told: [DeviceInput] = []
        for (node, time, detents) in example.turns {
            assembly.take(
                [.event(.knob(.rotate(detents: detents)))], from: node, at: time * Self.millisecond, into: &told)
        }
        #expect(told == example.told.map { .event(.knob(.rotate(detents: $0))) })
    }

    /// Both nodes of a device tell the same at any speed, the other some milliseconds later.
    @Test(arguments: [UInt64(31), 32, 33]) func aDeviceThatSaysEverythingTwiceIsHeardOnce(seed: UInt64) {
        var numbers = SplitMix(state: seed)
        var turns: [(time: UInt64, node: Int, detents: Int32)] = []
        var time: UInt64 = 0
        var sum: Int64 = 0
        for _ in 0..<5_000 {
            time += UInt64.random(in: 1...40, using: &numbers) * Self.millisecond
            let detents: Int32 = [-1, 1, 1, 2].randomElement(using: &numbers) ?? 1
            let first = Int.random(in: 0...1, using: &numbers)
            sum += Int64(detents)
            turns.append((time, first, detents))
            turns.append((time + 5 * Self.millisecond, 1 - first, detents))
        }
        turns.sort { ($0.time, $0.node) < ($1.time, $1.node) }
        var assembly = InputAssembly()
        var told: [DeviceInput] = []
        for turn in turns {
            assembly.take([.event(.knob(.rotate(detents: turn.detents)))], from: turn.node, at: turn.time, into: &told)
        }
        let heard = told.reduce(Int64(0)) { sum, input in
            if case .event(.knob(.rotate(let detents))) = input { sum + Int64(detents) } else { sum }
        }
        #expect(heard == sum, "seed \(seed)")
    }

    // MARK: Fingers

    private static func pad(_ phases: ContactPhase...) -> DeviceInput {
        .event(
            .touchpad(
                TouchpadEvent(
                    contacts: phases.enumerated().map {
                        PadContact(id: $0.offset, point: PadPoint(x: 0, y: 0), phase: $0.element)
                    })))
    }

    private static func screen(_ phase: ContactPhase) -> DeviceInput {
        .touch([SurfaceContact(id: 0, x: 0, y: 0, phase: phase)])
    }

    private static func told(_ steps: [(node: Int, time: UInt64, inputs: [DeviceInput])]) -> [DeviceInput] {
        var assembly = InputAssembly()
        var told: [DeviceInput] = []
        for (node, time, inputs) in steps {
            assembly.take(inputs, from: node, at: time * millisecond, into: &told)
        }
        return told
    }

    @Test func aTapThatTwoNodesTellIsOne() {
        let tap = DeviceInput.intent(.tap(fingers: 1))
        #expect(
            Self.told([
                (0, 0, [Self.pad(.began)]), (1, 4, [Self.pad(.began)]), (0, 40, [Self.pad(.moved)]),
                (1, 44, [Self.pad(.moved), .intent(.focus(.up))]), (0, 80, [Self.pad(.ended), tap]),
                (1, 84, [Self.pad(.ended), tap]), (1, 300, [Self.pad(.began)]), (1, 310, [Self.pad(.ended), tap]),
            ]) == [
                Self.pad(.began), Self.pad(.moved), Self.pad(.ended), tap, Self.pad(.began), Self.pad(.ended), tap,
            ])
    }

    @Test func aTapThatIsOverBeforeTheOtherNodeTellsItIsOne() {
        #expect(
            Self.told([
                (0, 0, [Self.screen(.began)]), (0, 5, [Self.screen(.ended)]), (1, 9, [Self.screen(.began)]),
                (1, 14, [Self.screen(.ended)]), (1, 30, [Self.screen(.began)]), (1, 40, [Self.screen(.cancelled)]),
            ]) == [Self.screen(.began), Self.screen(.ended), Self.screen(.began), Self.screen(.cancelled)])
    }

    @Test func aTouchOfAnotherNodeIsLeftOutToItsEnd() {
        #expect(
            Self.told([
                (0, 0, [Self.pad(.began)]), (1, 100, [Self.pad(.began)]), (0, 200, [Self.pad(.ended)]),
                (1, 300, [Self.pad(.moved)]), (1, 400, [Self.pad(.stationary, .began)]),
                (0, 500, [Self.pad(.began)]), (1, 600, [Self.pad(.ended, .ended)]), (0, 700, [Self.pad(.ended)]),
                (1, 800, [Self.pad(.began)]),
            ]) == [
                Self.pad(.began), Self.pad(.ended), Self.pad(.began), Self.pad(.ended), Self.pad(.began),
            ])
    }
}
