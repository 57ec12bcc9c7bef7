internal import RigModel

/// Bytes written as text, in the shapes in which tools and people write them.
///
/// Plain pairs of hexadecimal digits with or without anything usual between them (`FF5A`, `ff:5a`, `0xFF, 0x5A`,
/// `\xff\x5a`); lines with an offset in front and maybe characters behind, as `xxd`, `hexdump -C`, `tcpdump -xx` and
/// Wireshark print them, with `*` for repeated lines; and the lines of `candump`, on a terminal or in its log. Outside of
/// dumps, what follows a `#` at the beginning of a word is a comment.
struct HexInput: Equatable {
    /// How the bytes were written.
    enum Form: String {
        /// Nothing but digits and what separates them.
        case plain = "hex"
        /// Lines that begin with an offset.
        case dump = "dump"
        /// Frames as candump shows them; the bytes of all frames behind each other.
        case frames = "candump"
    }

    /// A place that cannot be read.
    struct Failure: Error, Equatable {
        /// What is wrong there.
        let text: String
        /// The line, from 1.
        let line: Int
        /// The byte of the line, from 1.
        let column: Int

        var description: String { "line \(line), column \(column): \(text)" }
    }

    /// How they were written; the first line that is not empty decides.
    private(set) var form = Form.plain
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Reads a text of which at most `limit` bytes come.
    init(_ text: [UInt8], limit: Int) throws(Failure) {
        let lines = ByteOrderMark.skipped(in: text).split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "\n") }
            .map(HexLine.init)
        guard let first = lines.first(where: { !$0.isEmpty }) else { return }
        if first.isFrame {
            form = .frames
        } else if first.offset(expecting: 0) != nil {
            form = .dump
        }
        var dump = HexDumpReading(limit: limit)
        for (index, line) in lines.enumerated() where !line.isEmpty || form == .dump && !line.isBlank {
            do throws(HexLine.Failure) {
                switch form {
                case .plain: bytes += try line.plainBytes()
                case .frames: bytes += try line.frameBytes()
                case .dump: try dump.take(line, into: &bytes)
                }
                guard bytes.count <= limit else { throw HexLine.Failure("more than \(limit) bytes", at: 0) }
            } catch {
                throw Failure(text: error.text, line: index + 1, column: error.index + 1)
            }
        }
        guard !dump.isRepeating else {
            throw Failure(text: "the dump ends with a *, so that its length is not known", line: lines.count, column: 1)
        }
    }
}

/// Joins the lines of a dump: each must begin where the one before has ended.
struct HexDumpReading {
    private let limit: Int
    private var base: UInt64?
    private var row: [UInt8] = []
    /// Whether the last line was a `*`: the line before it is repeated up to the next offset.
    private(set) var isRepeating = false

    init(limit: Int) { self.limit = limit }

    mutating func take(_ line: HexLine, into bytes: inout [UInt8]) throws(HexLine.Failure) {
        if line.isStar {
            guard !row.isEmpty, !isRepeating else { throw HexLine.Failure("there is no line to repeat", at: 0) }
            isRepeating = true
            return
        }
        let expected = (base ?? 0) + UInt64(bytes.count)
        guard let offset = line.offset(expecting: isRepeating ? nil : expected) else {
            throw HexLine.Failure("the line does not begin with an offset, as the first one does", at: 0)
        }
        // A part of a larger dump begins where it was cut out.
        if base == nil { base = offset.value }
        if isRepeating {
            try fill(to: offset.value, from: expected, into: &bytes)
        } else if base != offset.value - min(UInt64(bytes.count), offset.value) {
            throw HexLine.Failure(
                "the offset is \(hexadecimal(offset.value)), the lines before end at \(hexadecimal(expected))", at: 0)
        }
        isRepeating = false
        row = try line.rowBytes(from: offset.end)
        bytes += row
    }

    private func fill(to end: UInt64, from start: UInt64, into bytes: inout [UInt8]) throws(HexLine.Failure) {
        guard end >= start, (end - start) % UInt64(row.count) == 0 else {
            throw HexLine.Failure(
                "the offset is \(hexadecimal(end)), which is no whole number of repeated lines after "
                    + hexadecimal(start), at: 0)
        }
        guard end - start <= UInt64(limit - bytes.count) else {
            throw HexLine.Failure("more than \(limit) bytes", at: 0)
        }
        for _ in 0..<(end - start) / UInt64(row.count) { bytes += row }
    }
}

/// A number as offsets are shown: at least four digits.
func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
