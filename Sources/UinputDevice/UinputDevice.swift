internal import CLinux
internal import Glibc
internal import LinuxIO
public import RigModel
public import VirtualInput

/// A virtual input device of the kernel. It is there as long as this is: the kernel takes it away when the descriptor is
/// closed, however the process ends.
public final class UinputDevice {
    /// What sysfs calls it: `input7`.
    public let sysname: String
    /// Just before it was made, CLOCK_MONOTONIC in nanoseconds.
    public let created: UInt64

    private let file: OwnedDescriptor
    private var isThere = true
    /// A report with its SYN_REPORT as the kernel takes it; its storage is used again.
    private var buffer: [input_event] = []

    /// Makes a device. Can block for some milliseconds.
    ///
    /// - Parameters:
    ///   - path: the node of uinput, `/dev/uinput`.
    ///   - phys: what the device says of its place.
    public init(_ device: VirtualInputDevice, at path: String, phys: String) throws(UinputError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { throw Self.opening(errno, path) }
        file = OwnedDescriptor(adopting: descriptor)
        let node = UinputNode(descriptor: descriptor)
        try node.checkVersion()
        try node.describe(device.description, phys: phys)
        created = SystemClock.monotonicNow()
        try node.create()
        sysname = try node.sysname()
    }

    /// Sends one report. The kernel stamps it and hands it to all readers before this returns.
    public func send(_ events: [EvdevEvent]) throws(UinputError) {
        guard isThere, !events.isEmpty else { return }
        buffer.removeAll(keepingCapacity: true)
        for event in events {
            var raw = input_event()
            raw.type = event.type
            raw.code = event.code
            raw.value = event.value
            buffer.append(raw)
        }
        // All zero: EV_SYN, SYN_REPORT.
        buffer.append(input_event())
        let outcome = buffer.withUnsafeBytes { file.write($0) }
        let size = buffer.count * MemoryLayout<input_event>.stride
        switch outcome {
        case .bytes(size): return
        case .bytes(let count): throw .system(SystemError("write", EIO, "uinput took \(count) of \(size) bytes"))
        case .wouldBlock: throw .system(SystemError("write", EAGAIN, "uinput"))
        case .closed: throw .system(SystemError("write", EPIPE, "uinput"))
        case .failed(let error): throw .system(error)
        }
    }

    /// Takes the device away, as if it was unplugged: what is held is let go by the kernel. Nothing on a second call.
    public func destroy() {
        guard isThere else { return }
        isThere = false
        // Cannot fail for a device that was made; if it did, the close that follows does the same.
        _ = dashrig_ioctl_int(file.rawValue, dashrig_UI_DEV_DESTROY(), 0)
    }

    deinit { destroy() }

    private static func opening(_ number: Int32, _ path: String) -> UinputError {
        switch number {
        case ENOENT, ENOTDIR: .absent(path)
        case ENODEV, ENXIO: .notLoaded(path)
        case EACCES, EPERM: .noAccess(path)
        default: .system(SystemError("open", number, path))
        }
    }
}
