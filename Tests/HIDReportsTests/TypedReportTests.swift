import HIDReports
import Testing

@Suite struct TypedReportTests {
    private static let knobReports: [(KnobReport, String)] = [
        (KnobReport(buttons: .select), "01 00 00 00"), (KnobReport(buttons: .home), "02 00 00 00"),
        (KnobReport(buttons: .back), "04 00 00 00"), (KnobReport(wheel: 1), "00 00 00 01"),
        (KnobReport(wheel: -1), "00 00 00 FF"), (KnobReport(x: 127), "00 7F 00 00"), (KnobReport(), "00 00 00 00"),
        (KnobReport(buttons: [.select, .back], x: -127, y: 1, wheel: 127), "05 81 01 7F"),
    ]

    @Test(arguments: knobReports)
    func knobReportsAreTheKnownOnes(report: KnobReport, hex: String) throws {
        #expect(report.bytes == HIDVectors.bytes(hex))
        #expect(try KnobReport(HIDVectors.bytes(hex)[...]) == report)
        // Read by the descriptor, the same values stand at the same places.
        let fields = try HIDDescriptor.parse(StandardInput.knob.descriptor).fields
        #expect(fields[0].value(in: report.bytes) == Int(report.buttons.rawValue & 1))
        #expect(fields[3].value(0, in: report.bytes) == Int(report.x))
        #expect(fields[3].value(1, in: report.bytes) == Int(report.y))
        #expect(fields[4].value(in: report.bytes) == Int(report.wheel))
    }

    @Test func wrongKnobReportsAreRefused() throws {
        #expect(throws: HIDReportError.empty) { _ = try KnobReport([]) }
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 4, actual: 5)) {
            _ = try KnobReport([0, 0, 0, 0, 0])
        }
        for offset in 1...3 {
            var bytes: [UInt8] = [0, 0, 0, 0]
            bytes[offset] = 0x80
            #expect(throws: HIDReportError.outOfRange(value: -128, minimum: -127, maximum: 127, offset: offset)) {
                _ = try KnobReport(bytes[...])
            }
        }
        // Padding means nothing.
        #expect(try KnobReport([0xFF, 0, 0, 0]).buttons == [.select, .home, .back])
        #expect(KnobReport(x: -128, y: -128, wheel: -128) == KnobReport(x: -127, y: -127, wheel: -127))
    }

    @Test func touchscreenReportsComeBack() throws {
        let report = TouchscreenReport(contacts: [
            .init(index: 0, isTouching: true, x: 0x1234, y: 0x5678), .init(index: 1, isTouching: false, x: 1, y: 2),
        ])
        #expect(report.bytes == HIDVectors.bytes("00 01 34 12 78 56 01 00 01 00 02 00"))
        #expect(try TouchscreenReport(report.bytes[...]) == report)
        #expect(TouchscreenReport(contacts: []).bytes == HIDVectors.bytes("00 00 00 00 00 00 01 00 00 00 00 00"))
        let second = TouchscreenReport(contacts: [.init(index: 9, isTouching: true, x: 0, y: 0)])
        #expect(second.contacts.map(\.index) == [1, 0])
        #expect(throws: HIDReportError.outOfRange(value: 2, minimum: 0, maximum: 1, offset: 6)) {
            _ = try TouchscreenReport(HIDVectors.bytes("00 01 34 12 78 56 02 00 01 00 02 00")[...])
        }
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 12, actual: 6)) {
            _ = try TouchscreenReport(HIDVectors.bytes("00 01 34 12 78 56")[...])
        }
    }

    @Test func touchpadReportsComeBack() throws {
        let report = TouchpadReport(
            contacts: [
                .init(id: 3, isTouching: true, x: 10_000, y: 1), .init(id: 15, isTouching: false, x: 0, y: 256),
            ], isPressed: true, capacity: 3)
        #expect(report.bytes == HIDVectors.bytes("31 10 27 01 00 F0 00 00 00 01 00 00 00 00 00 02 01"))
        #expect(try TouchpadReport(report.bytes[...], capacity: 3) == report)
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 12, actual: 17)) {
            _ = try TouchpadReport(report.bytes[...], capacity: 2)
        }
        #expect(throws: HIDReportError.outOfRange(value: 2, minimum: 0, maximum: 1, offset: 5)) {
            _ = try TouchpadReport(HIDVectors.bytes("31 10 27 01 00 02 00")[...], capacity: 1)
        }
        #expect(throws: HIDReportError.outOfRange(value: 10_001, minimum: 0, maximum: 10_000, offset: 3)) {
            _ = try TouchpadReport(HIDVectors.bytes("31 00 00 11 27 01 00")[...], capacity: 1)
        }
        #expect(TouchpadReport(contacts: report.contacts, capacity: 0).contacts.count == 1)
        #expect(
            TouchpadReport.Contact(id: 200, isTouching: true, x: .max, y: 3)
                == .init(id: 15, isTouching: true, x: 10_000, y: 3))
    }

    @Test func mediaKeysComeBack() throws {
        for key in MediaKey.allCases {
            #expect(MediaKeyReport(key).bytes == [key.rawValue])
            #expect(try MediaKeyReport([key.rawValue]).key == key)
        }
        #expect(try MediaKeyReport([0]).key == nil)
        #expect(MediaKeyReport(nil).bytes == [0])
        #expect(throws: HIDReportError.outOfRange(value: 7, minimum: 0, maximum: 6, offset: 0)) {
            _ = try MediaKeyReport([7])
        }
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 1, actual: 2)) {
            _ = try MediaKeyReport([1, 0])
        }
    }

    @Test func telephonyKeysComeBack() throws {
        for key in TelephonyKey.allCases {
            #expect(try TelephonyKeyReport(TelephonyKeyReport(key).bytes[...]).key == key)
        }
        #expect(TelephonyKey.delete.rawValue == 17)
        #expect(TelephonyKey.pound.usage == HIDUsage(0x0B, 0xBB))
        #expect(throws: HIDReportError.outOfRange(value: 18, minimum: 0, maximum: 17, offset: 0)) {
            _ = try TelephonyKeyReport([18])
        }
        #expect(throws: HIDReportError.empty) { _ = try TelephonyKeyReport([]) }
    }

    @Test func remoteKeysComeBack() throws {
        #expect(ConsumerRemoteReport([.playPause]).bytes == [0x01, 0x00])
        #expect(ConsumerRemoteReport([.demote, .next]).bytes == [0x02, 0x02])
        #expect(try ConsumerRemoteReport([0x02, 0x02]).keys == [.next, .demote])
        #expect(try ConsumerRemoteReport([0xFF, 0xFF]).keys == ConsumerRemoteKey.allCases)
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 2, actual: 1)) {
            _ = try ConsumerRemoteReport([1])
        }
    }
}
