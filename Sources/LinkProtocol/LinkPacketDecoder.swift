import WireBytes

/// Finds packets and detection bytes in a stream that may come in any pieces and may hold garbage.
///
/// Where no packet begins, one byte is dropped and the search goes on at the next (as NOC does). A packet whose header is
/// sound but whose payload checksum is wrong is dropped whole; the sender repeats it. What was dropped is counted. At
/// most `maximumLength` bytes are held between calls, whatever comes in.
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
    }

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

    /// A decoder for packets of at most `maximumLength` bytes; brought into `headerLength...LinkPacket.maximumLength`.
    public init(maximumLength: Int) {
        self.maximumLength = min(max(maximumLength, LinkPacket.headerLength), LinkPacket.maximumLength)
    }

    /// Bytes of an incomplete packet that wait for more.
    public var heldCount: Int { held.count - heldStart }

    /// The next element, taking what it needs from the front of `input`; nil when `input` is used up.
    ///
    /// Call until nil, then come back with more input.
    public mutating func next(from input: inout ArraySlice<UInt8>) -> Element? {
        if heldStart > 0 {
            held.removeSubrange(..<heldStart)
            heldStart = 0
        }
        while true {
            if heldCount == 0 {
                held.removeAll(keepingCapacity: true)
                heldStart = 0
                if let element = nextFromInput(&input) { return element }
                return nil
            }
            switch LinkPacketHeader(held[heldStart...], maximum: maximumLength) {
            case .incomplete(let needed):
                guard fill(to: needed, from: &input) else { return nil }
            case .packet(let length):
                guard fill(to: length, from: &input) else { return nil }
                let bytes = held[heldStart..<heldStart + length]
                heldStart += length
                if let packet = finish(bytes) { return .packet(packet) }
            case .detection:
                heldStart += LinkDetection.bytes.count
                advance(by: LinkDetection.bytes.count)
                return .detection
            case .tooLong(let length):
                heldStart += 1
                drop(1, .tooLong)
                return .tooLong(length: length)
            case .damaged:
                heldStart += 1
                drop(1, .damagedHeader)
            case .garbage:
                let found = Self.nextStart(in: held[heldStart...])
                drop(found - heldStart, .garbage)
                heldStart = found
            }
        }
    }

    /// The fast path: nothing held, so packets that are complete in `input` are not copied.
    private mutating func nextFromInput(_ input: inout ArraySlice<UInt8>) -> Element? {
        while !input.isEmpty {
            switch LinkPacketHeader(input, maximum: maximumLength) {
            case .incomplete:
                hold(&input)
                return nil
            case .packet(let length):
                guard input.count >= length else {
                    hold(&input)
                    return nil
                }
                let bytes = input.prefix(length)
                input.removeFirst(length)
                if let packet = finish(bytes) { return .packet(packet) }
            case .detection:
                input.removeFirst(LinkDetection.bytes.count)
                advance(by: LinkDetection.bytes.count)
                return .detection
            case .tooLong(let length):
                input.removeFirst()
                drop(1, .tooLong)
                return .tooLong(length: length)
            case .damaged:
                input.removeFirst()
                drop(1, .damagedHeader)
            case .garbage:
                let found = Self.nextStart(in: input)
                drop(found - input.startIndex, .garbage)
                input = input[found...]
            }
        }
        return nil
    }

    /// Where a packet may begin behind the first byte of `bytes`, which is not empty.
    private static func nextStart(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.dropFirst().firstIndex(of: LinkPacket.start.0) ?? bytes.endIndex
    }

    /// The packet in `bytes`, whose header is sound; nil when its payload is damaged.
    private mutating func finish(_ bytes: ArraySlice<UInt8>) -> LinkPacket? {
        let first = bytes.startIndex
        let body = bytes[(first + LinkPacket.headerLength)...]
        guard body.isEmpty || Checksum.isValid(body) else {
            drop(bytes.count, .damagedPayload)
            return nil
        }
        advance(by: bytes.count)
        return LinkPacket(
            control: LinkPacket.Control(rawValue: bytes[first + 4]), sequence: bytes[first + 5],
            acknowledgement: bytes[first + 6], channelID: bytes[first + 7], payload: body.dropLast())
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
        held.removeSubrange(..<heldStart)
        heldStart = 0
        held.append(contentsOf: input.prefix(missing))
        input = input.dropFirst(missing)
        return heldCount >= count
    }

    private enum Loss { case garbage, damagedHeader, damagedPayload, tooLong }

    private mutating func drop(_ count: Int, _ loss: Loss) {
        advance(by: count)
        losses.bytes.count(UInt64(count))
        switch loss {
        case .garbage: break
        case .damagedHeader: losses.damagedHeaders.count()
        case .damagedPayload: losses.damagedPayloads.count()
        case .tooLong: losses.tooLong.count()
        }
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
