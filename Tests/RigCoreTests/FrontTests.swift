import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// Which of several phones is in front (field report B32).
@Suite struct FrontTests {
    /// The eight orders in which two phones are plugged and unplugged in three steps, each step turning one of them on
    /// or off, with who is in front after each step.
    static let orders: [(order: String, first: String, last: String, priority: String)] = [
        ("aaa", "a-a", "a-a", "a-a"),
        ("aab", "a-b", "a-b", "a-b"),
        ("aba", "aab", "abb", "abb"),
        ("abb", "aaa", "aba", "aba"),
        ("baa", "bbb", "bab", "bbb"),
        ("bab", "bba", "baa", "bba"),
        ("bba", "b-a", "b-a", "b-a"),
        ("bbb", "b-b", "b-b", "b-b"),
    ]

    @Test(arguments: orders, ["first", "last", "priority"])
    func twoPhonesInEveryOrder(
        _ example: (order: String, first: String, last: String, priority: String), policy: String
    ) {
        var bench = Bench {
            switch policy {
            case "first": $0.front = .first
            case "last": $0.front = .last
            default: $0.front = .priority(["b", "a"])
            }
        }
        let expected = policy == "first" ? example.first : policy == "last" ? example.last : example.priority
        var plugged: Set<String> = []
        for (step, wanted) in zip(example.order, expected) {
            let before = bench.events.count
            let was = front(&bench)
            if plugged.remove("\(step)") != nil {
                bench.unplug("\(step)")
            } else {
                plugged.insert("\(step)")
                bench.plug("iphone", "\(step)")
            }
            #expect(front(&bench) == "\(wanted)")
            let told = bench.events(.frontChanged, from: before)
            #expect(told.count == (was == "\(wanted)" ? 0 : 1), "told when it changes, and only then")
            if let event = told.last { #expect((event.device?.name ?? "-") == "\(wanted)") }
        }
    }

    /// The device in front, or `-`.
    private func front(_ bench: inout Bench) -> String {
        let state = bench.state()
        guard let session = state.value(at: "front")?.text, case .array(let all)? = state.value(at: "sessions") else {
            return "-"
        }
        return all.first { $0.value(at: "id")?.text == session }?.value(at: "device")?.text ?? "?"
    }

    @Test func aSlowPhoneIsNotInFrontBeforeItIsActive() {
        var bench = Bench { $0.front = .priority([]) }
        bench.plug("iphone", "slow", phone: PhoneConditions(slow: Bench.second))
        bench.plug("iphone", "quick")
        #expect(front(&bench) == "quick")
        bench.pass(60 * Bench.second)
        #expect(front(&bench) == "quick", "the one that became active first, not the one that was plugged in first")
    }

    @Test func aChosenPhoneStaysInFrontUntilItIsUnplugged() {
        var bench = Bench { $0.front = .last }
        bench.plug("iphone", "a")
        bench.plug("iphone", "b")
        #expect(bench.failure(of: .setFront(device: "a")) == nil)
        #expect(front(&bench) == "a")
        bench.plug("iphone", "c")
        #expect(front(&bench) == "a")
        bench.plug("iphone", "d")
        bench.unplug("b")
        #expect(front(&bench) == "a")
        bench.unplug("a")
        #expect(front(&bench) == "d", "the next one by the policy, of those that are left")
        bench.plug("iphone", "a")
        #expect(front(&bench) == "a", "the policy holds again")
        bench.plug("iphone", "e")
        #expect(front(&bench) == "e", "and the choice is over: it was of the session")
    }

    @Test func theSameChoiceAgainSaysNothing() {
        var bench = Bench()
        bench.plug("iphone", "a")
        let before = bench.events.count
        #expect(bench.failure(of: .setFront(device: "a")) == nil)
        #expect(bench.events.count == before)
    }

    @Test func onlyAnActiveSessionCanBeInFront() {
        var bench = Bench()
        bench.plug("iphone", "locked", phone: PhoneConditions(locked: true))
        bench.attach(.knob(port: "1-1"))
        for name in ["locked", "knob-1"] {
            #expect(
                bench.failure(of: .setFront(device: name))
                    == .invalidParameter("device", text: "'\(name)' has no active session to put in front"))
        }
        #expect(bench.events(.frontChanged).isEmpty)
    }

    @Test func theFrontIsToldBehindWhatMadeIt() {
        var bench = Bench()
        bench.plug("iphone", "a")
        bench.plug("iphone", "b")
        let before = bench.events.count
        bench.unplug("a")
        #expect(bench.kinds(from: before) == [.displayRemoved, .sessionClosed, .frontChanged, .deviceDetached])
        #expect(bench.events(.frontChanged, from: before).first?.session == SessionID(2))
        let second = bench.events.count
        bench.unplug("b")
        #expect(bench.events(.frontChanged, from: second).first?.session == nil)
        #expect(bench.events(.frontChanged, from: second).first?.device == nil)
    }

    @Test func aSessionThatFailsMakesRoomForTheNext() {
        var bench = Bench()
        bench.attach(.iPhone("AAAAAAAA0001", port: "1-1"))
        bench.attach(.iPhone("AAAAAAAA0002", port: "1-2"))
        #expect(front(&bench) == "iphone-1")
        bench.handle(.deviceBusy(key: "1-1", Reason("busy", .device, "held")))
        #expect(front(&bench) == "iphone-2")
        bench.handle(.deviceUsable(key: "1-1"))
        #expect(front(&bench) == "iphone-2", "the policy is first, and it has been active for longer")
    }
}
