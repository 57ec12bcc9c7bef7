internal import RigModel

/// One line while it is read, word by word. Words are between spaces or tabs; `#` ends them.
struct EvemuLine {
    private let whole: ArraySlice<UInt8>
    private var left: ArraySlice<UInt8>
    private let number: Int

    init(_ line: ArraySlice<UInt8>, number: Int) {
        whole = line
        left = line.drop(while: Self.isBlank)
        self.number = number
    }

    /// Its first byte that is no blank.
    var first: UInt8? { left.first }

    /// What is left, without blanks around it; bytes that are no UTF-8 are mended.
    var rest: String {
        var text = left.drop(while: Self.isBlank)
        while let last = text.last, Self.isBlank(last) { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether another word follows.
    var hasMore: Bool {
        guard let next = left.first(where: { !Self.isBlank($0) }) else { return false }
        return next != UInt8(ascii: "#")
    }

    /// Passes over a letter and its colon; false when there is none.
    mutating func skipKey() -> Bool {
        guard left.count >= 2, left[left.startIndex + 1] == UInt8(ascii: ":") else { return false }
        left = left.dropFirst(2)
        return true
    }

    /// The next word as a hexadecimal number of at most four digits.
    mutating func hex(_ expected: String, below limit: UInt32 = 0x10000) throws(EvemuProblem) -> UInt16 {
        let word = next()
        guard (1...4).contains(word.count) else { throw problem(expected) }
        var value: UInt32 = 0
        for byte in word {
            guard let digit = Self.hexDigit(byte) else { throw problem(expected) }
            value = value << 4 | digit
        }
        guard value < limit else { throw problem(expected) }
        return UInt16(truncatingIfNeeded: value)
    }

    /// The next word as a signed decimal number of 32 bits.
    mutating func decimal(_ what: String) throws(EvemuProblem) -> Int32 {
        let word = next()
        let digits = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
        guard let magnitude = Self.decimal(digits, digits: 1...10) else {
            throw problem("\(what), a whole number of 32 bits")
        }
        let value = digits.count < word.count ? -Int64(magnitude) : Int64(magnitude)
        guard let number = Int32(exactly: value) else { throw problem("\(what), a whole number of 32 bits") }
        return number
    }

    /// The next word as seconds with six decimals; nanoseconds.
    mutating func time() throws(EvemuProblem) -> UInt64 {
        let expected = "a time as seconds, a point and six digits of microseconds: 0.071484"
        let word = next()
        guard let point = word.firstIndex(of: UInt8(ascii: ".")),
            let seconds = Self.decimal(word[..<point], digits: 1...10),
            let microseconds = Self.decimal(word[(point + 1)...], digits: 6...6)
        else { throw problem(expected) }
        // At most 10^10 s: below 2^64 ns.
        return seconds * 1_000_000_000 + microseconds * 1_000
    }

    /// Nothing but a comment may follow.
    func end() throws(EvemuProblem) {
        if hasMore { throw problem("nothing more than a comment behind the numbers") }
    }

    func problem(_ expected: String) -> EvemuProblem {
        // Bytes that are no UTF-8 are mended. No character has more than four bytes: the rest of a long line is not shown.
        let text = String(decoding: whole.prefix(4 * (Quotation.maximumLength + 1)), as: UTF8.self)
        return EvemuProblem(line: number, found: Quotation.quoted(text), expected: expected)
    }

    private mutating func next() -> ArraySlice<UInt8> {
        left = left.drop(while: Self.isBlank)
        let word = left.prefix { !Self.isBlank($0) && $0 != UInt8(ascii: "#") }
        left = left[word.endIndex...]
        return word
    }

    private static func decimal(_ word: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> UInt64? {
        guard digits.contains(word.count) else { return nil }
        var value: UInt64 = 0
        for byte in word {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
