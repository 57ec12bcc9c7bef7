import DeviceMonitor
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager
import USBTransport

/// USB devices that matter: told to the core as soon as they are classified, then opened once through libusb to see
/// whether they answer and who else holds them. Those that show the iAP-style interface are spoken to over it, through
/// a `USBWire` each. Nothing here waits for a device.
final class USBBus {
    /// One plug of one device.
    private struct Plugged {
        var snapshot: DeviceSnapshot
        var isClaimed: Bool
        var wire: USBWire?
        /// What the device said itself and the bus does not know.
        var strings = USBStrings()
        var probe = USBModes.Probe()

        /// Its facts, completed by what it said.
        func facts(_ profile: DeviceProfile, _ device: USBDeviceDescription) -> DeviceFacts {
            var facts = profile.facts(of: device)
            if facts.manufacturer.isEmpty { facts.manufacturer = strings.manufacturer ?? "" }
            if facts.model.isEmpty { facts.model = strings.product ?? "" }
            if facts.serial.isEmpty { facts.serial = strings.serial ?? "" }
            facts.mode = probe.mode
            facts.isCarPlayCapable = probe.isCarPlayCapable
            return facts
        }
    }

    private let daemon: Daemon
    private let journal: Journal
    private let context: USBContext
    private var table: DeviceTable
    private var settings: USBSettings
    private let claims: PortClaims
    private var plugged: [UInt64: Plugged] = [:]
    private var wires: [LinkID: USBWire] = [:]
    private var retry: TimerID?

    /// How often a device that somebody else holds is tried again.
    private static let retryInterval: UInt64 = 2_000_000_000

    init(
        daemon: Daemon, jobs: JobPool, table: DeviceTable, settings: USBSettings, claims: PortClaims
    ) throws(USBFailure) {
        self.daemon = daemon
        journal = daemon.journal
        context = try USBContext(loop: daemon.loop, jobs: jobs)
        self.table = table
        self.settings = settings
        self.claims = claims
        retry = daemon.loop.addTimer { [unowned self] _ in retryClaims() }
        daemon.onWire = { [unowned self] in perform($0) }
        daemon.onSwitchMode = { [unowned self] in switchMode(key: $0, $1) }
    }

    func stop() {
        for instance in plugged.keys.sorted() { plugged[instance]?.wire?.end() }
        context.shutDown()
    }

    /// Devices that come or change from now on are judged by this configuration.
    func reconfigure(_ configuration: Configuration) {
        table = configuration.devices
        settings = configuration.settings.usb
    }

    func added(_ snapshot: DeviceSnapshot, _ device: USBDeviceDescription) {
        guard let profile = table.classify(device), settings.ports.admits(device.port) else { return }
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
        guard plugged[snapshot.instance] != nil else { return }
        plugged[snapshot.instance]?.snapshot = snapshot
        guard let profile = table.classify(device), let plug = plugged[snapshot.instance] else { return }
        daemon.feed(.deviceChanged(key: Buses.key(snapshot), plug.facts(profile, device)))
        plugged[snapshot.instance]?.wire?.deviceChanged()
    }

    func removed(_ snapshot: DeviceSnapshot) {
        guard let gone = plugged.removeValue(forKey: snapshot.instance) else { return }
        gone.wire?.end()
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
            guard let device = plugged[instance], let description = device.snapshot.usb else { continue }
            if device.isClaimed {
                device.wire?.tryAgain()
                isWaiting = isWaiting || device.wire?.isBusy == true
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

    // MARK: Wires

    private func perform(_ action: CoreAction) {
        switch action {
        case .openWire(let link, let key): openWire(link, key)
        case .transmit(let link, let bytes, let ends): wires[link]?.transmit(link, bytes, ends: ends)
        case .closeWire(let link): wires.removeValue(forKey: link)?.close(link)
        case .deliver, .reply, .open, .fail, .scenarioWrong, .capture, .switchMode, .prepareSigner, .askSigner, .close:
            break
        }
    }

    private func openWire(_ link: LinkID, _ key: String) {
        guard let instance = instance(of: key), let plug = plugged[instance], let device = plug.snapshot.usb,
            let interface = device.linkInterface
        else { return daemon.feed(.wireEnded(link, USBWire.reason(.gone))) }
        guard let node = plug.snapshot.node, plug.snapshot.access == .granted else {
            return daemon.feed(.wireEnded(link, USBWire.reason(.noAccess)))
        }
        let wire: USBWire
        if let known = plug.wire {
            wire = known
        } else {
            var pipe = USBPipeSettings()
            pipe.detachesDriver = settings.detachesDriver
            pipe.setsConfiguration = settings.selectsConfiguration
            wire = USBWire(
                daemon: daemon, context: context,
                USBWire.Place(
                    key: key, instance: instance, node: node, device: device, interface: interface, settings: pipe))
            wire.onBusy = { [unowned self] in scheduleRetry() }
            plugged[instance]?.wire = wire
        }
        wires[link] = wire
        wire.open(link)
    }

    private func instance(of key: String) -> UInt64? {
        plugged.first { Buses.key($0.value.snapshot) == key }?.key
    }

    // MARK: Modes

    /// Tells a device to change its mode, and the core what it said.
    private func switchMode(key: String, _ mode: ModeSwitch) {
        guard let plug = instance(of: key).flatMap({ plugged[$0] }), let device = plug.snapshot.usb else {
            return daemon.feed(.modeAnswered(key: key, mode, refusal: USBWire.reason(.gone)))
        }
        guard plug.isClaimed, let node = plug.snapshot.node, plug.snapshot.access == .granted else {
            return daemon.feed(.modeAnswered(key: key, mode, refusal: USBWire.reason(.noAccess)))
        }
        context.open(node: node, key: plug.snapshot.instance, expected: device) { [weak self] outcome in
            guard let self, let handle = outcome.value else {
                self?.answered(
                    key, mode, USBModes.reason(outcome, refused: "the device refused to be opened"), device)
                return
            }
            USBModes.perform(mode, on: handle, version: self.daemon.version) { [weak self] refusal in
                handle.close()
                self?.answered(key, mode, refusal, device)
            }
        }
    }

    private func answered(_ key: String, _ mode: ModeSwitch, _ refusal: Reason?, _ device: USBDeviceDescription) {
        if let refusal {
            journal.log(
                .notice, "device.modeRefused", "\(mode.rawValue): \(refusal.text)",
                [LogField("port", device.port), LogField("code", refusal.code)])
        } else {
            journal.log(.info, "device.modeSwitched", "\(mode.rawValue) was taken", [LogField("port", device.port)])
        }
        daemon.feed(.modeAnswered(key: key, mode, refusal: refusal))
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
        case .ok(let handle): look(handle, instance, device, profile)
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

    /// Asks the device what the kernel did not tell, and what the configuration wants to know; then it may be told to
    /// change its mode.
    private func look(
        _ handle: USBDeviceHandle, _ instance: UInt64, _ device: USBDeviceDescription, _ profile: DeviceProfile
    ) {
        let isComplete = !(device.manufacturer.isEmpty || device.model.isEmpty || device.serial.isEmpty)
        let isProbed = settings.probesApple && ModeSwitch.carPlayHost.suits(profile.kind)
        let becomesAccessory = settings.startsAccessoryMode && ModeSwitch.accessory.suits(profile.kind)
        // What is in accessory mode already may hold bytes of who used it before.
        let stale = settings.startsAccessoryMode ? device.accessoryInterface : nil
        let finish: () -> Void = { [weak self] in
            if let stale {
                return USBModes.drain(handle, stale) { self?.drained($0, device) }
            }
            handle.close()
            guard let self, becomesAccessory, let plug = self.plugged[instance] else { return }
            self.switchMode(key: Buses.key(plug.snapshot), .accessory)
        }
        let probe: () -> Void = { [weak self] in
            guard isProbed else { return finish() }
            USBModes.probe(handle) { probe in
                self?.plugged[instance]?.probe = probe
                self?.tell(instance, device, profile)
                finish()
            }
        }
        if isComplete { return probe() }
        handle.strings { [weak self] strings in
            if let strings = strings.value {
                self?.plugged[instance]?.strings = strings
                self?.tell(instance, device, profile)
            }
            probe()
        }
    }

    private func drained(_ result: Result<Int, USBPipeFailure>, _ device: USBDeviceDescription) {
        let fields = [LogField("port", device.port)]
        switch result {
        case .success(let count):
            journal.log(.info, "device.drained", "\(count) bytes of an earlier use were thrown away", fields)
        case .failure(.gone): break
        case .failure(let failure): journal.log(.notice, "device.notDrained", "\(failure)", fields)
        }
    }

    /// What the device said completes what the kernel told.
    private func tell(_ instance: UInt64, _ device: USBDeviceDescription, _ profile: DeviceProfile) {
        guard let plug = plugged[instance] else { return }
        daemon.feed(.deviceChanged(key: Buses.key(plug.snapshot), plug.facts(profile, plug.snapshot.usb ?? device)))
    }
}
