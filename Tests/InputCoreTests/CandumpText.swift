import RigModel

/// Lines of candump: its log form, `(1.500000) can0 264#000000FF7F`, and what it prints with `-t a`,
/// `(1.500000)  can0  264   [5]  00 00 00 FF 7F`.
enum CandumpText {
    /// The frame of a line, or `nil` for what is none.
    static func frame(_ line: String) -> CANFrame? {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 3, words[0].first == "(", words[0].last == ")",
            let time = nanoseconds(words[0].dropFirst().dropLast())
        else { return nil }
        if words.count == 3 {
            let halves = words[2].split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            guard halves.count == 2, let id = identifier(halves[0]), let data = bytes(halves[1]) else { return nil }
            return CANFrame(id: id, data: data, time: time)
        }
        let data = words[4...].compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
        guard let id = identifier(words[2]), words[3] == "[\(data.count)]", data.count == words.count - 4
        else { return nil }
        return CANFrame(id: id, data: data, time: time)
    }

    private static func nanoseconds(_ text: Substring) -> UInt64? {
        let parts = text.split(separator: ".").map(String.init)
        guard parts.count == 2, parts[1].utf8.count == 6, let seconds = UInt64(parts[0]), let rest = UInt64(parts[1])
        else { return nil }
        return seconds * 1_000_000_000 + rest * 1_000
    }

    private static func identifier(_ text: String) -> CANIdentifier? {
        guard let number = UInt32(text, radix: 16) else { return nil }
        switch text.utf8.count {
        case 3: return number <= 0x7FF ? CANIdentifier(number) : nil
        case 8: return number <= 0x1FFF_FFFF ? CANIdentifier(extended: number) : nil
        default: return nil
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * CANFrame.maximumBytes else { return nil }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
