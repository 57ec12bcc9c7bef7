/// What happened on a link so far. The counts stop at their maximum.
public struct LinkStatistics: Equatable, Sendable {
    /// What the decoder dropped.
    public var losses = LinkPacketDecoder.Losses()
    /// Payloads handed up.
    public var received: UInt64 = 0
    /// Payload packets sent for the first time.
    public var sent: UInt64 = 0
    /// Packets sent again because no acknowledgement came.
    public var retransmitted: UInt64 = 0
    /// Packets without payload that only acknowledge.
    public var acknowledgementsSent: UInt64 = 0
    /// Payload packets that were received before.
    public var duplicates: UInt64 = 0
    /// Payload packets that came although an earlier one is missing; the peer has to send them again.
    public var outOfOrder: UInt64 = 0
    /// Acknowledgements of packets that were never sent, or no longer wait.
    public var staleAcknowledgements: UInt64 = 0
    /// Packets and detection bytes that have no meaning in the phase in which they came.
    public var unexpected: UInt64 = 0
    /// Payloads on a channel that was not negotiated; acknowledged and dropped.
    public var unknownChannel: UInt64 = 0
}
