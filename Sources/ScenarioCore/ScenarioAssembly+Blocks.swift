import RigModel

// Lines that are no steps: blocks and what they enclose, and files that are included.
extension ScenarioAssembly {
    /// The most branches of one `parallel`: ours.
    static let maximumBranches = 8

    /// Reads a line that is no step; `false` for one that is.
    mutating func addStructure(_ node: SourceNode, _ line: SourceLine) throws(ScenarioProblem) -> Bool {
        var line = line
        guard let first = try line.next(), !first.isQuoted, first.origin == nil else { return false }
        switch first.text {
        case "let": try addName(&line)
        case "param": try addParameter(&line, first)
        case "seed": try addSeed(&line, first)
        case "table": try addTable(&line, first)
        case "row": try addRow(&line, first)
        case "include": try include(&line, first)
        case "repeat": try repeatBlock(node, &line)
        case "for": try forBlock(node, &line)
        case "parallel": try parallelBlock(node, &line, first)
        case "setup": try setupBlock(node, &line, first)
        case "teardown": try teardownBlock(node, &line, first)
        default: return false
        }
        return true
    }

    /// Reads lines whose names do not hold behind them.
    private mutating func enclosed(_ nodes: [SourceNode]) {
        let outer = scope
        depth += 1
        add(nodes)
        depth -= 1
        scope = outer
    }

    /// `repeat N {`
    private mutating func repeatBlock(_ node: SourceNode, _ line: inout SourceLine) throws(ScenarioProblem) {
        var parser = StepParser(line: line)
        let count = try parser.number("how often", in: 1...Scenario.maximumLines)
        line = parser.line
        try open(&line)
        for _ in 0..<count {
            try self.count(line)
            let before = problems.count
            enclosed(node.bodies.first ?? [])
            // The same again would be wrong again.
            if problems.count > before || visited > Scenario.maximumLines { break }
        }
    }

    /// `for NAME in A B C {` or `for NAME in A to B by C {`
    private mutating func forBlock(_ node: SourceNode, _ line: inout SourceLine) throws(ScenarioProblem) {
        let place = line.problem(0, 0, "").place
        let name = try newName(&line)
        guard try line.take("in") else { throw line.missing("'in' and the values") }
        let values = try listedValues(&line)
        try open(&line)
        for value in values {
            try count(line)
            let outer = scope
            let before = problems.count
            scope.set(name, to: value, at: place)
            enclosed(node.bodies.first ?? [])
            scope = outer
            if problems.count > before || visited > Scenario.maximumLines { break }
        }
    }

    /// `parallel {`, branches with `} and {` between.
    private mutating func parallelBlock(
        _ node: SourceNode, _ line: inout SourceLine, _ first: SourceLine.Word
    ) throws(ScenarioProblem) {
        let text = line.source(from: first.start)
        try open(&line)
        guard !isInBranch else { throw line.problem(first, "a 'parallel' cannot be part of another") }
        guard part.allowsAbsolute else {
            throw line.problem(first, "a teardown does its steps one after the other")
        }
        guard (2...Self.maximumBranches).contains(node.bodies.count) else {
            throw line.problem(
                first,
                node.bodies.count < 2
                    ? "a 'parallel' has two branches at least; '} and {' begins the next one"
                    : "a 'parallel' has at most \(Self.maximumBranches) branches")
        }
        let outer = part
        let index = part.steps.count
        let place = line.problem(first, "").place
        let step = ScenarioStep(
            place: place, text: text, line: line.text, includedFrom: line.includedFrom, label: nil, timing: .next,
            repetition: nil, action: .parallel([]), duration: 0, keepsDevice: false, opensWindow: false)
        part.steps.append(step)
        var branches: [Range<Int>] = []
        var last = outer.lastAbsolute
        var labels = outer.labels
        isInBranch = true
        for body in node.bodies {
            let start = part.steps.count
            part.previous = nil
            part.lostTrack = false
            part.labels = outer.labels
            part.lastAbsolute = outer.lastAbsolute
            let before = problems.count
            enclosed(body)
            if part.steps.count == start, problems.count == before {
                add(line.problem(first, "branch \(branches.count + 1) of this has no steps"))
            }
            branches.append(start..<part.steps.count)
            if let time = part.lastAbsolute, time.time > last?.time ?? 0 { last = time }
            labels += part.labels.filter { label in !labels.contains { $0.name == label.name } }
        }
        isInBranch = false
        part.previous = nil
        part.lostTrack = false
        part.lastAbsolute = last
        part.labels = labels
        part.steps[index].action = .parallel(branches)
    }

    /// `setup {`
    private mutating func setupBlock(
        _ node: SourceNode, _ line: inout SourceLine, _ first: SourceLine.Word
    ) throws(ScenarioProblem) {
        try open(&line)
        try requireTopLevel(line, first)
        guard part.steps.isEmpty else {
            throw line.problem(first, "'setup' runs before everything else; write it before the first step")
        }
        swap(&part, &setup)
        enclosed(node.bodies.first ?? [])
        swap(&part, &setup)
    }

    /// `teardown {`
    private mutating func teardownBlock(
        _ node: SourceNode, _ line: inout SourceLine, _ first: SourceLine.Word
    ) throws(ScenarioProblem) {
        try open(&line)
        try requireTopLevel(line, first)
        var other = Part()
        other.allowsAbsolute = false
        swap(&part, &other)
        enclosed(node.bodies.first ?? [])
        swap(&part, &other)
        teardown.append(other.steps)
    }

    /// Takes the `{` at the end of a block's first line.
    private func open(_ line: inout SourceLine) throws(ScenarioProblem) {
        guard try line.take("{") else {
            guard let word = try line.peek() else { throw line.missing("'{'") }
            throw line.problem(word, "'\(word.text)' has no meaning here; '{' is expected")
        }
        try line.end()
    }

    func requireTopLevel(_ line: SourceLine, _ first: SourceLine.Word) throws(ScenarioProblem) {
        guard isTopLevel else { throw line.problem(first, "'\(first.text)' cannot stand in a block") }
    }
}

// include
extension ScenarioAssembly {
    /// `include "FILE"`
    private mutating func include(
        _ line: inout SourceLine, _ first: SourceLine.Word
    ) throws(ScenarioProblem) {
        let word = try line.next("the file that is included")
        try line.end()
        let current = files.last?.name ?? ""
        let name = ScenarioPath.joined(ScenarioPath.folder(current), word.text)
        // The scenario itself has no path from its folder but its last part.
        let own = String(source.file.dropFirst(ScenarioPath.folder(source.file).count))
        let chain = [own] + files.dropFirst().map(\.name)
        if let start = chain.firstIndex(of: name) {
            let circle = (chain[start...] + [name]).joined(separator: " includes ")
            throw line.problem(word, "this goes in a circle: \(circle)")
        }
        guard files.count <= IncludedFile.maximumDepth else {
            throw line.problem(word, "files include one another at most \(IncludedFile.maximumDepth) deep")
        }
        let place = line.problem(first, "").place
        guard let nodes = try nodes(of: name, word, line) else {
            if let file = source.absent.first(where: { $0.kind == .include && $0.name == name }) {
                throw line.problem(word, file.reason)
            }
            if !missing.contains(where: { $0.kind == .include && $0.name == name }) {
                missing.append(ScenarioFileName(kind: .include, name: name, place: place))
            }
            throw line.problem(
                word, "the file '\(name)' is not here; 'dashrig run' sends it along with the scenario",
                near: source.options.includes.map(\.name))
        }
        files.append(File(name: name, includedFrom: line.includedFrom + [place]))
        add(nodes)
        files.removeLast()
    }

    /// The lines of an included file; `nil` when it was not given.
    private mutating func nodes(
        of name: String, _ word: SourceLine.Word, _ line: SourceLine
    ) throws(ScenarioProblem) -> [SourceNode]? {
        if let nodes = included[name] { return nodes }
        let includes = source.options.includes
        guard let file = includes.first(where: { $0.name == name }) else { return nil }
        guard includes.count <= IncludedFile.maximumCount else {
            throw line.problem(word, "a scenario includes at most \(IncludedFile.maximumCount) files")
        }
        guard includes.reduce(0, { $0 + $1.text.utf8.count }) <= IncludedFile.maximumBytes else {
            throw line.problem(
                word, "the included files have together more than \(IncludedFile.maximumBytes) bytes")
        }
        let shown = name.hasPrefix("/") ? name : ScenarioPath.joined(ScenarioPath.folder(source.file), name)
        let (nodes, wrong, _) = BlockReader.read(Array(file.text.utf8), file: shown)
        let chain = line.includedFrom + [line.problem(0, 0, "").place]
        for problem in wrong { add(problem.included(from: chain)) }
        included[name] = nodes
        return nodes
    }
}

extension ScenarioProblem {
    /// The problem as one of a file that is included.
    fileprivate func included(from chain: [SourcePlace]) -> ScenarioProblem {
        ScenarioProblem(
            place: place, length: length, text: text, suggestion: suggestion, line: line, includedFrom: chain)
    }
}
