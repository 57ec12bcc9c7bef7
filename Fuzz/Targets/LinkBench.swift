import LinkProtocol
import RigTestKit

/// One machine of a link, and a peer that says anything at any time: what the machine holds stays bounded, what it sends
/// is well-formed, it is closed once and quiet afterwards, and no deadline comes over and over.
///
/// Input: five bytes of parameters, then operations. The wide form has seven more bytes of parameters, and operations for
/// what they switch on.
struct LinkBench {
    private let parameters: LinkParameters
    private var machine: LinkMachine
    private var watch = AcknowledgementWatch()
    private let isWide: Bool
    private var now: UInt64 = 0
    private var output = LinkOutput()
    /// What the machine sent last, as its peer sees it: the number of its newest packet, and the last of ours it has.
    private var ownSequence: UInt8 = 0
    private var acknowledged: UInt8 = 0
    private var isClosed = false
    /// Large payloads cost time and find nothing new.
    private var largePayloads = 0

    static func run(_ input: inout FuzzInput, side: LinkMachine.Side, isWide: Bool = false) throws(FuzzFinding) {
        var bench = LinkBench(&input, side: side, isWide: isWide)
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.runOut()
    }

    private init(_ input: inout FuzzInput, side: LinkMachine.Side, isWide: Bool) {
        var parameters = side == .accessory ? LinkParameters.accessory : .device
        parameters.synchronization.maximumOutstandingPackets = UInt8(input.int(1...127))
        parameters.synchronization.maximumPacketLength = input.pick([24, 25, 64, 4_096, 65_535])
        parameters.synchronization.maximumCumulativeAcknowledgements = UInt8(input.int(1...127))
        parameters.synchronization.maximumRetransmissions = UInt8(input.int(1...30))
        parameters.sendQueueLimit = input.pick([1, 2, 16, 256, 4_096])
        parameters.sendQueueByteLimit = 65_535
        if isWide { Self.widen(&parameters, &input) }
        self.isWide = isWide
        self.parameters = parameters
        machine = LinkMachine(side: side, parameters: parameters, initialSequence: side == .accessory ? 0xFE : 0x2D)
    }

    private static func widen(_ parameters: inout LinkParameters, _ input: inout FuzzInput) {
        let flags = input.byte()
        if flags & 1 != 0 {
            parameters.synchronization.retransmissionTimeout = 0
            parameters.synchronization.acknowledgementTimeout = 0
            parameters.synchronization.maximumRetransmissions = 0
            parameters.synchronization.maximumCumulativeAcknowledgements = 0
        }
        parameters.beginsWithOffer = flags & 2 != 0
        parameters.restatement = flags & 4 != 0 ? .answer : .offer
        parameters.countsNamedRetransmissions = flags & 8 == 0
        parameters.acceptance.withoutAcknowledgements = flags & 16 == 0
        if flags & 32 != 0 { parameters.acceptance.channels = [.control] }
        if flags & 64 != 0 { parameters.acceptance.maximumRetransmissions = 5...6 }
        parameters.extendedAcknowledgement = input.pick(LinkParameters.ExtendedAcknowledgement.allCases)
        parameters.negotiationRounds = input.int(1...4)
        parameters.retransmissionBackoff = input.int(100...255)
        parameters.synchronization.version = UInt8(input.int(1...3))
        parameters.receiveBufferByteLimit = 65_535
        if !parameters.synchronization.isWithoutAcknowledgements {
            parameters.synchronization.acknowledgementTimeout = UInt16(input.int(10...255)) * 16
            parameters.synchronization.retransmissionTimeout = UInt16(input.int(20...255)) * 16
        }
    }

    private mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        var isDeadline = false
        switch input.int(0...(isWide ? 23 : 15)) {
        case 0: machine.start(now: now, into: &output)
        case 1: receive(input.bytes(upTo: 24))
        case 2: receive(LinkDetection.bytes)
        case 3: receive(synchronization(parameters.synchronization))
        case 4: receive(synchronization(anySynchronization(&input)))
        case 5, 6:
            receive(
                LinkPacket(
                    control: .acknowledge, sequence: acknowledged &+ input.pick([1, 1, 1, 0, 2, 128, 255]),
                    acknowledgement: ownSequence &- input.pick([0, 0, 1, 2, 128]), channelID: input.pick([1, 1, 2, 3]),
                    payload: input.bytes(upTo: 24)[...]))
        case 7: receive(LinkPacket(control: .acknowledge, sequence: 0, acknowledgement: ownSequence &- input.byte()))
        case 8:
            receive(
                LinkPacket(
                    control: LinkPacket.Control(rawValue: input.byte()), sequence: input.byte(),
                    acknowledgement: input.byte(), channelID: input.byte(), payload: input.bytes(upTo: 24)[...]))
        case 9, 10: try send(&input)
        case 11, 12: try reachDeadline()
        case 13:
            now &+= input.pick([1_000_000, 100_000_000, 500_000_000, 2_000_000_000, 30_000_000_000])
            machine.deadlineReached(now: now, into: &output)
            isDeadline = true
        case 14:
            // Several packets in one read.
            let first = LinkPacket(
                control: .acknowledge, sequence: acknowledged &+ 1, acknowledgement: ownSequence, channelID: 1,
                payload: [1, 2])
            var second = first
            second.sequence &+= input.byte()
            receive(first.encoded + second.encoded)
        case 16, 17:
            // Behind a gap, or in it.
            receive(
                LinkPacket(
                    control: .acknowledge, sequence: acknowledged &+ UInt8(input.int(0...7)),
                    acknowledgement: ownSequence, channelID: input.pick([1, 1, 2, 9]),
                    payload: Array(repeating: 3, count: input.pick([1, 20, 1, 9_000]))[...]))
        case 18:
            receive(
                LinkPacket(
                    control: input.pick([[.acknowledge, .extendedAcknowledge], .extendedAcknowledge]),
                    sequence: acknowledged, acknowledgement: ownSequence &- UInt8(input.int(0...7)),
                    payload: input.bytes(upTo: 6).map { ownSequence &- $0 % 8 }[...]))
        case 19, 20:
            // The other side's proposal, as offer or as answer to the last one sent.
            var packet = synchronization(input.bool() ? parameters.synchronization : anySynchronization(&input))
            if input.bool() { packet.control = [.synchronize, .acknowledge] }
            packet.sequence = 0x10 &+ UInt8(input.int(0...3))
            packet.acknowledgement = ownSequence
            receive(packet)
        case 21: receive(LinkPacket(control: .acknowledge, sequence: 0x10, acknowledgement: ownSequence))
        case 22: now &+= UInt64(input.byte()) << 20
        default:
            if input.int(0...7) == 0 { machine.close(now: now, into: &output) }
        }
        try settle(isDeadline: isDeadline)
    }

    private mutating func receive(_ packet: LinkPacket) { receive(packet.encoded) }

    private mutating func receive(_ bytes: [UInt8]) { machine.receive(bytes[...], now: now, into: &output) }

    private func synchronization(_ value: LinkSynchronization) -> LinkPacket {
        LinkPacket(
            control: machine.side == .device ? .synchronize : [.synchronize, .acknowledge], sequence: 0x10,
            acknowledgement: machine.side == .device ? 0 : ownSequence, payload: value.encoded[...])
    }

    private func anySynchronization(_ input: inout FuzzInput) -> LinkSynchronization {
        var value = parameters.synchronization
        switch input.int(0...7) {
        case 0: value.maximumOutstandingPackets = input.byte()
        case 1: value.maximumPacketLength = input.word()
        case 2: value.retransmissionTimeout = input.word()
        case 3: value.acknowledgementTimeout = input.word()
        case 4: value.maximumRetransmissions = input.byte()
        case 5: value.maximumCumulativeAcknowledgements = input.byte()
        case 6: value.version = input.byte()
        default:
            value.channels = (0..<input.int(0...20)).map { _ in
                LinkChannelDeclaration(id: input.byte(), type: input.byte(), version: 1)
            }
        }
        return value
    }

    private mutating func send(_ input: inout FuzzInput) throws(FuzzFinding) {
        var count = input.pick([1, 2, 14, 15, 16, 200, 0, 5_000, 65_536])
        if count > 1_000 { largePayloads += 1 }
        if largePayloads > 3 { count %= 1_000 }
        let channel = input.pick(LinkChannel.allCases)
        let before = machine.outstanding
        do throws(LinkSendError) {
            try machine.send(Array(repeating: 7, count: count), on: channel, now: now, into: &output)
        } catch {
            try require(!error.reason.isEmpty, "a refusal without text")
            try require(machine.outstanding == before, "a refused payload was taken in part")
        }
    }

    private mutating func reachDeadline() throws(FuzzFinding) {
        guard let deadline = machine.nextDeadline else { return }
        now = max(now, deadline)
        for _ in 0..<8 {
            machine.deadlineReached(now: now, into: &output)
            try settle(isDeadline: true)
            guard let next = machine.nextDeadline, next <= now else { return }
        }
        throw FuzzFinding("the same deadline comes over and over in phase \(machine.phase)")
    }

    /// Nobody says anything any more: every link that was started ends by itself, or waits for nothing.
    private mutating func runOut() throws(FuzzFinding) {
        for _ in 0..<400 {
            guard machine.nextDeadline != nil else { return }
            try reachDeadline()
        }
        throw FuzzFinding("a link without a peer never comes to rest in phase \(machine.phase)")
    }

    // MARK: What must always hold

    private mutating func settle(isDeadline: Bool) throws(FuzzFinding) {
        let wasClosed = isClosed
        try checkSent()
        if let wrong = watch.check(machine, output, now: now, isDeadline: isDeadline) { throw FuzzFinding(wrong) }
        for notice in output.notices {
            try require(!isClosed, "after the end is told \(notice)")
            switch notice {
            case .closed(let failure):
                isClosed = true
                try require(!failure.reason.isEmpty, "an end without text")
            case .restarted: try require(machine.side == .device, "an accessory is told of a new beginning")
            case .received(_, let payload):
                try require(
                    !payload.isEmpty && payload.upperBound <= output.payloads.count, "a payload that is not there")
            case .irregularity(let irregularity):
                try require(!irregularity.reason.isEmpty, "an irregularity without text")
            case .detected, .established, .countered: break
            }
        }
        try require(!wasClosed || output.transmit.isEmpty, "a closed link sends")
        output.removeAll()
        try require(isClosed == (machine.phase == .closed), "the phase is \(machine.phase)")
        try require((machine.agreement != nil) == (machine.phase == .established), "an agreement in \(machine.phase)")
        if machine.phase == .idle || machine.phase == .closed {
            try require(machine.nextDeadline == nil, "a deadline in phase \(machine.phase)")
        }
        let (inFlight, waiting) = machine.outstanding
        let window = Int(machine.agreement?.peer.maximumOutstandingPackets ?? 0)
        try require(inFlight <= window, "\(inFlight) packets in flight in a window of \(window)")
        try require(
            waiting <= parameters.sendQueueLimit, "\(waiting) packets wait, at most \(parameters.sendQueueLimit)")
        try require(waiting == 0 || inFlight == window, "\(waiting) packets wait although the window has room")
    }

    /// Every packet sent is one detection or one sound packet that the peer takes.
    private mutating func checkSent() throws(FuzzFinding) {
        try require(output.packetEnds.last ?? 0 == output.transmit.count, "bytes that belong to no packet")
        for bytes in output.packets {
            var decoder = LinkPacketDecoder(maximumLength: LinkPacket.maximumLength)
            var rest = bytes
            switch decoder.next(from: &rest) {
            case .detection: break
            case .packet(let packet):
                ownSequence = packet.sequence
                if packet.control.contains(.acknowledge) { acknowledged = packet.acknowledgement }
                if let agreement = machine.agreement, !packet.control.contains(.synchronize) {
                    let limit = Int(agreement.peer.maximumPacketLength)
                    try require(bytes.count <= limit, "a packet of \(bytes.count) bytes for a peer that takes \(limit)")
                }
            case .tooLong, .dropped, nil: throw FuzzFinding("something is sent that is no packet: \(Array(bytes))")
            }
            try require(rest.isEmpty, "one packet is sent as several")
        }
    }
}
