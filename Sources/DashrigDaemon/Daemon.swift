import ConfigurationFiles
import LinuxIO
import RigConfiguration
import RigCore
import RigModel
import ServiceManager
import VarlinkProtocol

/// The one place where the core meets the world: a loop that feeds it what happens and performs what it returns.
///
/// Everything runs on the thread that calls `run`. Events that arise while actions are performed wait in a queue, so
/// that `RigCore.handle` is never entered twice.
final class Daemon {
    let loop: EventLoop
    let journal: Journal
    let version: String
    private let options: DaemonOptions
    private let server: ClientServer
    private let notifier: Notifier
    private let signals: SignalDescriptor
    private let base: UInt64
    private(set) var configuration: Configuration
    private var core: RigCore
    private var buffer = ActionBuffer()
    private var waiting: [CoreEvent] = []
    private var isFeeding = false
    private var isStopping = false
    private var watchdog: TimerID?
    private let watchdogInterval: UInt64?
    /// Opens, feeds and closes the pipes of devices: performs `openWire`, `transmit` and `closeWire`.
    var onWire: ((CoreAction) -> Void)?
    /// Tells a device to change its mode: performs `switchMode`.
    var onSwitchMode: ((String, ModeSwitch) -> Void)?
    /// Signs and verifies: answers a question with `signerAnswered`.
    var onQuestion: ((SignerTicket, SignerQuestion) -> Void)?
    /// Makes the signer ready, since a session waits for it.
    var onSignerNeeded: (() -> Void)?
    /// Told when the configuration was read again.
    var onReconfigured: [(Configuration) -> Void] = []

    init(
        options: DaemonOptions, configuration: Configuration, loop: EventLoop, journal: Journal,
        signals: consuming SignalDescriptor, notifier: consuming Notifier, watchdogInterval: UInt64?, bootID: String,
        version: String
    ) throws(InterfaceError) {
        self.options = options
        self.configuration = configuration
        self.loop = loop
        self.journal = journal
        self.version = version
        self.signals = signals
        self.notifier = notifier
        self.watchdogInterval = watchdogInterval
        base = SystemClock.monotonicNow()
        var random = SystemRandomNumberGenerator()
        let settings = CoreSettings(configuration, version: version)
        core = RigCore(
            settings: settings,
            identity: CoreIdentity(
                epoch: Self.hexadecimal(random.next(), random.next()), base: base,
                realtime: SystemClock.realtimeNow(), bootID: bootID, seed: random.next()))
        server = try ClientServer(
            loop: loop, journal: journal, limits: ClientServer.Limits(configuration.settings.limits), version: version,
            tokens: {
                var random = SystemRandomNumberGenerator()
                return Self.hexadecimal(random.next(), random.next())
            })
        server.onEvent = { [unowned self] in feed($0) }
    }

    /// 128 bits as text: nobody guesses it.
    private static func hexadecimal(_ high: UInt64, _ low: UInt64) -> String {
        func digits(_ value: UInt64) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits(high) + digits(low)
    }

    /// Nanoseconds from the daemon's start.
    var now: UInt64 { SystemClock.monotonicNow() - base }

    /// A time of CLOCK_MONOTONIC as the core counts.
    func time(of monotonic: UInt64) -> UInt64 { monotonic > base ? monotonic - base : 0 }

    // MARK: Feeding the core

    /// Tells the core what happened and performs what it wants done.
    func feed(_ event: CoreEvent) {
        guard !isFeeding else {
            waiting.append(event)
            return
        }
        isFeeding = true
        take(event)
        var place = 0
        while place < waiting.count {
            take(waiting[place])
            place += 1
        }
        waiting.removeAll(keepingCapacity: true)
        isFeeding = false
        loop.setDeadline(core.nextDeadline.map { $0 &+ base })
    }

    private func take(_ event: CoreEvent) {
        let now = now
        core.handle(event, at: now, into: &buffer)
        journal.log(buffer.events)
        server.perform(buffer, now: now)
        for action in buffer.actions { performOutside(action) }
        buffer.removeAll()
    }

    /// Performs what concerns neither a client nor the journal.
    private func performOutside(_ action: CoreAction) {
        switch action {
        case .openWire(let link, _):
            guard let onWire else {
                return feed(.wireEnded(link, Reason("noUSB", .local, "USB devices are not watched; see usb.enabled")))
            }
            onWire(action)
        case .transmit, .closeWire: onWire?(action)
        case .switchMode(let key, let mode):
            guard let onSwitchMode else {
                let reason = Reason("noUSB", .local, "USB devices are not watched; see usb.enabled")
                return feed(.modeAnswered(key: key, mode, refusal: reason))
            }
            onSwitchMode(key, mode)
        case .prepareSigner: onSignerNeeded?()
        case .askSigner(let ticket, let question):
            guard let onQuestion else {
                return feed(.signerAnswered(ticket, .unavailable("the daemon has no signer")))
            }
            onQuestion(ticket, question)
        case .deliver, .reply, .open, .fail, .scenarioWrong, .capture, .close: break
        }
    }

    // MARK: Running

    /// Takes connections for an interface from now on.
    func listen(_ listener: consuming UnixListener, interface: String) throws(SystemError) {
        try server.listen(listener, interface: interface)
    }

    /// Serves until it is told to stop.
    func run() throws(SystemError) {
        _ = try loop.add(signals.rawValue, .read) { [unowned self] _ in takeSignals() }
        loop.onDeadline = { [unowned self] _ in feed(.deadlineReached) }
        loop.beforeWait = { [unowned self] in server.flush() }
        if let watchdogInterval {
            let timer = loop.addTimer { [unowned self] now in
                tell(.watchdog)
                if let watchdog { loop.setTimer(watchdog, now &+ watchdogInterval) }
            }
            watchdog = timer
            loop.setTimer(timer, SystemClock.monotonicNow() &+ watchdogInterval)
        }
        tell(.ready)
        journal.log(
            .info, "daemon.ready", "dashrigd \(version) is ready",
            [LogField("version", version), LogField("instance", configuration.settings.instance ?? "")])
        do throws(FileError) {
            try ProcessMemory.releaseStartUpCode()
        } catch {
            journal.log(.debug, "daemon.memory", "the start's code stays resident: \(error)")
        }
        try loop.run()
        server.flush()
        journal.log(.info, "daemon.stopped", "dashrigd has stopped")
    }

    private func tell(_ state: ServiceState) {
        do throws(NotifyError) {
            _ = try notifier.notify(state)
        } catch {
            journal.log(.warning, "daemon.notifyFailed", "\(error)")
        }
    }

    private func takeSignals() {
        while true {
            let signal: ReceivedSignal?
            do throws(SystemError) {
                signal = try signals.next()
            } catch {
                journal.log(.error, "daemon.signalFailed", "signals can no longer be read: \(error)")
                loop.stop()
                return
            }
            guard let signal else { return }
            switch signal.number {
            case StopSignals.hangUp: reload()
            default: stop(signal)
            }
        }
    }

    private func stop(_ signal: ReceivedSignal) {
        guard !isStopping else { return }
        isStopping = true
        tell(.stopping)
        journal.log(
            .info, "daemon.stopping", "dashrigd was told to stop",
            [LogField("signal", String(signal.number)), LogField("pid", String(signal.senderPID))])
        server.stopListening()
        loop.stop()
    }

    private func reload() {
        tell(.reloading(at: SystemClock.monotonicNow()))
        do throws(ConfigurationProblems) {
            let loaded = try ConfigurationLoading(path: options.configuration).load()
            configuration = loaded
            server.limits = ClientServer.Limits(loaded.settings.limits)
            feed(.reconfigured(CoreSettings(loaded, version: version)))
            for told in onReconfigured { told(loaded) }
        } catch {
            for line in error.lines { journal.log(.error, "configuration.problem", line) }
            feed(.configurationRefused(error.lines.joined(separator: "\n")))
        }
        tell(.ready)
    }
}

/// The numbers of the signals that the daemon reads, as the kernel knows them on every Linux architecture.
enum StopSignals {
    static let hangUp: Int32 = 1
    static let interrupt: Int32 = 2
    static let terminate: Int32 = 15
    static let all = [hangUp, interrupt, terminate]
}

extension ClientServer.Limits {
    init(_ limits: RigLimits) {
        self.init(
            rigCallBytes: limits.rigCallBytes, appCallBytes: limits.appCallBytes, queueBytes: limits.queueBytes)
    }
}
