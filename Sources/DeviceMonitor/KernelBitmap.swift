/// The kernel's way to print a set of codes: words in hexadecimal, the highest first, without leading zeros.
enum KernelBitmap {
    /// As wide as the words of this kernel: 64 bits on every machine that we build for. (A 32-bit process of a 64-bit
    /// kernel would see 32.)
    private static let wordBits = UInt.bitWidth

    /// The codes that are set, ascending; `nil` when the text is no bitmap. Codes above `UInt16.max` do not exist.
    static func parse(_ text: String) -> [UInt16]? {
        let words = text.split(separator: " ")
        if words.isEmpty || words.count > (Int(UInt16.max) + 1) / wordBits { return nil }
        var codes: [UInt16] = []
        for (index, word) in words.reversed().enumerated() {
            guard var bits = UInt(word, radix: 16) else { return nil }
            while bits != 0 {
                codes.append(UInt16(index * wordBits + bits.trailingZeroBitCount))
                bits &= bits - 1
            }
        }
        return codes
    }
}
