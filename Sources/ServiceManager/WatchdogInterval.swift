public import LinuxIO

/// How often the service manager wants to hear that we are alive.
public struct WatchdogInterval: Equatable, Sendable {
    /// The variables that are read here.
    public static let variables = ["WATCHDOG_USEC", "WATCHDOG_PID"]

    /// After so many nanoseconds of silence the manager kills us.
    public let timeout: UInt64

    /// When to send `ServiceState.watchdog` again, in nanoseconds: half the timeout, as sd_watchdog_enabled(3) advises.
    public var interval: UInt64 { timeout / 2 }

    /// Nil when no watchdog is set, or when it is meant for another process.
    public init?(environment: Environment, processID: Int32) throws(ServiceEnvironmentError) {
        guard let value = environment["WATCHDOG_USEC"] else { return nil }
        let microseconds = try number("WATCHDOG_USEC", value)
        let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        if overflow || microseconds == 0 { throw .malformed(variable: "WATCHDOG_USEC", value: value) }
        if let pid = environment["WATCHDOG_PID"] {
            if try number("WATCHDOG_PID", pid) != UInt64(UInt32(bitPattern: processID)) { return nil }
        }
        timeout = nanoseconds
    }
}
