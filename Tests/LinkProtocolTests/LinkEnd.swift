import LinkProtocol
import Testing
import WireBytes

/// What a link told, with the bytes of payloads in place of their places.
enum TestNotice: Equatable {
    case detected
    case established(LinkAgreement)
    case received(channel: LinkChannel, payload: [UInt8])
    case countered(round: Int, field: LinkParameterError.Field)
    case restarted
    case closed(LinkFailure)
}

/// One end under test: calls in, what came out as packets and notices.
struct LinkEnd {
    var machine: LinkMachine
    /// What the last call put out.
    var packets: [[UInt8]] = []
    var notices: [TestNotice] = []
    /// Those of them that are irregularities are here.
    var irregularities: [LinkIrregularity] = []

    init(_ side: LinkMachine.Side, _ parameters: LinkParameters? = nil, sequence: UInt8 = 0) {
        machine = LinkMachine(
            side: side, parameters: parameters ?? (side == .accessory ? .accessory : .device),
            initialSequence: sequence)
    }

    private mutating func call(_ body: (inout LinkMachine, inout LinkOutput) -> Void) {
        var output = LinkOutput()
        body(&machine, &output)
        packets = output.packets.map { Array($0) }
        notices = []
        irregularities = []
        for notice in output.notices {
            switch notice {
            case .detected: notices.append(.detected)
            case .established(let agreement): notices.append(.established(agreement))
            case .received(let channel, let payload):
                notices.append(.received(channel: channel, payload: Array(output.payloads[payload])))
            case .countered(let round, let reason): notices.append(.countered(round: round, field: reason.field))
            case .irregularity(let irregularity): irregularities.append(irregularity)
            case .restarted: notices.append(.restarted)
            case .closed(let failure): notices.append(.closed(failure))
            }
        }
        #expect(packets.flatMap { $0 } == output.transmit)
    }

    mutating func start(at now: UInt64 = 0) { call { $0.start(now: now, into: &$1) } }
    mutating func receive(_ bytes: [UInt8], at now: UInt64 = 0) { call { $0.receive(bytes[...], now: now, into: &$1) } }
    mutating func receive(_ text: String, at now: UInt64 = 0) { receive(hex(text), at: now) }
    mutating func receive(_ packet: LinkPacket, at now: UInt64 = 0) { receive(packet.encoded, at: now) }
    mutating func deadline(at now: UInt64) { call { $0.deadlineReached(now: now, into: &$1) } }
    mutating func close(at now: UInt64 = 0) { call { $0.close(now: now, into: &$1) } }

    mutating func send(_ payload: [UInt8], on channel: LinkChannel = .control, at now: UInt64 = 0) throws {
        var failure: LinkSendError?
        call { machine, output in
            do throws(LinkSendError) {
                try machine.send(payload, on: channel, now: now, into: &output)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// The number of the last synchronisation packet, as the helpers of these tests make them.
    var ownSequence: UInt8 {
        sent.last { $0.control.contains(.synchronize) }?.sequence ?? (machine.side == .device ? 0x2D : 0)
    }

    /// The packets of the last call, read.
    var sent: [LinkPacket] {
        LinkProtocolTests.decode(packets.map { $0[...] }).compactMap {
            if case .packet(let packet) = $0 { packet } else { nil }
        }
    }

    /// An accessory that is up: its number is 0, the phone's 2D.
    static func establishedAccessory(_ change: (inout LinkParameters) -> Void = { _ in }) -> LinkEnd {
        var parameters = LinkParameters.accessory
        change(&parameters)
        var end = LinkEnd(.accessory, parameters)
        end.start()
        end.receive(LinkDetection.bytes)
        var answer = parameters.synchronization
        answer.maximumOutstandingPackets = 127
        answer.maximumPacketLength = 65_535
        end.receive(synchronization([.synchronize, .acknowledge], sequence: 0x2D, acknowledgement: 0, answer))
        #expect(end.machine.phase == .established)
        return end
    }

    /// A phone that is up: its number is 2D, the accessory's 0.
    static func establishedDevice(
        _ offer: LinkSynchronization = .accessoryDefault, _ change: (inout LinkParameters) -> Void = { _ in }
    ) -> LinkEnd {
        var parameters = LinkParameters.device
        change(&parameters)
        var end = LinkEnd(.device, parameters, sequence: 0x2D)
        end.start()
        end.receive(LinkDetection.bytes)
        end.receive(synchronization(.synchronize, sequence: 0, acknowledgement: 0, offer))
        end.receive(ack(0, 0x2D))
        #expect(end.machine.phase == .established)
        return end
    }
}

extension LinkSynchronization {
    /// The same with something changed.
    func changed(_ change: (inout LinkSynchronization) -> Void) -> LinkSynchronization {
        var value = self
        change(&value)
        return value
    }
}

func synchronization(
    _ control: LinkPacket.Control, sequence: UInt8, acknowledgement: UInt8, _ value: LinkSynchronization
) -> LinkPacket {
    LinkPacket(control: control, sequence: sequence, acknowledgement: acknowledgement, payload: value.encoded[...])
}

func eak(_ sequence: UInt8, _ acknowledgement: UInt8, _ missing: [UInt8]) -> LinkPacket {
    LinkPacket(
        control: [.acknowledge, .extendedAcknowledge], sequence: sequence, acknowledgement: acknowledgement,
        payload: missing[...])
}

func ack(_ sequence: UInt8, _ acknowledgement: UInt8) -> LinkPacket {
    LinkPacket(control: .acknowledge, sequence: sequence, acknowledgement: acknowledgement)
}

func data(_ sequence: UInt8, _ acknowledgement: UInt8, _ payload: [UInt8] = [7], channel: UInt8 = 1) -> LinkPacket {
    LinkPacket(
        control: .acknowledge, sequence: sequence, acknowledgement: acknowledgement, channelID: channel,
        payload: payload[...])
}

let reset = LinkPacket(control: .reset, sequence: 0, acknowledgement: 0)
let second: UInt64 = 1_000_000_000
