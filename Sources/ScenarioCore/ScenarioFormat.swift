import RigModel

extension Scenario {
    /// The text of a scenario in its usual form: one space between words, four for each block that is open, the columns of a
    /// table and the comments of neighbouring lines below one another, at most one empty line at a time. Words, quotes
    /// and comments stay as they are written. What is in this form already does not change.
    ///
    /// - Throws: what keeps the lines from being read. What they say is not looked at.
    public static func formatted(_ bytes: [UInt8], file: String) throws(ScenarioProblems) -> String {
        guard bytes.count <= maximumBytes else {
            let text = "the file has \(bytes.count) bytes; the most is \(maximumBytes)"
            throw ScenarioProblems([
                ScenarioProblem(
                    place: SourcePlace(file: file, line: 1, column: 1), length: 1, text: text, line: "")
            ])
        }
        let read = BlockReader.read(bytes, file: file)
        var problems = read.problems
        var lines: [FormattedLine] = []
        var number = 0
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        for part in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let source = part.last == 0x0D ? part.dropLast() : part
            do throws(ScenarioProblem) {
                lines.append(try FormattedLine(SourceLine(file: file, number: number, bytes: Array(source))))
            } catch {
                if !problems.contains(error) { problems.append(error) }
            }
        }
        guard problems.isEmpty else {
            problems.sort { $0.place.line < $1.place.line }
            throw ScenarioProblems(Array(problems.prefix(ScenarioProblems.maximum)))
        }
        return FormattedLine.text(of: lines)
    }
}

/// A line by its parts, as formatting needs it.
private struct FormattedLine {
    /// The words as they are written; text that goes to the end of a line is one of them.
    var words: [String] = []
    var comment: String?
    /// The whole line as it was, without the spaces around it.
    var source = ""

    var isEmpty: Bool { words.isEmpty && comment == nil }
    var closes: Bool { words.first == "}" }
    var opens: Bool { words.last == "{" }
    var isTable: Bool { words.first == "table" || words.first == "row" }
    var code: String { words.joined(separator: " ") }

    private static let indentation = 4
    /// The fewest spaces before a comment.
    private static let distance = 2

    init(_ line: SourceLine) throws(ScenarioProblem) {
        var line = line
        while true {
            // What follows quoted text is told when the step is read; here it is kept.
            if StepPlace.isText(words), !line.isAtEnd() { words.append(line.written(try line.rest("the text"))) }
            if StepPlace.isPattern(words), line.isAtPattern() { words.append(line.written(try line.pattern())) }
            guard let word = try line.next() else { break }
            words.append(line.written(word))
        }
        comment = line.comment
        source = FormattedLine.trimmed(line.text)
    }

    static func text(of lines: [FormattedLine]) -> String {
        var text = ""
        var depth = 0
        var place = 0
        let lines = withoutNeedlessLines(lines)
        while place < lines.count {
            var end = place + 1
            while end < lines.count, lines[place].comment != nil, !lines[place].words.isEmpty,
                lines[end].comment != nil, !lines[end].words.isEmpty
            {
                end += 1
            }
            let codes = lines[place..<end].map { line in
                if line.closes { depth = max(0, depth - 1) }
                let spaces = String(repeating: " ", count: depth * indentation)
                if line.opens { depth += 1 }
                return spaces + line.code
            }
            let width = codes.map(\.count).max() ?? 0
            for (line, code) in zip(lines[place..<end], codes) {
                text += line.with(code, width) + "\n"
            }
            place = end
        }
        return text
    }

    /// The line with its comment behind `width` characters; as it was when it would be too long.
    private func with(_ code: String, _ width: Int) -> String {
        guard !isEmpty else { return "" }
        var line = code
        if let comment {
            if !words.isEmpty { line += String(repeating: " ", count: width - code.count + Self.distance) }
            line += comment
        }
        return line.utf8.count <= Scenario.maximumLineBytes ? line : source
    }

    /// Tables in columns, and no empty lines at the beginning, at the end, in a row, or inside a block's braces.
    private static func withoutNeedlessLines(_ lines: [FormattedLine]) -> [FormattedLine] {
        var kept: [FormattedLine] = []
        for line in lines {
            if line.isEmpty {
                guard let last = kept.last, !last.isEmpty, !last.opens else { continue }
            } else if line.closes, kept.last?.isEmpty == true {
                kept.removeLast()
            }
            kept.append(line)
        }
        if kept.last?.isEmpty == true { kept.removeLast() }
        var place = 0
        while place < kept.count {
            var end = place
            while end < kept.count, kept[end].isTable || (end > place && kept[end].words.isEmpty) { end += 1 }
            if end > place { alignColumns(of: &kept, in: place..<end) }
            place = max(end, place + 1)
        }
        return kept
    }

    private static func alignColumns(of lines: inout [FormattedLine], in range: Range<Int>) {
        var widths: [Int] = []
        for line in lines[range] where line.isTable {
            for (column, word) in line.words.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], word.count)
            }
        }
        for place in range where lines[place].isTable {
            let last = lines[place].words.count - 1
            for column in 0..<max(0, last) {
                lines[place].words[column] = EventText.pad(lines[place].words[column], to: widths[column])
            }
        }
    }

    private static func trimmed(_ text: String) -> String {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }
}

/// Where in a line of words its step begins.
private enum StepPlace {
    /// Whether text to the end of the line follows these words.
    static func isText(_ words: [String]) -> Bool {
        guard let last = words.last, let begin = begin(words) else { return false }
        switch words[begin] {
        case "mark": return begin == words.count - 1
        case "exec", "attach":
            return begin < words.count - 1 && last.last == ":"
                && !words[(begin + 1)...].dropLast().contains { $0.last == ":" }
        default: return false
        }
    }

    /// Whether a pattern may follow these words.
    static func isPattern(_ words: [String]) -> Bool {
        words.count >= 2 && ["expect", "then", "after"].contains(words[words.count - 2])
    }

    /// The index of the word that says what the step does; `nil` when it is not reached yet.
    private static func begin(_ words: [String]) -> Int? {
        var place = words.first?.last == ":" ? 1 : 0
        while place < words.count {
            switch words[place] {
            case "at":
                place += 2
                if place < words.count, words[place].first == "+" { place += 1 }
            case "every": place += 4
            case "after": place = clauses(words, from: place + 1)
            default: return place
            }
        }
        return nil
    }

    /// The index behind an event and what it has to be like.
    private static func clauses(_ words: [String], from start: Int) -> Int {
        guard start < words.count else { return start }
        var place = start + (EventKind(rawValue: words[start]) == nil ? 2 : 1)
        while place < words.count {
            switch words[place] {
            case "device", "within": place += 2
            case "where", "and": place += 4
            default: return place
            }
        }
        return place
    }
}
