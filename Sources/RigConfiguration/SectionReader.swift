import RigModel

/// Turns the entries of one section into values and gathers what is wrong with them. Every key must be asked for, or
/// `finish` refuses it.
struct SectionReader {
    let section: INISection
    private(set) var problems: [ConfigurationProblem] = []
    /// The keys that were asked for, in that order: what a misspelt key is compared with.
    private var asked: [String] = []

    init(_ section: INISection) { self.section = section }

    /// The entry of a key, and notes that the key exists.
    mutating func entry(_ key: String) -> INIEntry? {
        asked.append(key)
        return section.entry(key)
    }

    /// The value of a key, or `nil` when it is missing or wrong; the latter is noted.
    mutating func value<Value>(
        _ key: String, _ parse: (String) throws(ConfigurationValueError) -> Value
    ) -> Value? {
        guard let entry = entry(key) else { return nil }
        return value(of: entry, parse)
    }

    /// The value of an entry, or `nil` after noting what is wrong.
    mutating func value<Value>(
        of entry: INIEntry, _ parse: (String) throws(ConfigurationValueError) -> Value
    ) -> Value? {
        do throws(ConfigurationValueError) {
            return try parse(entry.value)
        } catch {
            problems.append(section.problem(entry, error.text, suggestion: error.suggestion))
            return nil
        }
    }

    /// Puts the value of a key into `target` where it is there and right.
    mutating func read<Value>(
        _ key: String, into target: inout Value, _ parse: (String) throws(ConfigurationValueError) -> Value
    ) {
        if let value = value(key, parse) { target = value }
    }

    /// The value of a key that must be there, or `nil` after noting what is wrong.
    mutating func required<Value>(
        _ key: String, _ parse: (String) throws(ConfigurationValueError) -> Value
    ) -> Value? {
        guard let entry = entry(key) else {
            if !section.isDamaged { problems.append(section.problem("the section needs the key \"\(key)\"")) }
            return nil
        }
        return value(of: entry, parse)
    }

    /// Notes a problem of an entry.
    mutating func refuse(_ entry: INIEntry, _ text: String, suggestion: String? = nil) {
        problems.append(section.problem(entry, text, suggestion: suggestion))
    }

    /// Notes a problem of the section.
    mutating func refuse(_ text: String) { problems.append(section.problem(text)) }

    /// Notes every key that nobody asked for. `more` are keys that were read by other ways.
    mutating func finish(more: [String] = []) {
        let known = asked + more
        for entry in section.entries where !known.contains(entry.key) {
            problems.append(
                section.problem(
                    entry, "this section has no such key", suggestion: Spelling.nearest(to: entry.key, among: known)))
        }
    }
}

/// A kind of section that a file may have.
struct SectionKind {
    /// The first word of the header.
    let word: String
    /// Whether a name must follow (`display main`) or must not (`rig`).
    let isNamed: Bool

    /// The problem of a section whose header is none of `kinds`, or `nil`.
    static func problem(of section: INISection, among kinds: [SectionKind]) -> ConfigurationProblem? {
        guard let kind = kinds.first(where: { $0.word == section.kind }) else {
            let words = kinds.map(\.word)
            return section.problem(
                "there is no such section; there is \(words.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: section.kind, among: words))
        }
        if kind.isNamed && section.name == nil {
            return section.problem("the section needs a name, as in [\(kind.word) main]")
        }
        if !kind.isNamed && section.name != nil { return section.problem("this section has no name: [\(kind.word)]") }
        return nil
    }
}

extension [ConfigurationProblem] {
    /// The problems of one file in the order of its lines; those of one line keep theirs.
    func byLine() -> [ConfigurationProblem] {
        enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }
}
