import CaptureFormat
import Testing

@Suite struct CaptureWriterTests {
    /// By hand from the draft: block type, length, byte order, version 1.0, unknown length, options, length.
    @Test func theHeaderIsAsTheDraftSays() {
        let block = CaptureWriter().header(application: "abc")
        #expect(
            block == [
                0x0A, 0x0D, 0x0D, 0x0A, 40, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0, 255, 255, 255, 255, 255, 255,
                255, 255, 4, 0, 3, 0, 0x61, 0x62, 0x63, 0, 0, 0, 0, 0, 40, 0, 0, 0,
            ])
    }

    @Test func anInterfaceHasItsNameAndNanoseconds() {
        var writer = CaptureWriter()
        let block = writer.interface(CaptureWriter.Interface(name: "a", description: "bcde"))
        #expect(
            block == [
                1, 0, 0, 0, 48, 0, 0, 0, 147, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0x61, 0, 0, 0, 3, 0, 4, 0, 0x62, 0x63,
                0x64, 0x65, 9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0, 48, 0, 0, 0,
            ])
        #expect(writer.interfaceCount == 1)
    }

    @Test func aPacketHasItsTimeDirectionAndWhatIsMissing() {
        let block = CaptureWriter().packet(
            [1, 2, 3, 4, 5], interface: 7, time: 0x0102_0304_0506_0708, .inbound, dropped: 3, comments: ["x"])
        #expect(
            block == [
                6, 0, 0, 0, 72, 0, 0, 0, 7, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 5, 0, 0, 0, 5, 0, 0, 0, 1, 2, 3, 4, 5, 0,
                0, 0, 1, 0, 1, 0, 0x78, 0, 0, 0, 2, 0, 4, 0, 1, 0, 0, 0, 4, 0, 8, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                72, 0, 0, 0,
            ])
    }

    @Test(arguments: 0...9) func everyBlockIsAMultipleOfFourAndTellsItsLengthTwice(_ count: Int) {
        var writer = CaptureWriter()
        let text = String(repeating: "é", count: count)
        let blocks = [
            writer.header(application: text, comment: text),
            writer.interface(CaptureWriter.Interface(name: text, description: text)),
            writer.packet([UInt8](repeating: 9, count: count), interface: 0, time: 0, .outbound, comments: [text]),
            writer.statistics(
                CaptureWriter.Statistics(start: 1, end: 2, received: 3, dropped: 4), interface: 0, comment: text),
        ]
        for block in blocks {
            #expect(block.count.isMultiple(of: 4))
            #expect(block[4] == UInt8(block.count) && Array(block.suffix(4)) == Array(block[4..<8]))
        }
    }

    @Test func aLongTextIsCutBetweenCharacters() {
        let text = String(repeating: "é", count: CaptureWriter.maximumText)
        let block = CaptureWriter().header(application: text)
        #expect(block.count < CaptureWriter.maximumText + 64)
        #expect(
            block[26] == UInt8(CaptureWriter.maximumText & 0xFF) && block[27] == UInt8(CaptureWriter.maximumText >> 8))
    }
}
