internal import CLinux
internal import Glibc
internal import LinuxIO

/// An input device under umockdev: its event node, the kernel's evdev behind it, and what it reports.
///
/// It models what a reader can notice: a ring per open that overflows into SYN_DROPPED, whole frames only, key state that
/// takes queued key events with it when it is read, the state of axes and slots, a grab that keeps others out, the
/// reader's choice of clock, ENODEV after an unplug or for an access that was revoked, and reads that fail. State that
/// does not change is not reported, as in the kernel.
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
        var absolute: EvdevAbsoluteState
        /// What every read fails with, or `nil`.
        var failure: Int32?
        var connections: [ObjectIdentifier: Connection] = [:]
        var grabber: ObjectIdentifier?
        var sent = 0
        /// Frames that are reported just before a question is answered, in turn.
        var interruptions: [Interruption] = []
    }

    /// What a reader asks of how a device stands.
    public enum Question: Equatable, Sendable {
        case keys, slots
    }

    struct Interruption {
        let question: Question
        let events: [(type: UInt16, code: UInt16, value: Int32)]
    }

    /// One open of the node.
    struct Connection {
        var ring: EvdevRing
        /// CLOCK_REALTIME until the reader asks for another.
        var clock = Int32(CLOCK_REALTIME)
        var isRevoked = false
    }

    init(root: String, number: Int, profile: EvdevProfile) throws(SystemError) {
        node = "/dev/input/event\(number)"
        deviceSyspath = "/sys/devices/virtual/input/input\(number)"
        syspath = "\(deviceSyspath)/event\(number)"
        self.profile = profile
        let state = Guarded(State(profile: profile, absolute: EvdevAbsoluteState(profile)))
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

    /// Takes their access from all who have the node open now, as a session manager does with EVIOCREVOKE.
    public func revoke() {
        state.use { state in
            for key in Array(state.connections.keys) { state.connections[key]?.isRevoked = true }
            state.grabber = nil
            EvdevKernel.show(state, fifo)
        }
    }

    /// Lets every read fail with an errno value from now on, or with none.
    public func failReads(_ number: Int32?) {
        state.use { state in
            state.failure = number
            EvdevKernel.show(state, fifo)
        }
    }

    /// Sets the permissions of the node. No event tells of it.
    public func setMode(_ mode: UInt32) { fifo.setMode(mode) }

    /// The keys that are down.
    public var keysDown: [UInt16] { state.use { $0.keysDown.sorted() } }

    /// Reports one frame: events of (type, code, value), and the SYN_REPORT behind them. `time` is CLOCK_MONOTONIC.
    public func report(_ events: [(type: UInt16, code: UInt16, value: Int32)], time: UInt64? = nil) {
        state.use { state in
            Self.report(events, time: time ?? SystemClock.monotonicNow(), &state)
            EvdevKernel.show(state, fifo)
        }
    }

    /// Reports a frame in the middle of the next question, before it is answered. Each question takes one.
    public func report(_ events: [(type: UInt16, code: UInt16, value: Int32)], duringNext question: Question) {
        state.use { $0.interruptions.append(Interruption(question: question, events: events)) }
    }

    /// Reports what waits for a question.
    static func interrupt(_ question: Question, _ state: inout State) {
        guard let place = state.interruptions.firstIndex(where: { $0.question == question }) else { return }
        report(state.interruptions.remove(at: place).events, time: SystemClock.monotonicNow(), &state)
    }

    private static func report(
        _ events: [(type: UInt16, code: UInt16, value: Int32)], time now: UInt64, _ state: inout State
    ) {
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
            if event.type == UInt16(EV_ABS) {
                for (code, value) in state.absolute.changes(event.code, event.value) {
                    frame.append(EvdevRing.Item(type: event.type, code: code, value: value, time: now))
                }
                continue
            }
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
