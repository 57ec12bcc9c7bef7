/// Why a byte stream cannot be cut into records any further. The fault is with the peer; the answer is to close.
public enum RecordError: Error, Equatable, Sendable {
    /// A record of more bytes than `limit`, its NUL not counted.
    case tooLarge(limit: Int)
    /// A NUL with nothing before it.
    case empty
    /// The stream ended `byteCount` bytes into a record.
    case truncated(byteCount: Int)
}

extension RecordError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the peer sent a message of more than \(limit) bytes"
        case .empty: "the peer sent an empty message"
        case .truncated(let byteCount): "the peer closed the connection \(byteCount) bytes into a message"
        }
    }
}

/// Cuts a byte stream into records that end with a NUL.
///
/// Feed it what was read with `append`, then take records with `next` until it returns nil. Kept between the two are
/// the unread records plus at most `maximumRecordSize` bytes of an unfinished one: whoever takes all records before
/// reading on has memory bounded by the limit plus one read. Whoever leaves records for later should read on only
/// while `bufferedByteCount` is small. Every byte is looked at twice and moved about once, however the stream is cut.
public struct RecordReader: Sendable {
    /// The largest record accepted, in bytes, its NUL not counted.
    public let maximumRecordSize: Int

    private var buffer: [UInt8] = []
    /// Where the first record that was not taken yet starts in `buffer`.
    private var head = 0
    /// Where the unfinished last record starts in `buffer`.
    private var tail = 0
    /// Set when the stream is beyond repair; records before the fault are still handed out.
    private var failure: RecordError?

    /// An idle connection gives back buffers above this size, in bytes (one socket read, as sd-varlink has it [S]).
    private static let keptCapacity = 65_536

    /// A reader of records up to `maximumRecordSize` bytes, which must be at least 1.
    public init(maximumRecordSize: Int) {
        precondition(maximumRecordSize >= 1, "a record has at least one byte")
        self.maximumRecordSize = maximumRecordSize
    }

    /// Bytes held: records that were not taken and the beginning of the next one.
    public var bufferedByteCount: Int { buffer.count - head }

    /// Adds what was read from the stream. After a fault further bytes are dropped.
    public mutating func append(_ bytes: Span<UInt8>) {
        guard failure == nil, !bytes.isEmpty else { return }
        reclaim()
        var start = 0
        while start < bytes.count {
            let end = Self.indexOfNUL(in: bytes, from: start)
            let recordSize = buffer.count - tail + (end ?? bytes.count) - start
            guard recordSize <= maximumRecordSize else { return fail(.tooLarge(limit: maximumRecordSize)) }
            guard end == nil || recordSize > 0 else { return fail(.empty) }
            let next = end.map { $0 + 1 } ?? bytes.count
            bytes.extracting(start..<next).withUnsafeBufferPointer { buffer.append(contentsOf: $0) }
            if end != nil { tail = buffer.count }
            start = next
        }
    }

    /// Adds what was read from the stream. After a fault further bytes are dropped.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: UInt8.self) { append(Span(_unsafeElements: $0)) }
    }

    /// Adds what was read from the stream. After a fault further bytes are dropped.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        append(bytes.span)
    }

    /// The next complete record without its NUL, or nil until more bytes come. Let go of the slice before the next
    /// `append`, else that copies the buffer. Throws, and keeps throwing, once the records before a fault are taken.
    public mutating func next() throws(RecordError) -> ArraySlice<UInt8>? {
        guard head < tail else {
            if let failure { throw failure }
            if head == buffer.count { reclaim() }
            return nil
        }
        let end = Self.indexOfNUL(in: buffer.span, from: head) ?? tail
        defer { head = end + 1 }
        return buffer[head..<end]
    }

    /// Call when the stream has ended and all records are taken: throws if it ended inside a record, or had a fault.
    public func finish() throws(RecordError) {
        if let failure { throw failure }
        if buffer.count > tail { throw .truncated(byteCount: buffer.count - tail) }
    }

    private mutating func fail(_ error: RecordError) {
        failure = error
        buffer.removeSubrange(tail...)
    }

    /// Drops taken records: at no cost when nothing else is buffered, else only once they are at least half of the
    /// buffer, so that each byte is moved at most once on average.
    private mutating func reclaim() {
        if head == buffer.count {
            if buffer.capacity > Self.keptCapacity { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
        } else if head >= buffer.count - head {
            buffer.removeSubrange(0..<head)
        } else {
            return
        }
        tail -= head
        head = 0
    }

    /// Eight bytes at a time: a word has a zero byte exactly if subtracting one from each byte borrows into a top bit
    /// that was clear.
    private static func indexOfNUL(in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBytes { raw in
            var index = start
            while raw.count - index >= 8 {
                let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0 { break }
                index += 8
            }
            while index < raw.count {
                if raw[index] == 0 { return index }
                index += 1
            }
            return nil
        }
    }
}
