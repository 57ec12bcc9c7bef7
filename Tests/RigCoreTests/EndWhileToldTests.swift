import RigModel
import Testing

@testable import RigCore

/// A session that ends by what is put on its link: what is held there is let go once, before its end, and nothing comes
/// after it.
@Suite struct EndWhileToldTests {
    /// Who holds something, and what makes them let go, or does it first of all.
    enum Holder: CaseIterable, Sendable {
        case hardware, calls, sequence, gesture, press, hardwarePress, pixels, hardwarePixels
    }

    private static let millisecond = Bench.millisecond

    /// The rig is the head unit of a phone, or the phone of a simulated head unit; the cable is pulled by the packet that
    /// brings the next input, or the one after it.
    @Test(arguments: ["iphone", "head-unit"], Holder.allCases)
    func whatIsHeldIsLetGoBeforeTheEnd(_ profile: String, _ holder: Holder) {
        for after in 0...2 {
            var bench = Bench()
            bench.attach(.knob(port: "3-1"))
            bench.plug(profile, "x")
            bench.plug("iphone", "other")
            bench.pass(2 * Bench.second)
            var invariants = RigInvariants()
            let client = bench.connect()
            let start = bench.events.count
            if holder != .press && holder != .hardwarePress { Self.hold(holder, &bench, client) }
            bench.command(
                .setFault(
                    FaultRequest(
                        .unplug, device: "x", direction: profile == "iphone" ? .toDevice : .fromDevice, after: after)))
            switch holder {
            case .hardware: bench.command(.setFront(device: "other"))
            case .calls, .sequence: bench.handle(.clientClosed(client))
            case .gesture: bench.pass(Bench.second)
            case .press: bench.inject(.press(down: true), by: client)
            case .hardwarePress: bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
            case .pixels, .hardwarePixels:
                var change = DisplayChange(display: "s1/main")
                change.pixels = PixelSize(width: 640, height: 400)
                let failure = bench.failure(of: .setDisplay(change))
                if !bench.core.sessions.contains(SessionID(1)) {
                    guard case .invalidParameter("display", _)? = failure else {
                        Issue.record("a display that is gone has changed: \(String(describing: failure))")
                        continue
                    }
                }
            }
            bench.command(.unplug(device: "x", surprise: true, generation: nil))
            bench.pass(Bench.second)
            let told = Array(bench.events.dropFirst(start))
            #expect(invariants.violation(in: bench) == nil)
            #expect(told.count { $0.kind == .sessionClosed } == 1)
            guard let end = told.firstIndex(where: { $0.kind == .sessionClosed }) else { continue }
            let downs = told[..<end].flatMap(Self.changes).filter(\.isDown).map(\.control).sorted()
            let ups = told[..<end].flatMap(Self.changes).filter { !$0.isDown }.map(\.control).sorted()
            // What was to be pressed may have been lost on the link.
            let isHeld = !downs.isEmpty || holder == .press || holder == .hardwarePress
            #expect(downs == ups && isHeld, "\(holder) of \(profile) after \(after)")
            let late = told[end...].filter { $0.session != SessionID(2) }
            #expect(late.flatMap(Self.changes).isEmpty, "\(holder) of \(profile) after \(after)")
            #expect(!bench.core.holds.holds.contains { $0.place.session == SessionID(1) })
            #expect(bench.core.sequences.isEmpty)
        }
    }

    /// A head unit begins again on a link that lives on, while its rig is in the middle of an event: what is let go then
    /// goes on no link, where it could end the same session again.
    @Test(arguments: [Holder.hardware, .calls, .sequence, .gesture])
    func nothingIsPutOnALinkThatBeginsAgain(_ holder: Holder) {
        var bench = Bench()
        bench.attach(.knob(port: "3-1"))
        bench.attach(.knob(port: "3-2"))
        bench.plug("head-unit", "x")
        bench.pass(2 * Bench.second)
        let client = bench.connect()
        let start = bench.events.count
        Self.hold(holder, &bench, client)
        let before = bench.core.links[LinkID(1)]?.partner?.packetsGiven ?? 0
        let now = bench.now
        bench.core.links.update(LinkID(1)) { $0.rig.receive(WireRestartTests.detection[...], now: now) }
        bench.handle(.input(key: "3-2", .knob(.rotate(detents: 1)), time: now))
        let given = bench.core.links[LinkID(1)]?.partner?.packetsGiven ?? 0
        #expect(given - before == 1, "only the turn is put on the link")
        let told = Array(bench.events.dropFirst(start))
        #expect(told.filter { $0.kind == .sessionClosed }.map(\.reason?.code) == ["restartedByPeer"])
        #expect(told.count { $0.kind == .sessionOpened } == 1)
        guard let end = told.firstIndex(where: { $0.kind == .sessionClosed }) else { return }
        let downs = told[..<end].flatMap(Self.changes).filter(\.isDown).map(\.control).sorted()
        let ups = told[..<end].flatMap(Self.changes).filter { !$0.isDown }.map(\.control).sorted()
        #expect(downs == ups && !downs.isEmpty, "\(holder)")
        #expect(told[end...].flatMap(Self.changes).isEmpty, "\(holder)")
        var invariants = RigInvariants()
        #expect(invariants.violation(in: bench) == nil)
    }

    private static func hold(_ holder: Holder, _ bench: inout Bench, _ client: ClientID) {
        let touch = [SingleInputTests.down(0, 10, 10), SingleInputTests.down(1, 20, 20)]
        switch holder {
        case .hardware, .hardwarePixels:
            let contacts = (0...1).map { Contact(id: $0, point: PixelPoint(x: 9, y: 9), phase: .began) }
            bench.handle(.input(key: "3-1", .knob(.pressed), time: bench.now))
            bench.handle(.input(key: "3-1", .touch(TouchEvent(contacts: contacts)), time: bench.now))
            bench.handle(.input(key: "3-1", .key(KeyEvent(key: .home, down: true)), time: bench.now))
        case .calls, .pixels:
            bench.inject(.press(down: true), by: client)
            bench.inject(.touch(touch), by: client)
            bench.inject(.key(.home, down: true), by: client)
        case .sequence:
            let steps: [InjectionSequence.Step] = [
                .init(at: 0, .single(.press(down: true))), .init(at: 0, .single(.touch(touch))),
                .init(at: 0, .gesture(.key(.home, hold: Bench.second))),
                .init(at: Bench.second, .single(.press(down: false))),
                .init(
                    at: Bench.second, .single(.touch([SingleInputTests.up(0), SingleInputTests.up(1)]))),
            ]
            bench.handle(.clientCalled(client, .injectSequence(InjectionSequence(steps), wait: .accepted, within: 0)))
        case .gesture:
            for gesture in [Gesture.press(hold: 10 * millisecond), .key(.home, hold: 20 * millisecond)] {
                bench.command(.inject(Injection(gesture)))
            }
        case .press, .hardwarePress: break
        }
        bench.pass(millisecond)
    }

    /// What goes down and comes up with an event.
    private static func changes(_ event: Event) -> [(control: String, isDown: Bool)] {
        guard case .input(let input) = event.payload else { return [] }
        switch input {
        case .knob(.rotate), .touchpad: return []
        case .knob(.pressed): return [("button", true)]
        case .knob(.released): return [("button", false)]
        case .knob(.nudge(let direction, let down)): return [("nudge \(direction)", down)]
        case .key(let key): return [("key \(key.key)", key.down)]
        case .touch(let touch):
            return touch.contacts.compactMap { contact in
                switch contact.phase {
                case .began: ("finger \(contact.id)", true)
                case .ended, .cancelled: ("finger \(contact.id)", false)
                case .moved, .stationary: nil
                }
            }
        }
    }
}
