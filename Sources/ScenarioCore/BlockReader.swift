import RigModel

/// A line of a scenario, with the lines that it encloses.
struct SourceNode: Sendable {
    /// The line; for a block the one that opens it.
    var line: SourceLine
    /// What the block encloses: one list, or one for each branch of `parallel`. Empty for a line that opens none.
    var bodies: [[SourceNode]] = []
    /// The line that closes the block.
    var end: SourceLine?
}

/// Puts the lines of a file into their blocks. A block's first line ends with `{`; `}` that closes it stands on a line of
/// its own, or goes on with `and {` to the next branch of a `parallel`.
struct BlockReader {
    /// Words that open a block.
    static let blockWords = ["repeat", "for", "parallel", "setup", "teardown"]
    /// How deep blocks may lie in one another: ours.
    static let maximumDepth = 8

    /// A block that is not closed yet.
    private struct Open {
        var node: SourceNode
        var body: [SourceNode] = []
    }

    private(set) var problems: [ScenarioProblem] = []
    private var open: [Open] = []
    private var nodes: [SourceNode] = []

    /// Takes the next line.
    mutating func add(_ line: SourceLine) {
        do throws(ScenarioProblem) {
            guard line.text.utf8.count <= Scenario.maximumLineBytes else {
                throw line.problem(0, 0, "the line is longer than \(Scenario.maximumLineBytes) bytes")
            }
            try line.checkCharacters()
            try place(line)
        } catch {
            problems.append(error)
        }
    }

    /// The lines of the file; a block that is still open is a problem.
    mutating func finish() -> [SourceNode] {
        while let block = open.popLast() {
            if let word = try? block.node.line.peek() {
                problems.append(
                    block.node.line.problem(word, "the '}' that closes this block is missing at the end of the file"))
            }
            close(block, with: block.node.line)
        }
        return nodes
    }

    private mutating func place(_ line: SourceLine) throws(ScenarioProblem) {
        var words = line
        // A line that cannot be read word by word is told when its step is read.
        let first: SourceLine.Word
        do {
            guard let word = try words.next() else { return }
            first = word
        } catch {
            return append(SourceNode(line: line))
        }
        guard !first.isQuoted else { return append(SourceNode(line: line)) }
        if first.text == "}" { return try closing(line, words, first) }
        guard Self.blockWords.contains(first.text) else { return append(SourceNode(line: line)) }
        var last: SourceLine.Word?
        while let word = try words.next() { last = word }
        guard let last, last.text == "{", !last.isQuoted else {
            throw words.missing("'{' that opens the block, at the end of the line,")
        }
        guard open.count < Self.maximumDepth else {
            // Opened all the same, so that its end is not taken for that of another.
            open.append(Open(node: SourceNode(line: line)))
            throw line.problem(first, "blocks lie at most \(Self.maximumDepth) deep in one another")
        }
        open.append(Open(node: SourceNode(line: line)))
    }

    private mutating func closing(
        _ line: SourceLine, _ words: SourceLine, _ first: SourceLine.Word
    ) throws(ScenarioProblem) {
        var words = words
        guard var block = open.popLast() else { throw line.problem(first, "no block is open that this could close") }
        guard try words.take("and") else {
            close(block, with: line)
            return try words.end()
        }
        block.node.bodies.append(block.body)
        block.body = []
        open.append(block)
        guard let head = (try? block.node.line.peek()) ?? nil, head.text == "parallel" else {
            throw line.problem(first, "only 'parallel' has several branches")
        }
        guard try words.take("{") else { throw words.missing("'{' that opens the next branch") }
        try words.end()
    }

    private mutating func close(_ block: Open, with line: SourceLine) {
        var node = block.node
        node.bodies.append(block.body)
        node.end = line
        append(node)
    }

    private mutating func append(_ node: SourceNode) {
        if open.isEmpty { nodes.append(node) } else { open[open.count - 1].body.append(node) }
    }
}

extension BlockReader {
    /// Reads a whole file: its lines in their blocks, and what is wrong with them.
    static func read(
        _ bytes: [UInt8], file: String
    ) -> (nodes: [SourceNode], problems: [ScenarioProblem], lineCount: Int) {
        var reader = BlockReader()
        var start = ByteOrderMark.skipped(in: bytes).startIndex
        var number = 0
        while start <= bytes.count, reader.problems.count < ScenarioProblems.maximum {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            number += 1
            var line = bytes[start..<end]
            if line.last == 0x0D { line.removeLast() }
            reader.add(SourceLine(file: file, number: number, bytes: Array(line)))
            start = end + 1
        }
        let nodes = reader.finish()
        return (nodes, reader.problems, number)
    }
}
