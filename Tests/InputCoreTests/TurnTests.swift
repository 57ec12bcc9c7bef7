import InputCore
import RigModel
import Testing

/// Detents of one axis, through the decoder.
@Suite struct TurnTests {
    private struct Axis {
        var decoder: InputDecoder
        var now: UInt64 = 1_000_000_000

        init(_ turn: TurnLayout) { decoder = InputDecoder(InputLayout(turn: turn)) }

        mutating func feed(_ value: Int32, after pause: UInt64 = 1_000_000, type: UInt16 = 2, code: UInt16 = 7) -> Int {
            let waited = wait(pause)
            var inputs: [DeviceInput] = []
            let event = EvdevEvent(type: type, code: code, value: value, time: now)
            decoder.decode(EvdevFrame(cause: .reported, events: [event], time: now), into: &inputs)
            return waited + Axis.sum(inputs)
        }

        mutating func wait(_ pause: UInt64) -> Int {
            let end = now + pause
            var inputs: [DeviceInput] = []
            while let next = decoder.nextDeadline, next <= end {
                now = next
                decoder.deadlineReached(now: now, into: &inputs)
            }
            now = end
            return Axis.sum(inputs)
        }

        static func sum(_ inputs: [DeviceInput]) -> Int {
            inputs.reduce(0) { if case .event(.knob(.rotate(let turned))) = $1 { $0 + Int(turned) } else { $0 } }
        }
    }

    /// Half, one, two and four events in a detent: both ways, the first click after a reversal whole.
    @Test(arguments: [(1, 2, 1), (1, 1, 1), (2, 1, 2), (4, 1, 4)] as [(Int32, Int32, Int)])
    func eventsPerDetent(units: Int32, detents: Int32, events: Int) {
        var axis = Axis(TurnLayout(axis: 7, units: units, detents: detents))
        func click(_ direction: Int32) -> Int {
            (0..<events).reduce(0) { sum, _ in sum + axis.feed(direction) }
        }
        let whole = Int(detents)
        #expect(click(1) == whole && click(1) == whole && click(-1) == -whole && click(1) == whole)
        // Opened between two detents: at most one click is short, none after a reversal.
        if events > 1 {
            _ = axis.feed(1)
            #expect(click(1) == whole)
            #expect(click(-1) == -whole && click(-1) == -whole && click(1) == whole)
        }
    }

    @Test func tenThousandDetentsAreExactBothWays() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        var axis = Axis(TurnLayout(axis: 7))
        var (told, sent) = (0, 0)
        for _ in 0..<10_000 {
            let value = Int32.random(in: -3...3, using: &generator)
            told += axis.feed(value)
            sent += Int(value)
        }
        #expect(told == sent, "seed \(seed)")
    }

    /// One click that bounces is one click; a reversal is told, late at most by the time for bouncing.
    @Test func bouncesAreNoTurnsAndReversalsAre() {
        let bounce: UInt64 = 5_000_000
        var axis = Axis(TurnLayout(axis: 7, bounce: bounce))
        #expect(axis.feed(1) == 1)
        #expect(axis.feed(-1) == 0)
        #expect(axis.feed(1) == 0)
        #expect(axis.wait(100_000_000) == 0)
        // A true reversal, fast: held back, then told by the next click the same way.
        #expect(axis.feed(1) == 1)
        #expect(axis.feed(-1) == 0)
        #expect(axis.feed(-1) == -2)
        // Alone: told when the time is over.
        #expect(axis.feed(1) == 0)
        #expect(axis.wait(3_999_999) == 0)
        #expect(axis.wait(1_000_001) == 1)
        // Slow reversals are told at once.
        #expect(axis.feed(-1, after: 10_000_000) == -1)
    }

    /// The filter only waits, it never loses: whatever comes, the sum is exact.
    @Test func theBounceFilterLosesNothing() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        for _ in 0..<200 {
            var axis = Axis(TurnLayout(axis: 7, bounce: 5_000_000))
            var (told, sent) = (0, 0)
            for _ in 0..<50 {
                let value = Int32.random(in: -2...2, using: &generator)
                told += axis.feed(value, after: UInt64.random(in: 0...8_000_000, using: &generator))
                sent += Int(value)
            }
            told += axis.wait(10_000_000)
            #expect(told == sent, "seed \(seed)")
        }
    }

    @Test func accelerationIsOffUntilItIsAskedFor() {
        var plain = Axis(TurnLayout(axis: 7))
        #expect((0..<10).reduce(0) { sum, _ in sum + plain.feed(1, after: 1_000_000) } == 10)
        var fast = Axis(TurnLayout(axis: 7, acceleration: 4))
        #expect(fast.feed(1) == 1)
        #expect(fast.feed(1, after: 20_000_000) == 4)
        #expect(fast.feed(1, after: 60_000_000) == 3)
        #expect(fast.feed(1, after: 100_000_000) == 1)
        // Back: the first click is one.
        #expect(fast.feed(-1, after: 1_000_000) == -1)
    }

    @Test(arguments: [2, 16, 256, 65_536] as [Int32])
    func aCounterIsFollowedOverItsEnd(range: Int32) {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        var axis = Axis(TurnLayout(axis: 7, form: .counter(range: range)))
        var place: Int32 = 1
        _ = axis.feed(place)
        var (told, went) = (0, 0)
        for _ in 0..<1_000 {
            // Less than half around, also when two steps are seen as one because 0 is between them.
            let most = max(0, range / 4 - 1)
            let step = Int32.random(in: -most...most, using: &generator)
            place = (place + step + range) % range
            went += Int(step)
            // 0 is never sent.
            if place != 0 { told += axis.feed(place) }
        }
        if place == 0 {
            told += axis.feed(1)
            went += 1
        }
        #expect(told == went, "seed \(seed)")
    }

    @Test func absurdValuesAreHeldAtTheLimit() {
        var axis = Axis(TurnLayout(axis: 7, units: 1, detents: 100, acceleration: 10))
        for value: Int32 in [.max, .min, .max] { #expect(axis.feed(value) != 0) }
        var position = Axis(TurnLayout(axis: 8, form: .position(minimum: .min, maximum: .max)))
        for value: Int32 in [.min, .max, 0, .min] { _ = position.feed(value, type: 3, code: 8) }
        var broken = Axis(TurnLayout(axis: 8, form: .position(minimum: 9, maximum: -9)))
        for value: Int32 in [.min, .max, 0] { #expect(broken.feed(value, type: 3, code: 8) == 0) }
    }
}
