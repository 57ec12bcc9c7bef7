public import RigModel

extension Scenario {
    /// Reads a scenario. Every problem of the file is found, one a line; `file` is the name that messages carry.
    /// `tracks` are those that its steps may play.
    public init(parsing text: String, file: String, tracks: [TrackFile] = []) throws(ScenarioProblems) {
        try self.init(parsing: Array(text.utf8), file: file, tracks: tracks)
    }

    /// Reads a scenario from UTF-8. A step that plays one of `absent` is a problem, for the reason given there.
    public init(
        parsing bytes: [UInt8], file: String, tracks: [TrackFile] = [], absent: [AbsentTrack] = []
    ) throws(ScenarioProblems) {
        guard bytes.count <= Self.maximumBytes else {
            let place = SourcePlace(file: file, line: 1, column: 1)
            let text = "the file has \(bytes.count) bytes; the most is \(Self.maximumBytes)"
            throw ScenarioProblems([ScenarioProblem(place: place, length: 1, text: text, line: "")])
        }
        var assembly = ScenarioAssembly(tracks: tracks, absent: absent)
        var start = ByteOrderMark.skipped(in: bytes).startIndex
        var number = 0
        while start <= bytes.count, !assembly.isFull {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            number += 1
            var line = bytes[start..<end]
            if line.last == 0x0D { line.removeLast() }
            assembly.add(SourceLine(file: file, number: number, bytes: Array(line)))
            start = end + 1
        }
        guard assembly.problems.isEmpty else { throw ScenarioProblems(assembly.problems) }
        // A file that was cut short must not pass in CI.
        guard !assembly.steps.isEmpty else {
            let place = SourcePlace(file: file, line: max(1, number - 1), column: 1)
            throw ScenarioProblems([
                ScenarioProblem(place: place, length: 1, text: "the scenario has no steps", line: "")
            ])
        }
        self.init(file: file, steps: assembly.steps)
    }
}

/// Puts lines together and checks what only shows between them.
private struct ScenarioAssembly {
    let tracks: [TrackFile]
    let absent: [AbsentTrack]
    private(set) var steps: [ScenarioStep] = []
    private(set) var problems: [ScenarioProblem] = []
    /// After a line that could not be read, nothing is said about how the next one fits to it.
    private var lostTrack = false
    private var lastAbsolute: (time: UInt64, line: Int)?

    init(tracks: [TrackFile], absent: [AbsentTrack]) {
        self.tracks = tracks
        self.absent = absent
    }

    var isFull: Bool { problems.count >= ScenarioProblems.maximum }

    mutating func add(_ line: SourceLine) {
        do throws(ScenarioProblem) {
            guard line.text.utf8.count <= Scenario.maximumLineBytes else {
                throw line.problem(0, 0, "the line is longer than \(Scenario.maximumLineBytes) bytes")
            }
            try line.checkCharacters()
            var parser = StepParser(line: line, tracks: tracks, absent: absent)
            guard let read = try parser.parse() else { return }
            try check(read, in: line)
            append(read)
            lostTrack = false
        } catch {
            problems.append(error)
            lostTrack = true
            if isFull {
                problems[problems.count - 1] = ScenarioProblem(
                    place: error.place, length: 1,
                    text: "more than \(ScenarioProblems.maximum) problems; the rest is not shown", line: error.line)
            }
        }
    }

    private mutating func check(_ read: StepParser.Line, in line: SourceLine) throws(ScenarioProblem) {
        if case .expect(let expectation) = read.act.action, expectation.isNext, !lostTrack {
            guard let last = steps.last, case .expect = last.action else {
                throw line.problem(
                    read.start, read.end, "'then' goes on from an 'expect' or 'then' in the line before it")
            }
        }
        if case .later(let delay) = read.timing, let last = steps.last, last.repetition != nil, delay < last.duration,
            !lostTrack
        {
            throw line.problem(
                read.start, read.end,
                "the step before goes on for \(DurationText.text(last.duration)), and this lies within it")
        }
        if case .at(let time) = read.timing {
            if let last = lastAbsolute, time < last.time {
                throw line.problem(
                    read.start, read.end,
                    "this is before 'at \(DurationText.text(last.time))' in line \(last.line); steps run in the order "
                        + "of the file")
            }
            lastAbsolute = (time, line.number)
        }
    }

    private mutating func append(_ read: StepParser.Line) {
        steps.append(
            ScenarioStep(
                place: read.place, text: read.text, timing: read.timing, repetition: read.repetition,
                action: read.act.action, duration: read.act.duration, keepsDevice: read.act.keepsDevice,
                opensWindow: opensWindow(read)))
    }

    /// A step that acts opens a window unless it stands directly behind another that acts: those count as one.
    private func opensWindow(_ read: StepParser.Line) -> Bool {
        guard case .perform = read.act.action else { return false }
        guard read.timing == .next, let last = steps.last, case .perform = last.action else { return true }
        return false
    }
}
