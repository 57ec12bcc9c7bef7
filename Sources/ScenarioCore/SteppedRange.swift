import RigModel

/// `A to B`, `A to B by C`: whole numbers, or durations.
struct SteppedRange {
    private let first: Int64
    private let step: Int64
    private let isDuration: Bool
    /// How many values there are, at least one.
    let count: UInt64

    /// The number from the first value on, as it is written.
    func text(of number: UInt64) -> String {
        // It lies between the two bounds.
        let value = first + Int64(number) * step
        return isDuration ? DurationText.text(UInt64(value)) : "\(value)"
    }

    /// Takes the words. Without `by`, numbers go by ones, and durations by the finest unit that one of the two is in.
    init(_ line: inout SourceLine) throws(ScenarioProblem) {
        let (first, isDuration) = try Self.bound(&line, "the first value")
        guard try line.take("to") else { throw line.missing("'to' and the last value") }
        let lastWord = try line.peek()
        let (last, isAlso) = try Self.bound(&line, "the last value")
        guard isDuration == isAlso else {
            throw Self.problem(line, lastWord, "one of the two is a duration, and the other is none")
        }
        var step: Int64 = isDuration ? Self.finest(first, last) : 1
        if try line.take("by") {
            let word = try line.peek()
            let (value, isDurationToo) = try Self.bound(&line, "the step")
            guard isDurationToo == isDuration, value > 0 else {
                throw Self.problem(line, word, "the step is of the same kind as what it steps through, and above zero")
            }
            step = value
        }
        guard first <= last else {
            throw Self.problem(line, lastWord, "this is less than the first value")
        }
        self.first = first
        self.step = step
        self.isDuration = isDuration
        count = UInt64(last - first) / UInt64(step) + 1
    }

    private static func problem(_ line: SourceLine, _ word: SourceLine.Word?, _ text: String) -> ScenarioProblem {
        word.map { line.problem($0, text) } ?? line.missing(text)
    }

    /// A whole number within ±10^15, or a duration in nanoseconds; their distances do not overflow.
    private static func bound(
        _ line: inout SourceLine, _ what: String
    ) throws(ScenarioProblem) -> (value: Int64, isDuration: Bool) {
        let word = try line.next(what)
        if let number = Int64(word.text), (-1_000_000_000_000_000...1_000_000_000_000_000).contains(number) {
            return (number, false)
        }
        if let duration = try? DurationText.parse(word.text) { return (Int64(duration), true) }
        throw line.problem(word, "'\(word.text)' is neither a whole number nor a duration")
    }

    private static func finest(_ first: Int64, _ last: Int64) -> Int64 {
        [1_000_000, 1_000].first { first % $0 == 0 && last % $0 == 0 } ?? 1
    }
}
