/// What differs between the ends while they agree on parameters.
extension LinkMachine {
    // MARK: Accessory

    mutating func receiveAsSynchronizingAccessory(
        _ packet: LinkPacket, current: Synchronizing, at place: LinkPlace, now: UInt64, into output: inout LinkOutput
    ) {
        if packet.control.isOffer {
            // Only accessories offer. Our own bytes coming back look the same.
            reset(
                .protocolViolation(
                    "a synchronisation offer from the device side: two accessories, or a loop in the cable",
                    offset: decoder.streamOffset), into: &output)
            return
        }
        guard packet.control.contains(.acknowledge), packet.acknowledgement == current.ownSequence else {
            unexpected(packet, at: place, into: &output)
            return
        }
        if packet.control.isAnswer {
            receiveAnswer(packet, current: current, now: now, into: &output)
        } else if let proposal = current.proposal, let answered = current.answered {
            receiveConsent(
                packet, proposal: proposal, peer: answered, own: current.ownSequence, at: place, now: now,
                into: &output)
        } else {
            unexpected(packet, at: place, into: &output)
        }
    }

    /// The device takes no link without acknowledgements: a new offer with them (OCBM).
    mutating func fallBack(from current: Synchronizing, now: UInt64, into output: inout LinkOutput) {
        var next = current
        next.ownSequence &+= 1
        next.proposal = parameters.withAcknowledgements
        next.answered = nil
        counter(
            next, LinkParameterError(.retransmissionTimeout, "answered with acknowledgements, offered without"),
            now: now, into: &output)
    }

    // MARK: Device

    mutating func receiveAsSynchronizingDevice(
        _ packet: LinkPacket, current: Synchronizing, at place: LinkPlace, now: UInt64, into output: inout LinkOutput
    ) {
        if packet.control.isOffer {
            receiveOffer(packet, current: current, at: place, now: now, into: &output)
            return
        }
        guard packet.control.contains(.acknowledge), packet.acknowledgement == current.ownSequence,
            let proposal = current.proposal, let answered = current.answered
        else {
            unexpected(packet, at: place, into: &output)
            return
        }
        if packet.control.isAnswer {
            if packet.sequence == answered.sequence, repeats(packet, answered) {
                sendSynchronization(current, now: now, into: &output)
            } else {
                receiveAnswer(packet, current: current, now: now, into: &output)
            }
            return
        }
        // After several offers an acknowledgement of the answer to an earlier one may still be on its way.
        let isPayload = !packet.payload.isEmpty
        guard current.offers <= 1 || packet.sequence == answered.sequence &+ (isPayload ? 1 : 0) else {
            unexpected(packet, at: place, into: &output)
            return
        }
        receiveConsent(
            packet, proposal: proposal, peer: answered, own: current.ownSequence, at: place, now: now, into: &output)
    }

    mutating func receiveOffer(
        _ packet: LinkPacket, current: Synchronizing, at place: LinkPlace, now: UInt64, into output: inout LinkOutput
    ) {
        if let answered = current.answered {
            if packet.sequence == answered.sequence, repeats(packet, answered) {
                // A repeated offer gets the same answer (POD).
                sendSynchronization(current, now: now, into: &output)
                return
            }
            // An offer before the one that was answered came late.
            let behind = Int(answered.sequence &- packet.sequence)
            guard behind == 0 || behind >= current.offers else {
                unexpected(packet, at: place, into: &output)
                return
            }
        }
        guard let offer = parse(packet, into: &output) else { return }
        let review = review(offer, offered: nil)
        var next = current
        next.offers += 1
        // Timings and channels are repeated; what this side takes is its own.
        next.proposal = review.adapted.taking(parameters.synchronization)
        next.answered = LinkProposal(sequence: packet.sequence, synchronization: offer)
        if let objection = review.objection {
            counter(next, objection, now: now, into: &output)
        } else {
            state = .synchronizing(next)
            sendSynchronization(next, now: now, into: &output)
        }
    }

    private func repeats(_ packet: LinkPacket, _ answered: LinkProposal) -> Bool {
        packet.payload.elementsEqual(answered.synchronization.encoded)
    }

    // MARK: Established

    mutating func receiveSynchronizationWhenEstablished(
        _ packet: LinkPacket, at place: LinkPlace, now: UInt64, into output: inout LinkOutput
    ) {
        guard let transfer else { return }
        let opening = transfer.opening
        if packet.control.isAnswer, packet.sequence == opening.peerSequence,
            packet.acknowledgement == opening.ownSequence
        {
            // The peer has missed our acknowledgement and answers again.
            output.append(
                LinkPacket(
                    control: .acknowledge, sequence: transfer.lastSent, acknowledgement: transfer.lastReceived))
            counts.acknowledgementsSent.count()
            return
        }
        guard side == .device, packet.control.isOffer else {
            unexpected(packet, at: place, into: &output)
            return
        }
        if !transfer.isInUse, packet.sequence == opening.peerSequence, repeats(packet, opening.peer) {
            output.append(
                LinkPacket(
                    control: [.synchronize, .acknowledge], sequence: opening.ownSequence,
                    acknowledgement: opening.peerSequence, payload: opening.ownProposal.encoded[...]))
        } else {
            restart(after: transfer.lastSent, now: now, into: &output)
            receive(packet, at: place, now: now, into: &output)
        }
    }

    /// Device: forgets an established link because the accessory begins again.
    mutating func restart(after lastSent: UInt8, now: UInt64, into output: inout LinkOutput) {
        output.notices.append(.restarted)
        beginSynchronizing(ownSequence: lastSent &+ 1, now: now, into: &output)
    }
}
