/// A command line that cannot be understood.
public struct UsageFailure: Error, Equatable, Sendable {
    /// What is wrong with it.
    public let text: String
    /// What was probably meant.
    public let suggestion: String?
    /// The words of the command that was meant so far, for the pointer to its help.
    public let path: [String]

    init(_ text: String, suggestion: String? = nil, path: [String] = []) {
        self.text = text
        self.suggestion = suggestion
        self.path = path
    }

    /// The text with the suggestion: one sentence.
    public var sentence: String {
        suggestion.map { "\(text); did you mean \"\($0)\"?" } ?? text
    }

    /// The command that explains more.
    public var helpCommand: String { (["dashrig help"] + path).joined(separator: " ") }
}
