internal import CLinux
internal import Glibc

/// The machine's clocks. Pure code never reads them: the loop hands the time in.
public enum SystemClock {
    /// CLOCK_MONOTONIC in nanoseconds: the clock of every deadline. Stands still while the machine sleeps.
    public static func monotonicNow() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// CLOCK_REALTIME in nanoseconds since 1970-01-01 UTC: for people and file names only, since it can jump.
    public static func realtimeNow() -> UInt64 { read(CLOCK_REALTIME) }

    /// The kernel's random id of this boot, 36 characters. Times of different boots cannot be compared.
    ///
    /// Throws where a sandbox hides /proc/sys.
    public static func bootID() throws(FileError) -> String {
        let bytes = try FileContents.read("/proc/sys/kernel/random/boot_id", limit: 64)
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "clock_gettime cannot fail for a clock that every kernel has")
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }
}
