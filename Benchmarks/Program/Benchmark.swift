import CBenchmarks
import Glibc

/// One thing to measure: a piece of work that is done over and over, and, where there is one, what it is compared with.
struct Benchmark {
    /// Names it on the command line and in results: `link.receive-4096`.
    let name: String
    /// What is counted: `GB`, `packets`, `handshakes`.
    let unit: String
    /// How many units one run of the work is.
    let unitsPerRun: Double
    /// How many packets, or whatever allocations are told per, one run of the work is.
    let itemsPerRun: Double
    /// Why it cannot be done here, in one line; nil when it can.
    var unavailability: String?
    /// Does the work once.
    let work: () -> Void
    /// What it is compared with: the same work in plain C, or as a test does it.
    var baseline: (() -> Void)?

    /// Measures for about so many seconds, in 15 rounds of the work and its comparison in turn, so that what else the
    /// machine does hits both.
    func measure(seconds: Double) -> BenchmarkResult {
        let rounds = 15
        let share = seconds / Double(rounds) / (baseline == nil ? 1 : 2)
        work()
        let runs = max(1, Int(share / max(Self.time(1, work), 1e-7)))
        let baselineRuns = baseline.map { max(1, Int(share / max(Self.time(1, $0), 1e-7))) }
        var rates: [Double] = []
        var baselineRates: [Double] = []
        var allocations = UInt64.max
        for _ in 0..<rounds {
            let before = bench_allocations()
            let duration = Self.time(runs, work)
            allocations = min(allocations, bench_allocations() - before)
            rates.append(unitsPerRun * Double(runs) / duration)
            if let baseline, let count = baselineRuns {
                baselineRates.append(unitsPerRun * Double(count) / Self.time(count, baseline))
            }
        }
        return BenchmarkResult(
            name: name, unit: unit, rates: rates, baselineRates: baselineRates,
            allocationsPerItem: Double(allocations) / (itemsPerRun * Double(runs)))
    }

    private static func time(_ count: Int, _ work: () -> Void) -> Double {
        let begin = now()
        for _ in 0..<count { work() }
        return max(now() - begin, 1e-9)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// What was measured.
struct BenchmarkResult {
    let name: String
    let unit: String
    /// Units per second, one per round; and the same of what it is compared with.
    let rates: [Double]
    let baselineRates: [Double]
    let allocationsPerItem: Double

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    private var median: Double { Self.median(rates) }
    private var low: Double { rates.min() ?? 0 }
    private var high: Double { rates.max() ?? 0 }
    /// The median of the ratios of neighbouring rounds.
    private var ratio: Double? {
        baselineRates.isEmpty ? nil : Self.median(zip(rates, baselineRates).map { $0 / $1 })
    }

    static let tableHead =
        pad("benchmark", 30) + pad("median/s", 14, left: true) + pad("lowest", 14, left: true)
        + pad("highest", 14, left: true) + pad("ratio", 8, left: true) + pad("malloc/item", 13, left: true)

    var tableRow: String {
        Self.pad(name, 30) + Self.pad("\(Self.short(median)) \(unit)", 14, left: true)
            + Self.pad(Self.short(low), 14, left: true) + Self.pad(Self.short(high), 14, left: true)
            + Self.pad(ratio.map(Self.short) ?? "-", 8, left: true)
            + Self.pad(Self.short(allocationsPerItem), 13, left: true)
    }

    var json: String {
        let compared = ratio.map { ",\"baseline\":\(Self.median(baselineRates)),\"ratio\":\($0)" } ?? ""
        return "{\"name\":\"\(name)\",\"unit\":\"\(unit)\",\"median\":\(median),\"lowest\":\(low),\"highest\":\(high)"
            + "\(compared),\"allocationsPerItem\":\(allocationsPerItem)}"
    }

    static func pad(_ text: String, _ width: Int, left: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return left ? space + text : text + space
    }

    /// Three figures.
    static func short(_ value: Double) -> String {
        if value >= 1_000 || value == 0 { return String(Int(value.rounded())) }
        let scale = value >= 100 ? 1.0 : value >= 10 ? 10.0 : value >= 1 ? 100.0 : 1_000.0
        return String((value * scale).rounded() / scale)
    }
}
