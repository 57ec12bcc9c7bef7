internal import VarlinkProtocol

/// Everything that a command says: results to standard output, words about them to standard error. With `--json` it
/// says nothing but JSON, one object a line.
///
/// The first failure to write is kept and ends all further output: whoever produces much looks at `failure`.
public final class Output {
    /// Whether results are JSON.
    public var isJSON = false
    /// Why nothing is written any more.
    public private(set) var failure: OutputFailure?
    /// Colour for results.
    let style: Palette
    /// Colour for words.
    let errorStyle: Palette
    /// Columns for results; nothing when they need not fit.
    let width: Int?

    private let results: any TextSink
    private let words: any TextSink
    private var pending = ""
    private var progressWidth = 0
    /// Whether words cannot be written any more.
    private var isSilent = false

    /// Results are collected up to so many bytes before they are written.
    private static let batch = 32_768

    /// An output over two sinks.
    public init(results: any TextSink, words: any TextSink) {
        self.results = results
        self.words = words
        style = Palette(isColored: results.usesColor)
        errorStyle = Palette(isColored: words.usesColor)
        width = results.isTerminal ? results.width : nil
    }

    /// Whether a person follows what happens: then waiting is explained.
    var showsProgress: Bool { words.isTerminal && !isJSON }

    /// A line of the result. It comes out at once or with the next flush.
    func line(_ text: String = "") {
        append(text + "\n")
    }

    /// The lines of a result.
    func lines(_ lines: [String]) {
        for text in lines { line(text) }
    }

    /// Text that has its line ends.
    func text(_ text: String) { append(text) }

    /// An object of the result, with `--json`.
    func json(_ value: JSON) {
        append(value.description + "\n")
    }

    private func append(_ text: String) {
        guard failure == nil else { return }
        pending += text
        if pending.utf8.count >= Self.batch { flush() }
    }

    /// Writes what was collected. To be called before waiting for anything.
    func flush() {
        guard failure == nil, !pending.isEmpty else { return }
        clearProgress()
        let text = pending
        pending = ""
        do {
            try results.write(text)
        } catch {
            failure = error
        }
    }

    /// A line for a person who watches; nothing with `--json`.
    func note(_ text: String) {
        if isJSON { return }
        say(text)
    }

    /// A line on standard error.
    func say(_ text: String) {
        flush()
        clearProgress()
        writeWords(text + "\n")
    }

    /// Shows what is waited for, in place of what was shown before. Nothing unless a person looks.
    func progress(_ text: String) {
        guard showsProgress else { return }
        flush()
        // The last column stays free: some terminals wrap when it is written.
        let shown = PrintableText.cut(PrintableText.escaped(text), to: max(0, (words.width ?? 80) - 1))
        let columns = PrintableText.width(shown)
        let rest = String(repeating: " ", count: max(0, progressWidth - columns))
        writeWords("\r" + errorStyle.text(shown, .faint) + rest)
        progressWidth = columns
    }

    /// Takes away what was shown in place.
    func clearProgress() {
        guard progressWidth > 0 else { return }
        writeWords("\r" + String(repeating: " ", count: progressWidth) + "\r")
        progressWidth = 0
    }

    private func writeWords(_ text: String) {
        guard !isSilent else { return }
        do {
            try words.write(text)
        } catch {
            // Nobody is left to be told; results and the exit code go on to say what they say.
            isSilent = true
        }
    }
}
