internal import Glibc

/// What became of a job.
public enum JobOutcome<Value: Sendable> {
    /// It returned in time.
    case finished(Value)
    /// Its deadline passed, or the pool was shut down. `hasStarted` tells whether a thread is inside it, in which case
    /// its effects may still come and its key stays taken until it returns; otherwise it never runs.
    case abandoned(hasStarted: Bool)
}

extension JobOutcome: Equatable where Value: Equatable {}

/// Why a job was not taken. Its completion is not called.
public enum JobRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// So many jobs wait already; try again when some have finished.
    case queueFull(limit: Int)
    /// So many threads are stuck in calls that do not return (a driver's fault); no more are spent.
    case tooManyStuck(limit: Int)
    /// The pool was shut down.
    case shutDown
    /// There is no thread and none can be started.
    case noThread(SystemError)

    /// One line.
    public var description: String {
        switch self {
        case .queueFull(let limit): "\(limit) jobs wait already"
        case .tooManyStuck(let limit): "\(limit) job threads are stuck in calls that do not return"
        case .shutDown: "the job pool is shut down"
        case .noThread(let error): "no job thread: \(error)"
        }
    }
}

/// A few plain threads for calls that can block: device opens and resets, sysfs writes, fsync.
///
/// Jobs are values in and a value out; they touch nothing of the loop's thread. Jobs of one key run one at a time, in
/// the order given. A job past its deadline is abandoned: its completion hears so at once, its thread is written off and
/// replaced, and what it returns later is discarded. Threads start with the first job, with all signals blocked.
///
/// Completions run on the loop's thread, each exactly once.
public final class JobPool {
    private struct Job {
        let queued: QueuedJob
        let key: UInt64
        let deadline: UInt64
        let complete: (_ abandonment: Abandonment?) -> Void
    }

    private struct Abandonment {
        let hasStarted: Bool
    }

    private struct StuckJob {
        let id: UInt64
        let key: UInt64
    }

    private let loop: EventLoop
    private let queue: JobQueue
    private let threadLimit: Int
    private let queueLimit: Int
    private let stuckLimit: Int
    private var watch: WatchID?
    private var timer: TimerID?
    private var nextID: UInt64 = 0
    /// Jobs that no thread may take yet, in the order given.
    private var waiting: [Job] = []
    /// Jobs that were handed to the threads, at most one per thread.
    private var running: [Job] = []
    /// Jobs that were abandoned while a thread was inside them.
    private var stuck: [StuckJob] = []
    /// Threads that are not written off.
    private var threadCount = 0
    private var isShutDown = false

    /// A pool without threads so far.
    ///
    /// At most `threads` jobs run at once and `queueLimit` wait. Up to `stuckLimit` stuck threads are replaced; with so
    /// many stuck, new jobs are refused until one returns. So there are never more than `threads + stuckLimit` threads.
    public init(
        loop: EventLoop, threads: Int = 2, queueLimit: Int = 64, stuckLimit: Int = 8
    ) throws(SystemError) {
        precondition(threads > 0 && queueLimit > 0 && stuckLimit > 0, "every limit is at least 1")
        self.loop = loop
        queue = try JobQueue()
        threadLimit = threads
        self.queueLimit = queueLimit
        self.stuckLimit = stuckLimit
        watch = try loop.add(queue.descriptor, .read) { [weak self] _ in self?.collect() }
        timer = loop.addTimer { [weak self] now in self?.expire(now) }
    }

    deinit { detach() }

    /// Threads that exist: working, idle and stuck.
    public var liveThreads: Int { threadCount + stuck.count }
    /// Threads that are inside an abandoned job.
    public var stuckThreads: Int { stuck.count }
    /// Jobs that wait or run and are not abandoned.
    public var pendingJobs: Int { waiting.count + running.count }

    /// Whether a job of this key runs, abandoned or not.
    public func isBusy(_ key: UInt64) -> Bool {
        running.contains { $0.key == key } || stuck.contains { $0.key == key }
    }

    /// Takes a job: `work` runs on a job thread, `completion` on the loop's.
    ///
    /// `key` is the device's id; jobs without a device share a key of the caller's choice. `deadline` (CLOCK_MONOTONIC
    /// nanoseconds) counts the waiting too. `discarding` gets a result that came too late and holds something to give
    /// back, such as an open descriptor; it runs on the job's thread.
    public func submit<Value: Sendable>(
        key: UInt64, deadline: UInt64, discarding: (@Sendable (Value) -> Void)? = nil,
        _ work: @escaping @Sendable () -> Value, completion: @escaping (JobOutcome<Value>) -> Void
    ) throws(JobRefusal) {
        if isShutDown { throw .shutDown }
        if stuck.count >= stuckLimit { throw .tooManyStuck(limit: stuckLimit) }
        if waiting.count >= queueLimit { throw .queueFull(limit: queueLimit) }
        nextID &+= 1
        let box = ResultBox<Value>()
        let queued = QueuedJob(
            id: nextID,
            work: { box.value = work() },
            discard: { if let discarding, let value = box.value { discarding(value) } })
        let job = Job(queued: queued, key: key, deadline: deadline) { abandonment in
            if let abandonment {
                completion(.abandoned(hasStarted: abandonment.hasStarted))
            } else if let value = box.value {
                completion(.finished(value))
            }
        }
        waiting.append(job)
        if let failure = dispatch(), threadCount == 0 {
            waiting.removeAll { $0.queued.id == queued.id }
            throw .noThread(failure)
        }
        updateTimer()
    }

    /// Ends the pool without waiting for anyone: every job that is not finished is abandoned, and its completion called.
    public func shutDown() {
        if isShutDown { return }
        isShutDown = true
        expire(.max)
        // What had returned before it could be written off.
        collect()
        detach()
    }

    /// Hands over every job that may run now. Returns the error when a thread was needed and could not be started.
    private func dispatch() -> SystemError? {
        let limit = min(threadLimit, threadLimit + stuckLimit - stuck.count)
        while running.count < limit, let index = waiting.firstIndex(where: { !isBusy($0.key) }) {
            if running.count >= threadCount {
                do throws(SystemError) {
                    try queue.startThread()
                    threadCount += 1
                } catch {
                    return error
                }
            }
            let job = waiting.remove(at: index)
            running.append(job)
            queue.push(job.queued)
        }
        return nil
    }

    private func collect() {
        var done: [Job] = []
        for id in queue.collect() {
            if let index = running.firstIndex(where: { $0.queued.id == id }) {
                done.append(running.remove(at: index))
            } else {
                stuck.removeAll { $0.id == id }
            }
        }
        proceed()
        for job in done { job.complete(nil) }
    }

    private func expire(_ now: UInt64) {
        var gone: [(job: Job, hasStarted: Bool)] = []
        for job in running where job.deadline <= now {
            switch queue.writeOff(job.queued.id) {
            case .finished: continue
            case .withdrawn: gone.append((job, false))
            case .writtenOff:
                gone.append((job, true))
                stuck.append(StuckJob(id: job.queued.id, key: job.key))
                threadCount -= 1
            }
        }
        for job in waiting where job.deadline <= now { gone.append((job, false)) }
        running.removeAll { job in gone.contains { $0.job.queued.id == job.queued.id } }
        waiting.removeAll { $0.deadline <= now }
        proceed()
        for (job, hasStarted) in gone { job.complete(Abandonment(hasStarted: hasStarted)) }
    }

    private func proceed() {
        // Without a thread the jobs stay where they are until the next chance, or until their deadline.
        if !isShutDown { _ = dispatch() }
        updateTimer()
    }

    private func updateTimer() {
        guard let timer else { return }
        var earliest: UInt64?
        for job in running { earliest = min(earliest ?? .max, job.deadline) }
        for job in waiting { earliest = min(earliest ?? .max, job.deadline) }
        loop.setTimer(timer, earliest)
    }

    private func detach() {
        queue.close()
        if let watch { loop.remove(watch) }
        if let timer { loop.removeTimer(timer) }
        watch = nil
        timer = nil
    }
}

/// A job's result on its way from the thread to the loop; the queue's lock orders the two.
private final class ResultBox<Value: Sendable>: @unchecked Sendable {
    var value: Value?
}
