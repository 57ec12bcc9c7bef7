internal import RigModel

/// Cuts the bytes of a stream into lines, in whatever pieces they come. What is kept is bounded.
public struct VirtualInputLines: Sendable {
    /// One line.
    public enum Line: Equatable, Sendable {
        /// Its number, from 1, and its bytes without the end.
        case whole(Int, ArraySlice<UInt8>)
        /// It is longer than a line may be; what is left of it is passed over.
        case tooLong(Int)
    }

    /// The longest line in bytes: ours, as that of a recording.
    public static let maximumLine = 1_024

    private var bytes: [UInt8] = []
    /// Where the next line begins in `bytes`.
    private var start = 0
    /// Up to where no line's end was found.
    private var searched = 0
    private var number = 0
    private var isSkipping = false
    private var isEnded = false

    /// Nothing came so far.
    public init() {}

    /// Takes what came next.
    public mutating func append(_ more: ArraySlice<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Nothing more will come: what stands behind the last line's end is a line too.
    public mutating func end() { isEnded = true }

    /// The next line that is there.
    public mutating func next() -> Line? {
        while true {
            let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
            searched = end ?? bytes.count
            if isSkipping {
                start = end.map { $0 + 1 } ?? bytes.count
                searched = start
                if end == nil { return nil }
                isSkipping = false
                continue
            }
            if searched - start > Self.maximumLine {
                number += 1
                start = end.map { $0 + 1 } ?? bytes.count
                searched = start
                isSkipping = end == nil
                return .tooLong(number)
            }
            guard end != nil || isEnded && start < bytes.count else { return nil }
            number += 1
            let line = bytes[start..<searched]
            start = end.map { $0 + 1 } ?? bytes.count
            searched = start
            return .whole(number, number == 1 ? ByteOrderMark.skipped(in: line) : line)
        }
    }
}
