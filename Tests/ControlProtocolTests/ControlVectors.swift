import ControlProtocol
import Testing
import WireBytes

/// Messages as bytes, with their parameters. [C] from a published capture, [T] from a published unit test, [D] built from
/// the layout. Names and addresses of real devices are replaced.
struct ControlVector: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var id: UInt16
    var parameters: [(UInt16, String)] = []

    var testDescription: String { name }
    var bytes: [UInt8] { hex(text) }

    static let all: [ControlVector] = [
        ControlVector(name: "AA00 [C][T]", text: "40400006aa00", id: 0xAA00),
        ControlVector(
            name: "AA01, short certificate [T]", text: "40400011aa01000b000030820540422199", id: 0xAA01,
            parameters: [(0, "30820540422199")]),
        ControlVector(
            name: "AA02, 20 bytes [C]",
            text: "40 40 00 1E AA 02 00 18 00 00 BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C",
            id: 0xAA02,
            parameters: [(0, "BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C")]),
        ControlVector(
            name: "AA02, 32 bytes [T]", text: "4040002aaa0200240000" + String(repeating: "aa", count: 32), id: 0xAA02,
            parameters: [(0, String(repeating: "aa", count: 32))]),
        ControlVector(
            name: "AA03, 64 bytes [T]", text: "4040004aaa0300440000" + String(repeating: "bb", count: 64), id: 0xAA03,
            parameters: [(0, String(repeating: "bb", count: 64))]),
        ControlVector(name: "AA04 [T]", text: "40400006aa04", id: 0xAA04),
        ControlVector(name: "AA05 [C][T]", text: "40400006aa05", id: 0xAA05),
        ControlVector(name: "1D00 [C][T]", text: "404000061d00", id: 0x1D00),
        ControlVector(name: "1D02 [C][T]", text: "404000061d02", id: 0x1D02),
        ControlVector(
            name: "1D03, 3 and 7 refused [T]", text: "4040000e1d030004000300040007", id: 0x1D03,
            parameters: [(3, ""), (7, "")]),
        ControlVector(
            name: "1D03, 30, a part of 6, 20 refused [T]",
            text: "40 40 00 14 1D 03 00 04 00 1E 00 06 00 06 41 5A 00 04 00 14", id: 0x1D03,
            parameters: [(30, ""), (6, "41 5A"), (20, "")]),
        ControlVector(
            name: "4E09 [T]", text: "404000194e09001300004e6f637475726e652050686f6e6500", id: 0x4E09,
            parameters: [(0, "4e6f637475726e652050686f6e6500")]),
        ControlVector(
            name: "4E0A en [C][T]", text: "4040000d4e0a00070000656e00", id: 0x4E0A, parameters: [(0, "656e00")]),
        ControlVector(
            name: "4E0B [T]", text: "4040001d4e0b000c00000000000069f6bc7100060001fe98000500023c", id: 0x4E0B,
            parameters: [(0, "0000000069f6bc71"), (1, "fe98"), (2, "3c")]),
        ControlVector(
            name: "4E0B [C]",
            text: "40 40 00 1D 4E 0B 00 0C 00 00 00 00 00 00 6A 65 0E B0 00 06 00 01 FE 20 00 05 00 02 3C",
            id: 0x4E0B, parameters: [(0, "00 00 00 00 6A 65 0E B0"), (1, "FE 20"), (2, "3C")]),
        ControlVector(
            name: "4E0C [T]",
            text: """
                4040002f4e0c0029000035353065383430302d653239622d343164342d613731362d34343636353534343030303000
                """,
            id: 0x4E0C,
            parameters: [(0, "35353065383430302d653239622d343164342d613731362d34343636353534343030303000")]),
        ControlVector(
            name: "4E0D [C]", text: "40 40 00 0B 4E 0D 00 05 00 00 01", id: 0x4E0D, parameters: [(0, "01")]),
        ControlVector(
            name: "4E0E [D]",
            text: """
                40 40 00 39 4E 0E 00 16 00 00 30 32 3A 30 30 3A 30 30 3A 30 30 3A 30 30 3A 30 32 00 00 1D 00 01
                30 30 30 30 38 30 33 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 32 45 00
                """,
            id: 0x4E0E,
            parameters: [
                (0, "30 32 3A 30 30 3A 30 30 3A 30 30 3A 30 30 3A 30 32 00"),
                (1, "30 30 30 30 38 30 33 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 32 45 00"),
            ]),
        ControlVector(name: "5702 [C]", text: "40 40 00 06 57 02", id: 0x5702),
        ControlVector(
            name: "5703, name replaced [C]",
            text: """
                40 40 00 2B 57 03 00 0E 00 01 62 65 6E 63 68 2D 30 30 31 00 00 0D 00 02 31 32 33 34 35 36 37 38 00
                00 05 00 03 02 00 05 00 04 24
                """,
            id: 0x5703,
            parameters: [(1, "62 65 6E 63 68 2D 30 30 31 00"), (2, "31 32 33 34 35 36 37 38 00"), (3, "02"), (4, "24")]),
        ControlVector(
            name: "AA02, another 20 bytes [C]",
            text: "40 40 00 1E AA 02 00 18 00 00 61 24 CB D9 EA D5 CD 17 B3 A8 DD F0 4D AE D8 DB CE 05 2E E9",
            id: 0xAA02,
            parameters: [(0, "61 24 CB D9 EA D5 CD 17 B3 A8 DD F0 4D AE D8 DB CE 05 2E E9")]),
        ControlVector(
            name: "AA03, 128 bytes [C] layout",
            text: "40 40 00 8A AA 03 00 84 00 00" + String(repeating: " 5A", count: 128), id: 0xAA03,
            parameters: [(0, String(repeating: "5A", count: 128))]),
        ControlVector(
            name: "4300, wired yes, wireless no [D]",
            text: """
                40 40 00 35 43 00 00 26 00 00 00 05 00 00 01 00 1D 00 01 30 30 30 30 38 30 33 30 30 30 30 30 30 30 30 30
                30 30 30 30 30 30 32 45 00 00 09 00 01 00 05 00 00 00
                """,
            id: 0x4300,
            parameters: [
                (
                    0,
                    """
                    00 05 00 00 01 00 1D 00 01 30 30 30 30 38 30 33 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 32 45
                    00
                    """
                ), (1, "00 05 00 00 00"),
            ]),
        ControlVector(
            name: "4301, wired [D]",
            text: """
                40 40 00 68 43 01 00 10 00 00 00 0C 00 00 66 65 38 30 3A 3A 31 00 00 08 00 02 00 00 1B 58 00 16 00 03 30
                32 3A 30 30 3A 30 30 3A 30 30 3A 30 30 3A 30 31 00 00 29 00 04 30 30 30 30 30 30 30 30 2D 30 30 30 30 2D
                34 30 30 30 2D 38 30 30 30 2D 30 30 30 30 30 30 30 30 30 30 30 31 00 00 0B 00 05 34 35 30 2E 31 34 00
                """,
            id: 0x4301,
            parameters: [
                (0, "00 0C 00 00 66 65 38 30 3A 3A 31 00"), (2, "00 00 1B 58"),
                (3, "30 32 3A 30 30 3A 30 30 3A 30 30 3A 30 30 3A 30 31 00"),
                (
                    4,
                    """
                    30 30 30 30 30 30 30 30 2D 30 30 30 30 2D 34 30 30 30 2D 38 30 30 30 2D 30 30 30 30 30 30 30 30 30
                    30 30 31 00
                    """
                ), (5, "34 35 30 2E 31 34 00"),
            ]),
        ControlVector(
            name: "AE03 [D]", text: "40 40 00 11 AE 03 00 06 00 00 03 E8 00 05 00 01 01", id: 0xAE03,
            parameters: [(0, "03 E8"), (1, "01")]),
        ControlVector(
            name: "FFFA [D]", text: "40 40 00 0E FF FA 00 04 00 01 00 04 00 02", id: 0xFFFA,
            parameters: [(1, ""), (2, "")]),
        ControlVector(
            name: "6802 [D]", text: "40 40 00 12 68 02 00 06 00 00 00 01 00 06 00 01 01 00", id: 0x6802,
            parameters: [(0, "00 01"), (1, "01 00")]),
    ]

    /// An identification as an accessory over Bluetooth sent it and a phone accepted it; name and address replaced by
    /// ones of the same length. [C] layout, [D] bytes.
    static let identification = """
        40 40 01 33 1D 01 00 11 00 00 42 65 6E 63 68 2D 48 55 2D 30 30 31 00 00 18 00 01 4D 61 67 69 63 2D 43 61 72 2D
        4C 69 6E 6B 2D 31 2E 30 30 00 00 0F 00 02 4D 61 67 69 63 20 54 65 63 2E 00 00 18 00 03 32 30 32 35 2E 30 32 2E
        32 35 2E 31 35 32 31 36 32 36 61 00 00 0A 00 04 31 2E 30 2E 30 00 00 0A 00 05 31 2E 30 2E 30 00 00 06 00 06 57
        03 00 0E 00 07 4E 0A 4E 0B 57 02 4E 0D 4E 0E 00 05 00 08 02 00 06 00 09 00 00 00 07 00 0C 65 6E 00 00 07 00 0D
        65 6E 00 00 2B 00 11 00 06 00 00 00 01 00 13 00 01 49 41 50 32 2D 42 6C 75 65 74 6F 6F 74 68 00 00 04 00 02 00
        0A 00 03 02 00 00 00 00 01 00 31 00 14 00 06 00 00 00 01 00 11 00 01 42 65 6E 63 68 2D 48 55 2D 30 30 31 00 00
        05 00 02 00 00 11 00 06 42 65 6E 63 68 2D 48 55 2D 30 30 31 00 00 24 00 18 00 06 00 00 00 02 00 12 00 01 49 41
        50 32 2D 57 69 72 65 6C 65 73 73 00 00 04 00 02 00 04 00 04 00 1C 00 1E 00 06 00 00 00 2A 00 12 00 01 52 6F 75
        74 65 47 75 69 64 61 6E 63 65 00
        """
}

/// Bytes of a test's own hexadecimal text.
func hex(_ text: String) -> [UInt8] {
    do throws(WireError) {
        return try HexText.parse(text)
    } catch {
        preconditionFailure("test text: \(error)")
    }
}
