import LinkProtocol
import Testing
import WireBytes

@Suite("LinkMachine: payloads")
struct LinkTransferTests {
    // MARK: Acknowledging

    @Test(
        "an acknowledgement waits for its timer, but not for more than half the peer's patience",
        arguments: [(500 as UInt16, 500 as UInt64), (999, 999), (1000, 1000), (1001, 1000), (2000, 1000)])
    func acknowledgementTimer(timeout: UInt16, milliseconds: UInt64) {
        var end = LinkEnd.establishedAccessory { $0.synchronization.acknowledgementTimeout = timeout }
        let delay = milliseconds * 1_000_000
        end.receive(data(0x2E, 0), at: 100)
        #expect(end.packets == [])
        #expect(end.machine.nextDeadline == 100 + delay)
        end.receive(data(0x2F, 0), at: 200)
        #expect(end.machine.nextDeadline == 100 + delay)
        end.deadline(at: 100 + delay - 1)
        #expect(end.packets == [])
        end.deadline(at: 100 + delay)
        #expect(end.sent == [ack(0, 0x2F)])
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("the captured acknowledgement repeats the last number sent")
    func bareAcknowledgement() throws {
        var end = LinkEnd(.device, sequence: 0x37)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkVector.all[0].bytes)
        end.receive(ack(0, 0x37))
        try end.send([1])
        for number in 1...5 as ClosedRange<UInt8> { end.receive(data(number, 0x38)) }
        end.deadline(at: second)
        #expect(end.packets == [hex("FF 5A 00 09 40 38 05 00 21")])
    }

    @Test("the agreed number of payloads is acknowledged at once")
    func acknowledgementCount() {
        var end = LinkEnd.establishedAccessory()
        for number in 0x2E..<0x33 as Range<UInt8> {
            end.receive(data(number, 0))
            #expect(end.packets == [])
        }
        end.receive(data(0x33, 0))
        #expect(end.sent == [ack(0, 0x33)])
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("payloads of one read get one acknowledgement")
    func oneRead() {
        var end = LinkEnd.establishedAccessory()
        let stream = (0x2E..<0x3C as Range<UInt8>).flatMap { data($0, 0, [$0]).encoded }
        end.receive(stream)
        #expect(end.notices.count == 14)
        #expect(end.sent == [ack(0, 0x3B)])
    }

    @Test("a payload carries the acknowledgement and stops the timer")
    func piggyback() throws {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2E, 0), at: 0)
        try end.send([9], at: 5)
        #expect(end.sent == [data(1, 0x2E, [9])])
        end.receive(ack(0x2E, 1), at: 6)
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("a duplicate is acknowledged again and not handed up", arguments: [0x2E, 0x2D, 0xAE] as [UInt8])
    func duplicate(number: UInt8) {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2E, 0))
        end.receive(data(number, 0, [99]))
        #expect(end.notices == [])
        #expect(end.sent == [ack(0, 0x2E)])
        #expect(end.machine.statistics.duplicates == 1)
    }

    @Test("a payload on a channel that was not negotiated is acknowledged and dropped")
    func unknownChannel() {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2E, 0, channel: 9))
        #expect(end.notices == [])
        #expect(end.machine.statistics.unknownChannel == 1)
        end.receive(data(0x2F, 0, channel: 2))
        #expect(end.notices == [.received(channel: .fileTransfer, payload: [7])])
        end.deadline(at: 2 * second)
        #expect(end.sent == [ack(0, 0x2F)])
    }

    // MARK: Wrap

    @Test("numbers wrap in both directions without a hitch")
    func wrap() throws {
        var end = LinkEnd.establishedAccessory()
        var peer: UInt8 = 0x2D
        for round in 1...600 {
            peer &+= 1
            end.receive(data(peer, UInt8(truncatingIfNeeded: round - 1), [peer]))
            #expect(end.notices == [.received(channel: .control, payload: [peer])])
            try end.send([UInt8(truncatingIfNeeded: round)])
            #expect(
                end.sent == [data(UInt8(truncatingIfNeeded: round), peer, [UInt8(truncatingIfNeeded: round)])])
        }
        #expect(end.machine.outstanding == (1, 0))
    }

    @Test("an acknowledgement across the wrap frees what it names", arguments: 0...4)
    func acknowledgementAcrossWrap(count: Int) throws {
        var end = LinkEnd(.accessory, sequence: 0xFD)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(synchronization([.synchronize, .acknowledge], sequence: 5, acknowledgement: 0xFD, .deviceDefault))
        for number in 0..<4 as Range<UInt8> { try end.send([number]) }
        #expect(end.machine.outstanding == (4, 0))
        end.receive(ack(5, 0xFD &+ UInt8(count)))
        #expect(end.machine.outstanding == (4 - count, 0))
    }

    // MARK: Window and queue

    @Test("no more packets are in flight than the peer takes; the others follow acknowledgements in order")
    func window() throws {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumOutstandingPackets = 3
        var end = LinkEnd.establishedDevice(offer)
        for number in 1...5 as ClosedRange<UInt8> { try end.send([number]) }
        #expect(end.machine.outstanding == (3, 2))
        #expect(end.packets == [])
        end.receive(ack(0, 0x2E))
        #expect(end.sent == [data(0x31, 0, [4])])
        end.receive(ack(0, 0x31))
        #expect(end.sent == [data(0x32, 0, [5])])
        end.receive(ack(0, 0x32))
        #expect(end.packets == [])
        #expect(end.machine.outstanding == (0, 0))
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("an acknowledgement of what was never sent frees nothing", arguments: [4, 0x80, 0xFF] as [UInt8])
    func impossibleAcknowledgement(number: UInt8) throws {
        var end = LinkEnd.establishedAccessory()
        for number in 0..<3 as Range<UInt8> { try end.send([number]) }
        end.receive(ack(0x2D, number))
        #expect(end.machine.outstanding == (3, 0))
        #expect(end.machine.statistics.staleAcknowledgements == 1)
    }

    @Test("the queue takes its limit and refuses one more, and nothing of it")
    func queueLimit() throws {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumOutstandingPackets = 1
        offer.maximumPacketLength = 24
        var end = LinkEnd.establishedDevice(offer) { $0.sendQueueLimit = 3 }
        for number in 0..<4 as Range<UInt8> { try end.send([number]) }
        #expect(throws: LinkSendError.queueFull(limit: 3)) { try end.send([9]) }
        end.receive(ack(0, 0x2E))
        // Two packets where one fits: neither is taken.
        #expect(throws: LinkSendError.queueFull(limit: 3)) { try end.send([UInt8](repeating: 0, count: 15)) }
        #expect(end.machine.outstanding == (1, 2))
        try end.send([8])
        #expect(end.machine.outstanding == (1, 3))
    }

    @Test("the queue takes its bytes and refuses one more")
    func queueBytes() throws {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumOutstandingPackets = 1
        offer.maximumPacketLength = 65_535
        var end = LinkEnd.establishedDevice(offer) { $0.sendQueueByteLimit = 65_535 }
        try end.send([0])
        try end.send([UInt8](repeating: 1, count: 65_525))
        #expect(throws: LinkSendError.queueBytesFull(limit: 65_535)) { try end.send([UInt8](repeating: 2, count: 11)) }
        try end.send([UInt8](repeating: 3, count: 10))
        #expect(end.machine.outstanding == (1, 2))
        // Room comes back when waiting payloads are sent.
        end.receive(ack(0, 0x2E))
        try end.send([UInt8](repeating: 4, count: 65_525))
    }

    @Test("a control payload is split at the peer's packet length, others are refused")
    func split() throws {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumPacketLength = 24
        var end = LinkEnd.establishedDevice(offer)
        try end.send((0..<14).map { UInt8($0) })
        #expect(end.packets.map(\.count) == [24])
        try end.send((0..<15).map { UInt8($0) })
        #expect(end.sent.map { Array($0.payload) } == [(0..<14).map { UInt8($0) }, [14]])
        try end.send([UInt8](repeating: 0, count: 14), on: .fileTransfer)
        #expect(throws: LinkSendError.payloadTooLong(limit: 14)) {
            try end.send([UInt8](repeating: 0, count: 15), on: .fileTransfer)
        }
    }

    @Test("nothing and unknown channels are refused")
    func refusals() {
        var end = LinkEnd.establishedAccessory()
        #expect(throws: LinkSendError.emptyPayload) { try end.send([]) }
        #expect(throws: LinkSendError.noChannel(.externalAccessory)) { try end.send([1], on: .externalAccessory) }
        for error in [
            LinkSendError.emptyPayload, .noChannel(.control), .queueFull(limit: 1), .queueBytesFull(limit: 1),
            .payloadTooLong(limit: 1), .notEstablished(.idle),
        ] {
            #expect(!error.reason.isEmpty)
        }
    }

    // MARK: Repetition

    @Test("the oldest packet is sent again after its time, with the acknowledgement of now")
    func retransmission() throws {
        var end = LinkEnd.establishedAccessory()
        try end.send([1], at: 0)
        try end.send([2], at: 10)
        #expect(end.machine.nextDeadline == 2 * second)
        end.receive(data(0x2E, 0), at: 20)
        end.deadline(at: 2 * second)
        #expect(end.sent == [data(1, 0x2E, [1])])
        #expect(end.machine.nextDeadline == 4 * second)
        end.receive(ack(0x2E, 1), at: 2 * second + 5)
        #expect(end.machine.nextDeadline == 2 * second + 10)
        end.deadline(at: 2 * second + 10)
        #expect(end.sent == [data(2, 0x2E, [2])])
        #expect(end.machine.statistics.retransmitted == 2)
    }

    @Test("when both timers are due the packet sent again carries the acknowledgement")
    func bothTimers() throws {
        var end = LinkEnd.establishedAccessory()
        try end.send([1], at: 0)
        end.receive(data(0x2E, 0), at: 0)
        end.deadline(at: 3 * second)
        #expect(end.sent == [data(1, 0x2E, [1])])
        #expect(end.machine.nextDeadline == 5 * second)
    }

    @Test("a packet sent again as often as allowed ends the link with a reset")
    func retransmissionLimit() throws {
        var end = LinkEnd.establishedAccessory { $0.synchronization.maximumRetransmissions = 3 }
        try end.send([1], at: 0)
        for number in 1...3 as ClosedRange<UInt64> {
            end.deadline(at: number * 2 * second)
            #expect(end.sent == [data(1, 0x2D, [1])])
        }
        end.deadline(at: 8 * second)
        #expect(end.sent == [LinkPacket(control: .reset, sequence: 1, acknowledgement: 0)])
        #expect(end.notices == [.closed(.retransmissionLimit(sequence: 1, retransmissions: 3))])
        #expect(end.machine.nextDeadline == nil)
        #expect(end.machine.phase == .closed)
    }

    @Test("progress gives the next packet its own tries")
    func triesArePerPacket() throws {
        var end = LinkEnd.establishedAccessory { $0.synchronization.maximumRetransmissions = 1 }
        try end.send([1], at: 0)
        try end.send([2], at: 0)
        end.deadline(at: 2 * second)
        end.receive(ack(0x2D, 1), at: 2 * second)
        end.deadline(at: 2 * second)
        #expect(end.sent == [data(2, 0x2D, [2])])
        end.deadline(at: 4 * second)
        #expect(end.notices == [.closed(.retransmissionLimit(sequence: 2, retransmissions: 1))])
    }

    @Test("an extended acknowledgement acknowledges, and its payload is no payload")
    func extendedAcknowledgement() throws {
        for control in [LinkPacket.Control.extendedAcknowledge, [.extendedAcknowledge, .acknowledge]] {
            var end = LinkEnd.establishedAccessory()
            for number in 1...3 as ClosedRange<UInt8> { try end.send([number]) }
            end.receive(
                LinkPacket(control: control, sequence: 0x2E, acknowledgement: 1, channelID: 1, payload: [2]))
            #expect(end.machine.outstanding == (2, 0))
            #expect(end.notices == [])
            end.receive(data(0x2E, 3))
            #expect(end.notices == [.received(channel: .control, payload: [7])])
        }
    }

    // MARK: Ends

    @Test("a reset ends the link at once and is not answered")
    func resetByPeer() throws {
        var end = LinkEnd.establishedAccessory()
        try end.send([1])
        end.receive(reset.encoded + data(0x2E, 1).encoded)
        #expect(end.notices == [.closed(.resetByPeer)])
        #expect(end.packets == [])
        #expect(end.machine.outstanding == (0, 0))
    }

    @Test("closing sends a reset with the last number sent")
    func close() throws {
        var end = LinkEnd.establishedDevice()
        try end.send([1])
        end.close()
        #expect(end.sent == [LinkPacket(control: .reset, sequence: 0x2E, acknowledgement: 0)])
        #expect(end.notices == [.closed(.closedLocally)])
        end.close()
        #expect(end.packets == [] && end.notices == [])
    }

    @Test("a packet longer than agreed on ends the link, one of the agreed length does not")
    func tooLong() {
        var end = LinkEnd.establishedAccessory { $0.synchronization.maximumPacketLength = 64 }
        end.receive(data(0x2E, 0, [UInt8](repeating: 1, count: 54)))
        #expect(end.notices.count == 1)
        end.receive(data(0x2F, 0, [UInt8](repeating: 1, count: 55)))
        guard case .closed(.protocolViolation(let what, let offset)) = end.notices.first else {
            Issue.record("\(end.notices)")
            return
        }
        #expect(what.contains("65 bytes"))
        // Detection bytes, the answer, the packet of 64 bytes, and the byte behind which the search would go on.
        #expect(offset == 6 + 26 + 64 + 1)
        #expect(end.sent == [LinkPacket(control: .reset, sequence: 0, acknowledgement: 0)])
    }

    @Test(
        "the shortest legal limit does not keep a link from being opened, and counts afterwards",
        arguments: [false, true])
    func shortestLimit(isDevice: Bool) {
        var end =
            isDevice
            ? LinkEnd.establishedDevice { $0.synchronization.maximumPacketLength = 24 }
            : LinkEnd.establishedAccessory { $0.synchronization.maximumPacketLength = 24 }
        // An opening packet that is repeated is longer, too.
        end.receive(LinkVector.all[isDevice ? 0 : 1].bytes)
        #expect(end.packets.count == 1 && end.notices == [])
        let number: UInt8 = isDevice ? 1 : 0x2E
        let acknowledged: UInt8 = isDevice ? 0x2D : 0
        end.receive(data(number, acknowledged, [UInt8](repeating: 1, count: 14)))
        #expect(end.notices.count == 1)
        end.receive(data(number + 1, acknowledged, [UInt8](repeating: 1, count: 15)))
        guard case .closed(.protocolViolation) = end.notices.first else {
            Issue.record("\(end.notices)")
            return
        }
        #expect(end.irregularities.map(\.value) == [25])
    }

    @Test("every failure has a name, a fault and a reason")
    func failures() {
        let all: [(LinkFailure, String, LinkFault)] = [
            (.closedLocally, "link.closed-locally", .local),
            (.detectTimedOut, "link.detect-timed-out", .transport),
            (.synchronizationTimedOut, "link.synchronization-timed-out", .transport),
            (.parametersRefused(LinkParameterError(.version, "3")), "link.parameters-refused", .peer),
            (.retransmissionLimit(sequence: 1, retransmissions: 30), "link.retransmission-limit", .transport),
            (.resetByPeer, "link.reset-by-peer", .peer),
            (.protocolViolation("x", offset: 9), "link.protocol-violation", .peer),
        ]
        for (failure, name, fault) in all {
            #expect(failure.name == name)
            #expect(failure.fault == fault)
            #expect(!failure.reason.isEmpty)
        }
        #expect(LinkFailure.protocolViolation("x", offset: 9).reason.contains("byte 9"))
        #expect(LinkFailure.parametersRefused(LinkParameterError(.version, "3")).reason.contains("version: 3"))
    }

    @Test("time at the end of its range does not trap")
    func endOfTime() throws {
        var end = LinkEnd(.accessory)
        end.start(at: .max - 1)
        #expect(end.machine.nextDeadline == .max)
        end.receive(LinkDetection.bytes, at: .max)
        end.receive(LinkVector.all[1].bytes, at: .max)
        try end.send([1], at: .max)
        end.receive(data(0x2E, 0), at: .max)
        end.deadline(at: .max)
        #expect(end.machine.phase == .established)
    }
}
