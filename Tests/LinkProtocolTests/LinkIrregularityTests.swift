import LinkProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("LinkMachine: what is told of broken rules")
struct LinkIrregularityTests {
    /// Detection and answer, the bytes that an established accessory has received.
    static let before: UInt64 = 6 + 26

    @Test("garbage is told once per run, with its place, when a packet ends it", arguments: [1, 3, 1000])
    func garbage(piece: Int) {
        var end = LinkEnd.establishedAccessory()
        let stream = hex("00 AA FF 00 FF 55 07") + data(0x2E, 0).encoded + [1, 2, 3] + data(0x2F, 0).encoded
        var told: [LinkIrregularity] = []
        for chunk in Chunker.pieces(piece).chunks(stream[...]) {
            end.receive(Array(chunk))
            told += end.irregularities
        }
        #expect(
            told == [
                LinkIrregularity(.garbage, offset: Self.before, length: 7, fault: .transport, reaction: .drop),
                LinkIrregularity(.garbage, offset: Self.before + 18, length: 3, fault: .transport, reaction: .drop),
            ])
    }

    @Test("garbage that nothing ends is told with the next deadline, or with the end")
    func openRun() {
        var end = LinkEnd.establishedAccessory()
        end.receive([1, 2, 3])
        #expect(end.irregularities == [])
        end.deadline(at: 5)
        #expect(end.irregularities.map(\.length) == [3])
        end.deadline(at: 6)
        #expect(end.irregularities == [])
        end.receive([1, 2])
        end.close()
        #expect(end.irregularities.map(\.length) == [2])
        #expect(end.notices == [.closed(.closedLocally)])
    }

    @Test("garbage without end is told in runs of a limited length")
    func longRun() {
        var decoder = LinkPacketDecoder(maximumLength: 100)
        var input = [UInt8](repeating: 0, count: 150_000)[...]
        var runs: [Int] = []
        while let element = decoder.next(from: &input) {
            if case .dropped(let dropped) = element { runs.append(dropped.length) }
        }
        #expect(runs == [65_535, 65_535])
        #expect(decoder.losses.bytes == 150_000)
    }

    @Test("damage is told by what was damaged")
    func damage() {
        var end = LinkEnd.establishedAccessory()
        var header = data(0x2E, 0).encoded
        header[8] ^= 1
        end.receive(header + data(0x2E, 0).encoded)
        #expect(end.irregularities.map(\.rule) == [.headerChecksum])
        #expect(end.irregularities.map(\.length) == [header.count])
        #expect(end.irregularities.map(\.fault) == [.transport])
        var payload = data(0x2F, 0).encoded
        payload[9] ^= 1
        end.receive([9] + payload)
        #expect(end.irregularities.map(\.rule) == [.garbage, .payloadChecksum])
        #expect(end.irregularities.map(\.offset) == [Self.before + 22, Self.before + 23])
        end.receive(hex("FF 5A 00 08 40 00 00 00 5F") + data(0x2F, 0).encoded)
        #expect(end.irregularities.map(\.rule) == [.headerLength])
        #expect(end.irregularities.map(\.fault) == [.peer])
        #expect(end.notices == [.received(channel: .control, payload: [7])])
    }

    @Test("every rule of an established link is told with its value and reaction")
    func established() throws {
        let cases: [(LinkPacket, LinkIrregularity.Rule, Int, LinkIrregularity.Reaction)] = [
            (LinkPacket(control: .sleep, sequence: 0x2D, acknowledgement: 0), .sleep, 0x08, .ignore),
            (
                LinkPacket(control: [.acknowledge, .init(rawValue: 4)], sequence: 0x2D, acknowledgement: 0),
                .unknownControlBits, 0x44, .ignore
            ),
            (ack(0x2D, 9), .staleAcknowledgement, 9, .ignore),
            (eak(0x2D, 0, [9]), .missingNotInFlight, 9, .ignore),
            (data(0x80, 0), .outsideWindow, 0x80, .repeat),
            (data(0x2D &- 40, 0), .outsideWindow, 0x05, .repeat),
            (data(0x2E, 0, channel: 9), .unknownChannel, 9, .drop),
            (
                LinkPacket(control: [], sequence: 0x2E, acknowledgement: 0, channelID: 1, payload: [1]),
                .payloadWithoutAcknowledgement, 0, .ignore
            ),
            (LinkPacket(control: .synchronize, sequence: 1, acknowledgement: 0), .unexpectedPacket, 0x80, .drop),
        ]
        for (packet, rule, value, reaction) in cases {
            var end = LinkEnd.establishedAccessory()
            end.receive(packet)
            #expect(
                end.irregularities == [
                    LinkIrregularity(
                        rule, offset: Self.before, length: packet.encodedLength, value: value, reaction: reaction)
                ])
            #expect(end.machine.phase == .established)
        }
        // The sleep bit does not keep the rest from counting.
        var end = LinkEnd.establishedAccessory()
        var packet = data(0x2E, 0)
        packet.control.insert(.sleep)
        end.receive(packet)
        #expect(end.notices == [.received(channel: .control, payload: [7])])
    }

    @Test("a packet that is too long is told before the link ends, and dropped before it is up")
    func tooLong() {
        let header = hex("FF 5A FF FF 40 00 00 00 69")
        var end = LinkEnd.establishedAccessory()
        end.receive(header)
        #expect(end.irregularities.map(\.rule) == [.packetTooLong])
        #expect(end.irregularities.map(\.value) == [65_535])
        #expect(end.irregularities.map(\.reaction) == [.reset])
        var early = LinkEnd(.accessory)
        early.start()
        early.receive(header)
        #expect(early.irregularities.map(\.reaction) == [.drop])
        #expect(early.machine.phase == .detecting)
    }

    @Test("no more than a limit is told at once, and the rest is counted")
    func limit() {
        var machine = LinkEnd.establishedAccessory().machine
        var output = LinkOutput()
        let stream = (0..<100).flatMap { _ in ack(0x2D, 9).encoded }
        machine.receive(stream[...], now: 0, into: &output)
        #expect(output.notices.count == LinkOutput.irregularityLimit)
        #expect(output.irregularitiesLeftOut == 100 - LinkOutput.irregularityLimit)
        output.removeAll()
        #expect(output.irregularitiesLeftOut == 0)
        machine.receive(ack(0x2D, 9).encoded[...], now: 0, into: &output)
        #expect(output.notices.count == 1)
    }

    @Test("every rule says something")
    func text() {
        for rule in LinkIrregularity.Rule.allCases {
            #expect(LinkIrregularity(rule, offset: 77, length: 1, reaction: .drop).reason.contains("byte 77"))
        }
        #expect(Set(LinkIrregularity.Rule.allCases.map(\.rawValue)).count == LinkIrregularity.Rule.allCases.count)
    }
}
