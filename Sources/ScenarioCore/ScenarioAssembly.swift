import RigModel

/// Puts the lines of a scenario together: names get their values, blocks are written out, files are included, and what
/// only shows between lines is checked.
struct ScenarioAssembly {
    /// What is read.
    struct Source {
        let file: String
        let nodes: [SourceNode]
        let tracks: [TrackFile]
        let absent: [AbsentFile]
        let options: ScenarioOptions
    }

    /// The steps of one part of the timeline, and what the next one has to fit to.
    struct Part {
        var steps: [ScenarioStep] = []
        /// The step in the line before, if that is one which a line may go on from.
        var previous: ScenarioStep?
        /// After a line that could not be read, nothing is said about how the next one fits to it.
        var lostTrack = false
        var lastAbsolute: (time: UInt64, line: Int)?
        var labels: [StepLabel] = []
        /// Whether times from the beginning mean anything here.
        var allowsAbsolute = true
    }

    /// The file whose lines are being read.
    struct File {
        /// Its path from the scenario's folder; empty for the scenario itself.
        let name: String
        /// The lines that include it, outermost first.
        let includedFrom: [SourcePlace]
    }

    let source: Source
    /// The row of the table whose values hold.
    let row: Int
    private(set) var problems: [ScenarioProblem] = []
    /// Files that are named and not given.
    var missing: [ScenarioFileName] = []
    /// How many lines were read, those of blocks as often as they are written out.
    var visited = 0

    var part = Part()
    /// The steps of every `setup`, and of every `teardown` in the order in which they run.
    var setup = Part()
    var teardown: [[ScenarioStep]] = []
    var scope = ScenarioScope()
    /// The files that are being read, the scenario itself first.
    var files: [File] = []
    /// Included files that were read before.
    var included: [String: [SourceNode]] = [:]
    /// How many blocks are open around the line.
    var depth = 0
    /// Whether it is part of a `parallel`.
    var isInBranch = false

    var parameters: [ScenarioParameter] = []
    /// What was plugged in under a name, for those who plug it in again.
    private var plugged: [StepParser.Plugged] = []
    /// The programs that steps run.
    private var programs: [String] = []
    private(set) var patterns: [ScenarioPattern] = []
    var columns: (names: [String], place: SourcePlace)?
    var rows: [ScenarioRow] = []
    var random: ScenarioRandom
    var seed: (value: UInt64, place: SourcePlace)?

    init(_ source: Source, row: Int) {
        self.source = source
        self.row = row
        random = ScenarioRandom(seed: source.options.seed ?? Scenario.standardSeed)
        files = [File(name: "", includedFrom: [])]
    }

    /// The steps that are neither setup nor teardown.
    var main: [ScenarioStep] { part.steps }
    var isFull: Bool { problems.count >= ScenarioProblems.maximum }
    var isTopLevel: Bool { depth == 0 }

    /// Reads the whole scenario.
    mutating func read() {
        add(source.nodes)
        if let problem = rowProblem { problems = [problem] }
        guard problems.isEmpty else { return }
        checkValues()
    }

    /// Reads lines; stops when there is no sense in going on.
    mutating func add(_ nodes: [SourceNode]) {
        for node in nodes where !isFull && visited <= Scenario.maximumLines { add(node) }
    }

    private mutating func add(_ node: SourceNode) {
        var line = node.line
        line.includedFrom = files.last?.includedFrom ?? []
        line.names = .known(scope)
        do throws(ScenarioProblem) {
            try count(line)
            if try addStructure(node, line) { return }
            var parser = StepParser(line: line, tracks: source.tracks, absent: source.absent, labels: part.labels)
            parser.plugged = plugged
            parser.programs = programs
            parser.patterns = patterns
            parser.trackFolder = ScenarioPath.folder(files.last?.name ?? "")
            defer { missing(parser.missingTrack) }
            guard let read = try parser.parse() else { return }
            guard parser.patterns.count <= ScenarioPattern.maximumCount else {
                throw line.problem(
                    read.start, read.end, "a scenario has at most \(ScenarioPattern.maximumCount) patterns")
            }
            patterns = parser.patterns
            guard part.steps.count + setup.steps.count < Scenario.maximumSteps else {
                visited = Scenario.maximumLines + 1
                throw line.problem(
                    read.start, read.end, "with this there are more than \(Scenario.maximumSteps) steps")
            }
            try check(read, in: line)
            append(read, line)
            part.lostTrack = false
        } catch {
            add(error)
            part.lostTrack = true
        }
    }

    /// A line is read, or a loop begins anew: what is written out has its limit, even if it comes to nothing.
    mutating func count(_ line: SourceLine) throws(ScenarioProblem) {
        visited += 1
        guard visited <= Scenario.maximumLines else {
            throw line.problem(
                0, 0,
                "with loops, rows and included files written out, there are more than \(Scenario.maximumLines) lines")
        }
    }

    mutating func add(_ problem: ScenarioProblem) {
        if !isFull, !problems.contains(problem) { problems.append(problem) }
    }

    private mutating func missing(_ file: ScenarioFileName?) {
        guard let file, !missing.contains(where: { $0.kind == file.kind && $0.name == file.name }) else { return }
        missing.append(file)
    }

    private func check(_ read: StepParser.Line, in line: SourceLine) throws(ScenarioProblem) {
        if case .expect(let expectation) = read.act.action, expectation.isNext, !part.lostTrack {
            guard let last = part.previous, case .expect = last.action else {
                throw line.problem(
                    read.start, read.end, "'then' goes on from an 'expect' or 'then' in the line before it")
            }
        }
        if case .later(let delay) = read.timing, let last = part.previous, last.repetition != nil,
            delay < last.duration, !part.lostTrack
        {
            throw line.problem(
                read.start, read.end,
                "the step before goes on for \(DurationText.text(last.duration)), and this lies within it")
        }
        if case .at(let time) = read.timing {
            guard part.allowsAbsolute else {
                throw line.problem(
                    read.start, read.end, "when a teardown begins, nobody knows; say 'at +…' or 'wait'")
            }
            if let last = part.lastAbsolute, time < last.time {
                throw line.problem(
                    read.start, read.end,
                    "this is before 'at \(DurationText.text(last.time))' in line \(last.line); steps run in the order "
                        + "of the file")
            }
        }
        if let label = read.label, let known = part.labels.first(where: { $0.name == label.text }),
            known.place.line != line.number || known.place.file != line.file
        {
            throw line.problem(label, "the label '\(label.text)' stands in line \(known.place.line) already")
        }
    }

    private mutating func append(_ read: StepParser.Line, _ line: SourceLine) {
        if case .at(let time) = read.timing { part.lastAbsolute = (time, line.number) }
        if let label = read.label {
            part.labels.removeAll { $0.name == label.text }
            part.labels.append(StepLabel(name: label.text, step: part.steps.count, place: read.place))
        }
        // The second half of a line begins so long after its first: its time is not spent twice.
        let duration = read.act.later == nil ? read.act.duration : 0
        let step = ScenarioStep(
            place: read.place, text: read.text, line: line.text, includedFrom: line.includedFrom,
            label: read.label?.text, timing: read.timing, repetition: read.repetition, action: read.act.action,
            duration: duration, keepsDevice: read.act.keepsDevice, opensWindow: opensWindow(read))
        part.steps.append(step)
        part.previous = step
        if case .perform(.plug(let request)) = read.act.action, let name = request.name {
            plugged.removeAll { $0.name == name }
            plugged.append(StepParser.Plugged(name: name, request: request, keepsDevice: read.act.keepsDevice))
        }
        if case .program(let program) = read.act.action, !programs.contains(program.name) {
            programs.append(program.name)
        }
        guard let later = read.act.later else { return }
        // Expectations look at what came since the line began, not since its second half.
        let second = ScenarioStep(
            place: later.place, text: later.text ?? "\(read.text): plug in again", line: line.text,
            includedFrom: line.includedFrom,
            label: nil, timing: .later(later.delay), repetition: nil, action: later.action, duration: 0,
            keepsDevice: later.keepsDevice, opensWindow: false)
        part.steps.append(second)
        part.previous = second
    }

    /// A step that acts opens a window unless it stands directly behind another that acts: those count as one.
    private func opensWindow(_ read: StepParser.Line) -> Bool {
        switch read.act.action {
        case .perform, .program: break
        case .wait, .expect, .parallel: return false
        }
        guard read.timing == .next, let last = part.previous else { return true }
        switch last.action {
        case .perform, .program: return false
        case .wait, .expect, .parallel: return true
        }
    }
}

/// A step that has a name of its own.
struct StepLabel: Equatable, Sendable {
    let name: String
    /// The index of the step in its part.
    let step: Int
    let place: SourcePlace
}

extension Scenario {
    /// Puts the parts of a file that was read in a row.
    init(_ assembly: ScenarioAssembly, options: ScenarioOptions) {
        let setup = assembly.setup.steps
        let main = assembly.main.map { $0.moved(by: setup.count) }
        var steps = setup + main
        let teardownStart = steps.count
        // What was set up last is put away first.
        for part in assembly.teardown.reversed() {
            let offset = steps.count
            steps += part.map { $0.moved(by: offset) }
        }
        self.init(
            file: assembly.source.file, steps: steps, setupCount: setup.count, teardownStart: teardownStart,
            seed: assembly.random.isUsed || assembly.seed != nil || options.seed != nil ? assembly.seedInUse : nil,
            parameters: assembly.parameters, patterns: assembly.patterns, rows: assembly.rows,
            row: assembly.rows.isEmpty ? nil : options.row)
    }
}

extension ScenarioStep {
    /// The step with the numbers of others moved on.
    fileprivate func moved(by offset: Int) -> ScenarioStep {
        guard offset > 0 else { return self }
        var step = self
        if case .from(let label, let delay) = timing { step.timing = .from(step: label + offset, delay) }
        if case .parallel(let branches) = action {
            step.action = .parallel(branches.map { ($0.lowerBound + offset)..<($0.upperBound + offset) })
        }
        return step
    }
}
