internal import LinuxIO
internal import VarlinkProtocol

/// One connection to one of the rig's sockets: sends calls, waits for what comes back. Calls block, with deadlines
/// (CLOCK_MONOTONIC nanoseconds). Belongs to one thread at a time.
final class ClientChannel {
    typealias Event = VarlinkClientConnection.Event
    typealias CallID = VarlinkClientConnection.CallID

    private let socket: UnixConnection
    private let wait: DescriptorWait
    private var peer = VarlinkClientConnection()
    /// What was received and not asked for yet: at most what one read brought.
    private var events: [Event] = []
    private var taken = 0
    private var explanations = ErrorExplanations()
    /// How many bytes of `buffer` are those of the last read.
    private var received = 0
    /// One read. Larger than most batches that the kernel holds for a Unix socket.
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Connects.
    init(
        _ directory: SocketDirectory, _ interface: SocketInterface, timeout: UInt64, interrupt: Int32?
    ) throws(ClientFailure) {
        let path = directory.socket(interface)
        do {
            socket = try UnixConnection(connectingTo: .path(path), deadline: Self.deadline(after: timeout))
        } catch {
            throw ClientFailure(connecting: error, to: path, interface: interface, after: timeout)
        }
        do {
            wait = try DescriptorWait(socket.rawValue, interrupt: interrupt)
        } catch {
            throw .system(error)
        }
    }

    /// The time that is `timeout` from now; the end of time when that is too far away.
    static func deadline(after timeout: UInt64) -> UInt64 {
        let (sum, overflow) = SystemClock.monotonicNow().addingReportingOverflow(timeout)
        return overflow ? .max : sum
    }

    /// Whether `next` will answer without waiting.
    var hasNext: Bool { taken < events.count }

    /// Sends a call whole.
    func send(_ call: VarlinkCall, timeout: UInt64) throws(ClientFailure) -> CallID {
        let deadline = Self.deadline(after: timeout)
        var bytes: [UInt8] = []
        let id: CallID
        do {
            id = try peer.send(call, into: &bytes)
        } catch {
            switch error {
            case .ended(.closed): throw .closed(method: call.method)
            case .ended(.peerFault(let fault)): throw .protocolViolation(fault.description)
            case .upgradeNotSupported, .conflictingFlags, .invalidMethod:
                preconditionFailure("a call that no program can send: \(error)")
            }
        }
        var offset = 0
        while offset < bytes.count {
            let outcome = bytes.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
            switch outcome {
            case .bytes(let count): offset += count
            // Whoever ended the connection has said why: `next` reads it, or finds that nothing was said.
            case .closed: return id
            case .failed(let error): throw .system(error)
            case .wouldBlock:
                if try !isReady(.write, until: deadline) { throw .timedOut(method: call.method, after: timeout) }
            }
        }
        return id
    }

    /// What comes next; nothing when the deadline passes first.
    func next(until deadline: UInt64?) throws(ClientFailure) -> Event? {
        while !hasNext {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .bytes(let count):
                startBatch()
                explanations.begin(buffer[..<count])
                received = count
                peer.receive(buffer[..<count], into: &events)
            case .endOfFile: try finish()
            case .failed(let error):
                guard error.name == "ECONNRESET" else { throw .system(error) }
                try finish()
            case .wouldBlock:
                if try !isReady(.read, until: deadline) { return nil }
            }
        }
        defer { taken += 1 }
        return events[taken]
    }

    /// An error that `next` has just given, with the rig's own words about it.
    func refusal(_ error: VarlinkError) -> Refusal {
        Refusal(error, explanation: explanations.take(error.name, in: buffer[..<received]))
    }

    private func finish() throws(ClientFailure) {
        startBatch()
        peer.streamEnded(into: &events)
        if events.isEmpty { throw .closed(method: "anything more") }
    }

    private func startBatch() {
        events.removeAll(keepingCapacity: true)
        taken = 0
    }

    private func isReady(_ interest: Interest, until deadline: UInt64?) throws(ClientFailure) -> Bool {
        let outcome: DescriptorWait.Outcome
        do {
            outcome = try wait.wait(for: interest, until: deadline)
        } catch {
            throw .system(error)
        }
        switch outcome {
        case .ready: return true
        case .deadline: return false
        case .interrupted: throw .interrupted
        }
    }
}
