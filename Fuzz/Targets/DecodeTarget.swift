import DashrigCommands

/// Any bytes as `dashrig decode` reads them: each byte is told once, in order, in lines that a terminal can show, and as
/// JSON that reads back.
///
/// Input: one byte for what they are read as, then the bytes.
enum DecodeTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let first = bytes.first else { return }
        let readers = DecodeReader.allCases
        let reader = readers[Int(first) % readers.count]
        let told = Array(bytes.dropFirst())
        let reading = reader.read(told)
        var end = 0
        for place in reading.places {
            try require(place.lowerBound == end, "byte \(end) is left out or told twice: \(place)")
            end = place.upperBound
        }
        try require(end == told.count, "\(told.count) bytes, of which \(end) are told")
        if let stray = reading.stray { throw FuzzFinding(stray) }
        for line in reading.lines + reading.longLines {
            try require(
                !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) },
                "a line that a terminal acts on: \(line)")
        }
        try require(reading.lines.count == reading.longLines.count, "another number of lines when all is shown")
        // A line for each byte or bit is more than enough.
        try require(reading.lines.count <= 16 * told.count + 16 + limit, "\(reading.lines.count) lines")
        for object in reading.objects { try JSONTarget.checkWriting(object) }
    }

    /// What a descriptor of a few bytes can describe.
    private static let limit = 4_096
}
