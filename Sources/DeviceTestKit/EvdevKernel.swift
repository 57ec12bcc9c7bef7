internal import CLinux
internal import Glibc
internal import LinuxIO

/// The kernel's evdev for one open of a mock node, answering on a thread of its own.
struct EvdevKernel {
    let connection: IoctlConnection
    let state: Guarded<EvdevMock.State>
    let node: MockNode

    private var id: ObjectIdentifier { ObjectIdentifier(connection) }

    /// Answers until the program closes the node.
    func serve() {
        state.use { $0.connections[id] = EvdevMock.Connection(ring: EvdevRing(size: $0.profile.ringSize)) }
        while let call = connection.next() {
            guard let call else { continue }
            switch call {
            case .ioctl(let request, let argument): answer(request, argument)
            case .read(let address, let length): read(address, length)
            case .write(_, let length): connection.done(length)  // LEDs: taken and forgotten
            }
        }
        state.use { state in
            state.connections[id] = nil
            if state.grabber == id { state.grabber = nil }
            Self.show(state, node)
        }
    }

    /// Makes the node ready when a reader has something to read, or the device is gone.
    static func show(_ state: EvdevMock.State, _ node: MockNode) {
        node.setReadable(
            state.isUnplugged || state.failure != nil
                || state.connections.values.contains { $0.isRevoked || $0.ring.readable > 0 })
    }

    private func read(_ address: UInt, _ length: Int) {
        let size = MemoryLayout<input_event>.stride
        if length < size { return connection.fail(EINVAL) }
        let (items, clock, failure): ([EvdevRing.Item], Int32, Int32?) = state.use { state in
            guard !state.isUnplugged, var open = state.connections[id], !open.isRevoked else { return ([], 0, ENODEV) }
            if let failure = state.failure { return ([], 0, failure) }
            let items = open.ring.take(length / size)
            state.connections[id] = open
            Self.show(state, node)
            return (items, open.clock, nil)
        }
        if let failure { return connection.fail(failure) }
        if items.isEmpty { return connection.fail(EAGAIN) }
        connection.setMemory(at: address, items.flatMap { Self.bytes($0, clock: clock) })
        connection.done(items.count * size)
    }

    private static func bytes(_ item: EvdevRing.Item, clock: Int32) -> [UInt8] {
        var time = item.time
        if clock == Int32(CLOCK_REALTIME) {
            time = time &+ SystemClock.realtimeNow() &- SystemClock.monotonicNow()
        }
        var bytes: [UInt8] = []
        withUnsafeBytes(of: Int(time / 1_000_000_000)) { bytes += $0 }
        withUnsafeBytes(of: Int(time % 1_000_000_000 / 1_000)) { bytes += $0 }
        withUnsafeBytes(of: item.type) { bytes += $0 }
        withUnsafeBytes(of: item.code) { bytes += $0 }
        withUnsafeBytes(of: item.value) { bytes += $0 }
        return bytes
    }

    private func answer(_ request: UInt, _ argument: UInt) {
        let (gone, profile) = state.use {
            ($0.isUnplugged || $0.connections[id]?.isRevoked != false, $0.profile)
        }
        if gone { return connection.fail(ENODEV) }
        let number = UInt32(request & 0xFF)
        let length = Int(request >> 16) & 0x3FFF
        switch number {
        case 0x01: give(argument, [1, 0, 1, 0], length)  // EVIOCGVERSION
        case 0x02:  // EVIOCGID
            let id = profile.id
            let words = [id.bus, id.vendor, id.product, id.version]
            give(argument, words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, length, result: 0)
        case 0x06: give(argument, Array(profile.name.utf8) + [0], length)  // EVIOCGNAME
        case 0x07: give(argument, Array(profile.phys.utf8) + [0], length)  // EVIOCGPHYS
        case 0x08: connection.fail(ENOENT)  // EVIOCGUNIQ of a device that has none
        case 0x09: give(argument, Self.bits(profile.properties, length), length)  // EVIOCGPROP
        case 0x0A: slotState(argument, length)  // EVIOCGMTSLOTS
        case 0x18: keyState(argument, length)  // EVIOCGKEY
        case 0x19...0x1B: give(argument, Self.bits([], length), length)  // LEDs, sounds, switches
        case 0x20: give(argument, Self.bits(profile.types, length), length)  // EVIOCGBIT(0)
        case 0x20 + UInt32(EV_KEY): give(argument, Self.bits(profile.keys, length), length)
        case 0x20 + UInt32(EV_REL): give(argument, Self.bits(profile.relative, length), length)
        case 0x20 + UInt32(EV_ABS): give(argument, Self.bits(profile.absolute, length), length)
        case 0x20..<0x40: give(argument, Self.bits([], length), length)
        case 0x40..<0x80: axisState(UInt16(number - 0x40), argument, length)  // EVIOCGABS
        case 0x90: grab(argument != 0)  // EVIOCGRAB
        case 0xA0: setClock(argument)  // EVIOCSCLOCKID
        default: connection.fail(EINVAL)
        }
    }

    private func keyState(_ argument: UInt, _ length: Int) {
        let keys = state.use { state in
            EvdevMock.interrupt(.keys, &state)
            state.connections[id]?.ring.flushKeys()
            Self.show(state, node)
            return state.keysDown.sorted()
        }
        give(argument, Self.bits(keys, length), length)
    }

    private func axisState(_ code: UInt16, _ argument: UInt, _ length: Int) {
        guard let words = state.use({ $0.absolute.information(code) }) else { return connection.fail(EINVAL) }
        give(argument, Self.bytes(words), length, result: 0)
    }

    private func slotState(_ argument: UInt, _ length: Int) {
        guard let code = connection.value(at: argument, as: Int32.self).flatMap(UInt16.init(exactly:)),
            let values = state.use({ state in
                EvdevMock.interrupt(.slots, &state)
                Self.show(state, node)
                return state.absolute.values(code)
            })
        else { return connection.fail(EINVAL) }
        give(argument, Self.bytes([Int32(code)] + values), length, result: 0)
    }

    private static func bytes(_ words: [Int32]) -> [UInt8] { words.withUnsafeBytes { Array($0) } }

    private func grab(_ wanted: Bool) {
        let failure: Int32 = state.use { state in
            if wanted {
                if state.grabber != nil { return EBUSY }
                state.grabber = id
            } else {
                if state.grabber != id { return EINVAL }
                state.grabber = nil
            }
            return 0
        }
        failure == 0 ? connection.done(0) : connection.fail(failure)
    }

    private func setClock(_ argument: UInt) {
        guard let clock = connection.value(at: argument, as: Int32.self) else { return connection.fail(EFAULT) }
        guard clock == Int32(CLOCK_MONOTONIC) || clock == Int32(CLOCK_REALTIME) else { return connection.fail(EINVAL) }
        state.use { $0.connections[id]?.clock = clock }
        connection.done(0)
    }

    private func give(_ argument: UInt, _ bytes: [UInt8], _ length: Int, result: Int? = nil) {
        let part = Array(bytes.prefix(length))
        connection.setMemory(at: argument, part)
        connection.done(result ?? part.count)
    }

    private static func bits(_ codes: [UInt16], _ length: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        for code in codes where Int(code) / 8 < length { bytes[Int(code) / 8] |= 1 << UInt8(code % 8) }
        return bytes
    }
}
