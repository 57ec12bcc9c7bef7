/// Link bytes inside HID reports, as on the "iPod USB" configuration. [2+] (WIO, POD)
///
/// A report is its id, the link control byte and data padded with zeros. The control byte says whether the data goes on
/// from the report before (bit 0) and whether more follows (bit 1).
public enum HIDFraming {
    /// The data goes on from the report before. [2+]
    static let continues: UInt8 = 0x01
    /// More of it follows in the next report. [2+]
    static let isFollowed: UInt8 = 0x02

    /// Appends the reports that carry `bytes`, which should be one link packet or detection: the smallest report that
    /// fits, or the largest as often as needed and then the smallest that fits the rest.
    ///
    /// - Returns: The number of reports. Their lengths follow from their ids: `HIDReportShape.length`.
    @discardableResult
    public static func encode(
        _ bytes: ArraySlice<UInt8>, _ direction: HIDReportDirection, set: HIDReportSet, into reports: inout [UInt8]
    ) -> Int {
        var rest = bytes
        var count = 0
        while !rest.isEmpty {
            let shape = set.shape(for: rest.count, direction)
            let piece = rest.prefix(shape.capacity)
            rest = rest.dropFirst(piece.count)
            reports.append(shape.id)
            reports.append((count == 0 ? 0 : continues) | (rest.isEmpty ? 0 : isFollowed))
            reports.append(contentsOf: piece)
            reports.append(contentsOf: repeatElement(0, count: shape.capacity - piece.count))
            count += 1
        }
        return count
    }

    /// `bytes` as reports of their own.
    public static func reports(
        for bytes: ArraySlice<UInt8>, _ direction: HIDReportDirection, set: HIDReportSet
    ) -> [[UInt8]] {
        var stream: [UInt8] = []
        encode(bytes, direction, set: set, into: &stream)
        var reports: [[UInt8]] = []
        var rest = stream[...]
        while let id = rest.first, let shape = set.shape(of: id, direction) {
            reports.append(Array(rest.prefix(shape.length)))
            rest = rest.dropFirst(shape.length)
        }
        return reports
    }

    /// How many of the bytes at the front of a frame are packets and detections; what is behind them is padding when it
    /// is all zeros, and part of the frame when it is not.
    static func lengthWithoutPadding(_ frame: ArraySlice<UInt8>) -> Int {
        var rest = frame
        while rest.count >= 4, rest[rest.startIndex] == LinkPacket.start.0 {
            let second = rest[rest.startIndex + 1]
            let length: Int
            if second == LinkPacket.start.1 {
                length = Int(rest[rest.startIndex + 2]) << 8 | Int(rest[rest.startIndex + 3])
            } else if second == LinkDetection.second {
                length = LinkDetection.bytes.count
            } else {
                break
            }
            guard length >= LinkDetection.bytes.count, length <= rest.count else { break }
            rest = rest.dropFirst(length)
        }
        return rest.allSatisfy { $0 == 0 } ? frame.count - rest.count : frame.count
    }
}

/// What a report broke. Raw values are stable names.
public enum HIDFrameRule: String, Error, Hashable, Sendable, CaseIterable {
    /// A report that is not in the set of this direction; also an empty one.
    case unknownReport = "unknown-report"
    /// A report that does not have the length of its id.
    case wrongLength = "wrong-length"
    /// Bits of the link control byte that nothing is known of. The report is dropped.
    case unknownControlBits = "unknown-control-bits"
    /// A report that goes on from one that did not come.
    case missingStart = "missing-start"
    /// A new beginning, although more was to follow. What had come is dropped, the new report is taken.
    case unfinished
    /// More data than a link packet has. All of it is dropped.
    case tooLong = "too-long"
}

/// Takes the link bytes out of the reports of one direction. What is held is bounded by one frame.
public struct HIDFrameDecoder: Sendable {
    /// The most bytes of one frame: the longest packet, and the padding of the last report.
    public static let maximumLength = LinkPacket.maximumLength + 0x2FF

    private let direction: HIDReportDirection
    private let set: HIDReportSet
    private var isOpen = false
    /// The bytes of the frame that is being put together.
    private var frame: [UInt8] = []

    /// A decoder for the reports of one direction.
    public init(_ direction: HIDReportDirection, set: HIDReportSet) {
        self.direction = direction
        self.set = set
    }

    /// Bytes that wait for more reports.
    public var heldCount: Int { frame.count }

    /// Takes one report, its id first, and appends the link bytes that are complete with it to `bytes`.
    ///
    /// - Returns: The rule that the report broke, if any. Later reports are taken as if nothing had happened.
    public mutating func receive(_ report: ArraySlice<UInt8>, into bytes: inout [UInt8]) -> HIDFrameRule? {
        guard let id = report.first, let shape = set.shape(of: id, direction) else { return .unknownReport }
        guard report.count == shape.length else { return .wrongLength }
        let control = report[report.startIndex + 1]
        guard control & ~(HIDFraming.continues | HIDFraming.isFollowed) == 0 else { return .unknownControlBits }
        var broken: HIDFrameRule?
        if control & HIDFraming.continues != 0 {
            guard isOpen else { return .missingStart }
        } else {
            if isOpen { broken = .unfinished }
            frame.removeAll(keepingCapacity: true)
        }
        isOpen = control & HIDFraming.isFollowed != 0
        guard frame.count + shape.capacity <= Self.maximumLength else {
            frame.removeAll()
            isOpen = false
            return .tooLong
        }
        frame.append(contentsOf: report.dropFirst(2))
        if !isOpen {
            bytes.append(contentsOf: frame.prefix(HIDFraming.lengthWithoutPadding(frame[...])))
            frame.removeAll(keepingCapacity: true)
        }
        return broken
    }
}
