/// One end of one link: bytes in, bytes and notices out.
///
/// Contract: the owner calls one method per outside event, then sends `LinkOutput.transmit`, then deals with
/// `LinkOutput.notices` in order, then arms its timer for `nextDeadline`. `now` is nanoseconds on the owner's clock and
/// must not go backwards. A deadline reached late, early or twice is legal and does what is due. Nothing here traps on
/// what the peer sends; what it holds is bounded by the parameters: one packet being received, the receive buffer, one
/// window in flight and the send queue.
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
        /// Nothing was sent and nothing is awaited. Exits: `detecting` (start), `synchronizing` (start of an accessory
        /// that begins with its offer), `closed` (close).
        case idle
        /// Detection bytes are sent (accessory) or awaited (device). Timers: detect (accessory), detectBudget.
        /// Exits: `synchronizing` (detection bytes; on the device a synchronisation packet too), `closed` (budget, close).
        case detecting
        /// Accessory: a proposal was sent, the answer is awaited. Device: the offer is awaited, or it was answered and
        /// the acknowledgement is awaited. Timers: synchronize (when something was sent), synchronizationBudget.
        /// Exits: itself (counter-offers, detection bytes on the device), `established`, `closed` (budget, unreadable
        /// parameters, rounds used up, reset, close).
        case synchronizing(Synchronizing)
        /// Payloads flow; all about them is in `transfer`. Timers: acknowledgement, retransmission.
        /// Exits: `closed` (reset, retransmission limit, violation, close), `synchronizing` (device: a new beginning).
        case established
        /// Over. No timers, no exits.
        case closed
    }

    /// What is known while parameters are being agreed on.
    struct Synchronizing: Sendable {
        /// The number of this side's synchronisation packet.
        var ownSequence: UInt8
        /// What this side proposes. Accessory: always there. Device: once an offer came.
        var proposal: LinkSynchronization?
        /// The peer's packet that `proposal` answers; nil when it answers none.
        var answered: LinkProposal?
        /// How often this side has countered.
        var rounds = 0
        /// Device: how many different offers came.
        var offers = 0
    }

    /// Which end this is.
    public let side: Side
    /// What this side offers and how patient it is.
    public let parameters: LinkParameters

    var state: State = .idle {
        didSet { if case .established = state {} else { transfer = nil } }
    }
    /// The payloads of an established link; nil in every other state. Not the state's own, because a value inside an enum
    /// is copied out and in again for every change: that was four fifths of the time that a packet took.
    var transfer: LinkTransfer?
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
        // A synchronisation packet with several channels is longer than the shortest legal limit.
        decoder = LinkPacketDecoder(
            maximumLength: max(
                Int(parameters.synchronization.maximumPacketLength), LinkSynchronization.longestPacketLength))
    }

    // MARK: Getters

    /// The longest packet that this side takes, synchronisation packets apart.
    var maximumLength: Int { Int(parameters.synchronization.maximumPacketLength) }

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
        transfer?.agreement
    }

    /// Payload packets that the peer has not acknowledged, and those that wait for room in the window.
    public var outstanding: (inFlight: Int, waiting: Int) {
        (transfer?.queue.inFlight ?? 0, transfer?.queue.waiting ?? 0)
    }

    // MARK: Events

    /// Begins: the accessory sends detection bytes, or its offer, and the device waits for them. Nothing happens when
    /// called again.
    public mutating func start(now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle where side == .accessory && parameters.beginsWithOffer:
            beginSynchronizing(ownSequence: initialSequence, now: now, into: &output)
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
            case .packet(let packet):
                let length = packet.encodedLength
                let place = LinkPlace(offset: decoder.streamOffset - UInt64(length), length: length)
                if length > maximumLength, !packet.control.contains(.synchronize) {
                    receiveTooLong(length, at: place.offset, into: &output)
                } else {
                    receive(packet, at: place, now: now, into: &output)
                }
            case .tooLong(let length): receiveTooLong(length, at: decoder.streamOffset - 1, into: &output)
            case .dropped(let dropped): output.tell(LinkIrregularity(dropped))
            }
        }
        // Once per call: several packets in one read need one acknowledgement, and freed window is used.
        withTransfer { transfer, timers, counts in
            transfer.sendNamed(now: now, timers: &timers, statistics: &counts, into: &output)
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
        try send(payload[...], on: channel, now: now, into: &output)
    }

    /// Sends a part of a caller's buffer, at once or when the window has room. Nothing is taken when it throws.
    public mutating func send(
        _ payload: ArraySlice<UInt8>, on channel: LinkChannel, now: UInt64, into output: inout LinkOutput
    ) throws(LinkSendError) {
        guard phase == .established else { throw .notEstablished(phase) }
        try withTransfer { transfer, timers, counts throws(LinkSendError) in
            try transfer.enqueue(payload, on: channel)
            transfer.transmit(now: now, timers: &timers, statistics: &counts, into: &output)
        }
    }

    /// Does what is due at `now`.
    public mutating func deadlineReached(now: UInt64, into output: inout LinkOutput) {
        tellRun(into: &output)
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
            case .established: transfer?.lastSent
            // A device that has not answered has used no number.
            case .synchronizing(let own): own.proposal != nil ? own.ownSequence : nil
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
        tellRun(into: &output)
        output.notices.append(.closed(failure))
    }

    /// Tells of dropped bytes behind which nothing sound came so far.
    private mutating func tellRun(into output: inout LinkOutput) {
        if let dropped = decoder.takeRun() { output.tell(LinkIrregularity(dropped)) }
    }

    // MARK: Established

    /// Runs `body` on the transfer when the link is up, and does nothing otherwise.
    mutating func withTransfer<Failure: Error>(
        _ body: (inout LinkTransfer, inout LinkTimerTable, inout LinkStatistics) throws(Failure) -> Void
    ) throws(Failure) {
        guard transfer != nil else { return }
        // never-nil: looked at just above. A copy that is put back would be what `transfer` is there to avoid.
        try body(&transfer!, &timers, &counts)
    }

    private mutating func transferDeadlineReached(now: UInt64, into output: inout LinkOutput) {
        var failure: LinkFailure?
        withTransfer { transfer, timers, counts in
            // First what is sent again: it carries the acknowledgement that may be due as well.
            if timers.take(.retransmission, now: now) {
                failure = transfer.retransmit(now: now, timers: &timers, statistics: &counts, into: &output)
            }
            if timers.take(.acknowledgement, now: now) {
                transfer.mustNameMissing = true
                transfer.acknowledge(timers: &timers, statistics: &counts, into: &output)
            }
        }
        if let failure { reset(failure, into: &output) }
    }
}

/// A peer's synchronisation packet, as it came.
struct LinkProposal: Sendable {
    /// Its number.
    var sequence: UInt8
    /// What it proposes.
    var synchronization: LinkSynchronization
}

/// How a link was opened.
struct LinkOpening: Sendable {
    /// The number of this side's last synchronisation packet.
    var ownSequence: UInt8
    /// What it proposed.
    var ownProposal: LinkSynchronization
    /// The peer's last synchronisation packet.
    var peer: LinkProposal

    /// The number of the peer's synchronisation packet.
    var peerSequence: UInt8 { peer.sequence }
}
