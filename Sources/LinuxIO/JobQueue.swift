internal import CLinux
internal import Glibc

/// One unit of work on its way to a thread.
struct QueuedJob: Sendable {
    let id: UInt64
    /// Runs the job and keeps its result for whoever asked.
    let work: @Sendable () -> Void
    /// Cleans up a result that nobody waits for any more; runs after `work`, on the same thread.
    let discard: @Sendable () -> Void
}

/// The only state that the loop's thread and the job threads share, behind one lock.
///
/// A pthread lock, since the thread sanitizer cannot see the one of the Synchronization module. Threads keep the queue
/// alive, so a thread that comes back late still finds it, its lock and its eventfd.
final class JobQueue: @unchecked Sendable {
    /// What became of a job that was handed over and is past its deadline.
    enum WriteOff {
        /// No thread had taken it; now none will.
        case withdrawn
        /// A thread is inside it; that thread leaves when the job returns.
        case writtenOff
        /// It has returned; its result waits to be collected.
        case finished
    }

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wake = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let event: OwnedDescriptor
    private var ready: [QueuedJob] = []
    private var finished: [UInt64] = []
    private var writtenOff: Set<UInt64> = []
    private var isClosed = false

    /// 256 KiB: libusb, udev and file calls need a fraction of it.
    private static let stackSize = 256 * 1024

    init() throws(SystemError) {
        event = OwnedDescriptor(
            adopting: try check("eventfd") { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
        lock.initialize(to: pthread_mutex_t())
        wake.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        pthread_cond_init(wake, nil)
    }

    deinit {
        pthread_cond_destroy(wake)
        pthread_mutex_destroy(lock)
        wake.deallocate()
        lock.deallocate()
    }

    /// Readable when a job has finished.
    var descriptor: Int32 { event.rawValue }

    func push(_ job: QueuedJob) {
        withLock {
            ready.append(job)
            pthread_cond_signal(wake)
        }
    }

    /// The jobs that returned since the last call, in that order.
    func collect() -> [UInt64] {
        var count: UInt64 = 0
        // Empty when the wake-up came from a job that was collected before: nothing to tell anyone.
        _ = withUnsafeMutableBytes(of: &count) { event.read(into: $0) }
        return withLock {
            let jobs = finished
            finished.removeAll(keepingCapacity: true)
            return jobs
        }
    }

    func writeOff(_ id: UInt64) -> WriteOff {
        withLock {
            if finished.contains(id) { return .finished }
            if let index = ready.firstIndex(where: { $0.id == id }) {
                ready.remove(at: index)
                return .withdrawn
            }
            writtenOff.insert(id)
            return .writtenOff
        }
    }

    /// Lets idle threads go, and busy ones when their job returns.
    func close() {
        withLock {
            isClosed = true
            ready.removeAll()
            pthread_cond_broadcast(wake)
        }
    }

    /// Starts a detached thread with every signal blocked that works on this queue.
    func startThread() throws(SystemError) {
        var attributes = pthread_attr_t()
        var failure = pthread_attr_init(&attributes)
        if failure != 0 { throw SystemError("pthread_attr_init", failure) }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackSize)

        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let reference = Unmanaged.passRetained(self)
        var thread = pthread_t()
        failure = pthread_create(&thread, &attributes, jobThread, reference.toOpaque())
        if failure != 0 {
            reference.release()
            throw SystemError("pthread_create", failure, "job thread")
        }
    }

    /// A thread's whole life.
    fileprivate func runJobs() {
        while let job = next() {
            job.work()
            if isWrittenOff(job.id) {
                job.discard()
                report(job.id)
                return
            }
        }
    }

    private func next() -> QueuedJob? {
        withLock {
            while ready.isEmpty && !isClosed { pthread_cond_wait(wake, lock) }
            return ready.isEmpty ? nil : ready.removeFirst()
        }
    }

    /// Decides, once and under the lock, whether a job that returned was in time. In time means reported here.
    private func isWrittenOff(_ id: UInt64) -> Bool {
        let late = withLock {
            if writtenOff.remove(id) != nil { return true }
            finished.append(id)
            return false
        }
        if !late { signal() }
        return late
    }

    private func report(_ id: UInt64) {
        withLock { finished.append(id) }
        signal()
    }

    private func signal() {
        // Can only fail when 2^64 - 2 wake-ups are pending, and then the loop is awake anyway.
        _ = event.write([1, 0, 0, 0, 0, 0, 0, 0])
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}

private func jobThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let queue = Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue()
    dashrig_thread_setname(pthread_self(), "dashrig-job")
    queue.runJobs()
    return nil
}
