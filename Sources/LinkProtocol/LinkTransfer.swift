/// The established half of a link: numbered payloads in both directions.
///
/// ```
/// lastSent         the number of the newest payload packet sent
/// inFlight         sent, not acknowledged: consecutive numbers that end with lastSent
/// waiting          not sent, because the window is full
/// lastReceived     the number of the newest payload packet received in order
/// unacknowledged   how many of the received ones the peer was not told of
/// ```
///
/// An acknowledgement goes at once when the agreed count is reached, else when the timer runs out, else on the back of
/// the next payload. A real phone with a timer of 2 s held one for 2 s [C] (OCBM).
struct LinkTransfer: Sendable {
    /// A payload packet that was sent and may have to be sent again.
    struct InFlight: Sendable {
        var sequence: UInt8
        var channelID: UInt8
        var payload: ArraySlice<UInt8>
        var retransmissions: Int
        var deadline: UInt64
    }

    /// A payload that waits for room in the window.
    struct Waiting: Sendable {
        var channelID: UInt8
        var payload: ArraySlice<UInt8>
    }

    let agreement: LinkAgreement
    /// The number of this side's synchronisation packet.
    let ownInitial: UInt8
    /// The number of the peer's synchronisation packet.
    let peerInitial: UInt8
    private let queueLimit: Int
    private let queueByteLimit: Int

    private(set) var lastSent: UInt8
    private(set) var lastReceived: UInt8
    private(set) var inFlight: [InFlight] = []
    private(set) var waiting: [Waiting] = []
    private var waitingBytes = 0
    /// False until the peer's first payload: its synchronisation packet may still be a repetition.
    private(set) var hasReceived = false
    private var unacknowledged = 0
    /// The peer has to be told where we are, whatever the count and the timer say.
    private var mustAcknowledge = false

    init(agreement: LinkAgreement, ownInitial: UInt8, peerInitial: UInt8, parameters: LinkParameters) {
        self.agreement = agreement
        self.ownInitial = ownInitial
        self.peerInitial = peerInitial
        queueLimit = parameters.sendQueueLimit
        queueByteLimit = parameters.sendQueueByteLimit
        lastSent = ownInitial
        lastReceived = peerInitial
    }

    private var window: Int { Int(agreement.peer.maximumOutstandingPackets) }
    private var retransmissionTimeout: UInt64 { UInt64(agreement.own.retransmissionTimeout) * 1_000_000 }

    /// How long an acknowledgement is held back: the agreed time, but no longer than half the time after which the peer
    /// sends again. Ours: with both at 2 s, as captured, every packet that nothing answers would be sent twice.
    private var acknowledgementDelay: UInt64 {
        min(UInt64(agreement.own.acknowledgementTimeout) * 1_000_000, retransmissionTimeout / 2)
    }

    // MARK: Sending

    /// Takes a payload for `channel`. A control payload longer than a packet is split, as it is a byte stream; others are
    /// refused, because their packets have headers of their own.
    mutating func enqueue(_ payload: [UInt8], on channel: LinkChannel) throws(LinkSendError) {
        guard !payload.isEmpty else { throw .emptyPayload }
        guard let channelID = agreement.own.id(of: channel) else { throw .noChannel(channel) }
        let limit = agreement.maximumPayload
        guard payload.count <= limit || channel == .control else { throw .payloadTooLong(limit: limit) }
        let pieces = (payload.count + limit - 1) / limit
        guard pieces <= queueLimit - waiting.count else { throw .queueFull(limit: queueLimit) }
        guard payload.count <= queueByteLimit - waitingBytes else { throw .queueBytesFull(limit: queueByteLimit) }
        waitingBytes += payload.count
        var rest = payload[...]
        while !rest.isEmpty {
            waiting.append(Waiting(channelID: channelID, payload: rest.prefix(limit)))
            rest = rest.dropFirst(limit)
        }
    }

    /// Sends what the window has room for.
    mutating func transmit(
        now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        let room = min(max(window - inFlight.count, 0), waiting.count)
        guard room > 0 else { return }
        for next in waiting.prefix(room) {
            lastSent &+= 1
            waitingBytes -= next.payload.count
            let packet = InFlight(
                sequence: lastSent, channelID: next.channelID, payload: next.payload, retransmissions: 0,
                deadline: now.adding(retransmissionTimeout))
            inFlight.append(packet)
            put(packet, into: &output)
            statistics.sent.count()
        }
        waiting.removeFirst(room)
        acknowledged(&timers)
        timers[.retransmission] = inFlight.first?.deadline
    }

    /// Sends the oldest packet again if its time has come; false when it was sent again as often as allowed.
    mutating func retransmit(
        now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) -> Bool {
        guard var oldest = inFlight.first, oldest.deadline <= now else {
            timers[.retransmission] = inFlight.first?.deadline
            return true
        }
        guard oldest.retransmissions < Int(agreement.own.maximumRetransmissions) else { return false }
        oldest.retransmissions += 1
        oldest.deadline = now.adding(retransmissionTimeout)
        inFlight[0] = oldest
        // The acknowledgement field is brought up to date, as CAT and POD do.
        put(oldest, into: &output)
        statistics.retransmitted.count()
        acknowledged(&timers)
        timers[.retransmission] = oldest.deadline
        return true
    }

    private func put(_ packet: InFlight, into output: inout LinkOutput) {
        output.append(
            LinkPacket(
                control: .acknowledge, sequence: packet.sequence, acknowledgement: lastReceived,
                channelID: packet.channelID, payload: packet.payload))
    }

    // MARK: Receiving

    /// Takes one packet that is neither a synchronisation nor a reset.
    mutating func receive(
        _ packet: LinkPacket, now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        if packet.control.contains(.acknowledge) || packet.control.contains(.extendedAcknowledge) {
            receiveAcknowledgement(packet.acknowledgement, now: now, timers: &timers, statistics: &statistics)
        }
        // The payload of an extended acknowledgement names missing packets; the retransmission timer brings them.
        guard !packet.payload.isEmpty, !packet.control.contains(.extendedAcknowledge) else { return }
        // Distance of the number from the last one in order: 1 is next, 128...255 are behind it [2+] (NOC, POD).
        let distance = packet.sequence &- lastReceived
        if distance == 1 {
            deliver(packet, now: now, timers: &timers, statistics: &statistics, into: &output)
        } else if distance == 0 || distance >= 128 {
            // Received before: the peer has missed our acknowledgement.
            statistics.duplicates.count()
            mustAcknowledge = true
        } else {
            statistics.outOfOrder.count()
            mustAcknowledge = true
        }
    }

    private mutating func deliver(
        _ packet: LinkPacket, now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        lastReceived = packet.sequence
        hasReceived = true
        unacknowledged += 1
        if let channel = agreement.own.channel(of: packet.channelID) {
            statistics.received.count()
            output.notices.append(.received(channel: channel, payload: Array(packet.payload)))
        } else {
            statistics.unknownChannel.count()
        }
        if unacknowledged >= Int(agreement.own.maximumCumulativeAcknowledgements) {
            mustAcknowledge = true
        } else if timers[.acknowledgement] == nil {
            timers.set(.acknowledgement, after: acknowledgementDelay, now: now)
        }
    }

    private mutating func receiveAcknowledgement(
        _ acknowledgement: UInt8, now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics
    ) {
        guard let oldest = inFlight.first else {
            if acknowledgement != lastSent { statistics.staleAcknowledgements.count() }
            return
        }
        // Distance from the last acknowledged number: how many of the packets in flight have arrived.
        let count = Int(acknowledgement &- (oldest.sequence &- 1))
        guard count <= inFlight.count else {
            statistics.staleAcknowledgements.count()
            return
        }
        guard count > 0 else { return }
        inFlight.removeFirst(count)
        timers[.retransmission] = inFlight.first?.deadline
    }

    /// Sends an acknowledgement if one must go now.
    mutating func acknowledgeIfNeeded(
        timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        if mustAcknowledge { acknowledge(timers: &timers, statistics: &statistics, into: &output) }
    }

    /// Sends a packet without payload that tells the peer where we are. It repeats the last number sent. [C]
    mutating func acknowledge(
        timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        output.append(LinkPacket(control: .acknowledge, sequence: lastSent, acknowledgement: lastReceived))
        statistics.acknowledgementsSent.count()
        acknowledged(&timers)
    }

    private mutating func acknowledged(_ timers: inout LinkTimerTable) {
        unacknowledged = 0
        mustAcknowledge = false
        timers[.acknowledgement] = nil
    }
}

extension UInt64 {
    /// `self + duration`, or the end of time.
    func adding(_ duration: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(duration)
        return overflow ? .max : sum
    }
}
