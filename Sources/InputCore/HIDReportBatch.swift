public import HIDReports

/// The reports of one event, in order, in one buffer. Reuse one value: emptied, it keeps its memory.
public struct HIDReportBatch: Sendable {
    private var bytes: [UInt8] = []
    private var entries: [(outlet: UInt16, end: Int)] = []

    /// No reports.
    public init() {}

    /// How many there are.
    public var count: Int { entries.count }

    /// The report at a place, with the device that makes it, by its number.
    public subscript(_ place: Int) -> (outlet: UInt16, report: ArraySlice<UInt8>) {
        let start = place > 0 ? entries[place - 1].end : 0
        return (entries[place].outlet, bytes[start..<entries[place].end])
    }

    /// Adds a report of a device.
    public mutating func append(_ report: some InputReport, of outlet: UInt16) {
        report.encode(into: &bytes)
        entries.append((outlet, bytes.count))
    }

    /// Empties it, keeping the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }
}
