import DeviceMonitor
import DeviceTestKit
import LinuxIO
import RigModel
import Testing

/// A monitor on a loop of its own, and what it said.
final class MonitorHarness {
    let loop: EventLoop
    let jobs: JobPool
    let monitor: DeviceMonitor
    private let log = Log()

    private final class Log { var changes: [DeviceChange] = [] }

    init(
        settings: MonitorSettings = MonitorSettings(),
        relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance = { snapshot in
            snapshot.usb?.deviceClass.code == 9 ? .ignored : .reportedWhenAccessible
        }
    ) throws {
        loop = try EventLoop()
        jobs = try JobPool(loop: loop)
        monitor = DeviceMonitor(loop: loop, jobs: jobs, settings: settings, relevance: relevance) { [log] change in
            log.changes.append(change)
        }
    }

    deinit {
        monitor.stop()
        jobs.shutDown()
    }

    var changes: [DeviceChange] { log.changes }

    /// Turns the loop until a condition holds; false when ten seconds were not enough.
    func run(until condition: (MonitorHarness) -> Bool) throws -> Bool {
        let limit = SystemClock.monotonicNow() + 10_000_000_000
        while !condition(self) {
            let now = SystemClock.monotonicNow()
            if now >= limit { return false }
            try loop.run(until: now + 5_000_000)
        }
        return true
    }

    /// Turns the loop whenever the testbed must wait for the monitor to read.
    func serve(_ testbed: DeviceTestbed) {
        testbed.whileListenersAreBusy = { [loop] in _ = try? loop.run(until: SystemClock.monotonicNow() + 1_000_000) }
    }

    /// Turns the loop for a while, for what must not happen.
    func run(for time: UInt64) throws { try loop.run(until: SystemClock.monotonicNow() + time) }

    var added: [DeviceSnapshot] {
        changes.compactMap { change in
            if case .added(let device) = change { device } else { nil }
        }
    }

    var removed: [DeviceSnapshot] {
        changes.compactMap { change in
            if case .removed(let device, _) = change { device } else { nil }
        }
    }

    var isEnumerated: Bool { changes.contains(.enumerated) }

    /// True when nothing is on its way.
    var isIdle: Bool { jobs.pendingJobs == 0 && monitor.pending.isEmpty }
}
