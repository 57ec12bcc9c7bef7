import HIDReports
import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What real knobs and panels at the rig do while it plays a phone: a simulated head unit says it over the link, as if
/// they were its own; a real head unit has its own.
@Suite struct HardwareLinkInputTests {
    private func inputs(_ events: some Sequence<Event>) -> [InputEvent] {
        events.compactMap { if case .input(let input) = $0.payload { input } else { nil } }
    }

    private func bench(_ profile: String = "head-unit") -> Bench {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.attach(.knob(port: "3-2"))
        bench.plug(profile, "x")
        bench.pass(Bench.second)
        return bench
    }

    static let events: [InputEvent] = [
        .knob(.rotate(detents: 3)), .knob(.pressed), .knob(.released(held: 1_000_000_000, long: true)),
        .knob(.nudge(.left, down: true)), .knob(.nudge(.left, down: false)),
        .key(KeyEvent(key: .home, down: true)), .key(KeyEvent(key: .home, down: false)),
    ]

    @Test func whatItDoesComesOverTheLinkOnce() throws {
        var bench = bench()
        for event in Self.events {
            let before = bench.events.count
            bench.handle(.input(key: "3-1", event, time: bench.now))
            bench.pass(Bench.second)
            let told = bench.events.dropFirst(before).filter { if case .input = $0.payload { true } else { false } }
            #expect(inputs(told) == [event])
            let one = try #require(told.first)
            #expect(one.origin == .observed && one.session == SessionID(1) && one.display == "s1/main")
            #expect(one.input?.source == "knob-1")
        }
        let rules = bench.events(.linkIrregularity)
        #expect(rules.isEmpty)
    }

    /// What no device of the head unit can say is published all the same.
    @Test func whatTheHeadUnitCannotSayIsTold() throws {
        var bench = bench()
        for event in [InputEvent.key(KeyEvent(key: .voice, down: true)), .key(KeyEvent(key: .voice, down: false))] {
            let before = bench.events.count
            bench.handle(.input(key: "3-1", event, time: bench.now))
            #expect(inputs(bench.events.dropFirst(before)) == [event])
        }
    }

    /// Two panels are used at once; each counts its fingers from 0.
    private static let touches: [(key: String, x: Int, phase: ContactPhase)] = [
        ("3-1", 100, .began), ("3-2", 300, .began), ("3-1", 110, .moved), ("3-2", 300, .ended), ("3-1", 110, .ended),
    ]

    private static func touch(_ x: Int, _ phase: ContactPhase) -> InputEvent {
        .touch(TouchEvent(contacts: [Contact(id: 0, point: PixelPoint(x: x, y: 100), phase: phase)]))
    }

    @Test func theFingersOfTwoPanelsAreNotOne() {
        var bench = bench()
        let before = bench.events.count
        for (key, x, phase) in Self.touches {
            bench.handle(.input(key: key, Self.touch(x, phase), time: bench.now))
            bench.pass(Bench.second)
        }
        let told = bench.events.dropFirst(before).compactMap { event -> String? in
            guard case .input(.touch(let touch)) = event.payload, let source = event.input?.source else { return nil }
            let moved = touch.contacts.filter { $0.phase != .stationary }
            return moved.map { "\(source) \($0.phase) \($0.point.x)" }.joined(separator: ", ")
        }
        #expect(
            told == [
                "knob-1 began 100", "knob-2 began 300", "knob-1 moved 110", "knob-2 ended 300", "knob-1 ended 110",
            ])
        #expect(bench.events(.linkIrregularity).isEmpty)
    }

    @Test func theFingersOfTwoPanelsAreNotOneForARealPhone() {
        var pair = WiredPair()
        pair.plug()
        pair.headUnit.attach(.knob(port: "3-1"))
        pair.headUnit.attach(.knob(port: "3-2"))
        let before = pair.phone.events.count
        for (key, x, phase) in Self.touches {
            pair.headUnit.handle(.input(key: key, Self.touch(x, phase), time: pair.headUnit.now))
            pair.settle()
            pair.pass(Bench.second)
        }
        let told = pair.phone.events.dropFirst(before).compactMap { event -> String? in
            guard case .input(.touch(let touch)) = event.payload else { return nil }
            let moved = touch.contacts.filter { $0.phase != .stationary }
            return moved.map { "\($0.id) \($0.phase) \($0.point.x)" }.joined(separator: ", ")
        }
        #expect(told == ["0 began 100", "1 began 300", "0 moved 110", "1 ended 300", "0 ended 110"])
    }

    @Test func whatIsHeldWhenTheHeadUnitGoesIsLetGoOnce() {
        var bench = bench()
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-2", .key(KeyEvent(key: .home, down: true)), time: bench.now))
        bench.pass(Bench.second)
        let before = bench.events.count
        bench.unplug("x")
        let told = bench.events.dropFirst(before)
        #expect(inputs(told).count == 2)
        #expect(told.prefix(2).allSatisfy { $0.session == SessionID(1) }, "before the session is closed")
        // The hand that lets go later lets go of nothing in the session that is over.
        let after = bench.events.count
        bench.handle(.input(key: "3-1", .knob(.released(held: Bench.second, long: true)), time: bench.now))
        #expect(bench.events.count == after)
        #expect(RigInvariants.violation(in: bench.core) == nil)
    }

    // MARK: Another session in front

    /// The device is pulled; its bus lets go of what it held first. What comes in its place holds nothing.
    @Test func aDeviceThatComesAgainHoldsNothing() {
        var bench = bench("iphone")
        bench.plug("iphone", "other")
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        bench.handle(.input(key: "3-1", .knob(.released(held: 0, long: false)), time: bench.now))
        bench.detach("3-1")
        bench.command(.setFront(device: "other"))
        bench.attach(.knob(port: "3-1"))
        bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
        #expect(bench.events.last?.session == SessionID(2))
    }

    // MARK: A real head unit

    @Test func aRealHeadUnitIsNotMadeToSayIt() throws {
        var pair = WiredPair()
        pair.plug()
        pair.phone.attach(.knob(port: "3-1"))
        pair.pass(Bench.second)
        let before = pair.phone.events.count
        let others = pair.headUnit.events.count
        // The two hold the same button at once.
        pair.phone.handle(.input(key: "3-1", .knob(.pressed), time: pair.phone.now))
        pair.settle()
        pair.headUnit.command(.inject(Injection(.press(hold: 100 * Bench.millisecond))))
        pair.settle()
        pair.pass(Bench.second)
        pair.phone.handle(.input(key: "3-1", .knob(.released(held: Bench.second, long: true)), time: pair.phone.now))
        pair.settle()
        pair.pass(Bench.second)
        let told = pair.phone.events.dropFirst(before).filter { $0.kind == .inputKnob }
        #expect(told.map { $0.input?.source == "knob-1" } == [true, false, false, true])
        #expect(told.allSatisfy { $0.origin == .observed && $0.session == SessionID(1) })
        guard case .input(.knob(.released))? = told.dropFirst(2).first?.payload else {
            Issue.record("the head unit's button stays down: \(told)")
            return
        }
        #expect(pair.headUnit.events.dropFirst(others).allSatisfy { $0.input?.source != "knob-1" })
    }

    @Test func theRigsOwnKnobReachesTheRealPhone() throws {
        var pair = WiredPair()
        pair.plug()
        pair.headUnit.attach(.knob(port: "3-1"))
        pair.pass(Bench.second)
        let before = pair.phone.events.count
        for event in Self.events {
            pair.headUnit.handle(.input(key: "3-1", event, time: pair.headUnit.now))
            pair.settle()
            pair.pass(Bench.second)
        }
        #expect(inputs(pair.phone.events.dropFirst(before)) == Self.events)
        #expect(inputs(pair.headUnit.events) == Self.events)
    }

    /// A knob is in use while the head unit begins again: what it holds is let go, and the next session is usable.
    @Test func aHeadUnitThatBeginsAgainLetsGoOfWhatItHeld() {
        var pair = WiredPair()
        pair.plug()
        pair.headUnit.attach(.knob(port: "3-1"))
        pair.headUnit.handle(.input(key: "3-1", .knob(.pressed), time: pair.headUnit.now))
        pair.settle()
        pair.pass(Bench.second)
        let before = pair.phone.events.count
        pair.restart()
        pair.pass(5 * Bench.second)
        let released = pair.phone.events.dropFirst(before).filter { $0.kind == .inputKnob }
        #expect(released.map(\.session) == [SessionID(1)])
        let after = pair.phone.events.count
        pair.headUnit.command(.inject(Injection(.press(hold: 0))))
        pair.settle()
        pair.pass(Bench.second)
        let pressed = pair.phone.events.dropFirst(after).filter { $0.kind == .inputKnob }
        #expect(pressed.count == 2 && pressed.allSatisfy { $0.session == SessionID(2) })
    }
}
