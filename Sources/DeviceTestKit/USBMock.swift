internal import CLinux
internal import Glibc
internal import LinuxIO

/// A USB device under umockdev: its node, the kernel's usbfs behind it, and the device itself.
///
/// What it models: descriptors by `read`, CONNECTINFO, GET_CAPABILITIES, GET_SPEED, GETDRIVER, claims, synchronous and
/// asynchronous transfers with reaping and calling off, and what is left of all that after an unplug: transfers in flight
/// come back with ENODEV, everything else fails with it.
public final class USBMock: Sendable {
    /// Its node as the program under test sees it.
    public let node: String
    /// Its path below /sys.
    public let syspath: String
    /// Where it is plugged: `1-1`.
    public let port: String
    /// Its number on the bus.
    public let device: UInt16

    let interfaces: [String]
    let descriptors: [UInt8]
    private let state: Guarded<State>
    private let fifo: MockNode
    private let server: IoctlServer

    struct State {
        var model: USBModel
        var isUnplugged = false
        /// True when the cable is cut and the kernel does not know yet.
        var isCut = false
        /// True while calls that are made to hang do so.
        var hangs = true
        /// What they do when they are let go: go on, or fail.
        var hangsSucceed = false
        var connections: [ObjectIdentifier: Connection] = [:]
        var claimed: [UInt32: ObjectIdentifier] = [:]
        var calls = 0
    }

    /// One open of the node.
    struct Connection {
        var offset = 0
        var transfers: [PendingTransfer] = []
    }

    init(
        root: String, node: String, syspath: String, port: String, device: UInt16, interfaces: [String],
        model: USBModel,
        hidden: Bool
    ) throws(SystemError) {
        self.node = node
        self.syspath = syspath
        self.port = port
        self.device = device
        self.interfaces = interfaces
        descriptors = model.descriptors
        let state = Guarded(State(model: model))
        let fifo = try MockNode(path: root + node, hidden: hidden)
        fifo.setWritable(false)
        self.state = state
        self.fifo = fifo
        makeFolders(above: root + "/ioctl" + node)
        server = try IoctlServer(path: root + "/ioctl" + node) { connection in
            USBKernel(connection: connection, state: state, node: fifo, device: device).serve()
        }
    }

    // MARK: For tests

    /// How it behaves from now on.
    public var behaviour: USBBehaviour {
        get { state.use { $0.model.behaviour } }
        set { state.use { $0.model.behaviour = newValue } }
    }

    /// Calls of the program that the node has answered.
    public var calls: Int { state.use { $0.calls } }

    /// The control requests that the device has seen, as (type, request).
    public var requests: [(type: UInt8, request: UInt8)] {
        state.use { $0.model.requests.map { ($0.type, $0.request) } }
    }

    /// The strings of the accessory protocol that it was sent, in order.
    public var sentStrings: [String] { state.use { $0.model.accessoryStrings } }

    /// What was sent to its bulk endpoint.
    public var received: [[UInt8]] { state.use { $0.model.bulkOut } }

    /// How many times its node is open.
    public var opens: Int { state.use { $0.connections.count } }

    /// What else a program does to a device.
    public enum Deed: Equatable, Sendable {
        case setConfiguration(UInt32)
        case setAlternate(UInt32, UInt32)
        case detachDriver(UInt32)
        /// A halt was cleared; `transfersWait` when the program still had transfers on the endpoint, which the kernel
        /// does not like.
        case clearHalt(UInt8, transfersWait: Bool)
    }

    /// What else the program did to it, in order.
    public var deeds: [Deed] { state.use { $0.model.deeds } }

    /// The value of the configuration in use; 0 for none.
    public var configuration: UInt8 {
        get { state.use { $0.model.activeConfiguration } }
        set { state.use { $0.model.activeConfiguration = newValue } }
    }

    /// Transfers that the program has handed over and not got back.
    public var transfersWaiting: Int {
        state.use { state in
            state.connections.values.reduce(0) { $0 + $1.transfers.count }
        }
    }

    /// Sends something on its bulk endpoint. With `ending`, a packet of no bytes follows a last one that is full.
    public func send(_ bytes: [UInt8], ending: Bool = true) {
        change { state in
            let endpoint: UInt8 = 0x81
            state.model.give(bytes, ending: ending, endpoint: endpoint)
        }
    }

    /// Sends one packet as it is, even one that is larger than its packets are.
    public func send(packet: [UInt8]) { change { $0.model.packetsIn.append(packet) } }

    /// Takes its output again, or not.
    public func takeOutput(_ takes: Bool) { change { $0.model.behaviour.takesOutput = takes } }

    /// Refuses the next transfer of an endpoint, after so many bytes when it is sent to, and is halted then.
    public func halt(_ endpoint: UInt8, after bytes: Int = 0) {
        change { $0.model.halts[endpoint] = .armed(after: bytes) }
    }

    /// Lets the next transfers of an endpoint fail with these errno values.
    public func fail(_ endpoint: UInt8, with numbers: [Int32]) {
        change { $0.model.failures[endpoint, default: []] += numbers }
    }

    /// Cuts the cable: transfers fail on the wire, as they do until the hub is asked. `DeviceTestbed.unplug` follows.
    public func cutCable() { change { $0.isCut = true } }

    private func change(_ body: (inout State) -> Void) {
        state.use { state in
            body(&state)
            USBKernel.moveBulk(&state)
            USBKernel.show(state, fifo)
        }
    }

    // MARK: A peer

    /// What a peer does in one turn.
    public struct PeerTurn: Sendable {
        /// What it sends, each as one transfer.
        public var output: [[UInt8]]
        /// When it wants its next turn at the latest, CLOCK_MONOTONIC; `nil` when there is something for it.
        public var deadline: UInt64?

        /// States a turn.
        public init(output: [[UInt8]] = [], deadline: UInt64? = nil) {
            self.output = output
            self.deadline = deadline
        }
    }

    /// Puts a machine behind the bulk endpoints. It runs on a thread of its own until the device is unplugged: first at
    /// once, then whenever something was sent to it or its time has come.
    public func attach(_ peer: @escaping @Sendable (_ received: [[UInt8]], _ now: UInt64) -> PeerTurn) {
        let (state, fifo) = (state, fifo)
        state.use { $0.model.hasPeer = true }
        TestThread.start {
            var deadline: UInt64? = SystemClock.monotonicNow()
            while true {
                let input: [[UInt8]]? = state.wait(
                    until: { $0.isUnplugged || !$0.model.forPeer.isEmpty }, before: deadline
                ) { state in
                    if state.isUnplugged { return nil }
                    defer { state.model.forPeer = [] }
                    return state.model.forPeer
                }
                guard let input else { return }
                let turn = peer(input, SystemClock.monotonicNow())
                deadline = turn.deadline
                if turn.output.isEmpty { continue }
                state.use { state in
                    for bytes in turn.output { state.model.give(bytes, ending: true, endpoint: 0x81) }
                    USBKernel.moveBulk(&state)
                    USBKernel.show(state, fifo)
                }
            }
        }
    }

    /// Puts the node in place that the arrival left out.
    public func revealNode() { fifo.reveal() }

    /// Lets every call that hangs return: with ENODEV, or as if nothing had been.
    public func releaseHangs(succeeding: Bool = false) {
        state.use { state in
            state.hangs = false
            state.hangsSucceed = succeeding
        }
    }

    // MARK: For the testbed

    func markUnplugged() {
        state.use { state in
            state.isUnplugged = true
            for key in state.connections.keys.sorted(by: { $0.hashValue < $1.hashValue }) {
                guard var connection = state.connections[key] else { continue }
                for index in connection.transfers.indices where !connection.transfers[index].isDone {
                    connection.transfers[index].block.status = -ENODEV
                    connection.transfers[index].isDone = true
                }
                state.connections[key] = connection
            }
            USBKernel.show(state, fifo)
        }
        server.stop()
    }

    func removeNode() { fifo.remove() }
}
