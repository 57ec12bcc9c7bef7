internal import CLinux
internal import Glibc

/// A plain thread with a name for nobody: the mocks answer from threads of their own, as the kernel does.
enum TestThread {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs something on a new thread. A machine that cannot start one has no use for tests.
    static func start(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let argument = Unmanaged.passRetained(Work(run)).toOpaque()
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument)
        pthread_attr_destroy(&attributes)
        precondition(failure == 0, "no thread for a mock: errno \(failure)")
    }
}

/// A value behind a lock, with a bell that waiting threads hear. A pthread lock, since the thread sanitizer does not
/// understand the one of the Synchronization module.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ value: Value) {
        self.value = value
        lock.initialize(to: pthread_mutex_t())
        bell.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        var clock = pthread_condattr_t()
        pthread_condattr_init(&clock)
        pthread_condattr_setclock(&clock, CLOCK_MONOTONIC)
        pthread_cond_init(bell, &clock)
        pthread_condattr_destroy(&clock)
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(lock)
        bell.deallocate()
        lock.deallocate()
    }

    /// Uses the value alone, then rings the bell.
    func use<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        return try body(&value)
    }

    /// Waits until a condition holds, then uses the value.
    func wait<Result>(until condition: (Value) -> Bool, then body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        while !condition(value) { pthread_cond_wait(bell, lock) }
        return body(&value)
    }

    /// Waits until a condition holds or a time has come (CLOCK_MONOTONIC nanoseconds), then uses the value.
    func wait<Result>(
        until condition: (Value) -> Bool, before deadline: UInt64?, then body: (inout Value) -> Result
    ) -> Result {
        pthread_mutex_lock(lock)
        defer {
            pthread_cond_broadcast(bell)
            pthread_mutex_unlock(lock)
        }
        while !condition(value) {
            guard let deadline else {
                pthread_cond_wait(bell, lock)
                continue
            }
            var time = timespec(
                tv_sec: time_t(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            if pthread_cond_timedwait(bell, lock, &time) == ETIMEDOUT { break }
        }
        return body(&value)
    }
}
