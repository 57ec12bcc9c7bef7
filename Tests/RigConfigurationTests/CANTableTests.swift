import RigConfiguration
import RigModel
import Testing

private func table(_ texts: String...) throws -> CANTable {
    try CANTable.parse(texts.enumerated().map { ConfigurationFile(name: "c\($0.offset).ini", text: $0.element) })
}

private func problem(_ lines: String) -> [String] {
    problems { _ = try table("[can x]\n\(lines)\n") }
}

@Suite struct CANTableTests {
    @Test func theShippedControllersAreThere() throws {
        #expect(CANTable.shipped.profiles.map(\.name) == ["idrive-f", "idrive-g", "idrive-zbe07"])
        let f = try CANTable.shipped.profile(named: "idrive-f")
        #expect(f.layout.identifiers.map(\.number) == [0x264, 0x267, 0x277, 0x567, 0x5E7])
        #expect(f.bitRate == 500_000 && f.layout.pad == nil && f.layout.turn?.counter.maximum == 65_535)
        #expect(
            f.layout.sendings.map(\.frame) == [
                CANFrame(id: CANIdentifier(0x273), data: [0x1D, 0xE1, 0x00, 0xF0, 0xFF, 0x7F, 0xDE, 0x04]),
                CANFrame(id: CANIdentifier(0x560), data: [3]),
            ])
        let g = try CANTable.shipped.profile(named: "idrive-g")
        #expect(g.layout.pad?.places.map(\.x.maximum) == [511, 511])
        #expect(g.layout.pad?.places.map(\.y.maximum) == [511, 511])
        #expect(g.layout.sendings.map(\.rhythm) == [.start, .every(500_000_000), .every(20_000_000)])
        let zbe = try CANTable.shipped.profile(named: "idrive-zbe07")
        #expect(zbe.layout.sendings.isEmpty && zbe.layout.turn?.counter.maximum == 255)
        let facts = g.facts(on: "can1")
        #expect(facts.kind == .knob && facts.namePrefix == "idrive" && facts.port == "can:can1")
    }

    @Test func aDropInReplacesAddsAndTakesOut() throws {
        let own = try table(
            "[can idrive-f]\nturn = 1 0\n", "[can own]\nkind = keys\nhome = 18fee000 if 0=1 down 1&0f=2|3 held 1=4\n",
            "[can idrive-g]\nenabled = no\n")
        #expect(own.profiles.map(\.name) == ["idrive-zbe07", "idrive-f", "own"])
        let changed = try own.profile(named: "idrive-f").layout
        #expect(changed.controls.isEmpty && changed.silence == CANLayout.defaultSilence)
        let control = try #require(try own.profile(named: "own").layout.controls.first)
        #expect(
            control
                == CANControl(
                    .key(.home), id: CANIdentifier(extended: 0x18FE_E000),
                    concerns: [CANTest(place: 0, values: [1])],
                    down: [CANTest(place: 1, mask: 0x0F, values: [2, 3])], held: [CANTest(place: 1, values: [4])]))
        #expect(throws: UnknownProfile.self) { try own.profile(named: "idrive-g") }
    }

    @Test(arguments: [
        (
            "turm = 1 0\nhome = 1 down 0=1",
            #"c0.ini:2: [can x] turm: this section has no such key; did you mean "turn"?"#
        ),
        ("turn = 264", #"c0.ini:2: [can x] turn: "264" is no id with bytes behind it, as in 264 3 4"#),
        (
            "turn = 800 0",
            #"c0.ini:2: [can x] turn: "800" is no CAN id: 0 to 7ff, or 00000000 to 1fffffff with 8 digits"#
        ),
        ("turn = 1 8", #"c0.ini:2: [can x] turn: "8" names none of the bytes 0 to 7"#),
        ("turn = 1 0 1 2 3", "c0.ini:2: [can x] turn: a number has 1 to 24 bits"),
        (
            "turn = 1 0&05",
            #"c0.ini:2: [can x] turn: "0&05" leaves a gap between bits; a mask is a run of ones, as in 2&f0"#
        ),
        ("turn = 1 0&00", #"c0.ini:2: [can x] turn: "0&00" looks at no bit"#),
        ("press = 1 3=1", #"c0.ini:2: [can x] press: "3=1" stands before one of if, down, held"#),
        (
            "press = 1 dwn 3=1",
            #"c0.ini:2: [can x] press: "dwn" stands before one of if, down, held; did you mean "down"?"#
        ),
        ("press = 1 if 3=1", "c0.ini:2: [can x] press: it does not say when the control is down, as in 25b down 3=01"),
        ("press = 1 down 3&0f=10", #"c0.ini:2: [can x] press: "3&0f=10" can never hold: its mask hides the value"#),
        ("press = 1 down 3=1 down 4=1", #"c0.ini:2: [can x] press: "down" comes twice"#),
        ("press = 1 down 3=100", #"c0.ini:2: [can x] press: "100" is not a hexadecimal number of 1 to 2 digits"#),
        ("reset = 5e7", #"c0.ini:2: [can x] reset: "5e7" is no id with tests behind it, as in 5e7 4=06"#),
        (
            "turn = 1 0\nstart = 1 0 1 2 3 4 5 6 7 8",
            #"c0.ini:3: [can x] start: "1 0 1 2 3 4 5 6 7 8" is no id with up to 8 bytes behind it"#
        ),
        ("turn = 1 0\npoll = 1 0", #"c0.ini:3: [can x] poll: it needs the key "poll-every""#),
        ("turn = 1 0\npoll-every = 1s", #"c0.ini:3: [can x] poll-every: it means nothing without the key "poll""#),
        ("turn = 1 0\npoll = 1\npoll-every = 1us", #"c0.ini:4: [can x] poll-every: "1us" is not between 1ms and 1min"#),
        ("reversed = yes", #"c0.ini:2: [can x] reversed: it means nothing without the key "turn""#),
        ("pad = 1", #"c0.ini:1: [can x] a pad needs the keys "pad", "pad-x", "pad-y" and "pad-fingers""#),
        (
            "pad = 1\npad-x = 0\npad-y = 1\npad-fingers = 2 1=1",
            "c0.ini:5: [can x] pad-fingers: none of the values says that no finger is there, as in 11=0"
        ),
        (
            "pad = 1\npad-x = 0\npad-y = 1\npad-x2 = 3\npad-fingers = 2 0=0",
            #"c0.ini:1: [can x] "pad-x2" and "pad-y2" belong together"#
        ),
        (
            "pad = 1\npad-x = 0\npad-y = 1\npad-x2 = 3\npad-y2 = 4&01\npad-fingers = 2 0=0",
            #"c0.ini:1: [can x] "pad-x2" and "pad-y2" need as many bits as "pad-x" and "pad-y""#
        ),
        (
            "silence = 5s",
            #"c0.ini:1: [can x] the section needs one of the keys "turn", "press", "pad", or another control"#
        ),
        (
            "kind = none\nturn = 1 0",
            #"c0.ini:1: [can x] a controller that is not wanted is taken out with "enabled = no""#
        ),
    ])
    func whatIsWrongIsNamed(lines: String, expected: String) { #expect(problem(lines) == [expected]) }

    @Test func otherSectionsAreRefused() {
        #expect(
            problems { _ = try table("[cam x]\nturn = 1 0\n") }
                == [#"c0.ini:1: [cam x] there is no such section; there is can; did you mean "can"?"#])
        #expect(problems { _ = try table("[can]\n") } == ["c0.ini:1: [can] the section needs a name, as in [can main]"])
    }
}

@Suite struct CANSettingsTests {
    private func settings(_ value: String) throws -> [CANChoice] {
        let file = ConfigurationFile(name: "s.ini", text: "[input]\ncan = \(value)\n")
        return try Configuration.parse(settings: [file]).settings.input.can
    }

    @Test func controllersAreNamedWithTheirInterfaces() throws {
        #expect(RigSettings().input.can.isEmpty)
        #expect(try settings("").isEmpty)
        #expect(
            try settings("can0:idrive-f, vcan1:idrive-g") == [
                CANChoice(interface: "can0", controller: "idrive-f"),
                CANChoice(interface: "vcan1", controller: "idrive-g"),
            ])
    }

    @Test(arguments: [
        ("can0", #""can0" is not INTERFACE:CONTROLLER as in can0:idrive-g"#),
        ("can0:a:b", #""can0:a:b" is not INTERFACE:CONTROLLER as in can0:idrive-g"#),
        ("can/0:idrive-f", #""can/0" is no network interface of 1 to 15 letters, digits, '-', '_' or '.'"#),
        (
            "abcdefghijklmnop:idrive-f",
            #""abcdefghijklmnop" is no network interface of 1 to 15 letters, digits, '-', '_' or '.'"#
        ),
        ("can0:idrive-f, can0:idrive-f", #""can0:idrive-f" comes twice"#),
        (
            "can0:idrive-h",
            #"there is no CAN controller "idrive-h"; there is idrive-f, idrive-g, idrive-zbe07; "#
                + #"did you mean "idrive-f"?"#
        ),
    ])
    func whatIsWrongIsNamed(value: String, expected: String) {
        #expect(problems { _ = try settings(value) } == ["s.ini:2: [input] can: \(expected)"])
    }
}
