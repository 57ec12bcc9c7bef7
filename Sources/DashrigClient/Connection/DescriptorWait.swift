internal import LinuxIO

/// Waits for one descriptor, or for nothing but time, and for one interruption, with a deadline.
final class DescriptorWait {
    enum Outcome {
        /// The descriptor is ready.
        case ready
        /// The deadline passed.
        case deadline
        /// The interruption came.
        case interrupted
    }

    private let loop: EventLoop
    private let watch: WatchID?
    private let seen: Seen

    /// What the handlers saw in one turn.
    private final class Seen {
        var isReady = false
        var isInterrupted = false
    }

    /// Watches a descriptor, which must stay open as long as this object lives, and another one that becomes readable
    /// when waiting shall end.
    init(_ descriptor: Int32?, interrupt: Int32?) throws(SystemError) {
        let loop = try EventLoop()
        let seen = Seen()
        if let descriptor {
            watch = try loop.add(descriptor, .read) { _ in
                seen.isReady = true
                loop.stop()
            }
        } else {
            watch = nil
        }
        if let interrupt {
            _ = try loop.add(interrupt, .read) { _ in
                seen.isInterrupted = true
                loop.stop()
            }
        }
        self.loop = loop
        self.seen = seen
    }

    /// Waits until the descriptor is ready for what is asked. The interruption comes before everything else.
    func wait(for interest: Interest = .read, until deadline: UInt64?) throws(SystemError) -> Outcome {
        seen.isReady = false
        seen.isInterrupted = false
        if let watch { try loop.modify(watch, interest) }
        try loop.run(until: deadline)
        if seen.isInterrupted { return .interrupted }
        return seen.isReady ? .ready : .deadline
    }
}
