internal import CLinux
internal import Glibc

/// What a receive with a deadline answered.
public enum TimedReadOutcome: Equatable, Sendable {
    /// So many bytes, at least 1.
    case bytes(Int)
    /// The other side will send no more.
    case endOfFile
    /// The deadline passed first.
    case timedOut
}

/// A client's connection for programs that do one thing at a time: it waits, with deadlines.
///
/// Deadlines are CLOCK_MONOTONIC nanoseconds; nil waits for ever.
public struct BlockingConnection: ~Copyable, Sendable {
    private let connection: UnixConnection
    private let name: String

    /// Connects, waiting for a listener whose queue is full until the deadline.
    public init(to address: UnixAddress, deadline: UInt64?) throws(UnixSocketError) {
        connection = try UnixConnection(connectingTo: address, deadline: deadline)
        name = address.description
    }

    /// The descriptor, to be watched or polled together with others.
    public var rawValue: Int32 { connection.rawValue }

    /// Sends everything, or throws `timedOut` or `closed`; then the connection is of no use any more.
    public borrowing func sendAll(_ bytes: [UInt8], deadline: UInt64?) throws(UnixSocketError) {
        var offset = 0
        while offset < bytes.count {
            let outcome = bytes.withUnsafeBytes {
                connection.send(UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            switch outcome {
            case .bytes(let count): offset += count
            case .closed: throw .closed(name)
            case .failed(let error): throw .system(error)
            case .wouldBlock:
                if try !waitFor(POLLOUT, deadline) { throw .timedOut(name) }
            }
        }
    }

    /// Receives what comes first, up to the buffer's size.
    public borrowing func receive(
        into buffer: UnsafeMutableRawBufferPointer, deadline: UInt64?
    ) throws(UnixSocketError) -> TimedReadOutcome {
        while true {
            switch connection.receive(into: buffer) {
            case .bytes(let count): return .bytes(count)
            case .endOfFile: return .endOfFile
            case .failed(let error):
                if error.number == ECONNRESET { throw .closed(name) }
                throw .system(error)
            case .wouldBlock:
                if try !waitFor(POLLIN, deadline) { return .timedOut }
            }
        }
    }

    private borrowing func waitFor(_ events: Int32, _ deadline: UInt64?) throws(UnixSocketError) -> Bool {
        let number = connection.rawValue
        return try socketCall { () throws(SystemError) in
            try waitUntilReady([pollfd(fd: number, events: Int16(events), revents: 0)], deadline: deadline) != nil
        }
    }
}

extension UnixConnection {
    /// Connects to a listener, waiting while its queue is full until the deadline (CLOCK_MONOTONIC nanoseconds).
    ///
    /// For AF_UNIX neither poll nor EINPROGRESS tell when a full queue has room; the send timeout of a blocking socket
    /// does. The connection is non-blocking afterwards.
    public init(connectingTo address: UnixAddress, deadline: UInt64?) throws(UnixSocketError) {
        let (target, length) = try address.encoded()
        let socket = try openSocket(nonBlocking: false)
        let number = socket.rawValue
        while true {
            if let deadline {
                let now = SystemClock.monotonicNow()
                // Zero would mean for ever, so at least a microsecond.
                try Self.setSendTimeout(number, microseconds: deadline > now ? max(1, (deadline - now) / 1000) : 1)
            }
            let failure = withSocketAddress(target) { connect(number, $0, length) == 0 ? 0 : errno }
            switch failure {
            case 0:
                try Self.setSendTimeout(number, microseconds: 0)
                try socketCall { () throws(SystemError) in try socket.setNonBlocking() }
                self.init(adopting: socket)
                return
            case EINTR: continue
            case EAGAIN: throw .timedOut(address.description)
            case ENOENT, ECONNREFUSED:
                throw .notRunning(address.description, SystemError("connect", failure, address.description))
            default: throw .system(SystemError("connect", failure, address.description))
            }
        }
    }

    private static func setSendTimeout(_ socket: Int32, microseconds: UInt64) throws(UnixSocketError) {
        var value = timeval()
        value.tv_sec = Int(truncatingIfNeeded: min(microseconds / 1_000_000, UInt64(Int32.max)))
        value.tv_usec = Int(truncatingIfNeeded: microseconds % 1_000_000)
        try socketCall { () throws(SystemError) in
            _ = try check("setsockopt", "SO_SNDTIMEO") {
                setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &value, socklen_t(MemoryLayout<timeval>.size))
            }
        }
    }
}

/// Waits until one of the descriptors is ready. Returns them with their events, nil when the deadline passed first.
func waitUntilReady(_ entries: [pollfd], deadline: UInt64?) throws(SystemError) -> [pollfd]? {
    var entries = entries
    while true {
        var timeout: Int32 = -1
        if let deadline {
            let now = SystemClock.monotonicNow()
            // Rounded up, so that a wait never ends before its deadline.
            let left = deadline > now ? (deadline - now - 1) / 1_000_000 + 1 : 0
            timeout = Int32(truncatingIfNeeded: min(left, UInt64(Int32.max)))
        }
        let count = poll(&entries, nfds_t(entries.count), timeout)
        if count > 0 { return entries }
        if count < 0 && errno != EINTR { throw .last("poll") }
        if count == 0, timeout != Int32.max { return nil }
    }
}
