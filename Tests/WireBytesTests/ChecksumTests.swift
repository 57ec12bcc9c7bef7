import Testing
import WireBytes

@Suite("Checksum")
struct ChecksumTests {
    @Test(
        "captured headers and payloads add up",
        arguments: [
            ("FF 5A 00 09 40 00 2D 00", 0x31 as UInt8),
            ("FF 5A 00 1A C0 2D 00 00", 0xA0),
            ("40 40 00 06 AA 00", 0xD0),
            ("02 00 EE", 0x10),
            ("", 0x00),
            ("00 00", 0x00),
            ("80 80", 0x00),
            ("01", 0xFF),
        ])
    func vectors(text: String, checksum: UInt8) throws {
        let bytes = try HexText.parse(text)
        #expect(Checksum.twosComplement(of: bytes[...]) == checksum)
        #expect(Checksum.isValid((bytes + [checksum])[...]))
        #expect(!Checksum.isValid((bytes + [checksum &+ 1])[...]))
    }

    @Test("nothing is not valid")
    func empty() {
        #expect(!Checksum.isValid([]))
        #expect(Checksum.isValid([0]))
    }

    @Test("every single wrong bit is found")
    func singleBits() throws {
        let packet = try HexText.parse("FF 5A 00 09 40 00 2D 00 31")
        for index in packet.indices {
            for bit in 0..<8 {
                var spoiled = packet
                spoiled[index] ^= 1 << UInt8(bit)
                #expect(!Checksum.isValid(spoiled[...]), "byte \(index), bit \(bit)")
            }
        }
    }
}
