import RigModel
import ScenarioCore
import Testing

@Suite struct ScenarioProblemTests {
    /// What is wrong: the text, the column, how much is marked, the message (its beginning), the suggestion.
    struct Wrong: CustomTestStringConvertible, Sendable {
        let text: String
        let column: Int
        let length: Int
        let message: String
        let suggestion: String?

        init(_ text: String, _ column: Int, _ length: Int, _ message: String, _ suggestion: String? = nil) {
            self.text = text
            self.column = column
            self.length = length
            self.message = message
            self.suggestion = suggestion
        }

        var testDescription: String { text }
    }

    static let steps: [Wrong] = [
        Wrong("plg iphone", 1, 3, "there is no step 'plg'", "plug"),
        Wrong("  expct mark", 3, 5, "there is no step 'expct'", "expect"),
        Wrong("xyzzy", 1, 5, "there is no step 'xyzzy'"),
        Wrong("\"plug\" iphone", 1, 6, "a step begins with a plain word"),
        Wrong("at 1s let x = 1", 7, 3, "'let' stands at the beginning of a line"),
        Wrong("at 1s app launch", 7, 3, "'app' comes with a later version"),
        Wrong("exec", 5, 1, "the program's name is missing"),
        Wrong("exec log", 9, 1, "':' and the command is missing"),
        Wrong("exec log:", 10, 1, "the command is missing"),
        Wrong("exec log witin 1s: x", 10, 5, "'witin' is no option of exec", "within"),
        Wrong("exec log exit 256: x", 15, 4, "'256' is no exit code"),
        Wrong("exec log within 5: x", 17, 2, "'5' is no duration"),
        Wrong("exec session: x", 6, 8, "'session' is a word for events"),
        Wrong("attach log x", 11, 1, "':' and the command is missing"),
        Wrong("every 1s for 2s exec log: x", 17, 4, "'exec' cannot be repeated"),
        Wrong("expect log /x/", 8, 3, "no line above runs 'log'"),
        Wrong("expect log /x", 12, 2, "the '/' that closes the pattern is missing"),
        Wrong("expect log //", 12, 2, "the pattern is empty"),
        Wrong("expect log /x/y", 15, 1, "a space belongs after the pattern"),
        Wrong("1here: lock p", 1, 6, "'1here' is no label"),
        Wrong("here:", 6, 1, "the step that has this label is missing"),
        Wrong("parameter x", 1, 9, "there is no step 'parameter'", "param"),
        Wrong("= 3", 1, 1, "there is no step '='"),
    ]

    static let devices: [Wrong] = [
        Wrong("plug", 5, 1, "the device's profile is missing"),
        Wrong("plug iphone as", 15, 1, "the device's name is missing"),
        Wrong("plug iphone as -x", 16, 2, "'-x' is no name"),
        Wrong("plug iphone lokced", 13, 6, "'lokced' is no option of plug", "locked"),
        Wrong("plug iphone locked locked", 20, 6, "'locked' stands twice"),
        Wrong("plug iphone with wide", 17, 1, "'displays' and the head unit's profile is missing"),
        Wrong("plug iphone identification last", 27, 1, "'first' is missing"),
        Wrong("plug iphone slow 61s", 18, 3, "'61s' is too long; the most is 1min"),
        Wrong("plug iphone refusing to", 22, 2, "'to' cannot be refused"),
        Wrong("plug iphone late", 17, 1, "the answer that is late is missing"),
        Wrong("plug iphone late chalenge 1s", 18, 8, "'chalenge' is no answer of a phone", "challenge"),
        Wrong("plug iphone late challenge", 27, 1, "how much later it comes is missing"),
        Wrong("plug iphone late challenge 500", 28, 3, "'500' has no unit"),
        Wrong("plug iphone late challenge 2001ms", 28, 6, "'2001ms' is too long; the most is 2s"),
        Wrong("plug iphone misordered chalengeFirst", 24, 13, "'chalengeFirst' is no wrong order", "challengeFirst"),
        Wrong("plug iphone misordered", 23, 1, "what comes in the wrong order, or 'nothing' is missing"),
        Wrong("plug iphone misordered nothing misordered offerFirst", 32, 10, "'misordered' stands twice"),
        Wrong("plug iphone carplay", 20, 1, "'off' is missing"),
        Wrong("plug iphone carplay on", 20, 1, "'off' is missing"),
        Wrong("plug iphone trusting 5s", 21, 1, "'after' and a time is missing"),
        Wrong("plug iphone trusting after", 27, 1, "after what time it trusts is missing"),
        Wrong("plug iphone trusting after 61s", 28, 3, "'61s' is too long; the most is 1min"),
        Wrong("plug iphone link 2", 17, 1, "'version' and a number is missing"),
        Wrong("plug iphone link version", 25, 1, "the link version is missing"),
        Wrong("plug iphone link version 0", 26, 1, "0 is not between 1 and 3"),
        Wrong("plug iphone link version 4", 26, 1, "4 is not between 1 and 3"),
        Wrong("plug iphone link version two", 26, 3, "'two' is no whole number"),
        Wrong("plug iphone link version 1 link version 2", 28, 4, "'link' stands twice"),
        Wrong("trust p later", 9, 5, "'later' is no option of trust; there is after"),
        Wrong("trust p after", 14, 1, "after what time it trusts is missing"),
        Wrong("trust p after 2min", 15, 4, "'2min' is too long; the most is 1min"),
        Wrong("trust p after 5", 15, 1, "'5' has no unit"),
        Wrong("carplay p", 10, 1, "'on' or 'off' is missing"),
        Wrong("carplay p oof", 11, 3, "'oof' is neither on nor off", "off"),
        Wrong("late p", 7, 1, "the answer that is late is missing"),
        Wrong("late p sesionOffer 1s", 8, 11, "'sesionOffer' is no answer of a phone", "sessionOffer"),
        Wrong("late p challenge 3s", 18, 2, "'3s' is too long; the most is 2s"),
        Wrong("late p challenge 1s now", 21, 3, "'now' has no meaning here"),
        Wrong("misorder p", 11, 1, "what comes in the wrong order, or 'nothing' is missing"),
        Wrong("misorder p none", 12, 4, "'none' is no wrong order"),
        Wrong("unplug", 7, 1, "the device's name is missing"),
        Wrong("unplug p suprise", 10, 7, "'suprise' is no option of unplug", "surprise"),
        Wrong("unplug p surprise now", 19, 3, "'now' is no option of unplug"),
        Wrong("lock p q", 8, 1, "'q' has no meaning here"),
        Wrong("refuse p sesion", 10, 6, "'sesion' cannot be refused", "session"),
        Wrong("slow p", 7, 1, "how much later it answers is missing"),
    ]

    static let faults: [Wrong] = [
        Wrong("fault", 6, 1, "a kind of fault is missing"),
        Wrong("fault dorp", 7, 4, "'dorp' is not a kind of fault", "drop"),
        Wrong("fault drop toDevcie", 12, 8, "'toDevcie' is no direction and no option of fault", "toDevice"),
        Wrong("fault drop at", 14, 1, "a phase or a packet of the handshake is missing"),
        Wrong("fault drop at authentcating", 15, 13, "'authentcating' is no phase and no packet", "authenticating"),
        Wrong("fault drop at closed", 15, 6, "'closed' is no phase and no packet"),
        Wrong("fault drop from challenge", 17, 9, "'challenge' is no phase"),
        Wrong("fault drop at active from active", 22, 4, "'at' and 'from' exclude each other"),
        Wrong("fault drop count 2 always", 20, 6, "'count' and 'always' exclude each other"),
        Wrong("fault drop after 1 after 2", 20, 5, "'after' stands twice"),
        Wrong("fault drop count 0", 18, 1, "0 is not between 1 and 1000000"),
        Wrong("fault drop after -1", 18, 2, "-1 is not between 0 and 1000000"),
        Wrong("fault drop for 1s", 16, 2, "drop takes no time; reorder, delay, join and stall do"),
        Wrong("fault delay", 7, 5, "delay needs a time"),
        Wrong("fault delay for 61s", 17, 3, "'61s' is too long; the most is 1min"),
        Wrong("fault delay for 1us", 17, 3, "'1us' is too short; the least is 1ms"),
        Wrong("fault stall always", 13, 6, "a stall without a time strikes once"),
        Wrong("fault stall count 2", 19, 1, "a stall without a time strikes once"),
        Wrong("fault unplug count 2", 20, 1, "a cable is pulled once"),
        Wrong("fault unplug after 0 bytes", 20, 1, "0 is not between 1 and 1073741824"),
        Wrong("fault drop after 10 bytes", 18, 2, "drop happens to packets, and counts them"),
        Wrong("fault stall after 10 bytes for 1s count 2", 41, 1, "behind so many bytes it strikes once"),
        Wrong("fault stale at active", 16, 6, "stale bytes come when a session begins"),
        Wrong("fault stale after 1", 19, 1, "stale bytes come before every packet"),
        Wrong("fault corrupt-payload at detection", 26, 9, "the detection bytes have no payload"),
        Wrong("fault drop device -x", 19, 2, "'-x' is no name"),
        Wrong("clear", 6, 1, "'faults' is missing"),
        Wrong("clear falts", 7, 5, "'falts' cannot be cleared", "faults"),
        Wrong("clear faults p", 14, 1, "'p' has no meaning here"),
        Wrong("at 1s clear faults device", 26, 1, "the device's name is missing"),
    ]

    static let gestures: [Wrong] = [
        Wrong("knob", 5, 1, "'rotate', 'press' or 'nudge' is missing"),
        Wrong("knob turn 3", 6, 4, "'turn' is nothing that a knob does"),
        Wrong("knob rotat 3", 6, 5, "'rotat' is nothing that a knob does", "rotate"),
        Wrong("knob rotate", 12, 1, "the number of detents is missing"),
        Wrong("knob rotate 0", 13, 1, "0 detents is no turn"),
        Wrong("knob rotate 1001", 13, 4, "1001 is not between -1000 and 1000"),
        Wrong("knob rotate 1.5", 13, 3, "'1.5' is no whole number"),
        Wrong("knob rotate 99999999999999999999", 13, 20, "'99999999999999999999' is no whole number"),
        Wrong("knob rotate 3 for 2s", 15, 3, "'for' has no meaning here"),
        Wrong("knob press for 61s", 16, 3, "'61s' is too long"),
        Wrong("knob press for 0ms", 16, 3, "'0ms' is too short; the least is 1ms"),
        Wrong("knob press for 1s for 2s", 19, 3, "'for' stands twice"),
        Wrong("knob press on a/b/c", 15, 5, "'a/b/c' is no display"),
        Wrong("knob nudge upp", 12, 3, "'upp' is not a direction", "up"),
        Wrong("key hom", 5, 3, "'hom' is not a key", "home"),
        Wrong("touch", 6, 1, "x in pixels is missing"),
        Wrong("touch tpa 1 2", 7, 3, "'tpa' is no gesture", "tap"),
        Wrong("touch tap 1", 12, 1, "y in pixels is missing"),
        Wrong("touch tap 1 2 to 3 4", 15, 2, "a tap stays where it is"),
        Wrong("touch swipe 1 2", 16, 1, "'to' and where the swipe goes is missing"),
        Wrong("touch tap -1 2", 11, 2, "-1 is not between 0 and 16383"),
        Wrong("touch tap 16384 2", 11, 5, "16384 is not between 0 and 16383"),
        Wrong("touch tap 50% 2", 11, 3, "'50%' is no whole number"),
        Wrong("touchpad tap 50 50", 14, 2, "'50' is no percentage"),
        Wrong("touchpad tap 101% 5%", 14, 4, "'101%' is not between 0% and 100%"),
        Wrong("touchpad tap 100.01% 5%", 14, 7, "'100.01%' is not between"),
        Wrong("touchpad tap 1.234% 5%", 14, 6, "'1.234%' is not between"),
        Wrong("touchpad tap -1% 5%", 14, 3, "'-1%' is not between"),
        Wrong("touchpad tap +1% 5%", 14, 3, "'+1%' is not between"),
        Wrong("touchpad tap % 5%", 14, 1, "'%' is not between"),
    ]

    static let displays: [Wrong] = [
        Wrong("appearance night", 12, 5, "'night' is not 'light' or 'dark'", "dark"),
        Wrong("appearance day", 12, 3, "'day' is not 'light' or 'dark'", "light"),
        Wrong("appearance drak", 12, 4, "'drak' is not 'light' or 'dark'", "dark"),
        Wrong("limited-ui keyboard,list", 12, 13, "'list' cannot be limited", "lists"),
        Wrong("vehicle", 8, 1, "what changes: appearance, driver-side, limited-ui, speed"),
        Wrong("vehicle speed", 14, 1, "50km/h, 13.9m/s or 30mph"),
        Wrong("vehicle sped 5m/s", 9, 4, "a vehicle has no 'sped' that can be set", "speed"),
        Wrong("vehicle speed 50", 15, 2, "speed: '50' has no unit; write 50m/s or 50km/h or 50mph"),
        Wrong("vehicle speed 541km/h", 15, 7, "speed: 541km/h is not between -50 and 150 m/s"),
        Wrong("vehicle gear 5", 14, 1, "gear: '5' is none of park, reverse, neutral, drive"),
        Wrong("vehicle parking-brake x", 23, 1, "parking-brake: 'x' is neither on nor off"),
        Wrong("vehicle ambient-light -1lx", 23, 4, "ambient-light: -1lx is not between 0 and 200000 lx"),
        Wrong("vehicle location 48.1", 18, 4, "location: '48.1' is not LATITUDE,LONGITUDE"),
        Wrong("vehicle location 91,0", 18, 4, "location: 91 is not between -90 and 90"),
        Wrong("vehicle location 0,181", 18, 5, "location: 181 is not between -180 and 180"),
        Wrong("vehicle location 0,0 altitude 10001m", 31, 6, "altitude: 10001m is not between -1000 and 10000 m"),
        Wrong("vehicle location 0,0 heading 360", 30, 3, "heading: 360 is not between 0 and 359.99"),
        Wrong("vehicle location 0,0 accuracy -1m", 31, 3, "accuracy: -1m is not between 0 and 100000 m"),
        Wrong("vehicle heading 5", 9, 7, "'heading' needs the location that it belongs to"),
        Wrong("vehicle battery 101%", 17, 4, "battery: 101% is not between 0 and 100 %"),
        Wrong("vehicle fuel -1%", 14, 3, "fuel: -1% is not between 0 and 100 %"),
        Wrong("vehicle range 10001km", 15, 7, "range: 10001km is not between 0 and 10000 km"),
        Wrong("vehicle range-low 5", 19, 1, "range-low: '5' is neither on nor off"),
        Wrong("vehicle fuel 1% fuel 2%", 17, 4, "'fuel' stands twice"),
        Wrong("vehicle track", 14, 1, "the track's file, or 'stop'"),
        Wrong("vehicle track a.csv", 15, 5, "the track 'a.csv' is not here"),
        Wrong("vehicle track stop now", 20, 3, "'now'"),
        Wrong("limited-ui keyboard,", 12, 9, "'' cannot be limited"),
        Wrong("display", 8, 1, "the display's name is missing"),
        Wrong("display main", 13, 1, "'set' and what changes is missing"),
        Wrong("display main set", 17, 1, "what changes: view-area"),
        Wrong("display main set scael 3", 18, 5, "a display has no 'scael'", "scale"),
        Wrong("display main set scale 3 scale 2", 26, 5, "'scale' stands twice"),
        Wrong("display main set scale 5", 24, 1, "'5' is no scale"),
        Wrong("display main set scale 0.99", 24, 4, "'0.99' is no scale"),
        Wrong("display main set scale 4.01", 24, 4, "'4.01' is no scale"),
        Wrong("display main set scale 1.-1", 24, 4, "'1.-1' is no scale"),
        Wrong("display main set pixels 800", 25, 3, "'800' is no size"),
        Wrong("display main set pixels 0x480", 25, 5, "a side has 1 to 16384 pixels"),
        Wrong("display main set safe-area 0 0", 28, 1, "'0' is no corner"),
        Wrong("display main set view-area 8", 28, 1, "8 is not between 0 and 7"),
        Wrong("display main set frame-rate 241", 29, 3, "241 is not between 1 and 240"),
        Wrong("display main set primary-input wheel", 32, 5, "'wheel' is not an input"),
    ]

    static let times: [Wrong] = [
        Wrong("wait", 5, 1, "how long to wait is missing"),
        Wrong("wait 80", 6, 2, "'80' has no unit; write 80ms or 80s"),
        Wrong("wait 80msec", 6, 6, "there is no unit 'msec'"),
        Wrong("wait long", 6, 4, "'long' is no duration"),
        Wrong("wait 200h", 6, 4, "'200h' is longer than 168h"),
        Wrong("wait 0.1ns", 6, 5, "'0.1ns' is finer than a nanosecond"),
        Wrong("wait 1s lock p", 9, 4, "'lock' has no meaning here"),
        Wrong("at +80 lock p", 5, 2, "'80' has no unit"),
        Wrong("at 1s", 6, 1, "the step that begins then is missing"),
        Wrong("at 1s wait 1s", 7, 4, "'wait' cannot follow 'at'"),
        Wrong("at 1s at 2s lock p", 7, 2, "'at' cannot follow 'at'"),
        Wrong("after mark", 11, 1, "the step that begins then is missing"),
        Wrong("after mark wait 1s", 12, 4, "'wait' cannot follow 'after'; put 'expect …' on a line of its own"),
        Wrong("after mark exactly 2 lock p", 12, 7, "'after' waits for one event"),
        Wrong("every 80ms knob rotate 1", 11, 1, "'for' and how long it goes on is missing"),
        Wrong("every 80ms for 2s", 18, 1, "the step that is repeated is missing"),
        Wrong("every 80ms for 2s wait 1s", 19, 4, "'wait' cannot be repeated"),
        Wrong("every 0ms for 2s mark x", 7, 3, "'0ms' is too short"),
        Wrong("every 1ms for 100.001s mark x", 15, 8, "that is 100001 times; the most is 100000"),
        Wrong("every 50ms for 2s knob press", 7, 4, "one takes 80ms, so they would overlap"),
    ]

    static let expectations: [Wrong] = [
        Wrong("expect", 7, 1, "the event is missing"),
        Wrong("expect sesion active", 8, 13, "there is no event 'sesion.active'", "session.active"),
        Wrong("expect session", 8, 7, "which event of 'session'? There is session.opened"),
        Wrong("expect session within 1s", 8, 7, "which event of 'session'? There is session.opened"),
        Wrong("expect session xyzzyplugh", 8, 18, "there is no event 'session.xyzzyplugh'; there is session.opened"),
        Wrong("expect session.activ", 8, 13, "there is no event 'session.activ'", "session.active"),
        Wrong("expect marc", 8, 4, "there is no event 'marc'", "mark"),
        Wrong("expect mark whit x", 13, 4, "'whit' has no meaning here"),
        Wrong("expect mark wher text = x", 13, 4, "'wher' has no meaning here", "where"),
        Wrong("expect mark where", 18, 1, "a path into the event's record is missing"),
        Wrong("expect mark where text", 23, 1, "a comparison: =, !=, <, <=, >, >= or ~ is missing"),
        Wrong("expect mark where text == x", 24, 2, "'==' is no comparison"),
        Wrong("expect mark where text ! x", 24, 1, "'!' is no comparison"),
        Wrong("expect mark where text is x", 24, 2, "'is' is no comparison"),
        Wrong("expect mark where text =", 25, 1, "the value is missing"),
        Wrong("expect mark where txet = x", 19, 4, "no event has 'txet'", "text"),
        Wrong("expect input knob where detents = 1", 25, 7, "no event has 'detents'", "knob.detents"),
        Wrong("expect input touch where phase = began", 26, 5, "no event has 'phase'", "touch.contacts.0.phase"),
        Wrong("expect session phase where phase = active", 28, 5, "no event has 'phase'", "sessionState.phase"),
        Wrong("expect mark where text.size = 3", 19, 9, "'text.size' goes too deep"),
        Wrong("expect mark where touch.contacts.first.x = 3", 19, 22, "'first' is no place in a list"),
        Wrong("expect mark where touch.contacts.-1.x = 3", 19, 19, "'-1' is no place in a list"),
        Wrong("expect mark where touch.contacts = 3", 19, 14, "'touch.contacts' is a list; say which element"),
        Wrong("expect mark where vehicle = 3", 19, 7, "'vehicle' has parts; say which: vehicle.appearance"),
        Wrong("expect mark where reason. = 3", 19, 7, "no event has 'reason.'"),
        Wrong("expect mark where generation = two", 32, 3, "'generation' is a number, and 'two' is none"),
        Wrong("expect mark where generation = nan", 32, 3, "'generation' is a number, and 'nan' is none"),
        Wrong("expect mark where generation ~ 2", 30, 1, "'~' looks into text and lists"),
        Wrong("expect mark where text > a", 24, 1, "'>' compares numbers, and 'text' is text"),
        Wrong("expect mark where knob.long = yes", 31, 3, "'knob.long' is true or false, not 'yes'"),
        Wrong("expect mark where knob.long > true", 29, 1, "'knob.long' is true or false; it can only be"),
        Wrong("expect mark where sessionState.phase = activ", 40, 5, "'sessionState.phase' is never 'activ'", "active"),
        Wrong("expect mark where displayState.inputs = knob", 39, 1, "'displayState.inputs' is a list; ask with ~"),
        Wrong("expect mark where displayState.inputs ~ knb", 41, 3, "'displayState.inputs' never has 'knb'", "knob"),
        Wrong("expect mark where text = a or text = b", 28, 2, "'or' has no meaning here"),
        Wrong("expect mark never", 18, 1, "'within' and a time"),
        Wrong("expect mark exactly 2", 22, 1, "'within' and a time"),
        Wrong("expect mark exactly 0 within 1s", 21, 1, "0 is not between 1 and 10000"),
        Wrong("expect mark exactly 10001 within 1s", 21, 5, "10001 is not between 1 and 10000"),
        Wrong("expect mark exactly 2 never within 1s", 23, 5, "say how many only once"),
        Wrong("expect mark within 1s within 2s", 23, 6, "'within' stands twice"),
        Wrong("then mark", 1, 4, "'then' goes on from an 'expect' or 'then'"),
    ]

    static let signs: [Wrong] = [
        Wrong("lock $phone", 6, 1, "'$' stands before a name in braces"),
        Wrong("mark costs $5", 12, 1, "'$' stands before a name in braces"),
        Wrong("mark \"$5\"", 7, 1, "'$' stands before a name in braces"),
        Wrong("lock p; unlock p", 7, 1, "';' is kept for a later version"),
        Wrong("lock {p}", 6, 1, "'{' stands alone"),
        Wrong("lock p\\", 7, 1, "'\\' is kept for a later version"),
        Wrong("lock pp\"q\"", 8, 1, "'\"' is kept for a later version"),
        Wrong("mark \"never closed", 6, 13, "the closing quote is missing"),
        Wrong("mark \"a\"b", 9, 1, "a space belongs after the closing quote"),
        Wrong("mark \"a\\x\"", 8, 2, "in quotes there is"),
        Wrong("mark \"a\\", 8, 1, "in quotes there is"),
        Wrong("mark \"a\" b", 10, 1, "'b' has no meaning here"),
        Wrong("mark", 5, 1, "the text is missing"),
        Wrong("mark   # nothing", 5, 1, "the text is missing"),
        Wrong("lock\u{A0}p", 5, 1, "a space that is not the usual one (U+00A0)"),
        Wrong("mark a\u{202E}b", 7, 1, "an invisible character (U+202E)"),
        Wrong("mark a\u{7}b", 7, 1, "a control character (U+0007)"),
        Wrong("mark a\rb", 7, 1, "a control character (U+000D)"),
        Wrong("# even in a comment \u{200B}", 21, 1, "an invisible character (U+200B)"),
        // Columns count what a reader counts.
        Wrong("mark \"äöü👍🏽\" x", 13, 1, "'x' has no meaning here"),
    ]

    @Test(arguments: steps + devices + faults + gestures + displays + times + expectations + signs)
    func aWrongLineIsToldWithItsPlace(_ wrong: Wrong) throws {
        let problems = try problems("# first line\n\(wrong.text)\n")
        let problem = try #require(problems.first)
        #expect(problems.count == 1)
        #expect(problem.place.line == 2)
        #expect(problem.place.column == wrong.column)
        #expect(problem.length == wrong.length)
        #expect(problem.text.hasPrefix(wrong.message), "\(problem.text)")
        #expect(problem.suggestion == wrong.suggestion)
        #expect(problem.line == wrong.text)
    }

    @Test func allProblemsOfAFileAreCollectedInOrder() throws {
        let problems = try problems("plg\nwait 1s\nknob\n\n# x\nlock")
        #expect(problems.map(\.place.line) == [1, 3, 6])
    }

    @Test func timesThatGoBackAreToldWithTheOtherLine() throws {
        let problem = try #require(try problems("at 2s lock p\nlock p\nat 1999ms lock p").first)
        #expect(problem.place.line == 3)
        #expect(problem.text.hasPrefix("this is before 'at 2s' in line 1"))
        #expect(try Scenario(parsing: "at 2s lock p\nat 2s lock p", file: "t.rig").steps.count == 2)
    }

    @Test func aStepWithinARepetitionIsTold() throws {
        let every = "every 100ms for 1s knob rotate 1"
        let problem = try #require(try problems("\(every)\nat +999ms lock p").first)
        #expect(problem.text == "the step before goes on for 1s, and this lies within it")
        #expect(try Scenario(parsing: "\(every)\nat +1s lock p", file: "t.rig").steps.count == 2)
    }

    @Test func thenNeedsAnExpectationDirectlyBefore() throws {
        #expect(try problems("expect mark\nlock p\nthen mark").map(\.place.line) == [3])
        #expect(try problems("after mark lock p\nthen mark").map(\.place.line) == [2])
        #expect(try Scenario(parsing: "expect mark\n\n# x\nthen mark\nthen mark", file: "t.rig").steps.count == 3)
        // One mistake is told once.
        #expect(try problems("expect mrak\nthen mark").map(\.place.line) == [1])
    }

    @Test func moreProblemsThanTheLimitAreToldAsSuch() throws {
        let limit = ScenarioProblems.maximum
        let at = try problems(String(repeating: "x\n", count: limit - 1))
        #expect(at.count == limit - 1)
        #expect(at.allSatisfy { $0.text == "there is no step 'x'" })
        let over = try problems(String(repeating: "x\n", count: limit + 20))
        #expect(over.count == limit)
        #expect(over.last?.text == "more than 500 problems; the rest is not shown")
    }

    @Test func bytesThatAreNoTextAreTold() throws {
        let problems = try problems(bytes: Array("mark a".utf8) + [0xFF, 0xC3])
        #expect(problems.first?.place.column == 7)
        #expect(problems.first?.text.hasPrefix("a character that is not UTF-8") == true)
    }

    @Test func theCaretStandsUnderTheWordWhateverTheTabsAre() throws {
        let problem = try #require(try problems("\tlock p\tnow").first)
        #expect(
            problem.rendered
                == "t.rig:1:9: 'now' has no meaning here; the step is complete\n 1 | \tlock p\tnow\n   | \t      \t^~~")
    }

    @Test func aProblemIsPublished() throws {
        let problem = try #require(try problems("plg").first)
        #expect(problem.record.value(at: "file") == .string("t.rig"))
        #expect(problem.record.value(at: "line") == .int(1))
        #expect(problem.record.value(at: "column") == .int(1))
        #expect(problem.record.value(at: "suggestion") == .string("plug"))
    }

    private func problems(_ text: String) throws -> [ScenarioProblem] { try problems(bytes: Array(text.utf8)) }

    private func problems(bytes: [UInt8]) throws -> [ScenarioProblem] {
        do {
            let scenario = try Scenario(parsing: bytes, file: "t.rig")
            Issue.record("it was read: \(scenario.steps)")
            return []
        } catch {
            return error.problems
        }
    }
}
