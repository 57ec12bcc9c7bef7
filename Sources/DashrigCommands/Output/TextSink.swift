/// Why output cannot be written.
public enum OutputFailure: Error, Equatable, Sendable {
    /// The reader of a pipe went away, as `head` does.
    case readerGone
    /// Somebody interrupted the program while the reader did not read.
    case interrupted
    /// The kernel refused: a full disk, for instance.
    case refused(String)
}

/// Where text goes: a descriptor, or the memory of a test.
public protocol TextSink: AnyObject {
    /// Whether a person looks at it.
    var isTerminal: Bool { get }
    /// Columns of the terminal; nothing when there is none or nobody knows.
    var width: Int? { get }
    /// Whether colour is wanted.
    var usesColor: Bool { get }
    /// Writes all of the text.
    func write(_ text: String) throws(OutputFailure)
}
