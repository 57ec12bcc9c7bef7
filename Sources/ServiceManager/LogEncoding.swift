internal import LinuxIO

/// A record in the two forms that leave the process.
enum LogEncoding {
    /// What our own journal fields begin with; the journal's fields share one name space.
    static let prefix = "DASHRIG_"
    /// The longest field name that the journal takes.
    static let nameLimit = 64

    /// The journal's native form: "NAME=text\n", or for a text with line feeds the name, a line feed, the length as
    /// 64 bits little-endian, the text, a line feed.
    static func journalEntry(_ record: LogRecord, identifier: String) -> [UInt8] {
        var entry: [UInt8] = []
        entry.reserveCapacity(128 + record.text.utf8.count)
        append("MESSAGE", record.text, to: &entry)
        append("PRIORITY", String(record.level.rawValue), to: &entry)
        append("SYSLOG_IDENTIFIER", identifier, to: &entry)
        append(prefix + "RECORD", record.name, to: &entry)
        for field in record.fields { append(fieldName(field.key), field.value, to: &entry) }
        return entry
    }

    /// One line for people: name, text, fields; cut to `limit` bytes with its line feed. Control characters and line
    /// feeds are escaped, so that no text from outside can pose as a record of its own.
    static func line(_ record: LogRecord, prefixed: Bool, limit: Int) -> [UInt8] {
        var line: [UInt8] = []
        if prefixed { line.append(contentsOf: "<\(record.level.rawValue)>".utf8) }
        line.append(contentsOf: "\(record.level.name) \(record.name): ".utf8)
        appendEscaped(record.text, quoted: false, to: &line)
        for field in record.fields {
            line.append(contentsOf: " \(field.key)=".utf8)
            appendEscaped(field.value, quoted: needsQuotes(field.value), to: &line)
        }
        if line.count >= limit { cut(&line, to: limit - 1) }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// "device" becomes "DASHRIG_DEVICE"; what the journal does not allow becomes "_".
    static func fieldName(_ key: String) -> String {
        var name: [UInt8] = Array(prefix.utf8)
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): name.append(byte & 0xDF)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): name.append(byte)
            default: name.append(UInt8(ascii: "_"))
            }
        }
        return String(decoding: name.prefix(nameLimit), as: UTF8.self)
    }

    private static func append(_ name: String, _ text: String, to entry: inout [UInt8]) {
        entry.append(contentsOf: name.utf8)
        if text.utf8.contains(UInt8(ascii: "\n")) {
            entry.append(UInt8(ascii: "\n"))
            let count = UInt64(text.utf8.count)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                entry.append(UInt8(truncatingIfNeeded: count >> shift))
            }
        } else {
            entry.append(UInt8(ascii: "="))
        }
        entry.append(contentsOf: text.utf8)
        entry.append(UInt8(ascii: "\n"))
    }

    private static func needsQuotes(_ text: String) -> Bool {
        text.isEmpty || text.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "=") }
    }

    private static func appendEscaped(_ text: String, quoted: Bool, to line: inout [UInt8]) {
        if quoted { line.append(UInt8(ascii: "\"")) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line.append(contentsOf: "\\n".utf8)
            case "\t": line.append(contentsOf: "\\t".utf8)
            case "\"" where quoted: line.append(contentsOf: "\\\"".utf8)
            case "\\": line.append(contentsOf: "\\\\".utf8)
            // C0, DEL and C1: a terminal would obey them.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                line.append(contentsOf: "\\x\(digits.utf8.count < 2 ? "0" : "")\(digits)".utf8)
            default: line.append(contentsOf: String(scalar).utf8)
            }
        }
        if quoted { line.append(UInt8(ascii: "\"")) }
    }

    /// Shortens to `limit` bytes at most, between characters, with a mark that something is missing.
    private static func cut(_ line: inout [UInt8], to limit: Int) {
        let mark = Array("…".utf8)
        var end = max(0, min(line.count, limit - mark.count))
        // A byte from 0x80 to 0xBF continues a character: the cut comes before the byte that begins it.
        while end > 0, end < line.count, line[end] & 0xC0 == 0x80 { end -= 1 }
        line.removeSubrange(end...)
        line.append(contentsOf: mark)
    }
}
