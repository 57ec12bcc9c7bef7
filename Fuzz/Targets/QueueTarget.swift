import RigCore
import RigModel

/// A slow client's queue: it stays within its limit, keeps the order, merges motion only, loses no turn of the knob, and
/// tells of every event that it merged away.
///
/// Input: one byte for the limit, then operations.
enum QueueTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        var bench = QueueBench(limit: input.pick([1, 500, 2_000, 20_000]))
        while !input.isAtEnd { try bench.operate(&input) }
        while try bench.take() {}
        try bench.end()
    }

    private struct QueueBench {
        private var queue: DeliveryQueue
        private var sequence: UInt64 = 0
        private var isRefused = false
        private var lastTaken: UInt64 = 0
        /// Sequence numbers that went in, minus those that came out or were told as merged.
        private var unaccounted: [UInt64] = []
        private var detentsIn: Int64 = 0
        private var detentsOut: Int64 = 0
        /// The same of what was meant: press-turns, and scrolls down.
        private var meantIn: Int64 = 0
        private var meantOut: Int64 = 0

        /// What the queue may count for telling a loss.
        private static let lossSize = 256

        init(limit: Int) { queue = DeliveryQueue(limit: limit) }

        mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
            switch input.int(0...6) {
            case 0: _ = try take()
            case 1: for _ in 0..<input.int(0...40) { _ = try take() }
            case 2: for _ in 0..<input.int(0...40) { try add(.input(.knob(.rotate(detents: 1))), "a", size: 300) }
            case 3: try add(.text("mark"), "", size: input.int(1...255))
            case 6:
                let way = input.pick([1, -1, 5, Int32.max, .min])
                let intent: InputIntent = input.bool() ? .pressTurn(detents: way) : .scroll(x: 0, y: Int(way))
                try add(.intent(input.int(0...9) == 0 ? .press : intent), input.pick(["a", "b"]), size: 200)
            default:
                try add(
                    .input(FuzzEvents.inputEvent(&input)), input.pick(["a", "b", "injected"]),
                    size: input.int(1...255) * 4)
            }
        }

        private mutating func add(_ payload: EventPayload, _ source: String, size: Int) throws(FuzzFinding) {
            guard !isRefused else { return }
            sequence += 1
            var event = Event(sequence: sequence, time: sequence, kind: .mark, origin: .observed, payload: payload)
            if !source.isEmpty {
                event.kind = .inputKnob
                event.input = InputReference(id: InputID(sequence), source: source)
            }
            let wasEmpty = queue.isEmpty
            let before = queue.size
            guard queue.append(event, size: size, tell: sequence % 3 == 0) else {
                try require(
                    !wasEmpty && before + size > queue.limit / 2, "refused at \(before) of \(queue.limit) bytes")
                // The stream ends here; what waits is still read.
                isRefused = true
                return
            }
            unaccounted.append(sequence)
            detentsIn += Self.detents(payload)
            meantIn += Self.meant(payload)
            // One event of any size may wait alone, with what was merged into it told before.
            let most = max(queue.limit, size + Self.lossSize)
            try require(queue.size <= most, "\(queue.size) bytes wait, at most \(most) may")
        }

        mutating func take() throws(FuzzFinding) -> Bool {
            guard let (loss, delivery) = queue.next() else {
                try require(queue.isEmpty && queue.size == 0, "\(queue.size) bytes wait in an empty queue")
                return false
            }
            let event = delivery.event
            try require(event.sequence > lastTaken, "\(event.sequence) comes after \(lastTaken)")
            lastTaken = event.sequence
            if let loss {
                guard case .lost(let from, let to, let merged) = loss.payload, from <= to, to < event.sequence else {
                    throw FuzzFinding("a loss that makes no sense: \(loss.payload) before \(event.sequence)")
                }
                let missing = unaccounted.count { (from...to).contains($0) }
                try require(UInt64(missing) >= merged && merged > 0, "\(merged) merged of \(missing)")
                // Other events may lie between; the merged ones are motion of the same source.
                mergedAway += merged
            }
            unaccounted.removeAll { $0 == event.sequence }
            detentsOut += Self.detents(event.payload)
            meantOut += Self.meant(event.payload)
            return true
        }

        private var mergedAway: UInt64 = 0

        private static func detents(_ payload: EventPayload) -> Int64 {
            if case .input(.knob(.rotate(let detents))) = payload { Int64(detents) } else { 0 }
        }

        private static func meant(_ payload: EventPayload) -> Int64 {
            switch payload {
            case .intent(.pressTurn(let detents)): Int64(detents)
            case .intent(.scroll(_, let y)): Int64(y)
            default: 0
            }
        }

        func end() throws(FuzzFinding) {
            guard !isRefused else { return }
            try require(
                UInt64(unaccounted.count) == mergedAway,
                "\(unaccounted.count) events are missing, \(mergedAway) are told")
            try require(detentsIn == detentsOut, "\(detentsOut) detents came out of \(detentsIn)")
            try require(meantIn == meantOut, "\(meantOut) came out of what was meant, \(meantIn)")
        }
    }
}
