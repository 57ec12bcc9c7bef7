import RigModel
import ScenarioCore
import Testing

@Suite struct ScenarioParsingTests {
    private static func only(_ text: String) throws -> ScenarioStep {
        let steps = try Scenario(parsing: text, file: "t.rig").steps
        try #require(steps.count == 1)
        return steps[0]
    }

    private static let display: DisplayChange = {
        var change = DisplayChange(display: "s1/main")
        change.viewArea = 1
        change.safeArea = PixelRect(x: 0, y: 10, width: 700, height: 480)
        change.pixels = PixelSize(width: 1920, height: 720)
        change.scaleHundredths = 225
        change.framesPerSecond = 30
        change.appearance = .dark
        change.driverSide = .right
        change.limitedUI = LimitedUI(keyboard: true, lists: true)
        change.primaryInput = .knob
        return change
    }()

    private static func delays(_ late: KeyValuePairs<PhoneAnswer, UInt64>) -> AnswerDelays {
        var delays = AnswerDelays()
        for (answer, delay) in late { delays[answer] = delay }
        return delays
    }

    private static let vehicle: VehicleChange = {
        var change = VehicleChange(appearance: .dark, driverSide: .right, limitKeyboard: false, limitLists: true)
        change.measures.speed = -10_000
        change.measures.gear = .reverse
        change.measures.parkingBrake = false
        change.measures.ambientLight = 50
        change.measures.location = VehicleLocation(
            latitude: 481_372_000, longitude: -115_000_000, altitude: -300, heading: 35_999, accuracy: 500)
        change.measures.battery = 8_000
        change.measures.fuel = 1_250
        change.measures.range = 120_000
        change.measures.rangeLow = true
        return change
    }()

    private static let unknownVehicle: VehicleChange = {
        var change = VehicleChange(automatic: [.keyboard, .lists])
        for measure in VehicleField.measures { change.measures.forget(measure) }
        return change
    }()

    static let commands: [(String, Command)] = [
        ("plug iphone", .plug(PlugRequest(profile: "iphone"))),
        ("plug iphone as phone", .plug(PlugRequest(profile: "iphone", name: "phone"))),
        (
            "plug head-unit with displays wide serial \"A B\" as car slow 1.5s",
            .plug(
                PlugRequest(
                    profile: "head-unit", name: "car", serial: "A B", displays: "wide",
                    phone: PhoneConditions(slow: 1_500_000_000)))
        ),
        (
            "plug iphone locked untrusted identification first refusing session keep",
            .plug(
                PlugRequest(
                    profile: "iphone", phone: PhoneConditions(locked: true, trusted: false, refuse: .session),
                    identificationFirst: true))
        ),
        (
            "plug iphone late challenge 500ms late sessionOffer 2s late challenge 0ms misordered challengeFirst carplay off",
            .plug(
                PlugRequest(
                    profile: "iphone",
                    phone: PhoneConditions(
                        delays: delays([.sessionOffer: 2_000_000_000]), misorder: .challengeFirst, carPlay: false)))
        ),
        (
            "plug head-unit trusting after 1min misordered nothing link version 3",
            .plug(
                PlugRequest(
                    profile: "head-unit",
                    phone: PhoneConditions(trusted: false, trustAfter: 60_000_000_000, linkVersion: 3)))
        ),
        (
            "plug iphone link version 1 as p",
            .plug(PlugRequest(profile: "iphone", name: "p", phone: PhoneConditions(linkVersion: 1)))
        ),
        ("unplug phone", .unplug(device: "phone", surprise: false, generation: nil)),
        ("unplug iphone-1 surprise", .unplug(device: "iphone-1", surprise: true, generation: nil)),
        ("lock p", .setPhone(device: "p", generation: nil, PhoneChange(locked: true))),
        ("unlock p", .setPhone(device: "p", generation: nil, PhoneChange(locked: false))),
        ("trust p", .setPhone(device: "p", generation: nil, PhoneChange(trusted: true))),
        ("trust p after 0s", .setPhone(device: "p", generation: nil, PhoneChange(trustAfter: 0))),
        ("trust p after 60s", .setPhone(device: "p", generation: nil, PhoneChange(trustAfter: 60_000_000_000))),
        ("carplay p on", .setPhone(device: "p", generation: nil, PhoneChange(carPlay: true))),
        ("carplay p off", .setPhone(device: "p", generation: nil, PhoneChange(carPlay: false))),
        (
            "late p authenticationVerdict 2s",
            .setPhone(
                device: "p", generation: nil, PhoneChange(delays: [.init(.authenticationVerdict, 2_000_000_000)]))
        ),
        (
            "late p challenge 0ms",
            .setPhone(device: "p", generation: nil, PhoneChange(delays: [.init(.challenge, 0)]))
        ),
        ("misorder p offerFirst", .setPhone(device: "p", generation: nil, PhoneChange(misorder: .some(.offerFirst)))),
        ("misorder p nothing", .setPhone(device: "p", generation: nil, PhoneChange(misorder: .some(nil)))),
        ("slow p 200ms", .setPhone(device: "p", generation: nil, PhoneChange(slow: 200_000_000))),
        ("slow p 60s", .setPhone(device: "p", generation: nil, PhoneChange(slow: 60_000_000_000))),
        (
            "refuse p authentication",
            .setPhone(device: "p", generation: nil, PhoneChange(refuse: .some(.authentication)))
        ),
        ("refuse p nothing", .setPhone(device: "p", generation: nil, PhoneChange(refuse: .some(nil)))),
        ("front p", .setFront(device: "p")),
        ("retry p", .retry(device: "p", generation: nil)),
        ("knob rotate 3", .inject(Injection(.rotate(detents: 3, interval: 0)))),
        ("knob rotate -1000 every 80ms", .inject(Injection(.rotate(detents: -1_000, interval: 80_000_000)))),
        ("knob rotate +2 on main", .inject(Injection(.rotate(detents: 2, interval: 0), display: "main"))),
        ("knob press", .inject(Injection(.press(hold: Gesture.defaultHold)))),
        (
            "knob press on s2/cluster for 800ms device p",
            .inject(Injection(.press(hold: 800_000_000), device: "p", display: "s2/cluster"))
        ),
        ("knob nudge upLeft", .inject(Injection(.nudge(.upLeft, hold: Gesture.defaultHold)))),
        ("knob nudge up-left for 60s", .inject(Injection(.nudge(.upLeft, hold: Gesture.maximumDuration)))),
        (
            "touch tap 0 16383",
            .inject(
                Injection(
                    .touch(
                        [ContactPath(id: 0, points: [PixelPoint(x: 0, y: 16_383)])], duration: Gesture.defaultTap)))
        ),
        (
            "touch swipe 1 2 to 3 4 to 5 6",
            .inject(
                Injection(
                    .touch(
                        [
                            ContactPath(
                                id: 0,
                                points: [PixelPoint(x: 1, y: 2), PixelPoint(x: 3, y: 4), PixelPoint(x: 5, y: 6)])
                        ], duration: Gesture.defaultSwipe)))
        ),
        (
            "touch 1 2 to 3 4 and 5 6 for 400ms on main",
            .inject(
                Injection(
                    .touch(
                        [
                            ContactPath(id: 0, points: [PixelPoint(x: 1, y: 2), PixelPoint(x: 3, y: 4)]),
                            ContactPath(id: 1, points: [PixelPoint(x: 5, y: 6)]),
                        ], duration: 400_000_000), display: "main"))
        ),
        (
            "touchpad swipe 0% 50.5% to 100% 99.99%",
            .inject(
                Injection(
                    .touchpad(
                        [ContactPath(id: 0, points: [PadPoint(x: 0, y: 5_050), PadPoint(x: 10_000, y: 9_999)])],
                        duration: Gesture.defaultSwipe)))
        ),
        ("key home", .inject(Injection(.key(.home, hold: Gesture.defaultHold)))),
        ("key play-pause for 1s", .inject(Injection(.key(.playPause, hold: 1_000_000_000)))),
        ("key playPause for 1s", .inject(Injection(.key(.playPause, hold: 1_000_000_000)))),
        ("appearance dark", .setVehicle(VehicleChange(appearance: .dark))),
        ("driver-side right", .setVehicle(VehicleChange(driverSide: .right))),
        ("appearance automatic", .setVehicle(VehicleChange(automatic: [.appearance]))),
        ("limited-ui automatic", .setVehicle(VehicleChange(automatic: [.keyboard, .lists]))),
        (
            "vehicle speed -36km/h gear reverse parking-brake off ambient-light 0.5lx location 48.1372,-11.5 altitude -3m "
                + "heading 359.99 accuracy 5m battery 80% fuel 12.5% range 120km range-low on appearance dark "
                + "driver-side right limited-ui lists",
            .setVehicle(vehicle)
        ),
        (
            "vehicle speed unknown gear unknown parking-brake unknown ambient-light unknown location unknown "
                + "battery unknown fuel unknown range unknown range-low unknown limited-ui automatic",
            .setVehicle(unknownVehicle)
        ),
        ("vehicle track stop", .setVehicle(VehicleChange(track: .stop))),
        ("limited-ui none", .setVehicle(VehicleChange(limitKeyboard: false, limitLists: false))),
        ("limited-ui lists", .setVehicle(VehicleChange(limitKeyboard: false, limitLists: true))),
        ("limited-ui keyboard,lists", .setVehicle(VehicleChange(limitKeyboard: true, limitLists: true))),
        (
            "display s1/main set view-area 1 safe-area 0,10 700x480 pixels 1920x720 scale 2.25 frame-rate 30 "
                + "appearance dark driver-side right limited-ui lists,keyboard primary-input knob",
            .setDisplay(display)
        ),
        ("fault drop", .setFault(FaultRequest(.drop))),
        (
            "fault drop fromDevice at authenticating",
            .setFault(FaultRequest(.drop, place: .during(.authenticating)))
        ),
        (
            "fault corrupt-length both at certificate-request count 3 device p",
            .setFault(
                FaultRequest(
                    .corruptLength, device: "p", direction: .both, place: .packet(.certificateRequest), count: 3))
        ),
        (
            "fault corruptHeader to-device from active after 7 always keep",
            .setFault(
                FaultRequest(
                    .corruptHeader, direction: .toDevice, place: .since(.active), after: 7, count: nil, keep: true))
        ),
        (
            "fault delay for 1.5s at active",
            .setFault(FaultRequest(.delay, place: .during(.active), duration: 1_500_000_000))
        ),
        ("fault stall", .setFault(FaultRequest(.stall))),
        ("fault unplug after 300 bytes", .setFault(FaultRequest(.unplug, afterBytes: 300))),
        (
            "fault stall toDevice at certificate after 10 bytes for 1s",
            .setFault(
                FaultRequest(
                    .stall, direction: .toDevice, place: .packet(.certificate), afterBytes: 10, duration: 1_000_000_000)
            )
        ),
        ("fault unplug at challenge", .setFault(FaultRequest(.unplug, place: .packet(.challenge)))),
        ("clear faults", .clearFaults(.all)), ("clear faults device p", .clearFaults(.device("p"))),
        ("mark  the driver   gets in  # said aloud", .mark("the driver   gets in")),
        ("mark \"quoted # text with \\\"signs\\\" \\\\ \\$ \\n\\t\"", .mark("quoted # text with \"signs\" \\ $ \n\t")),
        ("mark = ! < > ~ ; ( )", .mark("= ! < > ~ ; ( )")),
        ("mark Grüße #1", .mark("Grüße")),
        ("mark a#1", .mark("a#1")),
    ]

    @Test(arguments: commands)
    func aStepIsACommand(_ text: String, _ command: Command) throws {
        let step = try Self.only(text)
        #expect(step.action == .perform(command))
        #expect(step.timing == .next)
        #expect(step.opensWindow)
    }

    @Test(arguments: [
        ("knob rotate 3", UInt64(0)), ("knob rotate 3 every 80ms", 160_000_000), ("knob rotate -1 every 80ms", 0),
        ("knob press", Gesture.defaultHold), ("touch tap 1 2", Gesture.defaultTap),
        ("touch swipe 1 2 to 3 4", Gesture.defaultSwipe), ("touch 1 2 and 3 4", Gesture.defaultTap),
        ("touchpad 1% 2% to 3% 4%", Gesture.defaultSwipe), ("key home for 2s", 2_000_000_000),
        ("wait 500ms", 500_000_000), ("every 80ms for 2s knob rotate 1", 2_000_000_000), ("plug iphone", 0),
        ("mark x", 0),
    ])
    func aStepTakesItsTime(_ text: String, _ duration: UInt64) throws {
        #expect(try Self.only(text).duration == duration)
    }

    @Test func timesStandBeforeAStep() throws {
        #expect(try Self.only("at 2s lock p").timing == .at(2_000_000_000))
        #expect(try Self.only("at +250ms lock p").timing == .later(250_000_000))
        #expect(try Self.only("at 0ms expect mark").timing == .at(0))
        let step = try Self.only("after session active device p within 2s unplug p surprise")
        #expect(step.timing == .after(try EventExpectation(parsing: "session active device p within 2s")))
        #expect(step.action == .perform(.unplug(device: "p", surprise: true, generation: nil)))
        let repeated = try Self.only("at 1s every 80ms for 2s key next")
        #expect(repeated.repetition?.interval == 80_000_000)
        #expect(repeated.repetition?.count == 25)
        #expect(try Self.only("every 300ms for 1s key next").repetition?.count == 4)
        #expect(try Self.only("every 1ms for 100s knob rotate 1").repetition?.count == Repetition.maximumCount)
    }

    @Test func anExpectationHasItsClausesInAnyOrder() throws {
        let first = try Self.only(
            "expect session closed device p where reason.code = goodbye and generation>=2 within 1s exactly 2")
        let second = try Self.only(
            "expect session.closed exactly 2 within 1s device p where reason.code=goodbye and generation >= 2")
        #expect(first.action == second.action)
        guard case .expect(let expectation) = first.action else { throw WrongShape() }
        #expect(expectation.kind == .sessionClosed)
        #expect(expectation.amount == .exactly(2))
        #expect(expectation.within == 1_000_000_000)
        #expect(!expectation.isNext)
        let conditions = ["device = p", "reason.code = goodbye", "generation >= 2"]
        #expect(expectation.conditions == (try conditions.map(EventCondition.init(parsing:))))
    }

    @Test func everyEventCanBeNamedBothWays() throws {
        for kind in EventKind.allCases {
            let spaced = kind.rawValue.split(separator: ".").joined(separator: " ")
            #expect(try Self.only("expect \(kind.rawValue)").action == Self.only("expect \(spaced)").action)
        }
    }

    @Test(arguments: [
        ("generation = 2", EventCondition.Operand.whole(2)), ("displayState.scale < 2.5", .fraction(2.5)),
        ("knob.long = true", .truth(true)), ("device = 2", .text("2")), ("text ~ \"a b\"", .text("a b")),
        ("displayState.inputs ~ knob", .text("knob")), ("reason.code != goodbye", .text("goodbye")),
        ("touch.contacts.9.x <= -3", .whole(-3)), ("time >= 9223372036854775807", .whole(.max)),
        ("time >= 9223372036854775808", .fraction(9_223_372_036_854_775_808)),
    ])
    func aValueHasTheTypeOfItsField(_ condition: String, _ operand: EventCondition.Operand) throws {
        #expect(try EventCondition(parsing: condition).operand == operand)
    }

    @Test(arguments: [
        ("expect session active", "session.active"),
        ("expect session active within 5s", "session.active"),
        ("expect session active within 80ms", "session.active within 80ms"),
        ("expect mark where text = \"a b\" and text ~ x", "mark where text = \"a b\" and text ~ x"),
        ("expect mark where text = \"say \\\"\\$\\\\\"", "mark where text = \"say \\\"\\$\\\\\""),
        ("expect mark where text != \"\" never within 1s", "mark where text != \"\" never within 1s"),
        ("expect mark exactly 3 within 5s", "mark exactly 3 within 5s"),
    ])
    func anExpectationSaysWhatItIs(_ text: String, _ canonical: String) throws {
        let step = try Self.only(text)
        guard case .expect(let expectation) = step.action else { throw WrongShape() }
        #expect(expectation.text == canonical)
        // What it says means the same when it is read.
        #expect(try Self.only("expect \(canonical)").action == step.action)
    }

    @Test func windowsAreOpenedByActsThatDoNotFollowAnother() throws {
        let scenario = try Scenario(
            parsing: """
                plug a as x
                lock x
                mark y
                wait 1s
                unlock x
                at +1ms lock x
                expect mark
                lock x
                after mark lock x
                every 10ms for 30ms mark z
                expect mark
                """, file: "t.rig")
        #expect(
            scenario.steps.map(\.opensWindow) == [
                true, false, false, false, true, true, false, true, true, false, false,
            ])
    }

    @Test func placesAndTextsAreKept() throws {
        let text = "\u{FEFF}# head\r\n\r\n\t  wait 1s   # why\r\n lock  p"
        let steps = try Scenario(parsing: text, file: "t.rig").steps
        #expect(steps.map(\.place.text) == ["t.rig:3:4", "t.rig:4:2"])
        #expect(steps.map(\.text) == ["wait 1s", "lock  p"])
    }

    @Test func limitsHold() throws {
        let longest = "mark " + String(repeating: "x", count: Command.maximumMark)
        #expect(try Scenario(parsing: longest, file: "t.rig").steps.count == 1)
        #expect(throws: ScenarioProblems.self) { try Scenario(parsing: longest + "x", file: "t.rig") }
        let line = "#" + String(repeating: "x", count: Scenario.maximumLineBytes - 1)
        #expect(try Scenario(parsing: "wait 1s\n" + line, file: "t.rig").steps.count == 1)
        #expect(throws: ScenarioProblems.self) { try Scenario(parsing: "wait 1s\n" + line + "x", file: "t.rig") }
        let file = "wait 1s\n" + String(repeating: "#\n", count: (Scenario.maximumBytes - 8) / 2)
        #expect(try Scenario(parsing: file, file: "t.rig").steps.count == 1)
        #expect(throws: ScenarioProblems.self) { try Scenario(parsing: file + "#", file: "t.rig") }
        let fingers = Array(repeating: "1 2", count: Gesture.maximumContacts).joined(separator: " and ")
        #expect(try Scenario(parsing: "touch tap \(fingers)", file: "t.rig").steps.count == 1)
        #expect(throws: ScenarioProblems.self) { try Scenario(parsing: "touch tap \(fingers) and 1 2", file: "t.rig") }
        let points = Array(repeating: "1 2", count: Gesture.maximumPoints).joined(separator: " to ")
        #expect(try Scenario(parsing: "touch \(points)", file: "t.rig").steps.count == 1)
        #expect(throws: ScenarioProblems.self) { try Scenario(parsing: "touch \(points) to 1 2", file: "t.rig") }
    }
}

struct WrongShape: Error {}

extension EventExpectation {
    /// The expectation that `text` behind `expect` means.
    init(parsing text: String) throws {
        let step = try Scenario(parsing: "expect \(text)", file: "t.rig").steps.first
        guard case .expect(let expectation)? = step?.action else { throw WrongShape() }
        self = expectation
    }
}

extension EventCondition {
    /// The condition that `text` behind `where` means.
    init(parsing text: String) throws {
        guard let condition = try EventExpectation(parsing: "mark where \(text)").conditions.first else {
            throw WrongShape()
        }
        self = condition
    }
}
