import HIDReports
import Testing

/// A reader, fed with reports as hex.
struct ReportFeed {
    var reader: HIDReportReader

    init(_ input: StandardInput) throws { reader = HIDReportReader(try HIDDescriptor.parse(input.descriptor)) }
    init(_ hex: String) throws { reader = HIDReportReader(try HIDVectors.descriptor(hex)) }

    mutating func read(_ hex: String) throws -> [HIDReportEvent] { try read(HIDVectors.bytes(hex)) }

    mutating func read(_ bytes: [UInt8]) throws -> [HIDReportEvent] {
        var events: [HIDReportEvent] = []
        try reader.read(bytes[...], into: &events)
        return events
    }

    mutating func end() -> [HIDReportEvent] {
        var events: [HIDReportEvent] = []
        reader.end(into: &events)
        return events
    }
}

@Suite struct HIDReportReaderTests {
    // MARK: Knobs

    @Test func aKnobTurnsIsPressedAndPushed() throws {
        var feed = try ReportFeed(.knob)
        #expect(try feed.read("00 00 00 01") == [.rotated(1)])
        #expect(try feed.read("00 00 00 01") == [.rotated(1)])
        #expect(try feed.read("00 00 00 81") == [.rotated(-127)])
        #expect(try feed.read("01 00 00 00") == [.button(.button1, isDown: true)])
        #expect(try feed.read("01 00 00 00") == [])
        #expect(
            try feed.read("06 00 00 02") == [
                .rotated(2), .button(.button1, isDown: false), .button(.home, isDown: true),
                .button(.back, isDown: true),
            ])
        #expect(
            try feed.read("00 7F 81 00") == [
                .pushed(x: 1_000, y: -1_000), .button(.home, isDown: false), .button(.back, isDown: false),
            ])
        #expect(try feed.read("00 40 00 00") == [.pushed(x: 503, y: 0)])
        #expect(try feed.read("00 00 00 00") == [.pushed(x: 0, y: 0)])
    }

    @Test func theSameForLIVIsDescriptor() throws {
        var feed = try ReportFeed(HIDVectors.knob)
        #expect(
            try feed.read("05 00 00 FF") == [
                .rotated(-1), .button(.button1, isDown: true), .button(.back, isDown: true),
            ])
        #expect(
            try feed.read("00 00 7F 00") == [
                .pushed(x: 0, y: 1_000), .button(.button1, isDown: false), .button(.back, isDown: false),
            ])
        #expect(feed.end() == [.pushed(x: 0, y: 0)])
    }

    @Test func valuesOutsideOfTheirRangeMeanNothing() throws {
        var feed = try ReportFeed(.knob)
        #expect(try feed.read("00 7F 00 00") == [.pushed(x: 1_000, y: 0)])
        #expect(try feed.read("00 80 80 80") == [])
    }

    /// A foreign knob: report 3, 12-bit dial before everything, buttons behind, no push.
    @Test func aKnobOfAnotherLayoutIsReadAsWell() throws {
        var feed = try ReportFeed(
            """
            05 01 09 0E A1 01 85 03 09 37 16 01 F8 26 FF 07 75 0C 95 01 81 06 75 04 81 01
            05 09 19 01 29 03 15 00 25 01 75 01 95 03 81 02 75 05 95 01 81 01 C0
            """)
        #expect(try feed.read("03 FF FF 00") == [.rotated(-1)])
        #expect(try feed.read("03 05 F0 02") == [.rotated(5), .button(HIDUsage(9, 2), isDown: true)])
        #expect(throws: HIDReportError.unknownReport(4)) { _ = try feed.read("04 05 F0 02") }
        #expect(throws: HIDReportError.wrongLength(report: 3, expected: 4, actual: 3)) { _ = try feed.read("03 05 F0") }
        #expect(throws: HIDReportError.empty) { _ = try feed.read("") }
        #expect(feed.end() == [.button(HIDUsage(9, 2), isDown: false)])
        #expect(feed.end() == [])
    }

    /// A dial that gives its place, 0 to 255, goes on at the other end.
    @Test func anAbsoluteDialIsTurnedTheShorterWay() throws {
        var feed = try ReportFeed("05 01 09 08 A1 01 09 37 15 00 26 FF 00 75 08 95 01 81 02 C0")
        #expect(try feed.read("FE") == [])
        #expect(try feed.read("02") == [.rotated(4)])
        #expect(try feed.read("FF") == [.rotated(-3)])
        #expect(try feed.read("7F") == [.rotated(-128)])
        #expect(feed.end() == [])
        #expect(try feed.read("10") == [])
    }

    @Test func ofDialAndWheelOnlyTheDialTurns() throws {
        var feed = try ReportFeed("05 01 09 08 A1 01 09 38 09 37 15 81 25 7F 75 08 95 02 81 06 C0")
        #expect(try feed.read("05 02") == [.rotated(2)])
        #expect(try feed.read("05 00") == [])
    }

    @Test func aPushWithoutAMiddleIsMeasuredFromHalfway() throws {
        var feed = try ReportFeed("05 01 09 08 A1 01 09 30 09 31 15 00 25 02 75 08 95 02 81 02 C0")
        #expect(try feed.read("01 01") == [])
        #expect(try feed.read("00 02") == [.pushed(x: -1_000, y: 1_000)])
    }

    // MARK: Keys

    @Test func keysOfAnArrayGoDownAndUp() throws {
        var feed = try ReportFeed(.mediaKeys)
        #expect(try feed.read("00") == [])
        #expect(try feed.read("04") == [.button(MediaKey.next.usage, isDown: true)])
        #expect(
            try feed.read("05") == [
                .button(MediaKey.next.usage, isDown: false), .button(MediaKey.previous.usage, isDown: true),
            ])
        #expect(try feed.read("63") == [.button(MediaKey.previous.usage, isDown: false)])
        var telephone = try ReportFeed(.telephonyKeys)
        #expect(try telephone.read("11") == [.button(.keyboardDelete, isDown: true)])
        #expect(telephone.end() == [.button(.keyboardDelete, isDown: false)])
    }

    @Test func keysOfARemoteGoDownTogether() throws {
        var feed = try ReportFeed(.consumerRemote)
        let keys: [ConsumerRemoteKey] = [.playPause, .demote]
        #expect(try feed.read(ConsumerRemoteReport(keys).bytes) == keys.map { .button($0.usage, isDown: true) })
        #expect(try feed.read("00 00") == keys.map { .button($0.usage, isDown: false) })
    }

    @Test func moreKeysThanTheLimitAreNotLookedAt() throws {
        var feed = try ReportFeed("05 09 A1 01 19 01 29 50 15 00 25 01 75 01 95 50 81 02 C0")
        let all = [UInt8](repeating: 0xFF, count: 10)
        #expect(try feed.read(all).count == HIDReportReader.maximumHeld)
        #expect(try feed.read([UInt8](repeating: 0, count: 10)).count == HIDReportReader.maximumHeld)
    }

    // MARK: Contacts

    private func contact(_ number: Int, _ phase: HIDContact.Phase, _ x: Int, _ y: Int) -> HIDContact {
        HIDContact(number: number, phase: phase, x: x, y: y)
    }

    @Test func fingersTouchMoveAndLift() throws {
        var feed = try ReportFeed(.touchscreen(maximumX: 32_767, maximumY: 32_767))
        #expect(try feed.read("00 01 00 00 FF 7F 01 00 00 00 00 00") == [.contacts([contact(0, .down, 0, 65_535)])])
        #expect(try feed.read("00 01 00 00 FF 7F 01 00 09 09 09 09") == [])
        #expect(
            try feed.read("00 01 00 00 FF 7F 01 01 FF 7F 00 00") == [
                .contacts([contact(0, .still, 0, 65_535), contact(1, .down, 65_535, 0)])
            ])
        // The places of fingers that do not touch are not looked at.
        #expect(
            try feed.read("00 00 11 11 11 11 01 01 FE 7F 00 00") == [
                .contacts([contact(0, .up, 0, 65_535), contact(1, .moved, 65_533, 0)])
            ])
        #expect(feed.end() == [.contacts([contact(1, .up, 65_533, 0)])])
    }

    @Test func placesBehindTheEdgeAreCutToIt() throws {
        var feed = try ReportFeed(.touchscreen(maximumX: 799, maximumY: 479))
        #expect(
            try feed.read("00 01 20 03 FF FF 01 00 00 00 00 00") == [.contacts([contact(0, .down, 65_535, 65_535)])])
    }

    @Test(arguments: [2, 3, 480, 799, 800, 1_920, 4_096, 16_384, 32_767])
    func everyPixelComesBack(width: Int) {
        for pixel in stride(from: 0, to: width, by: max(1, width / 997)) {
            let coordinate = (pixel * HIDContact.full + (width - 1) / 2) / (width - 1)
            #expect(HIDContact.pixel(coordinate, of: width) == pixel)
        }
        #expect(HIDContact.pixel(HIDContact.full, of: width) == width - 1)
        #expect(HIDContact.pixel(-1, of: width) == 0)
        #expect(HIDContact.pixel(5, of: 1) == 0)
    }

    @Test func aTouchpadTellsContactsThenItsButton() throws {
        var feed = try ReportFeed(.touchpad(contacts: 2))
        func report(_ contacts: [TouchpadReport.Contact], _ isPressed: Bool = false) -> [UInt8] {
            TouchpadReport(contacts: contacts, isPressed: isPressed, capacity: 2).bytes
        }
        #expect(
            try feed.read(report([.init(id: 7, isTouching: true, x: 0, y: 10_000)], true)) == [
                .contacts([contact(7, .down, 0, 65_535)]), .button(.button1, isDown: true),
            ])
        #expect(
            try feed.read(
                report([.init(id: 7, isTouching: false, x: 0, y: 10_000), .init(id: 8, isTouching: true, x: 0, y: 0)]))
                == [
                    .contacts([contact(7, .up, 0, 65_535), contact(8, .down, 0, 0)]), .button(.button1, isDown: false),
                ])
        #expect(try feed.read(report([])) == [.contacts([contact(8, .up, 0, 0)])])
    }

    /// One slot, a count of up to 5: the frame is complete when as many reports have come.
    private static let hybrid = """
        05 0D 09 05 A1 01 09 22 A1 02 09 42 15 00 25 01 75 01 95 01 81 02 75 07 81 01 09 51 25 7F 75 08 81 02
        05 01 09 30 09 31 25 64 95 02 81 02 C0 05 0D 09 54 25 05 95 01 81 02 C0
        """

    @Test func aFrameMayTakeSeveralReports() throws {
        var feed = try ReportFeed(Self.hybrid)
        #expect(try feed.read("01 60 00 00 03") == [])
        #expect(try feed.read("01 03 64 00 00") == [])
        // 0x60 is no number that we use, so it gets the lowest that is free.
        #expect(
            try feed.read("01 04 00 64 00") == [
                .contacts([contact(0, .down, 0, 0), contact(3, .down, 65_535, 0), contact(4, .down, 0, 65_535)])
            ])
        // The same finger twice in a frame, and a frame that is given up for a new one.
        #expect(try feed.read("01 03 64 00 02") == [])
        #expect(
            try feed.read("01 03 00 00 00") == [
                .contacts([contact(0, .up, 0, 0), contact(3, .still, 65_535, 0), contact(4, .up, 0, 65_535)])
            ])
        #expect(try feed.read("01 09 00 00 02") == [])
        #expect(try feed.read("01 03 64 00 01") == [])
        #expect(try feed.read("00 00 00 00 00") == [.contacts([contact(3, .up, 65_535, 0)])])
        #expect(try feed.read("00 00 00 00 00") == [])
        #expect(feed.end() == [])
    }

    @Test func aCountThatCannotBeIsCut() throws {
        var feed = try ReportFeed(Self.hybrid)
        #expect(try feed.read("01 00 00 00 FF") == [])
        for id in 1..<UInt8(HIDReportReader.maximumContacts) - 1 { #expect(try feed.read([1, id, 0, 0, 0]) == []) }
        let events = try feed.read([1, 0x70, 0, 0, 0])
        guard case .contacts(let contacts) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(contacts.map(\.number) == Array(0..<HIDReportReader.maximumContacts))
    }

    @Test func aNumberIsNotUsedAgainInTheFrameThatFreesIt() throws {
        var feed = try ReportFeed(Self.hybrid)
        #expect(try feed.read("01 60 00 00 01") == [.contacts([contact(0, .down, 0, 0)])])
        #expect(try feed.read("01 61 00 00 01") == [.contacts([contact(0, .up, 0, 0), contact(1, .down, 0, 0)])])
    }

    @Test func aReportThatIsRefusedChangesNothing() throws {
        var feed = try ReportFeed(.knob)
        #expect(try feed.read("01 00 00 00") == [.button(.button1, isDown: true)])
        #expect(throws: HIDReportError.wrongLength(report: nil, expected: 4, actual: 3)) {
            _ = try feed.read("00 00 00")
        }
        #expect(feed.end() == [.button(.button1, isDown: false)])
    }
}
