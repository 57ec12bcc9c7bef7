internal import CLinux
internal import Glibc
internal import LinuxIO
internal import RigModel

/// The ioctls of an open evdev node, which somebody else owns.
struct EvdevNode {
    let descriptor: Int32
    let path: String

    /// Opens a node without waiting and sets its clock to CLOCK_MONOTONIC.
    ///
    /// Can block: the driver starts the device, and that of USB knobs sleeps 50 ms in it.
    static func open(_ path: String) throws(EvdevError) -> OwnedDescriptor {
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        if descriptor < 0 { throw Self.error(errno, "open", path) }
        let file = OwnedDescriptor(adopting: descriptor)
        var clock = Int32(CLOCK_MONOTONIC)
        // Without it times are of CLOCK_REALTIME, which jumps. Every kernel since 3.4 knows it.
        if dashrig_ioctl_pointer(file.rawValue, dashrig_EVIOCSCLOCKID(), &clock) < 0 {
            throw Self.error(errno, "EVIOCSCLOCKID", path)
        }
        return file
    }

    /// Takes the device for us alone, or gives it back.
    func setGrab(_ grab: Bool) throws(EvdevError) {
        if dashrig_ioctl_int(descriptor, dashrig_EVIOCGRAB(), grab ? 1 : 0) < 0 {
            throw Self.error(errno, "EVIOCGRAB", path)
        }
    }

    /// How the node stands now. The kernel throws key events that wait in our queue away with it, so that their state and
    /// the queue agree; it does not do so for axes and slots.
    func standing(of device: InputDeviceDescription) throws(EvdevError) -> EvdevStanding {
        var standing = EvdevStanding(device)
        if device.ev.contains(UInt16(EV_KEY)) {
            let down = try bits(dashrig_EVIOCGKEY(Self.keyBytes), count: Self.keyBytes, "EVIOCGKEY")
            for code in down { standing.setKey(code, down: true) }
        }
        for code in standing.axisCodes { standing.setAxis(code, to: try absolute(code).value) }
        if standing.slotCount > 0 {
            for code in standing.slotCodes {
                for (index, value) in try slotValues(code, count: standing.slotCount).enumerated() {
                    standing.setValue(code, ofSlot: index, to: value)
                }
            }
            standing.setSlot(try absolute(UInt16(ABS_MT_SLOT)).value)
        }
        return standing
    }

    /// How the node stands at a moment when nothing waits in our queue: what is read from then on happened afterwards.
    ///
    /// What came since the node was opened is in the kernel's state already. The kernel takes keys out of the queue when
    /// their state is read, but leaves axes and slots in it; those would be told twice. So the queue of a device with axes is
    /// emptied before, and looked at again behind.
    ///
    /// - Returns: false for a device that was never quiet: something in the queue may be older than what is said here.
    func settledStanding(
        of device: InputDeviceDescription
    ) throws(EvdevError) -> (standing: EvdevStanding, isSettled: Bool) {
        if device.abs.isEmpty { return (try standing(of: device), true) }
        var standing = try standing(of: device)
        // The usual device says nothing while it is opened.
        if !isReadable { return (standing, true) }
        for _ in 0..<Self.settlings {
            try emptyQueue()
            standing = try self.standing(of: device)
            if !isReadable { return (standing, true) }
        }
        return (standing, false)
    }

    /// How often the state is read because something came meanwhile; a pad at 1 kHz rarely needs a second time.
    private static let settlings = 4
    /// So many buffers hold any ring that a driver asks for.
    private static let readsPerEmptying = 64

    private var isReadable: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) > 0 && poll.revents & Int16(POLLIN) != 0
    }

    private func emptyQueue() throws(EvdevError) {
        var buffer = [input_event](repeating: input_event(), count: 64)
        let size = buffer.count * MemoryLayout<input_event>.stride
        for _ in 0..<Self.readsPerEmptying {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, size) }
            if count > 0 { continue }
            if count == 0 { throw .gone(path) }
            let number = errno
            if number == EINTR { continue }
            if number == EAGAIN { return }
            throw Self.error(number, "read", path)
        }
    }

    func describe() throws(EvdevError) -> InputDeviceDescription {
        var id = input_id()
        if dashrig_ioctl_pointer(descriptor, dashrig_EVIOCGID(), &id) < 0 { throw Self.error(errno, "EVIOCGID", path) }
        let types = try bits(dashrig_EVIOCGBIT(0, Self.typeBytes), count: Self.typeBytes, "EVIOCGBIT(0)")
        let absolute = try codes(of: UInt32(EV_ABS), types, bytes: Self.absoluteBytes)
        var axes: [AbsoluteRange] = []
        for code in absolute {
            let info = try self.absolute(code)
            axes.append(
                AbsoluteRange(
                    code: code, minimum: info.minimum, maximum: info.maximum, fuzz: info.fuzz, flat: info.flat,
                    resolution: info.resolution))
        }
        return InputDeviceDescription(
            bus: id.bustype, vendor: id.vendor, product: id.product, version: id.version,
            name: try text(dashrig_EVIOCGNAME(Self.textBytes)),
            phys: try text(dashrig_EVIOCGPHYS(Self.textBytes)), uniq: try text(dashrig_EVIOCGUNIQ(Self.textBytes)),
            ev: types, key: try codes(of: UInt32(EV_KEY), types, bytes: Self.keyBytes),
            rel: try codes(of: UInt32(EV_REL), types, bytes: Self.typeBytes),
            abs: absolute,
            props: try bits(dashrig_EVIOCGPROP(Self.typeBytes), count: Self.typeBytes, "EVIOCGPROP"), axes: axes)
    }

    // KEY_MAX is 0x2FF, ABS_MAX 0x3F, the others stay below 0x20 (linux/input-event-codes.h); whole words of 8 bytes.
    private static let keyBytes: UInt32 = 96
    private static let absoluteBytes: UInt32 = 8
    private static let typeBytes: UInt32 = 8
    private static let textBytes: UInt32 = 256

    private func absolute(_ code: UInt16) throws(EvdevError) -> input_absinfo {
        var info = input_absinfo()
        if dashrig_ioctl_pointer(descriptor, dashrig_EVIOCGABS(UInt32(code)), &info) < 0 {
            throw Self.error(errno, "EVIOCGABS(\(code))", path)
        }
        return info
    }

    /// One value of every slot.
    private func slotValues(_ code: UInt16, count: Int) throws(EvdevError) -> [Int32] {
        // The kernel takes the code from the first word and fills the rest.
        var words = [Int32](repeating: 0, count: count + 1)
        words[0] = Int32(code)
        let request = dashrig_EVIOCGMTSLOTS(UInt32(words.count * MemoryLayout<Int32>.size))
        if dashrig_ioctl_pointer(descriptor, request, &words) < 0 {
            throw Self.error(errno, "EVIOCGMTSLOTS(\(code))", path)
        }
        return Array(words.dropFirst())
    }

    private func codes(of type: UInt32, _ types: [UInt16], bytes: UInt32) throws(EvdevError) -> [UInt16] {
        guard types.contains(UInt16(truncatingIfNeeded: type)) else { return [] }
        return try bits(dashrig_EVIOCGBIT(type, bytes), count: bytes, "EVIOCGBIT(\(type))")
    }

    private func bits(_ request: UInt, count: UInt32, _ name: String) throws(EvdevError) -> [UInt16] {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        if dashrig_ioctl_pointer(descriptor, request, &bytes) < 0 { throw Self.error(errno, name, path) }
        var codes: [UInt16] = []
        for (index, byte) in bytes.enumerated() where byte != 0 {
            for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 { codes.append(UInt16(index * 8 + bit)) }
        }
        return codes
    }

    /// A text of the driver; empty where it has none (the kernel then answers ENOENT).
    private func text(_ request: UInt) throws(EvdevError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(Self.textBytes))
        if dashrig_ioctl_pointer(descriptor, request, &bytes) < 0 {
            let number = errno
            if number == ENOENT { return "" }
            throw Self.error(number, "EVIOCGNAME", path)
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func error(_ number: Int32, _ call: String, _ path: String) -> EvdevError {
        switch number {
        case EACCES, EPERM: .noAccess(path)
        case ENOENT, ENODEV, ENXIO, ENOTDIR: .gone(path)
        case EBUSY: .busy(path)
        case ENOTTY, EINVAL: .notEvdev(path)
        default: .system(SystemError(call, number, path))
        }
    }
}

/// An evdev node on its way from the job that opened it to the loop.
struct OpenedEvdev: Sendable {
    let descriptor: Int32
    let description: InputDeviceDescription
    let standing: EvdevStanding
    /// Whether what is read from now on happened after that.
    let isSettled: Bool
    let isGrabbed: Bool

    /// Opens a node and asks it what it is and how it stands. While a key is held it is not grabbed: whoever heard the key
    /// go down would never hear it come up.
    static func open(_ path: String, grab: Bool) -> Result<OpenedEvdev, EvdevError> {
        do throws(EvdevError) {
            let file = try EvdevNode.open(path)
            let node = EvdevNode(descriptor: file.rawValue, path: path)
            let description = try node.describe()
            let (standing, isSettled) = try node.settledStanding(of: description)
            let grabs = grab && standing.downCount == 0
            if grabs { try node.setGrab(true) }
            return .success(
                OpenedEvdev(
                    descriptor: file.release(), description: description, standing: standing, isSettled: isSettled,
                    isGrabbed: grabs))
        } catch {
            return .failure(error)
        }
    }

    /// Gives it back when nobody waits for it any more.
    static func discard(_ result: Result<OpenedEvdev, EvdevError>) {
        if case .success(let opened) = result { _ = OwnedDescriptor(adopting: opened.descriptor) }
    }
}
