package import VarlinkProtocol

/// What `dashrig decode` reads, for those who try any bytes on it.
package enum DecodeReader: CaseIterable, Sendable {
    /// Packets of a link.
    case link
    /// Messages of the control channel.
    case control
    /// The items of a HID report descriptor, and the reports that it describes.
    case descriptor

    /// All that is said of some bytes.
    package struct Reading: Sendable {
        /// The lines for people, short and whole.
        package var lines: [String] = []
        package var longLines: [String] = []
        /// The same as JSON, one value for each part.
        package var objects: [JSON] = []
        /// Where each part stands that stands for bytes of its own, in the order in which they are told.
        package var places: [Range<Int>] = []
        /// The first part that stands outside of the one around it.
        package var stray: String?
        package var problems = 0
    }

    /// Reads all of it.
    package func read(_ bytes: [UInt8]) -> Reading {
        var reading = Reading()
        let short = DecodedText(style: Palette(isColored: false), isFull: false)
        let long = DecodedText(style: Palette(isColored: false), isFull: true)
        var totals = DecodedTotals()
        parts(of: bytes) { part, isPlaced in
            totals.add(part)
            reading.lines += short.lines(part)
            reading.longLines += long.lines(part)
            reading.objects.append(part.json)
            guard isPlaced else { return }
            if part.length > 0 { reading.places.append(part.offset..<(part.offset + part.length)) }
            if reading.stray == nil { reading.stray = Self.stray(in: part) }
        }
        reading.problems = totals.problems
        return reading
    }

    /// - Parameter tell: gets a part, and whether it stands where it says; those of a report that is only described stand
    ///   in no bytes.
    private func parts(of bytes: [UInt8], _ tell: (DecodedPart, Bool) -> Void) {
        switch self {
        case .link:
            var inspection = LinkInspection(bytes)
            inspection.run { tell($0, true) }
        case .control: ControlInspection.run(bytes) { tell($0, true) }
        case .descriptor:
            HIDItemInspection.run(bytes) { tell($0, true) }
            HIDReportInspection.describe(bytes) { tell($0, false) }
        }
    }

    private static func stray(in part: DecodedPart) -> String? {
        for inner in part.parts {
            guard inner.offset >= part.offset, inner.offset + inner.length <= part.offset + part.length else {
                return "\(inner.name) at \(inner.offset) in \(part.name) at \(part.offset)"
            }
            if let found = stray(in: inner) { return found }
        }
        return nil
    }
}
