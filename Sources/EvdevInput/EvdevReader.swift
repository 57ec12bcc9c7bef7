internal import CLinux
internal import Glibc
public import LinuxIO
public import RigModel

/// Reads one evdev node on a loop: what is there in one go, every whole frame in its order.
///
/// After `SYN_DROPPED` it leaves the torn frame out, empties the queue, reads keys, axes and slots back and tells what
/// differs from what it told before. The device is given back when the reader closes, whatever the reason; the kernel
/// ends a grab with the descriptor.
public final class EvdevReader {
    /// What the device calls itself and what it can do, read from the node itself.
    public let description: InputDeviceDescription
    /// The node.
    public let node: String
    /// How the node stood when it was opened, for its decoder; the handler's first frame follows it.
    public let initialFrame: EvdevFrame

    /// Whether other programs get something of the device.
    private enum Grab {
        /// They do. Exits: waiting, taken (`setGrab`).
        case off
        /// They do, until no key is held any more. Exits: taken, off (the kernel refuses it, `setGrab`).
        case waiting
        /// They get nothing. Exits: off (`setGrab`, `close`).
        case taken
    }

    private let loop: EventLoop
    private let jobs: JobPool
    private let key: UInt64
    private let handler: (EvdevNotice) -> Void
    /// Nil once it is closed.
    private var file: OwnedDescriptor?
    private var watch: WatchID?
    private var grab: Grab
    private var records = EvdevRecords()
    private var stream: EvdevStream
    /// What the kernel said of the node while the queue was empty, until it is known that it was empty afterwards too.
    private var readBack: EvdevStanding?
    private var readBackCount = 0
    private let buffer: UnsafeMutableRawBufferPointer

    /// 256 events: more than the kernel's ring holds for any knob (it has 64 at least, and 8 frames of the device's
    /// largest packet).
    private static let eventsPerRead = 256
    private static let closeTime: UInt64 = 2_000_000_000
    /// So many buffers are read per turn of the loop, so that a device gone mad leaves room for everyone else.
    private static let readsPerTurn = 4
    /// After a loss the queue is emptied in one turn: so many buffers hold any ring that a driver asks for.
    private static let readsPerDrain = 64
    /// How often axes and slots are read back because something came meanwhile; a pad at 1 kHz rarely needs a second
    /// time. The last answer is told in any case, and the queue is drained on.
    private static let readBacks = 4

    /// Opens a node in a job and begins to read it on the loop. `completion` is called once, on the loop.
    ///
    /// `EvdevError.noAccess` and `refused` are worth another try, `gone` and `stuck` are not. `key` is the key of the
    /// device's jobs; closing is one too.
    public static func open(
        node: String, loop: EventLoop, jobs: JobPool, key: UInt64, grab: Bool = false,
        within time: UInt64 = 3_000_000_000, handler: @escaping (EvdevNotice) -> Void,
        completion: @escaping (Result<EvdevReader, EvdevError>) -> Void
    ) throws(EvdevError) {
        let deadline = SystemClock.monotonicNow().addingReportingOverflow(time)
        do throws(JobRefusal) {
            try jobs.submit(
                key: key, deadline: deadline.overflow ? .max : deadline.partialValue,
                discarding: { OpenedEvdev.discard($0) }, { OpenedEvdev.open(node, grab: grab) }
            ) { outcome in
                switch outcome {
                case .finished(.success(let opened)):
                    completion(
                        Result { () throws(EvdevError) in
                            try EvdevReader(
                                opened, node: node, loop: loop, jobs: jobs, key: key, grab: grab, handler: handler)
                        })
                case .finished(.failure(let error)): completion(.failure(error))
                case .abandoned(hasStarted: true): completion(.failure(.stuck(node)))
                case .abandoned(hasStarted: false): completion(.failure(.refused(node)))
                }
            }
        } catch {
            throw .refused(node)
        }
    }

    private init(
        _ opened: OpenedEvdev, node: String, loop: EventLoop, jobs: JobPool, key: UInt64, grab: Bool,
        handler: @escaping (EvdevNotice) -> Void
    ) throws(EvdevError) {
        description = opened.description
        self.node = node
        self.loop = loop
        self.jobs = jobs
        self.key = key
        self.handler = handler
        initialFrame = opened.standing.initialFrame(time: SystemClock.monotonicNow())
        stream = EvdevStream(opened.standing, isSettled: opened.isSettled)
        self.grab = opened.isGrabbed ? .taken : grab ? .waiting : .off
        buffer = .allocate(
            byteCount: Self.eventsPerRead * EvdevRecords.size,
            alignment: MemoryLayout<input_event>.alignment)
        file = OwnedDescriptor(adopting: opened.descriptor)
        do throws(SystemError) {
            watch = try loop.add(opened.descriptor, .read) { [weak self] _ in self?.read() }
        } catch {
            throw .system(error)
        }
    }

    deinit {
        close()
        buffer.deallocate()
    }

    /// True while other programs get nothing of the device.
    public var isGrabbed: Bool { grab == .taken }

    /// Takes the device for us alone as soon as no key is held, or gives it back to everyone at once.
    public func setGrab(_ wanted: Bool) throws(EvdevError) {
        guard let evdev else { throw .gone(node) }
        switch grab {
        case .off: if wanted { try takeWhenUp(evdev) }
        case .waiting: if !wanted { grab = .off }
        case .taken:
            if wanted { return }
            try evdev.setGrab(false)
            grab = .off
        }
    }

    private func takeWhenUp(_ evdev: EvdevNode) throws(EvdevError) {
        grab = .waiting
        if stream.standing.downCount > 0 || !stream.isWhole { return }
        grab = .off
        try evdev.setGrab(true)
        grab = .taken
    }

    /// Ends reading and gives the device back. The handler is not called any more.
    public func close() {
        if let watch { loop.remove(watch) }
        watch = nil
        grab = .off
        guard let descriptor = file.take()?.release() else { return }
        let close: @Sendable () -> Void = { _ = OwnedDescriptor(adopting: descriptor) }
        let deadline = SystemClock.monotonicNow() &+ Self.closeTime
        // The driver stops the device in it, and may wait for it. If no thread is left for that, we must.
        do { try jobs.submit(key: key, deadline: deadline, close) { _ in } } catch { close() }
    }

    private var evdev: EvdevNode? {
        guard let descriptor = file?.rawValue else { return nil }
        return EvdevNode(descriptor: descriptor, path: node)
    }

    // MARK: Reading

    private func read() {
        var reads = 0
        while reads < (stream.isDraining ? Self.readsPerDrain : Self.readsPerTurn) {
            reads += 1
            guard let outcome = file?.read(into: buffer) else { return }
            switch outcome {
            case .bytes(let count):
                readBack = nil
                deliver(count)
                // A short read has emptied the queue; asking again would only cost a call.
                if count == buffer.count { continue }
            case .wouldBlock: break
            case .endOfFile: return end(.unplugged)
            case .failed(let error): return end(Self.reason(error, node))
            }
            if isSettled() { return }
        }
        // A device that is never quiet: its state is read in the middle of it, and what follows says the rest.
        if stream.isDraining { recover(isSettled: description.abs.isEmpty) }
    }

    /// The queue is empty. False when it must be looked at once more, because the node's state was just read.
    private func isSettled() -> Bool {
        guard watch != nil, stream.isDraining else { return true }
        if readBack == nil && readBackCount < Self.readBacks {
            guard readStanding() else { return true }
            // The kernel makes queue and keys agree; nothing makes the queue agree with axes and slots.
            if !description.abs.isEmpty { return false }
        }
        // Without an answer that was followed by silence there is none that can be relied on.
        recover(isSettled: readBack != nil)
        return true
    }

    /// Reads keys, axes and slots back; false when the device is gone over it.
    private func readStanding() -> Bool {
        guard let evdev else { return false }
        do throws(EvdevError) {
            readBack = try evdev.standing(of: description)
            readBackCount += 1
            return true
        } catch {
            switch error {
            case .gone: end(Self.reason(SystemError("ioctl", ENODEV, node), node))
            case .system(let cause): end(.failed(cause))
            case .noAccess, .busy, .notEvdev, .stuck, .refused: end(.failed(SystemError("ioctl", EIO, node)))
            }
            return false
        }
    }

    private func recover(isSettled: Bool) {
        if readBack == nil { guard readStanding() else { return } }
        guard let now = readBack else { return }
        readBack = nil
        readBackCount = 0
        for frame in stream.recover(now, isSettled: isSettled, time: SystemClock.monotonicNow()) {
            handler(.frame(frame))
            // The handler may have closed us.
            guard watch != nil else { return }
        }
        grabWhenUp()
    }

    private func deliver(_ count: Int) {
        records.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { event in
            switch stream.take(event) {
            case .gathered: return true
            case .frame:
                handler(.frame(stream.frame))
                // The handler may have closed us.
                guard watch != nil else { return false }
                grabWhenUp()
            case .lost: handler(.lost(time: event.time))
            }
            return watch != nil
        }
    }

    /// Takes the device once the last key is up.
    private func grabWhenUp() {
        guard grab == .waiting, stream.standing.downCount == 0, stream.isWhole, let evdev else { return }
        do throws(EvdevError) {
            try evdev.setGrab(true)
            grab = .taken
        } catch {
            grab = .off
            handler(.grabRefused(error))
        }
    }

    private func end(_ reason: EvdevEnd) {
        close()
        handler(.gone(reason))
    }

    /// The kernel says ENODEV for a device that is gone and for an access that is revoked. It takes the node away before
    /// it lets readers know that the device is gone.
    private static func reason(_ error: SystemError, _ node: String) -> EvdevEnd {
        guard error.number == ENODEV else { return .failed(error) }
        return access(node, F_OK) == 0 ? .revoked : .unplugged
    }
}
