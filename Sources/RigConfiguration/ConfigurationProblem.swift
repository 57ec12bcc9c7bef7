import RigModel

/// One thing that is wrong in a configuration file, with its place.
public struct ConfigurationProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file's name, as it was handed in.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1, where the line itself cannot be read; `nil` when the key says the place.
    public let column: Int?
    /// The section as its header spells it: `display main`.
    public let section: String?
    /// The key.
    public let key: String?
    /// What is wrong and what would be right.
    public let text: String
    /// What was probably meant.
    public let suggestion: String?

    /// States a problem.
    public init(
        file: String, line: Int, column: Int? = nil, section: String? = nil, key: String? = nil, text: String,
        suggestion: String? = nil
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.section = section
        self.key = key
        self.text = text
        self.suggestion = suggestion
    }

    /// One line for a person, in the form that editors jump to: `rig.ini:12: [display main] scale: "5" is not between
    /// 1 and 4`.
    public var description: String {
        var line = "\(file):\(line):"
        if let column { line += "\(column):" }
        if let section { line += " [\(section)]" }
        if let key { line += " \(key):" }
        line += " \(text)"
        if let suggestion { line += "; did you mean \"\(suggestion)\"?" }
        return line
    }
}

/// Everything that is wrong in the files that were read together. Its `description` has one line for each problem.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problems, by file in the order of reading and by line; never empty, at most `maximumProblems`.
    public let problems: [ConfigurationProblem]
    /// How many more there are.
    public let omitted: Int

    /// The most problems that are told at once.
    public static let maximumProblems = 100

    /// Wraps problems in the order in which they are told; those beyond the limit are only counted.
    public init(_ problems: [ConfigurationProblem]) {
        self.problems = Array(problems.prefix(Self.maximumProblems))
        self.omitted = max(0, problems.count - Self.maximumProblems)
    }

    /// One line for each problem.
    public var description: String {
        var lines = problems.map(\.description)
        if omitted > 0 { lines.append("and \(omitted) more") }
        return lines.joined(separator: "\n")
    }
}

/// A profile that does not exist.
public struct UnknownProfile: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was asked for.
    public let name: String
    /// What was probably meant.
    public let suggestion: String?
    /// What there is, in the order of listing.
    public let known: [String]

    /// States which names there are.
    public init(name: String, known: [String]) {
        self.name = name
        self.known = known
        self.suggestion = Spelling.nearest(to: name, among: known)
    }

    /// One sentence for a person.
    public var description: String {
        if let suggestion { return "there is no profile \"\(name)\"; did you mean \"\(suggestion)\"?" }
        return "there is no profile \"\(name)\"; there is \(known.joined(separator: ", "))"
    }
}
