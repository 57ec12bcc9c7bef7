/// One line of text with bytes in it.
struct HexLine {
    /// What is wrong, and at which byte of the line.
    struct Failure: Error {
        let text: String
        let index: Int

        init(_ text: String, at index: Int) {
            self.text = text
            self.index = index
        }
    }

    private let text: [UInt8]

    init(_ line: ArraySlice<UInt8>) {
        text = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }

    /// Whether nothing but space is in it.
    var isBlank: Bool { text.allSatisfy(Self.isSpace) }
    /// Whether nothing but space or a comment is in it.
    var isEmpty: Bool { text.first { !Self.isSpace($0) }.map { $0 == UInt8(ascii: "#") } ?? true }
    /// Whether it stands for lines that repeat the one before.
    var isStar: Bool { text.filter { !Self.isSpace($0) } == [UInt8(ascii: "*")] }

    // MARK: Plain digits

    /// The bytes of a line of digits and separators.
    func plainBytes() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let unit = text[index]
            if unit == UInt8(ascii: "#") && (index == 0 || Self.isSpace(text[index - 1])) { break }
            if Self.isSeparator(unit) {
                index += 1
                continue
            }
            let isPrefixed = hasPrefix(at: index)
            if isPrefixed { index += 2 }
            bytes += try digits(at: &index, isPrefixed: isPrefixed)
        }
        return bytes
    }

    /// Whether `0x` or `\x` stands here, with a digit behind.
    private func hasPrefix(at index: Int) -> Bool {
        guard index + 2 < text.count, Self.value(text[index + 2]) != nil else { return false }
        let isX = text[index + 1] == UInt8(ascii: "x") || text[index + 1] == UInt8(ascii: "X")
        return isX && (text[index] == UInt8(ascii: "0") || text[index] == UInt8(ascii: "\\"))
    }

    /// The bytes of the digits that begin here; `0x5` alone is a byte too.
    private func digits(at index: inout Int, isPrefixed: Bool = false) throws(Failure) -> [UInt8] {
        let start = index
        var values: [UInt8] = []
        while index < text.count, let value = Self.value(text[index]) {
            values.append(value)
            index += 1
        }
        guard !values.isEmpty else { throw Failure("not a hexadecimal digit", at: start) }
        if isPrefixed && values.count == 1 { return values }
        // A letter in the middle of digits is what is wrong, not how many there are before it.
        if index < text.count, !Self.isSeparator(text[index]), text[index] != UInt8(ascii: "\\") {
            throw Failure("not a hexadecimal digit", at: index)
        }
        guard values.count.isMultiple(of: 2) else {
            throw Failure(
                values.count == 1
                    ? "a hexadecimal digit stands alone" : "\(values.count) digits in a row make no whole bytes",
                at: start)
        }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    // MARK: Dumps

    /// The offset at the beginning of a line of a dump, and the place behind it; nothing when there is none.
    ///
    /// With a colon behind it any number is one. Without, it has to be the number that is expected, so that digits of the
    /// contents are not taken for one, and stand apart from the digits of bytes.
    func offset(expecting expected: UInt64?) -> (value: UInt64, end: Int)? {
        var index = text.firstIndex { !Self.isSpace($0) } ?? text.count
        if hasPrefix(at: index) { index += 2 }
        let start = index
        var value: UInt64 = 0
        while index < text.count, let digit = Self.value(text[index]), index - start < 16 {
            value = value << 4 | UInt64(digit)
            index += 1
        }
        guard index - start >= 4 else { return nil }
        guard index < text.count else { return expected ?? value == value ? (value, index) : nil }
        if text[index] == UInt8(ascii: ":") {
            guard index + 1 == text.count || Self.isSpace(text[index + 1]) else { return nil }
            return (value, index + 1)
        }
        guard Self.isSpace(text[index]), expected ?? value == value else { return nil }
        let next = text[index...].firstIndex { !Self.isSpace($0) } ?? text.count
        let firstByte = text[next...].prefix { Self.value($0) != nil }
        guard next - index >= 2 || text[index] == UInt8(ascii: "\t") || firstByte.count <= 2 else { return nil }
        return (value, index)
    }

    /// The bytes of a dump's line from a place on, up to the column of characters.
    func rowBytes(from start: Int) throws(Failure) -> [UInt8] {
        var row: [UInt8] = []
        var index = start
        while true {
            let gap = index
            while index < text.count, Self.isSpace(text[index]) { index += 1 }
            guard index < text.count else { return row }
            switch text[index] {
            case UInt8(ascii: "|"), UInt8(ascii: ">"): return row
            case UInt8(ascii: "-") where !row.isEmpty:
                index += 1
                continue
            default: break
            }
            if index - gap >= 2, !row.isEmpty, isCharacters(text[index...], of: row) { return row }
            row += try digits(at: &index)
        }
    }

    /// Whether this is how `row` looks as characters; spaces at the end may be missing.
    private func isCharacters(_ column: ArraySlice<UInt8>, of row: [UInt8]) -> Bool {
        var rest = column
        for byte in row {
            let shown = rest.popFirst() ?? UInt8(ascii: " ")
            guard shown == UInt8(ascii: ".") || shown == byte && 0x20...0x7E ~= byte else { return false }
        }
        return rest.allSatisfy(Self.isSpace)
    }

    // MARK: Frames

    /// Whether it is a line of candump.
    var isFrame: Bool { frame != nil }

    private enum Frame {
        /// `[8]` with the bytes behind it.
        case counted(Int, at: Int, data: Int)
        /// `123#1122`, from a place on.
        case logged(data: Int)
    }

    /// The interface's name comes first, or behind a time in parentheses: `can0  123   [3]  11 22 33`.
    private var frame: Frame? {
        var words = text.indices.split { Self.isSpace(text[$0]) }
        if let time = words.first, text[time.lowerBound] == UInt8(ascii: "(") { words.removeFirst() }
        guard words.count >= 2, words[0].contains(where: { Self.value(text[$0]) == nil }) else { return nil }
        if let hash = words[1].first(where: { text[$0] == UInt8(ascii: "#") }) {
            guard hash > words[1].lowerBound, text[words[1].lowerBound..<hash].allSatisfy({ Self.value($0) != nil })
            else { return nil }
            // Of a CAN FD frame, a second # and a digit of flags come before the bytes.
            let isFD = hash + 1 < text.count && text[hash + 1] == UInt8(ascii: "#")
            return .logged(data: min(isFD ? hash + 3 : hash + 1, text.count))
        }
        for word in words.dropFirst(2) {
            let count = text[word].dropFirst().dropLast()
            guard text[word.lowerBound] == UInt8(ascii: "["), text[word.upperBound - 1] == UInt8(ascii: "]"),
                (1...2).contains(count.count), let number = Int(String(decoding: count, as: UTF8.self))
            else { continue }
            return .counted(number, at: word.lowerBound, data: word.upperBound)
        }
        return nil
    }

    /// The bytes of a frame; a remote request has none.
    func frameBytes() throws(Failure) -> [UInt8] {
        switch frame {
        case nil: throw Failure("the line is no frame of candump, as the first one is", at: 0)
        case .logged(var index)?:
            guard index < text.count, Self.value(text[index]) != nil else { return [] }
            return try digits(at: &index)
        case .counted(let count, let place, var index)?:
            var bytes: [UInt8] = []
            while bytes.count < count {
                while index < text.count, Self.isSpace(text[index]) { index += 1 }
                if index < text.count, text[index] == UInt8(ascii: "r") { return [] }
                guard index < text.count else {
                    throw Failure("\(count) bytes are announced, \(bytes.count) are there", at: place)
                }
                bytes += try digits(at: &index)
            }
            return bytes
        }
    }

    // MARK: Characters

    private static func value(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func isSpace(_ unit: UInt8) -> Bool { unit == UInt8(ascii: " ") || unit == UInt8(ascii: "\t") }

    private static let separators = Array(" \t,;:-_|{}[]()\"'".utf8)

    private static func isSeparator(_ unit: UInt8) -> Bool { separators.contains(unit) }
}
