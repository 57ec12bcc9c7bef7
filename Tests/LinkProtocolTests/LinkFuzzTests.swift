import LinkProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("LinkMachine under random operations")
struct LinkFuzzTests {
    /// A model of what the owner of a link may rely on, whatever comes in.
    struct Model {
        var closed = false
        var established = false

        mutating func take(_ output: LinkOutput, _ machine: LinkMachine, _ context: String) {
            #expect(!closed || output.isEmpty, "something after the end, \(context)")
            for notice in output.notices {
                #expect(!closed, "a notice behind the last one, \(context)")
                switch notice {
                case .detected:
                    #expect(!established, "\(context)")
                case .established:
                    #expect(!established, "\(context)")
                    established = true
                case .received(_, let payload):
                    #expect(established && !payload.isEmpty, "\(context)")
                case .countered: #expect(!established, "\(context)")
                case .irregularity(let irregularity): #expect(!irregularity.reason.isEmpty, "\(context)")
                case .restarted:
                    #expect(established, "\(context)")
                    established = false
                case .closed:
                    closed = true
                }
            }
            #expect(closed == (machine.phase == .closed), "\(context)")
            #expect(!closed || machine.nextDeadline == nil, "\(context)")
            #expect(output.packetEnds.last ?? 0 == output.transmit.count, "\(context)")
            let window = Int(machine.agreement?.peer.maximumOutstandingPackets ?? 0)
            #expect(machine.outstanding.inFlight <= window, "\(context)")
            #expect(machine.outstanding.waiting <= machine.parameters.sendQueueLimit, "\(context)")
        }
    }

    /// A packet that is likely to have a meaning: numbers near the ones in use.
    static func packet(_ generator: inout SeededGenerator) -> [UInt8] {
        let near: [UInt8] = [0, 1, 2, 3, 0x2C, 0x2D, 0x2E, 0x2F, 0x30, 0xFF]
        var payload: [UInt8] = []
        var control = LinkPacket.Control(
            rawValue: [0x40, 0x40, 0x40, 0x40, 0x80, 0xC0, 0x60, 0x20, 0x10, 0x00, 0xFF][
                Int.random(in: 0..<11, using: &generator)])
        if generator.chance(percent: 2) {
            control = LinkPacket.Control(rawValue: .random(in: 0...255, using: &generator))
        }
        if control.contains(.synchronize) {
            var value = generator.chance(percent: 50) ? LinkSynchronization.accessoryDefault : .deviceDefault
            value.maximumRetransmissions = 2
            if generator.chance(percent: 10) { value.maximumPacketLength = .random(in: 0...100, using: &generator) }
            payload = value.encoded
            if generator.chance(percent: 10) { payload = generator.bytes(.random(in: 0...20, using: &generator)) }
        } else if generator.chance(percent: 60) {
            payload = generator.bytes(Int.random(in: 1...20, using: &generator))
        }
        return LinkPacket(
            control: control, sequence: near.randomElement(using: &generator) ?? 0,
            acknowledgement: near.randomElement(using: &generator) ?? 0,
            channelID: .random(in: 0...3, using: &generator), payload: payload[...]
        ).encoded
    }

    @Test("no order of calls and bytes traps, and every notice keeps its promise", arguments: LinkMachine.Side.allCases)
    func operations(side: LinkMachine.Side) {
        var reached: Set<LinkPhase> = []
        for seed in 0..<1500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var parameters = side == .accessory ? LinkParameters.accessory : .device
            parameters.sendQueueLimit = 4
            parameters.synchronization.maximumRetransmissions = 2
            var machine = LinkMachine(
                side: side, parameters: parameters, initialSequence: side == .accessory ? 0 : 0x2D)
            var model = Model()
            var now: UInt64 = 0
            for step in 0..<60 {
                var output = LinkOutput()
                switch Int.random(in: 0..<20, using: &generator) {
                case 0: machine.start(now: now, into: &output)
                case 1, 2: machine.receive(LinkDetection.bytes[...], now: now, into: &output)
                case 3...11:
                    var bytes = Self.packet(&generator)
                    if generator.chance(percent: 30) { bytes += Self.packet(&generator) }
                    if generator.chance(percent: 5) { bytes[.random(in: 0..<bytes.count, using: &generator)] ^= 4 }
                    for chunk in Chunker.random(seed: seed, maximum: 40).chunks(bytes[...]) {
                        machine.receive(chunk, now: now, into: &output)
                    }
                case 12: machine.receive(generator.bytes(10)[...], now: now, into: &output)
                case 13...15:
                    do throws(LinkSendError) {
                        try machine.send(
                            generator.bytes(.random(in: 0...80, using: &generator)), on: .control, now: now,
                            into: &output)
                    } catch {
                        #expect(output.isEmpty, "a refused send put something out, seed \(seed) step \(step)")
                    }
                case 16, 17:
                    now = max(now, machine.nextDeadline ?? now)
                    machine.deadlineReached(now: now, into: &output)
                case 18:
                    now += .random(in: 0...3_000_000_000, using: &generator)
                    machine.deadlineReached(now: now, into: &output)
                default:
                    if generator.chance(percent: 10) { machine.close(now: now, into: &output) }
                }
                reached.insert(machine.phase)
                model.take(output, machine, "\(side) seed \(seed) step \(step)")
            }
        }
        #expect(reached.count == LinkPhase.allCases.count)
    }
}
