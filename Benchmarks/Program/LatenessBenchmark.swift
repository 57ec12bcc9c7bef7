import DeviceTestKit
import Glibc
import LinuxIO

/// How late a step of an injected sequence is: the release daemon as its own process, which does nothing else, and beside it
/// a plain sleep until the same time, in turn. What the sleep is late is what the machine makes everybody late.
enum LatenessBenchmark {
    static let name = "inject.lateness"

    /// When the step is due, in nanoseconds: long enough for the daemon to sleep, and no whole millisecond.
    private static let due: UInt64 = 7_500_000
    private static let step =
        #"{"method":"org.dashrig.Rig.InjectSequence","parameters":{"steps":[{"at":7.5,"knob":{"detents":1}}],"#
        + #""wait":"delivered"}}"#
    private static let field = #""latestMicroseconds":"#

    /// Measures for about so many seconds; each step takes 7.5 ms, and so does each sleep.
    static func measure(seconds: Double) throws -> LatenessResult {
        let place = try PrivateFolder()
        let daemon = try MeasuredProgram.idleDaemon(in: place)
        let connection = try BlockingConnection(to: .path(daemon.socket), deadline: soon())
        var result = LatenessResult()
        // The first ones make buffers and caches ready.
        let (warmUp, count) = (4, max(16, Int(seconds / 0.016)))
        for turn in 0..<(warmUp + count) {
            let (ours, theirs) = (try stepLateness(connection), sleepLateness())
            if turn < warmUp { continue }
            result.steps.append(ours)
            result.sleeps.append(theirs)
        }
        return result
    }

    private static func soon() -> UInt64 { SystemClock.monotonicNow() + 10_000_000_000 }

    /// In microseconds, as the daemon tells it.
    private static func stepLateness(_ connection: borrowing BlockingConnection) throws -> Double {
        let answer = try MeasuredProgram.exchange(step, on: connection, deadline: soon())
        guard let place = answer.range(of: field) else { throw InputBenchmarkError("no lateness in \(answer)") }
        guard let late = Double(answer[place.upperBound...].prefix { $0.isNumber }) else {
            throw InputBenchmarkError("no lateness in \(answer)")
        }
        return late
    }

    private static func sleepLateness() -> Double {
        let end = SystemClock.monotonicNow() + due
        var time = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
        return Double(SystemClock.monotonicNow() - end) / 1_000
    }
}

/// What was measured, in microseconds.
struct LatenessResult {
    var steps: [Double] = []
    var sleeps: [Double] = []

    private static func part(_ part: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    private var figures: [(name: String, value: Double)] {
        [
            ("p50", Self.part(0.5, of: steps)), ("p99", Self.part(0.99, of: steps)), ("most", steps.max() ?? 0),
            ("sleepP50", Self.part(0.5, of: sleeps)), ("sleepP99", Self.part(0.99, of: sleeps)),
            ("sleepMost", sleeps.max() ?? 0),
        ]
    }

    static let tableHead =
        BenchmarkResult.pad("benchmark", 30)
        + ["p50 µs", "p99 µs", "most µs", "sleep p50", "sleep p99", "sleep most", "steps"]
        .map { BenchmarkResult.pad($0, 11, left: true) }.joined()

    var tableRow: String {
        BenchmarkResult.pad(LatenessBenchmark.name, 30)
            + (figures.map(\.value) + [Double(steps.count)])
            .map { BenchmarkResult.pad(BenchmarkResult.short($0), 11, left: true) }.joined()
    }

    var json: String {
        "{\"name\":\"\(LatenessBenchmark.name)\","
            + figures.map { "\"\($0.name)Microseconds\":\($0.value)" }.joined(separator: ",")
            + ",\"steps\":\(steps.count)}"
    }
}

extension String {
    /// Where a text is first found in this one.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
