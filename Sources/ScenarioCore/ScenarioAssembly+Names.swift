import RigModel

// let, param, seed, table and row: lines that give names their values.
extension ScenarioAssembly {
    /// What the random choices come from.
    var seedInUse: UInt64 { source.options.seed ?? seed?.value ?? Scenario.standardSeed }

    /// `let NAME = VALUE`
    mutating func addName(_ line: inout SourceLine) throws(ScenarioProblem) {
        let place = line.problem(0, 0, "").place
        let name = try newName(&line)
        try equals(&line)
        let value = try value(&line)
        try line.end()
        scope.set(name, to: value, at: place)
    }

    /// `param NAME` or `param NAME = VALUE`
    mutating func addParameter(_ line: inout SourceLine, _ first: SourceLine.Word) throws(ScenarioProblem) {
        try requireTopLevel(line, first)
        let place = line.problem(0, 0, "").place
        let name = try newName(&line)
        let hasStandard = try line.peek() != nil
        if hasStandard { try equals(&line) }
        let standard = hasStandard ? try value(&line) : nil
        try line.end()
        let given = source.options.values.last { $0.name == name }?.value
        guard let value = given ?? standard else {
            // Every other line can still be checked.
            scope.set(name, to: "0", at: place)
            throw line.problem(
                first.start, line.lastPlace, "'\(name)' has no value; say which: --set \(name)=VALUE")
        }
        scope.set(name, to: value, at: place)
        if !parameters.contains(where: { $0.name == name }) {
            parameters.append(ScenarioParameter(name: name, standard: standard, value: value, place: place))
        }
    }

    /// `seed N`
    mutating func addSeed(_ line: inout SourceLine, _ first: SourceLine.Word) throws(ScenarioProblem) {
        try requireTopLevel(line, first)
        let word = try line.next("the seed, a whole number")
        try line.end()
        guard let value = UInt64(word.text), !word.isQuoted else {
            throw line.problem(word, "'\(word.text)' is no whole number from 0 on")
        }
        let place = line.problem(first, "").place
        if let seed, seed.place != place {
            throw line.problem(first, "the seed stands in line \(seed.place.line) already")
        }
        guard !random.isUsed else {
            throw line.problem(first, "choices were made before this; write the seed above them")
        }
        seed = (value, place)
        random = ScenarioRandom(seed: seedInUse)
    }

    /// `table NAME NAME …`
    mutating func addTable(_ line: inout SourceLine, _ first: SourceLine.Word) throws(ScenarioProblem) {
        try requireTopLevel(line, first)
        guard files.count == 1 else { throw line.problem(first, "a table stands in the file that is run") }
        if let columns {
            throw line.problem(first, "a scenario has one table, and that stands in line \(columns.place.line)")
        }
        guard part.steps.isEmpty, setup.steps.isEmpty else {
            throw line.problem(first, "a table is one run for each row; write it before the first step")
        }
        let place = line.problem(first, "").place
        var names: [String] = []
        repeat {
            let name = try newName(&line)
            guard !names.contains(name) else {
                throw line.problem(first, "the column '\(name)' stands twice")
            }
            names.append(name)
        } while try line.peek() != nil
        guard names.count <= ScenarioRow.maximumColumns else {
            throw line.problem(first, "a table has at most \(ScenarioRow.maximumColumns) columns")
        }
        columns = (names, place)
        // They hold from the rows on; what stands between is about no row yet.
        for name in names { scope.set(name, to: "0", at: place) }
    }

    /// `row VALUE VALUE …`
    mutating func addRow(_ line: inout SourceLine, _ first: SourceLine.Word) throws(ScenarioProblem) {
        try requireTopLevel(line, first)
        guard let columns, part.steps.isEmpty, setup.steps.isEmpty else {
            throw line.problem(first, "a row belongs to the table above it: 'table NAME …'")
        }
        guard rows.count < ScenarioRow.maximumCount else {
            throw line.problem(first, "a table has at most \(ScenarioRow.maximumCount) rows")
        }
        var values: [String] = []
        while let word = try line.next() { values.append(word.text) }
        guard values.count == columns.names.count else {
            throw line.problem(
                first,
                "the table has \(columns.names.count) columns (\(columns.names.joined(separator: ", "))), and this row "
                    + "\(values.count)")
        }
        let place = line.problem(first, "").place
        let title = zip(columns.names, values).map { "\($0)=\($1)" }.joined(separator: " ")
        rows.append(ScenarioRow(number: rows.count + 1, title: title, place: place))
        guard rows.count == row else { return }
        for (name, value) in zip(columns.names, values) { scope.set(name, to: value, at: columns.place) }
    }

    /// What only shows at the end: values that nobody takes, a table without rows.
    mutating func checkValues() {
        for value in source.options.values where !parameters.contains(where: { $0.name == value.name }) {
            let known = parameters.map(\.name)
            let text: String
            if let columns, columns.names.contains(value.name) {
                text = "'\(value.name)' is a column of the table in line \(columns.place.line), and no parameter"
            } else {
                text =
                    "there is no parameter '\(value.name)'; "
                    + (known.isEmpty ? "the scenario has none" : "there is \(known.joined(separator: ", "))")
            }
            add(about(text, Spelling.nearest(to: value.name, among: known)))
        }
        if let columns, rows.isEmpty {
            add(about("the table in line \(columns.place.line) has no rows: 'row VALUE …'", nil))
        }
    }

    /// A row is wanted that is not there: nothing else can be said then.
    var rowProblem: ScenarioProblem? {
        guard let row = source.options.row, !rows.contains(where: { $0.number == row }) else { return nil }
        return about(rows.isEmpty ? "there is no table" : "the table has \(rows.count) rows, and no row \(row)", nil)
    }

    /// A problem with the file as a whole.
    private func about(_ text: String, _ suggestion: String?) -> ScenarioProblem {
        ScenarioProblem(
            place: SourcePlace(file: source.file, line: 1, column: 1), length: 1, text: text, suggestion: suggestion,
            line: "")
    }
}

// Names and values within a line.
extension ScenarioAssembly {
    /// Takes a name that nobody has yet.
    func newName(_ line: inout SourceLine) throws(ScenarioProblem) -> String {
        let word = try line.next("the name")
        guard ScenarioScope.isName(word.text), !word.isQuoted, word.origin == nil else {
            throw line.problem(
                word, "'\(word.text)' is no name; a name is a letter, then letters, digits, '-' or '_', at most 32")
        }
        if let place = scope.place(of: word.text), place.line != line.number || place.file != line.file {
            let file = place.file == line.file ? "" : " of \(place.file)"
            throw line.problem(word, "'\(word.text)' has its value from line \(place.line)\(file); take another name")
        }
        guard !scope.isFull else {
            throw line.problem(word, "there are \(ScenarioScope.maximumNames) names already; more cannot be kept")
        }
        return word.text
    }

    private func equals(_ line: inout SourceLine) throws(ScenarioProblem) {
        guard try line.take("=") else {
            guard let word = try line.peek() else { throw line.missing("'=' and the value") }
            throw line.problem(word, "'=' is expected between the name and its value")
        }
    }

    /// Takes a value: one word, or `random` and what it chooses from.
    private mutating func value(_ line: inout SourceLine) throws(ScenarioProblem) -> String {
        if try line.take("random") {
            if try line.take("of") {
                var words: [String] = []
                while let word = try line.next() { words.append(word.text) }
                guard !words.isEmpty else { throw line.missing("what it is chosen from") }
                return words[Int(random.next(below: UInt64(words.count)))]
            }
            let range = try SteppedRange(&line)
            return range.text(of: random.next(below: range.count))
        }
        let word = try line.next("the value")
        guard word.text.utf8.count <= ParameterValue.maximumBytes else {
            throw line.problem(word, "a value has at most \(ParameterValue.maximumBytes) bytes")
        }
        return word.text
    }

    /// Takes what a loop goes through: words, or a range.
    func listedValues(_ line: inout SourceLine) throws(ScenarioProblem) -> [String] {
        var ahead = line
        _ = try ahead.next("the values")
        if try ahead.take("to") {
            let range = try SteppedRange(&line)
            guard range.count <= UInt64(Scenario.maximumLines) else {
                throw line.missing("a greater step behind 'by': so many values, \(range.count),")
            }
            return (0..<range.count).map(range.text)
        }
        var values: [String] = []
        while let word = try line.peek(), word.text != "{" || word.isQuoted {
            values.append(word.text)
            _ = try line.next()
        }
        guard !values.isEmpty else { throw line.missing("the values") }
        return values
    }
}
