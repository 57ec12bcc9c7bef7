public import RigModel

extension Scenario {
    /// Reads a scenario. Every problem of the file is found, one a line; `file` is the name that messages carry.
    /// `tracks` are those that its steps may play, under their names as `missingFiles` tells them; a line that names one
    /// of `absent` is a problem, for the reason given there.
    public init(
        parsing text: String, file: String, tracks: [TrackFile] = [], absent: [AbsentFile] = [],
        options: ScenarioOptions = ScenarioOptions()
    ) throws(ScenarioProblems) {
        try self.init(parsing: Array(text.utf8), file: file, tracks: tracks, absent: absent, options: options)
    }

    /// Reads a scenario from UTF-8.
    public init(
        parsing bytes: [UInt8], file: String, tracks: [TrackFile] = [], absent: [AbsentFile] = [],
        options: ScenarioOptions = ScenarioOptions()
    ) throws(ScenarioProblems) {
        let main = try Self.lines(of: bytes, file)
        let source = ScenarioAssembly.Source(
            file: file, nodes: main.nodes, tracks: tracks, absent: absent, options: options)
        var assembly = ScenarioAssembly(source, row: options.row ?? 1)
        assembly.read()
        var problems = main.problems + assembly.problems
        if options.row == nil, problems.isEmpty {
            var lines = assembly.visited
            for row in assembly.rows.dropFirst() where problems.isEmpty {
                var other = ScenarioAssembly(source, row: row.number)
                other.visited = lines
                other.read()
                lines = other.visited
                problems = other.problems
            }
        }
        problems.sort { $0.order(in: file) < $1.order(in: file) }
        guard problems.isEmpty else { throw ScenarioProblems(Self.bounded(problems)) }
        // A file that was cut short must not pass in CI.
        guard !assembly.main.isEmpty else {
            let place = SourcePlace(file: file, line: max(1, main.lineCount - 1), column: 1)
            throw ScenarioProblems([
                ScenarioProblem(place: place, length: 1, text: "the scenario has no steps", line: "")
            ])
        }
        self.init(assembly, options: options)
    }

    /// The files that a scenario names and that are neither among those given nor absent: what has to be read and given, too, before it
    /// can be run. What they name in turn shows when they are given. Lines that cannot be read name none; reading the
    /// scenario tells what is wrong with them.
    public static func missingFiles(
        parsing bytes: [UInt8], file: String, tracks: [TrackFile] = [], absent: [AbsentFile] = [],
        options: ScenarioOptions = ScenarioOptions()
    ) -> [ScenarioFileName] {
        guard let main = try? lines(of: bytes, file) else { return [] }
        let source = ScenarioAssembly.Source(
            file: file, nodes: main.nodes, tracks: tracks, absent: absent, options: options)
        var assembly = ScenarioAssembly(source, row: options.row ?? 1)
        assembly.read()
        var missing = assembly.missing
        guard options.row == nil else { return missing }
        var lines = assembly.visited
        for row in assembly.rows.dropFirst() {
            var other = ScenarioAssembly(source, row: row.number)
            other.visited = lines
            other.read()
            lines = other.visited
            for file in other.missing where !missing.contains(where: { $0.kind == file.kind && $0.name == file.name }) {
                missing.append(file)
            }
        }
        return missing
    }

    private static func lines(
        of bytes: [UInt8], _ file: String
    ) throws(ScenarioProblems) -> (nodes: [SourceNode], problems: [ScenarioProblem], lineCount: Int) {
        guard bytes.count <= maximumBytes else {
            let place = SourcePlace(file: file, line: 1, column: 1)
            let text = "the file has \(bytes.count) bytes; the most is \(maximumBytes)"
            throw ScenarioProblems([ScenarioProblem(place: place, length: 1, text: text, line: "")])
        }
        return BlockReader.read(bytes, file: file)
    }

    /// Not more problems than are told; the last of them then says so.
    private static func bounded(_ problems: [ScenarioProblem]) -> [ScenarioProblem] {
        guard problems.count >= ScenarioProblems.maximum else { return problems }
        var told = Array(problems.prefix(ScenarioProblems.maximum))
        let last = told[told.count - 1]
        told[told.count - 1] = ScenarioProblem(
            place: last.place, length: 1,
            text: "more than \(ScenarioProblems.maximum) problems; the rest is not shown", line: last.line,
            includedFrom: last.includedFrom)
        return told
    }
}

extension ScenarioProblem {
    /// Where in the file that is run it shows: what comes from an included file stands where that is included.
    fileprivate func order(in file: String) -> Int { includedFrom.first?.line ?? place.line }
}
