import RigModel
import Testing

@testable import RigCore

/// What a subscriber has not read yet: when it is merged, when not, and what is told of it.
@Suite struct DeliveryQueueTests {
    static let limit = 1_000
    /// Of this size three events lie below half of the limit and the fourth comes above it.
    static let size = 200

    /// A queue that is above half of its limit with marks numbered from 1, so that motion is merged.
    private func half() -> (queue: DeliveryQueue, sequence: UInt64) {
        var queue = DeliveryQueue(limit: 10_000)
        for sequence in UInt64(1)...6 { append(.mark(sequence), to: &queue, size: 900) }
        return (queue, 7)
    }

    private func append(_ event: Event, to queue: inout DeliveryQueue, size: Int = 100, tell: Bool = false) {
        let taken = queue.append(event, size: size, tell: tell)
        #expect(taken)
    }

    /// Everything that is in the queue, as the stream carries it.
    private func drain(_ queue: inout DeliveryQueue) -> [Event] {
        var events: [Event] = []
        while let (loss, delivery) = queue.next() {
            if let loss { events.append(loss) }
            events.append(delivery.event)
        }
        return events
    }

    /// The same without the marks that filled the queue.
    private func drainMotion(_ queue: inout DeliveryQueue) -> [Event] {
        drain(&queue).filter { $0.kind != .mark }
    }

    @Test func whatWentInComesOutInOrder() {
        var queue = DeliveryQueue(limit: Self.limit)
        let events = [Event.mark(1), .turn(2, 3), .turn(3, -1), .touch(4, [.moved]), .mark(5)]
        for event in events { append(event, to: &queue) }
        #expect(queue.size == 500)
        #expect(!queue.isEmpty)
        #expect(drain(&queue) == events)
        #expect(queue.isEmpty)
        #expect(queue.size == 0)
        #expect(queue.next() == nil)
    }

    @Test func belowHalfNothingIsMerged() {
        var queue = DeliveryQueue(limit: Self.limit)
        for sequence in UInt64(1)...3 { append(.turn(sequence, 1), to: &queue, size: 250) }
        // The third came when exactly half was taken.
        #expect(queue.size == 750)
        #expect(drain(&queue).map(\.kind) == [.inputKnob, .inputKnob, .inputKnob])
        for sequence in UInt64(4)...5 { append(.turn(sequence, 1), to: &queue, size: 251) }
        append(.turn(6, 1), to: &queue, size: 1)
        #expect(drain(&queue).map(\.kind) == [.inputKnob, .streamLost, .inputKnob], "one byte above half")
    }

    @Test func turnsAreAddedUpAndTheirNumbersTold() {
        var (queue, sequence) = half()
        for detents in [Int32(1), 2, -1, 5] {
            append(.turn(sequence, detents), to: &queue)
            sequence += 1
        }
        #expect(drainMotion(&queue) == [.lost(at: 10, from: 7, to: 9, merged: 3), .turn(10, 7)])
    }

    @Test func aFingerIsWhereItIsNow() {
        var (queue, sequence) = half()
        append(.touch(sequence, [.moved], x: 1), to: &queue)
        append(.touch(sequence + 1, [.moved], x: 2), to: &queue)
        append(.touch(sequence + 2, [.moved], x: 9), to: &queue)
        #expect(drainMotion(&queue) == [.lost(at: 9, from: 7, to: 8, merged: 2), .touch(9, [.moved], x: 9)])
    }

    @Test func aFingerOnAPadIsWhereItIsNow() {
        var (queue, sequence) = half()
        append(.pad(sequence, [.moved], x: 1), to: &queue)
        append(.pad(sequence + 1, [.moved], x: 9), to: &queue)
        #expect(drainMotion(&queue) == [.lost(at: 8, from: 7, to: 7, merged: 1), .pad(8, [.moved], x: 9)])
    }

    @Test func aFingerThatMovedBeforeItRestedHasMoved() {
        var (queue, _) = half()
        append(.touch(7, [.moved, .stationary], x: 4), to: &queue)
        append(.touch(8, [.stationary, .moved], x: 4), to: &queue)
        append(.pad(9, [.moved, .stationary], x: 4), to: &queue)
        append(.pad(10, [.stationary, .stationary], x: 4), to: &queue)
        #expect(
            drainMotion(&queue) == [
                .lost(at: 8, from: 7, to: 7, merged: 1), .touch(8, [.moved, .moved], x: 4),
                .lost(at: 10, from: 9, to: 9, merged: 1), .pad(10, [.moved, .stationary], x: 4),
            ])
    }

    @Test func whatIsMeantIsAddedUpBesideWhatIsDone() {
        var (queue, _) = half()
        append(.turn(7, 1), to: &queue)
        append(.intent(8, .pressTurn(detents: 1)), to: &queue)
        append(.turn(9, 2), to: &queue)
        append(.intent(10, .pressTurn(detents: 2)), to: &queue)
        append(.turn(11, -1), to: &queue)
        append(.intent(12, .pressTurn(detents: -1)), to: &queue)
        #expect(
            drainMotion(&queue) == [
                .lost(at: 11, from: 7, to: 9, merged: 2), .turn(11, 2),
                .lost(at: 12, from: 8, to: 10, merged: 2), .intent(12, .pressTurn(detents: 2)),
            ])
    }

    @Test func theWaysOfAScrollAreAddedUpBesideTheFingers() {
        var (queue, _) = half()
        append(.pad(7, [.moved, .moved], x: 1), to: &queue)
        append(.intent(8, .scroll(x: 5, y: -7), from: "pad-1"), to: &queue)
        append(.pad(9, [.moved, .moved], x: 2), to: &queue)
        append(.intent(10, .scroll(x: -5, y: -3), from: "pad-1"), to: &queue)
        #expect(
            drainMotion(&queue) == [
                .lost(at: 9, from: 7, to: 7, merged: 1), .pad(9, [.moved, .moved], x: 2),
                .lost(at: 10, from: 8, to: 8, merged: 1), .intent(10, .scroll(x: 0, y: -10), from: "pad-1"),
            ])
    }

    struct Pair: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: Event
        let second: Event
    }

    static let different = [
        Pair(testDescription: "turns that cancel each other", first: .turn(7, 2), second: .turn(8, -2)),
        Pair(testDescription: "a sum that overflows", first: .turn(7, .max), second: .turn(8, 1)),
        Pair(testDescription: "a sum that underflows", first: .turn(7, .min), second: .turn(8, -1)),
        Pair(testDescription: "a turn and a touch", first: .turn(7, 1), second: .touch(8, [.moved])),
        Pair(testDescription: "a touchscreen and a touchpad", first: .touch(7, [.moved]), second: .pad(8, [.moved])),
        Pair(testDescription: "one more finger", first: .touch(7, [.moved]), second: .touch(8, [.moved, .stationary])),
        Pair(testDescription: "one more on a pad", first: .pad(7, [.moved]), second: .pad(8, [.moved, .stationary])),
        Pair(testDescription: "a finger that comes", first: .touch(7, [.began]), second: .touch(8, [.moved])),
        Pair(testDescription: "a finger that goes", first: .touch(7, [.moved]), second: .touch(8, [.ended])),
        Pair(
            testDescription: "a finger that is taken back", first: .touch(7, [.moved]), second: .touch(8, [.cancelled])),
        Pair(
            testDescription: "another source", first: .turn(7, 1, from: "knob-1"), second: .turn(8, 1, from: "knob-2")),
        Pair(
            testDescription: "another session", first: .turn(7, 1),
            second: .turn(8, 1).changed { $0.session = SessionID(2) }),
        Pair(
            testDescription: "another display", first: .touch(7, [.moved]),
            second: .touch(8, [.moved]).changed { $0.display = "s1/cluster" }),
        Pair(
            testDescription: "another revision", first: .touch(7, [.moved]),
            second: .touch(8, [.moved]).changed { $0.input?.revision = 2 }),
        Pair(
            testDescription: "press-turns that cancel each other", first: .intent(7, .pressTurn(detents: 2)),
            second: .intent(8, .pressTurn(detents: -2))),
        Pair(
            testDescription: "press-turns whose sum overflows", first: .intent(7, .pressTurn(detents: .max)),
            second: .intent(8, .pressTurn(detents: 1))),
        Pair(
            testDescription: "scrolls that cancel each other", first: .intent(7, .scroll(x: 1, y: -2)),
            second: .intent(8, .scroll(x: -1, y: 2))),
        Pair(
            testDescription: "a scroll too far to the right", first: .intent(7, .scroll(x: .max, y: 0)),
            second: .intent(8, .scroll(x: 1, y: 0))),
        Pair(
            testDescription: "a scroll too far down", first: .intent(7, .scroll(x: 0, y: .min)),
            second: .intent(8, .scroll(x: 0, y: -1))),
        Pair(
            testDescription: "a press-turn and a scroll", first: .intent(7, .pressTurn(detents: 1)),
            second: .intent(8, .scroll(x: 1, y: 0))),
        Pair(
            testDescription: "a turn and what it means", first: .turn(7, 1), second: .intent(8, .pressTurn(detents: 1))),
        Pair(
            testDescription: "what is meant in another session", first: .intent(7, .pressTurn(detents: 1)),
            second: .intent(8, .pressTurn(detents: 1)).changed { $0.session = SessionID(2) }),
        Pair(testDescription: "another tag", first: .turn(7, 1), second: .turn(8, 1).changed { $0.input?.tag = "x" }),
    ]

    @Test(arguments: different) func whatIsNotTheSameMovementIsKept(_ pair: Pair) {
        var (queue, _) = half()
        append(pair.first, to: &queue)
        append(pair.second, to: &queue)
        #expect(drainMotion(&queue) == [pair.first, pair.second])
    }

    static let barriers: [Event] = [
        .knob(8, .pressed), .knob(8, .released(held: 1, long: false)), .knob(8, .nudge(.up, down: true)),
        .key(8, .home), .touch(8, [.began]), .touch(8, [.moved, .ended]),
        Event(sequence: 8, time: 0, kind: .displayChanged, origin: .declared),
        Event(sequence: 8, time: 0, kind: .sessionClosed, origin: .observed),
        // From another device: what came between two turns still came between them.
        .knob(8, .pressed, from: "knob-9"),
        .intent(8, .press), .intent(8, .longPress), .intent(8, .doublePress), .intent(8, .tap(fingers: 1)),
        .intent(8, .swipe(.up, fingers: 1, speed: 1)), .intent(8, .focus(.up)),
    ]

    @Test(arguments: barriers) func nothingIsMergedAcrossWhatIsNoMotion(_ barrier: Event) {
        var (queue, _) = half()
        append(.turn(7, 1), to: &queue)
        append(barrier, to: &queue)
        append(.turn(9, 1), to: &queue)
        append(.turn(10, 1), to: &queue)
        #expect(
            drainMotion(&queue) == [.turn(7, 1), barrier, .lost(at: 10, from: 9, to: 9, merged: 1), .turn(10, 2)])
    }

    @Test func sourcesAreMergedEachByItself() {
        var (queue, _) = half()
        append(.turn(7, 1, from: "knob-1"), to: &queue)
        append(.turn(8, 10, from: "knob-2"), to: &queue)
        append(.turn(9, 1, from: "knob-1"), to: &queue)
        append(.turn(10, 10, from: "knob-2"), to: &queue)
        append(.turn(11, 1, from: "knob-1"), to: &queue)
        #expect(
            drainMotion(&queue) == [
                .lost(at: 10, from: 8, to: 8, merged: 1), .turn(10, 20, from: "knob-2"),
                .lost(at: 11, from: 7, to: 9, merged: 2), .turn(11, 3, from: "knob-1"),
            ])
    }

    @Test func whatWasTakenOutIsNotMergedWith() {
        var (queue, _) = half()
        append(.turn(7, 1), to: &queue)
        while let (_, delivery) = queue.next() {
            if delivery.event.sequence == 7 { break }
        }
        #expect(queue.isEmpty)
        for sequence in UInt64(8)...13 { append(.mark(sequence), to: &queue, size: 900) }
        append(.turn(14, 1), to: &queue)
        #expect(drainMotion(&queue) == [.turn(14, 1)])
    }

    @Test func mergingCountsTheBytesOfTheLossOnce() {
        var (queue, _) = half()
        #expect(queue.size == 5_400)
        append(.turn(7, 1), to: &queue, size: 100)
        #expect(queue.size == 5_500)
        append(.turn(8, 1), to: &queue, size: 110)
        #expect(queue.size == 5_400 + 110 + DeliveryQueue.lossSize)
        append(.turn(9, 1), to: &queue, size: 120)
        #expect(queue.size == 5_400 + 120 + DeliveryQueue.lossSize)
        _ = drain(&queue)
        #expect(queue.size == 0)
    }

    /// How many bytes a record takes as JSON without spaces.
    private static func jsonLength(_ value: RecordValue) -> Int {
        switch value {
        case .object(let fields): 1 + fields.reduce(0) { $0 + $1.name.utf8.count + 4 + jsonLength($1.value) }
        case .string(let text): text.utf8.count + 2
        case .int(let number): String(number).utf8.count
        case .null, .bool, .double, .array: preconditionFailure("a loss has no such field")
        }
    }

    @Test func aLossIsNeverLongerThanItsSize() {
        let event = Event.lost(at: .max, from: .max, to: .max, merged: .max).changed { $0.time = .max }
        // What is around the fields on the stream, with the NUL behind it.
        let length = #"{"parameters":{"event":},"continues":true}"#.utf8.count + 1 + Self.jsonLength(event.record)
        #expect(length <= DeliveryQueue.lossSize)
    }

    @Test func whoWantsToHearOfAMergedEventHearsOfTheOneThatStandsForIt() {
        var (queue, _) = half()
        append(.turn(7, 1), to: &queue, tell: true)
        append(.turn(8, 1), to: &queue, tell: false)
        append(.mark(9), to: &queue, tell: true)
        append(.turn(10, 1), to: &queue, tell: false)
        var told: [UInt64] = []
        while let (_, delivery) = queue.next() { if delivery.tell { told.append(delivery.event.sequence) } }
        #expect(told == [8, 9])
    }

    @Test func atTheLimitThereIsNoRoom() {
        var queue = DeliveryQueue(limit: 1_000)
        append(.mark(1), to: &queue, size: 400)
        append(.mark(2), to: &queue, size: 600)
        let more = queue.append(.mark(3), size: 1, tell: false)
        #expect(!more)
        #expect(queue.size == 1_000)
        _ = queue.next()
        let again = queue.append(.mark(4), size: 400, tell: false)
        #expect(again)
        let over = queue.append(.mark(5), size: 1, tell: false)
        #expect(!over)
    }

    @Test func anEmptyQueueTakesAnythingOnce() {
        var queue = DeliveryQueue(limit: 100)
        append(.mark(1), to: &queue, size: 5_000)
        let more = queue.append(.mark(2), size: 1, tell: false)
        #expect(!more)
        _ = drain(&queue)
        append(.turn(3, 1), to: &queue, size: 90)
        // The one that waits is merged into it, so the queue is empty but for it.
        append(.turn(4, 1), to: &queue, size: 500)
        #expect(drain(&queue) == [.lost(at: 4, from: 3, to: 3, merged: 1), .turn(4, 2)])
    }

    @Test(arguments: [1, 2, 3]) func whoNeverReadsCostsNoMoreThanTheLimit(sources: Int) {
        var (queue, sequence) = half()
        for turn in 0..<20_000 {
            append(.turn(sequence, 1, from: "knob-\(turn % sources)"), to: &queue)
            sequence += 1
        }
        #expect(queue.size < queue.limit)
        #expect(queue.stored < 512, "\(queue.stored) places are held for \(sources + 6) events")
        let sum = drainMotion(&queue).reduce(0) { $0 + $1.detents }
        #expect(sum == 20_000)
    }
}
