import LinkProtocol
import RigTestKit
import Testing

@testable import RigCore

@Suite struct PacketCutterTests {
    @Test func everyByteComesOutOnceAndInOrder() {
        for seed in UInt64(1)...400 {
            var generator = RigTestKit.SeededGenerator(seed: seed)
            var cutter = PacketCutter(maximumLength: 256)
            var stream: [UInt8] = []
            for number in 0..<UInt8(20) {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: stream += generator.bytes(Int.random(in: 1...12, using: &generator))
                case 1: stream += LinkDetection.bytes
                case 2: stream += FaultBench.packet(number, count: 300)
                case 3:
                    var damaged = FaultBench.packet(number)
                    damaged[Int.random(in: 0..<damaged.count, using: &generator)] ^= 1
                    stream += damaged
                default: stream += FaultBench.packet(number, count: Int.random(in: 1...200, using: &generator))
                }
            }
            var out: [UInt8] = []
            var packets: [[UInt8]] = []
            for chunk in Chunker.random(seed: seed, maximum: 40).chunks(stream[...]) {
                for piece in cutter.cut(chunk) {
                    switch piece {
                    case .packet(let bytes):
                        packets.append(bytes)
                        out += bytes
                    case .other(let bytes): out += bytes
                    }
                }
                #expect(cutter.heldCount <= 256)
            }
            out += cutter.rest()
            #expect(out == stream, "seed \(seed)")
            // The receiver finds the same packets in it.
            var decoder = LinkPacketDecoder(maximumLength: 256)
            var input = stream[...]
            var found: [[UInt8]] = []
            while let element = decoder.next(from: &input) {
                switch element {
                case .packet(let packet): found.append(packet.encoded)
                case .detection: found.append(LinkDetection.bytes)
                case .tooLong, .dropped: break
                }
            }
            #expect(packets == found, "seed \(seed)")
        }
    }

    @Test func itBeginsAnewAfterTheRest() {
        var cutter = PacketCutter(maximumLength: 256)
        let packet = FaultBench.packet(1)
        #expect(cutter.cut(packet.prefix(4)) == [])
        #expect(cutter.rest() == Array(packet.prefix(4)))
        #expect(cutter.heldCount == 0)
        #expect(cutter.cut(packet[...]) == [.packet(packet)])
    }
}
