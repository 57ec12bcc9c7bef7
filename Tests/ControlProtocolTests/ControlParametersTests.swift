import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("ControlParameters")
struct ControlParametersTests {
    @Test("every type is written as its layout says and read back")
    func types() throws {
        var parameters = ControlParameters()
        parameters.append(0, 0x12 as UInt8)
        parameters.append(1, -480 as Int16)
        parameters.append(2, 0x0102_0304 as UInt32)
        parameters.append(3, Int64.min)
        parameters.append(4, true)
        parameters.append(5, false)
        try parameters.append(6, text: "höhe")
        try parameters.append(7, bytes: [1, 2, 3])
        parameters.appendFlag(8)
        try parameters.append(9, messageIDs: [.identificationAccepted, .deviceTransportIdentifierNotification])
        var inner = ControlParameters()
        inner.append(1, 5 as UInt8)
        try parameters.append(10, group: inner)
        #expect(
            Array(parameters.encoded)
                == hex(
                    """
                    0005 0000 12  0006 0001 FE20  0008 0002 01020304  000C 0003 8000000000000000  0005 0004 01
                    0005 0005 00  000A 0006 68C3B6686500  0007 0007 010203  0004 0008  0008 0009 1D024E0E
                    0009 000A 0005 0001 05
                    """))
        #expect(try parameters.required(0).integer(UInt8.self) == 0x12)
        #expect(try parameters.required(1).integer(Int16.self) == -480)
        #expect(try parameters.required(2).integer(UInt32.self) == 0x0102_0304)
        #expect(try parameters.required(3).integer(Int64.self) == .min)
        #expect(try parameters.required(4).boolean())
        #expect(try !parameters.required(5).boolean())
        #expect(try parameters.required(6).text() == "höhe")
        #expect(try parameters.required(7).bytes() == [1, 2, 3])
        #expect(try parameters.hasFlag(8))
        #expect(try !parameters.hasFlag(11))
        #expect(
            try parameters.required(9).messageIDs() == [
                .identificationAccepted, .deviceTransportIdentifierNotification,
            ])
        #expect(try parameters.required(10).group().required(1).integer(UInt8.self) == 5)
        #expect(try parameters.all().count == 11)
    }

    @Test("packed message numbers are read as pairs, not as bytes")
    func pairs() throws {
        // CAT's test: 024E stands across the boundary of two numbers and must not be found.
        let list = try ControlParameter(id: 6, value: hex("1D 02 4E 0E AE 00 4E 0A")[...]).messageIDs()
        #expect(list.map(\.rawValue) == [0x1D02, 0x4E0E, 0xAE00, 0x4E0A])
        #expect(!list.contains(MessageID(0x024E)))
    }

    static let broken: [(String, WireError)] = [
        ("00", WireError(.truncated(needed: 2, available: 1), offset: 6)),
        ("00 04", WireError(.truncated(needed: 2, available: 0), offset: 8)),
        ("00 04 00", WireError(.truncated(needed: 2, available: 1), offset: 8)),
        (
            "00 03 00 01",
            WireError(.outOfRange(value: 3, minimum: 4, maximum: 65_535), offset: 6, field: "parameter length")
        ),
        (
            "00 00 00 01",
            WireError(.outOfRange(value: 0, minimum: 4, maximum: 65_535), offset: 6, field: "parameter length")
        ),
        ("00 05 00 07", WireError(.truncated(needed: 1, available: 0), offset: 10, field: "parameter 7")),
        (
            "00 04 00 01 FF FF 00 02 00",
            WireError(.truncated(needed: 65_531, available: 1), offset: 14, field: "parameter 2")
        ),
    ]

    @Test("lengths that do not add up are refused where they stand in the message", arguments: 0..<broken.count)
    func refusesBroken(index: Int) {
        let (text, error) = Self.broken[index]
        let parameters = ControlParameters(encoded: hex(text)[...], offset: 6)
        #expect(throws: error) { try parameters.all() }
    }

    @Test("a value of another width is refused, not cut")
    func width() {
        let one = ControlParameter(id: 3, value: [1], offset: 20)
        let three = ControlParameter(id: 3, value: [1, 2, 3], offset: 20)
        #expect(throws: WireError(.truncated(needed: 2, available: 1), offset: 20, field: "parameter 3")) {
            try one.integer(UInt16.self)
        }
        #expect(throws: WireError(.excess(limit: 2, actual: 3), offset: 22, field: "parameter 3")) {
            try three.integer(UInt16.self)
        }
        #expect(throws: WireError(.truncated(needed: 2, available: 1), offset: 22, field: "parameter 3")) {
            try three.integers()
        }
        #expect(throws: WireError(.excess(limit: 0, actual: 1), offset: 20, field: "parameter 3")) { try one.flag() }
        #expect(throws: WireError(.excess(limit: 2, actual: 3), offset: 20, field: "parameter 3")) {
            try three.bytes(limit: 2)
        }
        #expect(
            throws: WireError(.outOfRange(value: 2, minimum: 0, maximum: 1), offset: 20, field: "parameter 3")
        ) {
            try ControlParameter(id: 3, value: [2], offset: 20).boolean()
        }
    }

    @Test(
        "text needs its NUL, only one, and UTF-8",
        arguments: ["", "61", "61 00 62", "61 00 62 00", "FF 00", "C3 00", "ED A0 80 00"])
    func text(bytes: String) {
        let parameter = ControlParameter(id: 0, value: hex(bytes)[...], offset: 10)
        #expect(throws: WireError(.invalidText, offset: 10, field: "parameter 0")) { try parameter.text() }
    }

    @Test("text is taken up to its limit in bytes")
    func textLimit() throws {
        let parameter = ControlParameter(id: 0, value: Array("höhe\0".utf8)[...])
        #expect(try parameter.text(limit: 5) == "höhe")
        #expect(throws: WireError(.excess(limit: 4, actual: 5), offset: 0, field: "parameter 0")) {
            try parameter.text(limit: 4)
        }
        #expect(try ControlParameter(id: 0, value: [0]).text(limit: 0) == "")
    }

    @Test("text with a NUL of its own is not written")
    func nulInText() {
        var parameters = ControlParameters()
        #expect(throws: WireError.self) { try parameters.append(0, text: "a\0b") }
        #expect(parameters.isEmpty)
    }

    @Test("one parameter is one parameter")
    func repeated() throws {
        var parameters = ControlParameters()
        parameters.append(13, 1 as UInt8)
        parameters.append(13, 2 as UInt8)
        #expect(throws: WireError(.repeated, offset: 9, field: "parameter 13")) { try parameters.required(13) }
        #expect(throws: WireError(.missing, offset: 0, field: "parameter 5")) { try parameters.required(5) }
        #expect(try parameters.first(5) == nil)
        #expect(try parameters.all(13).map { try $0.integer(UInt8.self) } == [1, 2])
    }

    @Test("the longest value is written, one byte more is refused")
    func valueLimit() throws {
        var parameters = ControlParameters()
        try parameters.append(1, bytes: [UInt8](repeating: 0, count: 65_531))
        #expect(parameters.encoded.count == 65_535)
        #expect(throws: WireError(.excess(limit: 65_531, actual: 65_532), offset: 65_535, field: "parameter 2")) {
            try parameters.append(2, bytes: [UInt8](repeating: 0, count: 65_532))
        }
        #expect(throws: WireError.self) { try parameters.append(2, integers: [UInt16](repeating: 0, count: 32_766)) }
        #expect(parameters.encoded.count == 65_535)
    }

    @Test("parameters are taken up to their number")
    func count() throws {
        var parameters = ControlParameters()
        for _ in 0..<1024 { parameters.appendFlag(1) }
        #expect(try parameters.all().count == 1024)
        parameters.appendFlag(1)
        #expect(throws: WireError.self) { try parameters.all() }
    }

    @Test("equal bytes are equal wherever they stand")
    func equality() {
        let bytes = hex("FF 00 04 00 01")
        #expect(
            ControlParameters(encoded: bytes[1...], offset: 99) == ControlParameters(encoded: hex("00 04 00 01")[...]))
        #expect(ControlParameter(id: 1, value: bytes[1...], offset: 3) == ControlParameter(id: 1, value: bytes[1...]))
        #expect(ControlParameter(id: 1, value: bytes[1...]) != ControlParameter(id: 2, value: bytes[1...]))
    }
}
