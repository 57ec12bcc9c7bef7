import LinkProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("LinkPacket")
struct LinkPacketTests {
    @Test("known packets are read as they are known", arguments: LinkVector.all)
    func parses(vector: LinkVector) {
        #expect(decode([vector.bytes[...]]) == [.packet(vector.packet)])
    }

    @Test("known packets are written byte for byte", arguments: LinkVector.all)
    func encodes(vector: LinkVector) {
        #expect(vector.packet.encoded == vector.bytes)
        #expect(vector.packet.encodedLength == vector.bytes.count)
    }

    @Test("packets are appended behind what is there")
    func appends() {
        var bytes: [UInt8] = [1, 2, 3]
        LinkVector.all[3].packet.encode(into: &bytes)
        #expect(bytes == [1, 2, 3] + LinkVector.all[3].bytes)
    }

    @Test("the longest packet is written and read", arguments: [1, 65_525])
    func longest(count: Int) {
        let payload = [UInt8](repeating: 0xFF, count: count)
        let packet = LinkPacket(
            control: .acknowledge, sequence: 1, acknowledgement: 2, channelID: 3, payload: payload[...])
        #expect(packet.encoded.count == count + 10)
        #expect(decode([packet.encoded[...]]) == [.packet(packet)])
    }

    @Test("a payload that fits no packet is a programmer's error")
    func tooLong() async {
        await #expect(processExitsWith: .failure) {
            let payload = [UInt8](repeating: 0, count: 65_526)
            _ = LinkPacket(control: .acknowledge, sequence: 0, acknowledgement: 0, payload: payload[...]).encoded
        }
    }

    @Test("the detection bytes are a packet of the older protocol with its checksum")
    func detection() {
        #expect(LinkDetection.bytes == hex("FF 55 02 00 EE 10"))
        #expect(Checksum.isValid(LinkDetection.bytes[2...]))
    }
}
