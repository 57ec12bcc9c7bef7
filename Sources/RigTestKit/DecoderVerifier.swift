/// Feeds one stream to a decoder in every way that must not matter, and compares what comes out.
public enum DecoderVerifier {
    /// Runs `decode` on `stream` as a whole, one byte at a time, split once at every byte, and in random pieces.
    ///
    /// `decode` gets the reads in order, each a slice with indices of its own, and returns everything that it found,
    /// from a fresh decoder.
    ///
    /// - Returns: nil when every way gives `expected`, else the first that does not, with the seed if it has one.
    public static func firstDifference<Element: Equatable>(
        _ stream: [UInt8], expected: [Element], seeds: Range<UInt64> = 0..<20,
        decode: ([ArraySlice<UInt8>]) -> [Element]
    ) -> String? {
        func check(_ way: String, _ chunks: [ArraySlice<UInt8>]) -> String? {
            let found = decode(chunks)
            return found == expected ? nil : "\(way): found \(found), expected \(expected)"
        }
        // Indices that do not begin at 0 show code that takes offsets for indices.
        let padded = [0xFF, 0x5A, 0x40] + stream + [0x40, 0xFF]
        let slice = padded[3..<3 + stream.count]
        if let difference = check("whole", [slice]) { return difference }
        if let difference = check("one at a time", Chunker.pieces(1).chunks(slice)) { return difference }
        for index in slice.indices {
            if let difference = check("split at \(index - 3)", [slice[..<index], slice[index...]]) {
                return difference
            }
        }
        for seed in seeds {
            let chunker = Chunker.random(seed: seed, maximum: 12)
            if let difference = check(chunker.description, chunker.chunks(slice)) { return difference }
        }
        return nil
    }
}
