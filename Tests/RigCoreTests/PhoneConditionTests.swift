import RigConfiguration
import RigCore
import RigModel
import Testing

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
    }
}
