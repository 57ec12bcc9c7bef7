/// An input read as decisions, front to back. Behind its end every decision is 0, so that any bytes are a whole input
/// and cutting one short changes no decision before the cut.
struct FuzzInput {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() -> UInt8 {
        guard position < bytes.endIndex else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func word() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func long() -> UInt32 { UInt32(word()) << 16 | UInt32(word()) }

    mutating func wide() -> UInt64 { UInt64(long()) << 32 | UInt64(long()) }

    /// A number of the range; from one byte, so at most its first 256.
    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(byte()) % (range.upperBound - range.lowerBound + 1)
    }

    /// One of a list that is not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[Int(byte()) % list.count] }

    /// A value, or `nil` in half of the cases.
    mutating func optional<Value>(_ make: (inout FuzzInput) -> Value) -> Value? { bool() ? make(&self) : nil }

    /// At most `limit` bytes; how many stands before them.
    mutating func bytes(upTo limit: Int) -> [UInt8] {
        let count = int(0...min(limit, 255))
        let end = min(position + count, bytes.endIndex)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Text of at most `limit` bytes; what is not UTF-8 is replaced.
    mutating func text(upTo limit: Int) -> String { String(decoding: bytes(upTo: limit), as: UTF8.self) }

    /// Everything that is left.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }
}

/// How a stream is cut into reads: three sizes in turn, 0 standing for all that is left.
struct FuzzCuts {
    private let sizes: [Int]

    init(_ input: inout FuzzInput) { sizes = (0..<3).map { _ in Int(input.byte()) } }

    func chunks(_ stream: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var rest = stream
        var chunks: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let size = sizes[chunks.count % sizes.count]
            let chunk = size == 0 ? rest : rest.prefix(size)
            chunks.append(chunk)
            rest = rest[chunk.endIndex...]
        }
        return chunks
    }
}

extension ArraySlice<UInt8> {
    /// The parts between NUL bytes, at most `limit` of them; the last one has all that is left.
    func parts(atMost limit: Int) -> [ArraySlice<UInt8>] {
        split(separator: 0, maxSplits: limit - 1, omittingEmptySubsequences: false)
    }
}
