import DeviceMonitor
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager

/// The buses that the daemon watches: what udev tells becomes what the core knows.
///
/// Which devices matter is decided by the configuration's tables and filters, judged anew after a reload: devices that
/// matter now are taken, those that no longer do stay until they are unplugged, so that no session is lost. Whether USB
/// and input devices are watched at all is decided at the start.
final class Buses {
    private let daemon: Daemon
    private let journal: Journal
    private let jobs: JobPool
    private let usb: USBBus?
    private let inputs: InputBus?
    private let can: CANBus?
    private var monitor: DeviceMonitor?

    init(daemon: Daemon, jobs: JobPool, options: DaemonOptions) throws {
        self.daemon = daemon
        self.jobs = jobs
        journal = daemon.journal
        let settings = daemon.configuration.settings
        let table = daemon.configuration.devices
        let ports = PortClaims(
            folder: options.portsDirectory ?? PortClaims.systemFolder, owner: settings.instance ?? "the main instance")
        let usesUSB = options.usesUSB && settings.usb.isEnabled
        let usesInputs = options.usesInput && settings.input.isEnabled
        usb =
            usesUSB
            ? try USBBus(daemon: daemon, jobs: jobs, table: table, settings: settings.usb, claims: ports) : nil
        inputs =
            usesInputs
            ? InputBus(daemon: daemon, jobs: jobs, table: table, settings: settings, claims: ports) : nil
        can = usesInputs ? CANBus(daemon: daemon) : nil
        guard usesUSB || usesInputs else { return }
        monitor = DeviceMonitor(
            loop: daemon.loop, jobs: jobs, relevance: relevance(under: daemon.configuration),
            handler: { [unowned self] in handle($0) })
        daemon.onReconfigured.append { [unowned self] in reconfigured($0) }
    }

    /// What the monitor reports under a configuration.
    private func relevance(under configuration: Configuration) -> @Sendable (DeviceSnapshot) -> DeviceRelevance {
        let (settings, table) = (configuration.settings, configuration.devices)
        let (usesUSB, usesInputs) = (usb != nil, inputs != nil)
        return { snapshot in
            if let device = snapshot.usb {
                // A phone's partner is simulated, so its node need not be ours to open.
                let isOurs = usesUSB && settings.usb.ports.admits(device.port) && table.classify(device) != nil
                return isOurs ? .reported : .ignored
            }
            if let device = snapshot.input {
                let isOurs = usesInputs && InputBus.wants(device, at: snapshot.syspath, settings.input, table)
                return isOurs ? .reportedWhenAccessible : .ignored
            }
            return .ignored
        }
    }

    private func reconfigured(_ configuration: Configuration) {
        usb?.reconfigure(configuration)
        inputs?.reconfigure(configuration)
        can?.configure(configuration)
        monitor?.judge(by: relevance(under: configuration))
    }

    /// Begins to watch.
    func start() throws(SystemError) {
        try monitor?.start()
        can?.configure(daemon.configuration)
    }

    /// Ends it and gives every device back.
    func stop() {
        monitor?.stop()
        inputs?.stop()
        can?.stop()
        usb?.stop()
    }

    private func handle(_ change: DeviceChange) {
        switch change {
        case .added(let snapshot): added(snapshot)
        case .changed(let snapshot):
            if let device = snapshot.usb { usb?.changed(snapshot, device) }
            if snapshot.input != nil { inputs?.changed(snapshot) }
        case .bound(let snapshot), .unbound(let snapshot):
            journal.log(.debug, "device.driver", "a driver came or went at \(snapshot.syspath)")
        case .removed(let snapshot, let cause): removed(snapshot, cause)
        case .stuck(let snapshot):
            let text = "reading the attributes of \(snapshot.syspath) does not return; replug the device"
            journal.log(.warning, "device.stuck", text)
            let reason = Reason("stuck", .device, text)
            if snapshot.input != nil {
                inputs?.stuck(snapshot, reason)
            } else {
                daemon.feed(.deviceStuck(key: Self.key(snapshot), reason))
            }
        case .incomplete(let snapshot, let missing):
            let parts = missing.map(\.rawValue).joined(separator: ", ")
            journal.log(.notice, "device.incomplete", "\(snapshot.syspath) still lacks \(parts); it is looked at again")
        case .enumerated: journal.log(.debug, "device.enumerated", "what was plugged in before the start is known")
        case .resynchronized(let reason): daemon.feed(.resynchronized(Self.reason(reason)))
        }
    }

    private func added(_ snapshot: DeviceSnapshot) {
        if let device = snapshot.usb {
            usb?.added(snapshot, device)
        } else if let device = snapshot.input {
            inputs?.added(snapshot, device)
        }
    }

    private func removed(_ snapshot: DeviceSnapshot, _ cause: RemovalCause) {
        if snapshot.usb != nil { usb?.removed(snapshot) }
        let reason: Reason
        switch cause {
        case .removed: reason = Reason("surpriseRemoval", .device, "the device was pulled; plug it in again")
        case .replaced: reason = Reason("replaced", .device, "another device is at its port already")
        case .vanished: reason = Reason("vanished", .device, "the device was gone when the bus was read again")
        }
        if snapshot.input != nil {
            inputs?.removed(snapshot, reason)
        } else {
            daemon.feed(.deviceDetached(key: Self.key(snapshot), reason))
        }
    }

    /// The name by which the core knows one plug of one device.
    static func key(_ snapshot: DeviceSnapshot) -> String { "udev:\(snapshot.instance)" }

    private static func reason(_ reason: ResynchronizationReason) -> Reason {
        switch reason {
        case .overflow:
            Reason("overflow", .local, "the kernel's queue of device events ran over; everything was read again")
        case .receiveFailed(let number):
            Reason("receiveFailed", .local, "device events failed with error \(number); everything was read again")
        case .requested: Reason("requested", .client, "everything was read again because somebody asked")
        }
    }
}
