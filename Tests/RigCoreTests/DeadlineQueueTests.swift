import Testing

@testable import RigCore

@Suite struct DeadlineQueueTests {
    @Test func theSoonestComesFirst() {
        var queue = DeadlineQueue()
        queue.set(.link(1), at: 30)
        queue.set(.retry(1), at: 10)
        queue.set(.gesture(1), at: 20)
        #expect(queue.next == 10)
        #expect(queue.popDue(now: 9) == nil)
        #expect(queue.popDue(now: 10) == .retry(1))
        #expect(queue.popDue(now: 29) == .gesture(1))
        #expect(queue.popDue(now: 29) == nil)
        #expect(queue.popDue(now: .max) == .link(1))
        #expect(queue.next == nil)
        #expect(queue.count == 0)
    }

    @Test func atTheSameTimeTheOneThatWasSetFirstComesFirst() {
        var queue = DeadlineQueue()
        for number in UInt64(1)...50 { queue.set(.run(number), at: 7) }
        queue.set(.run(3), at: 7)
        queue.set(.run(1), at: 8)
        queue.set(.run(1), at: 7)
        var order: [TimerKey] = []
        while let key = queue.popDue(now: 7) { order.append(key) }
        #expect(order == ((2...50).map { .run($0) } + [.run(1)]), "the same time again changes nothing")
    }

    @Test func atTheSameTimeAGestureGoesOnBeforeWhatFollowsItBegins() {
        var queue = DeadlineQueue()
        queue.set(.sequence(1), at: 80)
        queue.set(.run(1), at: 80)
        queue.set(.gesture(2), at: 80)
        queue.set(.gesture(1), at: 80)
        queue.set(.gesture(3), at: 81)
        var order: [TimerKey] = []
        while let key = queue.popDue(now: 81) { order.append(key) }
        #expect(order == [.gesture(2), .gesture(1), .sequence(1), .run(1), .gesture(3)])
    }

    @Test func aDeadlineIsReplacedOrTakenAway() {
        var queue = DeadlineQueue()
        queue.set(.link(1), at: 10)
        queue.set(.link(1), at: 20)
        #expect(queue.next == 20)
        #expect(queue.count == 1)
        queue.set(.link(1), at: 5)
        #expect(queue.next == 5)
        queue.set(.link(1), at: nil)
        #expect(queue.next == nil)
        #expect(queue.count == 0)
        queue.set(.link(2), at: nil)
        #expect(queue.count == 0)
    }

    @Test func aDeadlineComesOnceHoweverOftenItWasSet() {
        var queue = DeadlineQueue()
        for _ in 1...10 {
            queue.set(.link(1), at: 10)
            queue.set(.link(1), at: 20)
            queue.set(.link(1), at: nil)
        }
        queue.set(.link(1), at: 10)
        #expect(queue.popDue(now: 100) == .link(1))
        #expect(queue.popDue(now: 100) == nil)
    }

    @Test func ownersOfDifferentKindsWithOneNumberAreDifferent() {
        var queue = DeadlineQueue()
        let keys: [TimerKey] = [.gesture(1), .link(1), .retry(1), .wait(1), .run(1)]
        for key in keys { queue.set(key, at: 1) }
        #expect(queue.count == 5)
        var order: [TimerKey] = []
        while let key = queue.popDue(now: 1) { order.append(key) }
        #expect(order == keys)
    }

    @Test(arguments: [true, false]) func replacedEntriesDoNotPileUp(betweenTwoTimes: Bool) {
        var queue = DeadlineQueue()
        queue.set(.retry(1), at: 1)
        for turn in UInt64(0)..<10_000 {
            // Between two times, an owner comes back to a time for which an old entry still lies in the heap.
            queue.set(.link(1), at: betweenTwoTimes ? 10 + turn % 2 : 10 + turn)
            #expect(queue.stored <= 128)
        }
        #expect(queue.count == 2)
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func itAgreesWithASortedList(seed: UInt64) {
        var numbers = TestNumbers(seed: seed)
        var queue = DeadlineQueue()
        var model: [(key: TimerKey, time: UInt64, order: Int)] = []
        var now: UInt64 = 0
        for turn in 0..<5_000 {
            let key = TimerKey.gesture(UInt64.random(in: 0..<40, using: &numbers))
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0..<6:
                let time = now + UInt64.random(in: 0..<50, using: &numbers)
                queue.set(key, at: time)
                if model.first(where: { $0.key == key })?.time != time {
                    model.removeAll { $0.key == key }
                    model.append((key, time, turn))
                }
            case 6:
                queue.set(key, at: nil)
                model.removeAll { $0.key == key }
            default:
                now += UInt64.random(in: 0..<10, using: &numbers)
                let due = model.filter { $0.time <= now }.min { ($0.time, $0.order) < ($1.time, $1.order) }
                let popped = queue.popDue(now: now)
                guard popped == due?.key else {
                    Issue.record("seed \(seed), turn \(turn): \(String(describing: popped)) came")
                    return
                }
                model.removeAll { $0.key == due?.key }
            }
            let next = queue.next
            guard queue.count == model.count, next == model.map(\.time).min(), queue.stored <= 64 + model.count * 4
            else {
                Issue.record("seed \(seed), turn \(turn): \(queue.count) deadlines, the next at \(next ?? 0)")
                return
            }
        }
    }
}
