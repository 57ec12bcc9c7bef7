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

    /// What was sent to its bulk endpoint.
    public var received: [[UInt8]] { state.use { $0.model.bulkOut } }

    /// How many times its node is open.
    public var opens: Int { state.use { $0.connections.count } }

    /// Sends something on its bulk endpoint.
    public func send(_ bytes: [UInt8]) {
        state.use { state in
            state.model.bulkIn.append(bytes)
            USBKernel.moveBulk(&state)
            USBKernel.show(state, fifo)
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
