/// Bytes as hexadecimal text, for tests, logs and transcripts.
public enum HexText {
    private static let digits: [Character] = Array("0123456789ABCDEF")

    /// Parses pairs of hexadecimal digits; spaces, tabs and line ends may stand between pairs, upper and lower case mix.
    ///
    /// Throws `.invalid` at the first character (counted in bytes of UTF-8 from the start) that fits no pair.
    public static func parse(_ text: String) throws(WireError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        var offset = 0
        for unit in text.utf8 {
            if let value = digitValue(unit) {
                if let first = high {
                    bytes.append(first << 4 | value)
                    high = nil
                } else {
                    high = value
                }
            } else if isSpace(unit) {
                guard high == nil else {
                    throw WireError(.invalid("a hexadecimal digit stands alone"), offset: offset)
                }
            } else {
                throw WireError(.invalid("not a hexadecimal digit"), offset: offset)
            }
            offset += 1
        }
        guard high == nil else { throw WireError(.invalid("a hexadecimal digit stands alone"), offset: offset) }
        return bytes
    }

    /// `bytes` as upper-case pairs with one space between them.
    public static func format(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        text.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if !text.isEmpty { text.append(" ") }
            append(byte, to: &text)
        }
        return text
    }

    /// Whole array as upper-case pairs with one space between them.
    public static func format(_ bytes: [UInt8]) -> String { format(bytes[...]) }

    /// A dump for people: lines of an offset, up to 16 pairs and the printable ASCII.
    ///
    /// At most `limit` bytes are shown; a last line tells how many were left out.
    public static func dump(_ bytes: ArraySlice<UInt8>, limit: Int = 512) -> String {
        let shown = bytes.prefix(max(0, limit))
        var lines: [String] = []
        var start = shown.startIndex
        while start < shown.endIndex {
            let row = shown[start..<min(start + 16, shown.endIndex)]
            lines.append(dumpLine(row, offset: start - shown.startIndex))
            start = row.endIndex
        }
        if bytes.count > shown.count {
            lines.append("... \(bytes.count - shown.count) more bytes")
        }
        return lines.joined(separator: "\n")
    }

    private static func dumpLine(_ row: ArraySlice<UInt8>, offset: Int) -> String {
        var line = ""
        for shift in [12, 8, 4, 0] {
            line.append(digits[(offset >> shift) & 0xF])
        }
        line.append(" ")
        for byte in row {
            line.append(" ")
            append(byte, to: &line)
        }
        line.append(String(repeating: "   ", count: 16 - row.count))
        line.append("  ")
        for byte in row {
            line.append(0x20...0x7E ~= byte ? Character(Unicode.Scalar(byte)) : ".")
        }
        return line
    }

    private static func append(_ byte: UInt8, to text: inout String) {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0xF)])
    }

    private static func digitValue(_ unit: UInt8) -> UInt8? {
        switch unit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): unit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): unit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): unit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    private static func isSpace(_ unit: UInt8) -> Bool {
        unit == UInt8(ascii: " ") || unit == UInt8(ascii: "\n") || unit == UInt8(ascii: "\t")
            || unit == UInt8(ascii: "\r")
    }
}
