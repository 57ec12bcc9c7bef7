/// The established half of a link: numbered payloads in both directions.
///
/// ```
/// lastSent         the number of the newest payload packet sent
/// queue            sent and not acknowledged, consecutive numbers that end with lastSent; then those that wait
/// lastReceived     the number of the newest payload packet received in order
/// buffer           received behind a gap
/// unacknowledged   how many of those received in order the peer was not told of
/// ```
///
/// An acknowledgement goes at once when the agreed count is reached, else when the timer runs out, else on the back of
/// the next payload. A real phone with a timer of 2 s held one for 2 s [C] (OCBM).
///
/// Without acknowledgements nothing is kept, sent again or acknowledged but on the back of payloads, and there is no
/// window: a phone was seen with 148 packets out [C] (POD).
struct LinkTransfer: Sendable {
    let agreement: LinkAgreement
    /// How the link was opened, for packets of that exchange that come again.
    let opening: LinkOpening

    let hasAcknowledgements: Bool
    let sendWindow: Int
    let receiveWindow: Int
    let retransmissionTimeout: UInt64
    /// How long an acknowledgement is held back: the agreed time, but no longer than half the time after which the peer
    /// sends again. Ours: with both at 2 s, as captured, every packet that nothing answers would be sent twice.
    let acknowledgementDelay: UInt64
    let policy: LinkTransferPolicy

    private(set) var lastSent: UInt8
    private(set) var queue = LinkSendQueue()

    var lastReceived: UInt8
    /// True from the first payload or acknowledgement of one: the opening exchange is over for both sides.
    var isInUse = false
    var unacknowledged = 0
    /// The peer has to be told where we are, whatever the count and the timer say.
    var mustAcknowledge = false
    var buffer = LinkReceiveBuffer()
    /// The farthest number held in `buffer`, while there is one.
    var farthestHeld: UInt8 = 0
    /// The next acknowledgement names what is missing.
    var mustNameMissing = false
    /// What the peer named as missing since the last call ended.
    var named = LinkSequenceSet()
    /// Where the payload of an extended acknowledgement is put together.
    var missing: [UInt8] = []

    init(agreement: LinkAgreement, opening: LinkOpening, parameters: LinkParameters) {
        self.agreement = agreement
        self.opening = opening
        hasAcknowledgements = !agreement.own.isWithoutAcknowledgements
        sendWindow = Int(agreement.peer.maximumOutstandingPackets)
        receiveWindow = Int(agreement.own.maximumOutstandingPackets)
        retransmissionTimeout = UInt64(agreement.own.retransmissionTimeout) * 1_000_000
        acknowledgementDelay = min(
            UInt64(agreement.own.acknowledgementTimeout) * 1_000_000, retransmissionTimeout / 2)
        policy = LinkTransferPolicy(parameters)
        lastSent = opening.ownSequence
        lastReceived = opening.peerSequence
    }

    // MARK: Sending

    /// Takes a payload for `channel`. A control payload longer than a packet is split, as it is a byte stream; others are
    /// refused, because their packets have headers of their own.
    mutating func enqueue(_ payload: ArraySlice<UInt8>, on channel: LinkChannel) throws(LinkSendError) {
        guard !payload.isEmpty else { throw .emptyPayload }
        guard let channelID = agreement.own.id(of: channel) else { throw .noChannel(channel) }
        let limit = agreement.maximumPayload
        guard payload.count <= limit || channel == .control else { throw .payloadTooLong(limit: limit) }
        let pieces = (payload.count + limit - 1) / limit
        guard pieces <= policy.queueLimit - queue.waiting else { throw .queueFull(limit: policy.queueLimit) }
        guard payload.count <= policy.queueByteLimit - queue.waitingBytes else {
            throw .queueBytesFull(limit: policy.queueByteLimit)
        }
        var rest = payload
        while !rest.isEmpty {
            queue.append(rest.prefix(limit), channelID: channelID)
            rest = rest.dropFirst(limit)
        }
    }

    /// Sends what the window has room for.
    mutating func transmit(
        now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        let room = hasAcknowledgements ? min(max(sendWindow - queue.inFlight, 0), queue.waiting) : queue.waiting
        guard room > 0 else { return }
        for _ in 0..<room {
            lastSent &+= 1
            let index = queue.send(timeout: retransmissionTimeout, deadline: now.adding(retransmissionTimeout))
            put(index, into: &output)
            statistics.sent.count()
        }
        acknowledged(&timers)
        if hasAcknowledgements {
            setRetransmissionTimer(&timers)
        } else {
            queue.removeFirst(queue.inFlight)
        }
    }

    /// Sends the oldest packet again if its time has come.
    ///
    /// - Returns: The failure that ends the link when it was sent again as often as allowed.
    mutating func retransmit(
        now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) -> LinkFailure? {
        guard queue.inFlight > 0, queue[0].deadline <= now else {
            setRetransmissionTimer(&timers)
            return nil
        }
        guard queue[0].retransmissions < policy.maximumRetransmissions(agreement) else {
            return .retransmissionLimit(sequence: sequence(of: 0), retransmissions: queue[0].retransmissions)
        }
        queue[0].retransmissions += 1
        queue[0].timeout = policy.grown(queue[0].timeout)
        sendAgain(0, now: now, timers: &timers, statistics: &statistics, into: &output)
        return nil
    }

    /// Sends what the peer has named as missing again, each packet once per call however often it was named.
    mutating func sendNamed(
        now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        guard !named.isEmpty else { return }
        for index in 0..<queue.inFlight where named.contains(sequence(of: index)) {
            if policy.countsNamed {
                // At the limit it is the timer that gives up: the peer is obviously there.
                guard queue[index].retransmissions < policy.maximumRetransmissions(agreement) else { continue }
                queue[index].retransmissions += 1
            }
            statistics.namedRetransmissions.count()
            sendAgain(index, now: now, timers: &timers, statistics: &statistics, into: &output)
        }
        named.removeAll()
    }

    private mutating func sendAgain(
        _ index: Int, now: UInt64, timers: inout LinkTimerTable, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        queue[index].deadline = now.adding(queue[index].timeout)
        // The acknowledgement field is brought up to date, as CAT and POD do.
        put(index, into: &output)
        statistics.retransmitted.count()
        acknowledged(&timers)
        setRetransmissionTimer(&timers)
    }

    /// The number of the packet in flight at `index`.
    func sequence(of index: Int) -> UInt8 {
        lastSent &- UInt8(truncatingIfNeeded: queue.inFlight - 1 - index)
    }

    private func put(_ index: Int, into output: inout LinkOutput) {
        output.append(
            LinkPacket(
                control: .acknowledge, sequence: sequence(of: index), acknowledgement: lastReceived,
                channelID: queue[index].channelID, payload: queue.payload(index)))
    }

    func setRetransmissionTimer(_ timers: inout LinkTimerTable) {
        timers[.retransmission] = queue.inFlight > 0 ? queue[0].deadline : nil
    }

    /// Forgets the oldest `count` packets in flight, which have arrived.
    mutating func arrived(_ count: Int, timers: inout LinkTimerTable) {
        queue.removeFirst(count)
        setRetransmissionTimer(&timers)
    }

    // MARK: Acknowledging

    /// Sends an acknowledgement if one must go now.
    mutating func acknowledgeIfNeeded(
        timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        if mustAcknowledge { acknowledge(timers: &timers, statistics: &statistics, into: &output) }
    }

    /// Sends a packet without payload of a channel that tells the peer where we are, and what is missing when there is
    /// news of that. It repeats the last number sent. [C]
    mutating func acknowledge(
        timers: inout LinkTimerTable, statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        var packet = LinkPacket(control: .acknowledge, sequence: lastSent, acknowledgement: lastReceived)
        if mustNameMissing, buffer.count > 0, policy.extendedAcknowledgement != .off {
            listMissing()
            packet.control =
                policy.extendedAcknowledgement == .alone
                ? .extendedAcknowledge : [.acknowledge, .extendedAcknowledge]
            packet.payload = missing[...]
            statistics.extendedAcknowledgementsSent.count()
        } else {
            statistics.acknowledgementsSent.count()
        }
        output.append(packet)
        acknowledged(&timers)
    }

    /// The numbers between the last one in order and the farthest one held, without those held; as many as fit a packet.
    private mutating func listMissing() {
        missing.removeAll(keepingCapacity: true)
        var number = lastReceived &+ 1
        while number != farthestHeld, missing.count < agreement.maximumPayload {
            if !buffer.holds(number) { missing.append(number) }
            number &+= 1
        }
    }

    /// A packet with our acknowledgement has gone.
    private mutating func acknowledged(_ timers: inout LinkTimerTable) {
        unacknowledged = 0
        mustAcknowledge = false
        mustNameMissing = false
        timers[.acknowledgement] = nil
    }
}

/// What `LinkParameters` say about an established link.
struct LinkTransferPolicy: Sendable {
    let queueLimit: Int
    let queueByteLimit: Int
    let bufferByteLimit: Int
    let extendedAcknowledgement: LinkParameters.ExtendedAcknowledgement
    let countsNamed: Bool
    let backoff: UInt64

    init(_ parameters: LinkParameters) {
        queueLimit = parameters.sendQueueLimit
        queueByteLimit = parameters.sendQueueByteLimit
        bufferByteLimit = parameters.receiveBufferByteLimit
        extendedAcknowledgement = parameters.extendedAcknowledgement
        countsNamed = parameters.countsNamedRetransmissions
        backoff = UInt64(max(100, parameters.retransmissionBackoff))
    }

    func maximumRetransmissions(_ agreement: LinkAgreement) -> Int { Int(agreement.own.maximumRetransmissions) }

    /// The time after the next repetition.
    func grown(_ timeout: UInt64) -> UInt64 {
        let longest = UInt64(LinkSynchronization.legalRetransmissionTimeout.upperBound) * 1_000_000
        // Both are far below 2^57, so the product fits.
        return max(timeout, min(timeout * backoff / 100, longest))
    }
}

extension UInt64 {
    /// `self + duration`, or the end of time.
    func adding(_ duration: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(duration)
        return overflow ? .max : sum
    }
}
