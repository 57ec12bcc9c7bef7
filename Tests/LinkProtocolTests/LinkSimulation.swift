import LinkProtocol
import RigTestKit

/// Two ends and a cable on a virtual clock, all of it made from one seed: parameters, losses, copies, delays, damage, cuts,
/// and what is sent when.
struct LinkSimulation {
    /// How it ended.
    enum Outcome: Equatable {
        /// Everything that was sent arrived.
        case complete
        /// An end closed, for these reasons (accessory, device); nil for an end that waits for nothing.
        case failed(String?, String?)
        /// What must not happen.
        case wrong(String)
    }

    /// What a seed can be told to be.
    struct Form {
        var lossRange = 0...30
        var withoutAcknowledgements = false
        var extendedAcknowledgement: LinkParameters.ExtendedAcknowledgement?
        /// Order is kept and nothing is doubled.
        var isOrderly = false
        /// Payloads each way, at most.
        var maximumPayloads = 16
        var windows: ClosedRange<UInt8> = 1...127
    }

    private struct Delivery {
        var due: UInt64
        var order: Int
        var to: Int
        var bytes: [UInt8]
    }

    private struct End {
        var machine: LinkMachine
        var watch = AcknowledgementWatch()
        var sent: [[UInt8]] = [[], []]
        var received: [[UInt8]] = [[], []]
        /// Payloads that are to be sent, and the next time for one.
        var remaining: Int
        var nextSend: UInt64 = 0
        var isRestarted = false
        var failure: String?
    }

    private static let millisecond: UInt64 = 1_000_000
    private static let maximumSteps = 40_000

    private var generator: SeededGenerator
    private var ends: [End]
    private var deliveries: [Delivery] = []
    private var orders = 0
    private var now: UInt64 = 0
    private var output = LinkOutput()
    private let loss: Int
    private let duplication: Int
    private let damage: Int
    private let latency: UInt64
    private let jitter: UInt64
    private let cut: Int
    private let packetLength: Int
    private(set) var problem: String?

    init(seed: UInt64, form: Form = Form()) {
        var generator = SeededGenerator(seed: seed)
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
        loss = form.withoutAcknowledgements ? 0 : Int.random(in: form.lossRange, using: &generator)
        latency = UInt64.random(in: 1...20, using: &generator) * Self.millisecond
        cut = pick([0, 0, 1, 7, 64])
        packetLength = pick([24, 32, 64, 4096])
        var unit = LinkParameters.accessory
        unit.synchronization.maximumPacketLength = UInt16(packetLength)
        let retransmission = UInt16.random(in: 20...250, using: &generator)
        unit.synchronization.retransmissionTimeout = retransmission
        unit.synchronization.acknowledgementTimeout = UInt16.random(in: 10...200, using: &generator)
        unit.synchronization.maximumRetransmissions = pick([1, 5, 15, 30, 30, 30])
        unit.synchronization.maximumCumulativeAcknowledgements = pick([1, 2, 3, 6, 127])
        unit.synchronization.maximumOutstandingPackets = UInt8.random(in: form.windows, using: &generator)
        unit.synchronization.version = pick([1, 1, 1, 2, 3])
        unit.beginsWithOffer = pick([false, false, true])
        unit.restatement = pick(LinkParameters.Restatement.allCases)
        unit.extendedAcknowledgement =
            form.extendedAcknowledgement ?? pick(LinkParameters.ExtendedAcknowledgement.allCases)
        unit.countsNamedRetransmissions = pick([true, false])
        unit.retransmissionBackoff = pick([100, 100, 150, 200])
        unit.synchronizationInterval = 100 * Self.millisecond
        unit.synchronizationBudget = 6_000 * Self.millisecond
        unit.detectInterval = 100 * Self.millisecond
        unit.detectBudget = 6_000 * Self.millisecond
        unit.sendQueueLimit = pick([2, 16, 256])
        var phone = unit
        phone.synchronization.version = UInt8(1 + seed % 3)
        phone.synchronization.maximumOutstandingPackets = UInt8.random(in: form.windows, using: &generator)
        phone.synchronization.maximumPacketLength = 512
        // Some have to negotiate.
        if generator.chance(percent: 20) { phone.acceptance.maximumRetransmissions = 10...10 }
        if generator.chance(percent: 5) { unit.acceptance.maximumRetransmissions = 12...12 }
        if form.withoutAcknowledgements {
            unit.synchronization.retransmissionTimeout = 0
            unit.synchronization.acknowledgementTimeout = 0
            unit.synchronization.maximumRetransmissions = 0
            unit.synchronization.maximumCumulativeAcknowledgements = 0
            unit.fallback = .accessoryDefault
        }
        // Numbers have eight bits: a copy that comes later than a window of newer packets is taken for one of the next
        // window, by any receiver. With larger windows the cable keeps the order.
        let window = max(
            unit.synchronization.maximumOutstandingPackets, phone.synchronization.maximumOutstandingPackets)
        let isOrderly = form.isOrderly || form.withoutAcknowledgements || window > 64
        duplication =
            isOrderly && !form.isOrderly && !form.withoutAcknowledgements ? 10 : isOrderly ? 0 : pick([0, 5, 20])
        jitter = isOrderly ? 0 : pick([0, latency, 3 * latency - 1])
        damage = form.isOrderly || form.withoutAcknowledgements ? 0 : pick([0, 0, 3])
        ends = [
            End(
                machine: LinkMachine(
                    side: .accessory, parameters: unit, initialSequence: .random(in: 0...255, using: &generator)),
                remaining: Int.random(in: 0...form.maximumPayloads, using: &generator)),
            End(
                machine: LinkMachine(
                    side: .device, parameters: phone, initialSequence: .random(in: 0...255, using: &generator)),
                remaining: Int.random(in: 0...form.maximumPayloads, using: &generator)),
        ]
        self.generator = generator
    }

    mutating func run() -> Outcome {
        call(1, isDeadline: false) { $0.start(now: $1, into: &$2) }
        call(0, isDeadline: false) { $0.start(now: $1, into: &$2) }
        var steps = 0
        while problem == nil, step() {
            steps += 1
            if steps > Self.maximumSteps { problem = "it never comes to rest" }
        }
        if let problem { return .wrong(problem) }
        return outcome()
    }

    private func outcome() -> Outcome {
        for index in 0..<2 {
            for channel in 0..<2 {
                let sent = ends[1 - index].sent[channel]
                let received = ends[index].received[channel]
                guard sent.starts(with: received) else {
                    return .wrong("end \(index) received on channel \(channel) what was not sent like that")
                }
            }
        }
        if ends.contains(where: { $0.failure != nil }) { return .failed(ends[0].failure, ends[1].failure) }
        guard ends.allSatisfy({ $0.machine.phase == .established && !$0.isRestarted }) else {
            return .wrong("at rest in phases \(ends[0].machine.phase) and \(ends[1].machine.phase)")
        }
        let isComplete = ends[0].received == ends[1].sent && ends[1].received == ends[0].sent
        return isComplete && ends.allSatisfy { $0.remaining == 0 } ? .complete : .wrong("at rest and not complete")
    }

    private func sendTime(_ index: Int) -> UInt64? {
        // Not through a copy of the end, which would be most of the time that a seed takes.
        ends[index].remaining > 0 && ends[index].machine.phase == .established ? ends[index].nextSend : nil
    }

    /// Lets the next thing happen; false when nothing is due.
    private mutating func step() -> Bool {
        var due = deliveries.first?.due ?? .max
        for index in 0..<2 {
            due = min(due, ends[index].machine.nextDeadline ?? .max, sendTime(index) ?? .max)
        }
        guard due != .max else { return false }
        now = max(now, due)
        if let first = deliveries.first, first.due <= now {
            deliveries.removeFirst()
            deliver(first)
            return true
        }
        for index in 0..<2 {
            if let deadline = ends[index].machine.nextDeadline, deadline <= now {
                call(index, isDeadline: true) { $0.deadlineReached(now: $1, into: &$2) }
            } else if let time = sendTime(index), time <= now {
                send(index)
            }
        }
        return true
    }

    private mutating func deliver(_ delivery: Delivery) {
        var rest = delivery.bytes[...]
        while !rest.isEmpty, problem == nil {
            let chunk = cut == 0 ? rest : rest.prefix(cut)
            rest = rest[chunk.endIndex...]
            call(delivery.to, isDeadline: false) { $0.receive(chunk, now: $1, into: &$2) }
        }
    }

    private mutating func send(_ index: Int) {
        let channel = generator.chance(percent: 80) ? LinkChannel.control : .fileTransfer
        let count = channel == .control ? Int.random(in: 1...80, using: &generator) : 12
        let number = UInt8(truncatingIfNeeded: ends[index].remaining)
        let payload = [UInt8](repeating: number, count: count)
        var isTaken = false
        call(index, isDeadline: false) { machine, now, output in
            isTaken = (try? machine.send(payload, on: channel, now: now, into: &output)) != nil
        }
        if isTaken {
            ends[index].sent[channel == .control ? 0 : 1] += payload
            ends[index].remaining -= 1
        }
        // A queue that is full has room when something was acknowledged.
        ends[index].nextSend = now + UInt64.random(in: 0...30, using: &generator) * Self.millisecond + (isTaken ? 0 : 1)
    }

    private mutating func call(
        _ index: Int, isDeadline: Bool, _ body: (inout LinkMachine, UInt64, inout LinkOutput) -> Void
    ) {
        output.removeAll()
        body(&ends[index].machine, now, &output)
        if let wrong = ends[index].watch.check(ends[index].machine, output, now: now, isDeadline: isDeadline) {
            problem = "end \(index): \(wrong)"
        }
        if isDeadline, let next = ends[index].machine.nextDeadline, next <= now, output.isEmpty {
            problem = "end \(index): a deadline that does nothing comes over and over"
        }
        for notice in output.notices {
            switch notice {
            case .received(let channel, let range):
                if !ends[index].isRestarted {
                    ends[index].received[channel == .control ? 0 : 1] += output.payloads[range]
                }
            case .restarted: ends[index].isRestarted = true
            case .closed(let failure): ends[index].failure = failure.name
            case .detected, .established, .countered, .irregularity: break
            }
        }
        var start = 0
        for end in output.packetEnds {
            put(Array(output.transmit[start..<end]), to: 1 - index)
            start = end
        }
    }

    private mutating func put(_ packet: [UInt8], to: Int) {
        if generator.chance(percent: loss) { return }
        var packet = packet
        if damage > 0, generator.chance(percent: damage) {
            packet[Int.random(in: 0..<packet.count, using: &generator)] ^=
                1 << UInt8.random(in: 0..<8, using: &generator)
        }
        insert(packet, to: to)
        if duplication > 0, generator.chance(percent: duplication) { insert(packet, to: to) }
    }

    private mutating func insert(_ packet: [UInt8], to: Int) {
        let more = jitter > 0 ? UInt64.random(in: 0...jitter, using: &generator) : 0
        let delivery = Delivery(due: now + latency + more, order: orders, to: to, bytes: packet)
        orders += 1
        var place = deliveries.count
        while place > 0, deliveries[place - 1].due > delivery.due { place -= 1 }
        deliveries.insert(delivery, at: place)
    }

    /// Sums over both ends.
    func total(_ path: KeyPath<LinkStatistics, UInt64>) -> UInt64 {
        ends[0].machine.statistics[keyPath: path] + ends[1].machine.statistics[keyPath: path]
    }
}
