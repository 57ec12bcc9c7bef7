import RigModel

/// The names that hold at a place of a scenario, with their values.
struct ScenarioScope: Sendable {
    private struct Entry: Sendable {
        let name: String
        let value: String
        let place: SourcePlace
    }

    /// The most names that can hold at a place: ours.
    static let maximumNames = 256

    private var entries: [Entry] = []

    /// The names, for suggestions.
    var names: [String] { entries.map(\.name) }
    var isFull: Bool { entries.count >= Self.maximumNames }

    /// The value of a name; `nil` for one that nobody set.
    func value(of name: String) -> String? { entries.last { $0.name == name }?.value }

    /// Where a name got its value.
    func place(of name: String) -> SourcePlace? { entries.last { $0.name == name }?.place }

    /// Gives a name its value; the same line may do so again.
    mutating func set(_ name: String, to value: String, at place: SourcePlace) {
        entries.removeAll { $0.name == name }
        entries.append(Entry(name: name, value: value, place: place))
    }

    /// Whether a text can be a name: a letter, then letters, digits, `-` and `_`; at most 32.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 32 else { return false }
        return text.utf8.allSatisfy {
            isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }

    /// Whether a text can be a value from outside: what a line of a file could hold, too.
    static func isValue(_ text: String) -> Bool {
        text.utf8.count <= ParameterValue.maximumBytes
            && (try? SourceLine(file: "", number: 1, bytes: Array(text.utf8)).checkCharacters()) != nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

/// The choices of a scenario: the same from the same seed, everywhere (SplitMix64).
struct ScenarioRandom: Sendable {
    private var state: UInt64
    /// Whether anything was chosen.
    private(set) var isUsed = false

    init(seed: UInt64) { state = seed }

    /// A number below `count`, all equally likely; `count` is at least 1.
    mutating func next(below count: UInt64) -> UInt64 {
        isUsed = true
        // Numbers above the last whole multiple of `count` would make the first ones likelier.
        let rest = (UInt64.max % count &+ 1) % count
        while true {
            let number = next()
            if rest == 0 || number <= UInt64.max - rest { return number % count }
        }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Paths of files that a scenario names, as text: nothing is looked up.
enum ScenarioPath {
    /// The part up to and with the last slash; empty without one.
    static func folder(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    /// `name` as seen from `folder`, without `.`, and without `..` where a folder stands before it.
    static func joined(_ folder: String, _ name: String) -> String {
        let path = name.hasPrefix("/") ? name : folder + name
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != ".." || !path.hasPrefix("/") {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}
