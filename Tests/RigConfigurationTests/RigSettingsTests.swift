import RigConfiguration
import RigModel
import Testing

@Suite struct RigSettingsTests {
    private func settings(_ texts: String...) throws -> RigSettings {
        try RigSettings.parse(
            texts.enumerated().map {
                ConfigurationFile(name: $0.offset == 0 ? "rig.ini" : "\($0.offset).ini", text: $0.element)
            })
    }

    @Test func noFileGivesTheDefaults() throws {
        let settings = try settings()
        #expect(settings == RigSettings())
        #expect(settings.frontPolicy == .first)
        #expect(settings.headUnitProfile == "standard")
        #expect(settings.reenumerationWindow == 5_000_000_000)
        #expect(settings.deadlines.detect == 30_000_000_000)
        #expect(settings.deadlines.synchronize == 5_000_000_000)
        #expect(settings.deadlines.authenticate == 10_000_000_000)
        #expect(settings.deadlines.identify == 5_000_000_000)
        #expect(settings.deadlines.start == 10_000_000_000)
        #expect(settings.limits.clientsPerUser == 1_024)
        #expect(settings.limits.appCallBytes == 4_194_304)
    }

    @Test func theShippedFileNamesEveryDefault() throws {
        #expect(try RigSettings.parse([ShippedProfiles.settings]) == RigSettings())
    }

    @Test func readsEveryKey() throws {
        let settings = try settings(
            """
            [rig]
            instance = bench-2
            front = priority
            priority = phone-b, phone-a
            head-unit = wide
            reenumeration-window = 8s
            handshake-retries = 0
            retry-delays = 100ms, 1s
            long-press = 800ms
            [deadlines]
            detect = 1s
            synchronize = 2s
            authenticate = 3s
            identify = 4s
            start = 6s
            [limits]
            clients-per-user = 2
            clients = 3
            rig-call-bytes = 64KiB
            app-call-bytes = 128KiB
            queue-bytes = 256KiB
            subscriptions = 4
            devices = 5
            apps = 6
            [usb]
            enabled = no
            ports = 1-1*, 2-*
            except = 1-1.4
            apple-probes = yes
            accessory-mode = yes
            detach-driver = yes
            select-configuration = yes
            [input]
            enabled = no
            ports = 3-*
            except = 3-1
            names = *knob*
            except-names = *test*
            knobs = no
            grab = no
            double-press = 300ms
            tap = 200ms
            tap-slop = 2.5mm
            swipe = 2cm
            swipe-time = 1s
            focus-step = 0.75mm
            [socket]
            group = bench
            app-group = bench-app
            """)
        #expect(settings.instance == "bench-2")
        #expect(settings.frontPolicy == .priority(["phone-b", "phone-a"]))
        #expect(settings.headUnitProfile == "wide")
        #expect(settings.reenumerationWindow == 8_000_000_000)
        #expect(settings.handshakeRetries == 0)
        #expect(settings.retryDelays == [100_000_000, 1_000_000_000])
        #expect(settings.longPress == 800_000_000)
        let deadlines = settings.deadlines
        #expect(
            [
                deadlines.detect, deadlines.synchronize, deadlines.authenticate, deadlines.identify, deadlines.start,
            ] == [1, 2, 3, 4, 6].map { $0 * 1_000_000_000 })
        let limits = settings.limits
        #expect(
            [limits.clientsPerUser, limits.clients, limits.subscriptions, limits.devices, limits.apps] == [
                2, 3, 4, 5, 6,
            ])
        #expect([limits.rigCallBytes, limits.appCallBytes, limits.queueBytes] == [65_536, 131_072, 262_144])
        #expect(!settings.usb.isEnabled)
        #expect(settings.usb.ports.admits("1-10") && !settings.usb.ports.admits("1-1.4"))
        #expect(!settings.usb.ports.admits("3-1"))
        #expect(settings.usb.probesApple && settings.usb.startsAccessoryMode)
        #expect(settings.usb.detachesDriver && settings.usb.selectsConfiguration)
        #expect(!settings.input.isEnabled && !settings.input.takesKnobs && !settings.input.grabs)
        #expect(settings.input.ports.admits("3-2") && !settings.input.ports.admits("3-1"))
        #expect(settings.input.names.admits("a knob") && !settings.input.names.admits("test knob"))
        #expect(
            settings.intentLimits
                == IntentLimits(
                    longPress: 800_000_000, doublePress: 300_000_000, tap: 200_000_000, slop: 250, swipe: 2_000,
                    swipeTime: 1_000_000_000, focusStep: 75))
        #expect(settings.sockets.controlGroup == "bench" && settings.sockets.appGroup == "bench-app")
    }

    @Test func theLaterFileWinsKeyByKey() throws {
        let settings = try settings(
            "[rig]\nhead-unit = wide\nlong-press = 1s\ninstance = a\n[usb]\nports = 1-1, 1-2\n",
            "[rig]\nlong-press = 2s\n", "[usb]\nports = 2-1\n[rig]\ninstance =\n")
        #expect(settings.headUnitProfile == "wide")
        #expect(settings.longPress == 2_000_000_000)
        #expect(settings.usb.ports.only == [NamePattern("2-1")])
        #expect(settings.instance == nil)
    }

    @Test func policyAndItsListMayStandInDifferentFiles() throws {
        #expect(
            try settings("[rig]\nfront = priority\n", "[rig]\npriority = a\n").frontPolicy == .priority(["a"]))
        #expect(
            try settings("[rig]\npriority = a, b\n", "[rig]\nfront = priority\n").frontPolicy == .priority(["a", "b"]))
        #expect(
            try settings("[rig]\nfront = priority\npriority = a\n", "[rig]\nfront = last\npriority =\n").frontPolicy
                == .last)
    }

    @Test func pausesRepeatTheirLast() {
        let settings = RigSettings()
        #expect((0..<5).map(settings.retryDelay) == [1, 2, 4, 4, 4].map { $0 * 1_000_000_000 })
    }

    @Test func fewerClientsInAllMeanFewerOfOneUser() throws {
        #expect(try settings("[limits]\nclients = 10\n").limits.clientsPerUser == 10)
    }

    @Test(arguments: [
        (
            "[rig]\nfront = frist\n",
            "rig.ini:2: [rig] front: \"frist\" is none of first, last, priority; did you mean \"first\"?"
        ),
        ("[rig]\nfront = priority\n", "rig.ini:2: [rig] front: \"priority\" needs the list \"priority = NAME, NAME\""),
        ("[rig]\npriority = a\n", "rig.ini:2: [rig] priority: the list means nothing without \"front = priority\""),
        ("[rig]\nfront = priority\npriority = a, a\n", "rig.ini:3: [rig] priority: \"a\" comes twice"),
        ("[rig]\nlong-press = 500\n", "rig.ini:2: [rig] long-press: \"500\" has no unit; write it as in 80ms or 2s"),
        ("[rig]\nlong-press = 49ms\n", "rig.ini:2: [rig] long-press: \"49ms\" is not between 50ms and 10s"),
        (
            "[rig]\nlong-pres = 1s\n",
            "rig.ini:2: [rig] long-pres: this section has no such key; did you mean \"long-press\"?"
        ),
        ("[rig]\nxyzzy = 1\n", "rig.ini:2: [rig] xyzzy: this section has no such key"),
        (
            "[rigg]\n",
            "rig.ini:1: [rigg] there is no such section; there is rig, deadlines, limits, usb, input, authentication, socket; did you mean \"rig\"?"
        ),
        ("[usb one]\n", "rig.ini:1: [usb one] this section has no name: [usb]"),
        ("[rig]\nretry-delays =\n", "rig.ini:2: [rig] retry-delays: at least one pause is needed, as in 1s, 2s, 4s"),
        ("[rig]\nhandshake-retries = 101\n", "rig.ini:2: [rig] handshake-retries: \"101\" is not between 0 and 100"),
        (
            "[rig]\ninstance = a/b\n",
            "rig.ini:2: [rig] instance: \"a/b\" is not a name of 1 to 32 letters, digits, '-', '_' or '.'"
        ),
        ("[deadlines]\ndetect = 9ms\n", "rig.ini:2: [deadlines] detect: \"9ms\" is not between 10ms and 10min"),
        ("[limits]\napps = 0\n", "rig.ini:2: [limits] apps: \"0\" is not between 1 and 65536"),
        ("[limits]\nqueue-bytes = 1KiB\n", "rig.ini:2: [limits] queue-bytes: \"1KiB\" is not between 64KiB and 64MiB"),
        (
            "[limits]\nclients = 5\nclients-per-user = 6\n",
            "rig.ini:3: [limits] clients-per-user: more clients of one user than clients in all (5)"
        ),
        (
            "[input]\ntap-slop = 4\n",
            "rig.ini:2: [input] tap-slop: \"4\" has no unit; write it as in 4mm"
        ),
        (
            "[input]\nfocus-step = 0.4mm\n",
            "rig.ini:2: [input] focus-step: \"0.4mm\" is not between 0.5mm and 200mm"
        ),
        ("[usb]\nenabled = maybe\n", "rig.ini:2: [usb] enabled: \"maybe\" is neither yes nor no"),
        ("[usb]\nports = 1-1,,2\n", "rig.ini:2: [usb] ports: \"1-1,,2\" has an empty part between its commas"),
        (
            "[socket]\ngroup =\n",
            "rig.ini:2: [socket] group: \"\" is not a name of 1 to 32 letters, digits, '-', '_' or '.'"
        ),
    ])
    func tellsWhatIsWrongAndWhere(text: String, line: String) {
        #expect(problems { _ = try settings(text) } == [line])
    }

    @Test func tellsEveryProblemOfEveryFileInTheirOrder() {
        #expect(
            problems {
                _ = try settings("[rig]\nlong-press = 1\n[usb]\nenabled = 2\nbroken\n", "[limits]\napps = x\n")
            } == [
                "rig.ini:2: [rig] long-press: \"1\" has no unit; write it as in 80ms or 2s",
                "rig.ini:4: [usb] enabled: \"2\" is neither yes nor no",
                "rig.ini:5:1: this is neither \"key = value\" nor \"[section]\"",
                "1.ini:2: [limits] apps: \"x\" is not a whole number",
            ])
    }
}

@Suite struct ConfigurationTests {
    @Test func holdsWithoutAnyFile() {
        #expect(Configuration.shipped.headUnit.name == "standard")
        #expect(Configuration.shipped.settings == RigSettings())
        #expect(Configuration.shipped.devices == DeviceTable.shipped)
    }

    @Test func findsTheNamedHeadUnitAmongAddedOnes() throws {
        let configuration = try Configuration.parse(
            settings: [ConfigurationFile(name: "dashrig.ini", text: "[rig]\nhead-unit = mine\n")],
            headUnits: [ConfigurationFile(name: "mine.ini", text: "[display main]\npixels = 10x10\n")])
        #expect(configuration.headUnit.name == "mine")
        #expect(configuration.headUnits.profiles.count == ShippedProfiles.headUnits.count + 1)
    }

    @Test func tellsWhereAMissingHeadUnitIsNamed() {
        let lines = problems {
            _ = try Configuration.parse(
                settings: [ConfigurationFile(name: "dashrig.ini", text: "[rig]\nhead-unit = standart\n")])
        }
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix("dashrig.ini:2: [rig] head-unit: there is no head-unit profile \"standart\"") == true
        )
        #expect(lines.first?.hasSuffix("did you mean \"standard\"?") == true)
    }

    @Test func tellsTheProblemsOfAllFilesTogether() {
        #expect(
            problems {
                _ = try Configuration.parse(
                    settings: [ConfigurationFile(name: "a.ini", text: "[rig]\nx1 = 1\n")],
                    headUnits: [ConfigurationFile(name: "b.ini", text: "[display main]\n")],
                    devices: [ConfigurationFile(name: "c.ini", text: "[device d]\nkind = hub\n")])
            } == [
                "a.ini:2: [rig] x1: this section has no such key",
                "b.ini:1: [display main] the section needs the key \"pixels\"",
                "c.ini:2: [device d] kind: \"hub\" is none of iphone, ipad, ipod, android-phone, android-accessory, "
                    + "dongle, head-unit, none",
            ])
    }
}
