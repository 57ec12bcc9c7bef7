import WireBytes

/// Detection and synchronisation, both ends.
extension LinkMachine {
    // MARK: Sending

    /// Accessory: sends detection bytes and sets the time of the next.
    mutating func sendDetection(now: UInt64, into output: inout LinkOutput) {
        output.appendDetection()
        timers.set(.detect, after: parameters.detectInterval, now: now)
    }

    /// Sends this side's synchronisation packet, first or again; a device that has nothing to answer sends nothing.
    mutating func sendSynchronization(_ current: Synchronizing, now: UInt64, into output: inout LinkOutput) {
        switch side {
        case .accessory:
            output.append(
                LinkPacket(
                    control: .synchronize, sequence: current.ownSequence, acknowledgement: 0,
                    payload: parameters.synchronization.encoded[...]))
        case .device:
            guard let answered = current.answered else { return }
            output.append(answerPacket(answered, own: current.ownSequence))
        }
        timers.set(.synchronize, after: parameters.synchronizationInterval, now: now)
    }

    private mutating func beginSynchronizing(ownSequence: UInt8, now: UInt64) {
        timers.clear()
        timers.set(.synchronizationBudget, after: parameters.synchronizationBudget, now: now)
        state = .synchronizing(Synchronizing(ownSequence: ownSequence, answered: nil))
    }

    private mutating func establish(_ agreement: LinkAgreement, own: UInt8, peer: UInt8, into output: inout LinkOutput)
    {
        timers.clear()
        state = .established(
            LinkTransfer(
                agreement: agreement, ownInitial: own, peerInitial: peer, parameters: parameters))
        output.notices.append(.established(agreement))
    }

    // MARK: Receiving

    mutating func receiveDetection(now: UInt64, into output: inout LinkOutput) {
        switch (state, side) {
        case (.idle, _), (.closed, _):
            counts.unexpected.count()
        case (.detecting, .accessory):
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now)
            sendSynchronization(Synchronizing(ownSequence: initialSequence, answered: nil), now: now, into: &output)
        case (.detecting, .device):
            output.appendDetection()
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now)
        case (.synchronizing, .accessory), (.established, .accessory):
            // Race: several detection packets were out when the first echo came; each is echoed.
            counts.unexpected.count()
        case (.synchronizing(let current), .device):
            // A phone echoes again and answers the next offer under a new number [C] (OCBM).
            output.appendDetection()
            let used = current.answered != nil
            beginSynchronizing(ownSequence: used ? current.ownSequence &+ 1 : current.ownSequence, now: now)
        case (.established(let transfer), .device):
            output.appendDetection()
            restart(after: transfer, now: now, into: &output)
        }
    }

    mutating func receive(_ packet: LinkPacket, now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .idle, .closed:
            counts.unexpected.count()
        case .detecting:
            // Some accessories offer at once ("initiate negotiate", LIVI). Anything else is left from an earlier link.
            guard side == .device, packet.control.isOffer else {
                counts.unexpected.count()
                return
            }
            output.notices.append(.detected)
            beginSynchronizing(ownSequence: initialSequence, now: now)
            receiveOffer(packet, current: Synchronizing(ownSequence: initialSequence), now: now, into: &output)
        case .synchronizing(let current):
            if packet.control.contains(.reset) {
                finish(.resetByPeer, into: &output)
            } else if side == .accessory {
                receiveAsSynchronizingAccessory(packet, current: current, into: &output)
            } else {
                receiveAsSynchronizingDevice(packet, current: current, now: now, into: &output)
            }
        case .established:
            // The transfer is not bound here: a second copy would make every change copy its queues.
            if packet.control.contains(.reset) {
                finish(.resetByPeer, into: &output)
            } else if packet.control.contains(.synchronize) {
                receiveSynchronizationWhenEstablished(packet, now: now, into: &output)
            } else {
                receiveTransfer(packet, now: now, into: &output)
            }
        }
    }

    mutating func receiveTooLong(_ length: Int, now: UInt64, into output: inout LinkOutput) {
        switch state {
        case .established:
            let limit = decoder.maximumLength
            reset(
                .protocolViolation(
                    "a packet of \(length) bytes, at most \(limit) were agreed on",
                    offset: decoder.streamOffset), into: &output)
        case .idle, .detecting, .synchronizing, .closed:
            // Before anything was agreed on it is garbage; the decoder has counted it.
            break
        }
    }

    private mutating func receiveTransfer(_ packet: LinkPacket, now: UInt64, into output: inout LinkOutput) {
        withTransfer { transfer, timers, counts in
            transfer.receive(packet, now: now, timers: &timers, statistics: &counts, into: &output)
        }
    }

    // MARK: Accessory

    private mutating func receiveAsSynchronizingAccessory(
        _ packet: LinkPacket, current: Synchronizing, into output: inout LinkOutput
    ) {
        if packet.control.isOffer {
            // Only accessories offer. Our own bytes coming back look the same.
            reset(
                .protocolViolation(
                    "a synchronisation offer from the device side: two accessories, or a loop in the cable",
                    offset: decoder.streamOffset), into: &output)
            return
        }
        guard packet.control.isAnswer, packet.acknowledgement == current.ownSequence else {
            counts.unexpected.count()
            return
        }
        do throws(LinkParameterError) {
            let offer = parameters.synchronization
            let agreement = LinkAgreement(own: offer, peer: try Self.answer(in: packet, to: offer))
            output.append(
                LinkPacket(
                    control: .acknowledge, sequence: current.ownSequence, acknowledgement: packet.sequence))
            establish(agreement, own: current.ownSequence, peer: packet.sequence, into: &output)
        } catch {
            reset(.parametersRefused(error), into: &output)
        }
    }

    /// The device's answer, which must be legal and repeat everything that both sides use. [C]
    private static func answer(
        in packet: LinkPacket, to offer: LinkSynchronization
    ) throws(LinkParameterError) -> LinkSynchronization {
        let answer = try parse(packet)
        func repeats<Value: Equatable>(
            _ field: LinkParameterError.Field, _ path: KeyPath<LinkSynchronization, Value>
        ) throws(LinkParameterError) {
            guard answer[keyPath: path] == offer[keyPath: path] else {
                throw LinkParameterError(
                    field, "answered \(answer[keyPath: path]), offered \(offer[keyPath: path])")
            }
        }
        try repeats(.retransmissionTimeout, \.retransmissionTimeout)
        try repeats(.acknowledgementTimeout, \.acknowledgementTimeout)
        try repeats(.maximumRetransmissions, \.maximumRetransmissions)
        try repeats(.maximumCumulativeAcknowledgements, \.maximumCumulativeAcknowledgements)
        guard answer.channels == offer.channels else {
            throw LinkParameterError(.channels, "the answer lists other channels than the offer")
        }
        return answer
    }

    // MARK: Device

    private mutating func receiveAsSynchronizingDevice(
        _ packet: LinkPacket, current: Synchronizing, now: UInt64, into output: inout LinkOutput
    ) {
        if packet.control.isOffer {
            receiveOffer(packet, current: current, now: now, into: &output)
            return
        }
        guard !packet.control.contains(.synchronize), packet.control.contains(.acknowledge),
            let answered = current.answered, packet.acknowledgement == current.ownSequence
        else {
            counts.unexpected.count()
            return
        }
        establish(answered.agreement, own: current.ownSequence, peer: answered.peerSequence, into: &output)
        // The acknowledgement may ride on the first payload when the one of its own was lost.
        receiveTransfer(packet, now: now, into: &output)
    }

    private mutating func receiveOffer(
        _ packet: LinkPacket, current: Synchronizing, now: UInt64, into output: inout LinkOutput
    ) {
        do throws(LinkParameterError) {
            let offer = try Self.parse(packet)
            // Timings and channels are repeated; what this side takes is its own.
            var own = offer
            own.maximumOutstandingPackets = parameters.synchronization.maximumOutstandingPackets
            own.maximumPacketLength = parameters.synchronization.maximumPacketLength
            var next = current
            next.answered = Answered(
                peerSequence: packet.sequence, agreement: LinkAgreement(own: own, peer: offer))
            state = .synchronizing(next)
            sendSynchronization(next, now: now, into: &output)
        } catch {
            reset(.parametersRefused(error), into: &output)
        }
    }

    private mutating func receiveSynchronizationWhenEstablished(
        _ packet: LinkPacket, now: UInt64, into output: inout LinkOutput
    ) {
        guard case .established(let transfer) = state else { return }
        switch side {
        case .accessory:
            // The device has missed our acknowledgement and answers again.
            guard packet.control.isAnswer, packet.sequence == transfer.peerInitial,
                packet.acknowledgement == transfer.ownInitial
            else {
                counts.unexpected.count()
                return
            }
            withTransfer { transfer, timers, counts in
                transfer.acknowledge(timers: &timers, statistics: &counts, into: &output)
            }
        case .device:
            guard packet.control.isOffer else {
                counts.unexpected.count()
                return
            }
            if !transfer.hasReceived, packet.sequence == transfer.peerInitial,
                packet.payload.elementsEqual(transfer.agreement.peer.encoded)
            {
                // A repeated offer gets the same answer (POD).
                let same = Answered(peerSequence: packet.sequence, agreement: transfer.agreement)
                output.append(answerPacket(same, own: transfer.ownInitial))
            } else {
                restart(after: transfer, now: now, into: &output)
                receive(packet, now: now, into: &output)
            }
        }
    }

    /// Device: forgets an established link because the accessory begins again.
    private mutating func restart(after transfer: LinkTransfer, now: UInt64, into output: inout LinkOutput) {
        output.notices.append(.restarted)
        beginSynchronizing(ownSequence: transfer.lastSent &+ 1, now: now)
    }

    private func answerPacket(_ answered: Answered, own: UInt8) -> LinkPacket {
        LinkPacket(
            control: [.synchronize, .acknowledge], sequence: own, acknowledgement: answered.peerSequence,
            payload: answered.agreement.own.encoded[...])
    }

    private static func parse(_ packet: LinkPacket) throws(LinkParameterError) -> LinkSynchronization {
        let value: LinkSynchronization
        do throws(WireError) {
            value = try LinkSynchronization(parsing: packet.payload)
        } catch {
            throw LinkParameterError(.layout, "\(error)")
        }
        try value.validate()
        return value
    }
}

extension LinkPacket.Control {
    /// The first synchronisation packet, from an accessory.
    var isOffer: Bool { contains(.synchronize) && !contains(.acknowledge) && !contains(.reset) }
    /// The answer to it, from a device.
    var isAnswer: Bool { contains(.synchronize) && contains(.acknowledge) && !contains(.reset) }
}
