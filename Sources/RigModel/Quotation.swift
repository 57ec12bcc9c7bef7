/// A piece of foreign text as a message repeats it.
public enum Quotation {
    /// The most characters that are repeated; longer texts are cut: ours, a word and not a page.
    public static let maximumLength = 64

    /// The text between two marks, shortened and printable.
    public static func quoted(_ text: some StringProtocol, with mark: Character = "\"") -> String {
        "\(mark)\(shortened(text))\(mark)"
    }

    /// The text without marks, shortened and printable: control characters are `?`, and an ellipsis stands for what is
    /// missing.
    public static func shortened(_ text: some StringProtocol) -> String {
        var shown = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == maximumLength { return shown + "…" }
            count += 1
            shown.unicodeScalars.append(isControl(scalar) ? "?" : scalar)
        }
        return shown
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
    }
}
