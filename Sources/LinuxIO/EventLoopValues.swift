internal import CLinux

/// What a watch waits for. Errors and hang-ups are always told, even to an empty interest.
public struct Interest: OptionSet, Hashable, Sendable {
    /// The epoll bits.
    public let rawValue: UInt32

    /// Epoll bits as they are.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Bytes, a connection or the end of the file can be read.
    public static let read = Interest(rawValue: EPOLLIN.rawValue)
    /// Bytes can be written.
    public static let write = Interest(rawValue: EPOLLOUT.rawValue)
    /// The peer closed its sending half: the only sign of a subscriber that leaves without a word.
    public static let peerClosed = Interest(rawValue: EPOLLRDHUP.rawValue)
    /// An exceptional condition: a sysfs attribute changed.
    public static let priority = Interest(rawValue: EPOLLPRI.rawValue)
}

/// What the kernel says about a watched descriptor.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The epoll bits.
    public let rawValue: UInt32

    /// Epoll bits as they are.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A read will not block.
    public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    /// A write will not block.
    public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer closed its sending half.
    public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// An exceptional condition.
    public static let priority = Readiness(rawValue: EPOLLPRI.rawValue)
    /// Both halves are closed; what was sent before can still be read.
    public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
    /// The descriptor is in error: a device is gone, or nobody reads a pipe.
    public static let error = Readiness(rawValue: EPOLLERR.rawValue)
}

/// Names one watch of one loop; never used again for another watch.
public struct WatchID: Hashable, Sendable {
    /// Slot in the low half, the slot's generation in the high half: what epoll hands back with an event.
    let token: UInt64

    init(slot: UInt32, generation: UInt32) { token = UInt64(generation) << 32 | UInt64(slot) }
    init(token: UInt64) { self.token = token }

    var slot: Int { Int(UInt32(truncatingIfNeeded: token)) }
    var generation: UInt32 { UInt32(truncatingIfNeeded: token >> 32) }
}

/// Names one timer of one loop.
public struct TimerID: Hashable, Sendable {
    let slot: Int
    let generation: UInt32
}

/// Why `EventLoop.run` came back.
public enum RunEnd: Equatable, Sendable {
    /// `stop()` was called.
    case stopped
    /// The time given to `run(until:)` was reached.
    case limitReached
}
