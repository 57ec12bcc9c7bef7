import LinkProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("LinkPacketDecoder")
struct LinkPacketDecoderTests {
    typealias Element = LinkPacketDecoder.Element

    @Test("the way a packet is cut does not matter", arguments: LinkVector.all)
    func cut(vector: LinkVector) {
        #expect(
            DecoderVerifier.firstDifference(vector.bytes, expected: [.packet(vector.packet)]) { decode($0) } == nil)
    }

    @Test("detection bytes are found however they are cut")
    func detection() {
        let stream = LinkDetection.bytes + LinkDetection.bytes
        #expect(
            DecoderVerifier.firstDifference(stream, expected: [Element.detection, .detection]) { decode($0) } == nil)
    }

    @Test("several packets in one read are all found, with detection bytes between them")
    func several() {
        let stream = LinkVector.all[0].bytes + LinkDetection.bytes + LinkVector.all[1].bytes + LinkVector.all[3].bytes
        let expected: [Element] = [
            .packet(LinkVector.all[0].packet), .detection, .packet(LinkVector.all[1].packet),
            .packet(LinkVector.all[3].packet),
        ]
        #expect(DecoderVerifier.firstDifference(stream, expected: expected) { decode($0) } == nil)
    }

    static let garbage: [String] = [
        "00 AA FF 00 FF 55", "FF", "FF FF FF", "FF 55", "FF 55 02", "FF 55 02 00 EE", "FF 55 02 00 EE 11", "5A",
        "FF 5A FF", "00", "FE 5A 00 1A 80 2B 00 00 E2", "FF 5A 00 1A 80 2B 00 00 E1", "FF 55 0E 00 13 FF FF FF EB",
        // Headers with a right checksum and a length that no packet has: 8 and 10.
        "FF 5A 00 08 40 00 00 00 5F", "FF 5A 00 0A 40 00 00 00 5D",
    ]

    @Test("a packet behind garbage is found, and the garbage is counted", arguments: garbage)
    func garbageBefore(text: String) {
        let packet = LinkVector.all[0]
        let stream = hex(text) + packet.bytes
        #expect(
            DecoderVerifier.firstDifference(stream, expected: [Element.packet(packet.packet)]) { decode($0) } == nil)
        for chunks in [[stream[...]], Chunker.pieces(1).chunks(stream[...])] {
            var decoder = LinkPacketDecoder(maximumLength: 100)
            for chunk in chunks {
                var input = chunk
                while decoder.next(from: &input) != nil {}
            }
            #expect(decoder.losses.bytes == UInt64(hex(text).count))
            #expect(decoder.streamOffset == UInt64(stream.count))
            #expect(decoder.heldCount == 0)
        }
    }

    @Test("a packet before garbage is found at once", arguments: garbage)
    func garbageAfter(text: String) {
        let stream = LinkVector.all[3].bytes + hex(text) + LinkVector.all[1].bytes
        let expected: [Element] = [.packet(LinkVector.all[3].packet), .packet(LinkVector.all[1].packet)]
        #expect(DecoderVerifier.firstDifference(stream, expected: expected) { decode($0) } == nil)
    }

    @Test("a sound header alone waits for its payload (WIO's test)")
    func headerAlone() {
        var decoder = LinkPacketDecoder(maximumLength: 100)
        var input = hex("FF 5A 00 1A 80 2B 00 00 E2")[...]
        #expect(decoder.next(from: &input) == nil)
        #expect(decoder.heldCount == 9)
        #expect(decoder.losses.bytes == 0)
    }

    @Test(
        "headers of captured packets whose payloads are not repeated here are sound",
        arguments: [
            "FF 5A 03 C5 40 01 2E 01 6F", "FF 5A 00 94 40 02 C3 01 0D",
        ])
    func shortenedVectors(text: String) {
        var decoder = LinkPacketDecoder(maximumLength: 65_535)
        var input = hex(text)[...]
        #expect(decoder.next(from: &input) == nil)
        #expect(decoder.heldCount == 9)
    }

    @Test("a wrong header checksum drops the start and counts it")
    func headerChecksum() {
        var decoder = LinkPacketDecoder(maximumLength: 100)
        var bytes = LinkVector.all[0].bytes
        bytes[8] ^= 1
        var input = bytes[...]
        #expect(decoder.next(from: &input) == nil)
        #expect(decoder.losses.damagedHeaders == 1)
        #expect(decoder.losses.damagedPayloads == 0)
        #expect(decoder.losses.bytes == UInt64(bytes.count))
    }

    @Test("a wrong payload checksum drops the whole packet and nothing else")
    func payloadChecksum() {
        var bytes = LinkVector.all[14].bytes
        bytes[10] ^= 1
        let stream = bytes + LinkVector.all[3].bytes
        #expect(
            DecoderVerifier.firstDifference(stream, expected: [Element.packet(LinkVector.all[3].packet)]) {
                decode($0)
            } == nil)
        var decoder = LinkPacketDecoder(maximumLength: 100)
        var input = stream[...]
        while decoder.next(from: &input) != nil {}
        #expect(decoder.losses.bytes == UInt64(bytes.count))
        #expect(decoder.losses.damagedPayloads == 1)
        #expect(decoder.losses.damagedHeaders == 0)
    }

    @Test("a packet of the longest length is taken, one byte more is told")
    func limit() {
        let payload = [UInt8](repeating: 7, count: 54)
        let packet = LinkPacket(
            control: .acknowledge, sequence: 9, acknowledgement: 8, channelID: 1, payload: payload[...])
        #expect(packet.encodedLength == 64)
        #expect(decode([packet.encoded[...]], maximumLength: 64) == [.packet(packet)])
        let longer = decode([packet.encoded[...]], maximumLength: 63)
        #expect(longer == [.tooLong(length: 64)])
        #expect(
            DecoderVerifier.firstDifference(
                packet.encoded + LinkVector.all[3].bytes,
                expected: [Element.tooLong(length: 64), .packet(LinkVector.all[3].packet)]
            ) { decode($0, maximumLength: 63) } == nil)
    }

    @Test("limits outside the legal range are brought into it", arguments: [(0, 9), (-5, 9), (70_000, 65_535)])
    func limitRange(given: Int, taken: Int) {
        #expect(LinkPacketDecoder(maximumLength: given).maximumLength == taken)
    }

    @Test("no more than one packet is ever held")
    func bounded() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var decoder = LinkPacketDecoder(maximumLength: 128)
            for _ in 0..<50 {
                // Starts of packets that never come to an end, and noise.
                var bytes = generator.bytes(Int.random(in: 0..<40, using: &generator))
                bytes += LinkPacket(
                    control: .acknowledge, sequence: 0, acknowledgement: 0,
                    payload: generator.bytes(Int.random(in: 1...118, using: &generator))[...]
                ).encoded.prefix(Int.random(in: 1...40, using: &generator))
                var input = bytes[...]
                while decoder.next(from: &input) != nil {}
                #expect(input.isEmpty, "seed \(seed)")
                #expect(decoder.heldCount < 128, "seed \(seed)")
            }
        }
    }

    @Test("random bytes with packets among them never trap and account for every byte")
    func fuzz() {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var stream: [UInt8] = []
            while stream.count < 2000 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: stream += generator.bytes(Int.random(in: 0..<30, using: &generator))
                case 1: stream += LinkDetection.bytes
                case 2: stream += [0xFF, 0x5A] + generator.bytes(7)
                default:
                    var packet = LinkVector.all[Int.random(in: 0..<LinkVector.all.count, using: &generator)].bytes
                    if generator.chance(percent: 30) {
                        packet[Int.random(in: 0..<packet.count, using: &generator)] ^=
                            1 << UInt8.random(in: 0..<8, using: &generator)
                    }
                    stream += packet
                }
            }
            var decoder = LinkPacketDecoder(maximumLength: 200)
            var taken = 0
            for chunk in Chunker.random(seed: seed, maximum: 70).chunks(stream[...]) {
                var input = chunk
                while let element = decoder.next(from: &input) {
                    switch element {
                    case .detection: taken += 6
                    case .packet(let packet): taken += packet.encodedLength
                    case .tooLong, .dropped: break
                    }
                }
            }
            #expect(taken + Int(decoder.losses.bytes) + decoder.heldCount == stream.count, "seed \(seed)")
            #expect(decoder.streamOffset == UInt64(stream.count - decoder.heldCount), "seed \(seed)")
        }
    }
}
