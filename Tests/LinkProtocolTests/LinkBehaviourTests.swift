import LinkProtocol
import RigTestKit
import Testing

/// The behaviour cases that real implementations were seen to get wrong, by number, as far as they are about the link.
@Suite("LinkMachine: behaviour cases")
struct LinkBehaviourTests {
    @Test("1: a wrong header checksum drops the packet and changes nothing")
    func case01() {
        var end = LinkEnd.establishedAccessory()
        var packet = data(0x2E, 0).encoded
        packet[8] &+= 1
        end.receive(packet, at: 1)
        #expect(end.notices == [] && end.packets == [])
        #expect(end.machine.nextDeadline == nil)
        end.receive(data(0x2E, 0), at: 2)
        #expect(end.notices == [.received(channel: .control, payload: [7])])
    }

    @Test("2: a wrong payload checksum drops the packet, and it comes again after the timeout")
    func case02() throws {
        var phone = LinkEnd.establishedDevice()
        var unit = LinkEnd.establishedAccessory()
        try phone.send([7], at: 0)
        var packet = phone.packets[0]
        packet[9] &+= 1
        unit.receive(packet, at: 1)
        #expect(unit.notices == [] && unit.packets == [])
        #expect(unit.machine.statistics.losses.damagedPayloads == 1)
        #expect(phone.machine.nextDeadline == 2 * second)
        phone.deadline(at: 2 * second)
        unit.receive(phone.packets[0], at: 2 * second)
        #expect(unit.notices == [.received(channel: .control, payload: [7])])
    }

    @Test("3: garbage before a packet is passed over")
    func case03() {
        var end = LinkEnd.establishedAccessory()
        end.receive(hex("00 AA FF 00 FF 55") + data(0x2E, 0).encoded)
        #expect(end.notices == [.received(channel: .control, payload: [7])])
        #expect(end.irregularities.map(\.rule) == [.garbage])
    }

    @Test("4: two packets in one read are both taken")
    func case04() {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2E, 0, [1]).encoded + data(0x2F, 0, [2]).encoded)
        #expect(end.notices == [1, 2].map { .received(channel: .control, payload: [$0]) })
    }

    @Test("5: a packet may be split at every byte")
    func case05() {
        let packet = data(0x2E, 0, [1, 2, 3]).encoded
        for cut in 0...packet.count {
            var end = LinkEnd.establishedAccessory()
            end.receive(Array(packet[..<cut]))
            let early = end.notices
            end.receive(Array(packet[cut...]))
            #expect(early + end.notices == [.received(channel: .control, payload: [1, 2, 3])], "\(cut)")
        }
    }

    @Test("6: a duplicate is acknowledged again and not handed up")
    func case06() {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2E, 0))
        end.receive(data(0x2E, 0))
        #expect(end.notices == [])
        #expect(end.sent == [ack(0, 0x2E)])
    }

    @Test("7: a gap is named, and what is missing is sent again", arguments: [0x60, 0x20] as [UInt8])
    func case07(control: UInt8) throws {
        var phone = LinkEnd.establishedDevice()
        var unit = LinkEnd.establishedAccessory {
            $0.extendedAcknowledgement = control == 0x60 ? .withAcknowledge : .alone
        }
        var packets: [[UInt8]] = []
        for number in 1...3 as ClosedRange<UInt8> {
            try phone.send([number])
            packets += phone.packets
        }
        unit.receive(packets[0])
        unit.receive(packets[2])
        #expect(unit.packets.map { $0[4] } == [control])
        phone.receive(unit.packets[0])
        #expect(phone.packets == [packets[1]])
        unit.receive(phone.packets[0])
        #expect(unit.notices == [2, 3].map { .received(channel: .control, payload: [$0]) })
    }

    @Test("8: numbers wrap over FE, FF, 00 and 01 with acknowledgements")
    func case08() throws {
        var end = LinkEnd(.accessory, sequence: 0xFD)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(
            synchronization([.synchronize, .acknowledge], sequence: 0xFD, acknowledgement: 0xFD, .deviceDefault))
        for number in [0xFE, 0xFF, 0x00, 0x01] as [UInt8] {
            try end.send([number])
            #expect(end.sent.map(\.sequence) == [number])
            #expect(end.sent.map(\.acknowledgement) == [number &- 1])
            end.receive(data(number, number, [number]))
            #expect(end.notices == [.received(channel: .control, payload: [number])])
            #expect(end.machine.outstanding == (0, 0))
        }
    }

    @Test("9: a full window holds packets back until there is room")
    func case09() throws {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumOutstandingPackets = 2
        var end = LinkEnd.establishedDevice(offer)
        for number in 1...3 as ClosedRange<UInt8> { try end.send([number]) }
        #expect(end.packets == [])
        #expect(end.machine.outstanding == (2, 1))
        end.receive(ack(0, 0x2E))
        #expect(end.sent == [data(0x30, 0, [3])])
    }

    @Test("10: the limit of retransmissions ends the link with a reset")
    func case10() throws {
        var end = LinkEnd.establishedAccessory()
        try end.send([1])
        for number in 1...30 as ClosedRange<UInt64> {
            end.deadline(at: number * 2 * second)
            #expect(end.sent == [data(1, 0x2D, [1])])
        }
        end.deadline(at: 62 * second)
        #expect(end.sent.map(\.control) == [.reset])
        #expect(end.notices == [.closed(.retransmissionLimit(sequence: 1, retransmissions: 30))])
    }

    @Test("11: a second detection and offer in the middle of a session: the phone negotiates again")
    func case11() {
        var end = LinkEnd.establishedDevice()
        end.receive(data(1, 0x2D))
        end.receive(LinkDetection.bytes + LinkVector.all[0].bytes)
        #expect(end.notices == [.restarted])
        #expect(end.packets.first == LinkDetection.bytes)
        #expect(end.sent.map(\.control) == [[.synchronize, .acknowledge]])
        #expect(end.sent.map(\.sequence) == [0x2E])
        end.receive(ack(0, 0x2E))
        #expect(end.machine.phase == .established)
        end.receive(data(1, 0x2E, [9]))
        #expect(end.notices == [.received(channel: .control, payload: [9])])
    }

    @Test("12: without acknowledgements there is no bare acknowledgement and no second copy")
    func case12() throws {
        var end = LinkWithoutAcknowledgementsTests.accessory()
        for number in 0x0B...0x40 as ClosedRange<UInt8> {
            end.receive(data(number, 0))
            #expect(end.packets == [])
        }
        try end.send([1], at: 0)
        end.deadline(at: 100 * second)
        #expect(end.packets == [])
        #expect(end.machine.statistics.retransmitted == 0)
        #expect(end.machine.statistics.acknowledgementsSent == 0)
    }

    @Test("15: unplugged in each state, the link ends once and is quiet")
    func case15() {
        for state in LinkMatrixTests.accessoryRows.map(\.0) {
            check(LinkMatrixTests.accessory(in: state), "accessory \(state)")
        }
        for state in LinkMatrixTests.deviceRows.map(\.0) {
            check(LinkMatrixTests.device(in: state), "device \(state)")
        }
    }

    private func check(_ start: LinkEnd, _ name: String) {
        var end = start
        let isOver = end.machine.phase == .closed
        end.close(at: 1)
        #expect(end.notices == (isOver ? [] : [.closed(.closedLocally)]), "\(name)")
        #expect(end.machine.nextDeadline == nil && end.machine.agreement == nil, "\(name)")
        #expect(end.machine.outstanding == (0, 0), "\(name)")
        end.receive(LinkDetection.bytes + LinkVector.all[0].bytes + LinkVector.all[1].bytes, at: 2)
        #expect(end.packets == [] && end.notices == [] && end.irregularities == [], "\(name)")
        end.deadline(at: 100 * second)
        #expect(end.packets == [] && end.notices == [], "\(name)")
    }
}
