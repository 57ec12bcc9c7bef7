import LinkProtocol
import RigModel
import Testing

@testable import RigCore

/// What is spoiled is found out by the receiver, which finds the packets behind it again.
@Suite struct FaultCorruptionTests {
    private static let samples: [[UInt8]] = [
        LinkDetection.bytes, FaultBench.acknowledgement(3), FaultBench.packet(1, count: 1),
        FaultBench.packet(2, count: 2),
        FaultBench.packet(3, count: 40), FaultBench.packet(4, count: 65_525),
    ]

    private func elements(_ reads: [[UInt8]]) -> (elements: [LinkPacketDecoder.Element], decoder: LinkPacketDecoder) {
        var decoder = LinkPacketDecoder(maximumLength: LinkPacket.maximumLength)
        var found: [LinkPacketDecoder.Element] = []
        for read in reads {
            var input = read[...]
            while let element = decoder.next(from: &input) {
                if case .dropped = element { continue }
                found.append(element)
            }
        }
        return (found, decoder)
    }

    @Test(arguments: [FaultKind.corruptHeader, .corruptPayload, .corruptLength])
    func theReceiverNeverTakesASpoiledPacket(_ kind: FaultKind) {
        for seed in UInt64(1)...300 {
            for sample in Self.samples {
                var bench = FaultBench()
                bench.start()
                bench.arm(kind, seed: seed)
                bench.pass(sample)
                guard kind != .corruptPayload || sample.count > LinkPacket.overhead else {
                    #expect(bench.reads == [sample] && bench.notices.isEmpty, "it waits for a payload")
                    continue
                }
                #expect(bench.reads.count == 1 && bench.reads[0] != sample && bench.reads[0].count == sample.count)
                let (found, _) = elements(bench.reads)
                #expect(found.isEmpty, "seed \(seed): \(kind.rawValue) of \(sample.count) bytes gives \(found.count)")
                #expect(bench.told == ["struck 1 at 1", "ended 1"])
                #expect(!bench.strikes[0].effect.isEmpty && bench.strikes[0].bytes == sample.count)
            }
        }
    }

    @Test(arguments: [FaultKind.corruptHeader, .corruptPayload, .corruptLength])
    func theReceiverFindsThePacketsBehind(_ kind: FaultKind) {
        for seed in UInt64(1)...300 {
            var bench = FaultBench()
            bench.start()
            bench.arm(kind, seed: seed)
            bench.pass(FaultBench.packet(1, count: 20))
            // A length that is told too long swallows up to 64 bytes of what comes next, and what is cut by that.
            for number in UInt8(2)...9 { bench.pass(FaultBench.packet(number, count: 20)) }
            let (found, _) = elements(bench.reads)
            let sequences = found.compactMap { element -> UInt8? in
                if case .packet(let packet) = element { packet.sequence } else { nil }
            }
            let expected: [UInt8] = kind == .corruptLength ? [5, 6, 7, 8, 9] : [2, 3, 4, 5, 6, 7, 8, 9]
            #expect(sequences.suffix(expected.count) == expected[...], "seed \(seed): \(sequences)")
        }
    }

    @Test func aWrongLengthHasASoundHeader() {
        var isShorter = 0
        var isLonger = 0
        for seed in UInt64(1)...300 {
            var generator = SeededGenerator(seed: seed)
            let packet = FaultBench.packet(1, count: 40)
            let (bytes, effect) = FaultCorruption.length(of: packet, &generator)
            #expect(bytes[..<LinkPacket.headerLength].reduce(0, &+) == 0)
            let told = Int(bytes[2]) << 8 | Int(bytes[3])
            #expect(effect == "its length is told to be \(told) instead of 50")
            #expect(told != packet.count && told > LinkPacket.overhead)
            #expect(told <= packet.count + FaultCorruption.maximumExcess)
            if told < packet.count { isShorter += 1 } else { isLonger += 1 }
        }
        #expect(isShorter > 60 && isLonger > 60)
        // The longest packet cannot be told to be longer, nor one without payload to be shorter.
        for seed in UInt64(1)...50 {
            var generator = SeededGenerator(seed: seed)
            let (longest, _) = FaultCorruption.length(of: FaultBench.packet(1, count: 65_525), &generator)
            #expect(Int(longest[2]) << 8 | Int(longest[3]) < LinkPacket.maximumLength)
            let (bare, _) = FaultCorruption.length(of: FaultBench.acknowledgement(1), &generator)
            #expect(Int(bare[2]) << 8 | Int(bare[3]) >= 11)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
    }

    /// The same seed spoils the same bit in every process.
    @Test func chancesComeFromTheSeed() {
        func spoiled(_ seed: UInt64) -> [[UInt8]] {
            var bench = FaultBench()
            bench.start()
            for (number, kind) in [FaultKind.corruptHeader, .corruptPayload, .corruptLength].enumerated() {
                bench.arm(kind, UInt32(number + 1), seed: seed)
            }
            bench.pass(FaultBench.packet(1), FaultBench.packet(2), FaultBench.packet(3))
            return bench.reads
        }
        #expect(spoiled(5) == spoiled(5))
        #expect(Set((UInt64(1)...20).map { spoiled($0) }).count > 15)
        #expect(
            spoiled(5).map(Self.hex) == [
                "FF 5A 00 0E 40 00 09 01 4E 01 08 0F 16 D2", "FF 5A 00 0E 40 02 09 01 4D 02 09 10 16 CE",
                "FF 5A 00 0D 40 03 09 01 4D 03 0A 11 18 CA",
            ])
    }
}
