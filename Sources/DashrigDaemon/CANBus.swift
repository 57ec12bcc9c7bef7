import CANInput
import InputCore
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager

/// Controllers on CAN buses: those that `[input] can` names, each on a socket of its own. What one cannot do never stops
/// another. A controller is a device from its first frame on until its interface is down or gone.
final class CANBus {
    private let daemon: Daemon
    private let journal: Journal
    private var sources: [CANSource] = []
    private var timer: TimerID?
    private var attachments: UInt64 = 0
    // Kept allocated from frame to frame.
    private var inputs: [DeviceInput] = []
    private var told: [DeviceInput] = []
    private var frames: [CANFrame] = []

    /// How often an interface that is not there is looked for: ours.
    private static let pause: UInt64 = 2_000_000_000

    init(daemon: Daemon) {
        self.daemon = daemon
        journal = daemon.journal
        timer = daemon.loop.addTimer { [unowned self] now in deadlineReached(now) }
    }

    /// Opens what the configuration names, and closes what it no longer names, or what it now says is something else.
    func configure(_ configuration: Configuration) {
        let limits = configuration.settings.intentLimits
        var kept: [CANSource] = []
        for choice in configuration.settings.input.can {
            // An unknown controller is a problem of the configuration, which was refused then.
            guard let profile = configuration.can.profiles.first(where: { $0.name == choice.controller })
            else { continue }
            let known = sources.first { $0.choice == choice && $0.profile == profile && $0.limits == limits }
            kept.append(known ?? CANSource(choice, profile, limits))
        }
        let reason = Reason("notConfigured", .client, "the configuration no longer names it")
        for source in sources where !kept.contains(where: { $0 === source }) { close(source, reason) }
        sources = kept
        for source in sources where source.state.isNew { open(source) }
        schedule()
    }

    func stop() {
        for source in sources { source.socket?.close() }
        sources = []
    }

    // MARK: Opening

    private func open(_ source: CANSource) {
        do throws(CANError) {
            let socket = try CANSocket(
                interface: source.choice.interface, identifiers: source.profile.layout.identifiers, loop: daemon.loop,
                handler: { [weak self, weak source] notice in
                    if let self, let source { heard(notice, source) }
                })
            source.state = .open(socket)
            source.warned = ""
            source.schedule.opened(now: SystemClock.monotonicNow(), into: &frames)
            send(source)
        } catch {
            warn(source, "can.notOpened", "\(error)")
            switch error {
            case .noKernelSupport, .notCAN: source.state = .ended
            case .noInterface, .noAccess, .system:
                source.state = .waiting(next: SystemClock.monotonicNow() &+ Self.pause)
            }
        }
    }

    // MARK: Reading

    private func heard(_ notice: CANNotice, _ source: CANSource) {
        switch notice {
        case .frame(let frame): take(frame, source)
        case .busError(let error): tell(error, source)
        case .down: wentDown(source)
        case .ended(.gone):
            journal.log(.warning, "can.gone", "the interface is gone; it is opened when it is back", fields(source))
            close(source, Reason("surpriseRemoval", .device, "its CAN interface is gone; plug the adapter in again"))
            source.state = .waiting(next: SystemClock.monotonicNow() &+ Self.pause)
        case .ended(.failed(let error)):
            journal.log(.warning, "can.failed", "the interface can no longer be read: \(error)", fields(source))
            close(
                source, Reason("readFailed", .device, "its CAN interface cannot be read (\(error)); it is opened again")
            )
            source.state = .waiting(next: SystemClock.monotonicNow() &+ Self.pause)
        }
        schedule()
    }

    private func take(_ frame: CANFrame, _ source: CANSource) {
        isUp(source)
        let hearing = source.decoder.decode(frame, into: &inputs)
        if hearing == .foreign { return }
        if source.key == nil { attach(source) }
        source.schedule.heard(hearing, now: frame.time, into: &frames)
        pass(source, at: frame.time)
        send(source)
    }

    private func tell(_ error: CANBusError, _ source: CANSource) {
        let text =
            switch error {
            case .off: "the bus is switched off after too many errors; check its bit rate and ends, then restart it"
            case .restarted: "the bus was restarted"
            case .passive: "there are many errors on the bus; check its bit rate and its ends"
            case .overflow: "frames were lost: more came than could be read"
            }
        journal.log(error == .restarted ? .notice : .warning, "can.bus", text, fields(source))
        if error == .overflow, let key = source.key { daemon.feed(.inputLost(key: key)) }
    }

    private func wentDown(_ source: CANSource) {
        if source.isDown { return }
        source.isDown = true
        journal.log(.warning, "can.down", "the interface is down; set it up, with its bit rate", fields(source))
        detach(source, Reason("interfaceDown", .local, "its CAN interface is down; set it up again"))
    }

    private func isUp(_ source: CANSource) {
        guard source.isDown else { return }
        source.isDown = false
        journal.log(.notice, "can.up", "the interface is up again", fields(source))
    }

    // MARK: What the controller is told

    private func send(_ source: CANSource) {
        defer { frames.removeAll(keepingCapacity: true) }
        guard let socket = source.socket else { return }
        for frame in frames {
            switch socket.send(frame) {
            case .sent:
                isUp(source)
                source.isFull = false
            case .full:
                if source.isFull { continue }
                source.isFull = true
                journal.log(
                    .warning, "can.full", "nobody on the bus takes what is sent to the controller", fields(source))
            case .down: wentDown(source)
            case .failed(let error): warn(source, "can.notSent", "\(error)")
            }
        }
    }

    // MARK: The device

    private func attach(_ source: CANSource) {
        attachments += 1
        let key = "can:\(attachments)"
        source.key = key
        var facts = source.profile.facts(on: source.choice.interface)
        facts.surface = source.decoder.surface
        source.assembly = InputAssembly(limits: source.limits)
        daemon.feed(.deviceAttached(key: key, facts))
    }

    private func detach(_ source: CANSource, _ reason: Reason) {
        let now = SystemClock.monotonicNow()
        source.decoder.end(time: now, into: &inputs)
        pass(source, at: now)
        source.assembly.end(into: &told)
        publish(source, at: now)
        guard let key = source.key else { return }
        source.key = nil
        daemon.feed(.deviceDetached(key: key, reason))
    }

    private func close(_ source: CANSource, _ reason: Reason) {
        detach(source, reason)
        source.schedule.closed()
        source.socket?.close()
        source.state = .ended
        source.isDown = false
    }

    private func pass(_ source: CANSource, at time: UInt64) {
        guard !inputs.isEmpty else { return }
        source.assembly.take(inputs, from: 0, at: time, into: &told)
        inputs.removeAll(keepingCapacity: true)
        publish(source, at: time)
    }

    private func publish(_ source: CANSource, at time: UInt64) {
        guard !told.isEmpty else { return }
        if let key = source.key {
            let time = daemon.time(of: time)
            for input in told { daemon.feed(.deviceInput(key: key, input, time: time)) }
        }
        told.removeAll(keepingCapacity: true)
    }

    private func schedule() {
        if let timer { daemon.loop.setTimer(timer, sources.compactMap(\.nextDeadline).min()) }
    }

    private func deadlineReached(_ now: UInt64) {
        for source in sources where source.nextDeadline.map({ $0 <= now }) == true {
            switch source.state {
            case .waiting: open(source)
            case .open:
                source.decoder.deadlineReached(now: now, into: &inputs)
                pass(source, at: now)
                source.assembly.deadlineReached(now: now, into: &told)
                publish(source, at: now)
                source.schedule.deadlineReached(now: now, into: &frames)
                send(source)
            case .new, .ended: break
            }
        }
        schedule()
    }

    // MARK: What is told

    /// Tells a trouble once, and again when it is another.
    private func warn(_ source: CANSource, _ name: String, _ text: String) {
        guard source.warned != text else { return }
        source.warned = text
        journal.log(.warning, name, "[input] can = \(source.setting): \(text)", fields(source))
    }

    private func fields(_ source: CANSource) -> [LogField] {
        [LogField("interface", source.choice.interface), LogField("controller", source.choice.controller)]
    }
}

/// One controller that the configuration names.
final class CANSource {
    enum State {
        /// It was just named. Exits: open, waiting, ended.
        case new
        /// Its interface is not there, or may not be used. Exits: open, ended.
        case waiting(next: UInt64)
        /// It is listened to. Exits: waiting, ended.
        case open(CANSocket)
        /// It is no longer named, or never will be heard here. No exits.
        case ended

        var isNew: Bool {
            switch self {
            case .new: true
            case .waiting, .open, .ended: false
            }
        }
    }

    let choice: CANChoice
    let profile: CANProfile
    let limits: IntentLimits
    var state = State.new
    var decoder: CANInputDecoder
    var assembly: InputAssembly
    var schedule: CANSchedule
    /// By what the core knows it, from its first frame on.
    var key: String?
    var isDown = false
    /// Whether what is sent to it was refused last.
    var isFull = false
    /// The trouble that was told last.
    var warned = ""

    init(_ choice: CANChoice, _ profile: CANProfile, _ limits: IntentLimits) {
        self.choice = choice
        self.profile = profile
        self.limits = limits
        decoder = CANInputDecoder(profile.layout, limits: limits)
        assembly = InputAssembly(limits: limits)
        schedule = CANSchedule(profile.layout)
    }

    /// As the configuration writes it.
    var setting: String { "\(choice.interface):\(choice.controller)" }

    var socket: CANSocket? {
        switch state {
        case .open(let socket): socket
        case .new, .waiting, .ended: nil
        }
    }

    var nextDeadline: UInt64? {
        switch state {
        case .new, .ended: nil
        case .waiting(let next): next
        case .open: [decoder.nextDeadline, assembly.nextDeadline, schedule.nextDeadline].compactMap(\.self).min()
        }
    }
}
