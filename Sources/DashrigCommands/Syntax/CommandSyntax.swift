/// An operand: a value that is told by its place.
public struct OperandSyntax: Sendable {
    /// How often it may stand there.
    public enum Count: Sendable {
        /// Exactly once.
        case one
        /// Once or not at all.
        case optional
        /// At least once; only the last operand of a command.
        case oneOrMore
        /// Any number of times; only the last operand of a command.
        case any
    }

    /// Its name in capitals: `PROFILE`.
    public let name: String
    /// What it is, in a few words.
    public let summary: String
    /// How it is written.
    public let value: ValueSyntax
    /// How often.
    public let count: Count

    init(_ name: String, _ value: ValueSyntax, _ summary: String, count: Count = .one) {
        self.name = name
        self.value = value
        self.summary = summary
        self.count = count
    }

    /// As the usage line shows it.
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }
}

/// An option, with or without a value.
public struct OptionSyntax: Sendable {
    /// Its name with the dashes: `--name`.
    public let name: String
    /// One dash and a letter, or `nil`.
    public let short: String?
    /// What its value is called in usage lines, or `nil` for a flag.
    public let valueName: String?
    /// How the value is written; nothing for a flag.
    public let value: ValueSyntax?
    /// What it does, in a few words.
    public let summary: String
    /// Whether it may be given again: its lists are joined, and of values for one word the last counts.
    public let repeats: Bool

    /// A flag.
    init(flag name: String, short: String? = nil, _ summary: String) {
        self.name = name
        self.short = short
        valueName = nil
        value = nil
        self.summary = summary
        repeats = true
    }

    /// An option with a value.
    init(
        _ name: String, short: String? = nil, _ valueName: String, _ value: ValueSyntax, _ summary: String,
        again: Bool = false
    ) {
        self.name = name
        self.short = short
        self.valueName = valueName
        self.value = value
        self.summary = summary
        switch value {
        case .words, .names, .openWords, .timedWord: repeats = true
        case .text, .name, .word, .integer, .hundredths, .pathPart, .duration, .assignment, .file, .folder:
            repeats = again
        }
    }

    /// As the usage line shows it, without brackets.
    var usage: String { valueName.map { "\(name) \($0)" } ?? name }
}

/// A command line that can be typed, and what comes of it.
public struct Example: Sendable {
    /// What is typed.
    public let line: String
    /// What it does; one sentence.
    public let text: String

    init(_ line: String, _ text: String) {
        self.line = line
        self.text = text
    }
}

/// Under which heading the overview lists a command.
public enum CommandGroup: String, Sendable, CaseIterable {
    case look = "See what is there"
    case plug = "Plug and unplug"
    case input = "Turn, press and touch"
    case car = "Car and displays"
    case fault = "Disturb a link"
    case script = "Scripts and apps"
    case tool = "This tool"
}

/// One command: everything that parsing, help, completion, the manual page and the reference need. They are all made
/// from the same table, so that they cannot say different things.
public struct CommandSyntax: Sendable {
    /// The word that is typed.
    public let name: String
    /// Under which heading it is listed.
    public let group: CommandGroup
    /// What it does: one line, no full stop.
    public let summary: String
    /// More about it, in paragraphs.
    public let discussion: [String]
    /// Its operands in order.
    public let operands: [OperandSyntax]
    /// Its own options.
    public let options: [OptionSyntax]
    /// Whether words of one dash are operands: the command reads arguments of another tool's form.
    public let takesDashWords: Bool
    /// At least two.
    public let examples: [Example]
    /// The words that may follow, when it only names a group of commands.
    public let subcommands: [CommandSyntax]
    /// What it does; nothing for a group.
    let action: CommandAction?

    /// A command that does something.
    init(
        _ name: String, _ group: CommandGroup, _ summary: String, discussion: [String] = [],
        operands: [OperandSyntax] = [], options: [OptionSyntax] = [], takesDashWords: Bool = false,
        examples: [Example],
        action: @escaping CommandAction
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.options = options
        self.takesDashWords = takesDashWords
        self.examples = examples
        subcommands = []
        self.action = action
    }

    /// A word before other commands.
    init(
        _ name: String, _ group: CommandGroup, _ summary: String, discussion: [String] = [],
        subcommands: [CommandSyntax]
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.discussion = discussion
        operands = []
        options = []
        takesDashWords = false
        examples = []
        self.subcommands = subcommands
        action = nil
    }
}

/// What a command does with its arguments. The result is the exit code.
typealias CommandAction = @Sendable (Invocation) throws(CommandLineFailure) -> ExitCode
