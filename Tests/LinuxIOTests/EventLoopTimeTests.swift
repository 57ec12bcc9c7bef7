import LinuxIO
import Testing

@Suite struct EventLoopTimeTests {
    @Test func theDeadlineComesOnceAndNotEarly() throws {
        let loop = try EventLoop()
        let deadline = milliseconds(5)
        var fired: [UInt64] = []
        loop.onDeadline = { [unowned loop] now in
            fired.append(now)
            loop.stop()
        }
        loop.setDeadline(deadline)
        #expect(try loop.run(until: never()) == .stopped)
        #expect(try loop.run(until: milliseconds(5)) == .limitReached)
        #expect(fired.count == 1)
        #expect(fired.allSatisfy { $0 >= deadline })
    }

    @Test func aDeadlineCanBeMovedBothWaysAndCleared() throws {
        let loop = try EventLoop()
        var fired = 0
        loop.onDeadline = { [unowned loop] _ in
            fired += 1
            loop.stop()
        }
        // Armed far away first, then moved nearer.
        loop.setDeadline(never())
        try loop.run(until: 0)
        let near = milliseconds(3)
        loop.setDeadline(near)
        #expect(try loop.run(until: never()) == .stopped)
        #expect(SystemClock.monotonicNow() >= near)
        // Armed near, then moved away and cleared.
        let soon = milliseconds(200)
        loop.setDeadline(soon)
        try loop.run(until: 0)
        loop.setDeadline(never())
        #expect(try loop.run(until: soon + 1) == .limitReached)
        loop.setDeadline(nil)
        #expect(try loop.run(until: milliseconds(2)) == .limitReached)
        #expect(fired == 1)
    }

    @Test func aDeadlineInThePastComesInTheNextTurn() throws {
        let loop = try EventLoop()
        var fired = 0
        loop.onDeadline = { [unowned loop] _ in
            fired += 1
            if fired < 3 { loop.setDeadline(0) } else { loop.stop() }
        }
        loop.setDeadline(1)
        #expect(try loop.run(until: never()) == .stopped)
        #expect(fired == 3)
    }

    @Test func timersAreIndependent() throws {
        let loop = try EventLoop()
        var log: [String] = []
        let first = loop.addTimer { _ in log.append("first") }
        let second = loop.addTimer { [unowned loop] _ in
            log.append("second")
            loop.stop()
        }
        let removed = loop.addTimer { _ in log.append("removed") }
        loop.onDeadline = { _ in log.append("main") }
        loop.setTimer(second, milliseconds(6))
        loop.setTimer(removed, milliseconds(1))
        loop.setDeadline(milliseconds(4))
        loop.setTimer(first, milliseconds(2))
        loop.removeTimer(removed)
        // Takes over the slot of the removed one, whose id means nothing any more.
        let heir = loop.addTimer { _ in log.append("heir") }
        loop.setTimer(heir, milliseconds(3))
        loop.setTimer(removed, nil)
        loop.removeTimer(removed)
        #expect(try loop.run(until: never()) == .stopped)
        // Not their order: on a busy machine several are due in one turn.
        #expect(log.sorted() == ["first", "heir", "main", "second"])
    }

    @Test func aTimerThatAnotherRemovesInTheSameTurnStaysSilent() throws {
        let loop = try EventLoop()
        var log: [String] = []
        var second: TimerID?
        let first = loop.addTimer { [unowned loop] _ in
            log.append("first")
            if let second { loop.removeTimer(second) }
        }
        second = loop.addTimer { _ in log.append("second") }
        loop.setTimer(first, 1)
        if let second { loop.setTimer(second, 1) }
        try loop.run(until: 0)
        try loop.run(until: 0)
        #expect(log == ["first"])
    }

    @Test func anIdleLoopDoesNotWake() throws {
        let loop = try EventLoop()
        var turns = 0
        loop.beforeWait = { turns += 1 }
        loop.setDeadline(milliseconds(1))
        try loop.run(until: milliseconds(40))
        // Before the first wait, after the deadline, after the limit; fewer when they fall together.
        #expect(turns <= 3)
        turns = 0
        try loop.run(until: milliseconds(20))
        #expect(turns == 2)
    }

    /// Nothing is set any more after the deadline: the timer that went off must not keep the loop awake.
    @Test func aSpentDeadlineDoesNotKeepTheLoopAwake() throws {
        let loop = try EventLoop()
        let child = try ChildProcess(ChildSpecification("sleep", ["0.1"]))
        _ = try loop.add(child.exitDescriptor, .read) { [unowned loop] _ in loop.stop() }
        var turns = 0
        loop.beforeWait = { turns += 1 }
        loop.setDeadline(milliseconds(20))
        #expect(try loop.run() == .stopped)
        // Before the first wait, after the deadline, after the child's end.
        #expect(turns <= 3)
    }

    @Test func theFarthestDeadlinesAreTaken() throws {
        let loop = try EventLoop()
        loop.onDeadline = { _ in Issue.record("fired") }
        for deadline in [UInt64.max, UInt64.max - 1, UInt64(Int64.max), 1 << 62] {
            loop.setDeadline(deadline)
            #expect(try loop.run(until: milliseconds(1)) == .limitReached)
        }
    }
}
