import LinkProtocol
import Testing
import WireBytes

/// Packets as bytes, with what they say. [C] from a published capture of a phone's own log (OCBM; start bytes added, for
/// they are not logged), [T] from a published unit test, [D] built from the layout.
struct LinkVector: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var control: LinkPacket.Control
    var sequence: UInt8
    var acknowledgement: UInt8
    var channelID: UInt8 = 0
    var payload: String = ""

    var testDescription: String { name }
    var bytes: [UInt8] { hex(text) }
    var packet: LinkPacket {
        LinkPacket(
            control: control, sequence: sequence, acknowledgement: acknowledgement, channelID: channelID,
            payload: hex(payload)[...])
    }

    static let all: [LinkVector] = [
        LinkVector(
            name: "SYN accessory [C]",
            text: "FF 5A 00 1A 80 00 00 00 0D 01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01 F7",
            control: .synchronize, sequence: 0, acknowledgement: 0,
            payload: "01 20 10 00 07 D0 07 D0 1E 06 01 00 01 02 01 01"),
        LinkVector(
            name: "SYN+ACK phone 2D [C]",
            text: "FF 5A 00 1A C0 2D 00 00 A0 01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01 AA",
            control: [.synchronize, .acknowledge], sequence: 0x2D, acknowledgement: 0,
            payload: "01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01"),
        LinkVector(
            name: "SYN+ACK phone C1 [C]",
            text: "FF 5A 00 1A C0 C1 00 00 0C 01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01 AA",
            control: [.synchronize, .acknowledge], sequence: 0xC1, acknowledgement: 0,
            payload: "01 7F FF FF 07 D0 07 D0 1E 06 01 00 01 02 01 01"),
        LinkVector(
            name: "ACK accessory [C]", text: "FF 5A 00 09 40 00 2D 00 31", control: .acknowledge, sequence: 0,
            acknowledgement: 0x2D),
        LinkVector(
            name: "ACK accessory, second link [C]", text: "FF 5A 00 09 40 00 C1 00 9D", control: .acknowledge,
            sequence: 0, acknowledgement: 0xC1),
        LinkVector(
            name: "bare ACK phone after 2 s [C]", text: "FF 5A 00 09 40 38 05 00 21", control: .acknowledge,
            sequence: 0x38, acknowledgement: 5),
        LinkVector(
            name: "SYN without acknowledgements [C]",
            text: "FF 5A 00 1A 80 00 00 00 0D 01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01 DB",
            control: .synchronize, sequence: 0, acknowledgement: 0,
            payload: "01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01"),
        LinkVector(
            name: "SYN+ACK without acknowledgements [C]",
            text: "FF 5A 00 1A C0 0A 00 00 C3 01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01 DB",
            control: [.synchronize, .acknowledge], sequence: 0x0A, acknowledgement: 0,
            payload: "01 20 FF FF 00 00 00 00 00 00 01 00 01 02 01 01"),
        LinkVector(
            name: "SYN keyboard [T/D]",
            text: "FF 5A 00 17 80 01 00 00 0F 01 05 10 00 07 D0 01 F4 1E 03 0A 00 01 F2",
            control: .synchronize, sequence: 1, acknowledgement: 0, payload: "01 05 10 00 07 D0 01 F4 1E 03 0A 00 01"),
        LinkVector(
            name: "SYN+ACK header only [T]", text: "FF 5A 00 09 C0 2A 00 00 B4", control: [.synchronize, .acknowledge],
            sequence: 0x2A, acknowledgement: 0),
        LinkVector(
            name: "extended acknowledgement, 35 and 36 missing [D]", text: "FF 5A 00 0C 60 63 34 00 A4 35 36 95",
            control: [.acknowledge, .extendedAcknowledge], sequence: 0x63, acknowledgement: 0x34, payload: "35 36"),
        LinkVector(
            name: "RST [D]", text: "FF 5A 00 09 10 63 00 00 2B", control: .reset, sequence: 0x63, acknowledgement: 0),
        LinkVector(
            name: "number FF [D]", text: "FF 5A 00 10 40 FF 10 01 47 40 40 00 06 1D 02 5B", control: .acknowledge,
            sequence: 0xFF, acknowledgement: 0x10, channelID: 1, payload: "40 40 00 06 1D 02"),
        LinkVector(
            name: "number 00 after it [D]", text: "FF 5A 00 10 40 00 10 01 46 40 40 00 06 1D 02 5B",
            control: .acknowledge, sequence: 0, acknowledgement: 0x10, channelID: 1, payload: "40 40 00 06 1D 02"),
        LinkVector(
            name: "AA00 phone [C]", text: "FF 5A 00 10 40 2E 00 01 28 40 40 00 06 AA 00 D0", control: .acknowledge,
            sequence: 0x2E, acknowledgement: 0, channelID: 1, payload: "40 40 00 06 AA 00"),
        LinkVector(
            name: "AA02 phone [C]",
            text: """
                FF 5A 00 28 40 2F 01 01 0E 40 40 00 1E AA 02 00 18 00 00
                BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C F8
                """,
            control: .acknowledge, sequence: 0x2F, acknowledgement: 1, channelID: 1,
            payload: """
                40 40 00 1E AA 02 00 18 00 00
                BE F8 9E 87 2A 32 E7 95 28 DB A7 F8 7B 67 BB 2F F3 DF A7 0C
                """),
        LinkVector(
            name: "4E0B phone [C]",
            text: """
                FF 5A 00 27 40 C8 03 01 74 40 40 00 1D 4E 0B 00 0C 00 00 00 00 00 00 6A 65 0E B0
                00 06 00 01 FE 20 00 05 00 02 3C 09
                """,
            control: .acknowledge, sequence: 0xC8, acknowledgement: 3, channelID: 1,
            payload: "40 40 00 1D 4E 0B 00 0C 00 00 00 00 00 00 6A 65 0E B0 00 06 00 01 FE 20 00 05 00 02 3C"),
        LinkVector(
            name: "5703 accessory, name replaced [C]",
            text: """
                FF 5A 00 35 40 05 38 01 F4 40 40 00 2B 57 03 00 0E 00 01 62 65 6E 63 68 2D 30 30 31 00
                00 0D 00 02 31 32 33 34 35 36 37 38 00 00 05 00 03 02 00 05 00 04 24 44
                """,
            control: .acknowledge, sequence: 5, acknowledgement: 0x38, channelID: 1,
            payload: """
                40 40 00 2B 57 03 00 0E 00 01 62 65 6E 63 68 2D 30 30 31 00
                00 0D 00 02 31 32 33 34 35 36 37 38 00 00 05 00 03 02 00 05 00 04 24
                """),
        LinkVector(
            name: "AA02 phone, second link [C]",
            text:
                "FF 5A 00 28 40 C3 01 01 7A 40 40 00 1E AA 02 00 18 00 00 61 24 CB D9 EA D5 CD 17 B3 A8 DD F0 4D AE D8 DB CE 05 2E E9 12",
            control: .acknowledge, sequence: 0xC3, acknowledgement: 1, channelID: 1,
            payload: "40 40 00 1E AA 02 00 18 00 00 61 24 CB D9 EA D5 CD 17 B3 A8 DD F0 4D AE D8 DB CE 05 2E E9"),
        LinkVector(
            name: "AA05 phone [C]", text: "FF 5A 00 10 40 C4 02 01 90 40 40 00 06 AA 05 CB", control: .acknowledge,
            sequence: 0xC4, acknowledgement: 2, channelID: 1,
            payload: "40 40 00 06 AA 05"),
        LinkVector(
            name: "1D00 phone [C]", text: "FF 5A 00 10 40 C5 02 01 8F 40 40 00 06 1D 00 5D", control: .acknowledge,
            sequence: 0xC5, acknowledgement: 2, channelID: 1,
            payload: "40 40 00 06 1D 00"),
        LinkVector(
            name: "1D02 phone [C]", text: "FF 5A 00 10 40 C6 03 01 8D 40 40 00 06 1D 02 5B", control: .acknowledge,
            sequence: 0xC6, acknowledgement: 3, channelID: 1,
            payload: "40 40 00 06 1D 02"),
        LinkVector(
            name: "5702 phone [C]", text: "FF 5A 00 10 40 C7 03 01 8C 40 40 00 06 57 02 21", control: .acknowledge,
            sequence: 0xC7, acknowledgement: 3, channelID: 1,
            payload: "40 40 00 06 57 02"),
        LinkVector(
            name: "4E0A phone [C]", text: "FF 5A 00 17 40 C9 03 01 83 40 40 00 0D 4E 0A 00 07 00 00 65 6E 00 41",
            control: .acknowledge, sequence: 0xC9, acknowledgement: 3, channelID: 1,
            payload: "40 40 00 0D 4E 0A 00 07 00 00 65 6E 00"),
        LinkVector(
            name: "4E0D phone [C]", text: "FF 5A 00 15 40 CA 03 01 84 40 40 00 0B 4E 0D 00 05 00 00 01 14",
            control: .acknowledge, sequence: 0xCA, acknowledgement: 3, channelID: 1,
            payload: "40 40 00 0B 4E 0D 00 05 00 00 01"),
    ]
}

/// Bytes of a test's own hexadecimal text.
func hex(_ text: String) -> [UInt8] {
    do throws(WireError) {
        return try HexText.parse(text)
    } catch {
        preconditionFailure("test text: \(error)")
    }
}

/// Everything that a fresh decoder finds in these reads, without what it dropped.
func decode(_ chunks: [ArraySlice<UInt8>], maximumLength: Int = 65_535) -> [LinkPacketDecoder.Element] {
    decodeAll(chunks, maximumLength: maximumLength).filter { if case .dropped = $0 { false } else { true } }
}

/// Everything that a fresh decoder finds in these reads.
func decodeAll(_ chunks: [ArraySlice<UInt8>], maximumLength: Int = 65_535) -> [LinkPacketDecoder.Element] {
    var decoder = LinkPacketDecoder(maximumLength: maximumLength)
    var found: [LinkPacketDecoder.Element] = []
    for chunk in chunks {
        var input = chunk
        while let element = decoder.next(from: &input) { found.append(element) }
    }
    return found
}
