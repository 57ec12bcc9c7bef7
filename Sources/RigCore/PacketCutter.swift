import LinkProtocol

/// Cuts what is read from a wire where its receiver will find packets, and loses nothing: what belongs to no packet is
/// handed on as it is.
///
/// At most one packet is held that is not complete; `rest` gives it back.
struct PacketCutter: Sendable {
    /// A stretch of the stream.
    enum Piece: Equatable, Sendable {
        /// A whole packet with sound checksums, or the detection bytes.
        case packet([UInt8])
        /// Anything else.
        case other([UInt8])
    }

    private let maximumLength: Int
    private var decoder: LinkPacketDecoder
    /// What the decoder has taken in and not dealt with, from its `streamOffset` on.
    private var held: [UInt8] = []

    /// Takes packets of at most `maximumLength` bytes, as the receiver does.
    init(maximumLength: Int) {
        self.maximumLength = maximumLength
        decoder = LinkPacketDecoder(maximumLength: maximumLength)
    }

    /// Bytes of an incomplete packet that wait for more.
    var heldCount: Int { held.count }

    /// What is complete now, in the order of the stream.
    mutating func cut(_ bytes: ArraySlice<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        let origin = decoder.streamOffset
        held.append(contentsOf: bytes)
        var input = bytes
        var taken = 0
        func dealtWith() -> Int { Int(clamping: decoder.streamOffset &- origin) }
        func passOther(to end: Int) {
            guard end > taken else { return }
            pieces.append(.other(Array(held[taken..<end])))
            taken = end
        }
        while let element = decoder.next(from: &input) {
            let length: Int
            switch element {
            case .detection: length = LinkDetection.bytes.count
            case .packet(let packet): length = packet.encodedLength
            // Bytes that the receiver drops; of a packet that is too long, the first.
            case .tooLong, .dropped: continue
            }
            let end = dealtWith()
            passOther(to: end - length)
            pieces.append(.packet(Array(held[taken..<end])))
            taken = end
        }
        passOther(to: dealtWith())
        held.removeFirst(taken)
        return pieces
    }

    /// Gives back what is not complete, and begins anew.
    mutating func rest() -> [UInt8] {
        defer {
            held = []
            decoder = LinkPacketDecoder(maximumLength: maximumLength)
        }
        return held
    }
}
