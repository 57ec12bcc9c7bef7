/// Results of cycles as lines of comma-separated values: written as they come, and read again to go on.
public enum CycleTable {
    /// The first line. Times are microseconds; what is not known is empty.
    public static let head = "cycle,result,pulled_at,ready_us,appeared_us,released_us,step,reason"

    /// What is wrong with a file, with its line.
    public struct Problem: Error, Equatable, Sendable {
        /// The line, from 1.
        public let line: Int
        /// What is wrong with it.
        public let text: String
    }

    /// One result as a line, without its end.
    public static func line(_ result: CycleResult) -> String {
        func time(_ value: UInt64?) -> String { value.map { "\($0 / 1_000)" } ?? "" }
        return [
            "\(result.number)", result.failure == nil ? "ok" : "failed", result.pulledAt ?? "", time(result.ready),
            time(result.appeared), time(result.released), word(result.failure?.step), word(result.failure?.code),
        ].joined(separator: ",")
    }

    /// Reads what was written. A last line without its end was cut by whatever stopped the writer, and is left out.
    ///
    /// - Returns: the results, and how many bytes of the text they are.
    public static func results(_ text: String) throws(Problem) -> (results: [CycleResult], bytes: Int) {
        var results: [CycleResult] = []
        var bytes = 0
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        // What stands behind the last line end.
        lines = Array(lines.dropLast())
        for (index, line) in lines.enumerated() {
            bytes += line.utf8.count + 1
            if index == 0 {
                guard line == head else { throw Problem(line: 1, text: "the file is no table of cycles") }
                continue
            }
            results.append(try result(line, index + 1))
            guard results.last?.number == results.count else {
                throw Problem(line: index + 1, text: "cycle \(results.count) is missing")
            }
        }
        return (results, bytes)
    }

    private static func result(_ line: Substring, _ place: Int) throws(Problem) -> CycleResult {
        let parts = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 8, let number = Int(parts[0]), ["ok", "failed"].contains(parts[1]) else {
            throw Problem(line: place, text: "it is no line of a table of cycles")
        }
        func time(_ text: String) -> UInt64? { UInt64(text).map { $0 > .max / 1_000 ? .max : $0 * 1_000 } }
        var result = CycleResult(number: number, pulledAt: parts[2].isEmpty ? nil : parts[2])
        result.ready = time(parts[3])
        result.appeared = time(parts[4])
        result.released = time(parts[5])
        if parts[1] == "failed" { result.failure = CycleFailure(step: parts[6], code: parts[7], text: "") }
        return result
    }

    /// A word that cannot break a line or a column.
    private static func word(_ text: String?) -> String {
        String((text ?? "").map { $0 == "," || $0 == "\"" || $0.isNewline ? "_" : $0 })
    }
}
