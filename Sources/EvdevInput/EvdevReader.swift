internal import CLinux
internal import Glibc
public import LinuxIO
public import RigModel

/// Reads one evdev node on a loop: what is there in one go, every event in its order.
///
/// After `SYN_DROPPED` it reads the key state back at the next `SYN_REPORT`; what a decoder does with the torn frame is
/// the decoder's matter. The device is given back when the reader closes, whatever the reason; the kernel ends a grab
/// with the descriptor.
public final class EvdevReader {
    /// What the device calls itself and what it can do, read from the node itself.
    public let description: InputDeviceDescription
    /// The node.
    public let node: String
    /// True while other programs get nothing of the device.
    public private(set) var isGrabbed = false

    private let loop: EventLoop
    private let jobs: JobPool
    private let key: UInt64
    private let handler: (EvdevNotice) -> Void
    /// Nil once it is closed.
    private var file: OwnedDescriptor?
    private var watch: WatchID?
    /// After `SYN_DROPPED`, until the `SYN_REPORT` that ends the torn frame.
    private var isTorn = false
    private let buffer: UnsafeMutableRawBufferPointer

    /// 256 events: more than the kernel's ring holds for any knob (it has 64 at least, and 8 frames of the device's
    /// largest packet).
    private static let eventsPerRead = 256
    private static let closeTime: UInt64 = 2_000_000_000
    /// So many buffers are read per turn of the loop, so that a device gone mad leaves room for everyone else.
    private static let readsPerTurn = 4

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
        isGrabbed = grab
        buffer = .allocate(
            byteCount: Self.eventsPerRead * MemoryLayout<input_event>.stride,
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

    /// Takes the device for us alone, or gives it back to everyone.
    public func setGrab(_ grab: Bool) throws(EvdevError) {
        guard let evdev, grab != isGrabbed else { return }
        try evdev.setGrab(grab)
        isGrabbed = grab
    }

    /// The keys that are down now.
    public func keysDown() throws(EvdevError) -> [UInt16] {
        guard let evdev else { throw .gone(node) }
        return try evdev.keysDown()
    }

    /// Ends reading and gives the device back. The handler is not called any more.
    public func close() {
        if let watch { loop.remove(watch) }
        watch = nil
        isGrabbed = false
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

    private func read() {
        for _ in 0..<Self.readsPerTurn {
            guard let outcome = file?.read(into: buffer) else { return }
            switch outcome {
            case .bytes(let count):
                deliver(count)
                // A short read has emptied the queue; asking again would only cost a call.
                if count < buffer.count { return }
            case .wouldBlock: return
            case .endOfFile: end(.unplugged)
            case .failed(let error): end(error.number == ENODEV ? .unplugged : .failed(error))
            }
        }
    }

    private func deliver(_ count: Int) {
        let size = MemoryLayout<input_event>.stride
        // The kernel gives whole events only; a rest that is none is not one.
        for offset in stride(from: 0, to: count - count % size, by: size) {
            let raw = buffer.loadUnaligned(fromByteOffset: offset, as: input_event.self)
            let event = EvdevEvent(type: raw.type, code: raw.code, value: raw.value, time: Self.time(of: raw))
            handler(.event(event))
            // The handler may have closed us.
            guard watch != nil else { return }
            if event.type == UInt16(EV_SYN) { synchronize(event) }
            guard watch != nil else { return }
        }
    }

    private func synchronize(_ event: EvdevEvent) {
        if event.code == UInt16(SYN_DROPPED) {
            isTorn = true
        } else if event.code == UInt16(SYN_REPORT) && isTorn {
            isTorn = false
            do throws(EvdevError) {
                handler(.keyState(down: try keysDown(), time: event.time))
            } catch {
                switch error {
                case .gone: end(.unplugged)
                case .system(let cause): end(.failed(cause))
                case .noAccess, .busy, .notEvdev, .stuck, .refused: end(.failed(SystemError("EVIOCGKEY", EIO, node)))
                }
            }
        }
    }

    private func end(_ reason: EvdevEnd) {
        close()
        handler(.gone(reason))
    }

    private static func time(of event: input_event) -> UInt64 {
        var event = event
        let seconds = UInt64(clamping: dashrig_input_event_seconds(&event))
        let microseconds = UInt64(clamping: dashrig_input_event_microseconds(&event))
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if whole.overflow { return .max }
        let sum = whole.partialValue.addingReportingOverflow(microseconds &* 1_000)
        return sum.overflow ? .max : sum.partialValue
    }
}
