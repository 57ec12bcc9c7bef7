import RigConfiguration
import RigModel
import Testing

@Suite struct HeadUnitProfileTests {
    private func profile(_ text: String) throws -> HeadUnitProfile {
        try HeadUnitProfile.parse(ConfigurationFile(name: "car.ini", text: text))
    }

    @Test func readsEveryKey() throws {
        let car = try profile(
            """
            [profile]
            name = my-car
            description = "A car; mine"
            manufacturer = Maker
            model = Model 1
            [vehicle]
            appearance = dark
            driver-side = right
            limited-ui = keyboard
            [display main]
            role = main
            pixels = 1000x500
            scale = 2.5
            millimetres = 200x100
            frames-per-second = 30
            view-area = 0,0 1000x500
            safe-area = 10,10 900x400
            draws-outside-safe-area = no
            view-area.1 = 0,0 500x500
            safe-area.1 = 0,0 400x400
            view-area.2 = 500,0 500x500
            current-view-area = 1
            primary-input = knob
            inputs = knob, touchscreen
            touch-fidelity = low
            appearance = light
            driver-side = left
            limited-ui = lists, keyboard
            [display cluster]
            role = instrument-cluster
            pixels = 300x200
            scale = 3
            inputs = keys
            """)
        #expect(car.name == "my-car")
        #expect(car.summary == "A car; mine")
        #expect(car.manufacturer == "Maker" && car.model == "Model 1")
        #expect(
            car.vehicle
                == Vehicle(appearance: .dark, driverSide: .right, limitedUI: LimitedUI(keyboard: true, lists: false)))
        #expect(car.displays.map(\.name) == ["main", "cluster"])
        let main = car.displays[0]
        #expect(main.pixels == PixelSize(width: 1_000, height: 500))
        #expect(main.scaleHundredths == 250)
        #expect([main.widthMillimetres, main.heightMillimetres] == [200, 100])
        #expect(!main.millimetresAssumed)
        #expect(main.framesPerSecond == 30)
        #expect(
            main.viewAreas == [
                ViewArea(
                    frame: PixelRect(x: 0, y: 0, width: 1_000, height: 500),
                    safeArea: PixelRect(x: 10, y: 10, width: 900, height: 400), drawsOutsideSafeArea: false),
                ViewArea(
                    frame: PixelRect(x: 0, y: 0, width: 500, height: 500),
                    safeArea: PixelRect(x: 0, y: 0, width: 400, height: 400), drawsOutsideSafeArea: true),
                ViewArea(
                    frame: PixelRect(x: 500, y: 0, width: 500, height: 500),
                    safeArea: PixelRect(x: 500, y: 0, width: 500, height: 500), drawsOutsideSafeArea: true),
            ])
        #expect(main.currentViewArea == 1)
        #expect(main.primaryInput == .knob)
        #expect(main.inputs == [.touchscreen, .knob])
        #expect(main.touchFidelity == .low)
        #expect(main.appearance == .light && main.driverSide == .left)
        #expect(main.limitedUI == LimitedUI(keyboard: true, lists: true))
        let cluster = car.displays[1]
        #expect(cluster.role == .instrumentCluster)
        #expect(cluster.points == PixelSize(width: 100, height: 67))
        #expect(cluster.touchFidelity == .none && cluster.primaryInput == .keys)
        // What a display does not say it takes from the vehicle.
        #expect(cluster.appearance == .dark && cluster.driverSide == .right && cluster.limitedUI.keyboard)
    }

    @Test func oneLineIsEnoughForADisplay() throws {
        let car = try profile("[display main]\npixels = 800x480\n")
        #expect(car.name == "car")
        #expect(car.displays[0].scaleHundredths == 200)
        #expect(car.displays[0].inputs == [.touchscreen] && car.displays[0].touchFidelity == .high)
        #expect(car.displays[0].millimetresAssumed)
        #expect(car.displays[0].viewAreas.count == 1)
        #expect(car.displays[0].problems() == [])
    }

    @Test(arguments: [
        (800, 480, 200, 160, 96), (1_920, 720, 300, 256, 96), (300, 200, 300, 40, 27), (1, 1, 400, 1, 1),
        (16_384, 16_384, 100, 6_554, 6_554), (0, -5, 0, 40, 40), (.max, .max, .max, 66, 66),
    ])
    func assumesTheSizeOfAPoint(width: Int, height: Int, scale: Int, across: Int, down: Int) {
        let size = HeadUnitProfile.assumedMillimetres(
            pixels: PixelSize(width: width, height: height), scaleHundredths: scale)
        #expect([size.width, size.height] == [across, down])
    }

    private static let head = "[display main]\npixels = 800x480\n"

    /// The line that must be told for a `[display main]` of 800x480 with one more line, which is line 3.
    private static let wrongLines: [(String, String)] = [
        ("scale = 5", "scale: \"5\" is not between 1 and 4"),
        ("scale = two", "scale: \"two\" is not a number"),
        ("role = mian", "role: \"mian\" is none of main, instrument-cluster; did you mean \"main\"?"),
        ("millimetres = 15", "millimetres: \"15\" is neither WIDTHxHEIGHT as in 154x90 nor \"assumed\""),
        ("millimetres = 0x90", "millimetres: \"0x90\" is not between 1x1 and 10000x10000"),
        ("millimetres = 10001x90", "millimetres: \"10001x90\" is not between 1x1 and 10000x10000"),
        ("frames-per-second = 241", "frames-per-second: \"241\" is not between 1 and 240"),
        ("view-area = 0,0 801x480", "view-area: 0,0 801x480 is not inside the display's 800x480 pixels"),
        ("view-area.0 = 1,0 800x480", "view-area.0: 1,0 800x480 is not inside the display's 800x480 pixels"),
        ("view-area = all", "view-area: \"all\" is not X,Y WIDTHxHEIGHT as in 0,0 800x480"),
        ("view-area.1 = 0,0 800x481", "view-area.1: 0,0 800x481 is not inside the display's 800x480 pixels"),
        ("view-area.2 = 0,0 800x480", "view-area.2: there is no \"view-area.1\" before it; number them without a gap"),
        ("view-area.8 = 0,0 8x8", "view-area.8: view areas are numbered from 0 to 7"),
        ("safe-area.07 = 0,0 8x8", "safe-area.07: view areas are numbered from 0 to 7"),
        ("safe-area = 0,0 801x480", "safe-area: 0,0 801x480 is not inside its view area 0,0 800x480"),
        ("safe-area.1 = 0,0 8x8", "safe-area.1: there is no \"view-area.1\" for it"),
        ("draws-outside-safe-area.3 = no", "draws-outside-safe-area.3: there is no \"view-area.3\" for it"),
        ("draws-outside-safe-area = 3", "draws-outside-safe-area: \"3\" is neither yes nor no"),
        ("current-view-area = 1", "current-view-area: there is no view area 1; this display has 1, counted from 0"),
        ("current-view-area = 8", "current-view-area: \"8\" is not between 0 and 7"),
        (
            "inputs = touchscreen, konb",
            "inputs: \"konb\" is none of touchscreen, touchpad, knob, keys; did you mean \"knob\"?"
        ),
        ("inputs = knob, knob", "inputs: \"knob\" comes twice"),
        ("inputs =", "inputs: a display needs at least one input"),
        ("touch-fidelity = none", "touch-fidelity: a touchscreen has fidelity low or high"),
        ("touch-fidelity = lo", "touch-fidelity: \"lo\" is none of none, low, high; did you mean \"low\"?"),
        ("appearance = drak", "appearance: \"drak\" is none of light, dark; did you mean \"dark\"?"),
        ("driver-side = middle", "driver-side: \"middle\" is none of left, right"),
        ("limited-ui = list", "limited-ui: \"list\" is none of keyboard, lists, none; did you mean \"lists\"?"),
        ("pixel = 1x1", "pixel: this section has no such key; did you mean \"pixels\"?"),
        ("fps = 60", "fps: this section has no such key"),
    ]

    @Test(arguments: wrongLines.indices)
    func tellsFileLineAndKeyOfAWrongLine(index: Int) {
        let (line, problem) = Self.wrongLines[index]
        #expect(problems { _ = try profile("\(Self.head)\(line)\n") } == ["car.ini:3: [display main] \(problem)"])
    }

    @Test(arguments: [
        ("", "car.ini:1: a profile needs at least one section [display NAME]"),
        (
            "[display]\npixels = 1x1\n[display b]\npixels = 1x1\n",
            "car.ini:1: [display] the section needs a name, as in [display main]"
        ),
        ("[display main]\nscale = 2\n", "car.ini:1: [display main] the section needs the key \"pixels\""),
        (
            "[display main]\npixels = 800\n",
            "car.ini:2: [display main] pixels: \"800\" is not WIDTHxHEIGHT as in 800x480"
        ),
        (
            "[display a b]\npixels = 1x1\n",
            "car.ini:1: [display a b] name: a name has 1 to 32 letters, digits, '-', '_' or '.'"
        ),
        (
            "[display a]\npixels = 1x1\n[display a]\npixels = 1x1\n",
            "car.ini:3: [display a] the section is already there, at line 1"
        ),
        (
            "[profile]\nname = my car\n\(head)",
            "car.ini:2: [profile] name: \"my car\" is not a name of 1 to 32 letters, digits, '-', '_' or '.'"
        ),
        ("[profile]\ntitle = x\n\(head)", "car.ini:2: [profile] title: this section has no such key"),
        (
            "[vehicle]\ndriverside = left\n\(head)",
            "car.ini:2: [vehicle] driverside: this section has no such key; did you mean \"driver-side\"?"
        ),
        (
            "[screen main]\n\(head)",
            "car.ini:1: [screen main] there is no such section; there is profile, vehicle, derive, display"
        ),
        (
            "\(head)inputs = knob\nprimary-input = keys\n",
            "car.ini:4: [display main] primary-input: 'keys' is not among the inputs"
        ),
        (
            "\(head)inputs = knob\ntouch-fidelity = high\n",
            "car.ini:4: [display main] touch-fidelity: without a touchscreen the fidelity is none"
        ),
        (
            "\(head)view-area = 0,0 1x1\nview-area.0 = 0,0 1x1\n",
            "car.ini:4: [display main] view-area.0: the same as \"view-area\" at line 3"
        ),
        (
            "\(head)view-area = 0,0 400x480\nsafe-area = 0,0 401x480\n",
            "car.ini:4: [display main] safe-area: 0,0 401x480 is not inside its view area 0,0 400x480"
        ),
    ])
    func tellsWhatIsWrongAsAWhole(text: String, line: String) {
        #expect(problems { _ = try profile(text) } == [line])
    }

    @Test func aFilesNameThatIsNoneNeedsOneInside() {
        let file = ConfigurationFile(name: "/etc/my car.ini", text: Self.head)
        #expect(
            problems { _ = try HeadUnitProfile.parse(file) } == [
                "/etc/my car.ini:1: the file's name \"my car\" is not a name of 1 to 32 letters, digits, '-', '_' or "
                    + "'.'; give one in [profile] name"
            ])
    }

    @Test func tellsAllProblemsInTheOrderOfTheLines() {
        #expect(
            problems {
                _ = try profile(
                    "[display b]\nscale = 9\npixels = 1x1\nfoo = 1\n[profile]\nbar = 1\n[display c]\nrole = x\nbroken\n"
                )
            } == [
                "car.ini:2: [display b] scale: \"9\" is not between 1 and 4",
                "car.ini:4: [display b] foo: this section has no such key",
                "car.ini:6: [profile] bar: this section has no such key",
                "car.ini:8: [display c] role: \"x\" is none of main, instrument-cluster",
                "car.ini:9:1: this is neither \"key = value\" nor \"[section]\"",
            ])
    }

    @Test func whatFollowsFromAWrongKeyIsNotToldToo() {
        #expect(
            problems { _ = try profile("\(Self.head)inputs = konb\ntouch-fidelity = none\n") }
                == [
                    "car.ini:3: [display main] inputs: \"konb\" is none of touchscreen, touchpad, knob, keys; did you mean "
                        + "\"knob\"?"
                ])
        #expect(
            problems { _ = try profile("[display main]\npixels = 800\nview-area = 0,0 800x480\n") } == [
                "car.ini:2: [display main] pixels: \"800\" is not WIDTHxHEIGHT as in 800x480"
            ])
        #expect(
            problems { _ = try profile("[display main]\npixels 800x480\n") } == [
                "car.ini:2:1: this is neither \"key = value\" nor \"[section]\""
            ])
    }

    @Test func takesSixteenDisplaysAndRefusesOneMore() throws {
        let sixteen = (1...16).map { "[display d\($0)]\npixels = 1x1\n" }.joined()
        #expect(try profile(sixteen).displays.count == 16)
        #expect(
            problems { _ = try profile(sixteen + "[display d17]\npixels = 1x1\n") } == [
                "car.ini:33: [display d17] a profile has at most 16 displays"
            ])
    }
}

@Suite struct HeadUnitCatalogTests {
    @Test(
        arguments: [
            ("minimum", "374x228", nil, nil), ("standard", "400x240", nil, nil), ("portrait", "300x400", nil, nil),
            ("portrait-reference", "384x512", nil, nil), ("wide", "640x240", nil, nil),
            ("cluster-minimum", "400x240", "100x67", "0,0 300x200"),
            ("cluster-basic", "400x240", "320x240", "0,0 640x480"),
            ("cluster-wide", "640x240", "640x240", "420,0 1080x720"),
            ("cluster-wide-small-safe-area", "640x240", "960x360", "640,120 640x480"),
        ] as [(String, String, String?, String?)])
    func shipsTheRecommendedDisplays(name: String, main: String, cluster: String?, safeArea: String?) throws {
        let profile = try HeadUnitCatalog.shipped.profile(named: name)
        func points(_ shape: DisplayDescription) -> String { "\(shape.points.width)x\(shape.points.height)" }
        #expect(profile.displays.allSatisfy { $0.problems().isEmpty && $0.millimetresAssumed })
        #expect(points(profile.displays[0]) == main)
        #expect(profile.displays[0].role == .main)
        #expect(profile.displays.dropFirst().map(points) == [cluster].compactMap(\.self))
        #expect(profile.displays.dropFirst().map(\.viewArea.safeArea.text) == [safeArea].compactMap(\.self))
        #expect(profile.displays.dropFirst().allSatisfy { $0.role == .instrumentCluster })
        #expect(!profile.summary.isEmpty)
    }

    @Test func aFilesStemIsItsProfilesName() {
        #expect(HeadUnitCatalog.shipped.profiles.map(\.name) == ShippedProfiles.headUnits.map(\.stem))
        #expect(HeadUnitCatalog.shipped.profiles.count == 9)
    }

    @Test func aLaterProfileOfTheSameNameTakesThePlace() throws {
        let catalog = try HeadUnitCatalog.parse([
            ConfigurationFile(name: "standard.ini", text: "[display only]\npixels = 1x1\n"),
            ConfigurationFile(name: "new.ini", text: "[display main]\npixels = 2x2\n"),
        ])
        #expect(catalog.profiles.count == 10)
        #expect(catalog.profiles[1].displays.map(\.name) == ["only"])
        #expect(catalog.profiles[9].name == "new")
    }

    @Test func suggestsTheNearestName() {
        #expect(throws: UnknownProfile(name: "portait", known: HeadUnitCatalog.shipped.profiles.map(\.name))) {
            _ = try HeadUnitCatalog.shipped.profile(named: "portait")
        }
        #expect(UnknownProfile(name: "portait", known: ["portrait"]).suggestion == "portrait")
        #expect(
            UnknownProfile(name: "portait", known: ["portrait"]).description
                == "there is no profile \"portait\"; did you mean \"portrait\"?")
        #expect(
            UnknownProfile(name: "zzz", known: ["a", "b"]).description == "there is no profile \"zzz\"; there is a, b")
    }
}
