import HIDReports
import RigTestKit
import Testing

@Suite struct HIDFieldTests {
    private func field(bit: Int, bits: Int, count: Int = 1, minimum: Int = 0, maximum: Int = 0) -> HIDField {
        HIDField(
            kind: .input, reportID: nil, collection: 0, bitOffset: bit, bitSize: bits, count: count, flags: .variable,
            logicalMinimum: minimum, logicalMaximum: maximum, physicalMinimum: 0, physicalMaximum: 0, unit: 0,
            unitExponent: 0, usages: [])
    }

    @Test func theLowestBitComesFirst() {
        let report: [UInt8] = [0b1010_0101, 0x34, 0x12, 0xFF]
        #expect(field(bit: 0, bits: 1).value(in: report) == 1)
        #expect(field(bit: 1, bits: 1).value(in: report) == 0)
        #expect(field(bit: 4, bits: 4).value(in: report) == 0b1010)
        #expect(field(bit: 8, bits: 16).value(in: report) == 0x1234)
        #expect(field(bit: 4, bits: 8).value(in: report) == 0x4A)
        #expect(field(bit: 0, bits: 4, count: 8).value(7, in: report) == 0xF)
        #expect(field(bit: 24, bits: 8, minimum: -127).value(in: report) == -1)
        #expect(field(bit: 24, bits: 8).value(in: report) == 255)
        #expect(field(bit: 0, bits: 32).value(in: [0xFF, 0xFF, 0xFF, 0xFF]) == 4_294_967_295)
        #expect(field(bit: 0, bits: 32, minimum: -1).value(in: [0, 0, 0, 0x80]) == -2_147_483_648)
    }

    @Test func whatIsNotThereHasNoValue() {
        let report: [UInt8] = [1, 2]
        #expect(field(bit: 9, bits: 8).value(in: report) == nil)
        #expect(field(bit: 0, bits: 8).value(1, in: report) == nil)
        #expect(field(bit: 0, bits: 8).value(-1, in: report) == nil)
        #expect(field(bit: 0, bits: 33).value(in: [UInt8](repeating: 0, count: 8)) == nil)
        #expect(field(bit: 0, bits: 0).value(in: report) == nil)
        #expect(field(bit: -8, bits: 8).value(in: report) == nil)
        #expect(field(bit: 0, bits: 8, count: .max).value(.max - 1, in: report) == nil)
        var bytes = report
        #expect(!field(bit: 9, bits: 8).set(1, in: &bytes))
        #expect(bytes == report)
    }

    /// What is written is read, and its neighbours are left alone.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func valuesComeBack(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bits = Int.random(in: 1...32, using: &generator)
        let bit = Int.random(in: 0...40, using: &generator)
        let isSigned = generator.chance(percent: 50)
        let field = field(bit: bit, bits: bits, count: 2, minimum: isSigned ? -1 : 0)
        let before = generator.bytes(14)
        var report = before
        let least = isSigned ? -(1 << (bits - 1)) : 0
        let value = Int.random(in: least...least + (1 << bits) - 1, using: &generator)
        #expect(field.set(value, element: 1, in: &report), "seed \(seed)")
        #expect(field.value(1, in: report) == value, "seed \(seed)")
        for place in 0..<report.count * 8 where !(bit + bits..<bit + 2 * bits).contains(place) {
            #expect(report[place / 8] >> (place % 8) & 1 == before[place / 8] >> (place % 8) & 1, "seed \(seed)")
        }
        // A slice that does not begin at 0 is read from its own beginning.
        #expect(field.value(1, in: ([9, 9, 9] + report)[3...]) == value, "seed \(seed)")
    }

    @Test func anArrayNamesUsagesByTheirPlace() throws {
        let media = try HIDDescriptor.parse(StandardInput.mediaKeys.descriptor).fields[0]
        #expect(media.usage(named: 0) == nil)
        #expect(media.usage(named: 1) == MediaKey.play.usage)
        #expect(media.usage(named: 6) == MediaKey.navigationGuidance.usage)
        #expect(media.usage(named: 7) == nil)
        #expect(media.usage(ofElement: 0) == nil)
    }
}
