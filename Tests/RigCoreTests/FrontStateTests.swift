import RigConfiguration
import RigModel
import Testing

@testable import RigCore

@Suite struct FrontStateTests {
    static let one = SessionID(1)
    static let two = SessionID(2)
    static let three = SessionID(3)

    @Test func nothingIsInFrontOfNothing() {
        var front = FrontState()
        #expect(front.session == nil)
        let changed = front.ended(Self.one, policy: .first)
        #expect(!changed)
        #expect(front.session == nil)
    }

    @Test func itTellsWhetherAnotherSessionIsInFront() {
        var front = FrontState()
        var told: [Bool] = []
        told.append(front.activated(Self.one, device: "a", policy: .first))
        told.append(front.activated(Self.two, device: "b", policy: .first))
        told.append(front.ended(Self.two, policy: .first))
        told.append(front.activated(Self.three, device: "b", policy: .last))
        told.append(front.ended(Self.one, policy: .last))
        told.append(front.ended(Self.three, policy: .last))
        #expect(told == [true, false, false, true, false, true])
        #expect(front.session == nil)
    }

    @Test func firstAndLastGoByTheOrderOfActivationNotByNumber() {
        var front = FrontState()
        _ = front.activated(Self.three, device: "c", policy: .first)
        _ = front.activated(Self.one, device: "a", policy: .first)
        _ = front.activated(Self.two, device: "b", policy: .first)
        #expect(front.session == Self.three)
        _ = front.ended(Self.three, policy: .first)
        #expect(front.session == Self.one)
        _ = front.activated(Self.three, device: "c", policy: .last)
        #expect(front.session == Self.three)
        _ = front.ended(Self.one, policy: .last)
        _ = front.activated(Self.one, device: "a", policy: .last)
        #expect(front.session == Self.one)
        _ = front.ended(Self.one, policy: .last)
        #expect(front.session == Self.three)
    }

    @Test func priorityGoesByTheListThenByTheOrderOfActivation() {
        let policy = FrontPolicy.priority(["b", "a"])
        var front = FrontState()
        _ = front.activated(Self.three, device: "x", policy: policy)
        _ = front.activated(Self.one, device: "y", policy: policy)
        #expect(front.session == Self.three, "of those that are not listed the one that became active first")
        _ = front.activated(Self.two, device: "a", policy: policy)
        #expect(front.session == Self.two)
        _ = front.activated(SessionID(4), device: "b", policy: policy)
        #expect(front.session == SessionID(4))
        _ = front.ended(SessionID(4), policy: policy)
        _ = front.ended(Self.two, policy: policy)
        #expect(front.session == Self.three)
    }

    @Test func whatWasChosenStaysUntilItEnds() {
        var front = FrontState()
        _ = front.activated(Self.one, device: "a", policy: .last)
        _ = front.activated(Self.two, device: "b", policy: .last)
        let changed = front.choose(Self.one)
        #expect(changed)
        let again = front.choose(Self.one)
        #expect(!again)
        let byAnother = front.activated(Self.three, device: "c", policy: .last)
        #expect(!byAnother)
        let byAnEnd = front.ended(Self.two, policy: .last)
        #expect(!byAnEnd)
        #expect(front.session == Self.one)
        let byItsEnd = front.ended(Self.one, policy: .last)
        #expect(byItsEnd)
        #expect(front.session == Self.three)
        _ = front.activated(SessionID(4), device: "d", policy: .last)
        #expect(front.session == SessionID(4), "the policy holds again")
    }

    @Test func whatIsInFrontAnywayCanBeHeldThere() {
        var front = FrontState()
        _ = front.activated(Self.one, device: "a", policy: .last)
        let changed = front.choose(Self.one)
        #expect(!changed)
        _ = front.activated(Self.two, device: "b", policy: .last)
        #expect(front.session == Self.one)
    }
}
