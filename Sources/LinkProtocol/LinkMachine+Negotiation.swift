import WireBytes

/// Detection, and what both ends do while they agree on parameters.
///
/// Each side answers a proposal that it does not take with one of its own, until one is acknowledged or a side has
/// countered as often as it may. The device always answers with SYN+ACK [C]; the accessory counters with a new SYN, or
/// with SYN+ACK (CLK).
extension LinkMachine {
    // MARK: Sending

    /// Accessory: sends detection bytes and sets the time of the next.
    mutating func sendDetection(now: UInt64, into output: inout LinkOutput) {
        output.appendDetection()
        timers.set(.detect, after: parameters.detectInterval, now: now)
    }

    /// Sends this side's synchronisation packet, first or again; a device that has nothing to answer sends nothing.
    mutating func sendSynchronization(_ current: Synchronizing, now: UInt64, into output: inout LinkOutput) {
        guard let proposal = current.proposal else { return }
        output.append(
            LinkPacket(
                control: current.answered == nil ? .synchronize : [.synchronize, .acknowledge],
                sequence: current.ownSequence, acknowledgement: current.answered?.sequence ?? 0,
                payload: proposal.encoded[...]))
        // Without acknowledgements nothing is sent twice (POD); an answer that got lost is asked for by the next offer.
        if side == .device, proposal.isWithoutAcknowledgements {
            timers[.synchronize] = nil
        } else {
            timers.set(.synchronize, after: parameters.synchronizationInterval, now: now)
        }
    }

    /// A new negotiation; an accessory makes its offer.
    mutating func beginSynchronizing(ownSequence: UInt8, now: UInt64, into output: inout LinkOutput) {
        timers.clear()
        timers.set(.synchronizationBudget, after: parameters.synchronizationBudget, now: now)
        var current = Synchronizing(ownSequence: ownSequence)
        if side == .accessory { current.proposal = parameters.synchronization }
        state = .synchronizing(current)
        sendSynchronization(current, now: now, into: &output)
    }

    mutating func establish(_ agreement: LinkAgreement, _ opening: LinkOpening, into output: inout LinkOutput) {
        timers.clear()
        state = .established
        transfer = LinkTransfer(agreement: agreement, opening: opening, parameters: parameters)
        output.notices.append(.established(agreement))
    }

    // MARK: Receiving

    mutating func receiveDetection(now: UInt64, into output: inout LinkOutput) {
        switch (state, side) {
        case (.idle, _), (.closed, _):
            counts.unexpected.count()
        case (.detecting, .accessory):
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now, into: &output)
        case (.detecting, .device):
            output.appendDetection()
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now, into: &output)
        case (.synchronizing, .accessory), (.established, .accessory):
            // Race: several detection packets were out when the first echo came; each is echoed.
            counts.unexpected.count()
        case (.synchronizing(let current), .device):
            // A phone echoes again and answers the next offer under a new number [C] (OCBM).
            output.appendDetection()
            let used = current.proposal != nil
            beginSynchronizing(
                ownSequence: used ? current.ownSequence &+ 1 : current.ownSequence, now: now, into: &output)
        case (.established, .device):
            output.appendDetection()
            restart(after: transfer?.lastSent ?? initialSequence, now: now, into: &output)
        }
    }

    mutating func receive(_ packet: LinkPacket, at place: LinkPlace, now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle, .closed:
            counts.unexpected.count()
        case .detecting:
            // Some accessories offer at once ("initiate negotiate", LIVI). Anything else is left from an earlier link.
            guard side == .device, packet.control.isOffer else {
                unexpected(packet, at: place, into: &output)
                return
            }
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now, into: &output)
            receiveOffer(
                packet, current: Synchronizing(ownSequence: initialSequence), at: place, now: now, into: &output)
        case .synchronizing(let current):
            if packet.control.contains(.reset) {
                finish(.resetByPeer, into: &output)
            } else if side == .accessory {
                receiveAsSynchronizingAccessory(packet, current: current, at: place, now: now, into: &output)
            } else {
                receiveAsSynchronizingDevice(packet, current: current, at: place, now: now, into: &output)
            }
        case .established:
            if packet.control.contains(.reset) {
                finish(.resetByPeer, into: &output)
            } else if packet.control.contains(.synchronize) {
                receiveSynchronizationWhenEstablished(packet, at: place, now: now, into: &output)
            } else {
                receiveTransfer(packet, at: place, now: now, into: &output)
            }
        }
    }

    /// A packet of `length` bytes begins at `offset` of the stream.
    mutating func receiveTooLong(_ length: Int, at offset: UInt64, into output: inout LinkOutput) {
        func tell(_ reaction: LinkIrregularity.Reaction, into output: inout LinkOutput) {
            output.tell(
                LinkIrregularity(
                    .packetTooLong, offset: offset, length: LinkPacket.headerLength, value: length,
                    reaction: reaction))
        }
        switch state {
        case .established:
            tell(.reset, into: &output)
            reset(
                .protocolViolation(
                    "a packet of \(length) bytes, at most \(maximumLength) were agreed on", offset: offset + 1),
                into: &output)
        case .idle, .detecting, .synchronizing, .closed:
            // Before anything was agreed on it is garbage; the decoder has counted it.
            tell(.drop, into: &output)
        }
    }

    mutating func receiveTransfer(
        _ packet: LinkPacket, at place: LinkPlace, now: UInt64, into output: inout LinkOutput
    ) {
        withTransfer { transfer, timers, counts in
            transfer.receive(packet, at: place, now: now, timers: &timers, statistics: &counts, into: &output)
        }
    }

    mutating func unexpected(_ packet: LinkPacket, at place: LinkPlace, into output: inout LinkOutput) {
        counts.unexpected.count()
        output.tell(
            LinkIrregularity(
                .unexpectedPacket, offset: place.offset, length: place.length, value: Int(packet.control.rawValue),
                reaction: .drop))
    }

    // MARK: Agreeing

    /// The peer's answer to this side's proposal: acknowledged when it is taken, else countered.
    mutating func receiveAnswer(
        _ packet: LinkPacket, current: Synchronizing, now: UInt64, into output: inout LinkOutput
    ) {
        guard let proposal = current.proposal, let answer = parse(packet, into: &output) else { return }
        let review: LinkReview
        switch side {
        case .accessory:
            if proposal.isWithoutAcknowledgements, !answer.isWithoutAcknowledgements {
                fallBack(from: current, now: now, into: &output)
                return
            }
            review = self.review(answer, offered: proposal)
        case .device:
            review = self.review(answer, offered: nil)
        }
        let peer = LinkProposal(sequence: packet.sequence, synchronization: answer)
        guard let objection = review.objection else {
            output.append(
                LinkPacket(control: .acknowledge, sequence: current.ownSequence, acknowledgement: packet.sequence))
            let agreement = LinkAgreement(own: answer.taking(proposal), peer: answer)
            establish(
                agreement, LinkOpening(ownSequence: current.ownSequence, ownProposal: proposal, peer: peer),
                into: &output)
            return
        }
        var next = current
        next.proposal = review.adapted.taking(proposal)
        switch (side, parameters.restatement) {
        case (.device, _): next.answered = peer
        case (.accessory, .answer):
            next.answered = peer
            next.ownSequence &+= 1
        case (.accessory, .offer):
            next.answered = nil
            next.ownSequence &+= 1
        }
        counter(next, objection, now: now, into: &output)
    }

    /// The peer has acknowledged this side's proposal.
    mutating func receiveConsent(
        _ packet: LinkPacket, proposal: LinkSynchronization, peer: LinkProposal, own: UInt8, at place: LinkPlace,
        now: UInt64, into output: inout LinkOutput
    ) {
        let agreement = LinkAgreement(own: proposal, peer: proposal.takingLegal(peer.synchronization))
        establish(
            agreement, LinkOpening(ownSequence: own, ownProposal: proposal, peer: peer), into: &output)
        // The acknowledgement may ride on the first payload when the one of its own was lost.
        receiveTransfer(packet, at: place, now: now, into: &output)
    }

    /// Proposes something else, unless that was done as often as allowed.
    mutating func counter(
        _ next: Synchronizing, _ objection: LinkParameterError, now: UInt64, into output: inout LinkOutput
    ) {
        var next = next
        next.rounds += 1
        guard next.rounds <= parameters.negotiationRounds else {
            reset(.negotiationLimit(rounds: parameters.negotiationRounds, objection), into: &output)
            return
        }
        state = .synchronizing(next)
        counts.countered.count()
        output.notices.append(.countered(round: next.rounds, reason: objection))
        sendSynchronization(next, now: now, into: &output)
    }

    /// A device answers with the older of the version that was offered and its own. An accessory goes on with version 1
    /// only, whatever it offered.
    private var newestVersion: UInt8 {
        switch side {
        case .accessory: LinkSynchronization.supportedVersion
        case .device: parameters.synchronization.version
        }
    }

    func review(_ proposal: LinkSynchronization, offered: LinkSynchronization?) -> LinkReview {
        LinkReview(
            proposal, acceptance: parameters.acceptance, own: parameters.withAcknowledgements, offered: offered,
            newestVersion: newestVersion)
    }

    /// The payload of a synchronisation packet; nil, and the end of the link, when it cannot be read.
    mutating func parse(_ packet: LinkPacket, into output: inout LinkOutput) -> LinkSynchronization? {
        do throws(WireError) {
            return try LinkSynchronization(parsing: packet.payload)
        } catch {
            // What follows the timings means something else in later versions [1] (OCBM); those are countered anyway.
            let timings = packet.payload.prefix(LinkSynchronization.fixedLength)
            if packet.payload.first ?? 0 > LinkSynchronization.supportedVersion,
                let value = try? LinkSynchronization(parsing: timings)
            {
                return value
            }
            reset(.parametersRefused(LinkParameterError(.layout, "\(error)")), into: &output)
            return nil
        }
    }
}

extension LinkPacket.Control {
    /// The first synchronisation packet, from an accessory.
    var isOffer: Bool { contains(.synchronize) && !contains(.acknowledge) && !contains(.reset) }
    /// The answer to it, from a device; or an accessory's answer to that.
    var isAnswer: Bool { contains(.synchronize) && contains(.acknowledge) && !contains(.reset) }
}

extension LinkSynchronization {
    /// These timings and channels with what the sender of `other` takes.
    func taking(_ other: LinkSynchronization) -> LinkSynchronization {
        var value = self
        value.maximumOutstandingPackets = other.maximumOutstandingPackets
        value.maximumPacketLength = other.maximumPacketLength
        return value
    }

    /// The same, brought into what is legal.
    func takingLegal(_ other: LinkSynchronization) -> LinkSynchronization {
        var value = taking(other)
        value.maximumPacketLength = max(value.maximumPacketLength, Self.legalPacketLength.lowerBound)
        if !isWithoutAcknowledgements {
            let legal = Self.legalOutstandingPackets
            value.maximumOutstandingPackets = min(
                max(value.maximumOutstandingPackets, legal.lowerBound), legal.upperBound)
        }
        return value
    }
}
