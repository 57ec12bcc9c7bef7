import RigConfiguration
import RigCore
import RigModel
import Testing

@Suite struct HandshakeTests {
    @Test func aPhoneBecomesActiveInOneTurn() throws {
        var bench = Bench()
        let device = try #require(try bench.plug("iphone", "phone")?.get().value(at: "device"))
        #expect(device.value(at: "state")?.text == "active")
        #expect(device.value(at: "session")?.text == "s1")
        #expect(
            bench.kinds() == [
                .deviceAttached, .deviceChanged, .sessionOpened, .sessionPhase, .sessionPhase, .sessionPhase,
                .sessionPhase, .messageReceived, .messageReceived, .messageReceived, .sessionActive, .displayAdded,
                .deviceChanged, .frontChanged,
            ])
        let phases = bench.events.compactMap { event -> SessionPhase? in
            if case .session(let session) = event.payload { session.phase } else { nil }
        }
        #expect(phases == [.detecting, .synchronizing, .authenticating, .identifying, .starting, .active])
        #expect(bench.events.map(\.sequence) == Array(1...UInt64(bench.events.count)))
    }

    @Test func identificationMayComeFirst() {
        var bench = Bench()
        bench.plug("iphone", "phone", identificationFirst: true)
        let phases = bench.events.compactMap { event -> SessionPhase? in
            if case .session(let session) = event.payload, event.kind == .sessionPhase { session.phase } else { nil }
        }
        let identifying = phases.firstIndex(of: .identifying)
        let authenticating = phases.lastIndex(of: .authenticating)
        #expect(identifying != nil && authenticating != nil)
        #expect((identifying ?? 0) < (authenticating ?? 0))
        #expect(bench.phase() == "active")
    }

    @Test func againstAHeadUnitTheRigIsThePhoneAndGetsItsDisplays() throws {
        var bench = Bench()
        bench.plug("head-unit", "car", displays: "portrait")
        let state = bench.state()
        #expect(state.value(at: "sessions.0.role")?.text == "phone")
        #expect(state.value(at: "displays.0.origin")?.text == "simulated")
        #expect(state.value(at: "displays.0.width")?.int == 900)
        #expect(state.value(at: "displays.0.height")?.int == 1200)
        #expect(state.value(at: "devices.0.phone.locked") == .bool(false), "the phone is the rig's own")
    }

    @Test(arguments: ["iphone", "ipad", "ipod", "android", "dongle", "head-unit"])
    func everyProfileBecomesActive(profile: String) {
        var bench = Bench()
        bench.plug(profile)
        #expect(bench.phase() == "active")
        #expect(bench.state().value(at: "devices.0.id")?.text == "\(profile)-1")
    }

    @Test func severalDisplaysAreDeclared() throws {
        var bench = Bench()
        let unit = try #require(bench.core.headUnits.first { $0.displays.count > 1 })
        bench.plug("iphone", "phone", displays: unit.name)
        #expect(bench.state().value(at: "displays")?.count == unit.displays.count)
        bench.unplug("phone")
        bench.plug("head-unit", "car", displays: unit.name)
        #expect(bench.state().value(at: "displays")?.count == unit.displays.count)
    }

    @Test func aLockedPhoneWaitsAndGoesOnWhenUnlocked() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(locked: true))
        #expect(bench.events.contains { $0.kind == .sessionWaiting })
        bench.pass(600 * Bench.second)
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "locked")
        bench.command(.setPhone(device: "phone", generation: nil, PhoneChange(locked: false)))
        #expect(bench.phase() == "active")
        #expect(bench.state().value(at: "sessions.0.waiting") == nil)
        #expect(bench.events.count { $0.kind == .sessionOpened } == 1, "no replug was needed")
        let before = bench.events.count
        bench.command(.setPhone(device: "phone", generation: nil, PhoneChange(locked: true)))
        #expect(bench.kinds(from: before) == [.phoneChanged], "locking a running session only tells")
        #expect(bench.phase() == "active")
    }

    @Test func anUntrustedPhoneWaits() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(trusted: false))
        #expect(bench.state().value(at: "sessions.0.waiting")?.text == "untrusted")
        bench.command(.setPhone(device: "phone", generation: nil, PhoneChange(trusted: true)))
        #expect(bench.phase() == "active")
    }

    @Test(arguments: [
        (HandshakeStep.identification, "identificationRefused"), (.trust, "trustRefused"),
    ])
    func aRefusalIsNamedAndNotTriedAgainUntilTheConditionsChange(step: HandshakeStep, code: String) throws {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(refuse: step))
        bench.pass(100 * Bench.second)
        let closed = bench.events.filter { $0.kind == .sessionClosed }
        #expect(closed.map(\.reason?.code) == [code])
        #expect(bench.state().value(at: "devices.0.state")?.text == "failed")
        #expect(bench.state().value(at: "devices.0.reason.code")?.text == code)
        bench.command(.setPhone(device: "phone", generation: nil, PhoneChange(refuse: .some(nil))))
        #expect(bench.phase() == "active")
    }

    @Test func aPhoneThatNeverOffersASessionIsTriedAgainWithLongerPauses() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(refuse: .session))
        bench.pass(600 * Bench.second)
        let opened = bench.events.filter { $0.kind == .sessionOpened }.map(\.time)
        let closed = bench.events.filter { $0.kind == .sessionClosed }
        #expect(closed.map(\.reason?.code) == Array(repeating: "availabilityTimedOut", count: 4))
        #expect(opened.count == 4, "the first try and three more")
        let pauses = zip(opened.dropFirst(), closed.map(\.time)).map { $0 - $1 }
        #expect(pauses == [1, 2, 4].map { $0 * Bench.second })
        #expect(bench.state().value(at: "devices.0.state")?.text == "failed")
        #expect(bench.core.nextDeadline == nil, "nothing is under way any more")
    }

    @Test func aSlowPhoneIsWaitedFor() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(slow: 2 * Bench.second))
        #expect(bench.phase() != "active")
        bench.pass(20 * Bench.second)
        #expect(bench.phase() == "active")
    }

    /// The phases in which a cable can be pulled, with a phone so slow that each of them lasts.
    static let phases: [SessionPhase] = [.authenticating, .identifying, .starting, .active]

    @Test(arguments: phases, [true, false])
    func pullingTheCableInAnyPhaseReleasesEverythingOnce(phase: SessionPhase, surprise: Bool) {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(slow: 100 * Bench.millisecond))
        var tries = 0
        while bench.phase() != phase.rawValue, tries < 100 {
            bench.pass(10 * Bench.millisecond)
            tries += 1
        }
        #expect(bench.phase() == phase.rawValue)
        let before = bench.events.count
        bench.unplug("phone", surprise: surprise)
        let kinds = bench.kinds(from: before)
        #expect(kinds.count { $0 == .sessionClosed } == 1)
        #expect(kinds.count { $0 == .deviceDetached } == 1)
        #expect(kinds.last == .deviceDetached)
        if phase == .active {
            #expect(kinds == [.displayRemoved, .sessionClosed, .frontChanged, .deviceDetached])
        }
        let code = bench.events.last { $0.kind == .sessionClosed }?.reason?.code
        #expect(code == (surprise ? "surpriseRemoval" : "unplugged"))
        #expect(bench.core.nextDeadline == nil, "no timer is left")
        bench.pass(600 * Bench.second)
        #expect(bench.events.count == before + kinds.count, "nothing comes afterwards")
        let state = bench.state()
        for list in ["devices", "sessions", "displays"] { #expect(state.value(at: list)?.count == 0) }
    }

    @Test func twoPhonesDoNotDisturbEachOther() {
        var bench = Bench()
        bench.plug("iphone", "one")
        bench.plug("iphone", "two", phone: PhoneConditions(slow: 50 * Bench.millisecond))
        bench.unplug("one")
        bench.pass(10 * Bench.second)
        let state = bench.state()
        #expect(state.value(at: "devices")?.count == 1)
        #expect(state.value(at: "devices.0.id")?.text == "two")
        #expect(state.value(at: "devices.0.state")?.text == "active")
        #expect(state.value(at: "front")?.text == "s2")
    }

    @Test func anIdleRigSleeps() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.pass(60 * Bench.second)
        #expect(bench.core.nextDeadline == nil)
    }
}
