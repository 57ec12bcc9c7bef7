/// How a byte stream is cut into reads.
public enum Chunker: Sendable, Equatable, CustomStringConvertible {
    /// As it was written.
    case whole
    /// Reads of this many bytes, the last one shorter.
    case pieces(Int)
    /// Reads of 1...`maximum` bytes, from this seed.
    case random(seed: UInt64, maximum: Int)

    /// `bytes` in reads, all of them in order.
    public func chunks(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        switch self {
        case .whole:
            return bytes.isEmpty ? [] : [bytes]
        case .pieces(let count):
            return cut(bytes) { max(1, count) }
        case .random(let seed, let maximum):
            var generator = SeededGenerator(seed: seed &+ UInt64(bytes.count))
            return cut(bytes) { Int.random(in: 1...max(1, maximum), using: &generator) }
        }
    }

    private func cut(_ bytes: ArraySlice<UInt8>, next: () -> Int) -> [ArraySlice<UInt8>] {
        var rest = bytes
        var chunks: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let chunk = rest.prefix(next())
            chunks.append(chunk)
            rest = rest[chunk.endIndex...]
        }
        return chunks
    }

    /// For test names and failures.
    public var description: String {
        switch self {
        case .whole: "whole"
        case .pieces(let count): "\(count) at a time"
        case .random(let seed, let maximum): "1...\(maximum) at a time, seed \(seed)"
        }
    }
}
