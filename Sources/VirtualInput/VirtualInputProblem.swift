/// Why a device, a command or an event cannot be made. Whoever asked for it is at fault.
public struct VirtualInputRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The word of the line it is about, from 1; 1 where it is about the whole.
    public let field: Int
    /// What is wrong and what would be right.
    public let text: String

    init(field: Int = 1, _ text: String) {
        self.field = field
        self.text = text
    }

    /// The text alone.
    public var description: String { text }
}

/// A line that was refused. Nothing of it was done, and all others are.
public struct VirtualInputProblem: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The word in it, from 1.
    public let field: Int
    /// What is wrong and what would be right.
    public let text: String

    /// States a refused line.
    public init(line: Int, _ refusal: VirtualInputRefusal) {
        self.line = line
        field = refusal.field
        text = refusal.text
    }

    /// States a line that is wrong as a whole.
    public init(line: Int, text: String) { self.init(line: line, VirtualInputRefusal(text)) }

    /// As a person reads it: `line 3, field 2: "x" is not a whole number`.
    public var description: String { "line \(line), field \(field): \(text)" }
}
