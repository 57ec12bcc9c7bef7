import ControlProtocol
import LinkProtocol
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
            long-press = 700ms

            [deadlines]
            detect = 11s
            synchronize = 12s
            authenticate = 13s
            identify = 14s
            start = 15s

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
        #expect(settings.longPress == 700 * Bench.millisecond)
        #expect(settings.link.detectBudget == 11 * second)
        #expect(settings.link.synchronizationBudget == 12 * second)
        let authentication: [ControlStep] = [
            .request, .challenge, .signature, .authenticationResult, .certificate, .challengeBytes, .response,
            .verification,
        ]
        let identification: [ControlStep] = [.identification, .identificationResult]
        let start: [ControlStep] = [.availability, .startSession, .displays]
        for step in authentication { #expect(settings.deadlines[step] == 13 * second) }
        for step in identification { #expect(settings.deadlines[step] == 14 * second) }
        for step in start { #expect(settings.deadlines[step] == 15 * second) }
        #expect(
            authentication.count + identification.count + start.count == ControlStep.allCases.count,
            "every step has one")
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

    @Test func theConfiguredDeadlinesAreThoseOfTheHandshake() {
        var bench = Bench { $0.deadlines = ControlDeadlines(remote: 2 * Bench.second, local: Bench.second) }
        bench.plug("iphone", "phone", phone: PhoneConditions(refuse: .session))
        bench.pass(2 * Bench.second - 1)
        #expect(bench.events(.sessionClosed).isEmpty)
        bench.pass(1)
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["availabilityTimedOut"])
        #expect(bench.events(.sessionClosed).map(\.time) == [2 * Bench.second])
    }

    @Test func theInstanceIsPublished() {
        var bench = Bench { $0.instance = "two" }
        #expect(bench.state().value(at: "instance")?.text == "two")
    }
}
