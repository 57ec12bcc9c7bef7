import CBenchmarks
import Glibc

/// `dashrig-benchmarks [--json] [--seconds N] [NAME...]`; a name runs the benchmarks that begin with it. `Scripts/bench` is
/// what people call.
enum BenchmarkProgram {
    static func run() -> Int32 {
        var isJSON = false
        var seconds = 1.0
        var names: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--json": isJSON = true
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
        let all = LinkBenchmarks.all + HandshakeBenchmarks.all
        let chosen = all.filter { benchmark in names.isEmpty || names.contains { benchmark.name.hasPrefix($0) } }
        guard !chosen.isEmpty else { return usage() }
        var results: [BenchmarkResult] = []
        for benchmark in chosen {
            let result = benchmark.measure(seconds: seconds)
            results.append(result)
            if !isJSON {
                if results.count == 1 { print(BenchmarkResult.tableHead) }
                print(result.tableRow)
            }
        }
        if isJSON { print("[\(results.map(\.json).joined(separator: ",\n "))]") }
        return 0
    }

    private static func usage() -> Int32 {
        let text = "usage: dashrig-benchmarks [--json] [--seconds N] [NAME...]\n"
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return 2
    }
}
