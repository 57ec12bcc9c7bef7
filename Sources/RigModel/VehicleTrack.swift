/// A drive: what the vehicle measures, point by point in time.
public struct VehicleTrack: Equatable, Sendable {
    /// A point.
    public struct Point: Equatable, Sendable {
        /// Nanoseconds from the beginning.
        public var time: UInt64
        /// What changes then.
        public var change: MeasureChange

        /// States a point.
        public init(time: UInt64, change: MeasureChange) {
            self.time = time
            self.change = change
        }
    }

    /// Why a text is no track.
    public struct Problem: Error, Equatable, Sendable {
        /// Its line, from 1.
        public let line: Int
        /// What is wrong and what would be right.
        public let text: String
    }

    /// The points, at least one, by ascending time.
    public let points: [Point]
    /// The text that it was read from.
    public let text: String

    /// The most points: ours, more than four hours at one a second.
    public static let maximumPoints = 16_384
    /// The longest text in bytes: what one call on the rig's socket carries, with room for the rest of the call.
    public static let maximumBytes = 1_000_000
    /// The longest time in nanoseconds: a day. Ours.
    public static let maximumTime: UInt64 = 86_400_000_000_000

    /// Reads a table: a first line of column names, then a line for each point with values between commas.
    ///
    /// The column `time` has seconds from the beginning; the others are words of `VehicleWords` in published units, with
    /// `latitude` and `longitude` for the place. An empty value leaves a measure as it is. Empty lines and lines that
    /// begin with `#` are passed over.
    public init(parsing text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw Problem(line: 1, text: "the track has \(text.utf8.count) bytes; the most is \(Self.maximumBytes)")
        }
        var columns: [Substring]?
        var points: [Point] = []
        var number = 0
        for bytes in ByteOrderMark.skipped(in: text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = Self.trimmed(Substring(bytes))
            guard !line.isEmpty, line.first != "#" else { continue }
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            guard let columns else {
                columns = try Self.header(cells, number)
                continue
            }
            guard cells.count == columns.count else {
                throw Problem(
                    line: number, text: "\(cells.count) values stand here, and \(columns.count) columns above")
            }
            guard points.count < Self.maximumPoints else {
                throw Problem(line: number, text: "a track has at most \(Self.maximumPoints) points")
            }
            points.append(try Self.point(cells, columns, after: points.last, number))
        }
        guard !points.isEmpty else { throw Problem(line: max(1, number), text: "the track has no points") }
        self.points = points
        self.text = text
    }

    private static func header(_ cells: [Substring], _ line: Int) throws(Problem) -> [Substring] {
        let known = ["time"] + VehicleWords.columns
        for (index, cell) in cells.enumerated() {
            guard known.contains(String(cell)) else {
                let near = Spelling.nearest(to: String(cell), among: known).map { "; did you mean '\($0)'?" } ?? ""
                let all = known.joined(separator: ", ")
                throw Problem(
                    line: line, text: "there is no column \(Quotation.quoted(cell, with: "'")); there is \(all)\(near)")
            }
            guard !cells[..<index].contains(cell) else {
                throw Problem(line: line, text: "the column '\(cell)' stands twice")
            }
        }
        guard cells.contains("time") else { throw Problem(line: line, text: "the column 'time' is missing") }
        guard cells.contains("latitude") == cells.contains("longitude") else {
            throw Problem(line: line, text: "the columns 'latitude' and 'longitude' go together")
        }
        return cells
    }

    private static func point(
        _ cells: [Substring], _ columns: [Substring], after last: Point?, _ line: Int
    ) throws(Problem) -> Point {
        var words = VehicleWords(.table)
        var time: UInt64 = 0
        for (column, cell) in zip(columns, cells) {
            if column == "time" {
                time = try Self.time(cell, line)
                continue
            }
            guard !cell.isEmpty else { continue }
            do throws(VehicleProblem) {
                try words.set(String(column), to: String(cell))
            } catch {
                throw Problem(line: line, text: "\(column): \(error.text)")
            }
        }
        if let last, time <= last.time {
            throw Problem(line: line, text: "the time is not later than that of the point before")
        }
        do throws(VehicleProblem) {
            return Point(time: time, change: try words.change())
        } catch {
            throw Problem(line: line, text: error.text)
        }
    }

    /// Seconds with up to nine decimals, in nanoseconds.
    private static func time(_ cell: Substring, _ line: Int) throws(Problem) -> UInt64 {
        let parts = cell.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let decimals = parts.count == 2 ? parts[1] : "0"
        let isNumber = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard isNumber, decimals.utf8.count <= 9 else {
            throw Problem(
                line: line,
                text: "time: \(Quotation.quoted(cell, with: "'")) is no number of seconds with up to nine decimals")
        }
        let padded = decimals + String(repeating: "0", count: 9 - decimals.utf8.count)
        let limit = maximumTime / 1_000_000_000
        guard let whole = UInt64(parts[0]), let rest = UInt64(padded), whole < limit || whole == limit && rest == 0
        else {
            throw Problem(line: line, text: "time: \(Quotation.shortened(cell)) is not between 0 and \(limit) seconds")
        }
        return whole * 1_000_000_000 + rest
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = text.utf8
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}

/// The text of a track under the name by which a scenario plays it.
public struct TrackFile: Equatable, Sendable {
    /// The name, as the scenario has it.
    public let name: String
    /// The text.
    public let text: String

    /// The most tracks of one scenario: ours.
    public static let maximumCount = 64

    /// Names a text.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
