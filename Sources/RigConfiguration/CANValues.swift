import RigModel

/// How the values of a table of CAN controllers are read. Ids, bytes and masks are hexadecimal, places in a frame are
/// digits from 0.
enum CANValues {
    /// As candump writes it: 1 to 3 digits, or 8 for one of 29 bits.
    static func identifier(_ text: String) throws(ConfigurationValueError) -> CANIdentifier {
        let isHexadecimal = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
        }
        if isHexadecimal, let number = UInt32(text, radix: 16) {
            if (1...3).contains(text.utf8.count) && number <= 0x7FF { return CANIdentifier(number) }
            if text.utf8.count == 8 && number <= 0x1FFF_FFFF { return CANIdentifier(extended: number) }
        }
        throw ConfigurationValueError(
            "\(ConfigurationValue.quoted(text)) is no CAN id: 0 to 7ff, or 00000000 to 1fffffff with 8 digits")
    }

    /// `264 3 4`: the message, and the bytes of a counter, the lowest first.
    static func counter(
        _ text: String
    ) throws(ConfigurationValueError) -> (id: CANIdentifier, number: CANNumber) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1 else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is no id with bytes behind it, as in 264 3 4")
        }
        return (try identifier(words[0]), try number(words[1...]))
    }

    /// `1 2&01`: bytes, or bits of them, the lowest first.
    static func number(_ text: String) throws(ConfigurationValueError) -> CANNumber {
        try number(text.split(separator: " ").map(String.init)[...])
    }

    private static func number(_ words: ArraySlice<String>) throws(ConfigurationValueError) -> CANNumber {
        var parts: [CANBits] = []
        for word in words {
            let (place, mask) = try bits(word)
            guard let part = CANBits(place: place, mask: mask) else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(word)) leaves a gap between bits; a mask is a run of ones, as in 2&f0")
            }
            parts.append(part)
        }
        guard let number = CANNumber(parts) else {
            throw ConfigurationValueError("a number has 1 to \(CANNumber.maximumWidth) bits")
        }
        return number
    }

    /// `4` or `4&0f`.
    private static func bits(_ word: String) throws(ConfigurationValueError) -> (place: Int, mask: UInt8) {
        let parts = word.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let place = parts.first else {
            throw ConfigurationValueError("\(ConfigurationValue.quoted(word)) is no byte with a mask, as in 4&0f")
        }
        let last = CANFrame.maximumBytes - 1
        guard let place = Int(place), (0...last).contains(place), word.utf8.first != 0x2B else {
            throw ConfigurationValueError("\(ConfigurationValue.quoted(word)) names none of the bytes 0 to \(last)")
        }
        let mask = parts.count == 2 ? try byte(parts[1]) : 0xFF
        guard mask != 0 else { throw ConfigurationValueError("\(ConfigurationValue.quoted(word)) looks at no bit") }
        return (place, mask)
    }

    private static func byte(_ text: String) throws(ConfigurationValueError) -> UInt8 {
        UInt8(truncatingIfNeeded: try ConfigurationValue.hexadecimal(text, digits: 2))
    }

    /// `4=de`, `3&0f=1`, `5=01|00`.
    private static func test(_ word: String) throws(ConfigurationValueError) -> CANTest {
        let sides = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2 else {
            throw ConfigurationValueError("\(ConfigurationValue.quoted(word)) is no test, as in 4=de or 3&0f=1")
        }
        let (place, mask) = try bits(sides[0])
        var values: [UInt8] = []
        for text in sides[1].split(separator: "|", omittingEmptySubsequences: false) {
            let value = try byte(String(text))
            guard value & ~mask == 0 else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(word)) can never hold: its mask hides the value")
            }
            values.append(value)
        }
        return CANTest(place: place, mask: mask, values: values)
    }

    /// `5e7 4=06`: a message, and what must hold.
    static func tests(_ text: String) throws(ConfigurationValueError) -> (id: CANIdentifier, tests: [CANTest]) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1 else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is no id with tests behind it, as in 5e7 4=06")
        }
        var tests: [CANTest] = []
        for word in words[1...] { tests.append(try test(word)) }
        return (try identifier(words[0]), tests)
    }

    /// How frames tell a control.
    struct Control {
        let id: CANIdentifier
        var concerns: [CANTest] = []
        var down: [CANTest] = []
        var held: [CANTest] = []
    }

    /// `267 if 4=c0 5=01 down 3&0f=1 held 3&0f=2`; `if` and `held` may be missing.
    static func control(_ text: String) throws(ConfigurationValueError) -> Control {
        let words = text.split(separator: " ").map(String.init)
        guard let id = words.first else { throw ConfigurationValueError("a control needs an id, as in 25b down 3=01") }
        var control = Control(id: try identifier(id))
        var part = ""
        var seen: [String] = []
        for word in words.dropFirst() {
            if ["if", "down", "held"].contains(word) {
                guard !seen.contains(word) else { throw ConfigurationValueError("\"\(word)\" comes twice") }
                seen.append(word)
                part = word
                continue
            }
            switch part {
            case "if": control.concerns.append(try test(word))
            case "down": control.down.append(try test(word))
            case "held": control.held.append(try test(word))
            default:
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(word)) stands before one of if, down, held",
                    suggestion: Spelling.nearest(to: word, among: ["if", "down", "held"]))
            }
        }
        guard !control.down.isEmpty else {
            throw ConfigurationValueError("it does not say when the control is down, as in 25b down 3=01")
        }
        return control
    }

    /// `4 11=0 10=1`: the byte that counts fingers, and what its values say.
    static func fingers(
        _ text: String
    ) throws(ConfigurationValueError) -> (place: Int, counts: [CANPad.Count]) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, let place = Int(words[0]), (0..<CANFrame.maximumBytes).contains(place) else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is no byte 0 to \(CANFrame.maximumBytes - 1) with values behind it, "
                    + "as in 4 11=0 10=1")
        }
        var counts: [CANPad.Count] = []
        for word in words[1...] {
            let sides = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2 else {
                throw ConfigurationValueError("\(ConfigurationValue.quoted(word)) is no VALUE=FINGERS, as in 10=1")
            }
            let value = try byte(sides[0])
            guard !counts.contains(where: { $0.value == value }) else {
                throw ConfigurationValueError("the value \(ConfigurationValue.quoted(sides[0])) comes twice")
            }
            counts.append(CANPad.Count(value: value, fingers: try ConfigurationValue.integer(sides[1], in: 0...5)))
        }
        guard counts.contains(where: { $0.fingers == 0 }) else {
            throw ConfigurationValueError("none of the values says that no finger is there, as in 11=0")
        }
        return (place, counts)
    }

    /// `273 1d e1 00`: a frame to send.
    static func frame(_ text: String) throws(ConfigurationValueError) -> CANFrame {
        let words = text.split(separator: " ").map(String.init)
        guard let id = words.first, words.count <= CANFrame.maximumBytes + 1 else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is no id with up to \(CANFrame.maximumBytes) bytes behind it")
        }
        var data: [UInt8] = []
        for word in words.dropFirst() { data.append(try byte(word)) }
        return CANFrame(id: try identifier(id), data: data)
    }
}
