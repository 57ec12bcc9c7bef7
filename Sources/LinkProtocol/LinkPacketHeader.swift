import WireBytes

/// The outcome of looking at the bytes where a packet may begin.
enum LinkPacketHeader: Equatable {
    /// Too few bytes to tell; `needed` in all would tell more.
    case incomplete(needed: Int)
    /// The detection bytes, complete.
    case detection
    /// A sound header; the whole packet is `length` bytes.
    case packet(length: Int)
    /// A sound header of a packet longer than the receiver allows.
    case tooLong(length: Int)
    /// The start of a packet, but its header is wrong.
    case damaged(LinkPacketDecoder.Dropped.Cause)
    /// No packet begins here.
    case garbage

    /// Looks at `bytes`, which hold everything received from that place on; `maximum` is the receiver's limit.
    init(_ bytes: ArraySlice<UInt8>, maximum: Int) {
        let first = bytes.startIndex
        guard bytes.count >= 1 else {
            self = .incomplete(needed: 1)
            return
        }
        guard bytes[first] == LinkPacket.start.0 else {
            self = .garbage
            return
        }
        guard bytes.count >= 2 else {
            self = .incomplete(needed: 2)
            return
        }
        if bytes[first + 1] == LinkPacket.start.1 {
            self = Self.ofPacket(bytes, maximum: maximum)
        } else if bytes[first + 1] == LinkDetection.second {
            self = Self.ofDetection(bytes)
        } else {
            self = .garbage
        }
    }

    /// True when it is known that what comes here is no garbage.
    var isSound: Bool {
        switch self {
        case .detection, .packet, .tooLong: true
        case .incomplete, .damaged, .garbage: false
        }
    }

    private static func ofDetection(_ bytes: ArraySlice<UInt8>) -> LinkPacketHeader {
        guard LinkDetection.bytes.starts(with: bytes.prefix(LinkDetection.bytes.count)) else { return .garbage }
        return bytes.count >= LinkDetection.bytes.count ? .detection : .incomplete(needed: LinkDetection.bytes.count)
    }

    private static func ofPacket(_ bytes: ArraySlice<UInt8>, maximum: Int) -> LinkPacketHeader {
        guard bytes.count >= LinkPacket.headerLength else {
            return .incomplete(needed: LinkPacket.headerLength)
        }
        let first = bytes.startIndex
        guard Checksum.isValid(bytes[first..<first + LinkPacket.headerLength]) else {
            return .damaged(.headerChecksum)
        }
        let length = Int(bytes[first + 2]) << 8 | Int(bytes[first + 3])
        // One byte more than a header would be the checksum of no payload, which nothing sends.
        guard length >= LinkPacket.headerLength, length != LinkPacket.overhead else { return .damaged(.headerLength) }
        return length <= maximum ? .packet(length: length) : .tooLong(length: length)
    }
}
