/// What many cycles say together.
public struct CycleStatistics: Equatable, Sendable {
    /// Failures of one step and reason.
    public struct Bin: Equatable, Sendable {
        /// Where it failed.
        public let step: String
        /// Why.
        public let code: String
        /// How often.
        public internal(set) var count: Int
        /// The number of the first of these cycles.
        public let first: Int
    }

    /// One bar of the histogram: how many became ready within `from..<to` nanoseconds.
    public struct Bar: Equatable, Sendable {
        /// From this many nanoseconds on.
        public let from: UInt64
        /// And below this many.
        public let to: UInt64
        /// How many.
        public let count: Int
    }

    /// Those that did what they had to.
    public private(set) var succeeded = 0
    /// Those that did not.
    public private(set) var failed = 0
    /// Failures by step and reason, most first.
    public var bins: [Bin] { unsorted.sorted { ($1.count, $0.first) < ($0.count, $1.first) } }
    private var unsorted: [Bin] = []
    /// The times to ready of those that succeeded.
    private var ready: [UInt64] = []
    private var appeared: [UInt64] = []
    private var released: [UInt64] = []

    /// Statistics of nothing.
    public init() {}

    /// How many cycles there were.
    public var count: Int { succeeded + failed }

    /// The part that succeeded, 0 to 1; 1 of nothing.
    public var rate: Double { count == 0 ? 1 : Double(succeeded) / Double(count) }

    /// Takes one more.
    public mutating func add(_ result: CycleResult) {
        if let failure = result.failure {
            failed += 1
            if let place = unsorted.firstIndex(where: { $0.step == failure.step && $0.code == failure.code }) {
                unsorted[place].count += 1
            } else {
                unsorted.append(Bin(step: failure.step, code: failure.code, count: 1, first: result.number))
            }
            return
        }
        succeeded += 1
        if let time = result.ready { ready.append(time) }
        if let time = result.appeared { appeared.append(time) }
        if let time = result.released { released.append(time) }
    }

    /// What is told of many times.
    public struct Times: Equatable, Sendable {
        /// Half of them are not longer.
        public let p50: UInt64
        /// 95 of 100 are not longer.
        public let p95: UInt64
        /// 99 of 100 are not longer.
        public let p99: UInt64
        /// The longest.
        public let max: UInt64
    }

    /// The times to ready, in nanoseconds; `nil` when nothing became ready.
    public var ready50to100: Times? { Self.times(ready) }
    /// The times from the switch to the device's appearance.
    public var appeared50to100: Times? { Self.times(appeared) }
    /// The times from the unplug to the end of the removal.
    public var released50to100: Times? { Self.times(released) }

    private static func times(_ values: [UInt64]) -> Times? {
        let sorted = values.sorted()
        guard let last = sorted.last else { return nil }
        // The nearest rank: a time that was measured, never one in between.
        func rank(_ percent: Int) -> UInt64 { sorted[max(0, (sorted.count * percent + 99) / 100 - 1)] }
        return Times(p50: rank(50), p95: rank(95), p99: rank(99), max: last)
    }

    /// The times to ready in bars of the same width, from the shortest to the longest.
    public func histogram(bars most: Int = 12) -> [Bar] {
        guard let shortest = ready.min(), let longest = ready.max(), most > 0 else { return [] }
        let width = max(1, (longest - shortest) / UInt64(most) + 1)
        var counts = [Int](repeating: 0, count: Int((longest - shortest) / width) + 1)
        for time in ready { counts[Int((time - shortest) / width)] += 1 }
        return counts.enumerated().map { index, count in
            Bar(from: shortest + UInt64(index) * width, to: shortest + UInt64(index + 1) * width, count: count)
        }
    }
}
