import RigModel
import Testing

@testable import RigCore

/// The invariants see what they are there for.
@Suite struct RigInvariantsTests {
    private static func frame(_ contacts: (id: Int, phase: ContactPhase)..., display: String = "main") -> Event {
        let contacts = contacts.map { Contact(id: $0.id, point: PixelPoint(x: 1, y: 1), phase: $0.phase) }
        return Event(
            time: 0, kind: .inputTouch, origin: .observed, display: display,
            input: InputReference(id: InputID(1), source: "panel"),
            payload: .input(.touch(TouchEvent(contacts: contacts))))
    }

    private static func violation(_ events: Event...) -> String? {
        var bench = Bench()
        for (index, event) in events.enumerated() {
            var event = event
            event.sequence = UInt64(index + 1)
            bench.events.append(event)
        }
        var invariants = RigInvariants()
        return invariants.violation(in: bench)
    }

    @Test func aFingerThatRestsWasPutThere() {
        #expect(Self.violation(Self.frame((0, .began)), Self.frame((0, .stationary), (1, .began))) == nil)
        #expect(Self.violation(Self.frame((0, .stationary), (1, .began))) != nil)
        #expect(Self.violation(Self.frame((0, .began)), Self.frame((0, .stationary), display: "other")) != nil)
        #expect(
            Self.violation(Self.frame((0, .began)), Self.frame((0, .ended)), Self.frame((0, .stationary), (1, .began)))
                != nil)
    }

    @Test func aFingerIsLiftedOnce() {
        #expect(Self.violation(Self.frame((0, .began)), Self.frame((0, .ended))) == nil)
        #expect(Self.violation(Self.frame((0, .began)), Self.frame((0, .ended)), Self.frame((0, .cancelled))) != nil)
    }
}
