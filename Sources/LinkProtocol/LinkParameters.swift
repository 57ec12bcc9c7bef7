/// What this side of a link offers, what it takes, and how patient it is. All durations are nanoseconds.
public struct LinkParameters: Equatable, Sendable {
    /// How packets that are missing before one that came are told to the peer. Both forms are always understood.
    public enum ExtendedAcknowledgement: String, Hashable, Sendable, CaseIterable {
        /// Control byte 0x60 (NOC).
        case withAcknowledge
        /// Control byte 0x20 (WIO, LIVI).
        case alone
        /// Not told: a plain acknowledgement, and the peer's timer brings them (CAT).
        case off
    }

    /// How an accessory proposes again when it does not take a device's answer.
    public enum Restatement: String, Hashable, Sendable, CaseIterable {
        /// A synchronisation packet like the first, under the next number.
        case offer
        /// One that also acknowledges the answer (CLK).
        case answer
    }

    /// What this side offers as accessory; what it can take (version, packets, length) as device.
    public var synchronization: LinkSynchronization
    /// What is offered instead when the peer takes no link without acknowledgements (OCBM); only looked at when
    /// `synchronization` is one. `nil` stands for its packets, length and channels with the timings of
    /// `LinkSynchronization.accessoryDefault`.
    public var fallback: LinkSynchronization?
    /// Which of the peer's proposals are taken as they are.
    public var acceptance: LinkAcceptance
    /// How often this side counters a proposal before it gives up. 10: CAT.
    public var negotiationRounds: Int
    /// How an accessory counters.
    public var restatement: Restatement
    /// Accessory: the first packet is the offer, without detection before it ("initiate negotiate", LIVI).
    public var beginsWithOffer: Bool
    /// Pause between two detection packets of the accessory. 1 s: WIO, LIVI, NOC; 200 ms and 475 ms were seen too.
    public var detectInterval: UInt64
    /// How long detection may take. 30 s: the budget per stage of NOC, and 30 tries of a second in an RTOS stack.
    public var detectBudget: UInt64
    /// Pause between two synchronisation packets. 500 ms: WIO, LIVI; 1 s in CAT.
    public var synchronizationInterval: UInt64
    /// How long synchronisation may take. 30 s, as for detection (NOC).
    public var synchronizationBudget: UInt64
    /// How missing packets are told.
    public var extendedAcknowledgement: ExtendedAcknowledgement
    /// Whether a packet that is sent again because the peer named it counts as sent again: yes in LIVI, no in NOC.
    public var countsNamedRetransmissions: Bool
    /// What the time after which a packet is sent again is multiplied by each time, in percent. 100, no growth: every
    /// source. Grown times end at the longest legal one.
    public var retransmissionBackoff: Int
    /// Packets that may wait behind the send window. Ours: one full window of the largest size, twice.
    public var sendQueueLimit: Int
    /// Payload bytes that may wait behind the send window. Ours: 1 MiB, 16 of the longest packets.
    public var sendQueueByteLimit: Int
    /// Payload bytes that are held because they came out of order; what comes beyond is dropped, and the peer sends it
    /// again. Ours: 1 MiB, 16 of the longest packets.
    public var receiveBufferByteLimit: Int

    /// Makes parameters; see the properties for units and the sources of the defaults.
    public init(
        synchronization: LinkSynchronization = .accessoryDefault, fallback: LinkSynchronization? = nil,
        acceptance: LinkAcceptance = .any, negotiationRounds: Int = 10, restatement: Restatement = .offer,
        beginsWithOffer: Bool = false, detectInterval: UInt64 = 1_000_000_000, detectBudget: UInt64 = 30_000_000_000,
        synchronizationInterval: UInt64 = 500_000_000, synchronizationBudget: UInt64 = 30_000_000_000,
        extendedAcknowledgement: ExtendedAcknowledgement = .withAcknowledge, countsNamedRetransmissions: Bool = true,
        retransmissionBackoff: Int = 100, sendQueueLimit: Int = 256, sendQueueByteLimit: Int = 1 << 20,
        receiveBufferByteLimit: Int = 1 << 20
    ) {
        self.synchronization = synchronization
        self.fallback = fallback
        self.acceptance = acceptance
        self.negotiationRounds = negotiationRounds
        self.restatement = restatement
        self.beginsWithOffer = beginsWithOffer
        self.detectInterval = detectInterval
        self.detectBudget = detectBudget
        self.synchronizationInterval = synchronizationInterval
        self.synchronizationBudget = synchronizationBudget
        self.extendedAcknowledgement = extendedAcknowledgement
        self.countsNamedRetransmissions = countsNamedRetransmissions
        self.retransmissionBackoff = retransmissionBackoff
        self.sendQueueLimit = sendQueueLimit
        self.sendQueueByteLimit = sendQueueByteLimit
        self.receiveBufferByteLimit = receiveBufferByteLimit
    }

    /// The accessory (head unit) as captured over Bluetooth [C] (OCBM).
    public static let accessory = LinkParameters(synchronization: .accessoryDefault)
    /// The device (phone) as captured answering it [C] (OCBM).
    public static let device = LinkParameters(synchronization: .deviceDefault)

    /// What this side proposes on a link with acknowledgements.
    var withAcknowledgements: LinkSynchronization {
        guard synchronization.isWithoutAcknowledgements else { return synchronization }
        if let fallback { return fallback }
        var value = LinkSynchronization.accessoryDefault
        value.maximumOutstandingPackets = max(1, synchronization.maximumOutstandingPackets)
        value.maximumPacketLength = synchronization.maximumPacketLength
        value.channels = synchronization.channels
        return value
    }
}

extension LinkSynchronization {
    /// 32 packets of 4096 bytes, resend after 2 s, acknowledge within 2 s or 6 packets, 30 tries, channel 1 for control
    /// and 2 for file transfer: as captured from an accessory [C] (OCBM).
    public static let accessoryDefault = LinkSynchronization(
        maximumOutstandingPackets: 32, maximumPacketLength: 4096, retransmissionTimeout: 2000,
        acknowledgementTimeout: 2000, maximumRetransmissions: 30, maximumCumulativeAcknowledgements: 6,
        channels: [
            LinkChannelDeclaration(id: 1, channel: .control, version: 1),
            LinkChannelDeclaration(id: 2, channel: .fileTransfer, version: 1),
        ])

    /// A phone's answer to it: the same timings and channels, 127 packets of 65535 bytes [C] (OCBM).
    public static let deviceDefault: LinkSynchronization = {
        var value = accessoryDefault
        value.maximumOutstandingPackets = 127
        value.maximumPacketLength = 65_535
        return value
    }()

    /// The accessory on a link without acknowledgements, as captured on a tunnel [C] (OCBM).
    public static let withoutAcknowledgements = LinkSynchronization(
        maximumOutstandingPackets: 32, maximumPacketLength: 65_535, retransmissionTimeout: 0,
        acknowledgementTimeout: 0, maximumRetransmissions: 0, maximumCumulativeAcknowledgements: 0,
        channels: accessoryDefault.channels)
}
