/// How far a link is.
public enum LinkPhase: String, Hashable, Sendable, CaseIterable {
    /// Not started.
    case idle
    /// Detection bytes are sent (accessory) or awaited (device).
    case detecting
    /// Both speak the protocol; parameters are being agreed on.
    case synchronizing
    /// Payloads flow.
    case established
    /// Over; nothing starts again.
    case closed
}

/// What was agreed on.
public struct LinkAgreement: Hashable, Sendable {
    /// What this side takes, with the common timings and channels.
    public var own: LinkSynchronization
    /// What the peer takes, with the common timings and channels.
    public var peer: LinkSynchronization

    /// Makes an agreement of what both sides take.
    public init(own: LinkSynchronization, peer: LinkSynchronization) {
        self.own = own
        self.peer = peer
    }

    /// The most payload bytes that one packet to the peer may carry.
    public var maximumPayload: Int { max(1, Int(peer.maximumPacketLength) - LinkPacket.overhead) }
}

/// What the owner of a link is told.
public enum LinkNotice: Equatable, Sendable {
    /// Detection bytes came: the peer speaks the protocol.
    case detected
    /// Payloads may be sent and will come. Told again after `restarted`.
    case established(LinkAgreement)
    /// A payload, once and in the order in which the peer sent it: these bytes of `LinkOutput.payloads`.
    case received(channel: LinkChannel, payload: Range<Int>)
    /// The parameters that the peer proposed were not taken; others were proposed to it. `round` counts from 1 to
    /// `LinkParameters.negotiationRounds`, the reason is the first of the fields that differ.
    case countered(round: Int, reason: LinkParameterError)
    /// Something that does not end the link by itself.
    case irregularity(LinkIrregularity)
    /// Device only: the accessory began again on an established link. What was in flight or waiting is dropped, the
    /// machines above start anew at the next `established`. Seen on real phones, which negotiate again [C] (OCBM).
    case restarted
    /// The link is over. Told exactly once, and nothing is told after it.
    case closed(LinkFailure)
}

/// Where a `LinkMachine` puts what its owner has to do. Reuse one value: emptied, it keeps its memory, so that a link that
/// runs allocates nothing per packet.
public struct LinkOutput: Sendable {
    /// Bytes for the peer, whole packets behind each other.
    public var transmit: [UInt8] = []
    /// For every packet in `transmit`, the offset of the byte behind it, for transports that keep packets apart.
    public var packetEnds: [Int] = []
    /// What there is to know, oldest first.
    public var notices: [LinkNotice] = []
    /// The bytes of the payloads that `notices` tell of, behind each other.
    public var payloads: [UInt8] = []
    /// Irregularities that were counted and not told, because there were more than `irregularityLimit`.
    public private(set) var irregularitiesLeftOut = 0
    private var irregularities = 0

    /// The most irregularities told in one output, whatever comes in. Ours.
    public static let irregularityLimit = 64

    /// An empty output.
    public init() {}

    /// True when there is nothing to do.
    public var isEmpty: Bool { transmit.isEmpty && notices.isEmpty }

    /// The packets of `transmit`, one slice each.
    public var packets: [ArraySlice<UInt8>] {
        var start = 0
        return packetEnds.map { end in
            defer { start = end }
            return transmit[start..<end]
        }
    }

    /// Empties it, keeping the memory unless told otherwise.
    public mutating func removeAll(keepingCapacity: Bool = true) {
        transmit.removeAll(keepingCapacity: keepingCapacity)
        packetEnds.removeAll(keepingCapacity: keepingCapacity)
        notices.removeAll(keepingCapacity: keepingCapacity)
        payloads.removeAll(keepingCapacity: keepingCapacity)
        irregularities = 0
        irregularitiesLeftOut = 0
    }

    mutating func deliver(_ payload: ArraySlice<UInt8>, on channel: LinkChannel) {
        let start = payloads.count
        payloads.append(contentsOf: payload)
        notices.append(.received(channel: channel, payload: start..<payloads.count))
    }

    mutating func tell(_ irregularity: LinkIrregularity) {
        guard irregularities < Self.irregularityLimit else {
            irregularitiesLeftOut += 1
            return
        }
        irregularities += 1
        notices.append(.irregularity(irregularity))
    }

    mutating func append(_ packet: LinkPacket) {
        packet.encode(into: &transmit)
        packetEnds.append(transmit.count)
    }

    mutating func appendDetection() {
        transmit.append(contentsOf: LinkDetection.bytes)
        packetEnds.append(transmit.count)
    }
}
