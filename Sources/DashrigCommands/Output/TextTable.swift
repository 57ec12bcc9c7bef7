/// Rows in aligned columns. A table that is wider than the terminal loses the ends of cells, never its alignment.
struct TextTable {
    /// One column.
    struct Column {
        let title: String
        /// Numbers stand at the right.
        var isRight = false
        /// Fewest columns it can be cut to; nothing for what must be read whole.
        var leastWidth: Int?
    }

    /// One cell.
    struct Cell {
        let text: String
        let tone: Tone

        init(_ text: String, _ tone: Tone = .plain) {
            self.text = PrintableText.escaped(text)
            self.tone = tone
        }
    }

    private let columns: [Column]
    private var rows: [[Cell]] = []
    private let indentation: Int

    init(_ columns: [Column], indentation: Int = 0) {
        self.columns = columns
        self.indentation = indentation
    }

    mutating func add(_ row: [Cell]) {
        precondition(row.count == columns.count, "a row has a cell for each column")
        rows.append(row)
    }

    var isEmpty: Bool { rows.isEmpty }

    /// The lines with a heading, for a terminal of so many columns, or of any width.
    func lines(width: Int?, style: Palette, hasHeading: Bool = true) -> [String] {
        let head = columns.map { Cell($0.title, .faint) }
        let all = hasHeading ? [head] + rows : rows
        let widths = fit(
            columns.indices.map { index in all.map { PrintableText.width($0[index].text) }.max() ?? 0 }, width)
        return all.map { row in line(row, widths, width, style) }
    }

    private static let gap = 2

    private func fit(_ natural: [Int], _ width: Int?) -> [Int] {
        guard let width else { return natural }
        var widths = natural
        var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) + indentation - width
        while excess > 0 {
            // The widest of those that can give something gives one column.
            let giving = widths.indices.filter { widths[$0] > (columns[$0].leastWidth ?? .max) }
            guard let widest = giving.max(by: { widths[$0] < widths[$1] }) else { return widths }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ row: [Cell], _ widths: [Int], _ width: Int?, _ style: Palette) -> String {
        var line = String(repeating: " ", count: indentation)
        var used = indentation
        for (index, cell) in row.enumerated() {
            let isLast = index == row.count - 1
            var room = widths[index]
            if let width { room = min(room, max(0, width - used)) }
            let text = PrintableText.cut(cell.text, to: room)
            let spaces = String(repeating: " ", count: max(0, room - PrintableText.width(text)))
            let shown = style.text(text, cell.tone)
            if columns[index].isRight { line += spaces + shown } else { line += isLast ? shown : shown + spaces }
            used += room
            if !isLast {
                let gap = width.map { min(Self.gap, max(0, $0 - used)) } ?? Self.gap
                line += String(repeating: " ", count: gap)
                used += gap
            }
        }
        return style.isColored ? line : trimmedEnd(line)
    }

    private func trimmedEnd(_ line: String) -> String {
        var rest = Substring(line)
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
