/// The checked arguments of one command. Asking for a name that the command's syntax does not have, or for a value of
/// another type than it states, is a programmer's error.
public struct Arguments: Sendable {
    /// The words that name the command: `knob`, `rotate`.
    public let path: [String]
    private let syntax: [(name: String, value: ValueSyntax?)]
    private var values: [(name: String, value: ArgumentValue)] = []
    private var flags: [String] = []

    init(path: [String], command: CommandSyntax, options: [OptionSyntax]) {
        self.path = path
        syntax = command.operands.map { ($0.name, $0.value) } + options.map { ($0.name, $0.value) }
    }

    mutating func add(_ name: String, _ value: ArgumentValue) {
        if case .words(let more) = value, let index = values.firstIndex(where: { $0.name == name }),
            case .words(let before) = values[index].value
        {
            values[index].value = .words(before + more)
        } else {
            values.append((name, value))
        }
    }

    mutating func set(_ flag: String) {
        if !flags.contains(flag) { flags.append(flag) }
    }

    func has(_ name: String) -> Bool { values.contains { $0.name == name } }

    /// Whether a flag was given.
    public func flag(_ name: String) -> Bool {
        precondition(syntax.contains { $0.name == name && $0.value == nil }, "there is no flag \(name)")
        return flags.contains(name)
    }

    /// A text, name, word, path or assignment.
    public func text(_ name: String) -> String? { texts(name).first }

    /// All texts of an operand or option that may be repeated.
    public func texts(_ name: String) -> [String] {
        all(name).map { value in
            guard case .text(let text) = value else { preconditionFailure("\(name) is no text") }
            return text
        }
    }

    /// The text of an operand that must be there.
    public func required(_ name: String) -> String {
        guard let text = text(name) else { preconditionFailure("\(name) is not required by the syntax") }
        return text
    }

    /// A whole number or hundredths.
    public func number(_ name: String) -> Int? {
        all(name).first.map { value in
            guard case .number(let number) = value else { preconditionFailure("\(name) is no number") }
            return number
        }
    }

    /// The number of an operand that must be there.
    public func requiredNumber(_ name: String) -> Int {
        guard let number = number(name) else { preconditionFailure("\(name) is not required by the syntax") }
        return number
    }

    /// Nanoseconds.
    public func duration(_ name: String) -> UInt64? {
        all(name).first.map { value in
            guard case .duration(let duration) = value else { preconditionFailure("\(name) is no duration") }
            return duration
        }
    }

    /// Words with their nanoseconds, of an option that may be repeated.
    public func timedWords(_ name: String) -> [(word: String, time: UInt64)] {
        all(name).map { value in
            guard case .timedWord(let word, let time) = value else { preconditionFailure("\(name) has no time") }
            return (word, time)
        }
    }

    /// The words of a list; nothing when it was not given.
    public func words(_ name: String) -> [String]? {
        all(name).first.map { value in
            guard case .words(let words) = value else { preconditionFailure("\(name) is no list") }
            return words
        }
    }

    /// The parts of a path, in order.
    public func parts(_ name: String) -> [ArgumentValue] { all(name) }

    private func all(_ name: String) -> [ArgumentValue] {
        precondition(syntax.contains { $0.name == name && $0.value != nil }, "there is no operand or option \(name)")
        return values.filter { $0.name == name }.map(\.value)
    }
}
