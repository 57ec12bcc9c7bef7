/// The mark that some editors put in front of UTF-8 text: U+FEFF, the bytes EF BB BF. Whatever text file is read, one at its
/// very beginning is passed over and counts as nothing: not as a column, and not as text.
public enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The bytes of a text without the mark.
    public static func skipped<Bytes: Collection<UInt8>>(in text: Bytes) -> Bytes.SubSequence {
        text.dropFirst(text.starts(with: bytes) ? bytes.count : 0)
    }
}
