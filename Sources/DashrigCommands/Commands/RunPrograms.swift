internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import RigModel
internal import ScenarioCore

/// The programs of a scenario, run beside it: `exec` and `attach`. Each of their lines is marked in the timeline.
final class RunPrograms {
    /// One that runs.
    private struct Running {
        let step: ProgramStep
        let process: ChildProcess
        var rest: [UInt8] = []
        /// Lines that were not told in this turn, because there were too many.
        var untold = 0
    }

    /// A regular expression, compiled. It goes with this object.
    private final class Pattern {
        let name: String
        private let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        /// Whether it holds something that has to be freed.
        private var isCompiled = false

        init(_ pattern: ScenarioPattern) throws(CommandLineFailure) {
            name = pattern.name
            compiled.initialize(to: regex_t())
            let code = regcomp(compiled, pattern.text, REG_EXTENDED | REG_NOSUB)
            guard code == 0 else {
                var text = [CChar](repeating: 0, count: 256)
                regerror(code, compiled, &text, text.count)
                let reason = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                // What was allocated goes in `deinit`, which also runs for an object that throws here.
                throw .file("\(pattern.place.text): /\(pattern.text)/ is no regular expression: \(reason)")
            }
            isCompiled = true
        }

        deinit {
            if isCompiled { regfree(compiled) }
            compiled.deallocate()
        }

        func matches(_ line: String) -> Bool { regexec(compiled, line, 0, nil, 0) == 0 }
    }

    /// How often they are looked after while one runs: every 10 ms.
    static let interval: UInt64 = 10_000_000
    /// The most lines of one program that are marked in a turn, but for those that match: ours, so that a chatty program
    /// does not drown the timeline.
    private static let linesPerTurn = 50
    /// The longest line that is kept together.
    private static let maximumLine = 64 * 1024
    /// How long programs may take to end when they are told to: 1 s.
    private static let grace: UInt64 = 1_000_000_000

    private let steps: [(text: String, step: ProgramStep)]
    private let patterns: [Pattern]
    private let connection: RigConnection?
    private var running: [Running] = []

    /// For a scenario; one without programs costs nothing.
    init(_ scenario: Scenario, _ call: Invocation) throws(CommandLineFailure) {
        steps = scenario.steps.compactMap { step in
            if case .program(let program) = step.action { (step.timelineText, program) } else { nil }
        }
        var patterns: [Pattern] = []
        for pattern in scenario.patterns { patterns.append(try Pattern(pattern)) }
        self.patterns = patterns
        connection = steps.isEmpty ? nil : try call.connect()
    }

    /// Checks the expressions of a scenario without running anything.
    static func check(_ scenario: Scenario) throws(CommandLineFailure) {
        for pattern in scenario.patterns { _ = try Pattern(pattern) }
    }

    /// Whether somebody has to look after them.
    var isBusy: Bool { !running.isEmpty }

    /// A line of the timeline came: one that begins a program begins it here.
    func follow(_ entry: TimelineEntry) throws(ClientFailure) {
        guard entry.kind == .step, let step = steps.first(where: { $0.text == entry.text })?.step else { return }
        let specification = ChildSpecification(
            "/bin/sh", ["-c", "exec 2>&1\n\(step.command)"], leadsGroup: true, captureLimit: 16 << 20)
        do {
            running.append(Running(step: step, process: try ChildProcess(specification)))
        } catch {
            try mark(ProgramText.line(step.name, error.description, matching: []))
            try mark(ProgramText.exit(step.name, 127))
        }
    }

    /// Tells what they said, and which of them ended.
    func tend() throws(ClientFailure) {
        for place in running.indices.reversed() {
            let end = (try? running[place].process.wait(until: SystemClock.monotonicNow())) ?? nil
            try tell(place, isLast: end != nil)
            guard let end else { continue }
            let step = running.remove(at: place).step
            switch end {
            case .exited(let status): try mark(ProgramText.exit(step.name, Int(status)))
            case .signaled(let number): try mark(ProgramText.exit(step.name, 128 + Int(number)))
            }
        }
    }

    /// Ends those that still run.
    func end() {
        for program in running { try? program.process.signal(SIGTERM) }
        let deadline = SystemClock.monotonicNow() + Self.grace
        // Those that do not go are killed with their objects.
        for program in running { _ = try? program.process.wait(until: deadline) }
        running = []
    }

    private func tell(_ place: Int, isLast: Bool) throws(ClientFailure) {
        let step = running[place].step
        let bytes = running[place].rest + running[place].process.takeOutput()
        var told = 0
        var start = 0
        while start < bytes.count {
            var end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if end == bytes.count, !isLast, bytes.count - start < Self.maximumLine { break }
            end = min(end, start + Self.maximumLine)
            let line = String(decoding: bytes[start..<end], as: UTF8.self)
            start = end < bytes.count && bytes[end] == 0x0A ? end + 1 : end
            let matches = patterns.indices.filter { patterns[$0].name == step.name && patterns[$0].matches(line) }
            if told >= Self.linesPerTurn, matches.isEmpty {
                running[place].untold += 1
                continue
            }
            told += 1
            try mark(ProgramText.line(step.name, line, matching: matches))
        }
        running[place].rest = Array(bytes[start...])
        let untold = running[place].untold
        guard untold > 0 else { return }
        running[place].untold = 0
        try mark(ProgramText.line(step.name, "\(untold) more lines that no pattern matches", matching: []))
    }

    private func mark(_ text: String) throws(ClientFailure) { try connection?.mark(text) }
}
