import LinkProtocol
import Testing
import WireBytes

/// A payload as bytes and as a value.
struct SynchronizationRow: Sendable {
    var text: String
    var value: LinkSynchronization
}

@Suite("LinkSynchronization")
struct LinkSynchronizationTests {
    static let rows: [SynchronizationRow] = [
        // Accessory over Bluetooth [C].
        SynchronizationRow(text: "01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01", value: .accessoryDefault),
        // A phone's answer [C].
        SynchronizationRow(text: "01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01", value: .deviceDefault),
        // WIO's unit test [T].
        SynchronizationRow(
            text: "01 05 10 00 04 0B 00 17 03 03 0A 00 01 0B 02 01",
            value: LinkSynchronization(
                maximumOutstandingPackets: 5, maximumPacketLength: 4096, retransmissionTimeout: 1035,
                acknowledgementTimeout: 23, maximumRetransmissions: 3, maximumCumulativeAcknowledgements: 3,
                channels: [
                    LinkChannelDeclaration(id: 10, channel: .control, version: 1),
                    LinkChannelDeclaration(id: 11, channel: .externalAccessory, version: 1),
                ])),
        // A keyboard over USB [T].
        SynchronizationRow(
            text: "01 05 10 00 07 D0 01 F4 1E 03 0A 00 01",
            value: LinkSynchronization(
                maximumOutstandingPackets: 5, maximumPacketLength: 4096, retransmissionTimeout: 2000,
                acknowledgementTimeout: 500, maximumRetransmissions: 30, maximumCumulativeAcknowledgements: 3,
                channels: [LinkChannelDeclaration(id: 10, channel: .control, version: 1)])),
    ]

    @Test("known payloads are read and written byte for byte", arguments: rows)
    func vectors(row: SynchronizationRow) throws {
        #expect(try LinkSynchronization(parsing: hex(row.text)[...]) == row.value)
        #expect(row.value.encoded == hex(row.text))
        try row.value.validate()
    }

    @Test("the variant without acknowledgements is read, written and legal")
    func withoutAcknowledgements() throws {
        let value = try LinkSynchronization(
            parsing: hex("01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01")[...])
        #expect(value.isWithoutAcknowledgements)
        #expect(value == .withoutAcknowledgements)
        #expect(value.encoded == hex("01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01"))
        try value.validate()
        var none = value
        none.maximumOutstandingPackets = 0
        try none.validate()
        // Three of the four are not that variant but a mistake.
        none.maximumRetransmissions = 3
        #expect(field { try none.validate() } == .maximumOutstandingPackets)
        none.maximumOutstandingPackets = 1
        #expect(field { try none.validate() } == .retransmissionTimeout)
        #expect(!LinkSynchronization.accessoryDefault.isWithoutAcknowledgements)
    }

    @Test("cut payloads are refused where they end", arguments: 0..<16)
    func truncated(count: Int) {
        let bytes = Array(hex(Self.rows[0].text).prefix(count))
        guard count != 10, count != 13 else {
            #expect(throws: Never.self) { try LinkSynchronization(parsing: bytes[...]) }
            return
        }
        #expect(throws: WireError.self) { try LinkSynchronization(parsing: bytes[...]) }
    }

    @Test("channels are taken up to the limit")
    func channelLimit() throws {
        let head = hex("01 20 10 00 07 D0 07 D0 1E 06")
        func payload(_ count: Int) -> [UInt8] { head + (0..<count).flatMap { [UInt8($0 + 1), 0, 1] } }
        try LinkSynchronization(parsing: payload(16)[...]).validate()
        #expect(throws: WireError(.tooMany(limit: 16), offset: 61, field: "channels")) {
            try LinkSynchronization(parsing: payload(17)[...])
        }
        var direct = LinkSynchronization.accessoryDefault
        direct.channels = (1...17).map { LinkChannelDeclaration(id: $0, channel: .control, version: 1) }
        #expect(field { try direct.validate() } == .channels)
    }

    typealias Change = @Sendable (inout LinkSynchronization) -> Void

    static let limits: [(LinkParameterError.Field, legal: [Change], illegal: [Change])] = [
        (
            .version, [{ $0.version = 1 }, { $0.version = 3 }],
            [{ $0.version = 0 }, { $0.version = 4 }, { $0.version = 255 }]
        ),
        (
            .maximumOutstandingPackets,
            [{ $0.maximumOutstandingPackets = 1 }, { $0.maximumOutstandingPackets = 127 }],
            [{ $0.maximumOutstandingPackets = 0 }, { $0.maximumOutstandingPackets = 128 }]
        ),
        (
            .maximumPacketLength,
            [{ $0.maximumPacketLength = 24 }, { $0.maximumPacketLength = 65_535 }],
            [{ $0.maximumPacketLength = 23 }, { $0.maximumPacketLength = 0 }]
        ),
        (
            .retransmissionTimeout,
            [{ $0.retransmissionTimeout = 20 }, { $0.retransmissionTimeout = 65_535 }],
            [{ $0.retransmissionTimeout = 19 }, { $0.retransmissionTimeout = 0 }]
        ),
        (
            .acknowledgementTimeout,
            [{ $0.acknowledgementTimeout = 10 }, { $0.acknowledgementTimeout = 65_535 }],
            [{ $0.acknowledgementTimeout = 9 }, { $0.acknowledgementTimeout = 0 }]
        ),
        (
            .maximumRetransmissions,
            [{ $0.maximumRetransmissions = 1 }, { $0.maximumRetransmissions = 30 }],
            [{ $0.maximumRetransmissions = 0 }, { $0.maximumRetransmissions = 31 }]
        ),
        (
            .maximumCumulativeAcknowledgements,
            [{ $0.maximumCumulativeAcknowledgements = 1 }, { $0.maximumCumulativeAcknowledgements = 127 }],
            [{ $0.maximumCumulativeAcknowledgements = 0 }, { $0.maximumCumulativeAcknowledgements = 128 }]
        ),
        (
            .channels,
            [
                { $0.channels = [LinkChannelDeclaration(id: 255, channel: .control, version: 9)] },
                { $0.channels.append(LinkChannelDeclaration(id: 77, type: 99, version: 1)) },
            ],
            [
                { $0.channels = [] },
                { $0.channels = [LinkChannelDeclaration(id: 1, channel: .fileTransfer, version: 1)] },
                { $0.channels[0].id = 0 },
                { $0.channels[1].id = 1 },
            ]
        ),
    ]

    @Test("every field is legal at its limits and refused one over, by name", arguments: 0..<limits.count)
    func fieldLimits(index: Int) throws {
        let (name, legal, illegal) = Self.limits[index]
        for change in legal {
            var value = LinkSynchronization.accessoryDefault
            change(&value)
            try value.validate()
        }
        for change in illegal {
            var value = LinkSynchronization.accessoryDefault
            change(&value)
            #expect(field { try value.validate() } == name)
        }
    }

    @Test("an error says what was found and what is legal")
    func text() {
        var value = LinkSynchronization.accessoryDefault
        value.maximumPacketLength = 23
        #expect(throws: LinkParameterError(.maximumPacketLength, "23 is outside 24...65535")) { try value.validate() }
    }

    @Test("channels are found by what they carry and by id")
    func channels() {
        let value = LinkSynchronization.accessoryDefault
        #expect(value.id(of: .control) == 1)
        #expect(value.id(of: .fileTransfer) == 2)
        #expect(value.id(of: .externalAccessory) == nil)
        #expect(value.channel(of: 2) == .fileTransfer)
        #expect(value.channel(of: 3) == nil)
        #expect(LinkChannelDeclaration(id: 1, type: 3, version: 1).channel == nil)
    }
}

@Suite("LinkParameters")
struct LinkParametersTests {
    typealias Change = @Sendable (inout LinkParameters) -> Void

    static let illegal: [(LinkParameterError.Field, Change)] = [
        (.detectInterval, { $0.detectInterval = 0 }),
        (.detectBudget, { $0.detectBudget = 0 }),
        (.synchronizationInterval, { $0.synchronizationInterval = 0 }),
        (.synchronizationBudget, { $0.synchronizationBudget = 0 }),
        (.sendQueueLimit, { $0.sendQueueLimit = 0 }),
        (.sendQueueLimit, { $0.sendQueueLimit = 4097 }),
        (.sendQueueByteLimit, { $0.sendQueueByteLimit = 65_534 }),
        (.sendQueueByteLimit, { $0.sendQueueByteLimit = (64 << 20) + 1 }),
        (.receiveBufferByteLimit, { $0.receiveBufferByteLimit = 65_534 }),
        (.receiveBufferByteLimit, { $0.receiveBufferByteLimit = (64 << 20) + 1 }),
        (.version, { $0.synchronization.version = 4 }),
        (.negotiationRounds, { $0.negotiationRounds = 0 }),
        (.negotiationRounds, { $0.negotiationRounds = 101 }),
        (.retransmissionBackoff, { $0.retransmissionBackoff = 99 }),
        (.retransmissionBackoff, { $0.retransmissionBackoff = 401 }),
        (.fallback, { $0.fallback = .withoutAcknowledgements }),
        (.fallback, { $0.fallback = LinkSynchronization.accessoryDefault.changed { $0.channels = [] } }),
        (.acceptedRetransmissionTimeout, { $0.acceptance.retransmissionTimeout = 19...100 }),
        (.acceptedAcknowledgementTimeout, { $0.acceptance.acknowledgementTimeout = 9...10 }),
        (.acceptedRetransmissions, { $0.acceptance.maximumRetransmissions = 1...31 }),
        (.acceptedCumulativeAcknowledgements, { $0.acceptance.maximumCumulativeAcknowledgements = 0...1 }),
        (.acceptedChannels, { $0.acceptance.channels = [.fileTransfer] }),
    ]

    @Test("a value that no link can be run with is refused by name", arguments: 0..<illegal.count)
    func refuses(index: Int) {
        var parameters = LinkParameters.accessory
        Self.illegal[index].1(&parameters)
        let copy = parameters
        #expect(field { try copy.validate() } == Self.illegal[index].0)
    }

    @Test("the defaults of both ends are legal")
    func defaults() throws {
        try LinkParameters.accessory.validate()
        try LinkParameters.device.validate()
        var edge = LinkParameters.accessory
        edge.sendQueueLimit = 1
        edge.sendQueueByteLimit = 65_535
        edge.detectInterval = 1
        edge.receiveBufferByteLimit = 65_535
        edge.negotiationRounds = 100
        edge.retransmissionBackoff = 400
        edge.synchronization.version = 3
        edge.fallback = .deviceDefault
        edge.acceptance = .only(.accessoryDefault)
        try edge.validate()
    }

    @Test("a machine is not made of parameters that were not checked")
    func precondition() async {
        await #expect(processExitsWith: .failure) {
            var parameters = LinkParameters.accessory
            parameters.sendQueueLimit = 0
            _ = LinkMachine(side: .accessory, parameters: parameters, initialSequence: 0)
        }
    }
}

/// The field that `body` refuses.
func field(_ body: () throws -> Void) -> LinkParameterError.Field? {
    do {
        try body()
        return nil
    } catch {
        return (error as? LinkParameterError)?.field
    }
}
