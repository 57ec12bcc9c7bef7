import LinkProtocol
import RigTestKit
import Testing

@Suite("Link bytes in HID reports")
struct HIDFramingTests {
    static let sets: [HIDReportSet] = [.highSpeed, .fullSpeed]

    /// Everything that a fresh decoder takes out of these reports, and the rules they broke.
    static func decode(
        _ reports: [[UInt8]], _ direction: HIDReportDirection = .input, set: HIDReportSet = .highSpeed
    ) -> (bytes: [UInt8], broken: [HIDFrameRule]) {
        var decoder = HIDFrameDecoder(direction, set: set)
        var bytes: [UInt8] = []
        let broken = reports.compactMap { decoder.receive($0[...], into: &bytes) }
        return (bytes, broken)
    }

    @Test("the detection bytes travel in input report 02")
    func vector() {
        let report = hex("02 00 FF 55 02 00 EE 10 00 00")
        #expect(HIDFraming.reports(for: LinkDetection.bytes[...], .input, set: .highSpeed) == [report])
        #expect(Self.decode([report]) == (LinkDetection.bytes, []))
    }

    @Test("the reports are those of the descriptors")
    func shapes() {
        #expect(HIDReportSet.highSpeed.input.map(\.id) == Array(0x01...0x0C))
        #expect(
            HIDReportSet.highSpeed.input.map(\.size)
                == [5, 9, 13, 17, 25, 49, 95, 193, 257, 385, 513, 767])
        #expect(HIDReportSet.highSpeed.output.map(\.id) == Array(0x0D...0x15))
        #expect(HIDReportSet.highSpeed.output.map(\.size) == [5, 9, 13, 17, 25, 49, 95, 193, 255])
        #expect(HIDReportSet.fullSpeed.input == [(1, 12), (2, 14), (3, 20), (4, 63)].map(HIDReportShape.init))
        #expect(
            HIDReportSet.fullSpeed.output == [(5, 8), (6, 10), (7, 14), (8, 20), (9, 63)].map(HIDReportShape.init))
    }

    @Test("the smallest report that fits is taken, at its size and one over", arguments: 0..<2)
    func smallest(index: Int) {
        let set = Self.sets[index]
        for direction in HIDReportDirection.allCases {
            let shapes = set.shapes(direction)
            for (shape, next) in zip(shapes, shapes.dropFirst()) {
                #expect(set.shape(for: shape.capacity, direction) == shape)
                #expect(set.shape(for: shape.capacity + 1, direction) == next)
            }
            #expect(set.shape(for: 65_535, direction) == shapes.last)
            #expect(set.shape(for: 1, direction) == shapes.first)
        }
    }

    @Test("a packet of any length comes back, in both directions at both speeds", arguments: 0..<2)
    func roundTrip(index: Int) {
        let set = Self.sets[index]
        for direction in HIDReportDirection.allCases {
            let capacity = set.shapes(direction)[set.shapes(direction).count - 1].capacity
            for count in [1, 2, 50, capacity - 10, capacity - 9, capacity, 3 * capacity, 4_000, 65_525] {
                // Zeros at the end are where padding could be taken for data or the other way round.
                let packet = LinkPacket(
                    control: .acknowledge, sequence: 1, acknowledgement: 2, channelID: 1,
                    payload: [UInt8](repeating: 0, count: count)[...]
                ).encoded
                let reports = HIDFraming.reports(for: packet[...], direction, set: set)
                #expect(reports.count == (packet.count + capacity - 1) / capacity)
                #expect(reports.allSatisfy { $0.count == set.shape(of: $0[0], direction)?.length })
                if reports.count > 2 {
                    #expect(Array(reports.map { $0[1] }.prefix(2)) == [2, 3])
                    #expect(reports.last?[1] == 1)
                }
                #expect(Self.decode(reports, direction, set: set) == (packet, []), "\(count)")
            }
        }
    }

    @Test("several packets in one frame keep their bytes and lose the padding")
    func several() {
        let stream = LinkDetection.bytes + LinkVector.all[0].bytes + LinkVector.all[3].bytes
        let reports = HIDFraming.reports(for: stream[...], .input, set: .highSpeed)
        #expect(Self.decode(reports) == (stream, []))
        // What is no padding stays, to be told by the link.
        let odd = HIDFraming.reports(for: (LinkDetection.bytes + [0, 7])[...], .input, set: .highSpeed)
        #expect(Self.decode(odd) == (LinkDetection.bytes + [0, 7], []))
    }

    @Test("reports that break a rule are named, and the next is taken as if nothing had happened")
    func rules() {
        let good = hex("02 00 FF 55 02 00 EE 10 00 00")
        let cases: [([String], HIDFrameRule)] = [
            ([""], .unknownReport), (["0D 00 01 02 03 04"], .unknownReport), (["00 00"], .unknownReport),
            (["02"], .wrongLength), (["02 00 FF 55 02 00 EE 10 00"], .wrongLength),
            (["01 00 FF 55 02 00 EE"], .wrongLength), (["01 04 01 02 03 04"], .unknownControlBits),
            (["01 01 01 02 03 04"], .missingStart), (["01 03 01 02 03 04"], .missingStart),
            (["01 02 FF 55 02 00"], .unfinished),
        ]
        for (texts, rule) in cases {
            let (bytes, broken) = Self.decode(texts.map { hex($0) } + [good, good])
            #expect(broken == [rule])
            #expect(bytes == LinkDetection.bytes + LinkDetection.bytes)
        }
    }

    @Test("a frame without end is dropped at the length of a packet")
    func tooLong() {
        var decoder = HIDFrameDecoder(.input, set: .highSpeed)
        var bytes: [UInt8] = []
        var broken: [HIDFrameRule] = []
        let report = [0x0C, 0x02] + [UInt8](repeating: 1, count: 0x2FE)
        let next = [0x0C, 0x03] + [UInt8](repeating: 1, count: 0x2FE)
        #expect(decoder.receive(report[...], into: &bytes) == nil)
        for _ in 0..<200 {
            if let rule = decoder.receive(next[...], into: &bytes) { broken.append(rule) }
            #expect(decoder.heldCount <= HIDFrameDecoder.maximumLength)
        }
        #expect(broken.first == .tooLong)
        #expect(broken.dropFirst().allSatisfy { $0 == .missingStart })
        #expect(bytes == [])
    }

    @Test("any reports in any order are taken without harm")
    func random() {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var decoder = HIDFrameDecoder(.output, set: .fullSpeed)
            var bytes: [UInt8] = []
            for _ in 0..<60 {
                let shape = HIDReportSet.fullSpeed.output.randomElement(using: &generator)
                let count =
                    generator.chance(percent: 90) ? shape?.length ?? 0 : Int.random(in: 0...70, using: &generator)
                var report = generator.bytes(count)
                if generator.chance(percent: 90), !report.isEmpty { report[0] = shape?.id ?? 0 }
                if generator.chance(percent: 90), report.count > 1 { report[1] &= 3 }
                _ = decoder.receive(report[...], into: &bytes)
                #expect(decoder.heldCount <= HIDFrameDecoder.maximumLength, "seed \(seed)")
            }
        }
    }
}
