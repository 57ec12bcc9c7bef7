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
    /// A payload, once and in the order in which the peer sent it.
    case received(channel: LinkChannel, payload: [UInt8])
    /// Device only: the accessory began again on an established link. What was in flight or waiting is dropped, the
    /// machines above start anew at the next `established`. Seen on real phones, which negotiate again [C] (OCBM).
    case restarted
    /// The link is over. Told exactly once, and nothing is told after it.
    case closed(LinkFailure)
}

/// Where a `LinkMachine` puts what its owner has to do. Reuse one value: emptied, it keeps its memory.
public struct LinkOutput: Sendable {
    /// Bytes for the peer, whole packets behind each other.
    public var transmit: [UInt8] = []
    /// For every packet in `transmit`, the offset of the byte behind it, for transports that keep packets apart.
    public var packetEnds: [Int] = []
    /// What there is to know, oldest first.
    public var notices: [LinkNotice] = []

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
