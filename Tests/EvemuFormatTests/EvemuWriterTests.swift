import EvemuFormat
import RigModel
import Testing

struct EvemuWriterTests {
    private static let device = InputDeviceDescription(
        bus: 0x18, vendor: 0x3EB, product: 1, version: 0x100, name: "Atmel\nPad", ev: [0, 1, 2, 3], key: [330, 767],
        rel: [7], abs: [0x2F, 0x35], props: [1],
        axes: [
            AbsoluteRange(code: 0x2F, minimum: 0, maximum: 9),
            AbsoluteRange(code: 0x35, minimum: -10, maximum: 799, fuzz: 1, flat: 2, resolution: 12),
        ])

    @Test func whatIsWrittenIsReadAsTheSame() throws {
        let frames = [
            EvdevFrame(
                cause: .reported,
                events: [
                    EvdevEvent(type: 3, code: 0x39, value: -1, time: 0),
                    EvdevEvent(type: 3, code: 0x35, value: .min, time: 0),
                ], time: 1_000),
            EvdevFrame(
                cause: .reported, events: [EvdevEvent(type: 1, code: 330, value: 1, time: 61_000_007_000)],
                time: 61_000_008_000), EvdevFrame(cause: .reported, time: 61_000_009_000),
        ]
        var writer = EvemuWriter()
        let text = writer.head(Self.device) + frames.map { writer.frame($0) }.joined()
        let recording = try EvemuRecording(parsing: Array(text.utf8))
        var device = Self.device
        device.name = "Atmel?Pad"
        #expect(recording == EvemuRecording(device: device, frames: frames))
        #expect(writer.eventCount == 3)
        #expect(writer.frameCount == 3)
    }

    @Test func linesAreAsEvemuHasThem() {
        var writer = EvemuWriter()
        let head = writer.head(Self.device).split(separator: "\n")
        #expect(head.first == "# EVEMU 1.3")
        #expect(head.contains("I: 0018 03eb 0001 0100"))
        #expect(head.contains("P: 02 00 00 00 00 00 00 00"))
        #expect(head.filter { $0.hasPrefix("B: 01") }.count == 12)
        #expect(head.last == "A: 35 -10 799 1 2 12")
        let frame = EvdevFrame(
            cause: .reported, events: [EvdevEvent(type: 2, code: 7, value: -1, time: 5_000_000_000)],
            time: 5_000_010_000)
        #expect(writer.frame(frame) == "E: 0.000000 0002 0007 -001\nE: 0.000010 0000 0000 0000\n")
    }

    @Test func howANodeStoodIsNoReport() {
        var writer = EvemuWriter()
        let events = [EvdevEvent(type: 1, code: 330, value: 1, time: 1)]
        #expect(writer.frame(EvdevFrame(cause: .initial, events: events, time: 1)) == "")
        #expect(writer.frameCount == 0)
        #expect(writer.frame(EvdevFrame(cause: .recovered, events: events, time: 1)).hasPrefix("# events were lost"))
        #expect(writer.frameCount == 1)
    }

    /// A kernel tells 256 bytes of a name; each that is no UTF-8 becomes three.
    @Test func aLongNameIsCut() throws {
        var device = Self.device
        device.name = String(repeating: "\u{FFFD}", count: 400)
        let recording = try EvemuRecording(parsing: Array(EvemuWriter().head(device).utf8))
        #expect(recording.device?.name == String(repeating: "\u{FFFD}", count: 85))
    }

    @Test func timesThatRunBackwardsAreNone() {
        var writer = EvemuWriter()
        _ = writer.frame(EvdevFrame(cause: .reported, time: 1_000_000))
        #expect(writer.frame(EvdevFrame(cause: .reported, time: 0)) == "E: 0.000000 0000 0000 0000\n")
    }
}
