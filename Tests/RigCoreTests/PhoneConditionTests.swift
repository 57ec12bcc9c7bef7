import LinkProtocol
import RigConfiguration
import RigCore
import RigModel
import Testing
import WireBytes

/// What can be set on a phone, in both roles: the rig plays the head unit for "iphone", and the phone for "head-unit".
@Suite struct PhoneConditionTests {
    /// A condition that makes a handshake wait, the name of the wait, and what ends it.
    struct Waiting: Sendable, CustomTestStringConvertible {
        let wait: SessionWait
        let phone: PhoneConditions
        let end: PhoneChange
        var testDescription: String { wait.rawValue }
    }

    static let waits = [
        Waiting(wait: .locked, phone: PhoneConditions(locked: true), end: PhoneChange(locked: false)),
        Waiting(wait: .untrusted, phone: PhoneConditions(trusted: false), end: PhoneChange(trusted: true)),
        Waiting(wait: .carPlayOff, phone: PhoneConditions(carPlay: false), end: PhoneChange(carPlay: true)),
        Waiting(
            wait: .sessionRefused, phone: PhoneConditions(refuse: .session), end: PhoneChange(refuse: .some(nil))),
    ]
    static let profiles = ["iphone", "head-unit"]

    private static func set(_ change: PhoneChange, in bench: inout Bench) -> CommandFailure? {
        bench.failure(of: .setPhone(device: "x", generation: nil, change))
    }

    @Test(arguments: waits, profiles)
    func aWaitNamesItselfAndEndsWithItsCause(_ waiting: Waiting, _ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: waiting.phone)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == waiting.wait.rawValue)
        // No deadline of the head unit is over yet; all but a refused session wait for as long as it takes.
        bench.pass(waiting.wait == .sessionRefused ? 5 * Bench.second : 300 * Bench.second)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == waiting.wait.rawValue)
        #expect(Self.set(waiting.end, in: &bench) == nil)
        #expect(bench.phase() == "active")
        #expect(bench.state().value(at: "sessions.0.waiting") == nil)
        #expect(bench.state().value(at: "sessions.0.id")?.text == "s1", "nothing was replugged or tried again")
    }

    /// Set in mid-handshake, while the phone waits at its trust step, each has the effect that it has from the first byte
    /// on if its step is still to come, and none if it has passed.
    @Test(arguments: waits.dropFirst(2), profiles)
    func whatIsStillToComeCanBeSetInMidHandshake(_ waiting: Waiting, _ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(locked: true))
        let change = PhoneChange(
            refuse: waiting.phone.refuse.map { .some($0) }, carPlay: waiting.phone.carPlay)
        #expect(Self.set(change, in: &bench) == nil)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "locked")
        #expect(Self.set(PhoneChange(locked: false), in: &bench) == nil)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == waiting.wait.rawValue)
        #expect(Self.set(waiting.end, in: &bench) == nil)
        #expect(bench.phase() == "active")
    }

    @Test(arguments: waits, profiles)
    func anActiveSessionGoesOnWhateverIsSet(_ waiting: Waiting, _ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x")
        let phone = waiting.phone
        let change = PhoneChange(
            locked: phone.locked, trusted: phone.trusted, refuse: phone.refuse.map { .some($0) }, carPlay: phone.carPlay
        )
        #expect(Self.set(change, in: &bench) == nil)
        bench.pass(60 * Bench.second)
        #expect(bench.phase() == "active")
        #expect(bench.events(.sessionClosed).isEmpty)
    }

    @Test(arguments: [false, true], profiles)
    func anIdentificationCanBeRefusedInMidHandshake(_ first: Bool, _ profile: String) {
        var bench = Bench()
        var phone = PhoneConditions()
        phone.delays[.identificationRequest] = 1 * Bench.second
        phone.delays[.identificationVerdict] = 1 * Bench.second
        bench.plug(profile, "x", phone: phone, identificationFirst: first)
        bench.pass(500 * Bench.millisecond)
        #expect(Self.set(PhoneChange(refuse: .some(.identification)), in: &bench) == nil)
        bench.pass(3 * Bench.second)
        let code = profile == "iphone" ? "identificationRefused" : "setToRefuseIdentification"
        #expect(bench.events(.sessionClosed).first?.reason?.code == code)
    }

    @Test(arguments: profiles) func trustComesAfterItsTime(_ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(trusted: false, trustAfter: 7 * Bench.second))
        bench.pass(6_999 * Bench.millisecond)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "untrusted")
        bench.pass(2 * Bench.millisecond)
        #expect(bench.phase() == "active")
    }

    @Test(arguments: PhoneAnswer.allCases, profiles)
    func eachAnswerCanBeLate(_ answer: PhoneAnswer, _ profile: String) {
        var bench = Bench()
        var phone = PhoneConditions()
        phone.delays[answer] = 2 * Bench.second
        bench.plug(profile, "x", phone: phone)
        bench.pass(1_999 * Bench.millisecond)
        #expect(bench.phase() != "active")
        bench.pass(100 * Bench.millisecond)
        #expect(bench.phase() == "active")
    }

    @Test(arguments: RigModel.PhoneMisorder.allCases, profiles)
    func whatIsInTheWrongOrderIsLivedWithOrNamed(_ misorder: PhoneMisorder, _ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(misorder: misorder))
        bench.pass(200 * Bench.second)
        let message: String
        switch misorder {
        case .identificationEarly, .offerFirst:
            #expect(bench.phase() == "active")
            #expect(bench.events(.sessionClosed).isEmpty)
            return
        case .challengeFirst: message = "AA02"
        case .resultFirst: message = "AA05"
        case .acceptanceFirst: message = "1D02"
        }
        // The head unit ends it, and tries again as after any failure: once and three times more.
        let closed = bench.events(.sessionClosed)
        #expect(closed.map(\.reason?.code) == Array(repeating: "unexpectedMessage", count: 4))
        #expect(closed.allSatisfy { $0.reason?.party == (profile == "iphone" ? .peer : .local) })
        #expect(closed.allSatisfy { $0.reason?.text.contains(message) == true }, "\(closed.first?.reason?.text ?? "")")
        #expect(bench.device("x")?.value(at: "state")?.text == "failed")
        #expect(bench.core.nextDeadline == nil)
    }

    @Test(arguments: [HandshakeStep.authentication, .signature, .certificate], profiles)
    func aFailedAuthenticationIsTriedAgainEverLater(_ step: HandshakeStep, _ profile: String) throws {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(refuse: step))
        var next = bench.device("x")?.value(at: "nextTry")?.int
        #expect(next == Int64(bench.now + Bench.second))
        #expect(bench.device("x")?.value(at: "reason.text")?.text?.hasSuffix("tried again in 1 s (failure 1)") == true)
        bench.pass(400 * Bench.second)
        let opened = bench.events(.sessionOpened).map(\.time)
        let pauses = zip(opened.dropFirst(), opened).map { ($0 - $1) / Bench.second }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64])
        // What is refused no longer is tried at once, and counts from the start again.
        #expect(Self.set(PhoneChange(refuse: .some(nil)), in: &bench) == nil)
        #expect(bench.phase() == "active")
        #expect(bench.device("x")?.value(at: "nextTry") == nil)
        bench.unplug("x")
        bench.plug(profile, "x", phone: PhoneConditions(refuse: step))
        next = bench.device("x")?.value(at: "nextTry")?.int
        #expect(next == Int64(bench.now + Bench.second))
    }

    /// What a phone fails of, and a change with whether it takes that away.
    struct Cause: Sendable, CustomTestStringConvertible {
        let phone: PhoneConditions
        let change: PhoneChange
        let helps: Bool
        var testDescription: String { "\(phone.refuse?.rawValue ?? "slow"), helps: \(helps): \(change)" }
    }

    private static let cold = PhoneConditions(slow: 60 * Bench.second)
    static let causes: [Cause] =
        HandshakeStep.allCases.flatMap { step in
            let phone = PhoneConditions(refuse: step)
            // Of these three a head unit only hears that the authentication failed.
            let same: [HandshakeStep] = [.authentication, .signature, .certificate]
            return [
                Cause(phone: phone, change: PhoneChange(refuse: .some(nil)), helps: true),
                Cause(phone: phone, change: PhoneChange(locked: true), helps: false),
                Cause(phone: phone, change: PhoneChange(trusted: false), helps: false),
                Cause(phone: phone, change: PhoneChange(slow: 1), helps: false),
                Cause(phone: phone, change: PhoneChange(delays: [.init(.challenge, 1)]), helps: false),
                Cause(phone: phone, change: PhoneChange(misorder: .some(.offerFirst)), helps: false),
                Cause(phone: phone, change: PhoneChange(carPlay: false), helps: false),
                Cause(
                    phone: phone, change: PhoneChange(refuse: .some(step == .certificate ? .signature : .certificate)),
                    helps: !same.contains(step)),
            ]
        } + [
            Cause(phone: cold, change: PhoneChange(slow: 0), helps: true),
            Cause(phone: cold, change: PhoneChange(slow: 59 * Bench.second), helps: true),
            Cause(phone: cold, change: PhoneChange(locked: true), helps: false),
            Cause(phone: cold, change: PhoneChange(carPlay: false), helps: false),
            Cause(phone: cold, change: PhoneChange(refuse: .some(.trust)), helps: false),
            Cause(phone: cold, change: PhoneChange(misorder: .some(.challengeFirst)), helps: false),
        ]

    @Test(arguments: causes, profiles)
    func onlyAChangeThatTakesTheCauseAwayIsTriedAtOnce(_ cause: Cause, _ profile: String) throws {
        var bench = Bench()
        bench.plug(profile, "x", phone: cause.phone)
        while bench.device("x")?.value(at: "state")?.text != "failed", bench.now < 400 * Bench.second {
            bench.pass(Bench.second / 10)
        }
        let next = bench.device("x")?.value(at: "nextTry")
        let opened = bench.events(.sessionOpened).count
        #expect(Self.set(cause.change, in: &bench) == nil)
        #expect(bench.events(.phoneChanged).count == 1)
        if cause.helps {
            #expect(bench.events(.sessionOpened).count == opened + 1)
        } else {
            #expect(bench.events(.sessionOpened).count == opened)
            #expect(bench.device("x")?.value(at: "state")?.text == "failed")
            #expect(bench.device("x")?.value(at: "nextTry") == next, "the pause is the same")
        }
    }

    @Test(arguments: profiles) func theBackOffGoesOnOverChangesThatDoNotHelp(_ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(refuse: .authentication))
        for second in 1...40 {
            bench.pass(Bench.second)
            #expect(Self.set(PhoneChange(locked: second % 2 == 0, slow: UInt64(second)), in: &bench) == nil)
        }
        let opened = bench.events(.sessionOpened).map(\.time)
        let pauses = zip(opened.dropFirst(), opened).map { ($0 - $1) / Bench.second }
        #expect(pauses.prefix(4) == [1, 2, 4, 8])
    }

    @Test(arguments: profiles) func aRetryIsAtOnceWhateverFailed(_ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(refuse: .trust))
        bench.pass(300 * Bench.second)
        #expect(bench.failure(of: .retry(device: "x", generation: 1)) == nil)
        #expect(bench.events(.sessionOpened).count == 2, "it asks again, and is refused again")
        #expect(Self.set(PhoneChange(refuse: .some(nil)), in: &bench) == nil)
        #expect(
            bench.failure(of: .retry(device: "x", generation: nil))
                == .invalidParameter("device", text: "'x' is active; only what failed can be tried again"))
        #expect(bench.failure(of: .retry(device: "x", generation: 2)) == .staleDevice("x", generation: 2))
        #expect(bench.failure(of: .retry(device: "y", generation: nil)) == .unknownDevice("y", known: ["x"]))
        bench.unplug("x")
        #expect(bench.failure(of: .retry(device: "x", generation: nil)) == .staleDevice("x", generation: 1))
    }

    @Test(arguments: profiles) func aPersonsRefusalIsNotTriedAgain(_ profile: String) {
        var bench = Bench()
        bench.plug(profile, "x", phone: PhoneConditions(refuse: .trust))
        bench.pass(300 * Bench.second)
        #expect(bench.events(.sessionClosed).map(\.reason?.code) == ["trustRefused"])
        #expect(bench.device("x")?.value(at: "nextTry") == nil)
    }

    @Test func whatIsOutOfItsRangeIsSaid() {
        var bench = Bench()
        bench.plug("iphone", "x")
        #expect(
            Self.set(PhoneChange(slow: 60_000_000_001), in: &bench)
                == .invalidParameter("slowMilliseconds", text: "a phone is at most 60 s slow"))
        #expect(
            Self.set(PhoneChange(trustAfter: 60_000_000_001), in: &bench)
                == .invalidParameter("trustAfterMilliseconds", text: "a person trusts within 60 s, or never"))
        #expect(
            Self.set(PhoneChange(trusted: true, trustAfter: 1), in: &bench)
                == .invalidParameter(
                    "trustAfterMilliseconds",
                    text: "the phone trusts already; take the trust back to let it trust later"))
        #expect(
            Self.set(PhoneChange(delays: [.init(.challenge, 2_000_000_001)]), in: &bench)
                == .invalidParameter("delays.challenge", text: "an answer is at most 2 s late"))
        #expect(bench.events(.phoneChanged).isEmpty)
        for version in [-1, 0, 4, 256, .max] {
            let request = PlugRequest(profile: "iphone", phone: PhoneConditions(linkVersion: version))
            #expect(
                bench.failure(of: .plug(request))
                    == .invalidParameter("linkVersion", text: "a phone speaks link version 1, 2 or 3"))
        }
        #expect(bench.deviceNames() == ["x"])
    }

    @Test(arguments: PhoneConditions.linkVersions, profiles)
    func aPhoneOfAnyLinkVersionComesToActive(_ version: Int, _ profile: String) throws {
        for offered in PhoneConditions.linkVersions {
            var settings = CoreSettings(Configuration.shipped, version: "test")
            settings.link.synchronization.version = UInt8(offered)
            var bench = Bench { $0 = settings }
            bench.plug(profile, "x", phone: PhoneConditions(linkVersion: version))
            #expect(bench.phase() == "active", "offered \(offered)")
            #expect(bench.device("x")?.value(at: "phone.linkVersion")?.int == Int64(version))
            // It is that of the phone, whatever else is set on it.
            #expect(Self.set(PhoneChange(locked: true), in: &bench) == nil)
            #expect(bench.device("x")?.value(at: "phone.linkVersion")?.int == Int64(version))
        }
    }

    /// What both ends say in the handshake on the wire: the version of each synchronisation packet, in order.
    @Test(arguments: profiles)
    func thePhoneStepsDownToItsVersionAndTheHeadUnitToThatOfTheLayout(_ profile: String) throws {
        let expected: [(offered: UInt8, own: Int?, said: [UInt8])] = [
            (1, nil, [1, 1]), (1, 3, [1, 1]), (3, nil, [3, 1]), (3, 1, [3, 1]), (3, 2, [3, 2, 1, 1]),
            (3, 3, [3, 3, 1, 1]), (2, 3, [2, 2, 1, 1]),
        ]
        for (offered, own, said) in expected {
            var settings = CoreSettings(Configuration.shipped, version: "test")
            settings.link.synchronization.version = offered
            var bench = Bench { $0 = settings }
            let client = bench.connect()
            bench.handle(.clientCalled(client, .capture(device: nil)))
            bench.plug(profile, "x", phone: PhoneConditions(linkVersion: own))
            #expect(try Self.versions(bench.replies[client] ?? []) == said, "\(offered) \(String(describing: own))")
        }
    }

    /// The first payload byte of each synchronisation packet in a capture.
    private static func versions(_ records: [RecordValue]) throws -> [UInt8] {
        var versions: [UInt8] = []
        for record in records {
            guard let text = record.value(at: "bytes")?.text else { continue }
            // FF 5A, two bytes of length, the control byte, three of numbers and channel, the checksum, the payload.
            let packet = try Base64Text.parse(text)
            guard packet.count > 9, packet[0] == 0xFF, packet[1] == 0x5A, packet[4] & 0x80 != 0 else { continue }
            versions.append(packet[9])
        }
        return versions
    }
}
