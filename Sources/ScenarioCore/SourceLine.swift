import RigModel

/// One line of a scenario file, read word by word.
///
/// A word is a run of characters without a space, or text in double quotes with `\"`, `\\`, `\$`, `\n` and `\t`. The
/// comparison signs are words of their own. `#` at the beginning of a word begins a comment. `${NAME}` within a word is
/// replaced by the value of that name, which never becomes more than this one word. `{` and `}` as words of their own
/// enclose blocks. Other characters that the language may need are refused outside quotes, so that no file of today
/// changes its meaning then.
struct SourceLine: Sendable {
    /// A word with its place, in bytes from the line's beginning.
    struct Word: Equatable, Sendable {
        /// Its text, without quotes and escapes, and with the values of names.
        let text: String
        /// The first byte.
        let start: Int
        /// The byte after the last.
        let end: Int
        /// Whether it stood in quotes.
        let isQuoted: Bool
        /// The names whose values are in it, for messages: `${speed} is 80ms`.
        var origin: String?
    }

    /// What a line knows of names.
    enum Names: Sendable {
        /// Nothing: they stay as they are written, because only the form of the line matters.
        case written
        /// The values that hold where it stands.
        case known(ScenarioScope)
    }

    /// The longest text that a word may have with its values, in bytes.
    static let maximumWordBytes = 4_096

    let file: String
    let number: Int
    /// The lines that include the file it stands in, outermost first.
    var includedFrom: [SourcePlace]
    var names = Names.written
    private let bytes: [UInt8]
    private var position = 0
    /// Where the last word that was taken ends: the place of what is missing.
    private var lastEnd = 0
    /// The names that were replaced in the words taken so far.
    private var replaced: [(start: Int, end: Int, value: String)] = []

    init(file: String, number: Int, bytes: [UInt8], includedFrom: [SourcePlace] = []) {
        self.file = file
        self.number = number
        self.includedFrom = includedFrom
        // Bytes that are no UTF-8 become U+FFFD, which `checkCharacters` refuses; from here on every offset is sound.
        self.bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// The whole line.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Takes the next word, or `nil` at the end of the line.
    mutating func next() throws(ScenarioProblem) -> Word? {
        skipSpace()
        guard position < bytes.count else { return nil }
        let word = bytes[position] == UInt8(ascii: "\"") ? try quoted() : try plain()
        lastEnd = word.end
        return word
    }

    /// Looks at the next word without taking it.
    func peek() throws(ScenarioProblem) -> Word? {
        var copy = self
        return try copy.next()
    }

    /// Takes the next word; at the end of the line it is a problem that `what` is missing.
    mutating func next(_ what: String) throws(ScenarioProblem) -> Word {
        guard let word = try next() else { throw missing(what) }
        return word
    }

    /// Takes the next word if it is exactly `text`, unquoted.
    mutating func take(_ text: String) throws(ScenarioProblem) -> Bool {
        guard let word = try peek(), word.text == text, !word.isQuoted else { return false }
        _ = try next()
        return true
    }

    /// Takes everything up to the end of the line or a comment, as it stands, or one quoted word.
    mutating func rest(_ what: String) throws(ScenarioProblem) -> Word {
        skipSpace()
        guard position < bytes.count else { throw missing(what) }
        if bytes[position] == UInt8(ascii: "\"") { return try next(what) }
        let start = position
        var end = start
        var text: [UInt8] = []
        var origin: String?
        while position < bytes.count {
            let before = position
            if isSpace(bytes[position]) {
                skipSpace()
                // Spaces within the text are part of it; those at its end, and a comment, are not.
                if position < bytes.count { text += bytes[before..<position] }
                continue
            }
            if bytes[position] == UInt8(ascii: "$") {
                try name(into: &text, &origin)
            } else {
                text.append(bytes[position])
                position += 1
            }
            end = position
        }
        lastEnd = end
        return Word(
            text: String(decoding: text, as: UTF8.self), start: start, end: end, isQuoted: false, origin: origin)
    }

    /// Whether nothing but spaces and a comment follows.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return position == bytes.count
    }

    /// Whether `/` follows, which begins a pattern.
    mutating func isAtPattern() -> Bool { !isAtEnd() && bytes[position] == UInt8(ascii: "/") }

    /// Takes `/PATTERN/`, in which `\/` is a slash, and names have their values.
    mutating func pattern() throws(ScenarioProblem) -> Word {
        skipSpace()
        let start = position
        var text: [UInt8] = []
        var origin: String?
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "/") {
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            if bytes[position] == UInt8(ascii: "$"), next == UInt8(ascii: "{") {
                try name(into: &text, &origin)
                continue
            }
            if bytes[position] == UInt8(ascii: "\\"), next != 0 {
                if next != UInt8(ascii: "/") { text.append(bytes[position]) }
                text.append(next)
                position += 2
                continue
            }
            text.append(bytes[position])
            position += 1
        }
        guard position < bytes.count else {
            throw problem(start, bytes.count, "the '/' that closes the pattern is missing")
        }
        position += 1
        guard position == bytes.count || isSpace(bytes[position]) else {
            throw problem(position, position + 1, "a space belongs after the pattern")
        }
        guard !text.isEmpty else { throw problem(start, position, "the pattern is empty") }
        lastEnd = position
        return Word(
            text: String(decoding: text, as: UTF8.self), start: start, end: position, isQuoted: true, origin: origin)
    }

    /// Refuses whatever still stands in the line.
    mutating func end() throws(ScenarioProblem) {
        if let word = try next() { throw problem(word, "'\(word.text)' has no meaning here; the step is complete") }
    }

    /// A problem with a word; `near` are the words that would be right.
    func problem(_ word: Word, _ text: String, near: [String] = []) -> ScenarioProblem {
        problem(
            word.start, word.end, word.origin.map { "\(text) (\($0))" } ?? text,
            Spelling.nearest(to: word.text, among: near))
    }

    /// A problem with the bytes from `start` to `end`.
    func problem(_ start: Int, _ end: Int, _ text: String, _ suggestion: String? = nil) -> ScenarioProblem {
        ScenarioProblem(
            place: SourcePlace(file: file, line: number, column: characters(0, start) + 1),
            length: characters(start, end), text: text, suggestion: suggestion, line: self.text,
            includedFrom: includedFrom)
    }

    /// A problem with what should stand after the last word.
    func missing(_ what: String) -> ScenarioProblem { behind("\(what) is missing") }

    /// A problem that shows behind the last word.
    func behind(_ text: String) -> ScenarioProblem { problem(lastEnd, lastEnd, text) }

    /// The text from a byte to the end of the last word, without the spaces around it, with the values of names.
    func source(from start: Int) -> String {
        var text: [UInt8] = []
        var place = min(start, lastEnd)
        for name in replaced where name.start >= place && name.end <= lastEnd {
            text += bytes[place..<name.start]
            text += name.value.utf8
            place = name.end
        }
        return String(decoding: text + bytes[place..<lastEnd], as: UTF8.self)
    }

    /// The byte behind the last word that was taken.
    var lastPlace: Int { lastEnd }

    /// The text of a word as it is written: with quotes, escapes and names.
    func written(_ word: Word) -> String { String(decoding: bytes[word.start..<word.end], as: UTF8.self) }

    /// The comment at the end of the line, `#` included, once every word was taken; `nil` when there is none.
    var comment: String? {
        guard let start = bytes[lastEnd...].firstIndex(of: UInt8(ascii: "#")) else { return nil }
        var end = bytes.count
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Finds characters that a reader could not see or could take for others.
    func checkCharacters() throws(ScenarioProblem) {
        var offset = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            if let what = Self.trap(scalar) {
                let code = String(scalar.value, radix: 16, uppercase: true)
                let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
                throw problem(offset, offset + width, "\(what) (U+\(padded)) cannot stand in a scenario")
            }
            offset += width
        }
    }

    private static func trap(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x09: nil
        case 0...0x1F, 0x7F...0x9F: "a control character"
        case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: "a space that is not the usual one"
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: "an invisible character"
        case 0xFFFD: "a character that is not UTF-8"
        default: nil
        }
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Goes to the next word, or to the end where a comment begins.
    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "#") { position = bytes.count }
    }

    private mutating func plain() throws(ScenarioProblem) -> Word {
        let start = position
        var text: [UInt8] = []
        var origin: String?
        if isComparison(bytes[start]) {
            position += 1
            if position < bytes.count, bytes[start] != UInt8(ascii: "~"), bytes[position] == UInt8(ascii: "=") {
                position += 1
            }
            text = Array(bytes[start..<position])
        } else if isBrace(bytes[start]), start + 1 == bytes.count || isSpace(bytes[start + 1]) {
            position += 1
            text = [bytes[start]]
        } else {
            while position < bytes.count, !isSpace(bytes[position]), !isComparison(bytes[position]) {
                if bytes[position] == UInt8(ascii: "$") {
                    try name(into: &text, &origin)
                    continue
                }
                if isReserved(bytes[position]) { throw reserved(position) }
                text.append(bytes[position])
                position += 1
            }
            if text.isEmpty { throw problem(start, position, "the word is empty\(origin.map { " (\($0))" } ?? "")") }
        }
        return Word(
            text: String(decoding: text, as: UTF8.self), start: start, end: position, isQuoted: false, origin: origin)
    }

    /// Takes `${NAME}` and adds its value to the text of a word.
    private mutating func name(into text: inout [UInt8], _ origin: inout String?) throws(ScenarioProblem) {
        let start = position
        guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "{") else { throw reserved(start) }
        position += 2
        while position < bytes.count, bytes[position] != UInt8(ascii: "}"), !isSpace(bytes[position]) {
            position += 1
        }
        let name = String(decoding: bytes[(start + 2)..<position], as: UTF8.self)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else {
            throw problem(start, position, "the brace that closes '${\(name)' is missing")
        }
        position += 1
        switch names {
        case .written: text += bytes[start..<position]
        case .known(let scope):
            guard let value = scope.value(of: name) else {
                let near = Spelling.nearest(to: name, among: scope.names)
                throw problem(
                    start, position, "there is no '\(name)' here; 'let' or 'param' gives a name its value", near)
            }
            text += value.utf8
            guard text.count <= Self.maximumWordBytes else {
                throw problem(start, position, "with this value the word is longer than \(Self.maximumWordBytes) bytes")
            }
            replaced.append((start, position, value))
            origin = (origin.map { "\($0), " } ?? "") + "${\(name)} is \(value)"
        }
    }

    private mutating func quoted() throws(ScenarioProblem) -> Word {
        let start = position
        var text: [UInt8] = []
        var origin: String?
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                if position < bytes.count, !isSpace(bytes[position]) {
                    throw problem(position, position + 1, "a space belongs after the closing quote")
                }
                return Word(
                    text: String(decoding: text, as: UTF8.self), start: start, end: position, isQuoted: true,
                    origin: origin)
            case UInt8(ascii: "\\"):
                guard position + 1 < bytes.count, let character = escape(bytes[position + 1]) else {
                    throw problem(
                        position, min(position + 2, bytes.count), "in quotes there is \\\", \\\\, \\$, \\n and \\t")
                }
                text.append(character)
                position += 2
            case UInt8(ascii: "$"):
                try name(into: &text, &origin)
            default:
                text.append(byte)
                position += 1
            }
        }
        throw problem(start, bytes.count, "the closing quote is missing")
    }

    private func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): byte
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private func isComparison(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"): true
        default: false
        }
    }

    private func isBrace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") }

    private func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"),
            UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "'"), UInt8(ascii: "\""):
            true
        default: false
        }
    }

    private func reserved(_ offset: Int) -> ScenarioProblem {
        let sign = String(decoding: bytes[offset...offset], as: UTF8.self)
        if sign == "$" {
            return problem(
                offset, offset + 1, "'$' stands before a name in braces: ${NAME}; in double quotes, \\$ is the sign")
        }
        if isBrace(bytes[offset]) {
            return problem(
                offset, offset + 1,
                "'\(sign)' stands alone, at the end or the beginning of a block; put the text in double quotes")
        }
        return problem(
            offset, offset + 1, "'\(sign)' is kept for a later version; put the text in double quotes")
    }

    private func characters(_ start: Int, _ end: Int) -> Int {
        String(decoding: bytes[start..<max(start, end)], as: UTF8.self).count
    }
}
