public import LinkProtocol

/// Watches one end of a link from outside: what it handed up it acknowledges in time, and nothing else.
///
/// After a call, the number of payloads that were not acknowledged is below the agreed count, and the end wants to be
/// called no later than the agreed time (half the retransmission timeout if that is shorter) after the first of them.
/// When it was called then, none is left.
public struct AcknowledgementWatch: Sendable {
    /// The number of the peer's synchronisation packet, as this end last acknowledged it.
    private var opening: UInt8 = 0
    /// The number of the newest payload handed up; nil while that is not known.
    private var received: UInt8?
    /// The number that was acknowledged last.
    private var told: UInt8 = 0
    /// Since when a payload was not acknowledged.
    private var owedSince: UInt64?

    /// A watch for an end that was not started.
    public init() {}

    /// Looks at what one call put out.
    ///
    /// - Parameter isDeadline: Whether the call was `deadlineReached`.
    /// - Returns: What is wrong, if anything.
    public mutating func check(
        _ machine: LinkMachine, _ output: LinkOutput, now: UInt64, isDeadline: Bool
    ) -> String? {
        let acknowledgements = Self.acknowledgements(in: output)
        var openings: [UInt8] = []
        for packet in acknowledgements where packet.isOpening { openings.append(packet.number) }
        if let last = openings.last { opening = last }
        follow(output, first: acknowledgements.first { !$0.isOpening }?.number)
        guard let agreement = machine.agreement, !agreement.own.isWithoutAcknowledgements, let received else {
            owedSince = nil
            return nil
        }
        for packet in acknowledgements where !packet.isOpening {
            if Int8(bitPattern: packet.number &- received) > 0 {
                return "\(packet.number) is acknowledged, the newest handed up is \(received)"
            }
            told = packet.number
        }
        let owed = Int(received &- told)
        guard owed > 0 else {
            owedSince = nil
            return nil
        }
        let since = owedSince ?? now
        owedSince = since
        let limit = Int(agreement.own.maximumCumulativeAcknowledgements)
        if owed >= limit { return "\(owed) payloads are not acknowledged, at most \(limit) may wait" }
        let milliseconds = min(
            UInt64(agreement.own.acknowledgementTimeout) * 2, UInt64(agreement.own.retransmissionTimeout))
        let (due, isBeyondTime) = since.addingReportingOverflow(milliseconds * 500_000)
        guard !isBeyondTime else { return nil }
        if isDeadline, now >= due { return "an acknowledgement was due at \(due), at \(now) it was not sent" }
        guard let next = machine.nextDeadline, next <= due else {
            return "an acknowledgement is due at \(due), the next call is wanted at \(machine.nextDeadline ?? .max)"
        }
        return nil
    }

    /// Counts what was handed up, from the establishment on.
    private mutating func follow(_ output: LinkOutput, first: UInt8?) {
        var delivered: UInt8 = 0
        var isNew = false
        for notice in output.notices {
            switch notice {
            case .established:
                isNew = true
                delivered = 0
            case .received: delivered &+= 1
            case .irregularity(let irregularity): if irregularity.rule == .unknownChannel { delivered &+= 1 }
            case .restarted, .closed: received = nil
            case .detected, .countered: break
            }
        }
        if isNew {
            // An end that was waited for acknowledged in its own synchronisation packet, the other one just now.
            let isOld = first == nil || (delivered > 0 && first == opening &+ delivered)
            let base = isOld ? opening : first ?? opening
            told = base
            owedSince = nil
            received = base &+ delivered
        } else if let before = received {
            received = before &+ delivered
        }
        // What was left out may have been payloads.
        if output.irregularitiesLeftOut > 0 { received = nil }
    }

    private static func acknowledgements(in output: LinkOutput) -> [(number: UInt8, isOpening: Bool)] {
        var found: [(number: UInt8, isOpening: Bool)] = []
        var start = 0
        for end in output.packetEnds {
            let packet = output.transmit[start..<end]
            start = end
            guard packet.count >= LinkPacket.headerLength else { continue }
            let control = LinkPacket.Control(rawValue: packet[packet.startIndex + 4])
            guard !control.isDisjoint(with: [.acknowledge, .extendedAcknowledge]) else { continue }
            found.append((packet[packet.startIndex + 6], control.contains(.synchronize)))
        }
        return found
    }
}
