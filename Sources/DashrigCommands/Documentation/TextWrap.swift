/// Breaks text into lines between words.
enum TextWrap {
    /// The lines of a text, each at most so wide; words that are wider stand alone. Lines after the first begin with
    /// `hanging` spaces.
    static func lines(_ text: String, width: Int, hanging: Int = 0) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if PrintableText.width(line) + 1 + PrintableText.width(String(word)) <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(repeating: " ", count: hanging) + word
            }
        }
        return lines + [line]
    }
}
