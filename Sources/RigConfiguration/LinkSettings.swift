/// How packets that are missing before one that came are told to the other side.
public enum ExtendedAcknowledgementForm: String, Sendable, CaseIterable {
    /// In an extended acknowledgement with the ACK bit.
    case withAcknowledge
    /// In one without it.
    case alone
    /// Not at all: a timer of the other side brings them.
    case off
}

/// How the rig's head unit proposes again when it does not take a phone's answer.
public enum LinkRestatement: String, Sendable, CaseIterable {
    /// With a new offer.
    case offer
    /// With an answer to the answer.
    case answer
}

/// What a channel of a link carries.
public enum LinkChannelKind: String, Sendable, CaseIterable {
    /// Control messages.
    case control
    /// File transfer.
    case fileTransfer
    /// External accessory streams.
    case externalAccessory
}

/// What the rig's ends of a link offer and take. Durations are nanoseconds, whole milliseconds where they travel.
///
/// Each legal range is that of the protocol, where the sources are named; those of the rig's own patience and memory are
/// ours.
public struct LinkSettings: Equatable, Sendable {
    /// What both ends of a link take as it is when the other side proposes it.
    public struct Acceptance: Equatable, Sendable {
        /// After how long a packet is sent again.
        public var retransmissionTimeout = LinkSettings.retransmissionTimeouts
        /// For how long an acknowledgement is held back.
        public var acknowledgementTimeout = LinkSettings.acknowledgementTimeouts
        /// How often a packet is sent again.
        public var retransmissions = LinkSettings.retransmissionCounts
        /// After how many packets an acknowledgement is sent.
        public var cumulativeAcknowledgements = LinkSettings.cumulativeCounts
        /// Whether a phone takes a link without acknowledgements.
        public var withoutAcknowledgements = true
        /// The channels that a phone takes, the control channel among them; `nil` is all.
        public var channels: [LinkChannelKind]?
    }

    /// Link versions that may be spoken of.
    public static let versions = 1...3
    /// Packets that a side takes without having acknowledged them.
    public static let windows = 1...127
    /// Bytes of a packet, header and checksums included.
    public static let packetLengths = 24...65_535
    /// 20 ms to 65.535 s.
    public static let retransmissionTimeouts: ClosedRange<UInt64> = 20_000_000...65_535_000_000
    /// 10 ms to 65.535 s.
    public static let acknowledgementTimeouts: ClosedRange<UInt64> = 10_000_000...65_535_000_000
    /// How often one packet may be sent again.
    public static let retransmissionCounts = 1...30
    /// After how many packets an acknowledgement may be due.
    public static let cumulativeCounts = 1...127
    /// What a retransmission timeout may grow by each time, in hundredths.
    public static let backoffs = 100...400
    /// How often a side may counter.
    public static let rounds = 1...100
    /// Packets that may wait behind the window.
    public static let queuePackets = 1...4_096
    /// Bytes that may wait behind it, or before what is missing: from the longest packet to 64 MiB.
    public static let queueBytes = 65_535...67_108_864
    /// Pauses between two packets of the same kind, 10 ms to 1 min: ours, so that a cable is neither flooded nor silent.
    public static let intervals: ClosedRange<UInt64> = 10_000_000...60_000_000_000
    /// Ids of the first channel: ours, so that all three kinds fit behind it.
    public static let firstChannels = 1...253

    /// The link version that the head unit offers; it goes on with 1 in any case.
    public var version = 1
    /// The newest version that a phone answers with.
    public var phoneVersion = 1
    /// Packets that the head unit takes without having acknowledged them.
    public var window = 32
    /// Packets that a phone takes so.
    public var phoneWindow = 127
    /// Bytes of the longest packet that the head unit takes.
    public var packetLength = 4_096
    /// Bytes of the longest packet that a phone takes.
    public var phonePacketLength = 65_535
    /// The channels that the head unit offers, the control channel among them.
    public var channels: [LinkChannelKind] = [.control, .fileTransfer]
    /// The id of the first of them; the others have the next ones.
    public var firstChannel = 1
    /// After how long a packet is sent again.
    public var retransmissionTimeout: UInt64 = 2_000_000_000
    /// How often.
    public var retransmissions = 30
    /// What this time is multiplied by each time, in hundredths.
    public var retransmissionBackoff = 100
    /// Whether a packet that is sent again because the other side named it counts as one of these times.
    public var countsNamedRetransmissions = true
    /// False for the variant in which nothing is acknowledged and nothing sent again.
    public var usesAcknowledgements = true
    /// For how long an acknowledgement is held back.
    public var acknowledgementTimeout: UInt64 = 500_000_000
    /// After how many packets it is sent at once.
    public var cumulativeAcknowledgements = 6
    /// How missing packets are told.
    public var extendedAcknowledgement = ExtendedAcknowledgementForm.withAcknowledge
    /// How often a side counters before it gives up.
    public var negotiationRounds = 10
    /// How the head unit counters.
    public var restatement = LinkRestatement.offer
    /// Whether the head unit begins with its offer, without detection.
    public var beginsWithOffer = false
    /// The pause between two detection packets.
    public var detectInterval: UInt64 = 1_000_000_000
    /// The pause between two offers, or two answers.
    public var synchronizeInterval: UInt64 = 500_000_000
    /// What is taken as it is.
    public var acceptance = Acceptance()
    /// Packets that may wait behind the window.
    public var sendQueuePackets = 256
    /// Their bytes.
    public var sendQueueBytes = 1_048_576
    /// Bytes that are held because something before them is missing.
    public var receiveBufferBytes = 1_048_576

    /// The defaults.
    public init() {}
}
