/// What happened on a link so far. The counts stop at their maximum.
public struct LinkStatistics: Equatable, Sendable {
    /// What the decoder dropped.
    public var losses = LinkPacketDecoder.Losses()
    /// Payloads handed up.
    public var received: UInt64 = 0
    /// Payload packets sent for the first time.
    public var sent: UInt64 = 0
    /// Packets sent again.
    public var retransmitted: UInt64 = 0
    /// Of those, the ones that the peer named as missing.
    public var namedRetransmissions: UInt64 = 0
    /// Packets without payload that only acknowledge.
    public var acknowledgementsSent: UInt64 = 0
    /// Packets that acknowledge and name what is missing.
    public var extendedAcknowledgementsSent: UInt64 = 0
    /// Payload packets that were received before.
    public var duplicates: UInt64 = 0
    /// Payload packets that came although an earlier one is missing.
    public var outOfOrder: UInt64 = 0
    /// Of those, the ones that were held until the earlier ones came; the peer has to send the others again.
    public var held: UInt64 = 0
    /// Proposals of the peer that were countered.
    public var countered: UInt64 = 0
    /// Acknowledgements of packets that were never sent, or no longer wait.
    public var staleAcknowledgements: UInt64 = 0
    /// Packets and detection bytes that have no meaning in the phase in which they came.
    public var unexpected: UInt64 = 0
    /// Payloads on a channel that was not negotiated; acknowledged and dropped.
    public var unknownChannel: UInt64 = 0
}
