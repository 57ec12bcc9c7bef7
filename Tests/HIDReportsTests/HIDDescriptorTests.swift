import HIDReports
import Testing

@Suite struct HIDDescriptorTests {
    private static let knobPlaces: [Place] = [
        Place(0, 1, 1, 0...1, .variable, [.button1]), Place(1, 1, 2, 0...1, .variable, [.home, .back]),
        Place(3, 5, 1, .constant), Place(8, 8, 2, -127...127, .variable, [.x, .y]),
        Place(24, 8, 1, -127...127, [.variable, .relative], [.wheel]),
    ]

    @Test func readsLIVIsKnob() throws {
        let bytes = HIDVectors.bytes(HIDVectors.knob)
        #expect(bytes.count == 70)
        let knob = try HIDDescriptor.parse(bytes)
        // Padding is five elements of one bit there.
        var places = knob.places
        #expect(places[2] == Place(3, 1, 5, .constant))
        places[2] = Self.knobPlaces[2]
        #expect(places == Self.knobPlaces)
        #expect(knob.reports == [HIDReportLayout(kind: .input, id: nil, bitCount: 32)])
        #expect(knob.collections.map(\.usage) == [.multiAxisController, .pointer])
        #expect(knob.collections.map(\.kind) == [.application, .physical])
        #expect(knob.collections.map(\.parent) == [nil, 0])
        #expect(knob.collections.map(\.fields) == [0..<5, 3..<4])
        #expect(knob.fields.map(\.collection) == [0, 0, 0, 1, 0])
        #expect(!knob.numbersReports)
        #expect(knob.remarks == [])
    }

    @Test func readsTheNumberedReportsOfAnIPod() throws {
        let bytes = HIDVectors.bytes(HIDVectors.iPod)
        #expect(bytes.count == 208)
        let iPod = try HIDDescriptor.parse(bytes)
        #expect(iPod.numbersReports)
        let sizes = [5, 9, 0x0D, 0x11, 0x19, 0x31, 0x5F, 0xC1, 0x101, 0x181, 0x201, 0x2FF]
        let outputs = [5, 9, 0x0D, 0x11, 0x19, 0x31, 0x5F, 0xC1, 0xFF]
        #expect(iPod.reports.map(\.id) == (1...0x15).map { UInt8($0) })
        #expect(iPod.reports.map(\.byteCount) == (sizes + outputs).map { $0 + 1 })
        #expect(iPod.reports.prefix(13).map(\.kind) == [HIDReportKind](repeating: .input, count: 12) + [.output])
        #expect(iPod.fields.allSatisfy { $0.bitOffset == 8 && $0.flags == [.variable, .bufferedBytes] })
        #expect(iPod.function == .unknown)
        // The report that carries a link's detection.
        let report = HIDVectors.bytes("02 00 FF 55 02 00 EE 10 00 00")
        #expect(try iPod.inputReport(for: report[...]).byteCount == 10)
        let field = try #require(iPod.fields.first { $0.reportID == 2 })
        #expect(field.value(1, in: report) == 0xFF)
        #expect(field.usage(ofElement: 8) == HIDUsage(0xFF00, 1))
    }

    // MARK: Ours

    @Test func ourKnobHasLIVIsLayout() throws {
        let ours = try HIDDescriptor.parse(StandardInput.knob.descriptor)
        let theirs = try HIDVectors.descriptor(HIDVectors.knob)
        #expect(ours.places == Self.knobPlaces)
        #expect(ours.collections == theirs.collections)
        #expect(ours.reports == theirs.reports)
    }

    @Test(arguments: [(1, 1), (255, 127), (799, 479), (32_767, 32_767)])
    func ourTouchscreenHasTheKnownLayout(maximumX: Int, maximumY: Int) throws {
        let bytes = StandardInput.touchscreen(maximumX: maximumX, maximumY: maximumY).descriptor
        #expect(bytes.count == 109)
        #expect(bytes[38] == 0x26 && Int(bytes[39]) | Int(bytes[40]) << 8 == maximumX)
        let screen = try HIDDescriptor.parse(bytes)
        func finger(_ start: Int) -> [Place] {
            [
                Place(start, 8, 1, 0...1, .variable, [.transducerIndex]),
                Place(start + 8, 1, 1, 0...1, .variable, [.touch]), Place(start + 9, 7, 1, .constant),
                Place(start + 16, 16, 1, 0...maximumX, .variable, [.x]),
                Place(start + 32, 16, 1, 0...maximumY, .variable, [.y]),
            ]
        }
        #expect(screen.places == finger(0) + finger(48))
        #expect(screen.reports == [HIDReportLayout(kind: .input, id: nil, bitCount: 96)])
        #expect(screen.collections.map(\.usage) == [.touchscreen, .finger, .finger])
        #expect(screen.collections.map(\.kind) == [.application, .logical, .logical])
    }

    @Test func coordinatesThatFitNoTouchscreenAreCut() throws {
        let screen = try HIDDescriptor.parse(
            StandardInput.touchscreen(maximumX: 100_000, maximumY: -5).descriptor)
        #expect(screen.fields[3].logicalMaximum == 32_767)
        #expect(screen.fields[4].logicalMaximum == 1)
    }

    @Test(arguments: [1, 2, 5, 10])
    func ourTouchpadHasTheStatedLayout(contacts: Int) throws {
        let pad = try HIDDescriptor.parse(StandardInput.touchpad(contacts: contacts).descriptor)
        var places: [Place] = []
        for finger in 0..<contacts {
            let start = 40 * finger
            places += [
                Place(start, 1, 1, 0...1, .variable, [.tipSwitch]), Place(start + 1, 3, 1, .constant),
                Place(start + 4, 4, 1, 0...15, .variable, [.contactIdentifier]),
                Place(start + 8, 16, 2, 0...10_000, .variable, [.x, .y]),
            ]
        }
        let tail = 40 * contacts
        places += [
            Place(tail, 8, 1, 0...contacts, .variable, [.contactCount]),
            Place(tail + 8, 1, 1, 0...1, .variable, [.button1]), Place(tail + 9, 7, 1, .constant),
        ]
        #expect(pad.places == places)
        #expect(pad.reports.map(\.byteCount) == [TouchpadReport.byteCount(capacity: contacts)])
        #expect(pad.collections.first?.usage == .touchpad)
    }

    @Test func ourKeysHaveTheKnownLayouts() throws {
        let media = try HIDDescriptor.parse(StandardInput.mediaKeys.descriptor)
        let consumer = [0xB0, 0xB1, 0xCD, 0xB5, 0xB6, 0x029E].map { HIDUsage(0x0C, $0) }
        #expect(media.places == [Place(0, 8, 1, 1...6, .nullState, consumer)])
        let telephone = try HIDDescriptor.parse(StandardInput.telephonyKeys.descriptor)
        let numbers: [UInt16] = [0x20, 0x21, 0x26, 0x2F] + Array(0xB0...0xBB)
        let keys = numbers.map { HIDUsage(0x0B, $0) } + [HIDUsage(0x07, 0x2A)]
        #expect(telephone.places == [Place(0, 8, 1, 1...17, .nullState, keys)])
        #expect(telephone.collections.map(\.usage) == [.phone, .telephonyKeyPad])
        let remote = try HIDDescriptor.parse(StandardInput.consumerRemote.descriptor)
        let bits = [0xCD, 0xB5, 0xB6, 0xE9, 0xEA, 0xE2, 0xB9, 0xBC, 0x025B, 0x025C].map { HIDUsage(0x0C, $0) }
        #expect(remote.places == [Place(0, 1, 10, 0...1, .variable, bits), Place(10, 6, 1, .constant)])
        for descriptor in [media, telephone, remote] { #expect(descriptor.remarks == []) }
    }

    // MARK: Items

    @Test func pushAndPopKeepEverythingGlobal() throws {
        let descriptor = try HIDVectors.descriptor(
            """
            05 01 15 81 25 7F 35 F0 45 10 65 11 55 0E 75 08 95 01 85 01 A4
            05 09 15 00 25 01 35 00 45 00 65 00 55 00 75 01 95 08 85 02
            A1 01 09 01 81 02 B4 09 38 81 06 C0
            """)
        #expect(
            descriptor.fields == [
                HIDField(
                    kind: .input, reportID: 2, collection: 0, bitOffset: 8, bitSize: 1, count: 8, flags: .variable,
                    logicalMinimum: 0, logicalMaximum: 1, physicalMinimum: 0, physicalMaximum: 0, unit: 0,
                    unitExponent: 0, usages: [HIDUsageRange(.button1)]),
                HIDField(
                    kind: .input, reportID: 1, collection: 0, bitOffset: 8, bitSize: 8, count: 1,
                    flags: [.variable, .relative], logicalMinimum: -127, logicalMaximum: 127, physicalMinimum: -16,
                    physicalMaximum: 16, unit: 0x11, unitExponent: -2, usages: [HIDUsageRange(.wheel)]),
            ])
    }

    /// A range has a sign by its lower end; the bytes are minimum, maximum.
    @Test(arguments: [
        ("15 00 25 FF", 0...255), ("15 00 26 FF 00", 0...255), ("15 00 26 FF FF", 0...65_535),
        ("15 00 27 FF FF FF FF", 0...4_294_967_295), ("15 80 25 FF", -128 ... -1),
        ("16 00 80 26 FF 7F", -32_768...32_767),
        ("17 00 00 00 80 27 FF FF FF 7F", -2_147_483_648...2_147_483_647), ("14 24", 0...0), ("25 05 15 01", 1...5),
    ])
    func rangesAreSignedByTheirLowerEnd(items: String, range: ClosedRange<Int>) throws {
        let field = try HIDVectors.descriptor("A1 01 75 20 95 01 \(items) 09 01 81 02 C0").fields[0]
        #expect(field.logicalMinimum...field.logicalMaximum == range)
    }

    @Test(arguments: [("55 0E", -2), ("55 07", 7), ("55 FE", -2), ("55 10", 16), ("56 F0 FF", -16), ("54", 0)])
    func exponentsAreReadInBothWaysThatDevicesUse(items: String, exponent: Int) throws {
        let field = try HIDVectors.descriptor("A1 01 75 08 95 01 \(items) 81 02 C0").fields[0]
        #expect(field.unitExponent == exponent)
    }

    /// Which page a usage has: its own, the one in force at the field, or the one in force when it was given.
    @Test(arguments: [
        ("05 0C 09 B0 09 B1", [HIDUsage(0x0C, 0xB0), HIDUsage(0x0C, 0xB1)]),
        ("05 01 09 B0 05 0C", [HIDUsage(0x0C, 0xB0)]),
        ("05 0B 09 20 05 07 09 2A", [HIDUsage(0x0B, 0x20), HIDUsage(0x07, 0x2A)]),
        ("05 0B 09 20 0B 2A 00 07 00 09 21", [HIDUsage(0x0B, 0x20), HIDUsage(0x07, 0x2A), HIDUsage(0x0B, 0x21)]),
        ("05 0C 19 B0 29 B2", [HIDUsage(0x0C, 0xB0), HIDUsage(0x0C, 0xB1), HIDUsage(0x0C, 0xB2)]),
        ("05 0C 29 B1 19 B0", [HIDUsage(0x0C, 0xB0), HIDUsage(0x0C, 0xB1)]),
        ("1B 20 00 0B 00 2B 21 00 0B 00", [HIDUsage(0x0B, 0x20), HIDUsage(0x0B, 0x21)]),
        ("05 0C A9 01 09 B0 09 B1 A9 00 09 B2", [HIDUsage(0x0C, 0xB0), HIDUsage(0x0C, 0xB2)]),
        ("05 0C 39 01 79 02 09 B0", [HIDUsage(0x0C, 0xB0)]),
    ])
    func usagesHaveTheRightPage(items: String, usages: [HIDUsage]) throws {
        let field = try HIDVectors.descriptor("A1 01 75 08 95 04 \(items) 81 02 C0").fields[0]
        #expect(Place(field).usages == usages)
        // The last one holds for the elements behind it.
        #expect(field.usage(ofElement: 3) == usages.last)
        #expect(field.usage(ofElement: 4) == nil)
        #expect(field.usage(at: -1) == nil)
    }

    @Test func whatIsReservedIsRemarkedAndPassedOver() throws {
        let descriptor = try HIDVectors.descriptor(
            "05 01 FE 02 99 AA BB 0C 09 08 A1 01 D0 C4 B8 75 08 95 01 09 38 81 06 C0 00")
        #expect(
            descriptor.remarks == [
                HIDDescriptorError(.reservedItem(prefix: 0xFE), offset: 2),
                HIDDescriptorError(.reservedItem(prefix: 0x0C), offset: 7),
                HIDDescriptorError(.reservedItem(prefix: 0xD0), offset: 12),
                HIDDescriptorError(.reservedItem(prefix: 0xC4), offset: 13),
                HIDDescriptorError(.reservedItem(prefix: 0xB8), offset: 14),
                HIDDescriptorError(.reservedItem(prefix: 0x00), offset: 24),
            ])
        #expect(descriptor.fields.count == 1)
        #expect(descriptor.collections[0].usage == .multiAxisController)
        let zeros = try HIDDescriptor.parse([UInt8](repeating: 0, count: 100))
        #expect(zeros.remarks.count == HIDDescriptor.maximumRemarks)
    }

    @Test func anEmptyDescriptorIsReadAndSaysNothing() throws {
        let empty = try HIDDescriptor.parse([])
        #expect(empty.fields == [] && empty.reports == [] && empty.function == .unknown)
        #expect(throws: HIDReportError.unknownReport(nil)) { _ = try empty.inputReport(for: [1]) }
        #expect(throws: HIDReportError.empty) { _ = try empty.inputReport(for: []) }
    }

    @Test func fieldsOfNoElementsTakeNoRoom() throws {
        let descriptor = try HIDVectors.descriptor("A1 01 75 08 95 00 81 02 74 95 04 81 02 75 08 95 01 81 02 C0")
        #expect(descriptor.places.map(\.bit) == [0])
        #expect(descriptor.reports.map(\.byteCount) == [1])
    }
}
