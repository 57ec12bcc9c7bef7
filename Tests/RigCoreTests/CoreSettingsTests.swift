import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What a configuration's words mean for the core.
@Suite struct CoreSettingsTests {
    @Test func everythingThatIsConfiguredArrives() throws {
        let text = """
            [rig]
            instance = two
            front = last
            head-unit = wide
            reenumeration-window = 3s
            handshake-retries = 4
            retry-delays = 1s, 5s
            authentication-pause = 300ms
            authentication-pause-maximum = 2s
            long-press = 700ms

            [limits]
            clients-per-user = 21
            clients = 22
            subscriptions = 23
            devices = 24
            apps = 25
            """
        let configuration = try Configuration.parse(settings: [ConfigurationFile(name: "dashrig.ini", text: text)])
        let settings = CoreSettings(configuration, version: "1")
        let second = Bench.second
        #expect(settings.version == "1")
        #expect(settings.instance == "two")
        #expect(settings.front == .last)
        #expect(settings.headUnits.first?.name == "wide")
        #expect(settings.headUnits.count == configuration.headUnits.profiles.count)
        #expect(settings.headUnits.count { $0.name == "wide" } == 1)
        #expect(settings.reenumerationWindow == 3 * second)
        #expect(settings.retries == [1, 5, 5, 5].map { $0 * second })
        #expect(settings.authenticationPause == 300 * Bench.millisecond)
        #expect(settings.authenticationPauseMaximum == 2 * second)
        #expect(settings.longPress == 700 * Bench.millisecond)
        #expect(settings.maximumClientsPerUser == 21)
        #expect(settings.maximumClients == 22)
        #expect(settings.maximumSubscriptions == 23)
        #expect(settings.maximumDevices == 24)
        #expect(settings.maximumApps == 25)
    }

    @Test func aHandshakeIsRetriedAsOftenAsItIsConfigured() {
        for count in 0...2 {
            var bench = Bench { $0.retries = Array(repeating: Bench.second, count: count) }
            bench.plug("iphone", "phone", phone: PhoneConditions(refuse: .session))
            bench.pass(200 * Bench.second)
            #expect(bench.events(.sessionOpened).count == 1 + count)
            #expect(bench.core.nextDeadline == nil)
        }
    }

    /// A rig whose handshake may take so long for each of its parts.
    private func bench(_ deadlines: String) throws -> Bench {
        let file = ConfigurationFile(
            name: "dashrig.ini", text: "[rig]\nhandshake-retries = 0\n[deadlines]\n\(deadlines)\n")
        let configured = CoreSettings(try Configuration.parse(settings: [file]), version: "test")
        return Bench { $0 = configured }
    }

    /// A phone that takes six seconds for each answer, and the part of the handshake that has less time than that.
    @Test(arguments: [
        ("authenticate = 5s", "requestTimedOut"), ("identify = 5s", "identificationResultTimedOut"),
        ("start = 5s", "availabilityTimedOut"),
    ])
    func eachDeadlineIsThatOfItsPartOfTheHandshake(short: String, code: String) throws {
        let parts = ["authenticate = 20s", "identify = 20s", "start = 20s"]
        let deadlines = parts.map { $0.prefix(5) == short.prefix(5) ? short : $0 }
        var bench = try bench(deadlines.joined(separator: "\n"))
        bench.plug("iphone", "phone", phone: PhoneConditions(slow: 6 * Bench.second))
        bench.pass(200 * Bench.second)
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == [code])
        var patient = try self.bench(parts.joined(separator: "\n"))
        patient.plug("iphone", "phone", phone: PhoneConditions(slow: 6 * Bench.second))
        patient.pass(200 * Bench.second)
        #expect(patient.phase() == "active")
    }

    @Test func aDeadlineEndsTheHandshakeAtItsTime() throws {
        var bench = try bench("start = 2s")
        bench.plug("iphone", "phone", phone: PhoneConditions(refuse: .session))
        bench.pass(2 * Bench.second - 1)
        #expect(bench.events(.sessionClosed).isEmpty)
        bench.pass(1)
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["availabilityTimedOut"])
        #expect(bench.events(.sessionClosed).map(\.time) == [2 * Bench.second])
    }

    @Test func theDeadlinesOfTheLinkArrive() throws {
        // The partner inside the daemon always answers them, so only the settings can tell.
        let base = try bench("").core.settings.link
        #expect(try bench("detect = 7s").core.settings.link != base)
        #expect(try bench("synchronize = 7s").core.settings.link != base)
        #expect(try bench("detect = 7s").core.settings.link != bench("synchronize = 7s").core.settings.link)
    }

    @Test func aFailedAuthenticationPausesAsItIsConfigured() throws {
        let text = "[rig]\nauthentication-pause = 300ms\nauthentication-pause-maximum = 1s\n"
        let file = ConfigurationFile(name: "dashrig.ini", text: text)
        let configured = CoreSettings(try Configuration.parse(settings: [file]), version: "test")
        var bench = Bench { $0 = configured }
        bench.plug("iphone", "phone", phone: PhoneConditions(refuse: .signature))
        bench.pass(5 * Bench.second)
        let opened = bench.events(.sessionOpened).map(\.time)
        let pauses = zip(opened.dropFirst(), opened).map { ($0 - $1) / Bench.millisecond }
        #expect(pauses.prefix(5) == [300, 600, 1_000, 1_000, 1_000])
    }

    @Test func theInstanceIsPublished() {
        var bench = Bench { $0.instance = "two" }
        #expect(bench.state().value(at: "instance")?.text == "two")
    }
}
