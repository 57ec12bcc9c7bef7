internal import CLinux
internal import Glibc

/// What a program needs to know about where its output goes.
public struct TerminalFacts: Equatable, Sendable {
    /// Whether the descriptor is a terminal.
    public let isTerminal: Bool
    /// Columns; nil when nobody knows.
    public let width: Int?
    /// Whether colour is wanted: a terminal that is not "dumb", and NO_COLOR unset or empty (no-color.org).
    public let usesColor: Bool

    /// Looks at a descriptor (1 for standard output) and the environment.
    public init(descriptor: Int32, environment: Environment) {
        isTerminal = isatty(descriptor) == 1
        width = Self.windowWidth(descriptor) ?? environment["COLUMNS"].flatMap(Self.columns)
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty
        let terminal = environment["TERM"] ?? ""
        usesColor = isTerminal && !refused && terminal != "dumb" && !terminal.isEmpty
    }

    private static func windowWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func columns(_ text: String) -> Int? {
        guard let count = Int(text), (1...10_000).contains(count) else { return nil }
        return count
    }
}
