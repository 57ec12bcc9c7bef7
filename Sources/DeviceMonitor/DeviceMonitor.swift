internal import Glibc
public import LinuxIO

/// How the monitor works.
public struct MonitorSettings: Equatable, Sendable {
    /// The times of the inventory.
    public var inventory = InventorySettings()
    /// The receive buffer to ask the kernel for, in bytes. A USB device with four interfaces brings about 20 KiB of
    /// messages; a hub full of them must not overflow.
    public var bufferSize: Int32 = 8 << 20
    /// How long a look at one device's attributes may take before its driver counts as hanging.
    public var probeTime: UInt64 = 5_000_000_000
    /// How long a listing of all devices may take.
    public var listingTime: UInt64 = 10_000_000_000

    /// The daemon's settings.
    public init() {}
}

/// Watches USB devices and input nodes through udev, on one loop.
///
/// Everything happens on the loop's thread, with two exceptions that run as jobs, since drivers can hold them up:
/// listing all devices, and reading one device's attributes. The handler is called after the monitor's own state is in
/// order, never from inside libudev, and may call the monitor. No udev object leaves: all is values.
///
/// Every device comes as `added` once per plug and `removed` once, whatever udev's messages did meanwhile.
public final class DeviceMonitor {
    private let loop: EventLoop
    private let jobs: JobPool
    private let settings: MonitorSettings
    private let handler: (DeviceChange) -> Void
    private var inventory: DeviceInventory
    private var socket: UdevSocket?
    private var watch: WatchID?
    private var timer: TimerID?
    /// Looks that wait for a turn: more at once would fill the pool that others need too.
    private var queuedProbes: [ProbeRequest] = []
    private var runningProbes = 0
    private var reports: [DeviceChange] = []
    private var isReporting = false
    private var actions: [InventoryAction] = []

    private static let maximumProbes = 4
    /// So many events are taken per turn of the loop, so that a storm of them leaves room for everyone else.
    private static let eventsPerTurn = 256
    /// Keys of our jobs have the highest bit, so that they never meet a device id of the daemon.
    private static let keySpace: UInt64 = 1 << 63

    /// A monitor that does not run yet.
    public init(
        loop: EventLoop, jobs: JobPool, settings: MonitorSettings = MonitorSettings(),
        relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance = { _ in .reportedWhenAccessible },
        handler: @escaping (DeviceChange) -> Void
    ) {
        self.loop = loop
        self.jobs = jobs
        self.settings = settings
        self.handler = handler
        inventory = DeviceInventory(settings: settings.inventory, relevance: relevance)
    }

    deinit { detach() }

    /// Opens the monitor, then lists what is there. Throws when udev's socket cannot be opened, which is the
    /// machine's fault: no netlink in the sandbox, no descriptors left.
    public func start() throws(SystemError) {
        try openSocket()
        timer = loop.addTimer { [weak self] now in
            self?.update { $0.deadlineReached(now: now, into: &$1) }
        }
        update { inventory, actions in inventory.start(into: &actions) }
    }

    /// Ends it: the handler is not called any more. A stopped monitor is not started again; make a new one.
    public func stop() {
        detach()
        queuedProbes = []
        reports = []
    }

    /// Reads everything again, as after lost events: for a resume from suspend, or when somebody asks.
    public func resynchronize() {
        guard timer != nil else { return }
        update { $0.eventsLost(.requested, now: SystemClock.monotonicNow(), into: &$1) }
    }

    /// Judges devices by other rules from now on, and reads everything again: after a reload of the configuration.
    public func judge(by relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance) {
        update { $0.judge(by: relevance, now: SystemClock.monotonicNow(), into: &$1) }
    }

    /// When the monitor wakes the loop next by itself, or `nil` when only an event can. For people and tests: the
    /// monitor keeps a timer of its own.
    public var nextDeadline: UInt64? { inventory.nextDeadline }

    /// The devices that are there but lack something.
    public var pending: [PendingDevice] { inventory.pending }

    /// The devices that were reported and are not gone.
    public var devices: [DeviceSnapshot] { inventory.reported }

    // MARK: The socket

    private func openSocket() throws(SystemError) {
        closeSocket()
        let socket = try UdevSocket(bufferSize: settings.bufferSize)
        watch = try loop.add(socket.descriptor, .read) { [weak self] readiness in self?.receive(readiness) }
        self.socket = socket
    }

    private func closeSocket() {
        if let watch { loop.remove(watch) }
        watch = nil
        socket = nil
    }

    private func receive(_ readiness: Readiness) {
        guard let socket else { return }
        let now = SystemClock.monotonicNow()
        var failure: ResynchronizationReason?
        receiving: for _ in 0..<Self.eventsPerTurn {
            switch socket.receive() {
            case .event(let action, let sighting):
                inventory.received(action, sighting, now: now, into: &actions)
            case .other: continue
            case .empty: break receiving
            case .failed(ENOBUFS): failure = .overflow
            case .failed(let number):
                failure = .receiveFailed(number)
                break receiving
            }
        }
        if failure == nil && !readiness.isDisjoint(with: [.error, .hangUp]) { failure = .receiveFailed(EIO) }
        if let failure {
            // A socket that failed may stay ready for ever; after an overflow it is still good.
            if failure != .overflow { closeSocket() }
            inventory.eventsLost(failure, now: now, into: &actions)
        }
        perform()
    }

    // MARK: What the inventory asks for

    private func update(_ change: (inout DeviceInventory, inout [InventoryAction]) -> Void) {
        change(&inventory, &actions)
        perform()
    }

    private func perform() {
        // A look that is refused at once has consequences of its own.
        repeat {
            let batch = actions
            actions = []
            for action in batch {
                switch action {
                case .enumerate(let reason): enumerate(reason)
                case .probe(let request): queuedProbes.append(request)
                case .report(let change): reports.append(change)
                }
            }
            startProbes()
        } while !actions.isEmpty
        if let timer { loop.setTimer(timer, inventory.nextDeadline) }
        report()
    }

    private func enumerate(_ reason: ResynchronizationReason?) {
        let now = SystemClock.monotonicNow()
        do throws(SystemError) {
            // What waits in the old socket is older than the list that is made now.
            if reason != nil { try openSocket() }
        } catch {
            inventory.enumerationFailed(now: now)
            return
        }
        do throws(JobRefusal) {
            try jobs.submit(
                key: Self.keySpace, deadline: now &+ settings.listingTime, { UdevListing.run() },
                completion: { [weak self] outcome in self?.listed(outcome) })
        } catch {
            inventory.enumerationFailed(now: now)
        }
    }

    private func listed(_ outcome: JobOutcome<Result<[DeviceSighting], SystemError>>) {
        guard timer != nil else { return }
        let now = SystemClock.monotonicNow()
        update { inventory, actions in
            switch outcome {
            case .finished(.success(let sightings)): inventory.enumerated(sightings, now: now, into: &actions)
            case .finished(.failure), .abandoned: inventory.enumerationFailed(now: now)
            }
        }
    }

    private func startProbes() {
        while runningProbes < Self.maximumProbes, !queuedProbes.isEmpty {
            let request = queuedProbes.removeFirst()
            let sighting = request.sighting
            let now = SystemClock.monotonicNow()
            do throws(JobRefusal) {
                try jobs.submit(
                    key: Self.keySpace | request.instance, deadline: now &+ settings.probeTime,
                    { SysfsProbe.run(sighting) },
                    completion: { [weak self] outcome in self?.probed(request.id, outcome) })
                runningProbes += 1
            } catch {
                inventory.probed(request.id, .refused, now: now, into: &actions)
            }
        }
    }

    private func probed(_ id: ProbeID, _ outcome: JobOutcome<ProbeOutcome>) {
        guard timer != nil else { return }
        runningProbes -= 1
        let result: ProbeOutcome =
            switch outcome {
            case .finished(let result): result
            case .abandoned(let hasStarted): hasStarted ? .abandoned : .refused
            }
        update { $0.probed(id, result, now: SystemClock.monotonicNow(), into: &$1) }
    }

    private func report() {
        if isReporting { return }
        isReporting = true
        defer { isReporting = false }
        while !reports.isEmpty {
            let batch = reports
            reports = []
            for change in batch where timer != nil { handler(change) }
        }
    }

    private func detach() {
        closeSocket()
        if let timer { loop.removeTimer(timer) }
        timer = nil
    }
}
