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
        "deadline early", "deadline", "send", "close",
    ]

    static func accessory(in state: String) -> LinkEnd {
        var end = LinkEnd(.accessory)
        if state == "idle" { return end }
        end.start()
        if state == "detecting" { return end }
        end.receive(LinkDetection.bytes)
        if state == "synchronizing" { return end }
        end.receive(LinkVector.all[1].bytes)
        if state == "established" { return end }
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
        end.receive(LinkVector.all[0].bytes)
        if state == "answered" { return end }
        end.receive(ack(0, 0x2D))
        if state == "established" { return end }
        end.close()
        return end
    }

    static func outcome(of event: String, on start: LinkEnd) -> String {
        var end = start
        let isAccessory = end.machine.side == .accessory
        var failure = ""
        switch event {
        case "start": end.start(at: 1)
        case "detection": end.receive(LinkDetection.bytes, at: 1)
        case "offer": end.receive(LinkVector.all[0].bytes, at: 1)
        case "answer": end.receive(LinkVector.all[1].bytes, at: 1)
        case "acknowledgement": end.receive(isAccessory ? ack(0x2D, 0) : ack(0, 0x2D), at: 1)
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
        default: preconditionFailure("no event \(event)")
        }
        let packets = end.packets.map(kind).joined(separator: " ")
        let notices = end.notices.map { String("\($0)".prefix { $0 != "(" }) }.joined(separator: " ")
        if end.machine.phase == start.machine.phase, packets.isEmpty, notices.isEmpty { return "-\(failure)" }
        return "\(end.machine.phase.rawValue): \(packets);\(notices.isEmpty ? "" : " ")\(notices)\(failure)"
    }

    static func kind(_ bytes: [UInt8]) -> String {
        if bytes == LinkDetection.bytes { return "D" }
        guard case .packet(let packet) = LinkProtocolTests.decode([bytes[...]]).first else { return "?" }
        if packet.control.contains(.reset) { return "R" }
        if packet.control.contains(.synchronize) { return packet.control.contains(.acknowledge) ? "SA" : "S" }
        return packet.payload.isEmpty ? "A" : "P"
    }

    /// One row per state, one cell per event in the order of `events`.
    static let accessoryRows: [(String, [String])] = [
        (
            "idle",
            [
                "detecting: D;", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "- [notEstablished(idle)]",
                "closed: ; closed",
            ]
        ),
        (
            "detecting",
            [
                "-", "synchronizing: S; detected", "-", "-", "-", "-", "-", "-", "-", "-", "closed: ; closed",
                "- [notEstablished(detecting)]", "closed: ; closed",
            ]
        ),
        (
            "synchronizing",
            [
                "-", "-", "closed: R; closed", "established: A; established", "-", "-", "closed: ; closed", "-", "-",
                "-", "closed: ; closed", "- [notEstablished(synchronizing)]", "closed: R; closed",
            ]
        ),
        (
            "established",
            [
                "-", "-", "-", "established: A;", "-", "established: ; received", "closed: ; closed",
                "closed: R; closed", "-", "-", "-", "established: P;", "closed: R; closed",
            ]
        ),
        (
            "closed",
            ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "- [notEstablished(closed)]", "-"]
        ),
    ]

    static let deviceRows: [(String, [String])] = [
        (
            "idle",
            [
                "detecting: ;", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "- [notEstablished(idle)]",
                "closed: ; closed",
            ]
        ),
        (
            "detecting",
            [
                "-", "synchronizing: D; detected", "synchronizing: SA; detected", "-", "-", "-", "-", "-", "-", "-",
                "closed: ; closed", "- [notEstablished(detecting)]", "closed: ; closed",
            ]
        ),
        (
            "synchronizing",
            [
                "-", "synchronizing: D;", "synchronizing: SA;", "-", "-", "-", "closed: ; closed", "-", "-", "-",
                "closed: ; closed", "- [notEstablished(synchronizing)]", "closed: ; closed",
            ]
        ),
        (
            "answered",
            [
                "-", "synchronizing: D;", "synchronizing: SA;", "-", "established: ; established",
                "established: ; established received", "closed: ; closed", "-", "-", "-", "closed: ; closed",
                "- [notEstablished(synchronizing)]", "closed: R; closed",
            ]
        ),
        (
            "established",
            [
                "-", "synchronizing: D; restarted", "established: SA;", "-", "-", "established: ; received",
                "closed: ; closed",
                // A phone takes packets of any length that the field can tell.
                "-", "-", "-", "-", "established: P;", "closed: R; closed",
            ]
        ),
        (
            "closed",
            ["-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "- [notEstablished(closed)]", "-"]
        ),
    ]

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

    private func check(_ state: String, _ cells: [String], _ end: LinkEnd) {
        #expect(cells.count == Self.events.count)
        for (event, cell) in zip(Self.events, cells) {
            #expect(Self.outcome(of: event, on: end) == cell, "\(event) in \(state)")
        }
    }
}
