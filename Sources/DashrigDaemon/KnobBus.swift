import DeviceMonitor
import EvdevInput
import InputCore
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager

/// Rotary knobs on evdev: each is opened in a job, read on the loop and decoded; one broken knob never stops another.
final class KnobBus {
    private final class Knob {
        let snapshot: DeviceSnapshot
        let profile: InputProfile
        let facts: DeviceFacts
        let port: String
        var reader: EvdevReader?
        var decoder: KnobDecoder
        var isAttached = false
        /// Whether its port is ours.
        var hasClaim = false
        /// Whether it was told as busy: its port belongs to another instance.
        var isHeld = false
        var tries = 0
        var nextTry: UInt64?

        init(snapshot: DeviceSnapshot, profile: InputProfile, facts: DeviceFacts, port: String, layout: KnobLayout) {
            self.snapshot = snapshot
            self.profile = profile
            self.facts = facts
            self.port = port
            decoder = KnobDecoder(layout: layout)
        }
    }

    private let daemon: Daemon
    private let journal: Journal
    private let jobs: JobPool
    private var table: DeviceTable
    private var settings: RigSettings
    private let claims: PortClaims
    private var knobs: [UInt64: Knob] = [:]
    private var retry: TimerID?
    private var events: [InputEvent] = []

    /// The pauses before opening is tried again: permissions may come later than the node (field report B9).
    private static let retryPauses: [UInt64] = [50, 100, 200, 400, 800, 1_600, 3_200].map { $0 * 1_000_000 }
    /// How often a knob on another instance's port is tried again.
    private static let claimPause: UInt64 = 2_000_000_000
    /// Keys of jobs on input nodes, apart from those of USB devices and of the monitor.
    private static let keySpace: UInt64 = 1 << 62

    init(daemon: Daemon, jobs: JobPool, table: DeviceTable, settings: RigSettings, claims: PortClaims) {
        self.daemon = daemon
        journal = daemon.journal
        self.jobs = jobs
        self.table = table
        self.settings = settings
        self.claims = claims
        retry = daemon.loop.addTimer { [unowned self] now in retryOpening(now) }
    }

    /// Whether the filters let an input device through.
    static func admits(_ device: InputDeviceDescription, at syspath: String, _ settings: InputSettings) -> Bool {
        settings.names.admits(device.name) && settings.ports.admits(port(of: device, at: syspath))
    }

    /// The USB port that an input device hangs on (`1-1.4`), else what its driver says, else its place in sysfs.
    static func port(of device: InputDeviceDescription, at syspath: String) -> String {
        let usb = syspath.split(separator: "/").last { part in
            let halves = part.split(separator: "-", omittingEmptySubsequences: false)
            return halves.count == 2 && !halves[0].isEmpty && halves[0].allSatisfy(\.isNumber)
                && !halves[1].isEmpty && halves[1].allSatisfy { $0.isNumber || $0 == "." }
        }
        if let usb { return String(usb) }
        return device.phys.isEmpty ? String(syspath.split(separator: "/").last ?? "") : device.phys
    }

    /// Knobs that come from now on are judged by this configuration.
    func reconfigure(_ configuration: Configuration) {
        table = configuration.devices
        settings = configuration.settings
    }

    func stop() {
        for knob in knobs.values { knob.reader?.close() }
        knobs = [:]
    }

    func added(_ snapshot: DeviceSnapshot, _ device: InputDeviceDescription) {
        guard let profile = table.classify(device), let axis = profile.axis(of: device) else { return }
        let port = Self.port(of: device, at: snapshot.syspath)
        let layout = KnobLayout(
            axis: axis, unitsPerDetent: max(1, profile.unitsPerDetent), reversed: profile.reversed,
            press: profile.press(of: device), longPress: settings.longPress)
        let knob = Knob(
            snapshot: snapshot, profile: profile, facts: profile.facts(of: device, port: port), port: port,
            layout: layout)
        knobs[snapshot.instance] = knob
        open(knob)
    }

    func removed(_ snapshot: DeviceSnapshot) {
        guard let knob = knobs.removeValue(forKey: snapshot.instance) else { return }
        letGo(knob)
        knob.reader?.close()
        if knob.hasClaim { claims.release(knob.port) }
    }

    // MARK: Opening

    private func open(_ knob: Knob) {
        guard let node = knob.snapshot.node else { return }
        knob.nextTry = nil
        // Before it is opened: a grab would take it away from the instance that has it.
        guard claim(knob) else { return }
        knob.tries += 1
        let instance = knob.snapshot.instance
        do throws(EvdevError) {
            try EvdevReader.open(
                node: node, loop: daemon.loop, jobs: jobs, key: Self.keySpace | instance, grab: settings.input.grabs,
                handler: { [weak self] notice in self?.heard(notice, from: instance) },
                completion: { [weak self] result in self?.opened(result, instance) })
        } catch {
            failed(knob, error)
        }
    }

    /// Claims a knob's port, or tells once that another instance has it and tries again later.
    private func claim(_ knob: Knob) -> Bool {
        if knob.hasClaim { return true }
        switch claims.claim(knob.port) {
        case .ours:
            knob.hasClaim = true
            return true
        case .held(let owner):
            if !knob.isHeld {
                knob.isHeld = true
                let reason = Reason("busy", .local, "the port belongs to \(owner); unplug there, or change its ports")
                daemon.feed(.deviceAttachedBusy(key: Buses.key(knob.snapshot), knob.facts, reason))
            }
            knob.nextTry = SystemClock.monotonicNow() &+ Self.claimPause
            schedule()
        case .failed(let text):
            journal.log(.error, "port.claimFailed", "port \(knob.port) could not be claimed: \(text)")
        }
        return false
    }

    private func opened(_ result: Result<EvdevReader, EvdevError>, _ instance: UInt64) {
        guard let knob = knobs[instance] else {
            if case .success(let reader) = result { reader.close() }
            return
        }
        switch result {
        case .success(let reader):
            knob.reader = reader
            knob.isAttached = true
            let key = Buses.key(knob.snapshot)
            daemon.feed(knob.isHeld ? .deviceUsable(key: key) : .deviceAttached(key: key, knob.facts))
        case .failure(let error): failed(knob, error)
        }
    }

    private func failed(_ knob: Knob, _ error: EvdevError) {
        let fields = [LogField("node", knob.snapshot.node ?? ""), LogField("port", knob.port)]
        switch error {
        case .noAccess, .refused, .busy:
            guard knob.tries <= Self.retryPauses.count else {
                journal.log(.warning, "input.notOpened", "\(error)", fields)
                return
            }
            knob.nextTry = SystemClock.monotonicNow() &+ Self.retryPauses[knob.tries - 1]
            schedule()
        case .gone: break
        case .stuck, .notEvdev, .system: journal.log(.warning, "input.notOpened", "\(error)", fields)
        }
    }

    private func schedule() {
        if let retry { daemon.loop.setTimer(retry, knobs.values.compactMap(\.nextTry).min()) }
    }

    private func retryOpening(_ now: UInt64) {
        for instance in knobs.keys.sorted() {
            if let knob = knobs[instance], let time = knob.nextTry, time <= now { open(knob) }
        }
        schedule()
    }

    // MARK: Reading

    private func heard(_ notice: EvdevNotice, from instance: UInt64) {
        guard let knob = knobs[instance], knob.isAttached else { return }
        let key = Buses.key(knob.snapshot)
        switch notice {
        case .event(let event):
            let told = knob.decoder.decode(
                type: event.type, code: event.code, value: event.value, time: event.time, into: &events)
            pass(key, at: event.time)
            switch told {
            case .inputLost: daemon.feed(.inputLost(key: key))
            case nil: break
            }
        case .keyState(let down, let time):
            knob.decoder.resynchronize(keysDown: down, time: time, into: &events)
            pass(key, at: time)
        case .gone(let end):
            letGo(knob)
            switch end {
            case .unplugged: break
            case .failed(let error):
                journal.log(
                    .warning, "input.failed", "a knob can no longer be read: \(error)", [LogField("port", knob.port)])
            }
            daemon.feed(.deviceDetached(key: key, Reason("surpriseRemoval", .device, "the knob was pulled")))
        }
    }

    /// A button that is down when its knob goes comes up, so that nobody holds it for ever.
    private func letGo(_ knob: Knob) {
        guard knob.isAttached else { return }
        let now = SystemClock.monotonicNow()
        knob.decoder.end(time: now, into: &events)
        pass(Buses.key(knob.snapshot), at: now)
    }

    private func pass(_ key: String, at time: UInt64) {
        guard !events.isEmpty else { return }
        let time = daemon.time(of: time)
        for event in events { daemon.feed(.input(key: key, event, time: time)) }
        events.removeAll(keepingCapacity: true)
    }
}
