import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Where an injection goes, and what is refused.
@Suite struct InjectionTests {
    static func tap(_ x: Int, _ y: Int) -> Gesture {
        .touch([ContactPath(id: 0, points: [PixelPoint(x: x, y: y)])], duration: 0)
    }

    private func bench() -> Bench {
        var bench = Bench()
        bench.plug("iphone", "one", displays: "standard")
        bench.plug("iphone", "two", displays: "cluster-minimum")
        return bench
    }

    struct Target: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let injection: Injection
        let session: SessionID
        let display: String
    }

    static let targets = [
        Target(
            testDescription: "the front", injection: Injection(tap(1, 1)), session: SessionID(1), display: "s1/main"),
        Target(
            testDescription: "a device", injection: Injection(tap(1, 1), device: "two"), session: SessionID(2),
            display: "s2/main"),
        Target(
            testDescription: "a display of the front", injection: Injection(tap(1, 1), display: "main"),
            session: SessionID(1), display: "s1/main"),
        Target(
            testDescription: "a display of a device",
            injection: Injection(tap(1, 1), device: "two", display: "cluster"),
            session: SessionID(2), display: "s2/cluster"),
        Target(
            testDescription: "a display by its whole name", injection: Injection(tap(1, 1), display: "s2/cluster"),
            session: SessionID(2), display: "s2/cluster"),
        Target(
            testDescription: "device and whole name agree",
            injection: Injection(.press(hold: 0), device: "two", display: "s2/main"), session: SessionID(2),
            display: "s2/main"),
        Target(
            testDescription: "a knob, by device", injection: Injection(.press(hold: 0), device: "two", generation: 1),
            session: SessionID(2), display: "s2/main"),
    ]

    @Test(arguments: targets) func itGoesWhereTheCallerSays(_ target: Target) throws {
        var bench = bench()
        let reply = try #require(try bench.command(.inject(target.injection))?.get())
        #expect(reply.value(at: "session")?.text == target.session.name)
        #expect(reply.value(at: "first")?.int == 1)
        #expect(reply.value(at: "count")?.int == 2)
        let events = bench.events.filter { $0.input != nil }
        #expect(events.count == 2)
        for event in events {
            #expect(event.session == target.session)
            #expect(event.display == target.display)
            #expect(event.device?.name == (target.session == SessionID(1) ? "one" : "two"))
            #expect(event.input?.source == "injected")
            #expect(event.input?.revision == 1)
            #expect(event.origin == .simulated)
        }
    }

    @Test func withoutASessionOnlySubscribersHearOfIt() throws {
        var bench = Bench()
        let subscriber = try bench.subscribe(kinds: ["input"])
        let app = bench.launch()
        let reply = try #require(
            try bench.command(.inject(Injection(.rotate(detents: 2, interval: 0), tag: "t")))?.get())
        #expect(reply.value(at: "session") == nil)
        #expect(reply.value(at: "reaches")?.text == "accepted")
        #expect(bench.streams[subscriber]?.count == 1)
        #expect(bench.streams[app] == nil)
        let event = try #require(bench.events.last)
        #expect(event.session == nil && event.device == nil && event.display == nil)
        #expect(event.input == InputReference(id: InputID(1), source: "injected", revision: nil, tag: "t"))
    }

    static let wrong: [(injection: Injection, failure: CommandFailure)] = [
        (Injection(tap(1, 1), device: "three"), .unknownDevice("three", known: ["locked", "one", "two"])),
        (Injection(tap(1, 1), device: "one", generation: 2), .staleDevice("one", generation: 2)),
        (
            Injection(tap(1, 1), device: "locked"),
            .invalidParameter("device", text: "'locked' has no active session to inject into")
        ),
        (
            Injection(tap(1, 1), display: "cluster"),
            .invalidParameter("display", text: "there is no display 'cluster'; there is s1/main, s2/main, s2/cluster")
        ),
        (
            Injection(tap(1, 1), device: "one", display: "s2/main"),
            .invalidParameter("display", text: "'s2/main' is a display of 'two', not of 'one'")
        ),
        (
            Injection(.press(hold: 0), device: "one", display: "s2/main"),
            .invalidParameter("display", text: "'s2/main' is a display of 'two', not of 'one'")
        ),
        (
            Injection(tap(800, 0)),
            .invalidParameter("touch.contacts.0.points.0", text: "800,0 is outside s1/main's 800x480 pixels")
        ),
        (
            Injection(tap(0, 480)),
            .invalidParameter("touch.contacts.0.points.0", text: "0,480 is outside s1/main's 800x480 pixels")
        ),
        (
            Injection(tap(-1, 0)),
            .invalidParameter("touch.contacts.0.points.0", text: "-1,0 is outside s1/main's 800x480 pixels")
        ),
        (
            Injection(tap(0, .min)),
            .invalidParameter(
                "touch.contacts.0.points.0", text: "0,-9223372036854775808 is outside s1/main's 800x480 pixels")
        ),
        (
            Injection(tap(.max, .max), display: "s2/cluster"),
            .invalidParameter(
                "touch.contacts.0.points.0",
                text: "9223372036854775807,9223372036854775807 is outside s2/cluster's 300x200 pixels")
        ),
        (
            Injection(
                .touch(
                    [
                        ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0)]),
                        ContactPath(id: 1, points: [PixelPoint(x: 0, y: 0), PixelPoint(x: 800, y: 480)]),
                    ], duration: 0)),
            .invalidParameter("touch.contacts.1.points.1", text: "800,480 is outside s1/main's 800x480 pixels")
        ),
        (
            Injection(.press(hold: 0), tag: String(repeating: "t", count: 257)),
            .invalidParameter("tag", text: "a tag has at most 256 bytes")
        ),
    ]

    @Test(arguments: wrong.indices) func whatCannotBeIsRefusedWhole(index: Int) {
        var bench = bench()
        bench.plug("iphone", "locked", phone: PhoneConditions(locked: true))
        let before = bench.events.count
        #expect(bench.failure(of: .inject(Self.wrong[index].injection)) == Self.wrong[index].failure)
        #expect(bench.events.count == before)
        #expect(bench.core.gestures.isEmpty)
        bench.command(.inject(Injection(.press(hold: 0))))
        #expect(bench.events(.inputKnob).first?.input?.id == InputID(1), "it took no number")
    }

    @Test func thereIsNothingToTouchWithoutADisplay() {
        var bench = Bench { $0.headUnits = [] }
        let failure = CommandFailure.invalidParameter(
            "display", text: "no session with a display is in front, so there is none to touch")
        #expect(bench.failure(of: .inject(Injection(Self.tap(0, 0)))) == failure)
        bench.plug("iphone", "phone")
        #expect(bench.phase() == "active")
        #expect(bench.failure(of: .inject(Injection(Self.tap(0, 0)))) == failure)
        #expect(bench.failure(of: .inject(Injection(.press(hold: 0)))) == nil, "but a knob to turn")
    }

    static func path(_ id: Int, _ points: Int) -> ContactPath<PixelPoint> {
        ContactPath(id: id, points: Array(repeating: PixelPoint(x: 0, y: 0), count: points))
    }

    static func pad(_ id: Int, _ points: Int) -> ContactPath<PadPoint> {
        ContactPath(id: id, points: Array(repeating: PadPoint(x: 0, y: 0), count: points))
    }

    static func pad(at x: Int, _ y: Int) -> Gesture {
        .touchpad([ContactPath(id: 0, points: [PadPoint(x: 0, y: 0), PadPoint(x: x, y: y)])], duration: 0)
    }

    static let longest = Gesture.maximumDuration

    static let gestures: [(gesture: Gesture, field: String?)] = [
        (.rotate(detents: 0, interval: 0), "knob.detents"),
        (.rotate(detents: 1_000, interval: 0), nil),
        (.rotate(detents: 1_001, interval: 0), "knob.detents"),
        (.rotate(detents: -1_000, interval: 0), nil),
        (.rotate(detents: -1_001, interval: 0), "knob.detents"),
        (.rotate(detents: .min, interval: 0), "knob.detents"),
        (.rotate(detents: .max, interval: 1), "knob.detents"),
        (.rotate(detents: 1, interval: longest), nil),
        (.rotate(detents: 1, interval: longest + 1), "knob.intervalMilliseconds"),
        (.rotate(detents: 1, interval: .max), "knob.intervalMilliseconds"),
        (.press(hold: longest), nil),
        (.press(hold: longest + 1), "knob.holdMilliseconds"),
        (.nudge(.left, hold: longest), nil),
        (.nudge(.left, hold: .max), "knob.holdMilliseconds"),
        (.key(.home, hold: longest), nil),
        (.key(.home, hold: longest + 1), "key.holdMilliseconds"),
        (.touch([], duration: 0), "touch.contacts"),
        (.touch((0..<10).map { path($0, 1) }, duration: longest), nil),
        (.touch((0..<11).map { path($0, 1) }, duration: 0), "touch.contacts"),
        (.touch([path(-1, 1)], duration: 0), "touch.contacts.0.id"),
        (.touch([path(9, 1)], duration: 0), nil),
        (.touch([path(10, 1)], duration: 0), "touch.contacts.0.id"),
        (.touch([path(.min, 1)], duration: 0), "touch.contacts.0.id"),
        (.touch([path(3, 1), path(4, 1), path(3, 1)], duration: 0), "touch.contacts.2.id"),
        (.touch([path(0, 1), path(1, 0)], duration: 0), "touch.contacts.1.points"),
        (.touch([path(0, 64)], duration: 0), nil),
        (.touch([path(0, 65)], duration: 0), "touch.contacts.0.points"),
        (.touch([path(0, 1)], duration: longest + 1), "touch.durationMilliseconds"),
        (.touchpad([], duration: 0), "touchpad.contacts"),
        (.touchpad((0..<10).map { pad($0, 1) }, duration: longest), nil),
        (.touchpad((0..<11).map { pad($0, 1) }, duration: 0), "touchpad.contacts"),
        (.touchpad([pad(0, 1), pad(0, 1)], duration: 0), "touchpad.contacts.1.id"),
        (.touchpad([pad(0, 65)], duration: 0), "touchpad.contacts.0.points"),
        (.touchpad([pad(0, 1)], duration: longest + 1), "touchpad.durationMilliseconds"),
        (pad(at: 10_000, 10_000), nil),
        (pad(at: 10_001, 0), "touchpad.contacts.0.points.1"),
        (pad(at: 0, -1), "touchpad.contacts.0.points.1"),
        (pad(at: .min, .max), "touchpad.contacts.0.points.1"),
    ]

    @Test(arguments: gestures.indices) func aGesturesNumbersHaveLimits(index: Int) {
        var bench = bench()
        let failure = bench.failure(of: .inject(Injection(Self.gestures[index].gesture)))
        guard let field = Self.gestures[index].field else {
            #expect(failure == nil)
            return
        }
        guard case .invalidParameter(field, let text)? = failure else {
            Issue.record("\(field) is refused, not \(String(describing: failure))")
            return
        }
        #expect(!text.isEmpty)
        #expect(bench.core.gestures.isEmpty)
    }
}
