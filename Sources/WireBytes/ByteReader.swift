/// Reads big-endian values from a slice of bytes, front to back, without copying and without trapping.
///
/// A read that fails leaves the reader where it was. Offsets in errors count from the start of the outermost input, so a
/// reader made by `readSlice` reports places in the whole, not in its part.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private let base: Int

    /// Reads `bytes`; `offset` is what errors call the place of its first byte.
    public init(_ bytes: ArraySlice<UInt8>, offset: Int = 0) {
        self.bytes = bytes
        self.position = bytes.startIndex
        self.base = offset
    }

    /// Reads a whole array; `offset` is what errors call the place of its first byte.
    public init(_ bytes: [UInt8], offset: Int = 0) {
        self.init(bytes[...], offset: offset)
    }

    /// Bytes not read so far.
    public var remaining: Int { bytes.endIndex - position }

    /// True when every byte was read.
    public var isAtEnd: Bool { position == bytes.endIndex }

    /// The place of the next byte, in bytes from the start of the outermost input.
    public var offset: Int { base &+ (position - bytes.startIndex) }

    /// One big-endian integer of the width of `Integer`. Throws `.truncated`.
    public mutating func read<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(WireError) -> Integer {
        let width = Integer.bitWidth / 8
        try require(width)
        // Bit patterns are gathered in the widest unsigned type, so that no step can overflow for signed types.
        var pattern: UInt64 = 0
        for index in position..<position + width {
            pattern = pattern << 8 | UInt64(bytes[index])
        }
        position += width
        return Integer(truncatingIfNeeded: pattern)
    }

    /// The next `count` bytes as a slice of the input. Throws `.truncated`; a negative count counts as too many.
    public mutating func readBytes(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        try require(count)
        let slice = bytes[position..<position + count]
        position += count
        return slice
    }

    /// A reader over the next `count` bytes, with offsets of the whole. Throws `.truncated`.
    public mutating func readSlice(_ count: Int) throws(WireError) -> ByteReader {
        let start = offset
        return ByteReader(try readBytes(count), offset: start)
    }

    /// Everything that is left.
    public mutating func readRest() -> ArraySlice<UInt8> {
        let rest = bytes[position...]
        position = bytes.endIndex
        return rest
    }

    /// Throws `.excess` unless every byte was read.
    public func expectEnd() throws(WireError) {
        guard isAtEnd else {
            throw WireError(.excess(limit: position - bytes.startIndex, actual: bytes.count), offset: offset)
        }
    }

    private func require(_ count: Int) throws(WireError) {
        guard count >= 0, count <= remaining else {
            throw WireError(.truncated(needed: count, available: remaining), offset: offset)
        }
    }
}
