import RigConfiguration
import RigModel
import Testing

@Suite struct ConfigurationValueTests {
    private func text(_ body: () throws(ConfigurationValueError) -> Void) -> String? {
        do throws(ConfigurationValueError) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        arguments: [
            ("500us", 500_000), ("80ms", 80_000_000), ("2s", 2_000_000_000), ("2 s", 2_000_000_000),
            ("1.5s", 1_500_000_000), ("1min", 60_000_000_000), ("1h", 3_600_000_000_000), ("0ms", 0), ("7ns", 7),
            ("0.000001s", 1_000), ("1.50s", 1_500_000_000), ("0.1min", 6_000_000_000), ("1.0ns", 1),
        ] as [(String, UInt64)])
    func readsDurations(written: String, nanoseconds: UInt64) throws {
        #expect(try ConfigurationValue.duration(written) == nanoseconds)
    }

    @Test(arguments: [
        ("80", "\"80\" has no unit; write it as in 80ms or 2s"),
        ("", "\"\" is not a number with a unit, as in 80ms or 2s"),
        ("-1s", "\"-1s\" is not a number with a unit, as in 80ms or 2s"),
        ("s", "\"s\" is not a number with a unit, as in 80ms or 2s"),
        ("1.s", "\"1.s\" is not a number with a unit, as in 80ms or 2s"),
        (".5s", "\".5s\" is not a number with a unit, as in 80ms or 2s"),
        ("1.2.3s", "\"1.2.3s\" is not a number with a unit, as in 80ms or 2s"),
        ("5 seconds", "\"seconds\" is not a unit; there is ns, us, ms, s, min, h; did you mean \"5s\"?"),
        ("5m", "\"m\" is not a unit; there is ns, us, ms, s, min, h; did you mean \"5min\"?"),
        ("5MS", "\"MS\" is not a unit; there is ns, us, ms, s, min, h; did you mean \"5ms\"?"),
        ("5parsec", "\"parsec\" is not a unit; there is ns, us, ms, s, min, h"),
        ("0.5ns", "\"0.5ns\" is finer than the smallest unit"),
        ("0.1234567s", "\"0.1234567s\" has more than six decimals"),
        ("99999999999999999999s", "\"99999999999999999999s\" is too large"),
        ("18446744073709551615s", "\"18446744073709551615s\" is too large"),
        ("18446744073.9s", "\"18446744073.9s\" is too large"),
        ("61min", "\"61min\" is not between 0s and 1h"),
    ])
    func refusesDurations(written: String, problem: String) {
        #expect(text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.duration(written) } == problem)
    }

    @Test func aLongWrongValueIsCutInItsError() {
        let long = String(repeating: "x", count: 100)
        let problem = text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.bool(long) }
        #expect(problem == "\"\(String(repeating: "x", count: 64))…\" is neither yes nor no")
    }

    @Test(arguments: [
        ("512B", 512), ("64KiB", 65_536), ("1MiB", 1_048_576), ("1.5KiB", 1_536), ("1GiB", 1_073_741_824),
    ])
    func readsSizes(written: String, bytes: Int) throws { #expect(try ConfigurationValue.byteCount(written) == bytes) }

    @Test(arguments: [
        ("64", "\"64\" has no unit; write it as in 64KiB or 1MiB"),
        ("64KB", "\"KB\" is not a unit; there is B, KiB, MiB, GiB; did you mean \"64KiB\"?"),
        ("1M", "\"M\" is not a unit; there is B, KiB, MiB, GiB; did you mean \"1MiB\"?"),
        ("0.5B", "\"0.5B\" is finer than the smallest unit"), ("2GiB", "\"2GiB\" is not between 0B and 1GiB"),
        ("99999999999GiB", "\"99999999999GiB\" is too large"),
    ])
    func refusesSizes(written: String, problem: String) {
        #expect(text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.byteCount(written) } == problem)
    }

    @Test(arguments: [("yes", true), ("on", true), ("true", true), ("no", false), ("off", false), ("false", false)])
    func readsTruthValues(written: String, value: Bool) throws {
        #expect(try ConfigurationValue.bool(written) == value)
    }

    @Test func readsWholeNumbersWithinTheirRange() throws {
        #expect(try ConfigurationValue.integer("1", in: 1...4) == 1)
        #expect(try ConfigurationValue.integer("4", in: 1...4) == 4)
        for (written, problem) in [
            ("0", "\"0\" is not between 1 and 4"), ("5", "\"5\" is not between 1 and 4"),
            ("99999999999999999999", "\"99999999999999999999\" is not between 1 and 4"),
            ("-1", "\"-1\" is not a whole number"), ("1.0", "\"1.0\" is not a whole number"),
            ("", "\"\" is not a whole number"), ("１", "\"１\" is not a whole number"),
        ] {
            #expect(
                text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.integer(written, in: 1...4) }
                    == problem)
        }
    }

    @Test(arguments: [("1", 100), ("2", 200), ("2.5", 250), ("1.25", 125), ("4", 400), ("4.00", 400)])
    func readsScales(written: String, hundredths: Int) throws {
        #expect(try ConfigurationValue.scale(written) == hundredths)
        #expect(try ConfigurationValue.scale(ConfigurationValue.format(hundredths: hundredths)) == hundredths)
    }

    @Test(arguments: [
        ("5", "\"5\" is not between 1 and 4"), ("0.99", "\"0.99\" is not between 1 and 4"),
        ("4.01", "\"4.01\" is not between 1 and 4"), ("1.255", "\"1.255\" is not a number with at most two decimals"),
        ("2x", "\"2x\" is not a number"), ("", "\"\" is not a number"),
        ("2.", "\"2.\" is not a number with at most two decimals"),
        ("99999999999999999999", "\"99999999999999999999\" is not between 1 and 4"),
    ])
    func refusesScales(written: String, problem: String) {
        #expect(text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.scale(written) } == problem)
    }

    @Test func readsGeometry() throws {
        #expect(try ConfigurationValue.size("800x480") == PixelSize(width: 800, height: 480))
        #expect(try ConfigurationValue.size("16384x1") == PixelSize(width: 16_384, height: 1))
        #expect(
            try ConfigurationValue.rect("420,0 1080x720") == PixelRect(x: 420, y: 0, width: 1_080, height: 720))
        let scaled = try ConfigurationValue.scaledSize("800x480@2.5")
        #expect(scaled.size == PixelSize(width: 800, height: 480))
        #expect(scaled.scaleHundredths == 250)
    }

    @Test(arguments: [
        ("800", "\"800\" is not WIDTHxHEIGHT as in 800x480"),
        ("800x480@2", "\"800x480@2\" is not WIDTHxHEIGHT as in 800x480; the scale has its own key"),
        ("800 x 480", "\"800 x 480\" is not WIDTHxHEIGHT as in 800x480"),
        ("800x480x3", "\"800x480x3\" is not WIDTHxHEIGHT as in 800x480"),
        ("0x480", "\"0x480\" is not between 1x1 and 16384x16384 pixels"),
        ("16385x1", "\"16385x1\" is not between 1x1 and 16384x16384 pixels"),
        ("99999999999x1", "\"99999999999x1\" is not WIDTHxHEIGHT as in 800x480"),
    ])
    func refusesSizesInPixels(written: String, problem: String) {
        #expect(text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.size(written) } == problem)
    }

    @Test(arguments: [
        "", "0,0", "0 0 800x480", "0,0,0 800x480", "-1,0 800x480", "0,0 800", "0,0 800x480 9", "a,b 1x1", ",0 1x1",
    ])
    func refusesRectangles(written: String) {
        #expect(
            text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.rect(written) }
                == "\"\(written)\" is not X,Y WIDTHxHEIGHT as in 0,0 800x480")
    }

    @Test(arguments: ["0,0 0x480", "16385,0 1x1", "0,0 16385x1", "99999999999999999999,0 1x1"])
    func refusesRectanglesOutOfRange(written: String) {
        #expect(
            text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.rect(written) }
                == "\"\(written)\" has a number beyond 16384 or an empty side")
    }

    @Test func readsLists() throws {
        #expect(try ConfigurationValue.list("") == [])
        #expect(try ConfigurationValue.list("a") == ["a"])
        #expect(try ConfigurationValue.list(" a,b , c d") == ["a", "b", "c d"])
        #expect(
            text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.list("a,,b") }
                == "\"a,,b\" has an empty part between its commas")
        #expect(
            text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.list("a,b,c", atMost: 2) }
                == "the list has 3 parts; the most is 2")
    }

    @Test func readsChoicesInBothSpellings() throws {
        #expect(try ConfigurationValue.choice("instrument-cluster", of: DisplayRole.self) == .instrumentCluster)
        #expect(try ConfigurationValue.choice("instrumentCluster", of: DisplayRole.self) == .instrumentCluster)
        #expect(
            text { () throws(ConfigurationValueError) in
                _ = try ConfigurationValue.choice("instrument_cluser", of: DisplayRole.self)
            } == "\"instrument_cluser\" is none of main, instrument-cluster; did you mean \"instrument-cluster\"?")
    }

    @Test(arguments: [
        ("iPhone", "iphone"), ("androidPhone", "android-phone"), ("headUnit", "head-unit"), ("knob", "knob"),
        ("upLeft", "up-left"),
    ])
    func writesNamesAsWords(name: String, word: String) { #expect(ConfigurationValue.word(name) == word) }

    @Test(arguments: [("0", 0), ("1290", 0x1290), ("ffff", 0xFFFF), ("FFFF", 0xFFFF)] as [(String, UInt16)])
    func readsHexadecimal(written: String, value: UInt16) throws {
        #expect(try ConfigurationValue.hexadecimal(written, digits: 4) == value)
    }

    @Test(arguments: ["", "12345", "0x12", "+123", "g"])
    func refusesWhatIsNotHexadecimal(written: String) {
        #expect(
            text { () throws(ConfigurationValueError) in _ = try ConfigurationValue.hexadecimal(written, digits: 4) }
                == "\"\(written)\" is not a hexadecimal number of 1 to 4 digits")
    }

    @Test(
        arguments: [
            (0, "0s"), (1, "1ns"), (1_500_000, "1500us"), (80_000_000, "80ms"), (60_000_000_000, "1min"),
            (90_000_000_000, "90s"), (3_600_000_000_000, "1h"), (UInt64.max, "18446744073709551615ns"),
        ] as [(UInt64, String)])
    func writesDurations(nanoseconds: UInt64, written: String) {
        #expect(ConfigurationValue.format(nanoseconds) == written)
    }
}

@Suite struct SpellingTests {
    @Test(arguments: [
        ("iphnoe", "iphone"), ("iPhone", "iphone"), ("headunit", "head-unit"), ("head_unit", "head-unit"),
        ("andriod", "android"), ("ipd", "ipad"), ("dongles", "dongle"), ("andro", "android"), ("hea", "head-unit"),
    ])
    func findsWhatWasMeant(word: String, meant: String) {
        #expect(
            Spelling.nearest(to: word, among: ["iphone", "ipad", "ipod", "android", "dongle", "head-unit"]) == meant)
    }

    @Test(arguments: ["", "x", "carplay", "zzzzzz", String(repeating: "iphone", count: 20)])
    func saysNothingWhenNothingIsNear(word: String) {
        #expect(Spelling.nearest(to: word, among: ["iphone", "ipad", "ipod", "android"]) == nil)
    }

    @Test func anAmbiguousBeginningSuggestsNothing() {
        #expect(Spelling.nearest(to: "clu", among: ["cluster-wide", "cluster-basic"]) == nil)
        #expect(Spelling.nearest(to: "clu", among: ["cluster-wide", "main"]) == "cluster-wide")
    }

    @Test func theFirstOfEquallyNearOnesWins() {
        #expect(Spelling.nearest(to: "ipd", among: ["ipod", "ipad"]) == "ipod")
    }
}

@Suite struct NamePatternTests {
    @Test(arguments: [
        ("1-1", "1-1", true), ("1-1", "1-10", false), ("1-1*", "1-1", true), ("1-1*", "1-10.2", true),
        ("1-1.*", "1-1.4", true), ("1-1.*", "1-1", false), ("*", "", true), ("", "", true), ("", "a", false),
        ("?-1", "2-1", true), ("?-1", "-1", false), ("*knob*", "Griffin knob 2", true), ("*knob", "knobs", false),
        ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false), ("**", "x", true), ("1-1", "1-1.1", false),
    ])
    func matchesTheWholeName(pattern: String, name: String, matches: Bool) {
        #expect(NamePattern(pattern).matches(name) == matches)
    }

    @Test func aFilterTakesEverythingUntilItIsToldOtherwise() {
        #expect(NameFilter().admits("1-1"))
        let filter = NameFilter(only: [NamePattern("1-*")], except: [NamePattern("1-1.*")])
        #expect(filter.admits("1-2"))
        #expect(!filter.admits("2-1"))
        #expect(!filter.admits("1-1.3"))
        #expect(!NameFilter(except: [NamePattern("*")]).admits("1-1"))
    }
}
