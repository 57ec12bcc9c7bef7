import DeviceTestKit
import Glibc

/// From the write of an input event to the read of a subscriber: the release daemon as its own process, and a C program
/// that does the least that can be done, in turn.
struct InputBenchmark {
    /// Turns per second: a report in 8 ms, as slow devices are polled, and as often as full and high speed USB can.
    let rate: Int
    /// How many are told of each.
    let subscribers: Int
    /// Whether a simulated phone is plugged in, whose session is told as well, by reports over its link.
    var isInSession = false

    var name: String { "input.\(isInSession ? "session-" : "")to-\(subscribers)-at-\(rate)" }

    static var all: [InputBenchmark] {
        [1, 10, 100].flatMap { subscribers in
            [125, 1_000, 8_000].map { InputBenchmark(rate: $0, subscribers: subscribers) }
        } + [InputBenchmark(rate: 1_000, subscribers: 1, isInSession: true)]
    }

    /// Rounds of each program, in turn.
    private static let rounds = 9

    /// Measures each for about so many seconds a program and gives the results one by one. Nothing when this machine
    /// cannot have mock devices: then one line says why.
    static func measure(
        _ benchmarks: [InputBenchmark], seconds: Double, _ tell: (InputBenchmarkResult) -> Void
    ) throws {
        guard !benchmarks.isEmpty else { return }
        guard DeviceTestbed.isAvailable else {
            return BenchmarkProgram.note("input: skipped, it \(DeviceTestbed.skipReason)")
        }
        let folder = try PrivateFolder()
        let daemon = try MeasuredProgram.daemon(in: folder)
        let forwarder = try MeasuredProgram.forwarder(in: folder)
        var hasSession = false
        for benchmark in benchmarks {
            if benchmark.isInSession && !hasSession {
                try daemon.ask(#"{"method":"org.dashrig.Rig.Plug","parameters":{"profile":"iphone"}}"#)
                hasSession = true
            }
            try daemon.connect(benchmark.subscribers)
            try forwarder.connect(benchmark.subscribers)
            let reports = max(8, Int(seconds * Double(benchmark.rate)) / rounds)
            var result = InputBenchmarkResult(name: benchmark.name)
            for round in 0...rounds {
                let ours = try daemon.run(rate: Double(benchmark.rate), reports: reports)
                let theirs = try forwarder.run(rate: Double(benchmark.rate), reports: reports)
                // The first round makes buffers and caches ready.
                if round > 0 { result.rounds.append((ours, theirs)) }
            }
            for (program, rounds) in [(daemon, result.rounds.map(\.ours)), (forwarder, result.rounds.map(\.theirs))] {
                let lost = rounds.reduce(0) { $0 + $1.lost }
                guard lost == 0 else {
                    throw InputBenchmarkError("\(benchmark.name): \(lost) messages of \(program.name) did not come")
                }
            }
            tell(result)
        }
    }
}

/// What was measured.
struct InputBenchmarkResult {
    let name: String
    /// Neighbouring rounds of the daemon and of C.
    var rounds: [(ours: InputRound, theirs: InputRound)] = []

    private func ours(_ part: (InputRound) -> Double) -> Double { BenchmarkResult.median(rounds.map { part($0.ours) }) }

    /// The median of the ratios of neighbouring rounds.
    private func ratio(_ part: (InputRound) -> Double) -> Double {
        BenchmarkResult.median(rounds.map { part($0.ours) / max(part($0.theirs), 1) })
    }

    /// The ratio of the quietest rounds: what else the machine does only ever adds.
    private func quietRatio(_ part: (InputRound) -> Double) -> Double {
        (rounds.map { part($0.ours) }.min() ?? 0) / max(rounds.map { part($0.theirs) }.min() ?? 0, 1)
    }

    /// What always comes, whatever else the machine does: the fewest of a round.
    private var allocations: Double { rounds.map(\.ours.allocations).min() ?? 0 }

    static let tableHead =
        BenchmarkResult.pad("benchmark", 30)
        + ["p50 µs", "of C", "quiet", "p99 µs", "of C", "quiet", "CPU µs", "of C", "quiet"]
        .map { BenchmarkResult.pad($0, 8, left: true) }.joined()
        + ["malloc", "bytes", "of C", "delayed"]
        .map { BenchmarkResult.pad($0, 9, left: true) }.joined()

    var tableRow: String {
        let times: [(InputRound) -> Double] = [\.p50, \.p99, \.cpu]
        let compared = times.flatMap {
            [
                BenchmarkResult.short(ours($0) / 1_000), BenchmarkResult.short(ratio($0)),
                BenchmarkResult.short(quietRatio($0)),
            ]
        }
        let rest = [
            BenchmarkResult.short(allocations), BenchmarkResult.short(ours(\.bytes)),
            BenchmarkResult.short(ratio(\.bytes)),
            "\(BenchmarkResult.short(ours(\.delayed) * 100)) %",
        ]
        return BenchmarkResult.pad(name, 30) + compared.map { BenchmarkResult.pad($0, 8, left: true) }.joined()
            + rest.map { BenchmarkResult.pad($0, 9, left: true) }.joined()
    }

    var json: String {
        func both(_ name: String, _ part: (InputRound) -> Double) -> String {
            "\"\(name)\":\(ours(part)),\"\(name)Ratio\":\(ratio(part)),"
                + "\"\(name)QuietRatio\":\(quietRatio(part))"
        }
        return "{\"name\":\"\(name)\",\(both("p50Nanoseconds", \.p50)),\(both("p99Nanoseconds", \.p99)),"
            + "\(both("cpuNanosecondsPerEvent", \.cpu)),\"allocationsPerEvent\":\(allocations),"
            + "\(both("messageBytes", \.bytes)),\"delayedPart\":\(ours(\.delayed))}"
    }
}
