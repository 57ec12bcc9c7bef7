#if HAVE_YAML
    import LibinputFormat
    import RigModel
    import Testing

    @Suite("a recording of libinput record")
    struct LibinputRecordingTests {
        /// Two devices, as the recorder lays them out; comments and keys of later versions among them.
        static let text = """
            # libinput record
            version: 1
            ndevices: 2
            libinput:
              version: "1.22.1"
            system:
              os: "debian:12"
              dmi: "dmi:bvnX:bvr(2.22):*"
            devices:
              - node: /dev/input/event9
                evdev:
                  # Name: Bench Touchpad
                  name: "Bench: Touchpad"
                  id: [29, 1739, 7, 1]
                  codes:
                    0: [0, 1, 2, 3] # EV_SYN
                    1: [272, 325, 330] # EV_KEY
                    3: [53, 0, 1] # EV_ABS
                  absinfo:
                    0: [0, 4089, 1, 2, 42]
                    1: [-5, 2811, 0, 0, 41]
                  properties: [0, 2]
                  future: {deep: [1, {x: [2, 3]}]}
                hid: [12, 23]
                udev:
                  properties:
                  - ID_INPUT=1
                quirks:
                events:
                  - hid:
                      time: [ 0, 0]
                  - evdev:
                    - [  0,      0,   3,  53,  1218] # EV_ABS / ABS_MT_POSITION_X
                    - [  0,      0,   1, 330,     1] # EV_KEY / BTN_TOUCH
                    - [  0,      0,   0,   0,     0] # ------------ SYN_REPORT (0)
                  - libinput:
                    - {time: 0.0, type: POINTER_MOTION}
                  - evdev:
                    - [  1,  11879,   1, 330,     0]
                    - [  1,  11879,   0,   0,     0]
              - node: /dev/input/event3
                evdev:
                  name: Bench Knob
                  id: [3, 1, 2, 3]
                  codes:
                    2: [7]
                  properties: []
                events:
            """

        private func recordings(_ text: String) throws -> [LibinputRecording] {
            try LibinputRecording.all(parsing: Array(text.utf8))
        }

        @Test func itsDevicesAndReportsAreRead() throws {
            let found = try recordings(Self.text)
            #expect(found.map(\.node) == ["/dev/input/event9", "/dev/input/event3"])
            let pad = try #require(found.first)
            #expect(
                pad.device
                    == InputDeviceDescription(
                        bus: 29, vendor: 1739, product: 7, version: 1, name: "Bench: Touchpad", ev: [0, 1, 3],
                        key: [272, 325, 330], abs: [0, 1, 53], props: [0, 2],
                        axes: [
                            AbsoluteRange(code: 0, minimum: 0, maximum: 4089, fuzz: 1, flat: 2, resolution: 42),
                            AbsoluteRange(code: 1, minimum: -5, maximum: 2811, fuzz: 0, flat: 0, resolution: 41),
                        ]))
            #expect(pad.frames.map(\.time) == [0, 1_011_879_000])
            #expect(pad.frames.map(\.events.count) == [2, 1])
            #expect(pad.frames[1].events[0] == EvdevEvent(type: 1, code: 330, value: 0, time: 1_011_879_000))
            #expect(found[1].device.rel == [7])
            #expect(found[1].frames.isEmpty)
        }

        @Test func aReportThatTheRecorderLostIsCountedAndLeftOut() throws {
            let text = Self.text.replacing(
                "- [  1,  11879,   1, 330,     0]",
                with: "- [  1,  11879,   1, 330,     0]\n        - [  1,  11879,   0,   3,     0]")
            let pad = try #require(try recordings(text).first)
            #expect(pad.frames.count == 1)
            #expect(pad.losses == 1)
            #expect(pad.unfinished == 0)
        }

        @Test func eventsBehindTheLastReportAreCounted() throws {
            let text = Self.text.replacing("        - [  1,  11879,   0,   0,     0]\n", with: "")
            #expect(try recordings(text).first?.unfinished == 1)
        }

        struct Wrong: Sendable, CustomTestStringConvertible {
            let old: String
            let new: String
            let line: Int
            let told: String
            var testDescription: String { new }
        }

        static let wrong: [Wrong] = [
            Wrong(old: "version: 1\n", new: "version: 2\n", line: 2, told: "version 2"),
            Wrong(old: "version: 1\n", new: "version: one\n", line: 2, told: "\"one\""),
            Wrong(old: "id: [29, 1739, 7, 1]", new: "id: [29, 1739, 7]", line: 14, told: "3 numbers"),
            Wrong(old: "id: [29, 1739, 7, 1]", new: "id: [29, 1739, 7, 65536]", line: 14, told: "\"65536\""),
            Wrong(old: "1: [272,", new: "32: [272,", line: 17, told: "\"32\""),
            Wrong(old: "1: [272,", new: "1: [768,", line: 17, told: "\"768\""),
            Wrong(old: "[0, 4089, 1, 2, 42]", new: "[0, 4089, 1, 2]", line: 20, told: "4 numbers"),
            Wrong(old: "[  0,      0,   3,  53,  1218]", new: "[0, 0, 3, 53]", line: 33, told: "[0, 0, 3, 53]"),
            Wrong(old: "[  0,      0,   3,  53,  1218]", new: "[0, 1000000, 3, 53, 1]", line: 33, told: "[0, 1000000,"),
            Wrong(old: "[  0,      0,   3,  53,  1218]", new: "[0, 0, 3, x, 1]", line: 33, told: "\"x\""),
            Wrong(
                old: "[  0,      0,   3,  53,  1218]", new: "[0, 0, 3, 53, 1218, 9]", line: 33, told: "one number more"),
            Wrong(old: "quirks:", new: "quirks: *all", line: 28, told: "an alias"),
            Wrong(old: "system:", new: "system: [", line: 8, told: ""),
            Wrong(old: "ndevices: 2", new: "- x", line: 3, told: ""),
        ]

        @Test(arguments: wrong)
        func aWrongPlaceIsToldWithItsLine(_ row: Wrong) throws {
            let text = Self.text.replacing(row.old, with: row.new, maxReplacements: 1)
            try #require(text != Self.text)
            let problem = #expect(throws: LibinputProblem.self) { try recordings(text) }
            guard case .wrong(let line, let found, _)? = problem else {
                Issue.record("\(String(describing: problem))")
                return
            }
            #expect(line == row.line)
            #expect(found.contains(row.told), "\(found)")
        }

        @Test(arguments: ["", "x", "version: 1", "devices: []\nversion: 1", "version: 1\ndevices:\n  - node: x\n"])
        func aTextWithoutADeviceIsNone(_ text: String) {
            #expect(throws: LibinputProblem.self) { try recordings(text) }
        }

        @Test func deepValuesEndAtALimit() {
            let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
            #expect(throws: LibinputProblem.self) {
                try recordings(Self.text.replacing("quirks:", with: "quirks: \(deep)"))
            }
            let flat = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
            #expect(throws: Never.self) { try recordings(Self.text.replacing("quirks:", with: "quirks: \(flat)")) }
        }

        /// Bytes left out, doubled or changed give a recording or a problem, and never anything else.
        @Test func damagedTextIsReadOrRefused() {
            var generator = SystemRandomNumberGenerator()
            let seed = generator.next()
            var state = seed
            func next(_ bound: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
            }
            let whole = Array(Self.text.utf8)
            for _ in 0..<2_000 {
                var bytes = whole
                for _ in 0...next(3) {
                    let place = next(bytes.count)
                    switch next(3) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes.insert(bytes[next(bytes.count)], at: place)
                    default: bytes[place] = UInt8(truncatingIfNeeded: next(256))
                    }
                }
                do {
                    let devices = try LibinputRecording.all(parsing: bytes)
                    #expect(!devices.isEmpty, "seed \(seed)")
                } catch {
                    if case .unavailable = error { Issue.record("seed \(seed): \(error)") }
                }
            }
        }

        @Test(arguments: [
            ("", "version:"), ("ndevices: 2\n", "ndevices:"), ("devices: []\n", "devices:"),
        ])
        func twoRecordingsInOneFileAreRefusedWhereTheSecondBegins(_ between: String, _ found: String) throws {
            let first = Self.text.hasSuffix("\n") ? Self.text : Self.text + "\n"
            let lines = first.split(separator: "\n", omittingEmptySubsequences: false).count - 1
            let problem = #expect(throws: LibinputProblem.self) { try recordings(first + between + Self.text) }
            guard case .wrong(let line, let told, _)? = problem else {
                Issue.record("\(String(describing: problem))")
                return
            }
            // Its first line is a comment, its second the version.
            #expect(line == (between.isEmpty ? lines + 2 : lines + 1))
            #expect(told.hasPrefix(found), "\(told)")
        }

        @Test func aKeyOfADeviceStandsOnce() {
            let text = Self.text.replacing("quirks:", with: "node: /dev/input/event1", maxReplacements: 1)
            let problem = #expect(throws: LibinputProblem.self) { try recordings(text) }
            #expect(problem?.description.contains("node: stands here a second time") == true)
        }

        @Test func aByteOrderMarkIsPassedOver() throws {
            let bytes = Array("\u{FEFF}\(Self.text.drop { $0 != "\n" }.dropFirst())".utf8)
            #expect(LibinputRecording.isLikely(bytes))
            #expect(try LibinputRecording.all(parsing: bytes) == recordings(Self.text))
        }

        @Test func itIsToldFromOtherForms() {
            #expect(LibinputRecording.isLikely(Array(Self.text.utf8)))
            #expect(!LibinputRecording.isLikely(Array("# EVEMU 1.3\nN: knob\n".utf8)))
            #expect(!LibinputRecording.isLikely([]))
        }
    }
#else
    import LibinputFormat
    import Testing

    @Test func aBuildWithoutTheLibrarySaysSo() {
        #expect(throws: LibinputProblem.self) { try LibinputRecording.all(parsing: Array("version: 1\n".utf8)) }
    }
#endif
