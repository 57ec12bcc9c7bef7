internal import CLinux
internal import Glibc

/// The deadlines of one loop behind one timerfd. A handful at most, so a scan beats a heap.
struct TimerSet: ~Copyable {
    /// The loop's main deadline.
    var main: UInt64?

    private struct Timer {
        var deadline: UInt64?
        var generation: UInt32
        var handler: ((UInt64) -> Void)?
    }

    private let timer: OwnedDescriptor
    private var timers: [Timer] = []
    /// What the kernel's timer is set to; nil when it is off.
    private var armed: UInt64?
    /// The kernel's timer has gone off and stays readable until it is set again.
    private var hasExpired = false

    init() throws(SystemError) {
        let flags = Int32(TFD_CLOEXEC | TFD_NONBLOCK)
        timer = OwnedDescriptor(adopting: try check("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, flags) })
    }

    var descriptor: Int32 { timer.rawValue }
    var count: Int { timers.count }

    var earliest: UInt64? {
        var earliest = main
        for timer in timers {
            guard let deadline = timer.deadline else { continue }
            if let known = earliest, known <= deadline { continue }
            earliest = deadline
        }
        return earliest
    }

    mutating func add(_ handler: @escaping (UInt64) -> Void) -> TimerID {
        for slot in timers.indices where timers[slot].handler == nil {
            timers[slot].handler = handler
            return TimerID(slot: slot, generation: timers[slot].generation)
        }
        timers.append(Timer(deadline: nil, generation: 1, handler: handler))
        return TimerID(slot: timers.count - 1, generation: 1)
    }

    mutating func set(_ id: TimerID, _ deadline: UInt64?) {
        guard id.slot < timers.count, timers[id.slot].generation == id.generation else { return }
        timers[id.slot].deadline = deadline
    }

    mutating func remove(_ id: TimerID) {
        guard id.slot < timers.count, timers[id.slot].generation == id.generation else { return }
        timers[id.slot] = Timer(deadline: nil, generation: id.generation &+ 1, handler: nil)
    }

    /// The handler of a timer that is due, whose deadline is thereby used up. A timer that an earlier handler of the
    /// same turn set, moved or removed is seen as it is now.
    mutating func takeDue(_ slot: Int, _ now: UInt64) -> ((UInt64) -> Void)? {
        guard slot < timers.count, let deadline = timers[slot].deadline, deadline <= now else { return nil }
        timers[slot].deadline = nil
        return timers[slot].handler
    }

    mutating func expired() { hasExpired = true }

    /// Sets the kernel's timer to the earliest deadline or limit, if it is not set so already. Returns the timeout for
    /// epoll_wait: 0 when the time has come already, otherwise -1, the timer then being what ends the wait.
    mutating func arm(limit: UInt64?) throws(SystemError) -> Int32 {
        var wanted = earliest
        if let limit { wanted = wanted.map { min($0, limit) } ?? limit }
        if wanted == armed && !hasExpired { return -1 }
        if let wanted, wanted <= SystemClock.monotonicNow() { return 0 }
        var setting = itimerspec()
        if let wanted {
            setting.it_value.tv_sec = time_t(truncatingIfNeeded: wanted / 1_000_000_000)
            setting.it_value.tv_nsec = Int(truncatingIfNeeded: wanted % 1_000_000_000)
        }
        if timerfd_settime(timer.rawValue, Int32(TFD_TIMER_ABSTIME), &setting, nil) != 0 {
            throw .last("timerfd_settime")
        }
        armed = wanted
        hasExpired = false
        return -1
    }
}
