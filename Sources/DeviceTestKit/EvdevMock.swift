internal import CLinux
internal import Glibc
internal import LinuxIO

/// An input device under umockdev: its event node, the kernel's evdev behind it, and what it reports.
///
/// It models what a reader can notice: a ring per open that overflows into SYN_DROPPED, whole frames only, key state that
/// takes queued key events with it when it is read, a grab that keeps others out, the reader's choice of clock, and
/// ENODEV after an unplug. State that does not change is not reported, as in the kernel.
public final class EvdevMock: Sendable {
    /// Its node as the program under test sees it.
    public let node: String
    /// The path of its event node below /sys.
    public let syspath: String
    /// The path of the input device above it.
    public let deviceSyspath: String
    /// What it can do.
    public let profile: EvdevProfile

    private let state: Guarded<State>
    private let fifo: MockNode
    private let server: IoctlServer

    struct State {
        let profile: EvdevProfile
        var isUnplugged = false
        var keysDown: Set<UInt16> = []
        var connections: [ObjectIdentifier: Connection] = [:]
        var grabber: ObjectIdentifier?
        var sent = 0
    }

    /// One open of the node.
    struct Connection {
        var ring: EvdevRing
        /// CLOCK_REALTIME until the reader asks for another.
        var clock = Int32(CLOCK_REALTIME)
    }

    init(root: String, number: Int, profile: EvdevProfile) throws(SystemError) {
        node = "/dev/input/event\(number)"
        deviceSyspath = "/sys/devices/virtual/input/input\(number)"
        syspath = "\(deviceSyspath)/event\(number)"
        self.profile = profile
        let state = Guarded(State(profile: profile))
        let fifo = try MockNode(path: root + node)
        self.state = state
        self.fifo = fifo
        makeFolders(above: root + "/ioctl" + node)
        server = try IoctlServer(path: root + "/ioctl" + node) { connection in
            EvdevKernel(connection: connection, state: state, node: fifo).serve()
        }
    }

    // MARK: For tests

    /// How many times its node is open.
    public var opens: Int { state.use { $0.connections.count } }

    /// True while a reader has it to itself.
    public var isGrabbed: Bool { state.use { $0.grabber != nil } }

    /// How many events wait in the fullest ring of its readers.
    public var fullestRing: Int { state.use { $0.connections.values.map(\.ring.count).max() ?? 0 } }

    /// Reports one frame: events of (type, code, value), and the SYN_REPORT behind them. `time` is CLOCK_MONOTONIC.
    public func report(_ events: [(type: UInt16, code: UInt16, value: Int32)], time: UInt64? = nil) {
        let now = time ?? SystemClock.monotonicNow()
        state.use { state in
            var frame: [EvdevRing.Item] = []
            for event in events {
                if event.type == UInt16(EV_KEY) && event.value != 2 {
                    // Only a change of state is an event.
                    if state.keysDown.contains(event.code) == (event.value != 0) { continue }
                    if event.value != 0 {
                        state.keysDown.insert(event.code)
                    } else {
                        state.keysDown.remove(event.code)
                    }
                }
                if event.type == UInt16(EV_REL) && event.value == 0 { continue }
                frame.append(EvdevRing.Item(type: event.type, code: event.code, value: event.value, time: now))
            }
            if frame.isEmpty { return }
            frame.append(EvdevRing.Item(type: UInt16(EV_SYN), code: UInt16(SYN_REPORT), value: 0, time: now))
            state.sent += frame.count
            for (key, open) in state.connections where state.grabber == nil || state.grabber == key {
                var open = open
                for item in frame { open.ring.put(item) }
                state.connections[key] = open
            }
            EvdevKernel.show(state, fifo)
        }
    }

    // MARK: For the testbed

    func markUnplugged() {
        state.use { state in
            state.isUnplugged = true
            EvdevKernel.show(state, fifo)
        }
        server.stop()
    }

    func removeNode() { fifo.remove() }
}

/// What an input device is and can do.
public struct EvdevProfile: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Bus, vendor, product and version.
    public var id: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16)
    /// Its keys.
    public var keys: [UInt16]
    /// Its relative axes.
    public var relative: [UInt16]
    /// Its absolute axes.
    public var absolute: [UInt16]
    /// Its properties.
    public var properties: [UInt16]
    /// The places of the ring of each reader.
    public var ringSize = 64

    /// States a profile.
    public init(
        name: String, id: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16), keys: [UInt16] = [],
        relative: [UInt16] = [], absolute: [UInt16] = [], properties: [UInt16] = []
    ) {
        self.name = name
        self.id = id
        self.keys = keys
        self.relative = relative
        self.absolute = absolute
        self.properties = properties
    }

    /// Equal in all parts.
    public static func == (left: EvdevProfile, right: EvdevProfile) -> Bool {
        left.name == right.name && left.id == right.id && left.keys == right.keys && left.relative == right.relative
            && left.absolute == right.absolute && left.properties == right.properties
            && left.ringSize == right.ringSize
    }

    /// Griffin PowerMate: a dial and BTN_0 (kernel driver `powermate`).
    public static let powerMate = EvdevProfile(
        name: "Griffin PowerMate", id: (3, 0x077D, 0x0410, 0x0400), keys: [0x100], relative: [7])
    /// A GPIO encoder on a wheel's axis, with the high-resolution twin that the kernel adds.
    public static let wheelEncoder = EvdevProfile(
        name: "rotary-encoder", id: (0x19, 0, 0, 0x0100), keys: [28], relative: [8, 11])
    /// A mouse: must not be taken for a knob.
    public static let mouse = EvdevProfile(
        name: "USB Optical Mouse", id: (3, 0x046D, 0xC077, 0x0111), keys: [0x110, 0x111, 0x112],
        relative: [0, 1, 8, 11])
    /// A keyboard: must not be taken for a knob.
    public static let keyboard = EvdevProfile(
        name: "USB Keyboard", id: (3, 0x046D, 0xC31C, 0x0110), keys: Array(1...127))

    /// The types it has: always EV_SYN.
    var types: [UInt16] {
        [UInt16(EV_SYN)] + (keys.isEmpty ? [] : [UInt16(EV_KEY)]) + (relative.isEmpty ? [] : [UInt16(EV_REL)])
            + (absolute.isEmpty ? [] : [UInt16(EV_ABS)])
    }
}
