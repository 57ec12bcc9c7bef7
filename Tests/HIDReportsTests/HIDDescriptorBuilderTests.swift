import HIDReports
import RigTestKit
import Testing

@Suite struct HIDDescriptorBuilderTests {
    @Test func writesEachItemInItsShortestForm() {
        var builder = HIDDescriptorBuilder()
        builder.usagePage(0x0C)
        builder.usage(.home)
        builder.usage(.button1)
        builder.usages(HIDUsageRange(page: 0x0C, first: 0xB0, last: 0xB3))
        builder.logicalRange(-127, 255)
        builder.logicalRange(0, 65_535)
        builder.physicalRange(-32_768, 32_767)
        builder.unit(0x11, exponent: -2)
        builder.elements(bits: 8, count: 300)
        builder.reportID(2)
        builder.open(.application)
        builder.field(.feature, [.variable, .bufferedBytes])
        builder.padding(bits: 3)
        builder.close()
        let expected = """
            05 0C 0A 23 02 0B 01 00 09 00 19 B0 29 B3 15 81 26 FF 00 15 00 27 FF FF 00 00 36 00 80 46 FF 7F 65 11 55 0E
            75 08 96 2C 01 85 02 A1 01 B2 02 01 75 03 95 01 81 01 C0
            """
        #expect(builder.bytes == HIDVectors.bytes(expected))
    }

    @Test(arguments: [
        StandardInput.knob, .touchpad(contacts: 2), .touchpad(contacts: 10), .touchscreen(maximumX: 799, maximumY: 479),
        .mediaKeys, .telephonyKeys, .consumerRemote,
    ])
    func ourLayoutsAreWrittenAgainAsTheyAre(input: StandardInput) throws {
        let descriptor = try HIDDescriptor.parse(input.descriptor)
        #expect(try HIDDescriptor.parse(descriptor.encoded()) == descriptor)
        #expect(descriptor.function == input.function)
    }

    @Test func foreignLayoutsAreWrittenAgainAsTheyAre() throws {
        for hex in [HIDVectors.knob, HIDVectors.iPod] {
            let descriptor = try HIDVectors.descriptor(hex)
            #expect(try HIDDescriptor.parse(descriptor.encoded()) == descriptor)
        }
    }

    /// Any layout that can be built is read as it was meant, and written again it is the same layout.
    @Test(arguments: 0..<400 as Range<UInt64>)
    func anyLayoutComesBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let made = Layout(&generator)
        let read: HIDDescriptor
        do throws(HIDDescriptorError) {
            read = try HIDDescriptor.parse(made.bytes)
        } catch {
            Issue.record("seed \(seed): \(error)")
            return
        }
        #expect(read.places == made.places, "seed \(seed)")
        #expect(read.fields.map(\.reportID) == made.reportIDs, "seed \(seed)")
        #expect(read.collections.map(\.parent) == made.parents, "seed \(seed)")
        let encoded = read.encoded()
        #expect(try HIDDescriptor.parse(encoded) == read, "seed \(seed)")
        #expect(try HIDDescriptor.parse(encoded).encoded() == encoded, "seed \(seed)")
    }
}

/// A made-up layout: its bytes, and what they must be read as.
private struct Layout {
    var builder = HIDDescriptorBuilder()
    var places: [Place] = []
    var reportIDs: [UInt8?] = []
    var parents: [Int?] = []
    private var open: [Int] = []
    /// Bits used in each report, by kind and number.
    private var used: [(kind: HIDReportKind, id: UInt8?, bits: Int)] = []

    var bytes: [UInt8] { builder.bytes }

    init(_ generator: inout SeededGenerator) {
        let isNumbered = generator.chance(percent: 50)
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where open.count < 8: openCollection(&generator)
            case 1 where open.count > 1:
                open.removeLast()
                builder.close()
            default:
                if open.isEmpty { openCollection(&generator) }
                addField(&generator, isNumbered)
            }
        }
        for _ in open { builder.close() }
    }

    private mutating func openCollection(_ generator: inout SeededGenerator) {
        builder.open(
            HIDCollection.Kind(rawValue: UInt8.random(in: 0...8, using: &generator)),
            generator.chance(percent: 80) ? usage(&generator) : nil)
        parents.append(open.last)
        open.append(parents.count - 1)
    }

    private func usage(_ generator: inout SeededGenerator) -> HIDUsage {
        let pages: [UInt16] = [1, 7, 9, 0x0B, 0x0C, 0x0D, 0xFF00]
        return HIDUsage(pages.randomElement(using: &generator) ?? 1, UInt16.random(in: 0 ... .max, using: &generator))
    }

    private mutating func addField(_ generator: inout SeededGenerator, _ isNumbered: Bool) {
        let id: UInt8? = isNumbered ? UInt8.random(in: 1...3, using: &generator) : nil
        if let id { builder.reportID(id) }
        let kind = HIDReportKind.allCases.randomElement(using: &generator) ?? .input
        let bits = Int.random(in: 1...32, using: &generator)
        let count = Int.random(in: 1...6, using: &generator)
        let flags = HIDFieldFlags(rawValue: UInt16.random(in: 0...0x1FF, using: &generator))
        let lowest = generator.chance(percent: 50) ? 0 : -Int.random(in: 0...1 << 31, using: &generator)
        let most = lowest < 0 ? Int(Int32.max) : Int(UInt32.max)
        let highest = Int.random(in: lowest...most, using: &generator)
        var usages: [HIDUsage] = []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let usage = usage(&generator)
            let last = UInt16(clamping: Int(usage.id) + Int.random(in: 0...2, using: &generator))
            builder.usages(HIDUsageRange(page: usage.page, first: usage.id, last: last))
            usages += (usage.id...last).map { HIDUsage(usage.page, $0) }
        }
        builder.logicalRange(lowest, highest)
        builder.physicalRange(Int.random(in: -9...9, using: &generator), Int.random(in: 10...999, using: &generator))
        builder.unit(
            UInt32.random(in: 0 ... .max, using: &generator), exponent: Int.random(in: -8...7, using: &generator))
        builder.elements(bits: bits, count: count)
        builder.field(kind, flags)
        let report: Int
        if let known = used.firstIndex(where: { $0.kind == kind && $0.id == id }) {
            report = known
        } else {
            used.append((kind, id, id == nil ? 0 : 8))
            report = used.count - 1
        }
        places.append(
            Place(used[report].bits, bits, count, flags.contains(.constant) ? 0...0 : lowest...highest, flags, usages))
        reportIDs.append(id)
        used[report].bits += bits * count
    }
}
