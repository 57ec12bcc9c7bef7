import ControlProtocol
import LinkProtocol
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// A head unit that begins again on the wire of a rig that is the phone: in each phase, with questions to the signer that
/// are open, with faults set and with an app in front.
@Suite struct WireRestartTests {
    static let facts = CertificateFacts(subject: "CN=first", serial: "01", notAfter: 0, shape: .p256)
    static let accepted = SignerAnswer.verdict(.accepted(facts))
    static let refused = SignerAnswer.verdict(.refused(.expired, facts))
    static let detection: [UInt8] = [0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]

    /// A pair whose phone verifies outside, and gets no answer.
    static func verifying() -> WiredPair {
        var pair = WiredPair { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        pair.answer = { question in
            switch question {
            case .sign(let challenge, _): .signature(FixedTestSigner.signature(of: challenge))
            case .verify: nil
            }
        }
        pair.plug()
        return pair
    }

    private static func phoneLink(_ pair: WiredPair) throws -> LinkID { try #require(pair.links[1]) }

    // MARK: Questions

    @Test func aVerdictOnTheHeadUnitOfBeforeIsNotTakenForTheNext() throws {
        for (stale, fresh, ending) in [
            (Self.accepted, Self.refused, "certificateExpired"), (Self.refused, Self.accepted, nil),
        ] {
            var pair = Self.verifying()
            pair.restart()
            #expect(pair.unanswered.map(\.ticket.number) == [1, 2])
            let before = pair.phone.events.count
            pair.tell(stale, to: 0)
            #expect(pair.phone.events.count == before, "what was said of another has no effect")
            #expect(pair.phone.phase() == "authenticating")
            pair.tell(fresh, to: 1)
            let closed = pair.phone.events(.sessionClosed)
            #expect(closed.map(\.reason?.code) == (ending.map { [$0] } ?? []))
            #expect((pair.phone.phase() == "active") == (ending == nil))
            // An answer that comes twice, and one after the end.
            let after = pair.phone.events.count
            pair.tell(fresh, to: 1)
            pair.tell(stale, to: 0)
            #expect(pair.phone.events.count == after)
        }
    }

    @Test(arguments: [accepted, refused, .unavailable("the disk is gone")])
    func anAnswerBetweenTheTwoHeadUnitsHasNoEffect(_ stale: SignerAnswer) throws {
        var pair = Self.verifying()
        pair.phone.handle(.wireReceived(try Self.phoneLink(pair), Self.detection))
        #expect(pair.phone.phase() == "synchronizing")
        let before = pair.phone.events.count
        pair.tell(stale, to: 0)
        #expect(pair.phone.events.count == before)
        #expect(pair.phone.state().value(at: "sessions.0.authentication.verdict") == nil)
        #expect(pair.phone.phase() == "synchronizing")
    }

    @Test func whatWasSaidOfTheHeadUnitOfBeforeIsForgotten() throws {
        var pair = WiredPair { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        pair.phonePlug = PhoneChange(locked: true)
        pair.plug()
        #expect(pair.phone.state().value(at: "sessions.0.authentication.subject")?.text == "unit")
        #expect(pair.phone.state().value(at: "sessions.0.waiting")?.text == "locked")
        pair.phone.handle(.wireReceived(try Self.phoneLink(pair), Self.detection))
        let session = pair.phone.state().value(at: "sessions.0")
        #expect(session?.value(at: "id")?.text == "s1", "nothing was shown yet that could be over")
        #expect(session?.value(at: "authentication.subject") == nil)
        #expect(session?.value(at: "authentication.verdict") == nil)
        #expect(session?.value(at: "waiting") == nil)
    }

    // MARK: Between the two

    /// What is done to the phone, and what was late, says nothing to a head unit that is gone.
    @Test func nothingOfTheHandshakeOfBeforeGoesOn() throws {
        var pair = WiredPair()
        pair.phonePlug = PhoneChange(locked: true)
        pair.plug()
        let link = try Self.phoneLink(pair)
        pair.phone.handle(.wireReceived(link, Self.detection))
        pair.setPhone(PhoneChange(locked: false))
        #expect(pair.phone.phase() == "synchronizing")
        #expect(pair.phone.events(.sessionClosed).isEmpty)

        var slow = WiredPair()
        slow.phonePlug = PhoneChange(slow: Bench.second)
        slow.plug()
        slow.phone.handle(.wireReceived(try Self.phoneLink(slow), Self.detection))
        slow.phone.pass(2 * Bench.second)
        #expect(slow.phone.phase() == "synchronizing")
        #expect(slow.phone.events(.sessionClosed).isEmpty)
    }

    /// The last words of the one and the first of the next come in one read.
    @Test func aReadMayHoldTheEndOfOneAndTheBeginningOfTheNext() throws {
        for slow in [0, 10] {
            var pair = WiredPair()
            pair.phonePlug = PhoneChange(slow: UInt64(slow) * Bench.millisecond)
            pair.holdsUnit = true
            pair.plug()
            // One packet of the handshake after the other is the last.
            for number in 0..<40 {
                let link = try Self.phoneLink(pair)
                let said = pair.takeHeld()
                var next = pair
                next.phone.handle(.wireReceived(link, said + Self.detection))
                #expect(next.phone.events(.sessionClosed).map(\.reason?.code).allSatisfy { $0 == "restartedByPeer" })
                #expect(next.phone.phase() == "synchronizing", "after \(number) reads")
                next.holdsUnit = false
                next.restart()
                next.pass(5 * Bench.second)
                #expect(next.phone.phase() == "active" && next.headUnit.phase() == "active", "after \(number) reads")
                pair.phone.handle(.wireReceived(link, said))
                pair.settle()
                pair.pass(20 * Bench.millisecond)
            }
            #expect(pair.phone.phase() == "active")
        }
    }

    // MARK: What was shown

    /// A head unit without declared displays gets none of those that the one before it declared.
    @Test func displaysAreNotInherited() throws {
        var pair = WiredPair()
        pair.plug()
        #expect(pair.phone.names(of: "displays") == ["s1/main"])
        pair.restart { $0.headUnits = [HeadUnitProfile(name: "bare", displays: [])] }
        pair.pass(5 * Bench.second)
        #expect(pair.phone.phase() == "active")
        #expect(pair.phone.names(of: "displays") == [])
    }

    @Test func anAppInFrontIsToldOfTheEndAndOfTheNextSession() throws {
        var pair = WiredPair()
        pair.plug()
        let app = pair.phone.launch()
        pair.restart()
        pair.pass(5 * Bench.second)
        let stream = try #require(pair.phone.streams[app])
        #expect(
            stream.map(\.kind).filter { $0 != .messageReceived } == [
                .displayRemoved, .sessionClosed, .frontChanged, .sessionActive, .displayAdded, .frontChanged,
            ])
        #expect(stream.first { $0.kind == .sessionClosed }?.reason?.code == "restartedByPeer")
        #expect(stream.filter { $0.kind == .displayRemoved }.map(\.display) == ["s1/main"])
        #expect(stream.filter { $0.kind == .displayAdded }.map(\.display) == ["s2/main"])
        #expect(stream.filter { $0.kind == .frontChanged }.map(\.session) == [nil, SessionID(2)])
        #expect(stream.map(\.sequence) == stream.map(\.sequence).sorted())
        #expect(pair.phone.state().value(at: "apps.0.session")?.text == "s2")
    }

    @Test func anAppGoesToAnotherSessionWhileTheHeadUnitBeginsAgain() throws {
        var pair = WiredPair()
        pair.plug()
        pair.phone.plug("iphone", "other")
        let app = pair.phone.launch()
        let bound = pair.phone.launch("bound", device: "head-unit-1", token: "bound")
        pair.restart()
        pair.pass(5 * Bench.second)
        let stream = try #require(pair.phone.streams[app]).filter { $0.kind != .messageReceived }
        // The other session is shown to it as if it had just become active, and the head unit that begins again does not
        // take the front away from it.
        #expect(
            stream.map(\.kind) == [.displayRemoved, .sessionClosed, .frontChanged, .sessionActive, .displayAdded])
        #expect(stream.map(\.session) == [1, 1, 2, 2, 2].map { SessionID($0) })
        let own = try #require(pair.phone.streams[bound]).filter { $0.kind != .messageReceived }
        #expect(
            own.map(\.kind).filter { $0 != .deviceChanged } == [
                .displayRemoved, .sessionClosed, .frontChanged, .sessionActive, .displayAdded,
            ])
        #expect(own.last?.session == SessionID(3))
    }

    // MARK: Faults

    /// Places are those of a session, and so are the packets that pass before a fault strikes.
    @Test func aFaultWaitsForItsPlaceInTheNextSession() throws {
        var pair = WiredPair()
        pair.plug()
        pair.setFault(FaultRequest(.drop, device: "head-unit-1", place: .during(.identifying), count: 1))
        pair.setFault(
            FaultRequest(.delay, device: "head-unit-1", place: .since(.active), count: nil, duration: 1_000_000))
        pair.pass(Bench.second)
        #expect(pair.phone.events(.faultStruck).isEmpty)
        let before = pair.phone.events.count
        pair.restart()
        pair.pass(20 * Bench.second)
        #expect(pair.phone.phase() == "active" && pair.headUnit.phase() == "active")
        pair.headUnit.command(.inject(Injection(.rotate(detents: 1, interval: 0))))
        pair.settle()
        pair.pass(Bench.second)
        let told = pair.phone.events.dropFirst(before)
        let opened = try #require(told.firstIndex { $0.kind == .sessionOpened })
        let active = try #require(told.firstIndex { $0.kind == .sessionActive })
        let strikes = told[opened..<active].filter { $0.kind == .faultStruck }
        #expect(
            strikes.map(\.session) == [SessionID(2)], "the one in the handshake, and not the one of active sessions")
        #expect(told[active...].contains { $0.kind == .faultStruck }, "which goes on when it is active again")
        // What made the head unit heard at all came while the first session was active.
        #expect(told[..<opened].filter { $0.kind == .faultStruck }.allSatisfy { $0.session == SessionID(1) })
    }

    /// Each kind, set in an active session, with a head unit that begins again under it.
    @Test(arguments: FaultKind.allCases, [FaultDirection.toDevice, .fromDevice])
    func aHeadUnitThatBeginsAgainUnderAFaultEndsActiveOrWithAName(_ kind: FaultKind, _ direction: FaultDirection) {
        guard kind != .unplug else { return }
        for place in [FaultPlace.anywhere, .during(.active), .during(.authenticating), .since(.starting)] {
            let request = FaultRequest(
                kind, device: "head-unit-1", direction: direction, place: kind == .stale ? .anywhere : place,
                count: 1, duration: kind == .delay || kind == .stall ? 700 * Bench.millisecond : nil)
            guard (try? request.validate()) != nil else { continue }
            var pair = WiredPair()
            pair.plug()
            pair.setFault(request)
            pair.restart()
            pair.pass(200 * Bench.second)
            #expect(RigInvariants.violation(in: pair.phone.core) == nil)
            let cell = "\(kind.rawValue) \(direction.rawValue) \(place)"
            let closed = pair.phone.events(.sessionClosed).compactMap(\.reason?.code)
            #expect(closed.count == pair.phone.events(.sessionOpened).count - 1, "\(cell): \(closed)")
            #expect(pair.phone.phase() == "active" && pair.headUnit.phase() == "active", "\(cell): \(closed)")
            // Nothing with a payload passes any more in the active session.
            let isMet = kind != .stale && (kind != .corruptPayload || place != .during(.active))
            #expect(pair.phone.events(.faultStruck).isEmpty != isMet, "\(cell)")
        }
    }
}
