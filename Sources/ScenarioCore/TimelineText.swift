import RigModel

/// How text for people looks.
public struct TextStyle: Equatable, Sendable {
    /// Whether it is coloured with ANSI escapes: for terminals.
    public var colours: Bool
    /// Whether marks are signs beyond ASCII.
    public var signs: Bool
    /// Whether lines are shown that people rarely want: see `TimelineText.isRoutine`.
    public var full: Bool

    /// States a style; the default is plain text that any log can hold, in UTF-8.
    public init(colours: Bool = false, signs: Bool = true, full: Bool = false) {
        self.colours = colours
        self.signs = signs
        self.full = full
    }

    fileprivate enum Colour: String {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    fileprivate func paint(_ text: String, _ colour: Colour?) -> String {
        guard colours, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }
}

/// Timelines and verdicts as a person likes to read them.
public enum TimelineText {
    /// A step that is later than this is marked: 1 ms, less than a frame of any display.
    public static let notableLateness: UInt64 = 1_000_000

    /// One line: seconds from the start, line of the file, mark, text.
    ///
    ///        0.000    3  ▸ plug iphone as phone
    ///        0.001       · device.attached   phone      iphone, simulated
    ///        0.103    4  ✓ session.active where device = phone within 1s
    ///        5.103    9  ✗ session.closed did not come within 5s
    public static func line(_ entry: TimelineEntry, style: TextStyle = TextStyle()) -> String {
        let time = padLeft(DurationText.seconds(entry.time), to: 9)
        let line = padLeft(entry.line.map { "\($0)" } ?? "", to: 5)
        let (sign, plain, colour) = mark(entry.kind)
        var text = VisibleText.visible(entry.text)
        if let lateness = entry.lateness, lateness >= notableLateness {
            text += "  (\(DurationText.short(lateness)) late)"
        }
        let painted = style.paint("\(style.signs ? sign : plain) \(text)", colour)
        return "\(style.paint(time + line, .dim))  \(painted)"
    }

    /// Every entry on a line of its own; routine ones only when the style is full.
    public static func render(_ entries: [TimelineEntry], style: TextStyle = TextStyle()) -> String {
        entries.filter { style.full || !isRoutine($0) }.map { line($0, style: style) }.joined(separator: "\n")
    }

    /// Whether people rarely want the line: a `mark` step, because its event says the same, contacts that move on, and
    /// how far input has come.
    public static func isRoutine(_ entry: TimelineEntry) -> Bool {
        switch entry.kind {
        case .step: entry.text.hasPrefix("mark ")
        case .event:
            entry.event.map { event in
                guard let kind = event.text(at: "kind").flatMap(EventKind.init(rawValue:)) else { return false }
                return kind == .inputStep || kind.isMotion(event)
            } ?? false
        case .expectation, .note, .failure: false
        }
    }

    /// The verdict with everything that went wrong, several lines.
    public static func render(_ verdict: Verdict, style: TextStyle = TextStyle()) -> String {
        var lines = [summary(verdict, style: style)]
        for failure in verdict.failures { lines += self.lines(failure, style: style) }
        return lines.joined(separator: "\n")
    }

    /// The verdict in one line.
    public static func summary(_ verdict: Verdict, style: TextStyle = TextStyle()) -> String {
        let counts = verdict.counts
        let word: String
        switch verdict.outcome {
        case .passed: word = "PASSED"
        case .failed: word = "FAILED"
        case .scriptWrong: word = "SCRIPT WRONG"
        case .rigFailed: word = "RIG FAILED"
        case .interrupted: word = "INTERRUPTED"
        }
        let head = style.paint(
            "\(word)  \(VisibleText.visible(verdict.name))", verdict.outcome == .passed ? .green : .red)
        if counts.steps == 0, verdict.outcome == .scriptWrong {
            let number = verdict.failures.count
            return "\(head): \(number) \(number == 1 ? "problem" : "problems"); nothing was run"
        }
        let steps = "\(counts.done) of \(counts.steps) steps"
        let met = "\(counts.met) of \(counts.expectations) expectations met"
        let late = DurationText.short(counts.maximumLateness)
        return "\(head): \(steps), \(met), \(counts.events) events in \(DurationText.seconds(verdict.duration)) s; "
            + "at most \(late) late"
    }

    private static func lines(_ failure: RunFailure, style: TextStyle) -> [String] {
        let place = failure.place.map { "\(VisibleText.visible($0.text)): " } ?? ""
        var lines = ["  \(place)\(style.paint(VisibleText.visible(failure.text), .bold))"]
        if let step = failure.step { lines.append("      line      \(VisibleText.visible(step))") }
        if let expected = failure.expected { lines.append("      expected  \(VisibleText.visible(expected))") }
        if let hint = failure.hint {
            lines.append("      \(style.paint("note      \(VisibleText.visible(hint))", .yellow))")
        }
        if !failure.came.isEmpty {
            lines.append("      the last events before it:")
            lines += failure.came.map { "      \(line($0, style: style))" }
        }
        return lines
    }

    private static func mark(_ kind: TimelineEntry.Kind) -> (sign: String, plain: String, TextStyle.Colour?) {
        switch kind {
        case .step: ("▸", ">", .bold)
        case .event: ("·", " ", nil)
        case .expectation: ("✓", "+", .green)
        case .note: ("–", "-", .yellow)
        case .failure: ("✗", "!", .red)
        }
    }

    private static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// Makes text safe to show: what others wrote must not move the cursor or hide anything.
enum VisibleText {
    /// The text with control and direction characters written out: `\n`, `\u{1B}`.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isHidden(scalar): result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
        default: false
        }
    }
}
