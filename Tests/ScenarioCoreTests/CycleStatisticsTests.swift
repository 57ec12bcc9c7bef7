import Testing

@testable import ScenarioCore

/// What many cycles say together, and their table.
@Suite struct CycleStatisticsTests {
    private func result(_ number: Int, ready: UInt64?, _ failure: (String, String)? = nil) -> CycleResult {
        var result = CycleResult(number: number)
        result.ready = ready
        result.released = 5_000
        result.failure = failure.map { CycleFailure(step: $0.0, code: $0.1, text: "text") }
        return result
    }

    @Test func percentilesAreTimesThatWereMeasured() {
        var statistics = CycleStatistics()
        #expect(statistics.ready50to100 == nil && statistics.rate == 1 && statistics.histogram().isEmpty)
        for number in (1...100).reversed() { statistics.add(result(number, ready: UInt64(number) * 1_000)) }
        #expect(statistics.ready50to100 == .init(p50: 50_000, p95: 95_000, p99: 99_000, max: 100_000))
        var one = CycleStatistics()
        one.add(result(1, ready: 7))
        #expect(one.ready50to100 == .init(p50: 7, p95: 7, p99: 7, max: 7))
        #expect(one.histogram() == [.init(from: 7, to: 8, count: 1)])
    }

    @Test func failuresAreCountedByStepAndReasonMostFirst() {
        var statistics = CycleStatistics()
        statistics.add(result(1, ready: 9))
        statistics.add(result(2, ready: nil, ("plug", "busy")))
        for number in 3...5 { statistics.add(result(number, ready: nil, ("identifying", "timedOut"))) }
        statistics.add(result(6, ready: nil, ("identifying", "refused")))
        #expect(statistics.succeeded == 1 && statistics.failed == 5 && statistics.count == 6)
        #expect(statistics.bins.map(\.step) == ["identifying", "plug", "identifying"])
        #expect(statistics.bins.map(\.count) == [3, 1, 1] && statistics.bins.map(\.first) == [3, 2, 6])
        #expect(statistics.ready50to100?.max == 9, "what failed has no time")
    }

    @Test(arguments: [1, 2, 12, 100]) func everyTimeIsInOneBar(bars: Int) {
        var statistics = CycleStatistics()
        let times: [UInt64] = [10, 10, 11, 500, 501, 777, 1_000]
        for (index, time) in times.enumerated() { statistics.add(result(index + 1, ready: time)) }
        let histogram = statistics.histogram(bars: bars)
        #expect(histogram.count <= bars && histogram.reduce(0) { $0 + $1.count } == times.count)
        #expect(histogram.first?.from == 10 && histogram.last.map { $0.to > 1_000 } == true)
        #expect(zip(histogram, histogram.dropFirst()).allSatisfy { $0.to == $1.from })
    }

    @Test func aTableIsReadAsItIsWritten() throws {
        var results = [result(1, ready: 12_000), result(2, ready: nil, ("a,b\nc", "x\"y"))]
        results[0].pulledAt = "starting"
        let text = ([CycleTable.head] + results.map(CycleTable.line)).joined(separator: "\n") + "\n"
        #expect(text.split(separator: "\n").last == "2,failed,,,,5,a_b_c,x_y")
        let read = try CycleTable.results(text)
        #expect(read.results.count == 2 && read.bytes == text.utf8.count)
        #expect(read.results[0] == results[0])
        #expect(read.results[1].failure == CycleFailure(step: "a_b_c", code: "x_y", text: ""))
    }

    @Test func whatAKillLeftOfALineIsLeftOut() throws {
        let whole = "\(CycleTable.head)\n1,ok,,5,,,,\n"
        for cut in ["2", "2,ok", "2,ok,,5,,,,"] {
            let read = try CycleTable.results(whole + cut)
            #expect(read.results.count == 1 && read.bytes == whole.utf8.count)
        }
        #expect(try CycleTable.results("").results.isEmpty)
        #expect(try CycleTable.results("cycle,res").bytes == 0, "not even its head was whole")
    }

    @Test(arguments: [
        ("a,b\n", 1), ("\(CycleTable.head)\nx\n", 2), ("\(CycleTable.head)\n2,ok,,,,,,\n", 2),
        ("\(CycleTable.head)\n1,ok,,,,,,\n1,ok,,,,,,\n", 3), ("\(CycleTable.head)\n1,maybe,,,,,,\n", 2),
    ])
    func aFileThatIsNoTableIsToldWithItsLine(text: String, line: Int) {
        let problem = #expect(throws: CycleTable.Problem.self) { try CycleTable.results(text) }
        #expect(problem?.line == line)
    }
}
