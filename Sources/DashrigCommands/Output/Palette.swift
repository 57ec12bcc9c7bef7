/// How a piece of text is meant; colours follow from it.
enum Tone: Sendable {
    case plain
    /// A heading or the thing that is looked for.
    case strong
    /// Beside the point.
    case faint
    /// As it should be.
    case good
    /// Wrong.
    case bad
    /// To be looked at.
    case notable
    /// The name of a thing.
    case name

    /// The SGR parameters; nothing for plain text. Only the eight basic colours, which every theme makes readable.
    fileprivate var code: String {
        switch self {
        case .plain: ""
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .bad: "31"
        case .notable: "33"
        case .name: "36"
        }
    }
}

/// Puts colour on text, or leaves it alone.
struct Palette: Sendable {
    /// Whether there is colour.
    let isColored: Bool

    /// The text in its tone.
    func text(_ text: String, _ tone: Tone) -> String {
        guard isColored, !tone.code.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(tone.code)m\(text)\u{1B}[0m"
    }
}
