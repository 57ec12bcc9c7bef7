public import RigModel

/// A place in a scenario file.
public struct SourcePlace: Hashable, Sendable {
    /// The file as the caller named it.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1.
    public let column: Int

    /// States a place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The place as compilers write it: `demo.rig:12:8`.
    public var text: String { "\(file):\(line):\(column)" }
}

/// One thing that is wrong with a scenario's text.
public struct ScenarioProblem: Error, Equatable, Sendable {
    /// Where it is.
    public let place: SourcePlace
    /// How many characters of the line it covers, at least 1.
    public let length: Int
    /// What is wrong and what would be right.
    public let text: String
    /// The word that was probably meant.
    public let suggestion: String?
    /// The whole line as it stands in the file.
    public let line: String
    /// The lines that include the file, outermost first; empty in the file that is run.
    public let includedFrom: [SourcePlace]

    /// States a problem.
    public init(
        place: SourcePlace, length: Int, text: String, suggestion: String? = nil, line: String,
        includedFrom: [SourcePlace] = []
    ) {
        self.place = place
        self.length = max(1, length)
        self.text = text
        self.suggestion = suggestion
        self.line = line
        self.includedFrom = includedFrom
    }

    /// The problem in one sentence, with the suggestion.
    public var message: String { suggestion.map { "\(text); did you mean '\($0)'?" } ?? text }

    /// Three lines: place and message, the line, and a caret under what is wrong. For a file that is included, one more
    /// line for each that includes it.
    public var rendered: String {
        let number = String(place.line)
        let gutter = String(repeating: " ", count: number.count)
        // Tabs stay tabs, so that the caret stands under the right place whatever their width is.
        let indent = String(line.prefix(max(0, place.column - 1)).map { $0 == "\t" ? "\t" : " " })
        let mark = "^" + String(repeating: "~", count: length - 1)
        let chain = includedFrom.reversed().map { "\n \(gutter) | included by \($0.file):\($0.line)" }.joined()
        return "\(place.text): \(message)\n \(number) | \(line)\n \(gutter) | \(indent)\(mark)\(chain)"
    }

    /// The problem as it is published.
    public var record: RecordValue {
        .record([
            RecordField("file", .string(place.file)), RecordField("line", .number(place.line)),
            RecordField("column", .number(place.column)), RecordField("text", .string(text)),
            RecordField("suggestion", .text(suggestion)), RecordField("rendered", .string(rendered)),
        ])
    }
}

/// Everything that is wrong with a scenario's text, in the order of the file. Never empty.
public struct ScenarioProblems: Error, Equatable, Sendable {
    /// The problems; at most `maximum`, the last of which then says that there are more.
    public let problems: [ScenarioProblem]

    /// The most problems that are told of one file.
    public static let maximum = 500

    /// Collects problems.
    public init(_ problems: [ScenarioProblem]) { self.problems = problems }

    /// All of them with lines and carets, an empty line between.
    public var rendered: String { problems.map(\.rendered).joined(separator: "\n\n") }
}
