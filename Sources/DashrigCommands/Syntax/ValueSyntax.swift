import RigModel
internal import RigConfiguration

/// Which names a value is one of: what completion offers and what a wrong name is compared with. The rig decides.
public enum NameSource: String, Sendable, CaseIterable {
    /// Devices that the rig knows.
    case device
    /// Virtual devices that can be plugged in.
    case profile
    /// Head units whose displays can be declared.
    case headUnit
    /// Displays of the sessions there are.
    case display
}

/// What an operand or an option takes, and how it is written.
public enum ValueSyntax: Equatable, Sendable {
    /// Any text of 1 to `limit` bytes.
    case text(limit: Int)
    /// A name that the rig knows.
    case name(NameSource)
    /// One of some words.
    case word([String])
    /// Some of some words, between commas.
    case words([String])
    /// Names between commas that the rig knows.
    case names(NameSource)
    /// Words between commas that the rig may or may not know; those that this tool knows are for completion.
    case openWords([String])
    /// A whole number, maybe with a sign.
    case integer(ClosedRange<Int>)
    /// A number with at most two decimals; the value is in hundredths, as is the range.
    case hundredths(ClosedRange<Int>)
    /// `X,Y` in hundredths within a range, or `+`, which begins the next finger.
    case pathPart(ClosedRange<Int>)
    /// A number with its unit; nanoseconds.
    case duration(ClosedRange<UInt64>)
    /// `WORD=TIME` with one of some words, and a number with its unit; nanoseconds.
    case timedWord([String], ClosedRange<UInt64>)
    /// `KEY=VALUE` with one of some keys.
    case assignment([String])
    /// The path of a file.
    case file
    /// The path of a folder.
    case folder
}

/// A value after its text was checked.
public enum ArgumentValue: Equatable, Sendable {
    /// Text, a name, one word, a path or an assignment.
    case text(String)
    /// A whole number, or hundredths where the syntax says so.
    case number(Int)
    /// Nanoseconds.
    case duration(UInt64)
    /// A word with its nanoseconds.
    case timedWord(String, UInt64)
    /// Words or names in the order given.
    case words([String])
    /// A point in hundredths.
    case point(x: Int, y: Int)
    /// The `+` between two fingers.
    case nextFinger
}

extension ValueSyntax {
    /// Checks a text and gives its value. The error's text does not say which operand or option it is about.
    func value(_ text: String) throws(ConfigurationValueError) -> ArgumentValue {
        switch self {
        case .text(let limit):
            guard (1...limit).contains(text.utf8.count) else {
                throw ConfigurationValueError(
                    text.isEmpty ? "it is empty" : "it has \(text.utf8.count) bytes; the most is \(limit)")
            }
            return .text(text)
        case .name, .file, .folder:
            guard !text.isEmpty else { throw ConfigurationValueError("it is empty") }
            return .text(text)
        case .word(let words):
            return .text(try Self.word(text, of: words))
        case .words(let words):
            var found: [String] = []
            for part in try ConfigurationValue.list(text) {
                let word = try Self.word(part, of: words)
                if !found.contains(word) { found.append(word) }
            }
            guard !found.isEmpty else { throw ConfigurationValueError("it is empty") }
            return .words(found)
        case .names, .openWords:
            let parts = try ConfigurationValue.list(text)
            guard !parts.isEmpty else { throw ConfigurationValueError("it is empty") }
            return .words(parts)
        case .integer(let range):
            return .number(try Self.integer(text, in: range))
        case .hundredths(let range):
            return .number(try ConfigurationValue.hundredths(text, in: range))
        case .pathPart(let range):
            return try Self.pathPart(text, in: range)
        case .duration(let range):
            return .duration(try ConfigurationValue.duration(text, in: range))
        case .timedWord(let words, let range):
            return try Self.timedWord(text, of: words, in: range)
        case .assignment(let keys):
            return .text(try Self.assignment(text, of: keys))
        }
    }

    private static func word(_ text: String, of words: [String]) throws(ConfigurationValueError) -> String {
        if words.contains(text) { return text }
        // As it is published is right too: upLeft for up-left.
        let spelled = ConfigurationValue.word(text)
        if words.contains(spelled) { return spelled }
        throw ConfigurationValueError(
            "\"\(text)\" is none of \(words.joined(separator: ", "))",
            suggestion: Spelling.nearest(to: text, among: words))
    }

    private static func integer(_ text: String, in range: ClosedRange<Int>) throws(ConfigurationValueError) -> Int {
        let digits = text.first.map { $0 == "-" || $0 == "+" } ?? false ? text.dropFirst() : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw ConfigurationValueError("\"\(text)\" is not a whole number")
        }
        guard let value = Int(text), range.contains(value) else {
            throw ConfigurationValueError("\(text) is not between \(range.lowerBound) and \(range.upperBound)")
        }
        return value
    }

    private static func pathPart(
        _ text: String, in range: ClosedRange<Int>
    ) throws(ConfigurationValueError) -> ArgumentValue {
        if text == "+" { return .nextFinger }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw ConfigurationValueError("\"\(text)\" is neither X,Y nor the + between two fingers")
        }
        return .point(
            x: try ConfigurationValue.hundredths(String(parts[0]), in: range),
            y: try ConfigurationValue.hundredths(String(parts[1]), in: range))
    }

    private static func timedWord(
        _ text: String, of words: [String], in range: ClosedRange<UInt64>
    ) throws(ConfigurationValueError) -> ArgumentValue {
        guard let equals = text.firstIndex(of: "=") else {
            throw ConfigurationValueError(
                "\"\(text)\" is not WORD=TIME; the words are \(words.joined(separator: ", "))")
        }
        let word = try word(String(text[..<equals]), of: words)
        let time = String(text[text.index(after: equals)...])
        return .timedWord(word, try ConfigurationValue.duration(time, in: range))
    }

    private static func assignment(_ text: String, of keys: [String]) throws(ConfigurationValueError) -> String {
        guard let equals = text.firstIndex(of: "=") else {
            throw ConfigurationValueError("\"\(text)\" is not KEY=VALUE; the keys are \(keys.joined(separator: ", "))")
        }
        let key = ConfigurationValue.word(String(text[..<equals]))
        guard keys.contains(key) else {
            throw ConfigurationValueError(
                "\"\(text[..<equals])\" is no key; there is \(keys.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: key, among: keys))
        }
        return key + text[equals...]
    }

    /// Whether completion can offer words of its own.
    var words: [String] {
        switch self {
        case .word(let words), .words(let words), .openWords(let words): words
        case .assignment(let words), .timedWord(let words, _): words.map { $0 + "=" }
        case .text, .name, .names, .integer, .hundredths, .pathPart, .duration, .file, .folder: []
        }
    }
}
