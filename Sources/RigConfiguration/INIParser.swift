internal import RigModel

/// Reads the lines of one file. Goes on after a problem, so that all of them are found in one run.
struct INIParser {
    private let file: ConfigurationFile
    private(set) var sections: [INISection] = []
    private(set) var problems: [ConfigurationProblem] = []
    private var line = 0
    /// True once a header could not be read: the entries after it belong nowhere, and saying so helps nobody.
    private var isLost = false

    /// After so many problems the rest of the file is not looked at.
    private static let enoughProblems = 1_000

    init(file: ConfigurationFile) { self.file = file }

    mutating func run() {
        guard file.bytes.count <= INIDocument.maximumFile else {
            line = 1
            refuse(
                nil, "the file has \(file.bytes.count) bytes; the most is \(INIDocument.maximumFile / 1_024) KiB")
            return
        }
        var rest = ByteOrderMark.skipped(in: file.bytes)
        while !rest.isEmpty && problems.count < Self.enoughProblems {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            var text = rest[rest.startIndex..<end]
            rest = rest[end...].dropFirst()
            if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
            line += 1
            read(text)
        }
    }

    /// Notes a problem of the current line at a byte of it.
    private mutating func refuse(_ place: (line: ArraySlice<UInt8>, index: Int)?, _ text: String) {
        if !sections.isEmpty { sections[sections.count - 1].isDamaged = true }
        let column = place.map { columnNumber(of: $0.index, in: $0.line) }
        problems.append(ConfigurationProblem(file: file.name, line: line, column: column, text: text))
    }

    /// The column of a byte: characters before it, from 1. The line is valid UTF-8 up to the byte.
    private func columnNumber(of index: Int, in text: ArraySlice<UInt8>) -> Int {
        text[text.startIndex..<index].count { $0 & 0xC0 != 0x80 } + 1
    }

    private mutating func read(_ text: ArraySlice<UInt8>) {
        guard text.count <= INIDocument.maximumLine else {
            refuse(nil, "the line has \(text.count) bytes; the most is \(INIDocument.maximumLine / 1_024) KiB")
            return
        }
        guard isPlain(text) else { return }
        let start = Self.skipSpaces(text)
        guard let first = start.first, !Self.beginsComment(first) else { return }
        if first == UInt8(ascii: "[") {
            readHeader(start, of: text)
        } else {
            readEntry(start, of: text)
        }
    }

    /// Whether the line is UTF-8 without control characters; notes the first place where it is not.
    private mutating func isPlain(_ text: ArraySlice<UInt8>) -> Bool {
        if let index = text.firstIndex(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) {
            // What stands before it may itself not be UTF-8; then that is the first place.
            if validPrefix(text[..<index]) == index {
                let byte = text[index]
                refuse((text, index), byte == 0 ? "a NUL byte is not text" : "control character \(byte) is not text")
                return false
            }
        }
        let valid = validPrefix(text)
        if valid == text.endIndex { return true }
        refuse((text, valid), "this is not UTF-8; save the file as UTF-8")
        return false
    }

    /// The index up to which the bytes are UTF-8.
    private func validPrefix(_ text: ArraySlice<UInt8>) -> Int {
        if text.allSatisfy({ $0 < 0x80 }) { return text.endIndex }
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text.makeIterator()
        var index = text.startIndex
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): index += scalar.count
            case .error: return index
            case .emptyInput: return index
            }
        }
    }

    private mutating func readHeader(_ start: ArraySlice<UInt8>, of text: ArraySlice<UInt8>) {
        isLost = true
        guard let close = start.firstIndex(of: UInt8(ascii: "]")) else {
            return refuse((text, start.startIndex), "the section header has no closing \"]\"")
        }
        let after = Self.skipSpaces(start[close...].dropFirst())
        if let first = after.first, !Self.beginsComment(first) {
            return refuse((text, after.startIndex), "nothing but a comment may follow a section header")
        }
        let inside = Self.trimmed(start[start.startIndex..<close].dropFirst())
        let kind = inside.prefix { !Self.isSpace($0) }
        let name = Self.trimmed(inside[kind.endIndex...])
        guard !kind.isEmpty else { return refuse((text, start.startIndex), "the section has no name") }
        guard kind.allSatisfy(Self.isKeyByte) else {
            return refuse(
                (text, kind.startIndex), "a section begins with a word of letters, digits, \"-\", \"_\" and \".\"")
        }
        if let odd = name.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\"") }) {
            return refuse((text, odd), "a section's name has no brackets and no quotes")
        }
        isLost = false
        let section = INISection(
            file: file.name, kind: String(decoding: kind, as: UTF8.self),
            name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), line: line,
            column: columnNumber(of: start.startIndex, in: text), entries: [])
        if let earlier = sections.first(where: { $0.kind == section.kind && $0.name == section.name }) {
            problems.append(section.problem("the section is already there, at line \(earlier.line)"))
        }
        guard sections.count < INIDocument.maximumSections else {
            isLost = true
            return refuse((text, start.startIndex), "a file has at most \(INIDocument.maximumSections) sections")
        }
        sections.append(section)
    }

    private mutating func readEntry(_ start: ArraySlice<UInt8>, of text: ArraySlice<UInt8>) {
        if isLost { return }
        guard let equals = start.firstIndex(of: UInt8(ascii: "=")) else {
            return refuse((text, start.startIndex), "this is neither \"key = value\" nor \"[section]\"")
        }
        let key = Self.trimmed(start[start.startIndex..<equals])
        guard !key.isEmpty else { return refuse((text, equals), "there is no key before \"=\"") }
        guard key.allSatisfy(Self.isKeyByte) else {
            return refuse((text, key.startIndex), "a key has letters, digits, \"-\", \"_\" and \".\" only")
        }
        guard !sections.isEmpty else {
            return refuse((text, key.startIndex), "the key stands before the first [section]")
        }
        let valueStart = Self.skipSpaces(start[equals...].dropFirst())
        guard let value = readValue(valueStart, of: text) else { return }
        let entry = INIEntry(
            key: String(decoding: key, as: UTF8.self), value: value, line: line,
            column: columnNumber(of: key.startIndex, in: text),
            valueColumn: columnNumber(of: valueStart.startIndex, in: text))
        let last = sections.count - 1
        if let earlier = sections[last].entry(entry.key) {
            problems.append(sections[last].problem(entry, "the key is already there, at line \(earlier.line)"))
        } else if sections[last].entries.count < INIDocument.maximumEntries {
            sections[last].entries.append(entry)
        } else {
            refuse((text, key.startIndex), "a section has at most \(INIDocument.maximumEntries) keys")
        }
    }

    /// The value that begins here, or `nil` after noting what is wrong with it.
    private mutating func readValue(_ start: ArraySlice<UInt8>, of text: ArraySlice<UInt8>) -> String? {
        guard start.first == UInt8(ascii: "\"") else {
            var end = start.startIndex
            while end < start.endIndex {
                let spaced = end == start.startIndex || Self.isSpace(start[end - 1])
                if spaced && Self.beginsComment(start[end]) { break }
                end += 1
            }
            return String(decoding: Self.trimmed(start[start.startIndex..<end]), as: UTF8.self)
        }
        var value: [UInt8] = []
        var index = start.startIndex + 1
        while index < start.endIndex {
            let byte = start[index]
            if byte == UInt8(ascii: "\"") {
                let after = Self.skipSpaces(start[index...].dropFirst())
                if let first = after.first, !Self.beginsComment(first) {
                    refuse((text, after.startIndex), "nothing but a comment may follow a quoted value")
                    return nil
                }
                return String(decoding: value, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                index += 1
                guard index < start.endIndex, start[index] == UInt8(ascii: "\"") || start[index] == UInt8(ascii: "\\")
                else {
                    refuse((text, index - 1), "in quotes, \"\\\" stands before \" or \\ only")
                    return nil
                }
            }
            value.append(start[index])
            index += 1
        }
        refuse((text, start.startIndex), "the quoted value has no closing quote")
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func beginsComment(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    private static func skipSpaces(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> { text.drop(while: isSpace) }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = skipSpaces(text)
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }
}
