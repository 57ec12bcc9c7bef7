/// What this side of a link offers and how patient it is. All durations are nanoseconds.
public struct LinkParameters: Equatable, Sendable {
    /// What this side offers as accessory; what it can take (packets, length) as device.
    public var synchronization: LinkSynchronization
    /// Pause between two detection packets of the accessory. 1 s: WIO, LIVI, NOC; 200 ms and 475 ms were seen too.
    public var detectInterval: UInt64
    /// How long detection may take. 30 s: the budget per stage of NOC, and 30 tries of a second in an RTOS stack.
    public var detectBudget: UInt64
    /// Pause between two synchronisation packets. 500 ms: WIO, LIVI; 1 s in CAT.
    public var synchronizationInterval: UInt64
    /// How long synchronisation may take. 30 s, as for detection (NOC).
    public var synchronizationBudget: UInt64
    /// Packets that may wait behind the send window. Ours: one full window of the largest size, twice.
    public var sendQueueLimit: Int
    /// Payload bytes that may wait behind the send window. Ours: 1 MiB, 16 of the longest packets.
    public var sendQueueByteLimit: Int

    /// Makes parameters; see the properties for units and the sources of the defaults.
    public init(
        synchronization: LinkSynchronization = .accessoryDefault, detectInterval: UInt64 = 1_000_000_000,
        detectBudget: UInt64 = 30_000_000_000, synchronizationInterval: UInt64 = 500_000_000,
        synchronizationBudget: UInt64 = 30_000_000_000, sendQueueLimit: Int = 256,
        sendQueueByteLimit: Int = 1 << 20
    ) {
        self.synchronization = synchronization
        self.detectInterval = detectInterval
        self.detectBudget = detectBudget
        self.synchronizationInterval = synchronizationInterval
        self.synchronizationBudget = synchronizationBudget
        self.sendQueueLimit = sendQueueLimit
        self.sendQueueByteLimit = sendQueueByteLimit
    }

    /// The accessory (head unit) as captured over Bluetooth [C] (OCBM).
    public static let accessory = LinkParameters(synchronization: .accessoryDefault)
    /// The device (phone) as captured answering it [C] (OCBM).
    public static let device = LinkParameters(synchronization: .deviceDefault)
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
}
