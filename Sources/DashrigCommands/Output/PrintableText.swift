/// Text from a device, a file or a person, made safe and measurable for a terminal.
enum PrintableText {
    /// The text with everything escaped that a terminal would act on: control characters, line ends, and the characters
    /// that reorder what is around them.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isActive) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isActive(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// How many columns the text takes on a terminal.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // East Asian wide and fullwidth blocks, and the emoji that are shown as pictures (UAX #11).
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    /// The text cut to so many columns, with an ellipsis where something is missing.
    static func cut(_ text: String, to columns: Int) -> String {
        if width(text) <= columns { return text }
        guard columns > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            let next = width(character)
            if used + next > columns { break }
            result.append(character)
            used += next
        }
        return result + "…"
    }

    /// The text with spaces up to so many columns.
    static func padded(_ text: String, to columns: Int, atEnd: Bool = true) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - width(text)))
        return atEnd ? text + spaces : spaces + text
    }
}
