import LinuxIO
import RigModel
import Testing

@testable import DashrigCommands

@Suite struct TextTableTests {
    static func table() -> TextTable {
        var table = TextTable([
            .init(title: "NAME"), .init(title: "N", isRight: true), .init(title: "TEXT", leastWidth: 4),
        ])
        table.add([.init("a"), .init("1"), .init("a text of some length")])
        table.add([.init("long name"), .init("100"), .init("short")])
        return table
    }

    @Test func columnsAreAligned() {
        #expect(
            Self.table().lines(width: nil, style: Palette(isColored: false)) == [
                "NAME         N  TEXT", "a            1  a text of some length", "long name  100  short",
            ])
    }

    @Test func whatMayBeCutIsCutFirst() {
        #expect(
            Self.table().lines(width: 26, style: Palette(isColored: false)) == [
                "NAME         N  TEXT", "a            1  a text of…", "long name  100  short",
            ])
    }

    @Test(arguments: 1...40) func noLineIsWiderThanTheTerminal(_ width: Int) {
        for line in Self.table().lines(width: width, style: Palette(isColored: false)) {
            #expect(PrintableText.width(line) <= width)
        }
    }

    @Test func aColumnInTheMiddleIsCutExactly() {
        var table = TextTable([.init(title: "A", leastWidth: 2), .init(title: "B")])
        table.add([.init("abcdefgh"), .init("whole")])
        #expect(
            table.lines(width: 12, style: Palette(isColored: false)) == ["A      B", "abcd…  whole"])
    }

    @Test func colourDoesNotCountAsWidth() {
        var table = TextTable([.init(title: "A"), .init(title: "B")])
        table.add([.init("x", .good), .init("y")])
        #expect(
            table.lines(width: 20, style: Palette(isColored: true)) == [
                "\u{1B}[2mA\u{1B}[0m  \u{1B}[2mB\u{1B}[0m", "\u{1B}[32mx\u{1B}[0m  y",
            ])
    }
}

@Suite struct PrintableTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("ä 漢 🚗", "ä 漢 🚗"), ("a\nb", "a\\u{A}b"), ("\u{1B}[31m", "\\u{1B}[31m"),
        ("\u{7F}\u{9B}\u{2028}\u{202E}\u{2066}", "\\u{7F}\\u{9B}\\u{2028}\\u{202E}\\u{2066}"), ("\r\n", "\\u{D}\\u{A}"),
    ])
    func whatATerminalWouldActOnIsEscaped(_ text: String, _ expected: String) {
        #expect(PrintableText.escaped(text) == expected)
    }

    @Test(arguments: [("abc", 3), ("äöü", 3), ("漢字", 4), ("e\u{301}", 1), ("🚗", 2), ("", 0), ("…", 1)])
    func widthCountsColumns(_ text: String, _ width: Int) { #expect(PrintableText.width(text) == width) }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("漢字漢", 5, "漢字…"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
    func cutKeepsWithin(_ text: String, _ columns: Int, _ expected: String) {
        #expect(PrintableText.cut(text, to: columns) == expected)
        #expect(PrintableText.width(PrintableText.cut(text, to: columns)) <= columns)
    }
}

@Suite struct RenderingTests {
    @Test(
        arguments: [
            (0, "0 s"), (59_999_999_999, "59 s"), (60_000_000_000, "1 min 0 s"), (3_725_000_000_000, "1 h 2 min"),
            (97_200_000_000_000, "1 d 3 h"),
        ] as [(UInt64, String)])
    func agesAreRead(_ nanoseconds: UInt64, _ text: String) { #expect(Durations.age(nanoseconds) == text) }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (951_782_399, "2000-02-28T23:59:59"), (951_782_400, "2000-02-29T00:00:00"),
            (951_868_800, "2000-03-01T00:00:00"), (1_709_164_800, "2024-02-29T00:00:00"),
            (4_107_542_400, "2100-03-01T00:00:00"), (1_795_957_559, "2026-11-29T13:05:59"),
        ] as [(UInt64, String)])
    func timestampsFollowTheCalendar(_ seconds: UInt64, _ text: String) {
        #expect(Timestamp.text(realtime: seconds * 1_000_000_000 + 999_999_999) == text)
    }

    @Test func whatIsSetOnAPhoneIsSaidAsFarAsItIsUnusual() {
        #expect(StateText.phone(PhoneConditions().record).isEmpty)
        var phone = PhoneConditions(
            locked: true, trusted: false, trustAfter: 1_000_000, slow: 2_000_000, refuse: .session,
            misorder: .offerFirst, carPlay: false, linkVersion: 2)
        phone.delays[.challenge] = 3_000_000
        #expect(
            StateText.phone(phone.record) == [
                "locked", "not trusting", "2 ms slower", "trusts after 1 ms", "single answers later",
                "refuses session", "does offerFirst", "CarPlay off", "speaks link version 2",
            ])
    }

    @Test(
        arguments: [(2.0, "2"), (1.5, "1.5"), (1.25, "1.25"), (3.0, "3"), (.nan, "?"), (.infinity, "?")]
            as [(Double, String)])
    func scalesAreShort(_ scale: Double, _ text: String) { #expect(StateText.scale(scale) == text) }

    @Test func wordsAreWrapped() {
        #expect(TextWrap.lines("one two three", width: 7) == ["one two", "three"])
        #expect(TextWrap.lines("one two three", width: 8, hanging: 2) == ["one two", "  three"])
        #expect(TextWrap.lines("unbreakable words", width: 3) == ["unbreakable", "words"])
        #expect(TextWrap.lines("", width: 10) == [""])
    }
}

@Suite struct OutputTests {
    @Test func progressIsReplacedAndTakenAway() {
        let words = MemorySink(isTerminal: true, width: 20)
        let results = MemorySink(isTerminal: true, width: 20)
        let output = Output(results: results, words: words)
        output.progress("a long text that does not fit")
        output.progress("short")
        output.line("result")
        output.flush()
        #expect(words.text == "\ra long text that d…\rshort              \r     \r")
        #expect(results.text == "result\n")
    }

    @Test func nobodyIsShownProgressInJSONOrInAFile() {
        let file = MemorySink()
        Output(results: MemorySink(), words: file).progress("x")
        let terminal = MemorySink(isTerminal: true, width: 20)
        let output = Output(results: MemorySink(), words: terminal)
        output.isJSON = true
        output.progress("x")
        output.note("x")
        #expect(file.text.isEmpty && terminal.text.isEmpty)
    }

    @Test func theFirstFailureEndsTheOutput() {
        let results = MemorySink()
        results.failure = .readerGone
        let output = Output(results: results, words: MemorySink())
        output.line("a")
        output.flush()
        results.failure = nil
        output.line("b")
        output.flush()
        #expect(output.failure == .readerGone && results.text.isEmpty)
    }

    @Test func resultsComeBeforeTheWordsAboutThem() {
        let both = MemorySink()
        let output = Output(results: both, words: both)
        output.line("first")
        output.say("second")
        #expect(both.text == "first\nsecond\n")
    }
}

@Suite struct DescriptorSinkTests {
    @Test func everythingArrivesThroughAFullPipe() async throws {
        let pipe = try Pipe()
        let text = String(repeating: "0123456789abcdef", count: 20_000)
        let writer = pipe.writer.rawValue
        let writing = Task.detached {
            let sink = DescriptorSink(descriptor: writer, environment: Environment(), interrupt: nil)
            try sink.write(text)
        }
        var found: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 30_000)
        while found.count < text.utf8.count {
            switch buffer.withUnsafeMutableBytes({ pipe.reader.read(into: $0) }) {
            case .bytes(let count): found += buffer[..<count]
            case .wouldBlock: try await Task.sleep(nanoseconds: 1_000_000)
            case .endOfFile, .failed: Issue.record("the pipe ended"); return
            }
        }
        try await writing.value
        #expect(String(decoding: found, as: UTF8.self) == text)
    }

    static func writerWithoutReader() throws -> OwnedDescriptor {
        let pipe = try Pipe(nonBlocking: false)
        return try pipe.writer.duplicate()
    }

    @Test func aReaderThatWentAwayIsTold() throws {
        SignalDescriptor.ignoreBrokenPipe()
        let writer = try Self.writerWithoutReader()
        let sink = DescriptorSink(descriptor: writer.rawValue, environment: Environment(), interrupt: nil)
        #expect(throws: OutputFailure.readerGone) { try sink.write("x") }
    }

    @Test func aStuckReaderIsGivenUpOnWhenInterrupted() throws {
        let pipe = try Pipe()
        let interrupt = try Pipe()
        let sink = DescriptorSink(
            descriptor: pipe.writer.rawValue, environment: Environment(), interrupt: interrupt.reader.rawValue)
        _ = interrupt.writer.write([1])
        try sink.write("there is room for this")
        #expect(throws: OutputFailure.interrupted) { try sink.write(String(repeating: "x", count: 1_000_000)) }
    }

    @Test func aClosedOutputIsTold() throws {
        // No process has so many.
        let sink = DescriptorSink(descriptor: 1_000_000, environment: Environment(), interrupt: nil)
        #expect(throws: OutputFailure.self) { try sink.write("x") }
    }
}
