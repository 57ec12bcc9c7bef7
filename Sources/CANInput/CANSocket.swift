internal import CLinux
internal import Glibc
public import LinuxIO
public import RigModel

/// A raw CAN socket on one interface, read on a loop. Only the messages that were asked for reach it, and frames in which
/// the bus tells its own errors; nothing is set at the interface.
///
/// An interface that is down is not the end of it: frames come again when it is up. One that is taken away is.
public final class CANSocket {
    /// The network interface: `can0`.
    public let interface: String

    private let loop: EventLoop
    private let handler: (CANNotice) -> Void
    /// Nil once it is closed.
    private var file: OwnedDescriptor?
    private var watch: WatchID?
    private let buffer: UnsafeMutableRawBufferPointer

    /// So many frames are read per turn of the loop: a bus at 1 Mbit/s carries some 20 in a millisecond.
    private static let readsPerTurn = 64

    /// Opens a socket on an interface for some messages, and begins to read.
    public convenience init(
        interface: String, identifiers: [CANIdentifier], loop: EventLoop, handler: @escaping (CANNotice) -> Void
    ) throws(CANError) {
        let descriptor = dashrig_can_open()
        guard descriptor >= 0 else { throw CANError(SystemError("socket", errno, "PF_CAN"), interface) }
        let file = OwnedDescriptor(adopting: descriptor)
        let index = if_nametoindex(interface)
        guard index != 0 else { throw CANError(SystemError("if_nametoindex", errno, interface), interface) }
        // The flags are part of the mask: neither requests for data nor ids of the other length pass.
        let filters = identifiers.map { id in
            can_filter(
                can_id: id.number | (id.isExtended ? CANRecord.extended : 0),
                can_mask: 0x1FFF_FFFF | CANRecord.extended | CANRecord.request)
        }
        guard dashrig_can_listen(descriptor, filters, UInt32(filters.count)) == 0 else {
            throw CANError(SystemError("setsockopt", errno, interface), interface)
        }
        guard dashrig_can_bind(descriptor, Int32(bitPattern: index)) == 0 else {
            throw CANError(SystemError("bind", errno, interface), interface)
        }
        try self.init(adopting: file, interface: interface, loop: loop, handler: handler)
    }

    /// Why this process cannot open a socket on any interface: `noKernelSupport`, `noAccess` or `system`; nothing when it
    /// can.
    public static func refusal() -> CANError? {
        let descriptor = dashrig_can_open()
        guard descriptor >= 0 else { return CANError(SystemError("socket", errno, "PF_CAN"), "PF_CAN") }
        _ = OwnedDescriptor(adopting: descriptor)
        return nil
    }

    /// Reads a socket that somebody else has opened and bound, without blocking: each of its records is one frame.
    public init(
        adopting file: consuming OwnedDescriptor, interface: String, loop: EventLoop,
        handler: @escaping (CANNotice) -> Void
    ) throws(CANError) {
        self.interface = interface
        self.loop = loop
        self.handler = handler
        buffer = .allocate(byteCount: CANRecord.size, alignment: MemoryLayout<can_frame>.alignment)
        let descriptor = file.rawValue
        self.file = consume file
        do throws(SystemError) {
            watch = try loop.add(descriptor, .read) { [weak self] _ in self?.read() }
        } catch {
            throw .system(error)
        }
    }

    deinit {
        close()
        buffer.deallocate()
    }

    /// Ends reading. The handler is not called any more.
    public func close() {
        if let watch { loop.remove(watch) }
        watch = nil
        file = nil
    }

    /// Sends a frame, or says why it is not on its way.
    public func send(_ frame: CANFrame) -> CANDelivery {
        let bytes = CANRecord.bytes(of: frame)
        guard let outcome = file?.write(bytes) else { return .down }
        switch outcome {
        case .bytes: return .sent
        case .wouldBlock: return .full
        case .closed: return .down
        case .failed(let error):
            switch error.number {
            // The interface's own queue, which poll does not wait for: nobody on the bus acknowledges.
            case ENOBUFS: return .full
            case ENETDOWN, ENETUNREACH, ENODEV, ENXIO: return .down
            default: return .failed(error)
            }
        }
    }

    private func read() {
        for _ in 0..<Self.readsPerTurn {
            guard let outcome = file?.read(into: buffer) else { return }
            switch outcome {
            case .bytes(let count):
                guard let record = CANRecord(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { continue }
                switch record {
                case .frame(var frame):
                    frame.time = SystemClock.monotonicNow()
                    handler(.frame(frame))
                case .busError(let error): handler(.busError(error))
                }
            case .wouldBlock: return
            case .endOfFile: return end(.gone)
            case .failed(let error):
                if error.number == ENETDOWN {
                    handler(.down)
                    continue
                }
                return end(error.number == ENODEV || error.number == ENXIO ? .gone : .failed(error))
            }
        }
    }

    private func end(_ end: CANEnd) {
        close()
        handler(.ended(end))
    }
}
