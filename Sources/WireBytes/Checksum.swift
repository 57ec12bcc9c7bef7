/// The 8-bit two's complement checksum: the byte that makes the sum of the bytes and itself 0 modulo 256.
public enum Checksum {
    /// The checksum byte of `bytes`. The sum of no bytes is 0, so its checksum is 0.
    public static func twosComplement(of bytes: ArraySlice<UInt8>) -> UInt8 {
        0 &- sum(of: bytes.span)
    }

    /// The sum of `bytes` modulo 256. Over a span, so that the compiler adds many bytes at a time.
    public static func sum(of bytes: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in bytes.indices {
            sum &+= bytes[index]
        }
        return sum
    }

    /// True when `bytes`, the last of which is their checksum, add up to 0 modulo 256. Empty input is not valid.
    public static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty && twosComplement(of: bytes) == 0
    }
}
