import RigModel
import Testing

@testable import RigCore

/// Thousands of random events against what a client can count: nothing is lost that is not told.
@Suite struct DeliveryQueueModelTests {
    static let sources = ["knob-1", "knob-2", "knob-3"]

    /// What went into the queue or came out of it, as far as order and sums go.
    struct Account: Equatable {
        /// The sums of detents of each source up to each press, then those of what was meant, in order; the last is still
        /// open.
        var sums: [[Int]] = [[0, 0, 0, 0, 0, 0]]
        /// How many events there were.
        var count: UInt64 = 0
        /// The sequence numbers of what is no motion.
        var fixed: [UInt64] = []

        mutating func note(_ event: Event) {
            count += 1
            if let index = event.input.flatMap({ input in sources.firstIndex(of: input.source) }),
                event.detents != 0 || event.meant != 0
            {
                sums[sums.count - 1][index] += event.detents
                sums[sums.count - 1][index + sources.count] += event.meant
            } else {
                fixed.append(event.sequence)
                sums.append([0, 0, 0, 0, 0, 0])
            }
        }
    }

    @Test(arguments: [UInt64(21), 22, 23, 24, 25]) func sumsOrderAndNumbersAreExact(seed: UInt64) throws {
        var numbers = TestNumbers(seed: seed)
        var queue = DeliveryQueue(limit: 4_000)
        var put = Account()
        var taken = Account()
        var merged: UInt64 = 0
        var lastSequence: UInt64 = 0
        var sequence: UInt64 = 0
        var mergings = 0

        func take() throws {
            guard let (loss, delivery) = queue.next() else { return }
            let event = delivery.event
            try #require(event.sequence > lastSequence, "seed \(seed): \(event.sequence) after \(lastSequence)")
            if let loss, case .lost(let from, let to, let count) = loss.payload {
                mergings += 1
                merged += count
                try #require(loss.sequence == event.sequence)
                try #require(from <= to && to < event.sequence, "seed \(seed): \(from) to \(to) at \(event.sequence)")
                try #require(count >= 1 && count <= to - from + 1, "seed \(seed): \(count) of \(from) to \(to)")
            }
            lastSequence = event.sequence
            taken.note(event)
        }

        for turn in 0..<6_000 {
            // The reader is fast, slow and away in turns.
            let reads = [0, 0, 1, 2][turn / 500 % 4]
            sequence += UInt64.random(in: 1...3, using: &numbers)
            let event: Event =
                switch Int.random(in: 0..<20, using: &numbers) {
                case 0: .knob(sequence, .pressed)
                case 1 where queue.size < 3_000: .mark(sequence)
                case 2...5:
                    .intent(
                        sequence, .pressTurn(detents: 1), from: Self.sources[Int.random(in: 0..<2, using: &numbers)])
                case 6...9: .intent(sequence, .scroll(x: 1, y: -1), from: Self.sources[2])
                default:
                    .turn(
                        sequence, Bool.random(using: &numbers) ? 1 : 2,
                        from: Self.sources[Int.random(in: 0..<3, using: &numbers)])
                }
            let size = Int.random(in: 20...60, using: &numbers)
            if queue.append(event, size: size, tell: false) {
                put.note(event)
            } else {
                // A real stream ends here. The test goes on behind an empty queue.
                while !queue.isEmpty { try take() }
            }
            try #require(queue.size <= queue.limit)
            try #require(queue.stored < 1_000)
            for _ in 0..<reads where !queue.isEmpty { try take() }
        }
        while !queue.isEmpty { try take() }
        #expect(mergings > 100, "seed \(seed): the queue was full often enough")
        #expect(queue.size == 0, "seed \(seed)")
        #expect(taken.sums == put.sums, "seed \(seed): every turn counts, between the same presses")
        #expect(taken.fixed == put.fixed, "seed \(seed): nothing but motion is merged")
        #expect(taken.count + merged == put.count, "seed \(seed): what is missing is told")
    }
}
