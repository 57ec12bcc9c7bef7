import RigModel
internal import RigConfiguration

/// What a command line asks for.
public enum ParsedLine: Sendable {
    /// Run a command.
    case command(CommandSyntax, Arguments)
    /// Explain a command, or with no words the whole tool.
    case help([String])
    /// Say which version this is.
    case version
    /// Nothing was asked.
    case empty
}

/// Turns words into a command and its checked arguments, by the table.
public struct ArgumentParser: Sendable {
    private let commands: [CommandSyntax]
    private let globalOptions: [OptionSyntax]

    init(commands: [CommandSyntax], globalOptions: [OptionSyntax]) {
        self.commands = commands
        self.globalOptions = globalOptions
    }

    /// Understands a command line without the program's own name.
    ///
    /// Options may stand anywhere, `--name VALUE` or `--name=VALUE`; what follows `--` is operands. A word of a dash and
    /// a digit is an operand, so that negative numbers need no escape; for some commands every word of one dash is one.
    public func parse(_ words: [String]) throws(UsageFailure) -> ParsedLine {
        if Self.asksForHelp(words) { return .help(try helpPath(words)) }
        var line = Line(candidates: commands, globalOptions: globalOptions)
        var rest = words[...]
        while let word = rest.popFirst() {
            if line.optionsEnded {
                try line.takeOperand(word)
            } else if word == "--" {
                line.optionsEnded = true
            } else if word.hasPrefix("--") {
                try line.takeOption(word, rest: &rest)
            } else if word.hasPrefix("-") && word.count > 1 && !Self.isNumberLike(word) && !line.takesDashWords {
                try line.takeShortOption(word, rest: &rest)
            } else {
                try line.takeOperand(word)
            }
        }
        return try line.finish()
    }

    /// The options that hold for every command, whatever else is wrong with the line: errors are told in the form that
    /// was asked for.
    public static func asksForJSON(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains("--json")
    }

    private static func asksForHelp(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// The words before `--help` that name commands.
    private func helpPath(_ words: [String]) throws(UsageFailure) -> [String] {
        var path: [String] = []
        var candidates = commands
        for word in words where !word.hasPrefix("-") {
            guard let command = candidates.first(where: { $0.name == word }) else {
                if path.isEmpty { throw Line.unknownCommand(word, among: candidates, path: path) }
                break
            }
            path.append(word)
            candidates = command.subcommands
        }
        return path
    }

    private static func isNumberLike(_ word: String) -> Bool {
        let second = word.utf8.dropFirst().first ?? 0
        return (0x30...0x39).contains(second) || second == UInt8(ascii: ".")
    }
}

/// A command line while it is read.
private struct Line {
    var optionsEnded = false
    private var candidates: [CommandSyntax]
    private let globalOptions: [OptionSyntax]
    private var path: [String] = []
    private var command: CommandSyntax?
    private var operands: [String] = []
    /// Options in the order given; their values are checked once the command is known.
    private var options: [(syntax: OptionSyntax, value: String?)] = []

    init(candidates: [CommandSyntax], globalOptions: [OptionSyntax]) {
        self.candidates = candidates
        self.globalOptions = globalOptions
    }

    static func unknownCommand(_ word: String, among candidates: [CommandSyntax], path: [String]) -> UsageFailure {
        let names = candidates.map(\.name)
        let kind = path.isEmpty ? "no command of dashrig" : "nothing that follows \(path.joined(separator: " "))"
        return UsageFailure(
            "\"\(word)\" is \(kind)", suggestion: Spelling.nearest(to: word, among: names), path: path)
    }

    /// Whether words of one dash are operands here.
    var takesDashWords: Bool { command?.takesDashWords ?? false }

    mutating func takeOperand(_ word: String) throws(UsageFailure) {
        if command != nil {
            operands.append(word)
            return
        }
        guard let next = candidates.first(where: { $0.name == word }) else {
            throw Self.unknownCommand(word, among: candidates, path: path)
        }
        path.append(word)
        if next.subcommands.isEmpty { command = next } else { candidates = next.subcommands }
    }

    mutating func takeOption(_ word: String, rest: inout ArraySlice<String>) throws(UsageFailure) {
        let equals = word.firstIndex(of: "=")
        let name = String(equals.map { word[..<$0] } ?? word[...])
        let option = try option(named: name)
        let written = equals.map { String(word[word.index(after: $0)...]) }
        guard let valueName = option.valueName else {
            if written != nil { throw UsageFailure("\(name) takes no value", path: path) }
            options.append((option, nil))
            return
        }
        if let written {
            options.append((option, written))
            return
        }
        options.append((option, try value(of: name, valueName, rest: &rest)))
    }

    mutating func takeShortOption(_ word: String, rest: inout ArraySlice<String>) throws(UsageFailure) {
        let known = (command?.options ?? []) + globalOptions
        guard let option = known.first(where: { $0.short == word }) else {
            let suggestion = known.first { $0.name == "-\(word)" }?.name
            throw UsageFailure("there is no option \(word)", suggestion: suggestion, path: path)
        }
        guard let valueName = option.valueName else {
            options.append((option, nil))
            return
        }
        options.append((option, try value(of: word, valueName, rest: &rest)))
    }

    /// The word behind an option.
    private func value(
        of name: String, _ valueName: String, rest: inout ArraySlice<String>
    ) throws(UsageFailure) -> String {
        guard let next = rest.first, !next.hasPrefix("--") else {
            let hint = name.hasPrefix("--") ? rest.first.map { "; write \(name)=\($0) if that is its value" } ?? "" : ""
            throw UsageFailure("\(name) needs a value: \(name) \(valueName)\(hint)", path: path)
        }
        rest.removeFirst()
        return next
    }

    private func option(named name: String) throws(UsageFailure) -> OptionSyntax {
        let known = (command?.options ?? []) + globalOptions
        if let option = known.first(where: { $0.name == name }) { return option }
        let owner = path.isEmpty ? "dashrig" : path.joined(separator: " ")
        throw UsageFailure(
            "\(owner) has no option \(name)", suggestion: Spelling.nearest(to: name, among: known.map(\.name)),
            path: path)
    }

    func finish() throws(UsageFailure) -> ParsedLine {
        guard let command else {
            if path.isEmpty {
                if options.isEmpty { return .empty }
                if options.contains(where: { $0.syntax.name == "--version" }) { return .version }
                throw UsageFailure("no command is given")
            }
            let names = candidates.map(\.name).joined(separator: ", ")
            throw UsageFailure("\(path.joined(separator: " ")) must be followed by one of \(names)", path: path)
        }
        var arguments = Arguments(path: path, command: command, options: command.options + globalOptions)
        for (option, text) in options {
            guard let syntax = option.value, let text else {
                arguments.set(option.name)
                continue
            }
            if !option.repeats && arguments.has(option.name) {
                throw UsageFailure("\(option.name) is given twice", path: path)
            }
            arguments.add(option.name, try check(text, syntax, option.name))
        }
        try assign(command.operands, to: &arguments)
        return .command(command, arguments)
    }

    private func assign(_ syntax: [OperandSyntax], to arguments: inout Arguments) throws(UsageFailure) {
        var rest = operands[...]
        for operand in syntax {
            switch operand.count {
            case .one:
                guard let word = rest.popFirst() else { throw missing(operand) }
                arguments.add(operand.name, try check(word, operand.value, operand.name))
            case .optional:
                guard let word = rest.popFirst() else { continue }
                arguments.add(operand.name, try check(word, operand.value, operand.name))
            case .oneOrMore, .any:
                if rest.isEmpty, case .oneOrMore = operand.count { throw missing(operand) }
                while let word = rest.popFirst() {
                    arguments.add(operand.name, try check(word, operand.value, operand.name))
                }
            }
        }
        if let extra = rest.first {
            let usage = syntax.map(\.usage).joined(separator: " ")
            let takes = usage.isEmpty ? "takes no operands" : "takes \(usage)"
            throw UsageFailure("\"\(extra)\" is too much: \(path.joined(separator: " ")) \(takes)", path: path)
        }
    }

    private func missing(_ operand: OperandSyntax) -> UsageFailure {
        UsageFailure("\(path.joined(separator: " ")) needs \(operand.name): \(operand.summary)", path: path)
    }

    private func check(_ text: String, _ syntax: ValueSyntax, _ name: String) throws(UsageFailure) -> ArgumentValue {
        do {
            return try syntax.value(text)
        } catch {
            throw UsageFailure("\(name): \(error.text)", suggestion: error.suggestion, path: path)
        }
    }
}
