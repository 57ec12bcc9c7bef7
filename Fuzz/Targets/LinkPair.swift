import LinkProtocol
import RigTestKit

/// Two machines on a cable that keeps the order but loses and doubles packets: what one sends, the other gets once and in
/// order, and when the cable is good again everything arrives, unless the link has ended meanwhile.
///
/// Input: three bytes of parameters, then operations. In the wide form the cable also spoils packets and changes their
/// order, and four more bytes of parameters say how the ends deal with that.
struct LinkPair {
    private var ends: [LinkEnd]
    private var now: UInt64 = 0
    private let isWide: Bool

    private struct LinkEnd {
        var machine: LinkMachine
        var watch = AcknowledgementWatch()
        /// What the watch found first.
        var wrong: String?
        /// Packets on the cable to this end, oldest first.
        var inbox: [[UInt8]] = []
        /// The payloads that this end sent since the link was established, and those that it got.
        var sent: [[UInt8]] = []
        var received: [[UInt8]] = []
        var isClosed = false
        var restarts = 0
    }

    /// More payloads each way could be taken for earlier ones: numbers have eight bits.
    private static let maximumPayloads = 100

    static func run(_ input: inout FuzzInput, isWide: Bool = false) throws(FuzzFinding) {
        var pair = LinkPair(&input, isWide: isWide)
        pair.each { machine, now, output in machine.start(now: now, into: &output) }
        while !input.isAtEnd { try pair.operate(&input) }
        try pair.recover()
    }

    private init(_ input: inout FuzzInput, isWide: Bool) {
        self.isWide = isWide
        var accessory = LinkParameters.accessory
        var device = LinkParameters.device
        accessory.synchronization.maximumOutstandingPackets = UInt8(input.int(1...8))
        accessory.synchronization.maximumPacketLength = 64
        accessory.synchronization.maximumRetransmissions = UInt8(input.int(1...30))
        accessory.synchronization.maximumCumulativeAcknowledgements = UInt8(input.int(1...8))
        if isWide {
            let flags = input.byte()
            accessory.beginsWithOffer = flags & 1 != 0
            accessory.restatement = flags & 2 != 0 ? .answer : .offer
            accessory.countsNamedRetransmissions = flags & 4 == 0
            accessory.synchronization.acknowledgementTimeout = flags & 8 == 0 ? 100 : 2_000
            // Both ends are told to take one value of these each.
            if flags & 16 != 0 { device.acceptance.maximumRetransmissions = 9...9 }
            if flags & 32 != 0 { accessory.acceptance.maximumRetransmissions = 8...9 }
            accessory.extendedAcknowledgement = input.pick(LinkParameters.ExtendedAcknowledgement.allCases)
            device.extendedAcknowledgement = input.pick(LinkParameters.ExtendedAcknowledgement.allCases)
            device.synchronization.maximumOutstandingPackets = UInt8(input.int(1...16))
        }
        ends = [
            LinkEnd(machine: LinkMachine(side: .accessory, parameters: accessory, initialSequence: 0xF0)),
            LinkEnd(machine: LinkMachine(side: .device, parameters: device, initialSequence: 0x2D)),
        ]
    }

    private mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        let index = Int(input.byte() & 1)
        switch input.int(0...(isWide ? 9 : 7)) {
        case 0, 1: try send(from: index)
        case 2: if !ends[index].inbox.isEmpty { ends[index].inbox.removeFirst() }
        case 3: if let packet = ends[index].inbox.first { ends[index].inbox.insert(packet, at: 0) }
        case 4: deliverOne(to: index)
        case 5: for _ in 0..<input.int(0...15) { deliverOne(to: index) }
        case 6: reachDeadline()
        case 8: if ends[index].inbox.count > 1 { ends[index].inbox.swapAt(0, 1) }
        case 9:
            let place = input.int(0...39)
            if let packet = ends[index].inbox.first, place < packet.count {
                ends[index].inbox[0][place] ^= 1 << (input.byte() & 7)
            }
        default:
            now += UInt64(input.byte()) << 24
            each(isDeadline: true) { machine, now, output in machine.deadlineReached(now: now, into: &output) }
        }
        try check()
    }

    /// A good cable from here on, for as long as it takes.
    private mutating func recover() throws(FuzzFinding) {
        var steps = 0
        while steps < 2_000 {
            steps += 1
            if let index = ends.indices.first(where: { !ends[$0].inbox.isEmpty }) {
                deliverOne(to: index)
                try check()
            } else if ends.contains(where: { $0.machine.nextDeadline != nil }) {
                reachDeadline()
                try check()
            } else {
                break
            }
        }
        try require(steps < 2_000, "two ends on a good cable never come to rest")
        guard !ends.contains(where: { $0.isClosed || $0.restarts > 0 }) else { return }
        try require(
            ends.allSatisfy { $0.machine.phase == .established },
            "a good cable leaves the ends \(ends[0].machine.phase) and \(ends[1].machine.phase)")
        for index in ends.indices {
            try require(
                ends[1 - index].received == ends[index].sent,
                "\(ends[index].sent.count) payloads were sent, \(ends[1 - index].received.count) arrived")
        }
    }

    private mutating func send(from index: Int) throws(FuzzFinding) {
        guard ends[index].sent.count < Self.maximumPayloads else { return }
        let payload = [UInt8(index), UInt8(ends[index].sent.count)]
        var isTaken = false
        change(index) { machine, now, output in
            isTaken = (try? machine.send(payload, on: .control, now: now, into: &output)) != nil
        }
        if isTaken { ends[index].sent.append(payload) }
    }

    private mutating func deliverOne(to index: Int) {
        guard !ends[index].inbox.isEmpty else { return }
        let packet = ends[index].inbox.removeFirst()
        change(index) { machine, now, output in machine.receive(packet[...], now: now, into: &output) }
    }

    private mutating func reachDeadline() {
        guard let deadline = ends.compactMap(\.machine.nextDeadline).min() else { return }
        now = max(now, deadline)
        each(isDeadline: true) { machine, now, output in machine.deadlineReached(now: now, into: &output) }
    }

    private mutating func each(
        isDeadline: Bool = false, _ body: (inout LinkMachine, UInt64, inout LinkOutput) -> Void
    ) {
        for index in ends.indices { change(index, isDeadline: isDeadline, body) }
    }

    private mutating func change(
        _ index: Int, isDeadline: Bool = false, _ body: (inout LinkMachine, UInt64, inout LinkOutput) -> Void
    ) {
        var output = LinkOutput()
        body(&ends[index].machine, now, &output)
        let wrong = ends[index].watch.check(ends[index].machine, output, now: now, isDeadline: isDeadline)
        if ends[index].wrong == nil { ends[index].wrong = wrong }
        ends[1 - index].inbox += output.packets.map { Array($0) }
        for notice in output.notices {
            switch notice {
            case .detected, .countered, .irregularity: break
            case .established:
                ends[index].sent = []
                ends[index].received = []
            case .received(_, let payload): ends[index].received.append(Array(output.payloads[payload]))
            case .restarted: ends[index].restarts += 1
            case .closed: ends[index].isClosed = true
            }
        }
    }

    /// What arrived is what was sent, from the beginning, each once.
    private func check() throws(FuzzFinding) {
        for end in ends { if let wrong = end.wrong { throw FuzzFinding(wrong) } }
        guard !ends.contains(where: { $0.restarts > 0 }) else { return }
        for index in ends.indices {
            let received = ends[index].received
            try require(
                received.elementsEqual(ends[1 - index].sent.prefix(received.count)),
                "payloads were lost, doubled or moved: \(received) of \(ends[1 - index].sent)")
        }
    }
}
