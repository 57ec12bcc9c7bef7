import RigModel
import Testing

@Suite struct USBDescriptorsTests {
    @Test(arguments: Fixtures.names)
    func readsEveryRecordedDeviceWithoutRemarks(name: String) throws {
        let all = try Fixtures.descriptors(name)
        #expect(all.count == 2)
        for bytes in all {
            let descriptors = try USBDescriptors.parse(bytes)
            #expect(descriptors.remarks == [])
            #expect(descriptors.configurations.count == Int(bytes[17]))
        }
    }

    @Test func readsAllOfAnIPhone() throws {
        let iPhone = try USBDescriptors.parse(try #require(try Fixtures.descriptors("iphone-12a8-valeria").first))
        #expect(iPhone.vendor == 0x05AC)
        #expect(iPhone.product == 0x12A8)
        #expect(iPhone.release == 0x1006)
        #expect(iPhone.version == 0x0200)
        #expect(iPhone.deviceClass == USBClass(0, 0, 0))
        #expect([iPhone.manufacturerIndex, iPhone.productIndex, iPhone.serialIndex] == [1, 2, 3])
        #expect(iPhone.configurations.map(\.value) == [1, 2, 3, 4, 5])
        #expect(iPhone.configurations.map(\.interfaces.count) == [1, 4, 2, 5, 3])
        let ethernet = iPhone.configurations[3].interfaces
        #expect(ethernet.map(\.number) == [0, 1, 2, 2, 2])
        #expect(ethernet.map(\.alternate) == [0, 0, 0, 1, 2])
        #expect(ethernet[2].bulkPair == nil)
        #expect(
            ethernet[3].bulkPair
                == USBBulkPair(
                    input: USBEndpoint(address: 0x86, attributes: 2, maxPacket: 512),
                    output: USBEndpoint(address: 0x05, attributes: 2, maxPacket: 512)))
        let camera = iPhone.configurations[0].interfaces[0]
        #expect(camera.function == USBClass(6, 1, 1))
        #expect(camera.endpoints.map(\.transferType) == [.bulk, .bulk, .interrupt])
        #expect(camera.endpoints.map(\.isIn) == [false, true, true])
        // Class-specific descriptors between interface and endpoint are passed over.
        #expect(iPhone.configurations[1].interfaces[2].endpoints.map(\.transferType) == [.isochronous])
    }

    @Test func aRootHubIsAHub() throws {
        let hub = try USBDescriptors.parse(try #require(try Fixtures.descriptors("iphone-12a8").last))
        #expect(hub.deviceClass.code == 9)
        #expect(hub.configurations[0].interfaces[0].endpoints[0].transferType == .interrupt)
    }

    private static let device = "12 01 0002 00 00 00 40 AC05 A812 0610 01 02 03 "

    /// One interface with a bulk endpoint: 9 + 9 + 7 bytes.
    private static let configuration = "09 02 1900 01 01 00 C0 FA  09 04 00 00 01 FF F0 00 00  07 05 81 02 0002 00"

    private static let brokenFrames: [(String, USBDescriptorError)] = [
        ("", .truncated(offset: 0, needed: 18, left: 0)),
        ("12", .truncated(offset: 0, needed: 18, left: 1)),
        ("12 02", .unexpectedType(offset: 0, found: 2, expected: 1)),
        ("11 01", .badLength(offset: 0, length: 17, least: 18)),
        ("12 01 00", .truncated(offset: 0, needed: 18, left: 3)),
        ("\(device)09", .tooManyConfigurations(offset: 17, count: 9)),
        ("\(device)01", .truncated(offset: 18, needed: 9, left: 0)),
        ("\(device)01 09 04", .unexpectedType(offset: 18, found: 4, expected: 2)),
        ("\(device)01 08 02", .badLength(offset: 18, length: 8, least: 9)),
        ("\(device)01 09 02 1900", .truncated(offset: 18, needed: 9, left: 4)),
        ("\(device)01 09 02 0800 01 01 00 C0 FA", .badLength(offset: 20, length: 8, least: 9)),
        ("\(device)01 09 02 0A00 01 01 00 C0 FA", .truncated(offset: 18, needed: 10, left: 9)),
        ("\(device)01 09 02 FFFF 01 01 00 C0 FA", .truncated(offset: 18, needed: 65_535, left: 9)),
        ("\(device)02\(configuration)", .truncated(offset: 43, needed: 9, left: 0)),
        ("\(device)01\(configuration)00", .trailing(offset: 43, count: 1)),
        ("\(device)00 00", .trailing(offset: 18, count: 1)),
    ]

    @Test(arguments: brokenFrames)
    func tellsWhereTheFrameIsBroken(hex: String, error: USBDescriptorError) {
        #expect(throws: error) { _ = try USBDescriptors.parse(Fixtures.bytes(hex)) }
        #expect(!error.description.isEmpty)
    }

    @Test func theLongestInputIsRefusedOneOver() {
        let bytes = [UInt8](repeating: 0, count: USBDescriptors.maximumBytes + 1)
        #expect(throws: USBDescriptorError.tooLarge(count: 65_554)) { _ = try USBDescriptors.parse(bytes) }
        #expect(throws: USBDescriptorError.unexpectedType(offset: 0, found: 0, expected: 1)) {
            _ = try USBDescriptors.parse(Array(bytes.dropLast()))
        }
    }

    @Test(arguments: [
        ("00", USBDescriptorError.truncated(offset: 43, needed: 2, left: 1)),
        ("00 00", .badLength(offset: 43, length: 0, least: 2)),
        ("01 24", .badLength(offset: 43, length: 1, least: 2)),
        ("08 04 00", .badLength(offset: 43, length: 8, least: 9)),
        ("06 05 00", .badLength(offset: 43, length: 6, least: 7)),
        ("05 24 00", .truncated(offset: 43, needed: 5, left: 3)),
    ])
    func garbageInsideAConfigurationIsRemarkedAndSkipped(garbage: String, remark: USBDescriptorError) throws {
        let tail = Fixtures.bytes(garbage)
        var bytes = Fixtures.bytes(Self.device + "01" + Self.configuration) + tail
        bytes[20] = UInt8(25 + tail.count)
        let descriptors = try USBDescriptors.parse(bytes)
        #expect(descriptors.remarks == [remark])
        #expect(descriptors.configurations[0].interfaces.map(\.endpoints.count) == [1])
    }

    @Test func endpointsBeyondWhatTheInterfaceAnnouncesAreLeftOut() throws {
        let endpoint = Fixtures.bytes("07 05 02 02 0002 00")
        var bytes = Fixtures.bytes(Self.device + "01" + Self.configuration) + endpoint
        bytes[20] = 32
        #expect(try USBDescriptors.parse(bytes).configurations[0].interfaces[0].endpoints.count == 1)
        // An endpoint before the first interface belongs to nothing.
        let early = Fixtures.bytes(Self.device + "01 09 02 1000 01 01 00 C0 FA") + endpoint
        #expect(try USBDescriptors.parse(early).configurations[0].interfaces == [])
    }

    @Test func theHighBandwidthBitsAreNotPartOfThePacketSize() throws {
        var bytes = Fixtures.bytes(Self.device + "01" + Self.configuration)
        bytes[bytes.count - 2] = 0x1A
        #expect(try USBDescriptors.parse(bytes).configurations[0].interfaces[0].endpoints[0].maxPacket == 512)
    }

    @Test func aDescriptionTakesOverWhatTheDescriptorsSay() throws {
        let descriptors = try USBDescriptors.parse(Fixtures.bytes(Self.device + "01" + Self.configuration))
        let device = USBDeviceDescription(
            descriptors: descriptors, manufacturer: "M", model: "P", serial: "S", port: "1-1", speed: .high,
            activeConfiguration: 1)
        #expect(device.vendor == 0x05AC && device.product == 0x12A8 && device.release == 0x1006)
        #expect(device.configurations == descriptors.configurations)
    }

    /// Recorded devices with bytes changed, cut and put in: whatever comes out, nothing traps.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func neverTrapsOnChangedBytes(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let sources = try Fixtures.names.flatMap { try Fixtures.descriptors($0) }
        var read = 0
        for round in 0..<500 {
            var bytes = try #require(sources.randomElement(using: &numbers))
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let index = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &numbers)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 3))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let descriptors = try? USBDescriptors.parse(bytes) else { continue }
            read += 1
            let interfaces = descriptors.configurations.flatMap(\.interfaces)
            #expect(
                interfaces.allSatisfy { $0.endpoints.allSatisfy { $0.maxPacket < 2_048 } },
                "seed \(seed), round \(round)")
            #expect(interfaces.count * 9 <= bytes.count, "seed \(seed), round \(round)")
        }
        #expect(read > 0, "seed \(seed) never got through")
    }
}

@Suite struct InputDeviceDescriptionTests {
    @Test func codesAreAscendingAndUnique() {
        let device = InputDeviceDescription(ev: [2, 1, 2, 0], key: [0x101, 0x100], rel: [8, 7, 8])
        #expect(device.ev == [0, 1, 2])
        #expect(device.key == [0x100, 0x101])
        #expect(device.rel == [7, 8])
        #expect(device.abs == [])
    }
}
