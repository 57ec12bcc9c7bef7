import LinkProtocol

/// Two machines on a cable that keeps the order but loses and doubles packets: what one sends, the other gets once and in
/// order, and when the cable is good again everything arrives, unless the link has ended meanwhile.
///
/// Input: three bytes of parameters, then operations.
struct LinkPair {
    private var ends: [LinkEnd]
    private var now: UInt64 = 0

    private struct LinkEnd {
        var machine: LinkMachine
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

    static func run(_ input: inout FuzzInput) throws(FuzzFinding) {
        var pair = LinkPair(&input)
        pair.each { machine, now, output in machine.start(now: now, into: &output) }
        while !input.isAtEnd { try pair.operate(&input) }
        try pair.recover()
    }

    private init(_ input: inout FuzzInput) {
        var accessory = LinkParameters.accessory
        accessory.synchronization.maximumOutstandingPackets = UInt8(input.int(1...8))
        accessory.synchronization.maximumPacketLength = 64
        accessory.synchronization.maximumRetransmissions = UInt8(input.int(1...30))
        accessory.synchronization.maximumCumulativeAcknowledgements = UInt8(input.int(1...8))
        ends = [
            LinkEnd(machine: LinkMachine(side: .accessory, parameters: accessory, initialSequence: 0xF0)),
            LinkEnd(machine: LinkMachine(side: .device, parameters: .device, initialSequence: 0x2D)),
        ]
    }

    private mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        let index = Int(input.byte() & 1)
        switch input.int(0...7) {
        case 0, 1: try send(from: index)
        case 2: if !ends[index].inbox.isEmpty { ends[index].inbox.removeFirst() }
        case 3: if let packet = ends[index].inbox.first { ends[index].inbox.insert(packet, at: 0) }
        case 4: deliverOne(to: index)
        case 5: for _ in 0..<input.int(0...15) { deliverOne(to: index) }
        case 6: reachDeadline()
        default:
            now += UInt64(input.byte()) << 24
            each { machine, now, output in machine.deadlineReached(now: now, into: &output) }
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
        each { machine, now, output in machine.deadlineReached(now: now, into: &output) }
    }

    private mutating func each(_ body: (inout LinkMachine, UInt64, inout LinkOutput) -> Void) {
        for index in ends.indices { change(index, body) }
    }

    private mutating func change(_ index: Int, _ body: (inout LinkMachine, UInt64, inout LinkOutput) -> Void) {
        var output = LinkOutput()
        body(&ends[index].machine, now, &output)
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
        guard !ends.contains(where: { $0.restarts > 0 }) else { return }
        for index in ends.indices {
            let received = ends[index].received
            try require(
                received.elementsEqual(ends[1 - index].sent.prefix(received.count)),
                "payloads were lost, doubled or moved: \(received) of \(ends[1 - index].sent)")
        }
    }
}
