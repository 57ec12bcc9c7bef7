import CBenchmarks
import Glibc

/// `dashrig-benchmarks [--json] [--smoke | --seconds N] [NAME...]`; a name runs the benchmarks that begin with it.
/// `Scripts/bench` is what people call.
enum BenchmarkProgram {
    /// Enough to see that each benchmark works; no figure of it means anything.
    private static let smokeSeconds = 0.01

    static func run() -> Int32 {
        var isJSON = false
        var seconds = 1.0
        var names: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--smoke": seconds = smokeSeconds
            case "--seconds":
                guard let value = arguments.popFirst().flatMap(Double.init), value > 0, value <= 600 else {
                    return usage()
                }
                seconds = value
            default:
                guard !argument.hasPrefix("-") else { return usage() }
                names.append(argument)
            }
        }
        func isChosen(_ name: String) -> Bool { names.isEmpty || names.contains { name.hasPrefix($0) } }
        let inMemory =
            (LinkBenchmarks.all + HandshakeBenchmarks.all + DetentBenchmarks.all + TouchBenchmarks.all
            + SimulationBenchmarks.all)
            .filter { isChosen($0.name) }
        let input = InputBenchmark.all.filter { isChosen($0.name) }
        let isLatenessChosen = isChosen(LatenessBenchmark.name)
        guard !inMemory.isEmpty || !input.isEmpty || isLatenessChosen else { return usage() }
        var results: [String] = []
        func tell(_ head: String, _ row: String, _ json: String, isFirst: Bool) {
            results.append(json)
            if isJSON { return }
            if isFirst { print(head) }
            print(row)
            fflush(nil)
        }
        for benchmark in inMemory {
            if let why = benchmark.unavailability {
                note("\(benchmark.name): skipped, \(why)")
                continue
            }
            let result = benchmark.measure(seconds: seconds)
            tell(BenchmarkResult.tableHead, result.tableRow, result.json, isFirst: results.isEmpty)
        }
        do {
            let before = results.count
            try InputBenchmark.measure(input, seconds: seconds) { result in
                tell(InputBenchmarkResult.tableHead, result.tableRow, result.json, isFirst: results.count == before)
            }
        } catch {
            note("input: \(error)")
            return 1
        }
        if isLatenessChosen {
            do {
                let result = try LatenessBenchmark.measure(seconds: seconds)
                tell(LatenessResult.tableHead, result.tableRow, result.json, isFirst: true)
            } catch {
                note("\(LatenessBenchmark.name): \(error)")
                return 1
            }
        }
        if isJSON { print("[\(results.joined(separator: ",\n "))]") }
        return 0
    }

    /// One line for a person.
    static func note(_ line: String) {
        _ = Array("\(line)\n".utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func usage() -> Int32 {
        note("usage: dashrig-benchmarks [--json] [--smoke | --seconds N] [NAME...]")
        return 2
    }
}
