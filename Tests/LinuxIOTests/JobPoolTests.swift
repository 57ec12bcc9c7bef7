import CLinux
import Glibc
import LinuxIO
import Testing

@Suite struct JobPoolTests {
    @Test func aResultComesBackToTheLoopsThread() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop)
        let here = pthread_self()
        var outcomes: [JobOutcome<Bool>] = []
        var completedHere = false
        try pool.submit(key: 1, deadline: never(), { pthread_equal(pthread_self(), here) != 0 }) {
            outcomes.append($0)
            completedHere = pthread_equal(pthread_self(), here) != 0
            loop.stop()
        }
        #expect(outcomes.isEmpty)
        #expect(try loop.run(until: never()) == .stopped)
        #expect(outcomes == [.finished(false)])
        #expect(completedHere)
        #expect(pool.pendingJobs == 0)
    }

    @Test func threadsComeWithTheFirstJobAndAreKept() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let before = try threadCount()
            let pool = try JobPool(loop: loop, threads: 2)
            #expect(try threadCount() == before)
            #expect(pool.liveThreads == 0)
            for round in 1...3 {
                for key in 1...6 {
                    try pool.submit(key: UInt64(key), deadline: never(), { key }) { _ in
                        if pool.pendingJobs == 0 { loop.stop() }
                    }
                }
                #expect(try loop.run(until: never()) == .stopped, "round \(round)")
                #expect(pool.liveThreads == 2)
                #expect(try threadCount() == before + 2)
            }
        }
    }

    @Test func oneJobAfterAnotherNeedsOneThread() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 2)
        for key in 1...3 {
            try pool.submit(key: UInt64(key), deadline: never(), { key }) { _ in loop.stop() }
            #expect(try loop.run(until: never()) == .stopped)
        }
        #expect(pool.liveThreads == 1)
    }

    @Test func jobThreadsHaveAllSignalsBlockedAndOursStayAsTheyWere() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop)
        let signals = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD]
        var opened = sigset_t()
        var before = sigset_t()
        sigemptyset(&opened)
        for signal in signals { sigaddset(&opened, signal) }
        pthread_sigmask(SIG_UNBLOCK, &opened, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var outcome: JobOutcome<[Int32]>?
        try pool.submit(key: 1, deadline: never(), { blockedSignals(signals) }) {
            outcome = $0
            loop.stop()
        }
        #expect(blockedSignals(signals) == [])
        #expect(try loop.run(until: never()) == .stopped)
        #expect(outcome == .finished(signals))
    }

    @Test func jobsOfOneKeyRunInOrderAndOneAtATime() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 2)
        let gate = try Gate()
        var log: [String] = []
        func note(_ text: String, stopping: Bool = false) -> (JobOutcome<Void>) -> Void {
            { _ in
                log.append(text)
                if stopping { loop.stop() }
            }
        }
        try pool.submit(key: 1, deadline: never(), gate.wait, completion: note("first of 1"))
        try pool.submit(key: 1, deadline: never(), {}, completion: note("second of 1"))
        try pool.submit(key: 1, deadline: never(), {}, completion: note("third of 1", stopping: true))
        try pool.submit(key: 2, deadline: never(), {}, completion: note("first of 2"))
        try pool.submit(key: 2, deadline: never(), {}, completion: note("second of 2", stopping: true))
        #expect(try loop.run(until: never()) == .stopped)
        // A thread is free, and still the later jobs of key 1 wait.
        #expect(log == ["first of 2", "second of 2"])
        #expect(pool.isBusy(1))
        #expect(pool.pendingJobs == 3)
        gate.open()
        #expect(try loop.run(until: never()) == .stopped)
        #expect(log.dropFirst(2) == ["first of 1", "second of 1", "third of 1"])
        #expect(!pool.isBusy(1))
    }

    @Test func aCompletionMaySubmitTheNextJob() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 1, queueLimit: 1)
        var values: [Int] = []
        func next(_ value: Int) {
            let result = Result {
                try pool.submit(key: 1, deadline: never(), { value * 2 }) { outcome in
                    guard case .finished(let value) = outcome else { return }
                    values.append(value)
                    if values.count < 5 { next(value) } else { loop.stop() }
                }
            }
            #expect(throws: Never.self) { try result.get() }
        }
        next(1)
        #expect(try loop.run(until: never()) == .stopped)
        #expect(values == [2, 4, 8, 16, 32])
    }

    @Test func theQueueIsBounded() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 1, queueLimit: 2)
        let gate = try Gate()
        var finished = 0
        for key in 1...3 {
            try pool.submit(key: UInt64(key), deadline: never(), gate.wait) { _ in
                finished += 1
                if finished == 3 { loop.stop() }
            }
        }
        #expect(throws: JobRefusal.queueFull(limit: 2)) {
            try pool.submit(key: 4, deadline: never(), {}) { _ in Issue.record("a refused job was completed") }
        }
        for _ in 0..<3 { gate.open() }
        #expect(try loop.run(until: never()) == .stopped)
        #expect(finished == 3)
    }

    /// Random keys and durations: every job completes once, those of a key in order.
    @Test func nothingIsLostOrDoubled() throws {
        var random = SplitMix(seed: 7)
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 4, queueLimit: 2000)
        var completed: [[Int]] = Array(repeating: [], count: 8)
        var count = 0
        for job in 0..<2000 {
            let key = Int(random.next() % 8)
            let spins = random.next() % 2000
            try pool.submit(
                key: UInt64(key), deadline: never(),
                {
                    var sum: UInt64 = 0
                    for step in 0..<spins { sum &+= step }
                    return sum == 1 ? -1 : job
                },
                completion: { outcome in
                    if case .finished(let job) = outcome { completed[key].append(job) }
                    count += 1
                    if count == 2000 { loop.stop() }
                })
        }
        #expect(try loop.run(until: never()) == .stopped)
        #expect(completed.joined().sorted() == Array(0..<2000), "seed 7")
        #expect(completed.allSatisfy { $0 == $0.sorted() }, "seed 7")
    }
}

@Suite struct StuckJobTests {
    @Test func aJobPastItsDeadlineIsAbandonedOnceAndItsResultDiscarded() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 1)
        let gate = try Gate()
        let discarded = try Gate()
        var outcomes: [JobOutcome<Int32>] = []
        try pool.submit(
            key: 1, deadline: milliseconds(300), discarding: { (_: Int32) in discarded.open() },
            {
                gate.wait()
                return 42
            },
            completion: {
                outcomes.append($0)
                loop.stop()
            })
        #expect(try loop.run(until: never()) == .stopped)
        #expect(outcomes == [.abandoned(hasStarted: true)])
        #expect(pool.stuckThreads == 1)
        #expect(pool.isBusy(1))
        #expect(pool.pendingJobs == 0)

        // Another key goes on with a new thread.
        var other: JobOutcome<Int>?
        try pool.submit(key: 2, deadline: never(), { 7 }) {
            other = $0
            loop.stop()
        }
        #expect(try loop.run(until: never()) == .stopped)
        #expect(other == .finished(7))
        #expect(pool.liveThreads == 2)

        gate.open()
        discarded.wait()
        try runUntil(loop) { pool.stuckThreads == 0 }
        #expect(!pool.isBusy(1))
        #expect(pool.liveThreads == 1)
        #expect(outcomes.count == 1)
    }

    @Test func aThreadThatComesBackLateEnds() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let pool = try JobPool(loop: loop, threads: 1)
            let gate = try Gate()
            var abandoned = 0
            let before = try threadCount()
            for key in 1...3 {
                try pool.submit(key: UInt64(key), deadline: milliseconds(100), gate.wait) { _ in abandoned += 1 }
                try runUntil(loop) { abandoned == key }
            }
            #expect(pool.liveThreads == 3)
            for _ in 1...3 { gate.open() }
            try runUntil(loop) { pool.stuckThreads == 0 }
            #expect(pool.liveThreads == 0)
            var left = try threadCount()
            let end = never()
            while left > before && SystemClock.monotonicNow() < end { left = try threadCount() }
            #expect(left <= before)
        }
    }

    @Test func theKeyOfAStuckJobStaysTaken() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 2)
        let gate = try Gate()
        let ran = try Gate()
        var log: [String] = []
        func note(_ text: String) -> (JobOutcome<Void>) -> Void { { log.append("\(text) \($0)") } }
        try pool.submit(key: 1, deadline: milliseconds(200), gate.wait, completion: note("stuck"))
        try pool.submit(key: 1, deadline: milliseconds(210), ran.open, completion: note("late"))
        try pool.submit(key: 1, deadline: never(), ran.open, completion: note("patient"))
        try runUntil(loop) { log.count == 2 }
        #expect(log == ["stuck abandoned(hasStarted: true)", "late abandoned(hasStarted: false)"])
        #expect(!ran.isOpen)
        gate.open()
        try runUntil(loop) { log.count == 3 }
        #expect(log.last == "patient finished()")
        ran.wait()
        // Only the patient one has run.
        #expect(!ran.isOpen)
    }

    @Test func stuckThreadsAreReplacedUpToTheLimit() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 1, stuckLimit: 2)
        let gate = try Gate()
        var abandoned = 0
        for key in 1...2 {
            try pool.submit(key: UInt64(key), deadline: milliseconds(200), gate.wait) { outcome in
                if case .abandoned(hasStarted: true) = outcome { abandoned += 1 }
            }
            try runUntil(loop) { abandoned == key }
            #expect(pool.stuckThreads == key)
        }
        #expect(pool.liveThreads == 2)
        #expect(throws: JobRefusal.tooManyStuck(limit: 2)) {
            try pool.submit(key: 3, deadline: never(), {}) { _ in Issue.record("a refused job was completed") }
        }
        gate.open()
        try runUntil(loop) { pool.stuckThreads == 1 }
        var outcome: JobOutcome<Int>?
        try pool.submit(key: 3, deadline: never(), { 3 }) { outcome = $0 }
        try runUntil(loop) { outcome != nil }
        #expect(outcome == .finished(3))
        #expect(pool.liveThreads == 2)
        gate.open()
        try runUntil(loop) { pool.stuckThreads == 0 }
    }

    @Test func noMoreThanThreadsAndStuckLimitEverExist() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 3, stuckLimit: 2)
        let gate = try Gate()
        var abandoned = 0
        var most = 0
        loop.beforeWait = { [unowned pool] in most = max(most, pool.liveThreads) }
        let first = milliseconds(200)
        for key in 1...8 {
            let deadline = first + (key <= 3 ? 0 : 200_000_000)
            try pool.submit(key: UInt64(key), deadline: deadline, gate.wait) { _ in abandoned += 1 }
        }
        try runUntil(loop) { abandoned == 8 }
        // Three were stuck, which leaves room for two more.
        #expect(pool.stuckThreads == 5)
        #expect(most == 5)
        for _ in 0..<5 { gate.open() }
        try runUntil(loop) { pool.stuckThreads == 0 }
    }

    @Test func shutDownWaitsForNobodyAndCompletesEveryJob() throws {
        let loop = try EventLoop()
        let pool = try JobPool(loop: loop, threads: 1)
        let gate = try Gate()
        let started = try Gate()
        var outcomes: [JobOutcome<Int>] = []
        try pool.submit(
            key: 1, deadline: never(),
            {
                started.open()
                gate.wait()
                return 1
            }, completion: { outcomes.append($0) })
        try pool.submit(key: 2, deadline: never(), { 2 }) { outcomes.append($0) }
        started.wait()
        pool.shutDown()
        #expect(outcomes == [.abandoned(hasStarted: true), .abandoned(hasStarted: false)])
        #expect(throws: JobRefusal.shutDown) { try pool.submit(key: 3, deadline: never(), { 3 }) { _ in } }
        #expect(loop.watchCount == 0)
        gate.open()
        try loop.run(until: milliseconds(5))
        #expect(outcomes.count == 2)
    }

    /// The end races against the job's return, again and again: the result goes either to the completion or to the
    /// discarder, never to both and never to neither.
    @Test func aResultAtTheEndHasExactlyOneTaker() throws {
        let discarded = try Gate()
        var finished = 0
        var abandoned = 0
        for _ in 0..<300 {
            let loop = try EventLoop()
            let pool = try JobPool(loop: loop, threads: 1)
            let started = try Gate()
            try pool.submit(
                key: 1, deadline: never(), discarding: { (_: Int) in discarded.open() },
                {
                    started.open()
                    return 1
                },
                completion: {
                    if $0 == .finished(1) { finished += 1 } else { abandoned += 1 }
                })
            started.wait()
            pool.shutDown()
        }
        #expect(finished + abandoned == 300)
        for _ in 0..<abandoned { discarded.wait() }
        #expect(!discarded.isOpen)
    }
}

/// Lets other threads wait until a test says go; each `open` lets one `wait` pass.
final class Gate: Sendable {
    private let reader: Int32
    private let writer: Int32

    init() throws { (reader, writer) = try Pipe(nonBlocking: false).release() }

    deinit {
        close(reader)
        close(writer)
    }

    @Sendable func wait() {
        var byte: UInt8 = 0
        while read(reader, &byte, 1) < 0 && errno == EINTR {}
    }

    @Sendable func open() { _ = write(writer, "x", 1) }

    var isOpen: Bool {
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }
}

/// Which of the signals the calling thread has blocked.
func blockedSignals(_ signals: [Int32]) -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return signals.filter { sigismember(&mask, $0) == 1 }
}

struct HungTest: Error {}

/// Runs the loop until the condition holds.
func runUntil(_ loop: EventLoop, _ condition: () -> Bool) throws {
    let end = never()
    while !condition() {
        try loop.run(until: milliseconds(2))
        if SystemClock.monotonicNow() >= end { throw HungTest() }
    }
}

func threadCount() throws -> Int { try DirectoryTree.list("/proc/self/task").count }
