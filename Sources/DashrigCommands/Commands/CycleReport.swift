internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import ScenarioCore
internal import VarlinkProtocol

/// What is told of cycles, as they come and at the end.
final class CycleReport {
    private(set) var statistics = CycleStatistics()
    /// The number of the next cycle.
    private(set) var next = 1
    private let count: Int
    private let output: Output
    /// The table's descriptor; -1 when there is none.
    private let table: Int32
    private let tableName: String
    /// How many were there before this program began.
    private let before: Int
    private let begin = SystemClock.monotonicNow()

    /// The largest file that is read to go on: that of the most cycles.
    private static let maximumTable = 256 << 20

    init(_ options: CycleOptions, _ output: Output) throws(CommandLineFailure) {
        self.output = output
        count = options.count
        tableName = options.table ?? ""
        guard let path = options.table else {
            (table, before) = (-1, 0)
            return
        }
        var known: (results: [CycleResult], bytes: Int) = ([], 0)
        if options.resumes {
            do {
                let bytes = try FileContents.read(path, limit: Self.maximumTable)
                known = try CycleTable.results(String(decoding: bytes, as: UTF8.self))
            } catch let problem as CycleTable.Problem {
                throw .file("\(path):\(problem.line): \(problem.text)")
            } catch let problem as FileError {
                throw .file(problem.description)
            } catch {
                preconditionFailure("no other error is thrown")
            }
        }
        let number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (options.resumes ? 0 : O_TRUNC), 0o666)
        guard number >= 0 else { throw .file("the table cannot be written: \(SystemError("open", errno, path))") }
        table = number
        before = known.results.count
        for result in known.results { statistics.add(result) }
        next = known.results.count + 1
        // What a kill left of a line is written anew.
        if options.resumes, ftruncate(number, off_t(known.bytes)) != 0 || lseek(number, 0, SEEK_END) < 0 {
            throw .file("the table cannot be written: \(SystemError("ftruncate", errno, path))")
        }
        if known.bytes == 0 { try write(CycleTable.head) }
    }

    deinit {
        if table >= 0 { close(table) }
    }

    private func write(_ line: String) throws(CommandLineFailure) {
        guard table >= 0 else { return }
        do {
            try DescriptorSink(descriptor: table, environment: Environment(), interrupt: nil).write(line + "\n")
        } catch {
            throw .file("\(tableName) cannot be written")
        }
    }

    /// One more cycle.
    func add(_ result: CycleResult) throws(CommandLineFailure) {
        statistics.add(result)
        next = result.number + 1
        try write(CycleTable.line(result))
        if output.isJSON {
            output.json(.object(["cycle": JSON(result.record)]))
        } else if let failure = result.failure {
            output.line(PrintableText.escaped(Self.line(result, failure)))
        }
        waited()
    }

    private static func line(_ result: CycleResult, _ failure: CycleFailure) -> String {
        "cycle \(result.number) failed at \(failure.step): \(failure.code)"
            + (failure.text.isEmpty ? "" : ", \(failure.text)")
    }

    /// Shows how far it is to a person who watches.
    func waited() {
        guard output.showsProgress else { return }
        let done = statistics.count - before
        let elapsed = SystemClock.monotonicNow() - begin
        var text = "\(statistics.count) of \(count), \(statistics.failed) failed"
        if done > 0 {
            let each = elapsed / UInt64(done)
            let rate = Double(done) * 60e9 / Double(max(elapsed, 1))
            text +=
                ", \(Int(rate.rounded())) a minute, \(Durations.age(each * UInt64(max(0, count - statistics.count)))) left"
        }
        output.progress("\(text) (Ctrl-C stops)")
    }

    /// Tells what came of all of them.
    func finish(isInterrupted: Bool) {
        output.clearProgress()
        if output.isJSON {
            output.json(.object(["summary": summary(isInterrupted)]))
            return
        }
        let word = isInterrupted ? "INTERRUPTED" : statistics.failed == 0 ? "PASSED" : "FAILED"
        let tone: Tone = isInterrupted ? .notable : statistics.failed == 0 ? .good : .bad
        let rate = (statistics.rate * 1_000).rounded() / 10
        output.line(
            "\(output.style.text(word, tone))  \(statistics.succeeded) of \(statistics.count) cycles came through "
                + "(\(rate) %)" + (statistics.count < count ? ", \(count - statistics.count) were not begun" : ""))
        times("ready", statistics.ready50to100)
        if statistics.appeared50to100?.max ?? 0 > 0 { times("appeared", statistics.appeared50to100) }
        times("released", statistics.released50to100)
        histogram()
        guard !statistics.bins.isEmpty else { return }
        var table = TextTable([
            .init(title: "FAILED AT"), .init(title: "REASON"), .init(title: "CYCLES", isRight: true),
            .init(title: "FIRST", isRight: true),
        ])
        for bin in statistics.bins {
            table.add([.init(bin.step, .name), .init(bin.code), .init("\(bin.count)"), .init("\(bin.first)")])
        }
        output.line()
        output.lines(table.lines(width: output.width, style: output.style))
    }

    private func times(_ name: String, _ times: CycleStatistics.Times?) {
        guard let times else { return }
        let text = [("p50", times.p50), ("p95", times.p95), ("p99", times.p99), ("max", times.max)]
            .map { "\($0.0) \(DurationText.short($0.1))" }.joined(separator: "  ")
        output.line("  \(PrintableText.padded(name, to: 9, atEnd: true)) \(text)")
    }

    private func histogram() {
        let bars = statistics.histogram()
        guard bars.count > 1, let most = bars.map(\.count).max(), most > 0 else { return }
        let room = max(10, min(output.width ?? 80, 100) - 30)
        output.line()
        for bar in bars {
            let length = (bar.count * room + most - 1) / most
            let from = PrintableText.padded(DurationText.short(bar.from), to: 10, atEnd: false)
            let count = PrintableText.padded("\(bar.count)", to: 7, atEnd: false)
            output.line("\(output.style.text(from, .faint)) \(count)  \(String(repeating: "▇", count: length))")
        }
    }

    private func summary(_ isInterrupted: Bool) -> JSON {
        func times(_ times: CycleStatistics.Times?) -> JSON {
            guard let times else { return .null }
            return .object([
                "p50": .int(Int64(clamping: times.p50)), "p95": .int(Int64(clamping: times.p95)),
                "p99": .int(Int64(clamping: times.p99)), "max": .int(Int64(clamping: times.max)),
            ])
        }
        return .object([
            "cycles": .int(Int64(statistics.count)), "succeeded": .int(Int64(statistics.succeeded)),
            "failed": .int(Int64(statistics.failed)), "rate": .double(statistics.rate),
            "interrupted": .bool(isInterrupted), "ready": times(statistics.ready50to100),
            "appeared": times(statistics.appeared50to100), "released": times(statistics.released50to100),
            "failures": .array(
                statistics.bins.map {
                    .object([
                        "step": .string($0.step), "code": .string($0.code), "count": .int(Int64($0.count)),
                        "first": .int(Int64($0.first)),
                    ])
                }),
            "histogram": .array(
                statistics.histogram().map {
                    .object([
                        "from": .int(Int64(clamping: $0.from)), "to": .int(Int64(clamping: $0.to)),
                        "count": .int(Int64($0.count)),
                    ])
                }),
        ])
    }
}
