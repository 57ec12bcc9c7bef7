import Testing

@testable import DashrigCommands

@Suite struct ArgumentParserTests {
    static func parse(_ words: String...) throws(UsageFailure) -> Arguments {
        guard case .command(_, let arguments) = try CommandTable.parser.parse(words) else {
            throw UsageFailure("no command")
        }
        return arguments
    }

    @Test func optionsStandAnywhere() throws {
        let arguments = try Self.parse("--json", "plug", "--name", "anna", "iphone", "--slow=200ms", "--locked")
        #expect(arguments.path == ["plug"])
        #expect(arguments.required("PROFILE") == "iphone")
        #expect(arguments.text("--name") == "anna")
        #expect(arguments.duration("--slow") == 200_000_000)
        #expect(arguments.flag("--locked") && arguments.flag("--json") && !arguments.flag("--untrusted"))
        #expect(arguments.text("--serial") == nil)
    }

    @Test(arguments: [("-3", -3), ("3", 3), ("+3", 3), ("-1000", -1_000), ("1000", 1_000)])
    func numbersMayBeNegative(_ word: String, _ number: Int) throws {
        #expect(try Self.parse("knob", "rotate", word).requiredNumber("N") == number)
    }

    @Test(arguments: [
        ["knob", "rotate", "1001"], ["knob", "rotate", "-1001"], ["knob", "rotate", "three"], ["knob", "rotate", "-"],
        ["knob", "rotate", "1.5"], ["knob", "rotate", "99999999999999999999"], ["slow", "a", "61s"],
        ["slow", "a", "200"],
        ["slow", "a", "-1ms"], ["touch", "tap", "-1", "2"], ["touch", "tap", "1", "16384"],
        ["touchpad", "tap", "1", "100.01"],
        ["touchpad", "tap", "1", "50.123"], ["watch", "--for", "soon"], ["plug", "iphone", "--refuse", "everything"],
        ["mark"], ["plug"], ["plug", "a", "b"], ["plug", "iphone", "--name"], ["plug", "iphone", "--name", "--locked"],
        ["plug", "iphone", "--locked=yes"], ["plug", "iphone", "--name=a", "--name=b"], ["plug", "iphone", "--wings"],
        ["plug", "iphone", "-x"], ["knob"], ["knob", "fly"], ["fly"], ["plug", ""], ["status", "now"], ["--json"],
        ["limited-ui", "keyboard,"], ["limited-ui", ""], ["display", "set", "main"],
        ["display", "set", "main", "scale"],
        ["display", "set", "main", "size=3"], ["completion", "fish"], ["touch", "path", "1"],
        ["touch", "path", "1,2,3"],
        ["unplug", "a", "--generation", "0"], ["--timeout", "0ms", "status"], ["key", "escape"],
    ])
    func whatIsWrongIsToldAsUsage(_ words: [String]) {
        #expect(throws: UsageFailure.self) { try CommandTable.parser.parse(words) }
    }

    @Test(arguments: [
        (["statsu"], "status"), (["plug", "iphone", "--nmae", "x"], "--name"), (["knob", "rotat", "3"], "rotate"),
        (["knob", "nudge", "upp"], "up"), (["key", "hme"], "home"),
        (["plug", "x", "--refuse", "autentication"], "authentication"),
        (["display", "set", "main", "apearance=dark"], "appearance"), (["limited-ui", "keybord"], "keyboard"),
        (["slow", "a", "3sec"], "3s"), (["--jsn", "status"], "--json"),
    ])
    func aSlipSuggestsWhatWasMeant(_ words: [String], _ suggestion: String) {
        let failure = #expect(throws: UsageFailure.self) { try CommandTable.parser.parse(words) }
        #expect(failure?.suggestion == suggestion)
    }

    @Test(
        arguments: [
            (
                "plug x --late challenge",
                "--late: \"challenge\" is not WORD=TIME; the words are certificateRequest, challenge, "
                    + "authenticationVerdict, identificationRequest, identificationVerdict, information, sessionOffer",
                nil
            ),
            (
                "plug x --late chalenge=1s",
                "--late: \"chalenge\" is none of certificateRequest, challenge, authenticationVerdict, "
                    + "identificationRequest, identificationVerdict, information, sessionOffer", "challenge"
            ),
            (
                "plug x --late challenge=500",
                "--late: \"500\" has no unit; write it as in 80ms or 2s", nil
            ),
            ("plug x --late challenge=2001ms", "--late: \"2001ms\" is not between 0s and 2s", nil),
            (
                "plug x --late challenge=",
                "--late: \"\" is not a number with a unit, as in 80ms or 2s", nil
            ),
            ("plug x --link-version 0", "--link-version: 0 is not between 1 and 3", nil),
            ("plug x --link-version 4", "--link-version: 4 is not between 1 and 3", nil),
            ("plug x --link-version two", "--link-version: \"two\" is not a whole number", nil),
            ("plug x --link-version 1 --link-version 2", "--link-version is given twice", nil),
            ("plug x --trust-after 61s", "--trust-after: \"61s\" is not between 0s and 1min", nil),
            (
                "plug x --misorder none",
                "--misorder: \"none\" is none of identificationEarly, challengeFirst, resultFirst, acceptanceFirst, "
                    + "offerFirst", nil
            ),
            (
                "misorder a chalengeFirst",
                "WHAT: \"chalengeFirst\" is none of identificationEarly, challengeFirst, resultFirst, acceptanceFirst, "
                    + "offerFirst, none", "challengeFirst"
            ),
            ("misorder a", "misorder needs WHAT: what, or none", nil),
            ("late a challenge", "late needs TIME: how much later: 200ms, 1.5s", nil),
            ("late a challenge 2s1", "TIME: \"s1\" is not a unit; there is ns, us, ms, s, min, h", nil),
            ("late a challenge 3s", "TIME: \"3s\" is not between 0s and 2s", nil),
            (
                "late a ofer 1s",
                "ANSWER: \"ofer\" is none of certificateRequest, challenge, authenticationVerdict, "
                    + "identificationRequest, identificationVerdict, information, sessionOffer", nil
            ),
            ("carplay a maybe", "STATE: \"maybe\" is none of on, off", nil),
            ("carplay a", "carplay needs STATE: on or off", nil),
            ("trust a --after 2min", "--after: \"2min\" is not between 0s and 1min", nil),
            ("trust a --after", "--after needs a value: --after TIME", nil),
        ] as [(String, String, String?)])
    func whatIsSetOnAPhoneIsToldWithItsPlace(_ line: String, _ text: String, _ suggestion: String?) {
        let words = line.split(separator: " ").map(String.init)
        let failure = #expect(throws: UsageFailure.self) { try CommandTable.parser.parse(words) }
        #expect(failure?.text == text)
        #expect(failure?.suggestion == suggestion)
    }

    @Test func aPublishedNameIsAsGoodAsItsWord() throws {
        #expect(try Self.parse("key", "playPause").text("KEY") == "play-pause")
        #expect(try Self.parse("knob", "nudge", "upLeft").text("DIRECTION") == "up-left")
    }

    @Test func theRestAfterTwoDashesIsOperands() throws {
        #expect(try Self.parse("mark", "--", "--json", "-x").texts("TEXT") == ["--json", "-x"])
        #expect(!ArgumentParser.asksForJSON(["mark", "--", "--json"]))
    }

    @Test func listsAreJoined() throws {
        let arguments = try Self.parse("watch", "--kinds", "input,session", "--kinds", "mark")
        #expect(arguments.words("--kinds") == ["input", "session", "mark"])
    }

    @Test func aPathHasPointsAndFingers() throws {
        let parts = try Self.parse("touch", "path", "1,2", "3.5,4", "+", "5,6").parts("X,Y")
        #expect(parts == [.point(x: 100, y: 200), .point(x: 350, y: 400), .nextFinger, .point(x: 500, y: 600)])
    }

    @Test func helpIsGivenWhateverElseIsWrong() throws {
        for words in [["knob", "rotate", "--help"], ["knob", "rotate", "x", "--wings", "-h"]] {
            guard case .help(["knob", "rotate"]) = try CommandTable.parser.parse(words) else {
                Issue.record("no help for \(words)")
                continue
            }
        }
        guard case .help([]) = try CommandTable.parser.parse(["--help"]) else { Issue.record("no help"); return }
        #expect(throws: UsageFailure.self) { try CommandTable.parser.parse(["fly", "--help"]) }
    }

    @Test func aFailureNamesTheCommandWhoseHelpExplainsIt() {
        let failure = #expect(throws: UsageFailure.self) { try CommandTable.parser.parse(["knob", "rotate", "x"]) }
        #expect(failure?.helpCommand == "dashrig help knob rotate")
        #expect(failure?.text == "N: \"x\" is not a whole number")
    }
}
