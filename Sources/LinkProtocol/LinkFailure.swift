/// Whose doing the end of a link was.
public enum LinkFault: String, Hashable, Sendable, CaseIterable {
    /// This side ended it, or was asked to.
    case local
    /// The other side broke a rule or ended it.
    case peer
    /// Nothing came through: a cable, a port or a peer that is not there.
    case transport
}

/// Why a link ended. It is told once, in `LinkNotice.closed`.
public enum LinkFailure: Error, Hashable, Sendable {
    /// `close` was called.
    case closedLocally
    /// No detection bytes came within the budget.
    case detectTimedOut
    /// Detection worked, but the synchronisation did not finish within its budget.
    case synchronizationTimedOut
    /// The peer's synchronisation payload holds a value that is illegal or that changes what was offered.
    case parametersRefused(LinkParameterError)
    /// Each side kept proposing parameters that the other did not take; the last objection of this side.
    case negotiationLimit(rounds: Int, LinkParameterError)
    /// A packet was sent again as often as allowed and never acknowledged.
    case retransmissionLimit(sequence: UInt8, retransmissions: Int)
    /// The peer sent a reset packet.
    case resetByPeer
    /// The peer sent what no peer may send here. `offset` is the byte of the received stream behind the packet.
    case protocolViolation(String, offset: UInt64)

    /// Whose doing it was.
    public var fault: LinkFault {
        switch self {
        case .closedLocally: .local
        case .detectTimedOut, .synchronizationTimedOut, .retransmissionLimit: .transport
        case .parametersRefused, .negotiationLimit, .resetByPeer, .protocolViolation: .peer
        }
    }

    /// A stable name for logs, scenarios and sockets.
    public var name: String {
        switch self {
        case .closedLocally: "link.closed-locally"
        case .detectTimedOut: "link.detect-timed-out"
        case .synchronizationTimedOut: "link.synchronization-timed-out"
        case .parametersRefused: "link.parameters-refused"
        case .negotiationLimit: "link.negotiation-limit"
        case .retransmissionLimit: "link.retransmission-limit"
        case .resetByPeer: "link.reset-by-peer"
        case .protocolViolation: "link.protocol-violation"
        }
    }

    /// What happened and what to do, for people.
    public var reason: String {
        switch self {
        case .closedLocally:
            "the link was closed on this side"
        case .detectTimedOut:
            "no detection bytes came; check that the other side speaks the protocol on this interface"
        case .synchronizationTimedOut:
            "detection worked but the synchronisation was never completed; check the other side's link parameters"
        case .parametersRefused(let error):
            "the other side's link parameters were refused: \(error)"
        case .negotiationLimit(let rounds, let error):
            "no common link parameters were found in \(rounds) rounds; at last \(error)"
        case .retransmissionLimit(let sequence, let retransmissions):
            "packet \(sequence) was sent again \(retransmissions) times and never acknowledged; the other side is gone"
        case .resetByPeer:
            "the other side reset the link"
        case .protocolViolation(let what, let offset):
            "the other side broke the link protocol before byte \(offset) of its stream: \(what)"
        }
    }
}

/// Why `LinkMachine.send` took nothing.
public enum LinkSendError: Error, Hashable, Sendable {
    /// The link is not up; what it is instead.
    case notEstablished(LinkPhase)
    /// The channel was not negotiated.
    case noChannel(LinkChannel)
    /// A packet without payload is an acknowledgement, so there is nothing to send.
    case emptyPayload
    /// One packet of this channel takes at most `limit` bytes.
    case payloadTooLong(limit: Int)
    /// `limit` packets wait already; send again when the peer has acknowledged some.
    case queueFull(limit: Int)
    /// The payloads that wait would have more than `limit` bytes; send again when the peer has acknowledged some.
    case queueBytesFull(limit: Int)

    /// What happened and what to do, for people.
    public var reason: String {
        switch self {
        case .notEstablished(let phase): "the link is \(phase.rawValue), not established"
        case .noChannel(let channel): "the channel \(channel) was not negotiated on this link"
        case .emptyPayload: "the payload is empty"
        case .payloadTooLong(let limit): "the payload is longer than the \(limit) bytes that one packet may carry"
        case .queueFull(let limit): "no more than \(limit) packets may wait for the other side"
        case .queueBytesFull(let limit): "no more than \(limit) bytes may wait for the other side"
        }
    }
}
