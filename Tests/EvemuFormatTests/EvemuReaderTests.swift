import EvemuFormat
import RigModel
import Testing

struct EvemuReaderTests {
    private static func read(_ text: String) throws(EvemuProblem) -> EvemuRecording {
        try EvemuRecording(parsing: Array(text.utf8))
    }

    private static func frame(_ events: [(UInt16, UInt16, Int32)], _ time: UInt64) -> EvdevFrame {
        EvdevFrame(
            cause: .reported,
            events: events.map { EvdevEvent(type: $0.0, code: $0.1, value: $0.2, time: time) }, time: time)
    }

    @Test func descriptionAndEventsOfOneFile() throws {
        let recording = try Self.read(
            """
            # EVEMU 1.3
            # Kernel: 6.1
            N: Griffin  PowerMate # one
            I: 0003 077d 0410 0311
            P: 01 00
            B: 00 17 00 00 00 00 00 00 00
            B: 01 00 00 00 00 00 00 00 00
            B: 01 02
            B: 02 80 00
            B: 03 01
            B: 04 08
            A: 00 -5 660 1 2 12
            L: 00 0
            S: 01 1

            E: 0.000000 0002 0007 -001\t# REL_DIAL
            E: 0.000010 0000 0000 0000\t# ------------ SYN_REPORT (0) ----------
            E: 12.345678 0001 0100 1
            E: 12.345678 0000 0000 0
            """)
        let device = try #require(recording.device)
        #expect(
            device
                == InputDeviceDescription(
                    bus: 3, vendor: 0x77D, product: 0x410, version: 0x311, name: "Griffin  PowerMate # one",
                    ev: [0, 1, 2, 4], key: [65], rel: [7], abs: [0], props: [0],
                    axes: [AbsoluteRange(code: 0, minimum: -5, maximum: 660, fuzz: 1, flat: 2, resolution: 12)]))
        #expect(recording.frames.map(\.time) == [10_000, 12_345_678_000])
        #expect(recording.frames.map { $0.events.map(\.value) } == [[-1], [1]])
        #expect(recording.duration == 12_345_668_000)
    }

    @Test func eventsAloneHaveNoDevice() throws {
        let recording = try Self.read("E: 1332938253.689858 0002 0008 19\r\nE: 1332938253.689861 0000 0000 0\r\n")
        #expect(recording.device == nil)
        #expect(recording.frames.map(\.time) == [1_332_938_253_689_861_000])
    }

    /// A resolution came with 1.2, properties with 1.1.
    @Test func oldFilesSayLess() throws {
        let recording = try Self.read("N: pad\nI: 0011 0002 0008 0000\nA: 2f 0 1 0 0\n")
        #expect(recording.device?.axes == [AbsoluteRange(code: 0x2F, minimum: 0, maximum: 1)])
        #expect(recording.device?.props == [])
    }

    @Test func aTornReportIsLeftOut() throws {
        let recording = try Self.read(
            """
            E: 0.000000 0002 0007 1
            E: 0.000000 0000 0003 0
            E: 0.000001 0002 0007 2
            E: 0.000001 0000 0000 0
            E: 0.000002 0002 0007 3
            E: 0.000002 0000 0000 0
            E: 0.000003 0002 0007 4
            """)
        #expect(recording.frames == [Self.frame([(2, 7, 3)], 2_000)])
        #expect(recording.losses == 1)
        #expect(recording.unfinished == 1)
    }

    @Test(arguments: [
        ("# EVEMU 2.0", 1, "version 1.0 to 1.3"), ("N: a\nhello", 2, "a line with N:"), ("X: 1", 1, "a line with N:"),
        ("I: 0003 077d 0410", 1, "the version"), ("I: 0003 077d 0410 0311 0", 1, "nothing more"),
        ("I: 00003 0 0 0", 1, "the bus"), ("P: 1g", 1, "a byte"), ("P:", 1, "a byte"), ("B: 20 00", 1, "event type"),
        ("B: 01 100", 1, "a byte"), ("A: 40 0 1 0 0", 1, "an axis"), ("A: 00 0 1 0", 1, "the rest position"),
        ("A: 00 0 99999999999 0 0", 1, "the largest value"), ("A: 00 0 2147483648 0 0", 1, "the largest value"),
        ("E: 0.5 0002 0007 1", 1, "six digits"), ("E: 1 0002 0007 1", 1, "six digits"),
        ("E: -1.000000 0002 0007 1", 1, "six digits"), ("E: 0.000000 0020 0007 1", 1, "event type"),
        ("E: 0.000000 0002 7", 1, "the value"), ("E: 0.000000 0002 0007 --1", 1, "the value"),
        ("E: 0.000000 0002 0007 1 2", 1, "nothing more"), ("\n\n\nE: 0.000000 0002 00007 1", 4, "event code"),
        ("L: 00", 1, "a state"),
    ])
    func aWrongLineIsToldWithItsPlace(text: String, line: Int, expected: String) {
        do {
            _ = try Self.read(text)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.line == line)
            #expect(error.expected.contains(expected), "\(error)")
        }
    }

    @Test func everythingHasALimit() {
        let long = String(repeating: "x", count: EvemuRecording.maximumLine)
        #expect(throws: EvemuProblem.self) { try Self.read("N: " + long) }
        let event = "E: 0.000000 0002 0007 1\n"
        #expect(throws: Never.self) { try Self.read(String(repeating: event, count: EvdevFrame.maximumEvents)) }
        let problem = #expect(throws: EvemuProblem.self) {
            try Self.read(String(repeating: event, count: EvdevFrame.maximumEvents + 1))
        }
        #expect(problem?.line == EvdevFrame.maximumEvents + 1)
        #expect(throws: EvemuProblem.self) {
            try Self.read(String(repeating: "B: 01 00 00 00 00 00 00 00 00\n", count: 13))
        }
        #expect(throws: EvemuProblem.self) {
            try EvemuRecording(parsing: Array(repeating: 10, count: EvemuRecording.maximumBytes + 1))
        }
    }

    @Test func whatIsFoundIsShortAndPrintable() {
        let problem = #expect(throws: EvemuProblem.self) {
            try Self.read("\u{1B}[31m" + String(repeating: "y", count: 100))
        }
        #expect(problem?.found == "\"?[31m" + String(repeating: "y", count: 59) + "…\"")
    }

    @Test func aByteOrderMarkIsNoLine() throws {
        #expect(try Self.read("\u{FEFF}N: pad\n").device?.name == "pad")
        let problem = #expect(throws: EvemuProblem.self) { try Self.read("\u{FEFF}# EVEMU 2.0\n") }
        #expect(problem?.line == 1 && problem?.expected.contains("version 1.0") == true)
    }
}
