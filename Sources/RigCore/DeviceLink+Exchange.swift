import ControlProtocol
import RigModel

/// Bytes both ways between the ends, through the faults, and what comes of them.
extension DeviceLink {
    /// What is to be put on the wire; nothing for a simulated partner.
    mutating func takeOutgoing() -> OutgoingPackets? {
        guard case .wire = far else { return nil }
        let packets = faults == nil ? rig.outgoing : faulted
        guard !packets.isEmpty else { return nil }
        if faults == nil {
            if isCaptured { capture(.toDevice, packets.packets) }
            rig.outgoing = OutgoingPackets()
        } else {
            faulted = OutgoingPackets()
        }
        return packets
    }

    /// Carries bytes both ways until both ends are quiet.
    ///
    /// - Parameter found: gets what the rig's end noticed and what faults did, oldest first, and what either end asks the
    ///   signer. It is empty before.
    /// - Returns: when it is due next; `nil` when nothing waits.
    mutating func exchange(now: UInt64, into found: inout [RigNotice]) -> UInt64? {
        collect(now: now)
        switch far {
        case .simulated:
            exchangeWithPartner(now: now)
            collectFromPartner(into: &found, now: now)
        case .wire: exchangeWithFaults(now: now)
        case .opening: break
        }
        if !tracks.isEmpty { followInput() }
        for notice in told {
            if case .ended(let reason) = notice { found.append(.ended(explain(reason))) } else { found.append(notice) }
        }
        told.removeAll(keepingCapacity: true)
        // What ends the session is acted on last: whatever else happened in the same turn is told before.
        if faults != nil { found = found.filter { !$0.isLast } + found.filter(\.isLast) }
        return nextDeadline
    }

    /// Carries packets both ways between the rig and its partner until neither has any.
    private mutating func exchangeWithPartner(now: UInt64) {
        var packets = OutgoingPackets()
        swap(&packets, &packetsInHand)
        var isMoving = true
        while isMoving {
            rig.handOver(&packets)
            let isToPartner = carry(packets, .toDevice, now: now) { link, bytes in
                link.partner?.receive(bytes, now: now)
            }
            partner?.handOver(&packets)
            let isToRig = carry(packets, .fromDevice, now: now) { link, bytes in
                link.rig.receive(bytes, now: now)
                link.collect(now: now)
            }
            isMoving = isToPartner || isToRig
        }
        packets.removeAll()
        swap(&packets, &packetsInHand)
    }

    /// Takes what the partner noticed.
    private mutating func collectFromPartner(into found: inout [RigNotice], now: UInt64) {
        var notices = EndpointNotices()
        swap(&notices, &noticesInHand)
        partner?.handOver(&notices)
        for notice in notices.list {
            switch notice {
            case .question(let question, let number): found.append(.question(question, .partner, number))
            case .verdict(let verdict): found.append(.verdict(verdict))
            case .irregularity(let what): tell(what, .partner, now: now)
            case .hid(let arrival):
                // What a simulated phone reads is what was published when it was done.
                if let what = arrival.irregularity { tell(what, .partner, now: now) }
            // The rig's own end is not told this one by the phone.
            case .waiting(.sessionRefused):
                partnerRefuses = true
                told.append(.waiting(.sessionRefused))
            case .waiting(nil) where partnerRefuses:
                partnerRefuses = false
                told.append(.waiting(nil))
            case .phase, .waiting, .identified, .displays, .active, .ended, .message, .file: break
            }
        }
        notices.removeAll()
        swap(&notices, &noticesInHand)
    }

    /// Lets what the rig sends to the wire, and what came from there, pass the faults; without faults both go straight.
    mutating func exchangeWithFaults(now: UInt64) {
        guard faults != nil else { return }
        var isMoving = true
        while isMoving {
            let packets = rig.outgoing
            rig.outgoing = OutgoingPackets()
            let isToWire = carry(packets, .toDevice, now: now) { link, bytes in link.faulted.append(bytes) }
            let isToRig = carry(OutgoingPackets(), .fromDevice, now: now) { link, bytes in
                link.rig.receive(bytes, now: now)
                link.collect(now: now)
            }
            isMoving = isToWire || isToRig
        }
    }

    /// Carries packets one way, through the faults if there are any; false when there was nothing to carry.
    mutating func carry(
        _ packets: OutgoingPackets, _ direction: FaultDirection, now: UInt64,
        _ deliver: (inout DeviceLink, ArraySlice<UInt8>) -> Void
    ) -> Bool {
        let captured: CaptureDirection = direction == .toDevice ? .toDevice : .fromDevice
        guard let output = faults?.carry(packets, direction, now: now) else {
            if isCaptured { capture(captured, packets.packets) }
            if !packets.isEmpty { deliver(&self, packets.bytes[...]) }
            return !packets.isEmpty
        }
        told += output.notices.map { .fault($0, direction) }
        // What passes is what the faults let pass.
        if isCaptured { capture(captured, output.chunks) }
        for chunk in output.chunks { deliver(&self, chunk) }
        return !packets.isEmpty || !output.isEmpty
    }

    /// Takes what the rig's end noticed. Faults wait for the phases among it.
    mutating func collect(now: UInt64) {
        guard !rig.notices.list.isEmpty else { return }
        var notices = EndpointNotices()
        swap(&notices, &noticesInHand)
        defer {
            notices.removeAll()
            swap(&notices, &noticesInHand)
        }
        rig.handOver(&notices)
        for notice in notices.list {
            switch notice {
            case .phase(let phase):
                if phase == .synchronizing {
                    // The link begins anew: what was on its way never comes, and what a head unit declared was another's.
                    tracks = InputTracks()
                    telling = VehicleTelling()
                    if role == .phone { displays = [] }
                    if progress.phase == .active {
                        progress = SessionProgress()
                        faults?.sessionBegan()
                    }
                }
                reach(phase, now: now)
                told.append(.phase(phase))
            case .waiting(let wait): told.append(.waiting(wait))
            case .identified(let name): told.append(.identified(name))
            case .displays(let declared): displays = declared
            case .active:
                reach(.active, now: now)
                told.append(.active(displays, displaysOrigin))
            case .ended(let reason): told.append(.ended(reason))
            case .question(let question, let number): told.append(.question(question, .rig, number))
            case .verdict(let verdict): told.append(.verdict(verdict))
            case .irregularity(let what): tell(what, .rig, now: now)
            case .message(let message): told.append(.message(message))
            case .file(let transfer, let type, let size):
                let sender: LinkSide = side == .phone ? .headUnit : .phone
                told.append(.file(LinkFile(transfer: transfer, type: type, size: size, sender: sender)))
            case .hid(let arrival):
                let stamp = arrival.report.flatMap { report in
                    tracks.arrived(component: report.component, notices.reports[report.bytes])
                }
                if !arrival.inputs.isEmpty { told.append(.input(LinkInput(arrival: arrival, stamp: stamp))) }
                if let what = arrival.irregularity { tell(what, .rig, now: now) }
            }
        }
    }

    mutating func reach(_ phase: SessionPhase, now: UInt64) {
        guard progress.reach(phase) else { return }
        faults?.reached(phase, now: now)
    }

    mutating func tell(
        _ what: Irregularity, _ end: Irregularity.End, now: UInt64
    ) {
        guard let suppressed = budget.take(now: now) else { return }
        var irregularity = what
        irregularity.end = end
        irregularity.suppressed = suppressed
        told.append(.irregularity(irregularity))
    }

    private var displaysOrigin: Origin {
        switch role {
        case .headUnit: .declared
        case .phone: isWire ? .observed : .simulated
        }
    }

    /// The rig's end only sees that its partner reset the link; a simulated partner knows why.
    func explain(_ reason: Reason) -> Reason {
        guard reason.code == "resetByPeer", let why = partner?.ending,
            why.code != "closedLocally"
        else { return reason }
        // Whom it blames is told from its side of the link.
        let party: Party =
            switch why.party {
            case .local: .peer
            case .peer: .local
            case .device, .client: why.party
            }
        return Reason(why.code, party, "the other side ended the link: \(why.text)")
    }
}
