import HIDReports
import Testing

@Suite struct HIDDescriptorErrorTests {
    private static let malformed: [(String, HIDDescriptorError.Kind, Int)] = [
        ("05", .truncated(needed: 1, left: 0), 0),
        ("05 01 26 FF", .truncated(needed: 2, left: 1), 2),
        ("05 01 27 FF 00 00", .truncated(needed: 4, left: 3), 2),
        ("FE", .truncated(needed: 2, left: 0), 0),
        ("05 01 FE 01", .truncated(needed: 2, left: 1), 2),
        ("05 01 FE 03 00 AA BB", .truncated(needed: 3, left: 2), 2),
        ("C0", .noOpenCollection, 0),
        ("A1 01 C0 C0", .noOpenCollection, 3),
        ("A1 01", .unclosedCollection, 0),
        ("05 01 A1 01 09 01 A1 00", .unclosedCollection, 6),
        ("75 08 95 01 81 02", .fieldOutsideCollection, 4),
        ("A1 01 C0 75 08 95 01 91 02", .fieldOutsideCollection, 7),
        ("A1 01 95 01 81 02 C0", .missingReportSize, 4),
        ("A1 01 75 08 B1 02 C0", .missingReportCount, 4),
        ("85 00", .reportIDOutOfRange(0), 0),
        ("86 00 01", .reportIDOutOfRange(256), 0),
        ("A1 01 75 08 95 01 81 02 85 01 C0", .lateReportID, 8),
        ("A1 01 75 08 95 01 A4 85 01 81 02 B4 81 02 C0", .unnumberedField, 12),
        ("B4", .nothingPushed, 0),
        ("A4 B4 B4", .nothingPushed, 2),
        ("A4 A4 A4 A4 A4", .tooManyPushes, 4),
        ("05 00", .usagePageOutOfRange(0), 0),
        ("07 00 00 01 00", .usagePageOutOfRange(65_536), 0),
        ("A1 01 75 08 95 01 15 05 25 04 81 02 C0", .emptyLogicalRange(minimum: 5, maximum: 4), 10),
        ("A1 01 75 08 95 01 15 FF 25 80 81 00 C0", .emptyLogicalRange(minimum: -1, maximum: -128), 10),
        ("A1 01 75 08 95 01 05 09 19 01 81 02 C0", .halfUsageRange, 8),
        ("A1 01 75 08 95 01 05 09 29 01 C0", .halfUsageRange, 8),
        ("05 09 19 01 19 02", .halfUsageRange, 4),
        ("05 09 29 01 29 02", .halfUsageRange, 4),
        ("05 09 19 02 29 01", .badUsageRange(first: HIDUsage(9, 2), last: HIDUsage(9, 1)), 4),
        ("05 09 29 01 1B 00 00 0C 00", .badUsageRange(first: HIDUsage(12, 0), last: HIDUsage(9, 1)), 4),
        ("A9 01 A9 01", .badDelimiter, 2),
        ("A9 00", .badDelimiter, 0),
        ("A9 02", .badDelimiter, 0),
        ("05 09 A9 01 09 01 A1 01 C0", .badDelimiter, 2),
        ("A1 01 76 01 20 95 01 81 02 C0", .reportTooLong(bits: 8_193), 7),
        ("A1 01 75 08 96 00 04 81 02 75 01 95 01 81 01 C0", .reportTooLong(bits: 8_193), 13),
        ("A1 01 85 01 75 08 96 00 04 81 02 C0", .reportTooLong(bits: 8_200), 9),
        ("A1 01 77 FF FF FF FF 97 FF FF FF FF 81 01 C0", .reportTooLong(bits: .max), 12),
    ]

    @Test(arguments: malformed)
    func tellsWhatIsWrongAndWhere(hex: String, kind: HIDDescriptorError.Kind, offset: Int) {
        #expect(throws: HIDDescriptorError(kind, offset: offset)) { _ = try HIDVectors.descriptor(hex) }
        #expect(HIDDescriptorError(kind, offset: offset).description.hasSuffix(" at offset \(offset)"))
    }

    /// The limits of the whole: at the limit it is read, one over it is refused.
    @Test func eachLimitHoldsAtItsNumber() throws {
        func repeated(_ text: String, _ count: Int) -> String { String(repeating: text + " ", count: count) }
        func check(_ kind: HIDDescriptorError.Kind, _ limit: Int, _ make: (Int) -> (hex: String, offset: Int)) {
            #expect(throws: Never.self, "\(kind)") { _ = try HIDVectors.descriptor(make(limit).hex) }
            let over = make(limit + 1)
            #expect(throws: HIDDescriptorError(kind, offset: over.offset)) { _ = try HIDVectors.descriptor(over.hex) }
        }
        check(.tooLong(count: 4_097), HIDDescriptor.maximumBytes) { (repeated("00", $0), 4_096) }
        check(.tooDeep, HIDDescriptor.maximumDepth) { (repeated("A1 01", $0) + repeated("C0", $0), 32) }
        check(.tooManyPushes, HIDDescriptor.maximumPushes) { (repeated("A4", $0), 4) }
        check(.tooManyFields, HIDDescriptor.maximumFields) {
            ("A1 01 75 01 95 01" + repeated("81 02", $0) + "C0", 6 + 2 * 256)
        }
        check(.tooManyUsages, HIDDescriptor.maximumUsages) { (repeated("09 01", $0), 1_024) }
        check(.reportTooLong(bits: 8_193), HIDDescriptor.maximumReportBytes * 8) {
            let (low, high) = ($0 & 0xFF, $0 >> 8)
            let size = [low, high].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
            return ("A1 01 75 01 96 \(size) 81 02 C0", 7)
        }
        // 8,000 elements in one report, as many as are left in a second.
        check(.tooManyElements(count: 12_289), HIDDescriptor.maximumElements - 8_000) {
            let size = [$0 & 0xFF, $0 >> 8].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return ("A1 01 75 01 85 01 96 40 1F 81 02 85 02 96 \(size.joined(separator: " ")) 81 02 C0", 16)
        }
    }

    @Test func paddingNeedsNoRangeAndCountsNoElements() throws {
        let padding = try HIDVectors.descriptor("A1 01 75 01 96 00 20 15 05 25 04 81 01 91 01 B1 01 C0")
        #expect(padding.reports.map(\.bitCount) == [8_192, 8_192, 8_192])
    }

    @Test func everyReportErrorHasText() {
        let errors: [HIDReportError] = [
            .empty, .unknownReport(nil), .unknownReport(3), .wrongLength(report: nil, expected: 4, actual: 5),
            .wrongLength(report: 1, expected: 4, actual: 5),
            .outOfRange(value: -128, minimum: -127, maximum: 127, offset: 1),
        ]
        for error in errors { #expect(!error.description.isEmpty) }
        #expect(
            HIDReportError.wrongLength(report: 1, expected: 4, actual: 5).description
                == "report 1 of 5 bytes, which has 4")
    }
}
