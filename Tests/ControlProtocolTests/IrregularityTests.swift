import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Oddities that do not end a session")
struct IrregularityTests {
    private func odd(_ text: String) throws -> [ControlIrregularity] {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "active"))
        let bytes = hex(text)
        end.receive(
            ControlMessage(
                MessageID(UInt16(bytes[0]) << 8 | UInt16(bytes[1])),
                parameters: ControlParameters(encoded: bytes[2...], offset: ControlMessage.headerLength)))
        #expect(end.machine.phase == .active)
        return end.notices.compactMap {
            if case .irregularity(let irregularity) = $0 { irregularity } else { nil }
        }
    }

    @Test("each names rule, message, parameter, place, side and reaction")
    func rows() throws {
        let rows: [(String, ControlRule, UInt16?, UInt64, ControlReaction)] = [
            ("12 34", .unknownMessage, nil, 4, .keep), ("AE 03", .wrongSender, nil, 4, .drop),
            ("4E 09 00 05 00 07 01", .unknownParameter, 7, 10, .keep),
            ("4E 09 00 05 00 00 01", .malformedParameter, 0, 10, .keep),
            ("4E 09 00 07 00 00 65 6E 00 00 07 00 00 65 6E 00", .repeatedParameter, 0, 17, .keep),
            ("4E 09 00 03", .brokenParameters, nil, 6, .keep),
        ]
        for (text, rule, parameter, offset, reaction) in rows {
            let found = try #require(try odd(text).first, "\(text)")
            #expect(found.rule == rule, "\(text)")
            #expect(found.parameter == parameter, "\(text)")
            #expect(found.offset == offset, "\(text)")
            #expect(found.fault == .peer)
            #expect(found.reaction == reaction, "\(text)")
            #expect(found.description.contains(rule.rawValue) && found.description.contains("offset \(offset)"))
        }
    }

    @Test("places inside of groups are told by the message's bytes")
    func groups() throws {
        // 5001, group 0: unknown 0x63, then a title without end.
        let found = try odd("50 01 00 0E 00 00 00 05 00 63 01 00 05 00 01 41")
        #expect(found.map(\.rule) == [.unknownParameter, .malformedParameter, .notListed, .subscription])
        #expect(found.map(\.offset) == [14, 19, 4, 4])
    }

    @Test("a message full of oddities is told in a few")
    func bounded() throws {
        let text = "4E 09 " + String(repeating: "00 04 00 63 ", count: 500)
        #expect(try odd(text).count == 8)
    }

    @Test("a message without oddities is passed on without a word")
    func quiet() throws {
        #expect(try odd("4E 09 00 07 00 00 65 6E 00") == [])
    }

    @Test("what the unit did not list is passed on and told")
    func notListed() throws {
        var end = ControlEnd(try AccessoryMatrixTests.machine(in: "active"))
        end.receive(MessageID(0x5001))
        guard case .irregularity(let found)? = end.notices.first else {
            Issue.record("nothing told")
            return
        }
        #expect(found.rule == .notListed && found.reaction == .keep)
        #expect(end.notices.last == .received(ControlMessage(MessageID(0x5001))))
    }
}
