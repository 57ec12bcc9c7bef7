internal import CLibUSB
internal import Glibc
public import LinuxIO
public import RigModel

/// libusb on one loop, without a thread of its own and without its discovery: devices are opened by their node.
///
/// Everything is called, and calls back, on the loop's thread; completions are never called from inside the call that
/// asked. What the kernel can hold up runs as a job with the device's key. Transfers are asynchronous, and called off by
/// our own deadlines.
public final class USBContext {
    let loop: EventLoop
    let jobs: JobPool
    private let context: LibUSBPointer
    private var timer: TimerID?
    private var watches: [(descriptor: Int32, interest: Interest, id: WatchID)] = []
    private var handles: [USBDeviceHandle] = []
    /// Nodes of devices that were given up: libusb still lists them, but nobody waits for them.
    private var abandoned: [Int32] = []
    private var transfers: [USBTransfer] = []
    /// What libusb handed back and nobody has looked at yet.
    private var ended: [(transfer: USBTransfer, handle: USBDeviceHandle)] = []
    /// The list that `ended` is exchanged with, so that neither gives its memory back.
    private var handledEnds: [(transfer: USBTransfer, handle: USBDeviceHandle)] = []
    private var outbox: [USBDelivery] = []
    /// As `handledEnds`, for `outbox`.
    private var told: [USBDelivery] = []
    private var isDelivering = false
    private var isShutDown = false

    /// How long a transfer that is called off, and a device that is closed, may take before the device counts as stuck.
    public static let teardownTime: UInt64 = 2_000_000_000
    /// How long opening may take: libusb asks the device for its configuration and gives it one second for that.
    public static let openTime: UInt64 = 3_000_000_000

    /// Starts libusb. Throws when it cannot be, which is the machine's fault (no memory, no descriptors).
    public init(loop: EventLoop, jobs: JobPool) throws(USBFailure) {
        let discovery = dashrig_libusb_disable_discovery()
        if discovery != 0 {
            throw USBFailure("disable libusb's discovery", String(cString: libusb_error_name(discovery)))
        }
        var raw: OpaquePointer?
        let code = libusb_init(&raw)
        guard code == 0, let raw else { throw USBFailure("start libusb", String(cString: libusb_error_name(code))) }
        self.loop = loop
        self.jobs = jobs
        context = LibUSBPointer(raw: raw)
        timer = loop.addTimer { [weak self] now in self?.deadlineReached(now) }
        watchPollDescriptors()
    }

    deinit { shutDown() }

    /// Opens a device by its node. `key` is the key of its jobs: one per device. When `expected` is given and another
    /// device answers, the node was reused in between and the outcome is `gone`.
    public func open(
        node: String, key: UInt64, expected: USBDeviceDescription? = nil, within time: UInt64 = USBContext.openTime,
        completion: @escaping (USBOutcome<USBDeviceHandle>) -> Void
    ) {
        let context = context
        run(
            key: key, within: time, discarding: { LibUSBJobs.discard($0) }, { LibUSBJobs.open(context, node: node) }
        ) { [weak self] outcome in
            guard let self, !self.isShutDown else {
                LibUSBJobs.discard(outcome)
                return completion(.cancelled)
            }
            if let device = outcome.value, let expected, !expected.isSameDevice(as: device.description) {
                libusb_close(device.handle.raw)
                self.closeNode(device.descriptor, key: key) { _ in completion(.gone) }
                return
            }
            completion(outcome.map { self.adopt($0, node: node, key: key) })
        }
    }

    private func adopt(_ device: OpenedDevice, node: String, key: UInt64) -> USBDeviceHandle {
        let handle = USBDeviceHandle(context: self, device: device, node: node, key: key)
        handles.append(handle)
        watchPollDescriptors()
        return handle
    }

    /// Devices that are open or being closed.
    public var openDevices: Int { handles.count }

    /// Transfers that the kernel has.
    public var transfersInFlight: Int { transfers.count }

    /// Ends libusb. Devices that are still open are left to the end of the process, and libusb with them: waiting for
    /// them could take for ever.
    public func shutDown() {
        if isShutDown { return }
        isShutDown = true
        for watch in watches { loop.remove(watch.id) }
        watches = []
        if let timer { loop.removeTimer(timer) }
        timer = nil
        outbox = []
        if handles.isEmpty && abandoned.isEmpty && transfers.isEmpty { libusb_exit(context.raw) }
        handles = []
    }

    // MARK: For handles

    /// Runs a blocking call as a job and turns its end into an outcome; a call that does not return is `stuck`.
    func run<Value: Sendable>(
        key: UInt64, within time: UInt64, discarding: (@Sendable (USBOutcome<Value>) -> Void)? = nil,
        _ work: @escaping @Sendable () -> USBOutcome<Value>, completion: @escaping (USBOutcome<Value>) -> Void
    ) {
        let deadline = SystemClock.monotonicNow().addingReportingOverflow(time)
        do throws(JobRefusal) {
            try jobs.submit(
                key: key, deadline: deadline.overflow ? .max : deadline.partialValue, discarding: discarding, work
            ) { outcome in
                switch outcome {
                case .finished(let result): completion(result)
                case .abandoned(hasStarted: true): completion(.stuck)
                case .abandoned(hasStarted: false): completion(.timedOut)
                }
            }
        } catch {
            later { completion(.refused(error)) }
        }
    }

    /// Closes a device's node in a job, since the kernel gives the device's interfaces and transfers back in it. False
    /// when that did not return or could not be done.
    func closeNode(_ descriptor: Int32, key: UInt64, attempts: Int = 3, completion: @escaping (Bool) -> Void) {
        run(
            key: key, within: Self.teardownTime,
            { () -> USBOutcome<Bool> in
                Glibc.close(descriptor)
                return .ok(true)
            },
            completion: { outcome in
                switch outcome {
                case .refused where attempts > 1, .timedOut where attempts > 1:
                    self.closeNode(descriptor, key: key, attempts: attempts - 1, completion: completion)
                default: completion(outcome == .ok(true))
                }
            })
    }

    /// Submits a transfer and watches over its deadline; the code of libusb when it is not taken.
    func submit(_ transfer: USBTransfer) -> Int32 {
        let code = transfer.submit()
        if code == 0 {
            transfers.append(transfer)
            updateTimer()
        }
        return code
    }

    /// libusb handed a transfer back. It holds its locks while it says so: nothing of libusb may be called here.
    func returned(_ transfer: USBTransfer, of handle: USBDeviceHandle) { ended.append((transfer, handle)) }

    /// Calls something after the current work, on the loop.
    func later(_ work: @escaping () -> Void) {
        outbox.append(.work(work))
        updateTimer()
    }

    /// Tells something after the current work, on the loop.
    func later(_ delivery: USBDelivery) {
        outbox.append(delivery)
        updateTimer()
    }

    /// A handle has let go of its device.
    func closed(_ handle: USBDeviceHandle) {
        handles.removeAll { $0 === handle }
        watchPollDescriptors()
        updateTimer()
    }

    /// A handle gave its device up; libusb keeps it, and nobody waits for its node any more.
    func abandon(_ handle: USBDeviceHandle, descriptor: Int32) {
        handles.removeAll { $0 === handle }
        abandoned.append(descriptor)
        transfers.removeAll { !$0.isInFlight }
        watchPollDescriptors()
        updateTimer()
    }

    /// Stops waiting for a node before it is closed.
    func unwatch(_ descriptor: Int32) {
        guard let index = watches.firstIndex(where: { $0.descriptor == descriptor }) else { return }
        loop.remove(watches.remove(at: index).id)
    }

    func updateTimer() {
        guard let timer else { return }
        var earliest: UInt64? = outbox.isEmpty ? nil : 0
        for transfer in transfers {
            if let deadline = transfer.nextDeadline { earliest = min(earliest ?? .max, deadline) }
        }
        for handle in handles {
            if let deadline = handle.nextDeadline { earliest = min(earliest ?? .max, deadline) }
        }
        loop.setTimer(timer, earliest)
    }

    // MARK: Events

    private func deadlineReached(_ now: UInt64) {
        for handle in handles { handle.deadlineReached(now) }
        settle()
    }

    private func handleEvents() {
        var none = timeval()
        // Its errors are interruptions and bad descriptors; what concerns a device comes with its transfers.
        _ = libusb_handle_events_timeout_completed(context.raw, &none, nil)
        // libusb stops waiting for a node whose device is gone; else it would be ready for ever.
        var findsChange = ended.isEmpty
        swap(&ended, &handledEnds)
        for (transfer, handle) in handledEnds {
            transfers.removeAll { $0 === transfer }
            if let result = transfer.takeResult() { outbox.append(result) }
            if transfer.foundDeviceGone { findsChange = true }
            handle.transferEnded(foundGone: transfer.foundDeviceGone)
        }
        handledEnds.removeAll(keepingCapacity: true)
        if findsChange { watchPollDescriptors() }
        settle()
    }

    private func settle() {
        if !isDelivering {
            isDelivering = true
            defer { isDelivering = false }
            while !outbox.isEmpty {
                swap(&outbox, &told)
                for delivery in told { delivery.tell() }
                told.removeAll(keepingCapacity: true)
            }
        }
        updateTimer()
    }

    /// Brings the loop's watches in line with what libusb waits for.
    private func watchPollDescriptors() {
        if isShutDown { return }
        var wanted: [(descriptor: Int32, interest: Interest)] = []
        if let list = libusb_get_pollfds(context.raw) {
            var entry = list
            while let item = entry.pointee {
                var interest: Interest = []
                if item.pointee.events & 0x001 != 0 { interest.insert(.read) }  // POLLIN
                if item.pointee.events & 0x004 != 0 { interest.insert(.write) }  // POLLOUT
                if !abandoned.contains(item.pointee.fd) { wanted.append((item.pointee.fd, interest)) }
                entry += 1
            }
            libusb_free_pollfds(list)
        }
        watches.removeAll { watch in
            if wanted.contains(where: { $0.descriptor == watch.descriptor && $0.interest == watch.interest }) {
                return false
            }
            loop.remove(watch.id)
            return true
        }
        for item in wanted where !watches.contains(where: { $0.descriptor == item.descriptor }) {
            // A node that cannot be waited for belongs to a device whose transfers fail by their deadlines.
            guard
                let id = try? loop.add(
                    item.descriptor, item.interest, handler: { [weak self] _ in self?.handleEvents() })
            else { continue }
            watches.append((item.descriptor, item.interest, id))
        }
    }
}

extension USBDeviceDescription {
    /// Whether two descriptions can be of one plug of one device: ids and release agree.
    fileprivate func isSameDevice(as other: USBDeviceDescription) -> Bool {
        vendor == other.vendor && product == other.product && release == other.release
    }
}
