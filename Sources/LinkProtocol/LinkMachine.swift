/// One end of one link: bytes in, bytes and notices out.
///
/// Contract: the owner calls one method per outside event, then sends `LinkOutput.transmit`, then deals with
/// `LinkOutput.notices` in order, then arms its timer for `nextDeadline`. `now` is nanoseconds on the owner's clock and
/// must not go backwards. A deadline reached late, early or twice is legal and does what is due. Nothing here traps on
/// what the peer sends; what it holds is bounded by the parameters: one packet being received, one window in flight and
/// the send queue.
///
/// ```
/// accessory                         device
///    | FF 55 02 00 EE 10 ------------> |  detecting
///    | <------------ FF 55 02 00 EE 10 |
///    | SYN x ------------------------> |  synchronizing
///    | <------------------ SYN+ACK y,x |
///    | ACK x,y ----------------------> |  established
/// ```
///
/// A value type: copy it and both copies go on by themselves.
public struct LinkMachine: Sendable {
    /// Which end this is.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// The head unit: sends detection bytes and the first synchronisation packet.
        case accessory
        /// The phone: answers both.
        case device
    }

    /// What is true now. Every case names its legal exits.
    enum State: Sendable {
        /// Nothing was sent and nothing is awaited. Exits: `detecting` (start), `closed` (close).
        case idle
        /// Detection bytes are sent (accessory) or awaited (device). Timers: detect (accessory), detectBudget.
        /// Exits: `synchronizing` (detection bytes; on the device a synchronisation packet too), `closed` (budget, close).
        case detecting
        /// Accessory: the offer was sent, the answer is awaited. Device: the offer is awaited, or it was answered and
        /// the acknowledgement is awaited. Timers: synchronize (when something was sent), synchronizationBudget.
        /// Exits: `established`, `closed` (budget, refused parameters, reset, close).
        case synchronizing(Synchronizing)
        /// Payloads flow. Timers: acknowledgement, retransmission.
        /// Exits: `closed` (reset, retransmission limit, violation, close), `synchronizing` (device: a new beginning).
        case established(LinkTransfer)
        /// Over. No timers, no exits.
        case closed
    }

    /// What is known while parameters are being agreed on.
    struct Synchronizing: Sendable {
        /// The number of this side's synchronisation packet.
        var ownSequence: UInt8
        /// Device: the offer that was answered, and what follows from it.
        var answered: Answered?
    }

    /// Device: an accessory's offer with our answer to it.
    struct Answered: Sendable {
        /// The number of the accessory's synchronisation packet.
        var peerSequence: UInt8
        /// What the answer agrees to.
        var agreement: LinkAgreement
    }

    /// Which end this is.
    public let side: Side
    /// What this side offers and how patient it is.
    public let parameters: LinkParameters

    var state: State = .idle
    var timers = LinkTimerTable()
    var counts = LinkStatistics()
    var decoder: LinkPacketDecoder
    let initialSequence: UInt8

    /// A link that was not started.
    ///
    /// - Parameters:
    ///   - parameters: Must pass `LinkParameters.validate()`; check values that come from outside before.
    ///   - initialSequence: The number of this side's synchronisation packet. Any is legal; 0, 99 and random-looking
    ///     ones were seen [C].
    public init(side: Side, parameters: LinkParameters, initialSequence: UInt8) {
        do throws(LinkParameterError) {
            try parameters.validate()
        } catch {
            preconditionFailure("LinkMachine: \(error)")
        }
        self.side = side
        self.parameters = parameters
        self.initialSequence = initialSequence
        decoder = LinkPacketDecoder(maximumLength: Int(parameters.synchronization.maximumPacketLength))
    }

    // MARK: Getters

    /// How far the link is.
    public var phase: LinkPhase {
        switch state {
        case .idle: .idle
        case .detecting: .detecting
        case .synchronizing: .synchronizing
        case .established: .established
        case .closed: .closed
        }
    }

    /// When `deadlineReached` is to be called next; nil when nothing is awaited.
    public var nextDeadline: UInt64? { timers.next }

    /// What happened so far.
    public var statistics: LinkStatistics {
        var all = counts
        all.losses = decoder.losses
        return all
    }

    /// What was agreed on, while the link is up.
    public var agreement: LinkAgreement? {
        switch state {
        case .established(let transfer): transfer.agreement
        case .idle, .detecting, .synchronizing, .closed: nil
        }
    }

    /// Payload packets that the peer has not acknowledged, and those that wait for room in the window.
    public var outstanding: (inFlight: Int, waiting: Int) {
        switch state {
        case .established(let transfer): (transfer.inFlight.count, transfer.waiting.count)
        case .idle, .detecting, .synchronizing, .closed: (0, 0)
        }
    }

    // MARK: Events

    /// Begins: the accessory sends detection bytes, the device waits for them. Nothing happens when called again.
    public mutating func start(now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle:
            state = .detecting
            timers.set(.detectBudget, after: parameters.detectBudget, now: now)
            if side == .accessory { sendDetection(now: now, into: &output) }
        case .detecting, .synchronizing, .established, .closed:
            break
        }
    }

    /// Takes bytes from the peer, cut in any way. Bytes before `start` and after the end are ignored.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle, .closed: return
        case .detecting, .synchronizing, .established: break
        }
        var input = bytes
        while phase != .closed, let element = decoder.next(from: &input) {
            switch element {
            case .detection: receiveDetection(now: now, into: &output)
            case .packet(let packet): receive(packet, now: now, into: &output)
            case .tooLong(let length): receiveTooLong(length, now: now, into: &output)
            }
        }
        // Once per call: several packets in one read need one acknowledgement, and freed window is used.
        withTransfer { transfer, timers, counts in
            transfer.acknowledgeIfNeeded(timers: &timers, statistics: &counts, into: &output)
            transfer.transmit(now: now, timers: &timers, statistics: &counts, into: &output)
        }
    }

    /// Sends a payload, at once or when the window has room. Nothing is taken when it throws.
    ///
    /// One call makes one packet, so a payload on the control channel should be one message (one car was seen to read
    /// only the first of a packet [C], POD); a longer control payload is split at the peer's packet length.
    public mutating func send(
        _ payload: [UInt8], on channel: LinkChannel, now: UInt64, into output: inout LinkOutput
    ) throws(LinkSendError) {
        guard phase == .established else { throw .notEstablished(phase) }
        try withTransfer { transfer, timers, counts throws(LinkSendError) in
            try transfer.enqueue(payload, on: channel)
            transfer.transmit(now: now, timers: &timers, statistics: &counts, into: &output)
        }
    }

    /// Does what is due at `now`.
    public mutating func deadlineReached(now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle, .closed:
            break
        case .detecting:
            if timers.take(.detectBudget, now: now) {
                finish(.detectTimedOut, into: &output)
            } else if timers.take(.detect, now: now) {
                sendDetection(now: now, into: &output)
            }
        case .synchronizing(let synchronizing):
            if timers.take(.synchronizationBudget, now: now) {
                finish(.synchronizationTimedOut, into: &output)
            } else if timers.take(.synchronize, now: now) {
                sendSynchronization(synchronizing, now: now, into: &output)
            }
        case .established:
            transferDeadlineReached(now: now, into: &output)
        }
    }

    /// Ends the link from this side. The peer is sent a reset packet if it has a number to compare with.
    public mutating func close(now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle, .detecting:
            finish(.closedLocally, into: &output)
        case .synchronizing, .established:
            reset(.closedLocally, into: &output)
        case .closed:
            break
        }
    }

    // MARK: Ends

    /// Ends the link after a reset packet. It carries the last number sent and acknowledges nothing (NOC).
    mutating func reset(_ failure: LinkFailure, into output: inout LinkOutput) {
        let lastSent: UInt8? =
            switch state {
            case .established(let transfer): transfer.lastSent
            // A device that has not answered has used no number.
            case .synchronizing(let own): side == .accessory || own.answered != nil ? own.ownSequence : nil
            case .idle, .detecting, .closed: nil
            }
        if let lastSent {
            output.append(LinkPacket(control: .reset, sequence: lastSent, acknowledgement: 0))
        }
        finish(failure, into: &output)
    }

    mutating func finish(_ failure: LinkFailure, into output: inout LinkOutput) {
        state = .closed
        timers.clear()
        output.notices.append(.closed(failure))
    }

    // MARK: Established

    /// Runs `body` on the transfer when the link is up, and does nothing otherwise.
    mutating func withTransfer<Failure: Error>(
        _ body: (inout LinkTransfer, inout LinkTimerTable, inout LinkStatistics) throws(Failure) -> Void
    ) throws(Failure) {
        guard case .established(var transfer) = state else { return }
        // The state lets go of its copy first, so that the queues are changed in place and not copied.
        state = .closed
        defer { state = .established(transfer) }
        try body(&transfer, &timers, &counts)
    }

    private mutating func transferDeadlineReached(now: UInt64, into output: inout LinkOutput) {
        var limitReached: LinkTransfer.InFlight?
        withTransfer { transfer, timers, counts in
            // First what is sent again: it carries the acknowledgement that may be due as well.
            if timers.take(.retransmission, now: now),
                !transfer.retransmit(now: now, timers: &timers, statistics: &counts, into: &output)
            {
                limitReached = transfer.inFlight.first
            } else if timers.take(.acknowledgement, now: now) {
                transfer.acknowledge(timers: &timers, statistics: &counts, into: &output)
            }
        }
        if let packet = limitReached {
            reset(
                .retransmissionLimit(sequence: packet.sequence, retransmissions: packet.retransmissions),
                into: &output)
        }
    }
}
