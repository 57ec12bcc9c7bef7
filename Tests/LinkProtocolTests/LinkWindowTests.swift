import LinkProtocol
import Testing
import WireBytes

@Suite("LinkMachine: packets out of order")
struct LinkWindowTests {
    static let forms: [(LinkParameters.ExtendedAcknowledgement, LinkPacket.Control)] = [
        (.withAcknowledge, [.acknowledge, .extendedAcknowledge]), (.alone, .extendedAcknowledge),
    ]

    @Test("what is missing is named at once, in either form, and everything is handed up in order", arguments: 0..<2)
    func gap(index: Int) {
        let (form, control) = Self.forms[index]
        var end = LinkEnd.establishedAccessory { $0.extendedAcknowledgement = form }
        end.receive(data(0x2E, 0, [1]))
        end.receive(data(0x31, 0, [4]))
        #expect(end.notices == [])
        #expect(
            end.sent == [LinkPacket(control: control, sequence: 0, acknowledgement: 0x2E, payload: [0x2F, 0x30])])
        // Behind the same gap nothing is named again.
        end.receive(data(0x32, 0, [5]))
        #expect(end.packets == [])
        // A new gap names both.
        end.receive(data(0x34, 0, [7]))
        #expect(end.sent.map { Array($0.payload) } == [[0x2F, 0x30, 0x33]])
        end.receive(data(0x30, 0, [3]))
        #expect(end.packets == [] && end.notices == [])
        end.receive(data(0x2F, 0, [2]))
        #expect(end.notices == [2, 3, 4, 5].map { .received(channel: .control, payload: [$0]) })
        #expect(end.sent == [ack(0, 0x32)])
        end.receive(data(0x33, 0, [6]))
        #expect(end.notices == [6, 7].map { .received(channel: .control, payload: [$0]) })
        #expect(end.machine.statistics.held == 4)
        // Without a gap an acknowledgement waits again.
        end.receive(data(0x35, 0, [8]))
        #expect(end.packets == [])
        #expect(end.machine.nextDeadline == second)
    }

    @Test("the captured layout of an extended acknowledgement")
    func vector() {
        var end = LinkEnd(.device, sequence: 0x63)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(synchronization(.synchronize, sequence: 0x33, acknowledgement: 0, .accessoryDefault))
        end.receive(ack(0x33, 0x63))
        end.receive(data(0x34, 0x63))
        end.receive(data(0x37, 0x63))
        #expect(end.packets == [hex("FF 5A 00 0C 60 63 34 00 A4 35 36 95")])
    }

    @Test("what is missing is named again with the timer")
    func namedAgain() {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2F, 0), at: 0)
        #expect(end.sent == [eak(0, 0x2D, [0x2E])])
        #expect(end.machine.nextDeadline == nil)
        end.receive(data(0x30, 0), at: 10)
        #expect(end.packets == [])
        #expect(end.machine.nextDeadline == 10 + second)
        end.deadline(at: 10 + second)
        #expect(end.sent == [eak(0, 0x2D, [0x2E])])
    }

    @Test("switched off, a plain acknowledgement says where we are")
    func off() {
        var end = LinkEnd.establishedAccessory { $0.extendedAcknowledgement = .off }
        end.receive(data(0x2F, 0))
        #expect(end.sent == [ack(0, 0x2D)])
        end.receive(data(0x2E, 0))
        #expect(end.notices.count == 2)
        #expect(end.sent == [ack(0, 0x2F)])
    }

    @Test("no more is named than fits a packet of the peer")
    func longList() {
        var offer = LinkSynchronization.accessoryDefault
        offer.maximumPacketLength = 24
        var end = LinkEnd.establishedDevice(offer)
        end.receive(data(100, 0x2D, [7]))
        #expect(end.sent == [eak(0x2D, 0, Array(1...14))])
        #expect(end.packets.map(\.count) == [24])
    }

    @Test(
        "the last packet of the window is held, the one behind it is not",
        arguments: [(1, 2), (2, 3), (32, 33), (127, 127)] as [(UInt8, UInt8)])
    func windowEdge(window: UInt8, over: UInt8) {
        var end = LinkEnd.establishedAccessory { $0.synchronization.maximumOutstandingPackets = window }
        if window > 1 {
            end.receive(data(0x2D &+ window, 0, [99]))
            #expect(end.machine.statistics.held == 1)
            #expect(end.irregularities == [])
        }
        guard over > window else { return }
        end.receive(data(0x2D &+ over, 0, [98]))
        #expect(end.machine.statistics.held == (window > 1 ? 1 : 0))
        #expect(end.irregularities.map(\.rule) == [.outsideWindow])
        #expect(end.irregularities.map(\.reaction) == [.repeat])
        #expect(end.sent == [ack(0, 0x2D)])
    }

    @Test("a packet held twice counts once and is answered")
    func heldTwice() {
        var end = LinkEnd.establishedAccessory()
        end.receive(data(0x2F, 0, [2]))
        end.receive(data(0x2F, 0, [99]))
        #expect(end.sent == [ack(0, 0x2D)])
        end.receive(data(0x2E, 0, [1]))
        #expect(end.notices == [1, 2].map { .received(channel: .control, payload: [$0]) })
    }

    @Test("what is held has a limit in bytes; what is dropped there comes again")
    func bufferLimit() {
        var end = LinkEnd.establishedDevice { $0.receiveBufferByteLimit = 65_535 }
        end.receive(data(2, 0x2D, [UInt8](repeating: 2, count: 40_000)))
        end.receive(data(3, 0x2D, [UInt8](repeating: 3, count: 25_536)))
        #expect(end.irregularities.map(\.rule) == [.receiveBufferFull])
        #expect(end.machine.statistics.held == 1)
        end.receive(data(3, 0x2D, [UInt8](repeating: 3, count: 25_535)))
        #expect(end.irregularities == [])
        end.receive(data(1, 0x2D, [1]))
        #expect(end.notices.count == 3)
    }

    @Test("packets are held across the wrap")
    func wrap() {
        var end = LinkEnd(.accessory)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(synchronization([.synchronize, .acknowledge], sequence: 0xFC, acknowledgement: 0, .deviceDefault))
        for number in [1, 0xFF, 0, 0xFE] as [UInt8] { end.receive(data(number, 0, [number])) }
        #expect(end.notices == [])
        end.receive(data(0xFD, 0, [0xFD]))
        #expect(
            end.notices == ([0xFD, 0xFE, 0xFF, 0, 1] as [UInt8]).map { .received(channel: .control, payload: [$0]) })
        #expect(end.sent == [ack(0, 1)])
    }

    // MARK: Sending

    @Test("packets that the peer names are sent again, each once per read", arguments: 0..<2)
    func named(index: Int) throws {
        var end = LinkEnd.establishedAccessory()
        for number in 1...4 as ClosedRange<UInt8> { try end.send([number], at: 0) }
        var packet = eak(0x2E, 1, [2, 4, 2, 2])
        packet.control = Self.forms[index].1
        end.receive(packet.encoded + packet.encoded, at: second)
        #expect(end.sent == [data(2, 0x2D, [2]), data(4, 0x2D, [4])])
        #expect(end.machine.outstanding == (3, 0))
        #expect(end.machine.statistics.namedRetransmissions == 2)
        // The timer of what was sent again begins anew.
        #expect(end.machine.nextDeadline == 3 * second)
    }

    @Test("named packets count against the limit, or do not")
    func namedCounts() throws {
        for counts in [true, false] {
            var end = LinkEnd.establishedAccessory {
                $0.synchronization.maximumRetransmissions = 2
                $0.countsNamedRetransmissions = counts
            }
            try end.send([1], at: 0)
            for _ in 0..<2 {
                end.receive(eak(0x2D, 0, [1]), at: 0)
                #expect(end.sent.count == 1)
            }
            end.receive(eak(0x2D, 0, [1]), at: 0)
            #expect(end.sent.count == (counts ? 0 : 1))
            end.deadline(at: 2 * second)
            if counts {
                #expect(end.notices == [.closed(.retransmissionLimit(sequence: 1, retransmissions: 2))])
            } else {
                #expect(end.sent.count == 1)
            }
        }
    }

    @Test("numbers that are not in flight are told and harm nothing", arguments: [0, 3, 0x80, 0xFF] as [UInt8])
    func wrongNames(number: UInt8) throws {
        var end = LinkEnd.establishedAccessory()
        try end.send([1])
        try end.send([2])
        end.receive(eak(0x2D, 0, [number, number]))
        #expect(end.packets == [])
        #expect(end.irregularities.map(\.rule) == [.missingNotInFlight])
        #expect(end.irregularities.map(\.value) == [Int(number)])
    }

    @Test("the time between repetitions grows as it is told to, up to the longest legal one")
    func backoff() throws {
        var end = LinkEnd.establishedAccessory {
            $0.retransmissionBackoff = 200
            $0.synchronization.retransmissionTimeout = 10_000
            $0.synchronization.maximumRetransmissions = 5
        }
        try end.send([1], at: 0)
        var due: UInt64 = 10 * second
        for wait in [20, 40, 65.535, 65.535] {
            #expect(end.machine.nextDeadline == due)
            end.deadline(at: due)
            #expect(end.sent.count == 1)
            due += UInt64(wait * 1_000) * 1_000_000
        }
        #expect(end.machine.nextDeadline == due)
    }
}

@Suite("LinkMachine: without acknowledgements")
struct LinkWithoutAcknowledgementsTests {
    static func accessory() -> LinkEnd {
        var parameters = LinkParameters.accessory
        parameters.synchronization = .withoutAcknowledgements
        var end = LinkEnd(.accessory, parameters)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(LinkVector.all[7].bytes)
        #expect(end.machine.agreement?.own.isWithoutAcknowledgements == true)
        return end
    }

    @Test("nothing waits, nothing is sent again, no time is awaited")
    func sending() throws {
        var end = Self.accessory()
        for number in 1...200 as ClosedRange<UInt8> {
            try end.send([number])
            #expect(end.sent == [data(number, 0x0A, [number])])
            #expect(end.machine.outstanding == (0, 0))
        }
        #expect(end.machine.nextDeadline == nil)
        end.deadline(at: 100 * second)
        #expect(end.packets == [])
    }

    @Test("payloads are handed up without a bare acknowledgement; the own ones carry it")
    func receiving() throws {
        var end = Self.accessory()
        for number in 0x0B..<0xF0 as Range<UInt8> {
            end.receive(data(number, 0, [number]))
            #expect(end.notices == [.received(channel: .control, payload: [number])])
            #expect(end.packets == [])
        }
        #expect(end.machine.nextDeadline == nil)
        try end.send([1])
        #expect(end.sent == [data(1, 0xEF, [1])])
    }

    @Test("a second copy and a hole are told; what came is handed up")
    func irregular() {
        var end = Self.accessory()
        end.receive(data(0x0B, 0, [1]))
        end.receive(data(0x0B, 0, [1]))
        #expect(end.notices == [] && end.packets == [])
        #expect(end.irregularities.map(\.rule) == [.duplicate])
        end.receive(data(0x0F, 0, [2]))
        #expect(end.notices == [.received(channel: .control, payload: [2])])
        #expect(end.irregularities.map(\.rule) == [.gap])
        #expect(end.irregularities.map(\.value) == [3])
        end.receive(eak(0x0F, 0, [1]))
        #expect(end.packets == [])
    }

    @Test("the device sends its answer once per offer")
    func answerOnce() {
        var end = LinkEnd(.device, sequence: 0x0A)
        end.start()
        end.receive(LinkVector.all[6].bytes)
        #expect(end.machine.nextDeadline == 30 * second)
        end.receive(LinkVector.all[6].bytes, at: 1)
        #expect(end.packets.count == 1)
        end.receive(data(1, 0x0A, [3]), at: 2)
        #expect(end.machine.phase == .established)
        #expect(end.notices.last == .received(channel: .control, payload: [3]))
        end.close(at: 3)
        #expect(end.sent.map(\.control) == [.reset])
    }
}
