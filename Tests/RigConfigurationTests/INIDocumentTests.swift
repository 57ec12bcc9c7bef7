import RigConfiguration
import Testing

@Suite struct INIDocumentTests {
    private func parse(_ text: String) throws -> INIDocument {
        try INIDocument.parse(ConfigurationFile(name: "rig.ini", text: text))
    }

    private func problemsOf(_ text: String) -> [String] { problems { _ = try parse(text) } }

    @Test func keepsSectionsEntriesAndTheirPlaces() throws {
        let document = try parse(
            "# top\n\n  [display  main screen ] ; comment\n\tpixels =  800x480 # wide\nempty=\n[rig]\n")
        #expect(document.file == "rig.ini")
        #expect(document.sections.map(\.kind) == ["display", "rig"])
        #expect(document.sections.map(\.name) == ["main screen", nil])
        #expect(document.sections.map(\.title) == ["display main screen", "rig"])
        #expect(document.sections.map(\.line) == [3, 6])
        #expect(document.sections.map(\.column) == [3, 1])
        let pixels = try #require(document.sections[0].entry("pixels"))
        #expect(pixels.value == "800x480")
        #expect([pixels.line, pixels.column, pixels.valueColumn] == [4, 2, 12])
        #expect(document.sections[0].entry("empty")?.value == "")
        #expect(document.sections[0].entry("other") == nil)
    }

    @Test(arguments: [
        ("a", "a"), ("a b", "a b"), ("a;b#c", "a;b#c"), ("a ;b", "a"), ("a #b", "a"), ("; all", ""), ("#", ""),
        ("\"a ; b # c\"", "a ; b # c"), ("\" a \"", " a "), (#""say \"hi\" \\""#, #"say "hi" \"#), ("\"\"", ""),
        ("\"a\" # c", "a"), ("a = b", "a = b"), ("a\"b", "a\"b"), ("ä€🙂", "ä€🙂"), ("a\\b", "a\\b"),
    ])
    func readsValues(written: String, value: String) throws {
        #expect(try parse("[s]\nk = \(written)\n").sections[0].entry("k")?.value == value)
    }

    @Test func takesCRLFAndByteOrderMarkAndAMissingLastNewline() throws {
        let document = try parse("\u{FEFF}[a]\r\nk = v\r\n[b]\r\nk = w")
        #expect(document.sections.map { $0.entry("k")?.value } == ["v", "w"])
    }

    @Test(arguments: [
        ("[a\n", "rig.ini:1:1: the section header has no closing \"]\""),
        ("  []\n", "rig.ini:1:3: the section has no name"),
        ("[a] b\n", "rig.ini:1:5: nothing but a comment may follow a section header"),
        (
            "[a!]\n", "rig.ini:1:2: a section begins with a word of letters, digits, \"-\", \"_\" and \".\""
        ),
        ("[a b[c]\n", "rig.ini:1:5: a section's name has no brackets and no quotes"),
        ("[a \"b\"]\n", "rig.ini:1:4: a section's name has no brackets and no quotes"),
        ("[a]\n  word\n", "rig.ini:2:3: this is neither \"key = value\" nor \"[section]\""),
        ("[a]\n = 1\n", "rig.ini:2:2: there is no key before \"=\""),
        ("[a]\nk y = 1\n", "rig.ini:2:1: a key has letters, digits, \"-\", \"_\" and \".\" only"),
        ("k = 1\n[a]\n", "rig.ini:1:1: the key stands before the first [section]"),
        ("[a]\nk = \"1\n", "rig.ini:2:5: the quoted value has no closing quote"),
        ("[a]\nä = 1\n", "rig.ini:2:1: a key has letters, digits, \"-\", \"_\" and \".\" only"),
        ("[a]\nk = \"ä\" 2\n", "rig.ini:2:9: nothing but a comment may follow a quoted value"),
        ("[a]\nk = \"a\\nb\"\n", "rig.ini:2:7: in quotes, \"\\\" stands before \" or \\ only"),
        ("[a]\nk = \"a\\", "rig.ini:2:7: in quotes, \"\\\" stands before \" or \\ only"),
        ("[a]\nk = 1\nj = 2\nk = 3\n", "rig.ini:4: [a] k: the key is already there, at line 2"),
        ("[a b]\n[a c]\n[a  b]\n", "rig.ini:3: [a b] the section is already there, at line 1"),
        ("[a]\nk = ä\u{0}\n", "rig.ini:2:6: a NUL byte is not text"),
        ("[a]\nk = \u{1B}[1m\n", "rig.ini:2:5: control character 27 is not text"),
        ("[a]\rk = 1\n", "rig.ini:1:4: control character 13 is not text"),
    ])
    func tellsWhatIsWrongAndWhere(text: String, line: String) { #expect(problemsOf(text) == [line]) }

    @Test(arguments: [
        ([0xFF] as [UInt8], 5), ([0xC3], 5), ([0xC3, 0xA4, 0x80], 6), ([0xED, 0xA0, 0x80], 5),
        ([0xF4, 0x90, 0x80, 0x80], 5), ([0xC0, 0x80], 5), ([0xFF, 0x00], 5),
    ])
    func refusesWhatIsNotUTF8(bytes: [UInt8], column: Int) {
        let file = ConfigurationFile(name: "rig.ini", bytes: Array("[a]\nk = ".utf8) + bytes)
        #expect(
            problems { _ = try INIDocument.parse(file) } == [
                "rig.ini:2:\(column): this is not UTF-8; save the file as UTF-8"
            ])
    }

    @Test func tellsEveryProblemOfAFileAtOnce() {
        #expect(
            problemsOf("[a]\nx\nk = 1\nk = 2\n[b\nignored = 1\n[c]\n= 1\n") == [
                "rig.ini:2:1: this is neither \"key = value\" nor \"[section]\"",
                "rig.ini:4: [a] k: the key is already there, at line 3",
                "rig.ini:5:1: the section header has no closing \"]\"",
                "rig.ini:8:1: there is no key before \"=\"",
            ])
    }

    @Test func countsTheProblemsBeyondTheLimit() throws {
        let error = try #require(throws: ConfigurationError.self) {
            _ = try parse(String(repeating: "x\n", count: 150))
        }
        #expect(error.problems.count == 100)
        #expect(error.omitted == 50)
        #expect(error.description.hasSuffix("\nand 50 more"))
    }

    @Test func takesALineAtTheLimitAndRefusesItOneOver() throws {
        let value = String(repeating: "v", count: INIDocument.maximumLine - 2)
        #expect(try parse("[a]\nk=\(value)\n").sections[0].entry("k")?.value == value)
        #expect(problemsOf("[a]\nk=\(value)v\n") == ["rig.ini:2: the line has 65537 bytes; the most is 64 KiB"])
    }

    @Test func takesAFileAtTheLimitAndRefusesItOneOver() throws {
        let comment = String(repeating: "#" + String(repeating: ".", count: 1_022) + "\n", count: 256)
        #expect(comment.utf8.count == INIDocument.maximumFile)
        #expect(try parse(comment).sections.isEmpty)
        #expect(problemsOf(comment + "#") == ["rig.ini:1: the file has 262145 bytes; the most is 256 KiB"])
    }

    @Test func limitsSectionsAndKeys() throws {
        let sections = (0..<1_024).map { "[s \($0)]\n" }.joined()
        #expect(try parse(sections).sections.count == 1_024)
        #expect(problemsOf(sections + "[one]\nmore = 1\n") == ["rig.ini:1025:1: a file has at most 1024 sections"])
        let keys = "[s]\n" + (0..<1_024).map { "k\($0) = 1\n" }.joined()
        #expect(try parse(keys).sections[0].entries.count == 1_024)
        #expect(problemsOf(keys + "more = 1\n") == ["rig.ini:1026:1: a section has at most 1024 keys"])
    }

    /// Shipped files with bytes changed, cut and put in: whatever comes out, nothing traps, and every problem has a place
    /// inside the file.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func neverTrapsOnChangedBytes(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let alphabet = Array("[]=#;\"\\\n\r\t ,x@*/-.09afkz\u{0}".utf8) + [0x80, 0xC3, 0xFF]
        for round in 0..<100 {
            let source = try #require(ShippedProfiles.all.randomElement(using: &numbers))
            var bytes = source.bytes
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                let index = Int.random(in: 0..<bytes.count, using: &numbers)
                let byte = try #require(alphabet.randomElement(using: &numbers))
                switch Int.random(in: 0..<3, using: &numbers) {
                case 0: bytes[index] = byte
                case 1: bytes.insert(byte, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count, index + 5))
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            let file = ConfigurationFile(name: "fuzz.ini", bytes: bytes)
            let lines = bytes.count { $0 == 0x0A } + 1
            let readers: [() throws -> Void] = [
                { _ = try RigSettings.parse([file]) }, { _ = try HeadUnitProfile.parse(file) },
                { _ = try DeviceTable.parse([file]) },
            ]
            for read in readers {
                do {
                    try read()
                } catch let error as ConfigurationError {
                    #expect(!error.problems.isEmpty, "seed \(seed), round \(round)")
                    #expect(
                        error.problems.allSatisfy { (1...lines).contains($0.line) }, "seed \(seed), round \(round)")
                }
            }
        }
    }
}
