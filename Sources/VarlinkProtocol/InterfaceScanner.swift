/// Walks over the text of an interface description: white space, comments, words and places. Knows no grammar.
struct InterfaceScanner {
    /// A place in the text.
    struct Place {
        var line = 1
        var column = 1
    }

    private let bytes: [UInt8]
    private var index = 0
    private(set) var place = Place()
    /// The comment lines directly above the next token, without `#` and one space.
    private var comment: [String] = []
    /// Nothing but white space so far on this line.
    private var isLineStart = true

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Takes the comment lines that stand directly above the token that comes now.
    mutating func takeDocumentation() -> String {
        defer { comment = [] }
        return comment.joined(separator: "\n")
    }

    /// Goes over spaces, tabs, line ends and comments.
    mutating func skipSpace() {
        while skipSpaceInLine() || skipComment() || skipLineEnd() {}
    }

    /// Goes over spaces and a comment up to the next line, or to the end. False if something else comes first.
    mutating func skipRestOfLine() -> Bool {
        _ = skipSpaceInLine()
        _ = skipComment()
        return skipLineEnd() || isAtEnd
    }

    /// Whether white space or a comment was skipped.
    mutating func skipRequiredSpace() -> Bool {
        let before = index
        skipSpace()
        return index > before
    }

    /// Takes the ASCII text if it comes now.
    mutating func take(_ text: StaticString) -> Bool {
        guard bytes.count - index >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[index + offset] != text.utf8Start[offset] { return false }
        advance(by: text.utf8CodeUnitCount)
        return true
    }

    /// Takes letters, digits, `_`, `.` and `-`: more than any name may have, so that a wrong name is reported whole.
    mutating func word() -> String {
        let start = index
        while index < bytes.count, Self.isInWord(bytes[index]) { advance(by: 1) }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// What comes now, for a message.
    var found: String {
        guard index < bytes.count else { return "the end of the text" }
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return "the end of the line" }
        if Self.isInWord(byte) {
            let rest = bytes[index...].prefix { Self.isInWord($0) }
            return "'\(String(decoding: rest.prefix(64), as: UTF8.self))'"
        }
        let scalar = String(decoding: bytes[index...].prefix(4), as: UTF8.self).unicodeScalars.first ?? " "
        return scalar.value < 0x20 ? "a control character" : "'\(scalar)'"
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        InterfaceNames.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "-")
    }

    /// Moves over bytes of one line, none of them a space.
    private mutating func advance(by count: Int) {
        index += count
        place.column += count
        isLineStart = false
        comment = []
    }

    private mutating func skipSpaceInLine() -> Bool {
        let start = index
        while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
        place.column += index - start
        return index > start
    }

    private mutating func skipLineEnd() -> Bool {
        guard let byte = peek, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { return false }
        index += 1
        if byte == UInt8(ascii: "\r"), peek == UInt8(ascii: "\n") { index += 1 }
        // A line without anything on it parts a comment from what follows.
        if isLineStart { comment = [] }
        place = Place(line: place.line + 1, column: 1)
        isLineStart = true
        return true
    }

    private mutating func skipComment() -> Bool {
        guard peek == UInt8(ascii: "#") else { return false }
        let start = index
        while let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            index += 1
            if byte & 0xC0 != 0x80 { place.column += 1 }
        }
        // A comment behind something documents nothing below it.
        if isLineStart {
            let text = bytes[start..<index].dropFirst()
            let content = text.first == UInt8(ascii: " ") ? text.dropFirst() : text
            comment.append(String(decoding: content, as: UTF8.self))
        }
        isLineStart = false
        return true
    }
}
