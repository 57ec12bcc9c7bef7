import ControlProtocol
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Two rigs on one wire: one is the head unit, the other the phone. What one transmits the other receives.
struct WiredPair {
    var headUnit: Bench
    var phone: Bench
    /// Every wire that was asked for or closed, in order, with whose it was.
    private(set) var asked: [String] = []
    /// What passes, cut into pieces of this many bytes.
    var pieces = 1_000_000
    /// The link of each rig, once it asked for one.
    private(set) var links: [LinkID?] = [nil, nil]
    /// What the head unit transmits is kept in `held` instead of delivered.
    var holdsUnit = false
    private(set) var held: [UInt8] = []
    /// What the signers were asked and did not answer, oldest first.
    private(set) var unanswered: [(ticket: SignerTicket, question: SignerQuestion)] = []
    /// What the signer of each rig says; `nil` is nothing.
    var answer: (SignerQuestion) -> SignerAnswer? = { question in
        switch question {
        case .sign(let challenge, _): .signature(FixedTestSigner.signature(of: challenge))
        case .verify: .verdict(.accepted(CertificateFacts(subject: "unit", serial: "01", notAfter: 0, shape: .p256)))
        }
    }

    /// What is set on the rig that is the phone before its wire is open.
    var phonePlug: PhoneChange?
    private let change: (inout CoreSettings) -> Void

    init(_ change: @escaping (inout CoreSettings) -> Void = { _ in }) {
        self.change = change
        headUnit = Bench(seed: 1, change)
        phone = Bench(seed: 2, change)
    }

    static func facts(_ kind: DeviceKind) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: kind == .headUnit ? "head-unit" : "iphone", serial: "0123456789AB", port: "1-1",
            origin: .observed, hasLinkInterface: true)
    }

    /// Plugs both ends in.
    mutating func plug() {
        headUnit.handle(.deviceAttached(key: "phone", Self.facts(.iPhone)))
        phone.handle(.deviceAttached(key: "unit", Self.facts(.headUnit)))
        if let phonePlug { setPhone(phonePlug) }
        settle()
    }

    /// Something is done to the rig that is the phone.
    mutating func setPhone(_ change: PhoneChange) {
        let failure = phone.failure(of: .setPhone(device: "head-unit-1", generation: nil, change))
        #expect(failure == nil)
        settle()
    }

    /// Another head unit on the same pipes says its first words into the session of the one before.
    mutating func restart(seed: UInt64 = 3, _ another: ((inout CoreSettings) -> Void)? = nil) {
        let now = headUnit.now
        headUnit = Bench(seed: seed, another ?? change)
        headUnit.now = now
        headUnit.handle(.deviceAttached(key: "phone", Self.facts(.iPhone)))
        settle()
    }

    /// Both cables are pulled and put in again.
    mutating func replug() {
        headUnit.handle(.deviceDetached(key: "phone", Bench.pulled))
        phone.handle(.deviceDetached(key: "unit", Bench.pulled))
        settle()
        plug()
    }

    /// The pipes of both rigs are gone.
    mutating func endWires() {
        for rig in links.indices {
            guard let link = links[rig] else { continue }
            feed(.wireEnded(link, Reason("stalled", .device, "the pipe stalls")), to: rig)
        }
        settle()
    }

    /// Puts a fault in the way of the rig that is the phone.
    mutating func setFault(_ request: FaultRequest) {
        let failure = phone.failure(of: .setFault(request))
        #expect(failure == nil)
        settle()
    }

    /// The signer of the rig that is the phone answers one of the questions that it left open.
    mutating func tell(_ said: SignerAnswer, to index: Int) {
        phone.handle(.signerAnswered(unanswered[index].ticket, said))
        settle()
    }

    /// What the head unit transmitted since it was last taken.
    mutating func takeHeld() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Performs what both rigs want until they are quiet.
    mutating func settle() {
        var turns = 0
        while !(headUnit.outside.isEmpty && phone.outside.isEmpty), turns < 1_000 {
            turns += 1
            let own = headUnit.outside
            headUnit.outside = []
            for action in own { perform(action, at: 0) }
            let theirs = phone.outside
            phone.outside = []
            for action in theirs { perform(action, at: 1) }
        }
        #expect(turns < 1_000, "the two never become quiet")
    }

    private mutating func feed(_ event: CoreEvent, to rig: Int) {
        if rig == 0 { headUnit.handle(event) } else { phone.handle(event) }
    }

    private mutating func perform(_ action: CoreAction, at rig: Int) {
        switch action {
        case .openWire(let link, let key):
            asked.append("open \(key)")
            links[rig] = link
            feed(.wireOpened(link), to: rig)
        case .closeWire(let link):
            asked.append("close \(rig == 0 ? "phone" : "unit")")
            if links[rig] == link { links[rig] = nil }
        case .transmit(let link, let bytes, let ends):
            #expect(links[rig] == link && ends.last == bytes.count)
            feed(.wireSent(link, bytes.count), to: rig)
            if rig == 0, holdsUnit {
                held += bytes
                return
            }
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let far = links[1 - rig] else { return }
                feed(.wireReceived(far, Array(rest.prefix(pieces))), to: 1 - rig)
                rest = rest.dropFirst(pieces)
            }
        case .askSigner(let ticket, let question):
            if let said = answer(question) {
                feed(.signerAnswered(ticket, said), to: rig)
            } else {
                unanswered.append((ticket, question))
            }
        case .prepareSigner, .deliver, .reply, .open, .fail, .scenarioWrong, .switchMode, .capture, .close: break
        }
    }

    mutating func pass(_ duration: UInt64) {
        let end = headUnit.now + duration
        while true {
            let next = [headUnit.core.nextDeadline, phone.core.nextDeadline].compactMap(\.self).min()
            guard let next, next <= end else { break }
            let step = max(next, headUnit.now) - headUnit.now
            headUnit.pass(step)
            phone.pass(step)
            settle()
        }
        headUnit.now = end
        phone.now = end
    }
}

@Suite struct WireTests {
    @Test(arguments: [1_000_000, 7, 1]) func twoRigsOnOneWireBecomeActive(pieces: Int) throws {
        var pair = WiredPair()
        pair.pieces = pieces
        pair.plug()
        #expect(pair.headUnit.phase() == "active" && pair.phone.phase() == "active")
        #expect(pair.asked == ["open phone", "open unit"])
        let unit = pair.headUnit.state()
        let phone = pair.phone.state()
        #expect(unit.value(at: "sessions.0.peer")?.text == "wire")
        #expect(unit.value(at: "sessions.0.role")?.text == "headUnit")
        #expect(unit.value(at: "displays.0.origin")?.text == "declared")
        #expect(phone.value(at: "sessions.0.role")?.text == "phone")
        #expect(phone.value(at: "displays.0.origin")?.text == "observed")
        #expect(phone.value(at: "displays.0.width")?.int == unit.value(at: "displays.0.width")?.int)
        #expect(pair.phone.events.allSatisfy { $0.kind != .sessionActive || $0.origin == .observed })
    }

    @Test func unpluggingClosesTheWireOnceAndTheOtherEndIsTriedAgain() {
        var pair = WiredPair()
        pair.plug()
        pair.headUnit.handle(.deviceDetached(key: "phone", RigCore.surpriseRemoval))
        pair.settle()
        #expect(pair.asked.count { $0 == "close phone" } == 1)
        let closed = pair.phone.events.filter { $0.kind == .sessionClosed }
        #expect(closed.map(\.reason?.code) == ["resetByPeer"], "the goodbye went out before the pipes were closed")
        #expect(pair.headUnit.events.count { $0.kind == .sessionClosed } == 1)
    }

    @Test(arguments: [1_000_000, 1]) func aHeadUnitThatBeginsAgainGetsANewSessionOnTheSameWire(pieces: Int) {
        var pair = WiredPair()
        pair.pieces = pieces
        pair.plug()
        let client = pair.headUnit.connect()
        pair.headUnit.handle(
            .clientCalled(
                client, .inject(Injection(.press(hold: 60 * Bench.second)), wait: .accepted, within: Bench.second)))
        pair.settle()
        let before = pair.phone.events.count
        let asked = pair.asked.count
        pair.restart()
        pair.pass(5 * Bench.second)
        #expect(pair.headUnit.phase() == "active")
        #expect(
            pair.phone.kinds(from: before).filter {
                ![.linkIrregularity, .sessionPhase, .messageReceived].contains($0)
            } == [
                .inputKnob, .displayRemoved, .sessionClosed, .frontChanged, .deviceChanged, .sessionOpened,
                .sessionActive, .displayAdded, .deviceChanged, .frontChanged,
            ])
        let told = pair.phone.events.dropFirst(before)
        #expect(told.first { $0.kind == .sessionClosed }?.reason?.code == "restartedByPeer")
        #expect(told.first { $0.kind == .inputKnob }?.session == SessionID(1))
        #expect(pair.phone.names(of: "displays") == ["s2/main"])
        #expect(pair.asked.count == asked + 1, "the phone's end of the wire stays as it is")
    }

    @Test func aWireThatIsNeverOpenedFailsByName() {
        var bench = Bench()
        bench.handle(.deviceAttached(key: "phone", WiredPair.facts(.iPhone)))
        #expect(bench.phase() == "detecting")
        bench.pass(16 * Bench.second)
        let closed = bench.events.filter { $0.kind == .sessionClosed }
        #expect(closed.map(\.reason?.code) == ["openTimedOut"])
        #expect(bench.outside.contains { if case .closeWire = $0 { true } else { false } })
    }

    @Test func aWireThatEndsTakesItsSessionWithIt() {
        var pair = WiredPair()
        pair.plug()
        guard let link = pair.links[0] else {
            Issue.record("no wire was opened")
            return
        }
        pair.headUnit.handle(.wireEnded(link, Reason("stalled", .device, "the pipe stalls")))
        #expect(pair.headUnit.state().value(at: "devices.0.state")?.text == "failed")
        #expect(pair.headUnit.events.last { $0.kind == .sessionClosed }?.reason?.code == "stalled")
        let before = pair.headUnit.events.count
        pair.headUnit.handle(.wireReceived(link, [0xFF, 0x55]))
        pair.headUnit.handle(.wireEnded(link, Reason("stalled", .device, "again")))
        #expect(pair.headUnit.events.count == before, "what comes late is ignored")
    }

    @Test func aPhoneOnAWireIsNotOursToChange() {
        var pair = WiredPair()
        pair.plug()
        let answer = pair.headUnit.command(
            .setPhone(device: "iphone-1", generation: nil, PhoneChange(locked: true)))
        guard case .failure(.invalidParameter("device", let text))? = answer else {
            Issue.record("it was changed: \(String(describing: answer))")
            return
        }
        #expect(text.contains("its own wire"))
    }

    @Test func anOutsideSignerIsAskedByBothEndsOfASimulatedLink() {
        var bench = Bench { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        bench.plug("iphone", "phone")
        #expect(bench.phase() == "authenticating")
        guard case .askSigner(let ticket, .sign(let challenge, _))? = bench.outside.first else {
            Issue.record("nothing was asked: \(bench.outside)")
            return
        }
        #expect(ticket.end == .rig)
        bench.handle(.signerAnswered(ticket, .signature(FixedTestSigner.signature(of: challenge))))
        guard case .askSigner(let verifying, .verify(let certificate, challenge, _))? = bench.outside.last else {
            Issue.record("nothing is verified: \(bench.outside)")
            return
        }
        #expect(verifying == SignerTicket(ticket.link, .partner, number: 1))
        #expect(certificate == FixedTestSigner.certificate)
        let facts = CertificateFacts(subject: "unit", serial: "01", notAfter: 0, shape: .p256)
        bench.handle(.signerAnswered(verifying, .verdict(.accepted(facts))))
        #expect(bench.phase() == "active")
    }

    @Test func aSignerThatRefusesFailsTheHandshakeByName() {
        var pair = WiredPair { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        pair.answer = { question in
            switch question {
            case .sign(let challenge, _): .signature(FixedTestSigner.signature(of: challenge))
            case .verify: .verdict(.refused(.expired, nil))
            }
        }
        pair.plug()
        #expect(pair.phone.state().value(at: "devices.0.state")?.text == "failed")
        #expect(pair.headUnit.phase() != "active")
    }

    @Test func handshakesWaitForASignerThatIsBeingPrepared() {
        var bench = Bench { $0.signer = .preparing }
        bench.plug("iphone", "phone")
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "credentials")
        bench.pass(100 * Bench.second)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "credentials")
        bench.handle(.signerChanged(.fixedTest))
        #expect(bench.phase() == "active")
        #expect(bench.outside == [.prepareSigner])
        #expect(bench.events.count { $0.kind == .sessionOpened } == 1)
        #expect(bench.events.count { $0.kind == .sessionClosed } == 0)
        let authentication = bench.state().value(at: "sessions.0.authentication")
        #expect(authentication?.value(at: "signer")?.text == "fixedTest")
        #expect(authentication?.value(at: "verdict")?.text == "accepted")
    }

    @Test func whatTheVerifierSaysIsPublishedAlsoWhenItRefuses() {
        var bench = Bench { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        bench.plug("iphone", "phone")
        guard case .askSigner(let ticket, .sign)? = bench.outside.last else {
            Issue.record("no signature is asked for: \(bench.outside)")
            return
        }
        #expect(bench.state().value(at: "sessions.0.authentication.shape")?.text == "p256")
        #expect(bench.state().value(at: "sessions.0.authentication.verdict")?.text == nil)
        bench.handle(.signerAnswered(ticket, .signature([UInt8](repeating: 1, count: 64))))
        let facts = CertificateFacts(subject: "CN=x", serial: "0a", notAfter: 1, shape: .p256)
        guard case .askSigner(let verifying, .verify)? = bench.outside.last else {
            Issue.record("nothing is verified: \(bench.outside)")
            return
        }
        bench.handle(.signerAnswered(verifying, .verdict(.refused(.expired, facts))))
        guard case .session(let session)? = bench.events.last(where: { $0.kind == .sessionClosed })?.payload else {
            Issue.record("no session was closed")
            return
        }
        let closed = session.record
        #expect(closed.value(at: "authentication.signer")?.text == "libcrypto")
        #expect(closed.value(at: "authentication.verdict")?.text == "expired")
        #expect(closed.value(at: "authentication.subject")?.text == "CN=x")
        #expect(closed.value(at: "authentication.serial")?.text == "0a")
    }

    @Test func withoutASignerHandshakesFailByName() {
        var bench = Bench { $0.signer = .preparing }
        bench.plug("iphone", "phone")
        bench.handle(.signerChanged(.failed("the keys could not be written")))
        #expect(bench.state().value(at: "devices.0.reason.code")?.text == "signerUnavailable")
        #expect(bench.state().value(at: "devices.0.reason.text")?.text == "the keys could not be written")
    }
}
