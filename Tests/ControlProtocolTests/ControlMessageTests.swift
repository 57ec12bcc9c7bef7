import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("ControlMessage")
struct ControlMessageTests {
    @Test("known messages are read with their parameters", arguments: ControlVector.all)
    func parses(vector: ControlVector) throws {
        let message = try ControlMessage(parsing: vector.bytes[...])
        #expect(message.id == MessageID(vector.id))
        let parameters = try message.parameters.all()
        #expect(parameters.map(\.id) == vector.parameters.map(\.0))
        #expect(parameters.map { Array($0.value) } == vector.parameters.map { hex($0.1) })
    }

    @Test("known messages are built byte for byte", arguments: ControlVector.all)
    func encodes(vector: ControlVector) throws {
        var parameters = ControlParameters()
        for (id, value) in vector.parameters { try parameters.append(id, bytes: hex(value)) }
        let message = ControlMessage(MessageID(vector.id), parameters: parameters)
        #expect(try message.encoded() == vector.bytes)
        #expect(message.encodedLength == vector.bytes.count)
    }

    @Test("a wrong start, length or cut is refused where it is")
    func refuses() {
        let rows: [(String, Int)] = [
            ("", 0), ("40", 1), ("41 40 00 06 AA 00", 0), ("40 41 00 06 AA 00", 1), ("40 40 00", 2),
            ("40 40 00 05 AA", 2),
            ("40 40 00 06 AA", 2), ("40 40 00 06 AA 00 00", 2), ("40 40 00 00 AA 00", 2),
        ]
        for (text, offset) in rows {
            #expect("\(text)") {
                _ = try ControlMessage(parsing: hex(text)[...])
            } throws: {
                ($0 as? WireError)?.offset == offset
            }
        }
    }

    @Test("the longest message is built and read, one byte more is refused")
    func limit() throws {
        var parameters = ControlParameters()
        try parameters.append(1, bytes: [UInt8](repeating: 3, count: 65_535 - 6 - 4))
        let longest = ControlMessage(MessageID(0x1234), parameters: parameters)
        let bytes = try longest.encoded()
        #expect(bytes.count == 65_535)
        #expect(try ControlMessage(parsing: bytes[...]) == longest)
        parameters.appendFlag(2)
        #expect(throws: WireError.self) { try ControlMessage(MessageID(0x1234), parameters: parameters).encoded() }
    }
}

@Suite("MessageID")
struct MessageIDTests {
    @Test("the table is in order, so that every entry is found")
    func order() {
        let known = MessageID.known
        #expect(known == known.sorted())
        #expect(Set(known).count == known.count)
        for id in known {
            #expect(id.name?.isEmpty == false, "\(id)")
            #expect(id.sender != nil)
        }
    }

    @Test("unknown numbers keep their number")
    func unknown() {
        for id in [0x0000, 0x00FF, 0x4E02, 0xD502, 0xFFFF] as [UInt16] {
            #expect(MessageID(id).name == nil)
            #expect(MessageID(id).sender == nil)
        }
        #expect(MessageID(0x00FF).description == "0x00FF")
        #expect(MessageID(0xAA00).description == "0xAA00 RequestAuthenticationCertificate")
    }

    @Test("who sends what")
    func senders() {
        #expect(MessageID.requestAuthenticationCertificate.sender == .device)
        #expect(MessageID.authenticationCertificate.sender == .accessory)
        #expect(MessageID.carPlayStartSession.sender == .accessory)
        #expect(MessageID.displayDeclaration.sender == .accessory)
        #expect(MessageID.phoneCondition.sender == .device)
    }

    @Test("authentication and identification are the framework")
    func framework() {
        let framework = MessageID.known.filter(\.isFramework).map(\.rawValue)
        #expect(
            framework == [
                0x1D00, 0x1D01, 0x1D02, 0x1D03, 0x1D05, 0x1D06, 0xAA00, 0xAA01, 0xAA02, 0xAA03, 0xAA04, 0xAA05, 0xAA06,
            ])
        #expect(MessageID(0xAA77).isFramework)
    }
}
