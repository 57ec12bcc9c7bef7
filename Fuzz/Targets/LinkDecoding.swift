import LinkProtocol

/// A stream of packets, garbage and damaged packets: in any pieces it decodes to the same, and what is held is bounded.
///
/// Input: two bytes for the longest packet, three for the cuts, then parts of the stream.
enum LinkDecoding {
    static func run(_ input: inout FuzzInput) throws(FuzzFinding) {
        let maximum = Int(input.word())
        let cuts = FuzzCuts(&input)
        let stream = stream(&input)[...]
        let whole = try decode([stream], maximum: maximum)
        let cut = try decode(cuts.chunks(stream), maximum: maximum)
        try require(
            cut.elements == whole.elements, "cut in another way the stream is something else: \(cut) against \(whole)")
        // Where less is held more is known to be garbage; both know it once the next bytes have come.
        if cut.held == whole.held {
            try require(cut == whole, "cut in another way something else was dropped: \(cut) against \(whole)")
        }
        for case .packet(let packet) in whole.elements { try checkEncoding(packet) }
    }

    private struct Decoded: Equatable {
        var elements: [LinkPacketDecoder.Element] = []
        var losses: LinkPacketDecoder.Losses?
        var offset: UInt64 = 0
        var held = 0
    }

    private static func decode(_ chunks: [ArraySlice<UInt8>], maximum: Int) throws(FuzzFinding) -> Decoded {
        var decoder = LinkPacketDecoder(maximumLength: maximum)
        var decoded = Decoded()
        var received: UInt64 = 0
        for chunk in chunks {
            var rest = chunk
            while let element = decoder.next(from: &rest) {
                if case .packet(let packet) = element {
                    try require(packet.encodedLength <= decoder.maximumLength, "a packet is longer than allowed")
                }
                decoded.elements.append(element)
            }
            try require(rest.isEmpty, "\(rest.count) bytes are left although nothing more was found")
            received += UInt64(chunk.count)
            let held = decoder.heldCount
            try require(
                held <= decoder.maximumLength, "\(held) bytes are held, at most \(decoder.maximumLength) may be")
            try require(
                decoder.streamOffset + UInt64(held) == received,
                "\(decoder.streamOffset) bytes dealt with and \(held) held are not the \(received) that came")
        }
        decoded.losses = decoder.losses
        decoded.offset = decoder.streamOffset
        decoded.held = decoder.heldCount
        return decoded
    }

    /// What was decoded is encoded to bytes that decode to it.
    static func checkEncoding(_ packet: LinkPacket) throws(FuzzFinding) {
        var decoder = LinkPacketDecoder(maximumLength: LinkPacket.maximumLength)
        var bytes = packet.encoded[...]
        let element = decoder.next(from: &bytes)
        try require(
            element == .packet(packet) && bytes.isEmpty, "\(packet) is encoded as \(String(describing: element))")
    }

    private static func stream(_ input: inout FuzzInput) -> [UInt8] {
        var stream: [UInt8] = []
        while !input.isAtEnd, stream.count < 1 << 16 {
            switch input.int(0...6) {
            case 0: stream += input.bytes(upTo: 24)
            case 1: stream += LinkDetection.bytes
            case 2: packet(&input, payload: input.bytes(upTo: 32)).encode(into: &stream)
            case 3:
                packet(&input, payload: Array(repeating: input.byte(), count: Int(input.word()) % 9_000)).encode(
                    into: &stream)
            case 4:
                var bytes = packet(&input, payload: input.bytes(upTo: 32)).encoded
                bytes[input.int(0...bytes.count - 1)] ^= input.byte()
                stream += bytes
            case 5: stream += packet(&input, payload: input.bytes(upTo: 32)).encoded.prefix(input.int(0...40))
            default:
                // A sound header that announces any length.
                var header: [UInt8] = [0xFF, 0x5A, input.byte(), input.byte(), 0x40, input.byte(), input.byte(), 1]
                header.append(0 &- header.reduce(0, &+))
                stream += header
            }
        }
        return stream
    }

    private static func packet(_ input: inout FuzzInput, payload: [UInt8]) -> LinkPacket {
        LinkPacket(
            control: LinkPacket.Control(rawValue: input.byte()), sequence: input.byte(), acknowledgement: input.byte(),
            channelID: input.byte(), payload: payload[...])
    }
}
