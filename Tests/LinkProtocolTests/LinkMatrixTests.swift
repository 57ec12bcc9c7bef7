import LinkProtocol
import Testing
import WireBytes

/// Every state of both ends meets every event, and every cell says what comes of it.
///
/// A cell reads "phase: packets sent; notices". Packets are D (detection), S (offer), SA (answer), A (acknowledgement), P
/// (payload), R (reset); notices are their case names; an error of `send` is in brackets.
@Suite("LinkMachine: every event in every state")
struct LinkMatrixTests {
    static let events = [
        "start", "detection", "offer", "answer", "acknowledgement", "payload", "reset", "too long", "garbage",
        "deadline early", "deadline", "send", "close", "other offer", "unreadable offer", "other answer",
        "unreadable answer", "late answer", "ahead", "far ahead", "again", "missing", "sleep",
    ]

    static func accessory(in state: String) -> LinkEnd {
        var parameters = LinkParameters.accessory
        parameters.restatement = .answer
        if state == "without" { return LinkWithoutAcknowledgementsTests.accessory() }
        var end = LinkEnd(.accessory, parameters)
        if state == "idle" { return end }
        end.start()
        if state == "detecting" { return end }
        end.receive(LinkDetection.bytes)
        if state == "synchronizing" { return end }
        if state == "restated" {
            end.receive(LinkCounterOfferTests.answer(9, to: 0, illegal))
            return end
        }
        end.receive(LinkVector.all[1].bytes)
        if state == "established" { return end }
        if state == "in flight" {
            try? end.send([1])
            return end
        }
        end.close()
        return end
    }

    static func device(in state: String) -> LinkEnd {
        var end = LinkEnd(.device, sequence: 0x2D)
        if state == "idle" { return end }
        end.start()
        if state == "detecting" { return end }
        end.receive(LinkDetection.bytes)
        if state == "synchronizing" { return end }
        if state == "countered" {
            end.receive(LinkCounterOfferTests.offer(0, illegal))
            return end
        }
        end.receive(LinkVector.all[0].bytes)
        if state == "answered" { return end }
        end.receive(ack(0, 0x2D))
        if state == "established" { return end }
        if state == "in flight" {
            try? end.send([1])
            return end
        }
        end.close()
        return end
    }

    /// A proposal that neither side takes.
    static let illegal = LinkSynchronization.accessoryDefault.changed { $0.maximumRetransmissions = 31 }

    static func outcome(of event: String, on start: LinkEnd) -> String {
        var end = start
        let isAccessory = end.machine.side == .accessory
        var failure = ""
        switch event {
        case "start": end.start(at: 1)
        case "detection": end.receive(LinkDetection.bytes, at: 1)
        case "offer": end.receive(LinkVector.all[0].bytes, at: 1)
        case "answer": end.receive(LinkVector.all[1].bytes, at: 1)
        case "acknowledgement": end.receive(isAccessory ? ack(0x2D, end.ownSequence) : ack(0, 0x2D), at: 1)
        case "payload": end.receive(isAccessory ? data(0x2E, 0) : data(1, 0x2D), at: 1)
        case "reset": end.receive(reset, at: 1)
        case "too long": end.receive([0xFF, 0x5A, 0xFF, 0xFF, 0x40, 0, 0, 0, 0x69], at: 1)
        case "garbage": end.receive([0, 0xFF, 0xFF, 0x5B], at: 1)
        case "deadline early": end.deadline(at: 1)
        case "deadline": end.deadline(at: 30 * second)
        case "send":
            do {
                try end.send([1], at: 1)
            } catch {
                failure = " [\(error)]".replacing("LinkProtocol.LinkPhase.", with: "")
            }
        case "close": end.close(at: 1)
        case "other offer": end.receive(LinkCounterOfferTests.offer(9, illegal), at: 1)
        case "unreadable offer":
            end.receive(LinkPacket(control: .synchronize, sequence: 9, acknowledgement: 0), at: 1)
        case "other answer":
            end.receive(LinkCounterOfferTests.answer(9, to: end.ownSequence, illegal), at: 1)
        case "unreadable answer":
            end.receive(
                LinkPacket(
                    control: [.synchronize, .acknowledge], sequence: 9, acknowledgement: end.ownSequence), at: 1)
        case "late answer": end.receive(LinkCounterOfferTests.answer(9, to: 0x99, .deviceDefault), at: 1)
        case "ahead": end.receive(isAccessory ? data(0x30, 0) : data(3, 0x2D), at: 1)
        case "far ahead": end.receive(isAccessory ? data(0xAC, 0) : data(0x7F, 0x2D, [1]), at: 1)
        case "again": end.receive(isAccessory ? data(0x2D, 0) : data(0, 0x2D), at: 1)
        case "missing": end.receive(isAccessory ? eak(0x2D, 0, [1]) : eak(0, 0x2D, [0x2E]), at: 1)
        case "sleep": end.receive(LinkPacket(control: .sleep, sequence: 0, acknowledgement: 0), at: 1)
        default: preconditionFailure("no event \(event)")
        }
        let packets = end.packets.map(kind).joined(separator: " ")
        let told = end.irregularities.map { "!\($0.rule.rawValue)" }
        let notices = (end.notices.map { String("\($0)".prefix { $0 != "(" }) } + told).joined(separator: " ")
        if end.machine.phase == start.machine.phase, packets.isEmpty, notices.isEmpty { return "-\(failure)" }
        return "\(end.machine.phase.rawValue): \(packets);\(notices.isEmpty ? "" : " ")\(notices)\(failure)"
    }

    static func kind(_ bytes: [UInt8]) -> String {
        if bytes == LinkDetection.bytes { return "D" }
        guard case .packet(let packet) = LinkProtocolTests.decode([bytes[...]]).first else { return "?" }
        if packet.control.contains(.reset) { return "R" }
        if packet.control.contains(.synchronize) { return packet.control.contains(.acknowledge) ? "SA" : "S" }
        if packet.control.contains(.extendedAcknowledge) { return "E" }
        return packet.payload.isEmpty ? "A" : "P"
    }

    @Test("accessory", arguments: 0..<accessoryRows.count)
    func accessory(row: Int) {
        let (state, cells) = Self.accessoryRows[row]
        check(state, cells, Self.accessory(in: state))
    }

    @Test("device", arguments: 0..<deviceRows.count)
    func device(row: Int) {
        let (state, cells) = Self.deviceRows[row]
        check(state, cells, Self.device(in: state))
    }

    private func check(_ state: String, _ cells: [String: String], _ end: LinkEnd) {
        #expect(cells.count == Self.events.count)
        for event in Self.events {
            #expect(Self.outcome(of: event, on: end) == cells[event], "\(event) in \(state)")
        }
    }
}
