/// Packets from the peer: acknowledgements, payloads in and out of order.
extension LinkTransfer {
    /// Takes one packet that is neither a synchronisation nor a reset.
    mutating func receive(
        _ packet: LinkPacket, at place: LinkPlace, now: UInt64, timers: inout LinkTimerTable,
        statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        checkControl(packet, at: place, into: &output)
        let isExtended = packet.control.contains(.extendedAcknowledge)
        if hasAcknowledgements, isExtended || packet.control.contains(.acknowledge) {
            receiveAcknowledgement(
                packet.acknowledgement, at: place, timers: &timers, statistics: &statistics, into: &output)
        }
        if isExtended {
            receiveMissing(packet.payload, at: place, into: &output)
            return
        }
        guard !packet.payload.isEmpty else { return }
        isInUse = true
        // Distance of the number from the last one in order: 1 is next, 128...255 are behind it [2+] (NOC, POD).
        let distance = Int(packet.sequence &- lastReceived)
        guard hasAcknowledgements else {
            receiveWithoutAcknowledgements(
                packet, distance: distance, at: place, statistics: &statistics, into: &output)
            return
        }
        if distance == 1 {
            receiveInOrder(packet, at: place, now: now, timers: &timers, statistics: &statistics, into: &output)
        } else if distance == 0 || distance >= 128 {
            receiveAgain(packet, distance: distance, at: place, statistics: &statistics, into: &output)
        } else {
            receiveAhead(
                packet, distance: distance, at: place, now: now, timers: &timers, statistics: &statistics,
                into: &output)
        }
    }

    private func checkControl(_ packet: LinkPacket, at place: LinkPlace, into output: inout LinkOutput) {
        let control = Int(packet.control.rawValue)
        if packet.control.contains(.sleep) { tell(.sleep, control, .ignore, at: place, into: &output) }
        if !packet.control.isDisjoint(with: .unknown) {
            tell(.unknownControlBits, control, .ignore, at: place, into: &output)
        }
        if !packet.payload.isEmpty, packet.control.isDisjoint(with: [.acknowledge, .extendedAcknowledge]) {
            tell(.payloadWithoutAcknowledgement, control, .ignore, at: place, into: &output)
        }
    }

    private func tell(
        _ rule: LinkIrregularity.Rule, _ value: Int, _ reaction: LinkIrregularity.Reaction, at place: LinkPlace,
        into output: inout LinkOutput
    ) {
        output.tell(
            LinkIrregularity(rule, offset: place.offset, length: place.length, value: value, reaction: reaction))
    }

    // MARK: Payloads

    private mutating func receiveInOrder(
        _ packet: LinkPacket, at place: LinkPlace, now: UInt64, timers: inout LinkTimerTable,
        statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        let closesGap = buffer.count > 0
        deliver(packet.payload, channelID: packet.channelID, at: place, statistics: &statistics, into: &output)
        while buffer.holds(lastReceived &+ 1) {
            let next = lastReceived &+ 1
            deliver(
                buffer.payload(next), channelID: buffer.channelID(next), at: place, statistics: &statistics,
                into: &output)
            buffer.release(next)
        }
        if closesGap || unacknowledged >= Int(agreement.own.maximumCumulativeAcknowledgements) {
            mustAcknowledge = true
        } else if timers[.acknowledgement] == nil {
            timers.set(.acknowledgement, after: acknowledgementDelay, now: now)
        }
    }

    private mutating func deliver(
        _ payload: ArraySlice<UInt8>, channelID: UInt8, at place: LinkPlace, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        lastReceived &+= 1
        unacknowledged += 1
        if let channel = agreement.own.channel(of: channelID) {
            statistics.received.count()
            output.deliver(payload, on: channel)
        } else {
            statistics.unknownChannel.count()
            tell(.unknownChannel, Int(channelID), .drop, at: place, into: &output)
        }
    }

    /// A packet that was received before: the peer has missed our acknowledgement.
    private mutating func receiveAgain(
        _ packet: LinkPacket, distance: Int, at place: LinkPlace, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        statistics.duplicates.count()
        mustAcknowledge = true
        let behind = distance == 0 ? 0 : 256 - distance
        if behind >= receiveWindow { tell(.outsideWindow, Int(packet.sequence), .repeat, at: place, into: &output) }
    }

    /// A packet before which others are missing.
    private mutating func receiveAhead(
        _ packet: LinkPacket, distance: Int, at place: LinkPlace, now: UInt64, timers: inout LinkTimerTable,
        statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        statistics.outOfOrder.count()
        guard distance <= receiveWindow else {
            mustAcknowledge = true
            tell(.outsideWindow, Int(packet.sequence), .repeat, at: place, into: &output)
            return
        }
        guard !buffer.holds(packet.sequence) else {
            statistics.duplicates.count()
            mustAcknowledge = true
            return
        }
        guard packet.payload.count <= policy.bufferByteLimit - buffer.byteCount else {
            tell(.receiveBufferFull, Int(packet.sequence), .drop, at: place, into: &output)
            return
        }
        let farthest = buffer.count > 0 ? Int(farthestHeld &- lastReceived) : 0
        buffer.hold(packet.payload, channelID: packet.channelID, sequence: packet.sequence)
        statistics.held.count()
        if distance > farthest { farthestHeld = packet.sequence }
        // Each gap is named at once and then with the timer: named with every packet behind it, it would be sent again
        // as often.
        if distance > farthest + 1 {
            mustAcknowledge = true
            mustNameMissing = true
        } else if timers[.acknowledgement] == nil {
            timers.set(.acknowledgement, after: acknowledgementDelay, now: now)
        }
    }

    private mutating func receiveWithoutAcknowledgements(
        _ packet: LinkPacket, distance: Int, at place: LinkPlace, statistics: inout LinkStatistics,
        into output: inout LinkOutput
    ) {
        guard distance > 0, distance < 128 else {
            statistics.duplicates.count()
            tell(.duplicate, Int(packet.sequence), .drop, at: place, into: &output)
            return
        }
        if distance > 1 {
            statistics.outOfOrder.count()
            tell(.gap, distance - 1, .ignore, at: place, into: &output)
        }
        lastReceived = packet.sequence &- 1
        deliver(packet.payload, channelID: packet.channelID, at: place, statistics: &statistics, into: &output)
        unacknowledged = 0
    }

    // MARK: Acknowledgements

    private mutating func receiveAcknowledgement(
        _ acknowledgement: UInt8, at place: LinkPlace, timers: inout LinkTimerTable,
        statistics: inout LinkStatistics, into output: inout LinkOutput
    ) {
        // Distance from the last acknowledged number: how many of the packets in flight have arrived.
        let count = Int(acknowledgement &- (lastSent &- UInt8(truncatingIfNeeded: queue.inFlight)))
        guard count <= queue.inFlight else {
            statistics.staleAcknowledgements.count()
            tell(.staleAcknowledgement, Int(acknowledgement), .ignore, at: place, into: &output)
            return
        }
        guard count > 0 else { return }
        isInUse = true
        arrived(count, timers: &timers)
    }

    /// The payload of an extended acknowledgement names missing packets, one byte each.
    private mutating func receiveMissing(
        _ numbers: ArraySlice<UInt8>, at place: LinkPlace, into output: inout LinkOutput
    ) {
        var wrong: UInt8?
        for number in numbers {
            let index = queue.inFlight - 1 - Int(lastSent &- number)
            if index >= 0 { named.insert(number) } else if wrong == nil { wrong = number }
        }
        if let wrong { tell(.missingNotInFlight, Int(wrong), .ignore, at: place, into: &output) }
    }
}
