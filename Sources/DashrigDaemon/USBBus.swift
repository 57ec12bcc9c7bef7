import DeviceMonitor
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager
import USBTransport

/// USB devices that matter: told to the core as soon as they are classified, then opened once through libusb to see
/// whether they answer and who else holds them. Nothing here waits for a device.
final class USBBus {
    /// One plug of one device.
    private struct Plugged {
        let snapshot: DeviceSnapshot
        var isClaimed: Bool
    }

    private let daemon: Daemon
    private let journal: Journal
    private let context: USBContext
    private var table: DeviceTable
    private var filter: NameFilter
    private let claims: PortClaims
    private var plugged: [UInt64: Plugged] = [:]
    private var retry: TimerID?

    /// How often a device that somebody else holds is tried again.
    private static let retryInterval: UInt64 = 2_000_000_000

    init(
        daemon: Daemon, jobs: JobPool, table: DeviceTable, filter: NameFilter, claims: PortClaims
    ) throws(USBFailure) {
        self.daemon = daemon
        journal = daemon.journal
        context = try USBContext(loop: daemon.loop, jobs: jobs)
        self.table = table
        self.filter = filter
        self.claims = claims
        retry = daemon.loop.addTimer { [unowned self] _ in retryClaims() }
    }

    func stop() { context.shutDown() }

    /// Devices that come or change from now on are judged by this configuration.
    func reconfigure(_ configuration: Configuration) {
        table = configuration.devices
        filter = configuration.settings.usb.ports
    }

    func added(_ snapshot: DeviceSnapshot, _ device: USBDeviceDescription) {
        guard let profile = table.classify(device), filter.admits(device.port) else { return }
        plugged[snapshot.instance] = Plugged(snapshot: snapshot, isClaimed: false)
        let key = Buses.key(snapshot)
        switch claims.claim(device.port) {
        case .ours:
            plugged[snapshot.instance]?.isClaimed = true
            daemon.feed(.deviceAttached(key: key, profile.facts(of: device)))
            inspect(snapshot, device, profile)
        case .held(let owner):
            // Busy before attached: the core would begin a handshake at once.
            daemon.feed(.deviceAttachedBusy(key: key, profile.facts(of: device), Self.held(by: owner)))
            scheduleRetry()
        case .failed(let text):
            journal.log(.error, "port.claimFailed", "port \(device.port) could not be claimed: \(text)")
            daemon.feed(
                .deviceAttachedBusy(
                    key: key, profile.facts(of: device),
                    Reason("claimFailed", .local, "the port could not be claimed: \(text)")))
        }
    }

    func changed(_ snapshot: DeviceSnapshot, _ device: USBDeviceDescription) {
        guard plugged[snapshot.instance] != nil, let profile = table.classify(device) else { return }
        daemon.feed(.deviceChanged(key: Buses.key(snapshot), profile.facts(of: device)))
    }

    func removed(_ snapshot: DeviceSnapshot) {
        guard let gone = plugged.removeValue(forKey: snapshot.instance) else { return }
        if gone.isClaimed, let port = gone.snapshot.usb?.port { claims.release(port) }
    }

    private static func held(by owner: String) -> Reason {
        Reason("busy", .local, "the port belongs to \(owner); unplug there, or change its ports")
    }

    private func scheduleRetry() {
        if let retry { daemon.loop.setTimer(retry, SystemClock.monotonicNow() &+ Self.retryInterval) }
    }

    private func retryClaims() {
        var isWaiting = false
        for instance in plugged.keys.sorted() {
            guard let device = plugged[instance], !device.isClaimed, let description = device.snapshot.usb else {
                continue
            }
            guard claims.claim(description.port) == .ours else {
                isWaiting = true
                continue
            }
            plugged[instance]?.isClaimed = true
            daemon.feed(.deviceUsable(key: Buses.key(device.snapshot)))
        }
        if isWaiting { scheduleRetry() }
    }

    // MARK: Looking at a device

    /// Opens the device once. A phone's partner is simulated, so a device that cannot be opened still has its session;
    /// what stands in the way is logged, with how to mend it.
    private func inspect(_ snapshot: DeviceSnapshot, _ device: USBDeviceDescription, _ profile: DeviceProfile) {
        guard let node = snapshot.node, snapshot.access == .granted else {
            journal.log(
                .notice, "device.noAccess",
                "\(snapshot.node ?? snapshot.syspath) cannot be opened; the udev rule gives it to dashrig-devices",
                [LogField("port", device.port)])
            return
        }
        let instance = snapshot.instance
        context.open(node: node, key: instance, expected: device) { [weak self] outcome in
            self?.opened(outcome, instance, device, profile)
        }
    }

    private func opened(
        _ outcome: USBOutcome<USBDeviceHandle>, _ instance: UInt64, _ device: USBDeviceDescription,
        _ profile: DeviceProfile
    ) {
        guard let plug = plugged[instance] else {
            outcome.value?.close()
            return
        }
        let key = Buses.key(plug.snapshot)
        let fields = [LogField("port", device.port), LogField("node", plug.snapshot.node ?? "")]
        switch outcome {
        case .ok(let handle):
            guard device.manufacturer.isEmpty || device.model.isEmpty || device.serial.isEmpty else {
                handle.close()
                return
            }
            handle.strings { [weak self] strings in
                handle.close()
                self?.read(strings, instance, device, profile)
            }
        case .busy(let holder):
            let who = holder.map { " by \($0)" } ?? ""
            journal.log(.notice, "device.busy", "the device at port \(device.port) is held\(who)", fields)
        case .stuck:
            daemon.feed(
                .deviceStuck(
                    key: key, Reason("stuck", .device, "opening the device does not return; replug it")))
        case .gone, .cancelled: break
        case .noAccess:
            journal.log(
                .notice, "device.noAccess", "the device cannot be opened; the udev rule gives it to dashrig-devices",
                fields)
        case .timedOut, .stalled:
            journal.log(.notice, "device.silent", "the device does not answer", fields)
        case .refused(let refusal):
            journal.log(.warning, "device.notLookedAt", "the device was not looked at: \(refusal)", fields)
        case .failed(let failure):
            journal.log(.warning, "device.notLookedAt", "the device was not looked at: \(failure)", fields)
        }
    }

    /// The device's own strings complete what the kernel did not tell.
    private func read(
        _ outcome: USBOutcome<USBStrings>, _ instance: UInt64, _ device: USBDeviceDescription,
        _ profile: DeviceProfile
    ) {
        guard let strings = outcome.value, let plug = plugged[instance] else { return }
        var facts = profile.facts(of: device)
        if facts.manufacturer.isEmpty { facts.manufacturer = strings.manufacturer ?? "" }
        if facts.model.isEmpty { facts.model = strings.product ?? "" }
        if facts.serial.isEmpty { facts.serial = strings.serial ?? "" }
        daemon.feed(.deviceChanged(key: Buses.key(plug.snapshot), facts))
    }
}
