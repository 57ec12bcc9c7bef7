import WireBytes

/// Finds packets and detection bytes in a stream that may come in any pieces and may hold garbage.
///
/// Where no packet begins, one byte is dropped and the search goes on at the next (as NOC does). A packet whose header is
/// sound but whose payload checksum is wrong is dropped whole; the sender repeats it. What was dropped is counted. At
/// most `maximumLength` bytes are held between calls, whatever comes in. What it finds does not depend on the pieces.
public struct LinkPacketDecoder: Sendable {
    /// What was found in the stream.
    public enum Element: Equatable, Sendable {
        /// The six detection bytes.
        case detection
        /// A packet with sound checksums. Its payload is a slice of the input or of the decoder's own buffer: copy it
        /// to keep it.
        case packet(LinkPacket)
        /// A sound header that announces more bytes than this side takes. The search goes on behind its first byte.
        case tooLong(length: Int)
        /// Bytes that were dropped, told once per run: when a sound header ends it, or at `runLimit`.
        case dropped(Dropped)
    }

    /// A run of bytes behind each other that were dropped.
    public struct Dropped: Hashable, Sendable {
        /// What was wrong with them; of several causes in one run, the first that is not plain garbage.
        public enum Cause: Hashable, Sendable, CaseIterable {
            /// No packet begins there.
            case garbage
            /// A packet begins there, but the checksum of its header is wrong.
            case headerChecksum
            /// A packet begins there whose header is sound and tells a length that no packet has.
            case headerLength
            /// A packet whose payload checksum is wrong; the run is that packet.
            case payloadChecksum
        }

        /// What was wrong.
        public var cause: Cause
        /// The first byte of the run, counted from the start of the stream.
        public var offset: UInt64
        /// Bytes in the run, 1...`runLimit`.
        public var length: Int

        /// States a run.
        public init(cause: Cause, offset: UInt64, length: Int) {
            self.cause = cause
            self.offset = offset
            self.length = length
        }
    }

    /// The longest run told as one, in bytes. Ours: as long as a packet can be.
    public static let runLimit = LinkPacket.maximumLength

    /// What was dropped since the start; the counts stop at their maximum.
    public struct Losses: Equatable, Sendable {
        /// Bytes that belong to no packet, or to a damaged one.
        public var bytes: UInt64 = 0
        /// Starts of packets whose header was wrong.
        public var damagedHeaders: UInt64 = 0
        /// Packets whose payload checksum was wrong.
        public var damagedPayloads: UInt64 = 0
        /// Packets longer than this side takes.
        public var tooLong: UInt64 = 0
    }

    /// The longest packet taken, in bytes, and the most bytes held.
    public let maximumLength: Int
    /// What was dropped so far.
    public private(set) var losses = Losses()
    /// Bytes of the stream that were dealt with: the place in the stream where the search goes on.
    public private(set) var streamOffset: UInt64 = 0

    private var held: [UInt8] = []
    private var heldStart = 0
    /// The run of dropped bytes that ends at `streamOffset` and was not told so far.
    private var run: Dropped?

    /// A decoder for packets of at most `maximumLength` bytes; brought into `headerLength...LinkPacket.maximumLength`.
    public init(maximumLength: Int) {
        self.maximumLength = min(max(maximumLength, LinkPacket.headerLength), LinkPacket.maximumLength)
    }

    /// Bytes of an incomplete packet that wait for more.
    public var heldCount: Int { held.count - heldStart }

    /// The run of dropped bytes that has not come to its end, which is then told and begins anew.
    mutating func takeRun() -> Dropped? {
        defer { run = nil }
        return run
    }

    /// The next element, taking what it needs from the front of `input`; nil when `input` is used up.
    ///
    /// Call until nil, then come back with more input.
    public mutating func next(from input: inout ArraySlice<UInt8>) -> Element? {
        if heldStart > 0 {
            held.removeSubrange(..<heldStart)
            heldStart = 0
        }
        while heldCount > 0 {
            let header = LinkPacketHeader(held[heldStart...], maximum: maximumLength)
            if run != nil, header.isSound, let ended = takeRun() { return .dropped(ended) }
            var told: Dropped?
            switch header {
            case .incomplete(let needed):
                guard fill(to: needed, from: &input) else { return nil }
            case .packet(let length):
                guard fill(to: length, from: &input) else { return nil }
                let element = finish(held[heldStart...], length: length)
                heldStart += length
                return element
            case .detection:
                heldStart += LinkDetection.bytes.count
                advance(by: LinkDetection.bytes.count)
                return .detection
            case .tooLong(let length):
                heldStart += 1
                return dropTooLong(length)
            case .damaged(let cause):
                heldStart += 1
                told = drop(1, cause)
            case .garbage:
                let count = countOfGarbage(held[heldStart...])
                heldStart += count
                told = drop(count, .garbage)
            }
            if let told { return .dropped(told) }
        }
        if !held.isEmpty {
            held.removeAll(keepingCapacity: true)
            heldStart = 0
        }
        return nextFromInput(&input)
    }

    /// The fast path: nothing held, so packets that are complete in `input` are not copied.
    private mutating func nextFromInput(_ input: inout ArraySlice<UInt8>) -> Element? {
        while !input.isEmpty {
            let header = LinkPacketHeader(input, maximum: maximumLength)
            if run != nil, header.isSound, let ended = takeRun() { return .dropped(ended) }
            var told: Dropped?
            switch header {
            case .incomplete:
                hold(&input)
                return nil
            case .packet(let length):
                guard input.count >= length else {
                    hold(&input)
                    return nil
                }
                let element = finish(input, length: length)
                input.removeFirst(length)
                return element
            case .detection:
                input.removeFirst(LinkDetection.bytes.count)
                advance(by: LinkDetection.bytes.count)
                return .detection
            case .tooLong(let length):
                input.removeFirst()
                return dropTooLong(length)
            case .damaged(let cause):
                input.removeFirst()
                told = drop(1, cause)
            case .garbage:
                let count = countOfGarbage(input)
                input.removeFirst(count)
                told = drop(count, .garbage)
            }
            if let told { return .dropped(told) }
        }
        return nil
    }

    /// How many bytes at the front of `bytes`, which is not empty, begin no packet; no more than the run has room for.
    private func countOfGarbage(_ bytes: ArraySlice<UInt8>) -> Int {
        let next = bytes.dropFirst().firstIndex(of: LinkPacket.start.0) ?? bytes.endIndex
        return min(next - bytes.startIndex, Self.runLimit - (run?.length ?? 0))
    }

    /// What the first `length` of `bytes` are, whose header is sound: a packet, or one whose payload is damaged.
    private mutating func finish(_ bytes: ArraySlice<UInt8>, length: Int) -> Element {
        // Spans, because each slice of a slice costs a reference count.
        let span = bytes.span
        guard Checksum.sum(of: span.extracting(LinkPacket.headerLength..<length)) == 0 else {
            let dropped = Dropped(cause: .payloadChecksum, offset: streamOffset, length: length)
            losses.damagedPayloads.count()
            losses.bytes.count(UInt64(length))
            advance(by: length)
            return .dropped(dropped)
        }
        advance(by: length)
        let first = bytes.startIndex
        let body = first + LinkPacket.headerLength..<first + max(LinkPacket.headerLength, length - 1)
        return .packet(
            LinkPacket(
                control: LinkPacket.Control(rawValue: span[4]), sequence: span[5], acknowledgement: span[6],
                channelID: span[7], payload: bytes[body]))
    }

    /// Keeps the rest of `input`, which is shorter than the packet that begins there.
    private mutating func hold(_ input: inout ArraySlice<UInt8>) {
        held.append(contentsOf: input)
        input = input[input.endIndex...]
    }

    /// Moves bytes from `input` until `count` are held; false when there are too few.
    private mutating func fill(to count: Int, from input: inout ArraySlice<UInt8>) -> Bool {
        let missing = count - heldCount
        guard missing > 0 else { return true }
        // What is dealt with goes first, so that the buffer itself stays within the limit.
        if heldStart > 0 {
            held.removeSubrange(..<heldStart)
            heldStart = 0
        }
        held.append(contentsOf: input.prefix(missing))
        input = input.dropFirst(missing)
        return heldCount >= count
    }

    private mutating func dropTooLong(_ length: Int) -> Element {
        losses.tooLong.count()
        losses.bytes.count()
        advance(by: 1)
        return .tooLong(length: length)
    }

    /// Drops `count` bytes, at most what the run has room for; the run when it is full.
    private mutating func drop(_ count: Int, _ cause: Dropped.Cause) -> Dropped? {
        var current = run ?? Dropped(cause: cause, offset: streamOffset, length: 0)
        if current.cause == .garbage { current.cause = cause }
        current.length += count
        run = current
        advance(by: count)
        losses.bytes.count(UInt64(count))
        if cause != .garbage { losses.damagedHeaders.count() }
        return current.length >= Self.runLimit ? takeRun() : nil
    }

    private mutating func advance(by count: Int) {
        streamOffset.count(UInt64(count))
    }
}

extension UInt64 {
    /// Adds to a counter that stops at its maximum.
    mutating func count(_ amount: UInt64 = 1) {
        let (sum, overflow) = addingReportingOverflow(amount)
        self = overflow ? .max : sum
    }
}
