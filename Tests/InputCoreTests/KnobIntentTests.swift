import InputCore
import RigModel
import Testing

/// Every state of a knob's intents against every event that can reach it.
@Suite struct KnobIntentTests {
    enum Start: String, CaseIterable { case resting, down, second, held, turning, waiting }
    enum Step: String, CaseIterable { case press, release, turn, longTime, shortTime, end }

    private static let limits = IntentLimits(longPress: 500, doublePress: 300)

    /// What a step tells, and whether the knob is down after it.
    private static func expected(_ start: Start, _ step: Step) -> [InputIntent] {
        switch (start, step) {
        case (.resting, _): []
        case (.down, .press): []
        case (.down, .release): []
        case (.down, .turn): [.pressTurn(detents: 2)]
        case (.down, .longTime): [.longPress]
        case (.down, .shortTime): []
        case (.down, .end): []
        case (.second, .press): []
        case (.second, .release): [.doublePress]
        case (.second, .turn): [.press, .pressTurn(detents: 2)]
        case (.second, .longTime): [.press, .longPress]
        case (.second, .shortTime): []
        case (.second, .end): [.press]
        case (.held, .turn), (.turning, .turn): [.pressTurn(detents: 2)]
        case (.held, _), (.turning, _): []
        case (.waiting, .press): []
        case (.waiting, .release): []
        case (.waiting, .turn): [.press]
        case (.waiting, .longTime): [.press]
        case (.waiting, .shortTime): []
        case (.waiting, .end): [.press]
        }
    }

    private struct Knob {
        var assembly = InputAssembly(limits: KnobIntentTests.limits)
        var now: UInt64 = 1_000
        var told: [DeviceInput] = []

        mutating func feed(_ event: KnobEvent) { assembly.take([.event(.knob(event))], from: 0, at: now, into: &told) }

        mutating func wait(_ time: UInt64) {
            let end = now + time
            while let next = assembly.nextDeadline, next <= end {
                now = next
                assembly.deadlineReached(now: now, into: &told)
            }
            now = end
        }

        mutating func take() -> [InputIntent] {
            defer { told = [] }
            return told.compactMap { if case .intent(let intent) = $0 { intent } else { nil } }
        }
    }

    private static func knob(at start: Start) -> Knob {
        var knob = Knob()
        func click() {
            knob.feed(.pressed)
            knob.wait(10)
            knob.feed(.released(held: 10, long: false))
            knob.wait(10)
        }
        switch start {
        case .resting: break
        case .down: knob.feed(.pressed)
        case .second:
            click()
            knob.feed(.pressed)
        case .held:
            knob.feed(.pressed)
            knob.wait(500)
        case .turning:
            knob.feed(.pressed)
            knob.feed(.rotate(detents: 1))
        case .waiting: click()
        }
        _ = knob.take()
        return knob
    }

    @Test(arguments: Start.allCases, Step.allCases)
    func everyStateTakesEveryEvent(start: Start, step: Step) {
        var knob = Self.knob(at: start)
        switch step {
        case .press: knob.feed(.pressed)
        case .release: knob.feed(.released(held: 1, long: false))
        case .turn: knob.feed(.rotate(detents: 2))
        case .longTime: knob.wait(500)
        case .shortTime: knob.wait(5)
        case .end: knob.assembly.end(into: &knob.told)
        }
        #expect(knob.take() == Self.expected(start, step))
    }

    @Test func deadlinesAreExact() {
        var knob = Self.knob(at: .down)
        #expect(knob.assembly.nextDeadline == 1_500)
        knob.wait(499)
        #expect(knob.take().isEmpty)
        knob.wait(1)
        #expect(knob.take() == [.longPress])
        #expect(knob.assembly.nextDeadline == nil)
        knob = Self.knob(at: .waiting)
        #expect(knob.assembly.nextDeadline == 1_310)
    }

    /// An event that comes after its deadline, which nobody called, says what the deadline would have said.
    @Test func aLateEventSaysWhatItsDeadlineWouldHave() {
        var knob = Self.knob(at: .waiting)
        knob.now += 1_000
        knob.feed(.pressed)
        #expect(knob.take() == [.press])
        knob.now += 1_000
        knob.feed(.released(held: 1_000, long: true))
        #expect(knob.take() == [.longPress])
    }

    /// Whatever is done: each press is told as exactly one of press, long, double or turned.
    @Test func everyPressMeansOneThing() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        for _ in 0..<500 {
            var knob = Knob()
            var presses = 0
            for _ in 0..<Int.random(in: 0...30, using: &generator) {
                knob.feed(.pressed)
                presses += 1
                knob.wait(UInt64.random(in: 0...700, using: &generator))
                if Int.random(in: 0...3, using: &generator) == 0 { knob.feed(.rotate(detents: 1)) }
                knob.wait(UInt64.random(in: 0...100, using: &generator))
                knob.feed(.released(held: 0, long: false))
                knob.wait(UInt64.random(in: 0...500, using: &generator))
            }
            knob.wait(1_000)
            let told = knob.take()
            var meant = 0
            var turnsAfterLong = 0
            var wasLong = false
            for intent in told {
                switch intent {
                case .press: (meant, wasLong) = (meant + 1, false)
                case .longPress: (meant, wasLong) = (meant + 1, true)
                case .doublePress: (meant, wasLong) = (meant + 2, false)
                case .pressTurn:
                    // Held for long and then turned is both, and told as both.
                    if wasLong { turnsAfterLong += 1 }
                    (meant, wasLong) = (meant + 1, false)
                case .tap, .swipe, .scroll, .focus: Issue.record("not a knob's, seed \(seed)")
                }
            }
            #expect(meant - turnsAfterLong <= presses && meant >= presses, "seed \(seed)")
        }
    }
}
