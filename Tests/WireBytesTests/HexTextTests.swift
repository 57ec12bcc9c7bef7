import Testing
import WireBytes

@Suite("HexText")
struct HexTextTests {
    @Test(
        "pairs parse, with or without space between them",
        arguments: [
            ("", [] as [UInt8]), ("  \n\t", []), ("00", [0]), ("fF5a", [0xFF, 0x5A]),
            ("FF 5A\n02\t00\r\n", [255, 90, 2, 0]),
        ])
    func parses(text: String, bytes: [UInt8]) throws {
        #expect(try HexText.parse(text) == bytes)
    }

    @Test(
        "what is no pair is refused where it stands",
        arguments: [("F", 1), ("FF 5", 4), ("F F", 1), ("FFxx", 2), ("FFé0", 2), ("G0", 0), ("0x00", 1)])
    func refuses(text: String, offset: Int) {
        #expect {
            _ = try HexText.parse(text)
        } throws: {
            ($0 as? WireError)?.offset == offset
        }
    }

    @Test("formatted bytes parse back")
    func roundTrip() throws {
        let all = (0...255).map { UInt8($0) }
        #expect(try HexText.parse(HexText.format(all)) == all)
        #expect(HexText.format([0x0A, 0xB0]) == "0A B0")
        #expect(HexText.format([]) == "")
    }

    @Test("a dump has offsets, pairs and the printable characters")
    func dump() {
        let bytes: [UInt8] = Array("Dashrig plays both".utf8) + [0, 0x7F]
        #expect(
            HexText.dump(bytes[...]) == """
                0000  44 61 73 68 72 69 67 20 70 6C 61 79 73 20 62 6F  Dashrig plays bo
                0010  74 68 00 7F                                      th..
                """)
        #expect(HexText.dump([]) == "")
    }

    @Test("a dump stops at its limit and says so", arguments: [(15, "... 1 more bytes"), (0, "... 16 more bytes")])
    func dumpLimit(limit: Int, last: String) {
        let bytes = [UInt8](repeating: 0x20, count: 16)
        let lines = HexText.dump(bytes[...], limit: limit).split(separator: "\n")
        #expect(lines.last.map(String.init) == last)
        #expect(HexText.dump(bytes[...], limit: 16).split(separator: "\n").count == 1)
        #expect(HexText.dump(bytes[...], limit: -1).hasSuffix("16 more bytes"))
    }
}
