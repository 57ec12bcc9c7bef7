public import WireBytes

/// A channel by what it carries.
public enum LinkChannel: UInt8, Hashable, Sendable, CaseIterable {
    /// Control messages, a byte stream. [C]
    case control = 0
    /// File transfer. [2+]
    case fileTransfer = 1
    /// External accessory streams. [2+]
    case externalAccessory = 2
}

/// One channel as a synchronisation payload lists it.
public struct LinkChannelDeclaration: Hashable, Sendable {
    /// The accessory's free choice, 1...255: 1, 2, 3 and 10, 11, 12 were both seen [2+]. 0 stands for "no channel".
    public var id: UInt8
    /// What the channel carries; values beyond `LinkChannel` are kept and never used.
    public var type: UInt8
    /// Version of the channel's protocol; 1 or 2 were seen. [C]
    public var version: UInt8

    /// Declares a channel of a known type.
    public init(id: UInt8, channel: LinkChannel, version: UInt8) {
        self.init(id: id, type: channel.rawValue, version: version)
    }

    /// Declares a channel of any type.
    public init(id: UInt8, type: UInt8, version: UInt8) {
        self.id = id
        self.type = type
        self.version = version
    }

    /// The channel, if its type is known.
    public var channel: LinkChannel? { LinkChannel(rawValue: type) }
}

/// The payload of a synchronisation packet: what a side can take, and the timings both will use.
///
/// Outstanding packets and packet length are per direction: each side tells what it can take. Everything else is
/// proposed by the accessory and repeated by the device. Layout and typical values [C]: OCBM trace, NOC, WIO.
public struct LinkSynchronization: Hashable, Sendable {
    /// Link version; current phones speak higher ones and step down to 1 [C] (OCBM). What is written here has the layout
    /// of version 1 in any case: that of later ones is not known.
    public var version: UInt8
    /// Packets the sender of this payload takes without having acknowledged them.
    public var maximumOutstandingPackets: UInt8
    /// The longest packet the sender of this payload takes, in bytes with header and checksums.
    public var maximumPacketLength: UInt16
    /// Milliseconds after which an unacknowledged packet is sent again.
    public var retransmissionTimeout: UInt16
    /// Milliseconds for which an acknowledgement may be held back.
    public var acknowledgementTimeout: UInt16
    /// How many times one packet is sent again before the link is given up.
    public var maximumRetransmissions: UInt8
    /// Packets after which an acknowledgement is sent at once.
    public var maximumCumulativeAcknowledgements: UInt8
    /// The channels; one of them must be the control channel.
    public var channels: [LinkChannelDeclaration]

    /// Makes a payload of these values, unchecked; see `validate()`.
    public init(
        version: UInt8 = 1, maximumOutstandingPackets: UInt8, maximumPacketLength: UInt16,
        retransmissionTimeout: UInt16, acknowledgementTimeout: UInt16, maximumRetransmissions: UInt8,
        maximumCumulativeAcknowledgements: UInt8, channels: [LinkChannelDeclaration]
    ) {
        self.version = version
        self.maximumOutstandingPackets = maximumOutstandingPackets
        self.maximumPacketLength = maximumPacketLength
        self.retransmissionTimeout = retransmissionTimeout
        self.acknowledgementTimeout = acknowledgementTimeout
        self.maximumRetransmissions = maximumRetransmissions
        self.maximumCumulativeAcknowledgements = maximumCumulativeAcknowledgements
        self.channels = channels
    }

    /// True when all four acknowledgement values are 0: the variant without acknowledgements. [C] (LIVI, OCBM, POD)
    public var isWithoutAcknowledgements: Bool {
        retransmissionTimeout == 0 && acknowledgementTimeout == 0 && maximumRetransmissions == 0
            && maximumCumulativeAcknowledgements == 0
    }

    /// The id under which `channel` was declared; the first one counts.
    public func id(of channel: LinkChannel) -> UInt8? {
        channels.first { $0.type == channel.rawValue }?.id
    }

    /// The channel with this id, if it was declared and its type is known.
    public func channel(of id: UInt8) -> LinkChannel? {
        channels.first { $0.id == id }?.channel
    }
}

// MARK: - Bytes

extension LinkSynchronization {
    /// Bytes before the channel list. [C]
    static let fixedLength = 10
    /// Bytes of one channel. [C]
    static let channelLength = 3
    /// The longest synchronisation packet that is taken.
    static let longestPacketLength = LinkPacket.overhead + fixedLength + maximumChannels * channelLength

    /// Parses the payload of a synchronisation packet. Only the layout is checked here; see `validate()`.
    public init(parsing payload: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(payload)
        version = try reader.read()
        maximumOutstandingPackets = try reader.read()
        maximumPacketLength = try reader.read()
        retransmissionTimeout = try reader.read()
        acknowledgementTimeout = try reader.read()
        maximumRetransmissions = try reader.read()
        maximumCumulativeAcknowledgements = try reader.read()
        channels = []
        while !reader.isAtEnd {
            let id: UInt8 = try reader.read()
            let type: UInt8 = try reader.read()
            channels.append(LinkChannelDeclaration(id: id, type: type, version: try reader.read()))
            guard channels.count <= Self.maximumChannels else {
                throw WireError(.tooMany(limit: Self.maximumChannels), offset: reader.offset, field: "channels")
            }
        }
    }

    /// The payload's bytes.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedLength + channels.count * Self.channelLength)
        bytes.append(version)
        bytes.append(maximumOutstandingPackets)
        bytes.appendBigEndian(maximumPacketLength)
        bytes.appendBigEndian(retransmissionTimeout)
        bytes.appendBigEndian(acknowledgementTimeout)
        bytes.append(maximumRetransmissions)
        bytes.append(maximumCumulativeAcknowledgements)
        for channel in channels {
            bytes.append(channel.id)
            bytes.append(channel.type)
            bytes.append(channel.version)
        }
        return bytes
    }
}
