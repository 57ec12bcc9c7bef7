import InputCore
import RigModel
import Testing

/// What a controller is sent, and when: every state against every event.
@Suite struct CANScheduleTests {
    enum Start: String, CaseIterable { case closed, calling, running }
    enum Step: String, CaseIterable { case opened, closed, heard, forgotten, foreign, early, rhythm, pause }

    private static let start = CANFrame(id: CANIdentifier(1), data: [1])
    private static let alive = CANFrame(id: CANIdentifier(2), data: [2])
    private static let rhythm: UInt64 = 500_000_000

    private static func layout() -> CANLayout {
        var layout = CANLayout()
        layout.sendings = [CANSending(.start, start), CANSending(.every(rhythm), alive)]
        return layout
    }

    private static func expected(_ at: Start, _ step: Step) -> [CANFrame] {
        switch (at, step) {
        case (_, .opened): [start, alive]
        case (_, .closed), (_, .heard), (_, .foreign), (_, .early), (.closed, _): []
        case (.calling, .forgotten): []
        case (.running, .forgotten): [start]
        case (_, .rhythm): [alive]
        case (_, .pause): [start, alive]
        }
    }

    @Test(arguments: Start.allCases, Step.allCases) func matrix(at: Start, step: Step) {
        var schedule = CANSchedule(Self.layout())
        var frames: [CANFrame] = []
        if at != .closed { schedule.opened(now: 0, into: &frames) }
        if at == .running { schedule.heard(.heard, now: 0, into: &frames) }
        frames = []
        switch step {
        case .opened: schedule.opened(now: 1, into: &frames)
        case .closed: schedule.closed()
        case .heard: schedule.heard(.heard, now: 1, into: &frames)
        case .forgotten: schedule.heard(.forgotten, now: 1, into: &frames)
        case .foreign: schedule.heard(.foreign, now: 1, into: &frames)
        case .early: schedule.deadlineReached(now: Self.rhythm - 1, into: &frames)
        case .rhythm: schedule.deadlineReached(now: Self.rhythm, into: &frames)
        case .pause: schedule.deadlineReached(now: CANSchedule.pause, into: &frames)
        }
        #expect(frames == Self.expected(at, step), "\(at) \(step)")
        let isClosed = step == .closed || (at == .closed && step != .opened)
        #expect((schedule.nextDeadline == nil) == isClosed, "\(at) \(step)")
    }

    /// Driven by its deadlines alone: the rhythm is kept, the start is repeated until something is heard.
    @Test func startsAgainUntilItIsHeard() throws {
        var schedule = CANSchedule(Self.layout())
        var frames: [CANFrame] = []
        var (starts, beats) = ([UInt64](), 0)
        schedule.opened(now: 0, into: &frames)
        frames = []
        while let next = schedule.nextDeadline, next <= 12_000_000_000 {
            schedule.deadlineReached(now: next, into: &frames)
            if frames.contains(Self.start) { starts.append(next) }
            if frames.contains(Self.alive) { beats += 1 }
            try #require(!frames.isEmpty, "a deadline for nothing at \(next)")
            frames = []
        }
        #expect(starts == [5_000_000_000, 10_000_000_000])
        #expect(beats == 24)
        schedule.heard(.heard, now: 12_000_000_000, into: &frames)
        #expect(frames == [])
        schedule.deadlineReached(now: 16_999_999_999, into: &frames)
        #expect(frames == [Self.alive])
        schedule.deadlineReached(now: 17_000_000_000, into: &frames)
        #expect(frames == [Self.alive, Self.start])
    }

    @Test func aControllerThatNeedsNothingIsSentNothing() {
        var schedule = CANSchedule(CANLayout())
        var frames: [CANFrame] = []
        schedule.opened(now: 0, into: &frames)
        schedule.deadlineReached(now: .max, into: &frames)
        #expect(frames == [] && schedule.nextDeadline == nil)
    }
}
