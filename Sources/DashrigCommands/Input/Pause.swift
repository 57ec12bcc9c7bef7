internal import DashrigClient
internal import LinuxIO

/// Waiting for nothing but time.
enum Pause {
    /// Returns at a time of CLOCK_MONOTONIC, at once when it is over; throws `interrupted` when `interrupt` becomes
    /// readable before.
    static func until(_ time: UInt64, _ interrupt: Int32?) throws(CommandLineFailure) {
        var isInterrupted = false
        do throws(SystemError) {
            let loop = try EventLoop()
            if let interrupt {
                _ = try loop.add(interrupt, .read) { [unowned loop] _ in
                    isInterrupted = true
                    loop.stop()
                }
            }
            try loop.run(until: time)
        } catch {
            throw .rig(.system(error))
        }
        if isInterrupted { throw .interrupted }
    }
}
