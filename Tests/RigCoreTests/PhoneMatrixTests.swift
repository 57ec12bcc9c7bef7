import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Every condition of a phone, set before the plug, in each moment of a running handshake and when it is over, in both
/// roles and both orders: each cell has a stated outcome, and what was done can be taken back without a replug.
@Suite struct PhoneMatrixTests {
    /// When something is done to the phone. The handshake's moments are those in which an answer of the phone is awaited.
    enum Moment: Equatable, Sendable {
        case plug
        case detecting
        case synchronizing
        case before(PhoneAnswer)
        case active
    }

    static let authentication: [PhoneAnswer] = [.certificateRequest, .challenge, .authenticationVerdict]
    static let identification: [PhoneAnswer] = [.identificationRequest, .identificationVerdict]

    /// The moments of a handshake in their order, the columns of the tables below.
    static func moments(identificationFirst: Bool) -> [Moment] {
        let answers = identificationFirst ? identification + authentication : authentication + identification
        return [.plug, .detecting, .synchronizing] + (answers + [.sessionOffer]).map(Moment.before) + [.active]
    }

    /// What is done, and what comes of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let change: PhoneChange
        let undo: PhoneChange
        /// One letter for each moment with the authentication first, and with the identification first: `.` the session
        /// becomes active as if nothing had been done, `w` it waits until it is taken back, `t` it waits and goes on by
        /// itself, `l` it becomes active later, `e` earlier, `f` it fails.
        let outcomes: (String, String)
        /// The name of the wait.
        var wait: SessionWait?
        /// Why it fails, where the rig is the head unit and where it is the phone.
        var reasons: (unit: Failure, phone: Failure)?
        /// How much later or earlier it is active.
        var delay: UInt64 = 0

        var testDescription: String { name }
        var conditions: PhoneConditions { (try? change.applied(to: PhoneConditions())) ?? PhoneConditions() }
    }

    struct Failure: Equatable, Sendable, CustomStringConvertible {
        let code: String
        let party: Party

        init(_ code: String, _ party: Party) {
            self.code = code
            self.party = party
        }

        var description: String { "\(code) by \(party)" }
    }

    // Columns: plug, detecting, synchronizing, then with the authentication first
    // certificateRequest, challenge, authenticationVerdict, identificationRequest, identificationVerdict, sessionOffer,
    // active, and with the identification first
    // identificationRequest, identificationVerdict, certificateRequest, challenge, authenticationVerdict, sessionOffer,
    // active.
    static let waits = [
        Row(
            name: "locked", change: PhoneChange(locked: true), undo: PhoneChange(locked: false),
            outcomes: ("wwwwwwww..", "wwwwwwww.."), wait: .locked),
        Row(
            name: "untrusted", change: PhoneChange(trusted: false), undo: PhoneChange(trusted: true),
            outcomes: ("wwwwwwww..", "wwwwwwww.."), wait: .untrusted),
        Row(
            name: "trust after 7 s", change: PhoneChange(trustAfter: 7 * Bench.second),
            undo: PhoneChange(trusted: true),
            outcomes: ("tttttttt..", "tttttttt.."), wait: .untrusted, delay: 7 * Bench.second),
        Row(
            name: "CarPlay off", change: PhoneChange(carPlay: false), undo: PhoneChange(carPlay: true),
            outcomes: ("wwwwwwwww.", "wwwwwwwww."), wait: .carPlayOff),
        Row(
            name: "refuses the session", change: PhoneChange(refuse: .some(.session)),
            undo: PhoneChange(refuse: .some(nil)), outcomes: ("wwwwwwwww.", "wwwwwwwww."), wait: .sessionRefused),
    ]

    static let refusals = [
        refusal(
            .certificate, ("ffff......", "ffffff...."), Failure("authenticationRefused", .local),
            "setToRefuseCertificate"),
        refusal(
            .signature, ("ffffff....", "ffffffff.."), Failure("authenticationRefused", .local), "setToRefuseSignature"),
        refusal(
            .authentication, ("ffffff....", "ffffffff.."), Failure("authenticationRefused", .local),
            "setToRefuseSignature"),
        refusal(
            .identification, ("ffffffff..", "fffff....."), Failure("identificationRefused", .local),
            "setToRefuseIdentification"),
        refusal(.trust, ("ffffffff..", "ffffffff.."), Failure("trustRefused", .peer), "trustRefused"),
    ]

    private static func refusal(
        _ step: HandshakeStep, _ outcomes: (String, String), _ unit: Failure, _ phone: String
    ) -> Row {
        Row(
            name: "refuses \(step.rawValue)", change: PhoneChange(refuse: .some(step)),
            undo: PhoneChange(refuse: .some(nil)), outcomes: outcomes,
            reasons: (unit, Failure(phone, .local)))
    }

    /// An answer that was begun comes when it was to come.
    static let lates = [
        late(.certificateRequest, ("lll.......", "lllll.....")),
        late(.challenge, ("llll......", "llllll....")),
        late(.authenticationVerdict, ("lllll.....", "lllllll...")),
        late(.identificationRequest, ("llllll....", "lll.......")),
        late(.identificationVerdict, ("lllllll...", "llll......")),
        late(.information, ("llllllll..", "llllllll..")),
        late(.sessionOffer, ("llllllll..", "llllllll..")),
    ]

    private static func late(_ answer: PhoneAnswer, _ outcomes: (String, String)) -> Row {
        Row(
            name: "late \(answer.rawValue)", change: PhoneChange(delays: [.init(answer, 2 * Bench.second)]),
            undo: PhoneChange(delays: [.init(answer, 0)]), outcomes: outcomes, delay: 2 * Bench.second)
    }

    static let misorders = [
        misorder(.identificationEarly, ("..........", "..........")),
        misorder(.challengeFirst, ("ffff......", "ffffff....")),
        misorder(.resultFirst, ("fffff.....", "fffffff...")),
        misorder(.acceptanceFirst, ("fffffff...", "ffff......")),
        misorder(.offerFirst, ("eee.......", "eee.......")),
    ]

    /// An offer that came first need not come again: one answer less.
    private static func misorder(_ misorder: PhoneMisorder, _ outcomes: (String, String)) -> Row {
        Row(
            name: "misorder \(misorder.rawValue)", change: PhoneChange(misorder: .some(misorder)),
            undo: PhoneChange(misorder: .some(nil)), outcomes: outcomes,
            reasons: (Failure("unexpectedMessage", .peer), Failure("unexpectedMessage", .local)), delay: step)
    }

    static let profiles = ["iphone", "head-unit"]
    /// So slow that each moment lasts.
    static let step = 100 * Bench.millisecond

    /// A rig at a moment of a handshake, with what was done before the plug.
    static func bench(
        _ profile: String, at moment: Moment, identificationFirst: Bool, phone: PhoneConditions = PhoneConditions()
    ) -> Bench {
        var bench = Bench()
        var phone = phone
        phone.slow = step
        switch moment {
        case .detecting:
            bench.command(
                .setFault(FaultRequest(.delay, device: "x", place: .during(.detecting), duration: 7 * step)))
        case .synchronizing:
            bench.command(
                .setFault(FaultRequest(.delay, device: "x", place: .during(.synchronizing), duration: 7 * step)))
        case .plug, .before, .active: break
        }
        bench.plug(profile, "x", phone: phone, identificationFirst: identificationFirst)
        let moments = Self.moments(identificationFirst: identificationFirst)
        switch moment {
        case .plug: break
        case .detecting, .synchronizing: bench.pass(step / 2)
        case .before, .active:
            let place = (moments.firstIndex(of: moment) ?? 0) - 3
            bench.pass(UInt64(place) * step + step / 2)
        }
        return bench
    }

    /// What the rig shows then. A head unit does not see what it will be asked first.
    static func phase(of moment: Moment, _ profile: String, identificationFirst: Bool) -> SessionPhase {
        switch moment {
        case .plug, .detecting: .detecting
        case .synchronizing: .synchronizing
        case .before(.identificationRequest) where profile == "iphone" && identificationFirst: .authenticating
        case .before(let answer):
            authentication.contains(answer)
                ? .authenticating : identification.contains(answer) ? .identifying : .starting
        case .active: .active
        }
    }

    /// When the session became active.
    private static func activeAt(_ bench: Bench) -> UInt64? { bench.events(.sessionActive).first?.time }

    /// When a handshake without anything done to it becomes active.
    private static func orderly(_ profile: String, at moment: Moment, identificationFirst: Bool) -> UInt64? {
        orderlyTimes["\(profile) \(moment) \(identificationFirst)"]
    }

    private static let orderlyTimes: [String: UInt64] = {
        var times: [String: UInt64] = [:]
        for profile in profiles {
            for first in [false, true] {
                for moment in moments(identificationFirst: first) {
                    var bench = bench(profile, at: moment, identificationFirst: first)
                    bench.pass(10 * Bench.second)
                    times["\(profile) \(moment) \(first)"] = activeAt(bench)
                }
            }
        }
        return times
    }()

    private static func set(_ change: PhoneChange, in bench: inout Bench) {
        let failure = bench.failure(of: .setPhone(device: "x", generation: nil, change))
        #expect(failure == nil)
    }

    // MARK: Set

    @Test(arguments: waits + refusals + lates + misorders, profiles)
    func eachConditionInEachMomentHasItsOutcome(_ row: Row, _ profile: String) throws {
        for first in [false, true] {
            let moments = Self.moments(identificationFirst: first)
            let outcomes = Array(first ? row.outcomes.1 : row.outcomes.0)
            try #require(outcomes.count == moments.count)
            for (moment, outcome) in zip(moments, outcomes) {
                let cell = "\(profile), \(first ? "identification" : "authentication") first, \(moment): \(outcome)"
                let orderly = Self.orderly(profile, at: moment, identificationFirst: first)
                var bench: Bench
                if moment == .plug {
                    bench = Self.bench(profile, at: .plug, identificationFirst: first, phone: row.conditions)
                } else {
                    bench = Self.bench(profile, at: moment, identificationFirst: first)
                    #expect(
                        bench.phase() == Self.phase(of: moment, profile, identificationFirst: first).rawValue, "\(cell)"
                    )
                    Self.set(row.change, in: &bench)
                }
                check(&bench, row, outcome, orderly, profile, cell)
                if outcome == "w" {
                    let trustStep: SessionPhase = first ? .authenticating : .identifying
                    let isTrustStep = row.wait == .locked || row.wait == .untrusted
                    #expect(bench.phase() == (isTrustStep ? trustStep : .starting).rawValue, "\(cell)")
                }
                // Whatever it was, it can be taken back, and then a session runs without a replug.
                Self.set(row.undo, in: &bench)
                bench.pass(10 * Bench.second)
                #expect(bench.phase() == "active", "\(cell), taken back")
                let session = bench.state().value(at: "sessions.0.id")?.text
                #expect(session == (outcome == "f" ? "s2" : "s1"), "\(cell), taken back")
                #expect(bench.state().value(at: "sessions.0.waiting") == nil, "\(cell), taken back")
                #expect(RigInvariants.violation(in: bench.core) == nil, "\(cell)")
            }
        }
    }

    private func check(
        _ bench: inout Bench, _ row: Row, _ outcome: Character, _ orderly: UInt64?, _ profile: String, _ cell: String
    ) {
        switch outcome {
        case "w":
            bench.pass(row.wait == .sessionRefused ? 5 * Bench.second : 300 * Bench.second)
            #expect(bench.state().value(at: "sessions.0.waiting")?.text == row.wait?.rawValue, "\(cell)")
            #expect(bench.events(.sessionClosed).isEmpty && Self.activeAt(bench) == nil, "\(cell)")
        case "f":
            let expected = profile == "iphone" ? row.reasons?.unit : row.reasons?.phone
            // Before it is tried again.
            while bench.events(.sessionClosed).isEmpty, bench.now < 30 * Bench.second { bench.pass(Self.step / 10) }
            let reasons = bench.events(.sessionClosed).compactMap(\.reason)
            #expect(reasons.map { Failure($0.code, $0.party) } == (expected.map { [$0] } ?? []), "\(cell)")
            #expect(bench.device("x")?.value(at: "state")?.text == "failed", "\(cell)")
            #expect(Self.activeAt(bench) == nil, "\(cell)")
        default:
            bench.pass(300 * Bench.second)
            let expected = orderly.map { outcome == "." ? $0 : outcome == "e" ? $0 - row.delay : $0 + row.delay }
            #expect(Self.activeAt(bench) == expected, "\(cell)")
            let waits = bench.events(.sessionWaiting).compactMap { event -> SessionWait? in
                if case .session(let session) = event.payload { session.waiting } else { nil }
            }
            #expect(waits == (outcome == "t" ? [row.wait] : []), "\(cell)")
            #expect(bench.events(.sessionClosed).isEmpty, "\(cell)")
        }
    }

    // MARK: Taken back

    /// What is taken back before it mattered never was: set from the plug on or in the same moment.
    @Test(arguments: waits + refusals + lates + misorders, profiles)
    func whatIsTakenBackInTimeHasNoEffect(_ row: Row, _ profile: String) {
        for first in [false, true] {
            let moments = Self.moments(identificationFirst: first)
            let outcomes = Array(first ? row.outcomes.1 : row.outcomes.0)
            for (moment, outcome) in zip(moments, outcomes) where moment != .plug {
                let orderly = Self.orderly(profile, at: moment, identificationFirst: first)
                // What is asked about before the session is offered waits by then.
                let isPast = outcome == "." || moment == .before(.sessionOffer)
                for isFromPlug in [true, false] where !isPast || !isFromPlug {
                    let cell = "\(profile), \(first ? "identification" : "authentication") first, \(moment)"
                    var bench = Self.bench(
                        profile, at: moment, identificationFirst: first,
                        phone: isFromPlug ? row.conditions : PhoneConditions())
                    if !isFromPlug { Self.set(row.change, in: &bench) }
                    #expect(
                        bench.phase() == Self.phase(of: moment, profile, identificationFirst: first).rawValue, "\(cell)"
                    )
                    Self.set(row.undo, in: &bench)
                    bench.pass(10 * Bench.second)
                    #expect(Self.activeAt(bench) == orderly, "\(cell), from the plug on: \(isFromPlug)")
                    #expect(bench.events(.sessionClosed).isEmpty && bench.events(.sessionWaiting).isEmpty, "\(cell)")
                }
            }
        }
    }
}
