/// Appends big-endian values to an array of bytes.
///
/// The limit makes the array bounded whatever is written: a write that would pass it throws and writes nothing.
public struct ByteWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8]
    /// The most bytes that may be written.
    public let limit: Int

    /// A writer for at most `limit` bytes, with room reserved for `capacity` of them.
    public init(limit: Int, capacity: Int = 0) {
        self.limit = limit
        bytes = []
        bytes.reserveCapacity(max(0, min(capacity, limit)))
    }

    /// Appends one integer, most significant byte first. Throws `.excess` at the limit.
    public mutating func write<Integer: FixedWidthInteger>(_ value: Integer) throws(WireError) {
        let width = Integer.bitWidth / 8
        try require(width)
        var shift = Integer.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    /// Appends bytes as they are. Throws `.excess` at the limit.
    public mutating func write(_ more: some Collection<UInt8>) throws(WireError) {
        try require(more.count)
        bytes.append(contentsOf: more)
    }

    private func require(_ count: Int) throws(WireError) {
        let (total, overflow) = bytes.count.addingReportingOverflow(count)
        guard !overflow, total <= limit else {
            throw WireError(.excess(limit: limit, actual: overflow ? Int.max : total), offset: bytes.count)
        }
    }
}

/// Appends big-endian integers to a caller's array: the form for hot paths whose sizes are checked beforehand.
extension Array<UInt8> {
    /// Appends the two bytes of `value`, most significant first.
    public mutating func appendBigEndian(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }
}
