import DeviceMonitor
import EvdevInput
import InputCore
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager

/// Input devices on evdev: each node is opened in a job, read on the loop and decoded, and the nodes of one device are
/// told as one. A node that fails, hangs or may not be opened never stops another; it is tried again.
final class InputBus {
    private let daemon: Daemon
    private let journal: Journal
    private let jobs: JobPool
    private var table: DeviceTable
    private var settings: RigSettings
    private let claims: PortClaims
    private var nodes: [UInt64: InputNode] = [:]
    private var groups: [String: InputGroup] = [:]
    private var attachments: UInt64 = 0
    private var retry: TimerID?
    private var due: TimerID?
    // Kept allocated from frame to frame.
    private var inputs: [DeviceInput] = []
    private var told: [DeviceInput] = []

    /// The pauses before opening is tried again: permissions may come later than the node (field report B9). The last one
    /// repeats.
    private static let retryPauses: [UInt64] = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000]
        .map { $0 * 1_000_000 }
    /// The tries make five minutes, as long as the monitor waits for permissions; then only an event helps.
    private static let maximumTries = 36
    /// From which try on it is told that a node is not opened: 0.75 s after the first. Permissions that come half a
    /// second late are normal.
    private static let toldFromTry = 5
    /// A node that was read for so long and then fails is opened again as quickly as a new one.
    private static let steadyTime: UInt64 = 10_000_000_000
    /// How often a device on another instance's port is tried again.
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
        due = daemon.loop.addTimer { [unowned self] now in deadlineReached(now) }
    }

    /// Whether the filters let an input device through and the table has a use for it.
    static func wants(
        _ device: InputDeviceDescription, at syspath: String, _ settings: InputSettings, _ table: DeviceTable
    ) -> Bool {
        let port = InputGrouping.port(of: device, at: syspath)
        guard settings.names.admits(device.name), settings.ports.admits(port),
            let profile = table.classify(device, isChosen: settings.chooses(name: device.name, port: port))
        else { return false }
        return profile.kind != .knob || settings.takesKnobs
    }

    /// Devices that come from now on are judged by this configuration; those that are there are grabbed, or given back,
    /// as it says.
    func reconfigure(_ configuration: Configuration) {
        table = configuration.devices
        settings = configuration.settings
        for instance in nodes.keys.sorted() {
            guard let node = nodes[instance], let reader = node.reader else { continue }
            let grabs = decision(node.device, node.port).classification.profile?.grabs ?? settings.input.grabs
            do throws(EvdevError) { try reader.setGrab(grabs) } catch { tellUngrabbed(node, error) }
        }
    }

    func stop() {
        for node in nodes.values { node.reader?.close() }
        nodes = [:]
        groups = [:]
    }

    // MARK: What the monitor tells

    func added(_ snapshot: DeviceSnapshot, _ device: InputDeviceDescription) {
        let port = InputGrouping.port(of: device, at: snapshot.syspath)
        let decision = decision(device, port)
        guard let profile = decision.classification.profile else { return }
        tell(decision, snapshot, device)
        let name = InputGrouping.key(of: device, at: snapshot.syspath, profile)
        let group = groups[name] ?? InputGroup(name: name)
        groups[name] = group
        let node = InputNode(
            snapshot, device, profile, port: port, group: group)
        group.nodes.append(node)
        nodes[snapshot.instance] = node
        open(node)
    }

    /// Something of a node changed, its permissions perhaps.
    func changed(_ snapshot: DeviceSnapshot) {
        guard let node = nodes[snapshot.instance], node.reader == nil else { return }
        node.tries = 0
        open(node)
    }

    func removed(_ snapshot: DeviceSnapshot, _ reason: Reason) {
        guard let node = nodes.removeValue(forKey: snapshot.instance) else { return }
        node.nextTry = nil
        close(node, reason)
        if node.hasClaim { claims.release(node.port) }
        let group = node.group
        group.nodes.removeAll { $0 === node }
        if case .busy(let key) = group.state, !group.nodes.contains(where: { $0.profile.part == .whole }) {
            group.state = .absent
            group.maker = nil
            daemon.feed(.deviceDetached(key: key, reason))
        }
        if group.nodes.isEmpty { groups[group.name] = nil }
    }

    /// A call to a node's driver does not return.
    func stuck(_ snapshot: DeviceSnapshot, _ reason: Reason) {
        if let key = nodes[snapshot.instance]?.group.key { daemon.feed(.deviceStuck(key: key, reason)) }
    }

    // MARK: Opening

    private func open(_ node: InputNode) {
        node.nextTry = nil
        // What adds to a device is nothing before that is there.
        if node.profile.part == .addition && node.group.key == nil { return }
        // Before it is opened: a grab would take it away from the instance that has it.
        guard let path = node.snapshot.node, !node.isOpening, node.reader == nil, claim(node) else { return }
        node.tries += 1
        let instance = node.snapshot.instance
        do throws(EvdevError) {
            try EvdevReader.open(
                node: path, loop: daemon.loop, jobs: jobs, key: Self.keySpace | instance, grab: node.grabs(settings),
                handler: { [weak self] notice in self?.heard(notice, from: instance) },
                completion: { [weak self] result in self?.opened(result, instance) })
            node.isOpening = true
        } catch {
            failed(node, error)
        }
    }

    /// Claims a node's port, or tells once that another instance has it and tries again later.
    private func claim(_ node: InputNode) -> Bool {
        if node.hasClaim { return true }
        switch claims.claim(node.port) {
        case .ours:
            node.hasClaim = true
            return true
        case .held(let owner):
            if case .absent = node.group.state {
                let key = newKey(node)
                node.group.state = .busy(key: key)
                let reason = Reason("busy", .local, "the port belongs to \(owner); unplug there, or change its ports")
                daemon.feed(.deviceAttachedBusy(key: key, node.group.facts(by: node), reason))
            }
            tryAgain(node, after: Self.claimPause)
        case .failed(let text):
            journal.log(.error, "port.claimFailed", "port \(node.port) could not be claimed: \(text)")
        }
        return false
    }

    private func opened(_ result: Result<EvdevReader, EvdevError>, _ instance: UInt64) {
        guard let node = nodes[instance] else {
            if case .success(let reader) = result { reader.close() }
            return
        }
        node.isOpening = false
        switch result {
        case .success(let reader):
            // Its device may have gone while it was opened.
            guard node.profile.part == .whole || node.group.key != nil,
                var decoder = DecoderChoice.decoder(node.profile, reader.description, settings)
            else {
                journal.log(.debug, "input.nothingToRead", "\(node.device.name) has nothing of its rule", fields(node))
                return reader.close()
            }
            decoder.decode(reader.initialFrame, into: &inputs)
            inputs.removeAll(keepingCapacity: true)
            node.decoder = decoder
            node.reader = reader
            node.openedAt = SystemClock.monotonicNow()
            node.wasWarned = false
            attach(node)
        case .failure(let error): failed(node, error)
        }
    }

    private func attach(_ node: InputNode) {
        let group = node.group
        switch group.state {
        case .absent:
            let key = newKey(node)
            group.state = .attached(key: key)
            group.assembly = InputAssembly(limits: DecoderChoice.limits(settings))
            daemon.feed(.deviceAttached(key: key, group.facts(by: node)))
        case .busy(let key):
            group.state = .attached(key: key)
            group.assembly = InputAssembly(limits: DecoderChoice.limits(settings))
            daemon.feed(.deviceUsable(key: key))
            tellSurface(node, key)
        case .attached(let key):
            journal.log(.debug, "input.joined", "another node of the device is open: \(node.device.name)", fields(node))
            return tellSurface(node, key)
        }
        for other in group.nodes where other !== node && other.nextTry == nil { open(other) }
    }

    /// A surface is known only when its node is open, which may be after its device was told.
    private func tellSurface(_ node: InputNode, _ key: String) {
        if node.decoder?.layout.surface == nil { return }
        daemon.feed(.deviceChanged(key: key, node.group.facts(by: node)))
    }

    /// A device that comes back is another attachment, even when its node was there all the time.
    private func newKey(_ node: InputNode) -> String {
        attachments += 1
        return "input:\(node.snapshot.instance):\(attachments)"
    }

    private func failed(_ node: InputNode, _ error: EvdevError) {
        switch error {
        case .noAccess, .refused, .busy, .gone, .system:
            if node.tries >= Self.toldFromTry { warn(node, error) }
            if node.tries < Self.maximumTries { tryAgain(node, after: Self.pause(node.tries)) }
        case .stuck, .notEvdev: warn(node, error)
        }
    }

    private func warn(_ node: InputNode, _ error: EvdevError) {
        // A node that is gone will be told as removed.
        if node.wasWarned || error == .gone(node.snapshot.node ?? "") { return }
        node.wasWarned = true
        journal.log(.warning, "input.notOpened", "\(error)", fields(node))
    }

    private static func pause(_ tries: Int) -> UInt64 { retryPauses[min(max(tries, 1), retryPauses.count) - 1] }

    private func tryAgain(_ node: InputNode, after pause: UInt64) {
        node.nextTry = SystemClock.monotonicNow() &+ pause
        schedule()
    }

    private func schedule() {
        if let retry { daemon.loop.setTimer(retry, nodes.values.compactMap(\.nextTry).min()) }
    }

    private func retryOpening(_ now: UInt64) {
        for instance in nodes.keys.sorted() {
            if let node = nodes[instance], let time = node.nextTry, time <= now { open(node) }
        }
        schedule()
    }

    // MARK: Reading

    private func heard(_ notice: EvdevNotice, from instance: UInt64) {
        guard let node = nodes[instance] else { return }
        switch notice {
        case .frame(let frame):
            node.decoder?.decode(frame, into: &inputs)
            pass(node, at: frame.time)
        case .lost: if let key = node.group.key { daemon.feed(.inputLost(key: key)) }
        case .grabRefused(let error): tellUngrabbed(node, error)
        case .gone(let end): ended(node, end)
        }
    }

    private func ended(_ node: InputNode, _ end: EvdevEnd) {
        let now = SystemClock.monotonicNow()
        if now > node.openedAt &+ Self.steadyTime { node.tries = 0 }
        let reason: Reason
        switch end {
        case .unplugged: reason = Reason("surpriseRemoval", .device, "the device was pulled; plug it in again")
        case .revoked:
            reason = Reason("revoked", .local, "another program took our access to it away; it is opened again")
            journal.log(.warning, "input.revoked", "our access to an input device was revoked", fields(node))
        case .failed(let error):
            reason = Reason("readFailed", .device, "it can no longer be read (\(error)); it is opened again")
            journal.log(.warning, "input.failed", "an input device can no longer be read: \(error)", fields(node))
        }
        close(node, reason)
        switch end {
        case .unplugged: break
        case .revoked, .failed:
            node.tries += 1
            if node.tries < Self.maximumTries { tryAgain(node, after: Self.pause(node.tries)) }
        }
    }

    /// Lets go of what is held on a node, and of the device when it was its last whole one.
    private func close(_ node: InputNode, _ reason: Reason) {
        letGo(node)
        guard let key = node.group.key, !node.group.hasOpenWhole else { return }
        for other in node.group.nodes where other.profile.part == .addition {
            other.nextTry = nil
            letGo(other)
        }
        node.group.assembly.end(into: &told)
        publish(node.group, at: SystemClock.monotonicNow())
        node.group.state = .absent
        node.group.maker = nil
        daemon.feed(.deviceDetached(key: key, reason))
    }

    /// A button that is down when its node goes comes up, so that nobody holds it for ever.
    private func letGo(_ node: InputNode) {
        guard let reader = node.reader else { return }
        let now = SystemClock.monotonicNow()
        node.decoder?.end(time: now, into: &inputs)
        node.decoder = nil
        pass(node, at: now)
        node.reader = nil
        reader.close()
    }

    /// Hands on what a node told, as something that its device did.
    private func pass(_ node: InputNode, at time: UInt64) {
        let group = node.group
        if !inputs.isEmpty {
            group.assembly.take(inputs, from: node.number, at: time, into: &told)
            inputs.removeAll(keepingCapacity: true)
            publish(group, at: time)
        }
        schedule(group)
    }

    private func publish(_ group: InputGroup, at time: UInt64) {
        guard !told.isEmpty else { return }
        if let key = group.key {
            let time = daemon.time(of: time)
            for input in told { daemon.feed(.deviceInput(key: key, input, time: time)) }
        }
        told.removeAll(keepingCapacity: true)
    }

    private func schedule(_ group: InputGroup) {
        let deadline = group.nextDeadline
        if deadline == group.deadline { return }
        group.deadline = deadline
        if let due { daemon.loop.setTimer(due, groups.values.compactMap(\.deadline).min()) }
    }

    private func deadlineReached(_ now: UInt64) {
        for name in groups.keys.sorted() {
            guard let group = groups[name], let deadline = group.deadline, deadline <= now else { continue }
            group.deadline = nil
            for node in group.nodes where node.decoder?.nextDeadline.map({ $0 <= now }) == true {
                node.decoder?.deadlineReached(now: now, into: &inputs)
                pass(node, at: now)
            }
            group.assembly.deadlineReached(now: now, into: &told)
            publish(group, at: now)
            schedule(group)
        }
        if let due { daemon.loop.setTimer(due, groups.values.compactMap(\.deadline).min()) }
    }

    // MARK: What is told

    private func decision(_ device: InputDeviceDescription, _ port: String) -> InputDecision {
        table.decision(of: device, isChosen: settings.input.chooses(name: device.name, port: port))
    }

    private func tell(_ decision: InputDecision, _ snapshot: DeviceSnapshot, _ device: InputDeviceDescription) {
        guard let deciding = decision.deciding, !decision.others.isEmpty else { return }
        let others = decision.others.map(\.description).joined(separator: ", ")
        journal.log(
            .info, "input.severalRules", "\(device.name) is taken by the rule \(deciding), which goes before \(others)",
            [LogField("node", snapshot.node ?? ""), LogField("rule", deciding.rule)])
    }

    private func tellUngrabbed(_ node: InputNode, _ error: EvdevError) {
        journal.log(
            .warning, "input.notGrabbed", "the device is read, but other programs read it too: \(error)", fields(node))
    }

    private func fields(_ node: InputNode) -> [LogField] {
        [LogField("node", node.snapshot.node ?? ""), LogField("port", node.port)]
    }
}
