import LinkProtocol
import Testing
import WireBytes

@Suite("LinkMachine: detection and synchronisation")
struct LinkNegotiationTests {
    @Test("the accessory speaks the captured exchange byte for byte")
    func accessoryTranscript() {
        var end = LinkEnd(.accessory)
        end.start(at: 5)
        #expect(end.packets == [hex("FF 55 02 00 EE 10")])
        #expect(end.machine.phase == .detecting)
        #expect(end.machine.nextDeadline == 5 + second)

        end.receive("FF 55 02 00 EE 10", at: 10)
        #expect(end.notices == [.detected])
        #expect(end.packets == [hex("FF 5A 00 1A 80 00 00 00 0D 01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01 F7")])
        #expect(end.machine.phase == .synchronizing)
        #expect(end.machine.nextDeadline == 10 + second / 2)

        end.receive("FF 5A 00 1A C0 2D 00 00 A0 01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01 AA", at: 20)
        #expect(end.packets == [hex("FF 5A 00 09 40 00 2D 00 31")])
        let agreement = LinkAgreement(own: .accessoryDefault, peer: .deviceDefault)
        #expect(end.notices == [.established(agreement)])
        #expect(end.machine.agreement == agreement)
        #expect(end.machine.phase == .established)
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("the device speaks the captured exchange byte for byte")
    func deviceTranscript() {
        var end = LinkEnd(.device, sequence: 0xC1)
        end.start(at: 5)
        #expect(end.packets == [])
        #expect(end.machine.nextDeadline == 5 + 30 * second)

        end.receive("FF 55 02 00 EE 10", at: 10)
        #expect(end.packets == [hex("FF 55 02 00 EE 10")])
        #expect(end.notices == [.detected])
        #expect(end.machine.nextDeadline == 10 + 30 * second)

        end.receive("FF 5A 00 1A 80 00 00 00 0D 01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01 F7", at: 20)
        #expect(end.packets == [hex("FF 5A 00 1A C0 C1 00 00 0C 01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01 AA")])
        #expect(end.notices == [])
        #expect(end.machine.phase == .synchronizing)

        end.receive("FF 5A 00 09 40 00 C1 00 9D", at: 30)
        #expect(end.packets == [])
        #expect(end.notices == [.established(LinkAgreement(own: .deviceDefault, peer: .accessoryDefault))])
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("the first payload has the number after the synchronisation's, as captured")
    func firstPayload() throws {
        var device = LinkEnd.establishedDevice()
        try device.send(hex("40 40 00 06 AA 00"))
        #expect(device.packets == [hex("FF 5A 00 10 40 2E 00 01 28 40 40 00 06 AA 00 D0")])
        var accessory = LinkEnd.establishedAccessory()
        accessory.receive("FF 5A 00 10 40 2E 00 01 28 40 40 00 06 AA 00 D0")
        #expect(accessory.notices == [.received(channel: .control, payload: hex("40 40 00 06 AA 00"))])
        try accessory.send([1])
        #expect(accessory.sent == [data(1, 0x2E, [1])])
    }

    @Test("detection and synchronisation sent back to back are both answered")
    func backToBack() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes + LinkVector.all[0].bytes)
        #expect(end.packets == [LinkDetection.bytes, LinkVector.all[1].bytes])
        #expect(end.notices == [.detected])
    }

    @Test("an offer without detection bytes counts as detection")
    func offerAtOnce() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkVector.all[0].bytes)
        #expect(end.notices == [.detected])
        #expect(end.packets == [LinkVector.all[1].bytes])
    }

    // MARK: Repetition

    @Test("the accessory repeats detection bytes at the interval and gives up at the budget")
    func detectBudget() {
        var end = LinkEnd(.accessory)
        end.start(at: 0)
        for number in 1..<30 as Range<UInt64> {
            #expect(end.machine.nextDeadline == number * second)
            end.deadline(at: number * second)
            #expect(end.packets == [LinkDetection.bytes])
        }
        end.deadline(at: 30 * second - 1)
        #expect(end.packets == [] && end.notices == [])
        end.deadline(at: 30 * second)
        #expect(end.packets == [])
        #expect(end.notices == [.closed(.detectTimedOut)])
        #expect(end.machine.phase == .closed)
        #expect(end.machine.nextDeadline == nil)
    }

    @Test("the device gives up when no detection bytes come")
    func deviceDetectBudget() {
        var end = LinkEnd(.device)
        end.start(at: 7)
        end.deadline(at: 7 + 30 * second - 1)
        #expect(end.notices == [])
        end.deadline(at: 7 + 30 * second)
        #expect(end.notices == [.closed(.detectTimedOut)])
    }

    @Test("a deadline reached long after its time sends one packet, not one per interval missed")
    func lateDeadline() {
        var end = LinkEnd(.accessory)
        end.start(at: 0)
        end.deadline(at: 10 * second)
        #expect(end.packets == [LinkDetection.bytes])
        #expect(end.machine.nextDeadline == 11 * second)
    }

    @Test("the accessory repeats its offer and gives up at the budget", arguments: [0 as UInt64, 3])
    func offerBudget(start: UInt64) {
        var end = LinkEnd(.accessory)
        end.start(at: start)
        end.receive(LinkDetection.bytes, at: start)
        for number in 1..<60 as Range<UInt64> {
            end.deadline(at: start + number * second / 2)
            #expect(end.packets == [LinkVector.all[0].bytes])
        }
        end.deadline(at: start + 30 * second)
        #expect(end.notices == [.closed(.synchronizationTimedOut)])
        #expect(end.packets == [])
    }

    @Test("the device gives up when no offer comes, or no acknowledgement of its answer", arguments: [false, true])
    func deviceBudget(offered: Bool) {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        if offered { end.receive(LinkVector.all[0].bytes) }
        end.deadline(at: second / 2)
        #expect(end.packets == (offered ? [LinkVector.all[1].bytes] : []))
        end.deadline(at: 30 * second)
        #expect(end.notices == [.closed(.synchronizationTimedOut)])
    }

    @Test("a repeated offer gets the same answer")
    func repeatedOffer() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        for _ in 0..<3 {
            end.receive(LinkVector.all[0].bytes)
            #expect(end.packets == [LinkVector.all[1].bytes])
        }
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .established)
        end.receive(LinkVector.all[0].bytes)
        #expect(end.packets == [LinkVector.all[1].bytes])
        #expect(end.notices == [])
        #expect(end.machine.phase == .established)
    }

    @Test("a repeated answer gets the acknowledgement again")
    func repeatedAnswer() {
        var end = LinkEnd.establishedAccessory()
        end.receive(LinkVector.all[1].bytes)
        #expect(end.packets == [hex("FF 5A 00 09 40 00 2D 00 31")])
        #expect(end.notices == [])
    }

    @Test("a lost acknowledgement is made good by the first payload")
    func payloadAcknowledges() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkVector.all[0].bytes)
        end.receive(data(1, 0x2D, [5]))
        #expect(
            end.notices == [
                .established(LinkAgreement(own: .deviceDefault, peer: .accessoryDefault)),
                .received(channel: .control, payload: [5]),
            ])
    }

    @Test("an acknowledgement of another number does not establish the link")
    func wrongAcknowledgement() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .synchronizing)
        end.receive(LinkVector.all[0].bytes)
        end.receive(ack(0, 0x2C))
        end.receive(ack(0, 0x2E))
        #expect(end.machine.phase == .synchronizing)
        #expect(end.machine.statistics.unexpected == 3)
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .established)
    }

    @Test("an answer to another offer is ignored")
    func staleAnswer() {
        var end = LinkEnd(.accessory, sequence: 9)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkVector.all[1].bytes)
        #expect(end.machine.phase == .synchronizing)
        #expect(end.packets == [] && end.notices == [])
        end.receive(synchronization([.synchronize, .acknowledge], sequence: 1, acknowledgement: 9, .deviceDefault))
        #expect(end.machine.phase == .established)
        #expect(end.sent == [ack(9, 1)])
    }

    // MARK: Refusals

    @Test("a synchronisation without a readable payload is refused as layout")
    func layout() {
        var end = LinkEnd(.device)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkPacket(control: .synchronize, sequence: 1, acknowledgement: 0))
        #expect(end.refused == .layout)
    }

    @Test("an accessory that hears an offer speaks to another accessory or to itself")
    func loopback() {
        var end = LinkEnd(.accessory)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(end.packets[0])
        #expect(end.machine.phase == .closed)
        guard case .closed(let failure) = end.notices.first else {
            Issue.record("\(end.notices)")
            return
        }
        #expect(failure.name == "link.protocol-violation")
        #expect(failure.fault == .peer)
    }

    // MARK: A new beginning

    @Test("detection bytes in the middle of a negotiation are echoed and the next answer has a new number")
    func detectionMidway() {
        var end = LinkEnd(.device, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkDetection.bytes)
        #expect(end.packets == [LinkDetection.bytes])
        end.receive(LinkVector.all[0].bytes)
        #expect(end.sent.map(\.sequence) == [0x2D])
        end.receive(LinkDetection.bytes)
        #expect(end.packets == [LinkDetection.bytes])
        end.receive(LinkVector.all[0].bytes)
        #expect(end.sent.map(\.sequence) == [0x2E])
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .synchronizing)
        end.receive(ack(0, 0x2E))
        #expect(end.machine.phase == .established)
    }

    @Test("detection bytes on an established link begin again, and nothing of before is sent")
    func detectionEstablished() throws {
        var end = LinkEnd.establishedDevice()
        try end.send([1])
        end.receive(LinkDetection.bytes, at: 10)
        #expect(end.packets == [LinkDetection.bytes])
        #expect(end.notices == [.restarted])
        #expect(end.machine.phase == .synchronizing)
        #expect(throws: LinkSendError.notEstablished(.synchronizing)) { try end.send([2]) }
        end.receive(LinkVector.all[0].bytes, at: 20)
        #expect(end.sent.map(\.sequence) == [0x2F])
        end.receive(ack(0, 0x2F), at: 30)
        #expect(end.machine.phase == .established)
        #expect(end.machine.outstanding == (0, 0))
        end.deadline(at: 10 * second)
        #expect(end.packets == [])
    }

    @Test("another offer on an established link begins again")
    func offerEstablished() {
        var end = LinkEnd.establishedDevice()
        end.receive(synchronization(.synchronize, sequence: 5, acknowledgement: 0, .accessoryDefault))
        #expect(end.notices == [.restarted])
        #expect(end.sent.map(\.sequence) == [0x2E])
        #expect(end.sent.map(\.acknowledgement) == [5])
        end.receive(ack(5, 0x2E))
        #expect(end.machine.phase == .established)
    }

    @Test("the same offer after payloads came is a new beginning, too")
    func sameOfferAfterPayloads() {
        var end = LinkEnd.establishedDevice()
        end.receive(data(1, 0x2D))
        end.receive(LinkVector.all[0].bytes)
        #expect(end.notices == [.restarted])
    }

    @Test("late echoes do not disturb the accessory")
    func lateEchoes() {
        var end = LinkEnd(.accessory)
        end.start()
        end.receive(LinkDetection.bytes + LinkDetection.bytes)
        #expect(end.packets.count == 1)
        end.receive(LinkVector.all[1].bytes)
        end.receive(LinkDetection.bytes)
        #expect(end.machine.phase == .established)
        #expect(end.packets == [] && end.notices == [])
        #expect(end.machine.statistics.unexpected == 2)
    }
}

extension LinkEnd {
    /// The field for which the last call closed the link.
    var refused: LinkParameterError.Field? {
        for case .closed(.parametersRefused(let error)) in notices { return error.field }
        return nil
    }
}
