internal import CLinux
internal import Glibc

/// What a non-blocking read answered.
public enum ReadOutcome: Equatable, Sendable {
    /// So many bytes were read, at least 1.
    case bytes(Int)
    /// Nothing is there now; wait for readability.
    case wouldBlock
    /// The other end will send no more.
    case endOfFile
    /// The read failed, for instance ECONNRESET from a peer or ENODEV from a device that is gone.
    case failed(SystemError)
}

/// What a non-blocking write answered.
public enum WriteOutcome: Equatable, Sendable {
    /// So many bytes were taken; may be fewer than were offered.
    case bytes(Int)
    /// Nothing can be taken now; wait for writability.
    case wouldBlock
    /// The other end is gone (EPIPE or ECONNRESET): the peer's doing, not a fault of ours.
    case closed
    /// The write failed for another reason.
    case failed(SystemError)
}

/// A file descriptor with exactly one owner, closed when the owner goes away.
///
/// Take a descriptor out of an `EventLoop` before its owner goes: a number that is closed may come back at once as
/// something else.
@frozen
public struct OwnedDescriptor: ~Copyable, Sendable {
    /// The number, valid as long as this value lives.
    public let rawValue: Int32

    /// Takes over an open descriptor; nobody else may close it from now on.
    public init(adopting rawValue: Int32) {
        precondition(rawValue >= 0, "a descriptor number is never negative")
        self.rawValue = rawValue
    }

    deinit { closeDescriptor(rawValue) }

    /// Gives the descriptor away: the caller must close it.
    public consuming func release() -> Int32 {
        let number = rawValue
        discard self
        return number
    }

    /// Reads what is there, up to the buffer's size. An empty buffer is a programmer's error.
    public borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        precondition(!buffer.isEmpty, "a read into an empty buffer cannot be told from the end of the file")
        while true {
            let count = Glibc.read(rawValue, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .endOfFile }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let number: return .failed(SystemError("read", number, "descriptor \(rawValue)"))
            }
        }
    }

    /// Writes what can be taken now. SIGPIPE must be ignored (`SignalDescriptor.ignoreBrokenPipe`) for pipes; sockets
    /// are better served by `UnixConnection.send`.
    public borrowing func write(_ buffer: UnsafeRawBufferPointer) -> WriteOutcome {
        while true {
            let count = Glibc.write(rawValue, buffer.baseAddress, buffer.count)
            if count >= 0 { return .bytes(count) }
            let number = errno
            if number != EINTR { return WriteOutcome(failure: number, call: "write", descriptor: rawValue) }
        }
    }

    /// Writes what can be taken of an array now.
    public borrowing func write(_ bytes: [UInt8]) -> WriteOutcome {
        bytes.withUnsafeBytes { write($0) }
    }

    /// Switches the open file description to non-blocking. Whoever shares it (a terminal, an inherited pipe) sees it.
    public borrowing func setNonBlocking() throws(SystemError) {
        let number = rawValue
        let flags = try check("fcntl", "F_GETFL \(number)") { fcntl(number, F_GETFL) }
        _ = try check("fcntl", "F_SETFL \(number)") { fcntl(number, F_SETFL, flags | O_NONBLOCK) }
    }

    /// Keeps a descriptor that was passed to us from being passed on to our children. EBADF when it is not open.
    public static func setCloseOnExec(_ number: Int32) throws(SystemError) {
        let flags = try check("fcntl", "F_GETFD \(number)") { fcntl(number, F_GETFD) }
        _ = try check("fcntl", "F_SETFD \(number)") { fcntl(number, F_SETFD, flags | FD_CLOEXEC) }
    }

    /// A second descriptor for the same open file description, closed on exec.
    public borrowing func duplicate() throws(SystemError) -> OwnedDescriptor {
        let number = rawValue
        return OwnedDescriptor(
            adopting: try check("fcntl", "F_DUPFD_CLOEXEC \(number)") { fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }
}

/// Both ends of a pipe, closed on exec and non-blocking unless asked otherwise.
@frozen
public struct Pipe: ~Copyable {
    /// The end to read from.
    public var reader: OwnedDescriptor
    /// The end to write to.
    public var writer: OwnedDescriptor

    /// Opens a pipe.
    public init(nonBlocking: Bool = true) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let flags = O_CLOEXEC | (nonBlocking ? O_NONBLOCK : 0)
        _ = try check("pipe2") {
            withUnsafeMutableBytes(of: &ends) {
                dashrig_pipe2($0.assumingMemoryBound(to: Int32.self).baseAddress, flags)
            }
        }
        reader = OwnedDescriptor(adopting: ends.0)
        writer = OwnedDescriptor(adopting: ends.1)
    }

    /// Gives both ends away as numbers: the caller must close them.
    public consuming func release() -> (reader: Int32, writer: Int32) {
        (reader.release(), writer.release())
    }
}

extension WriteOutcome {
    /// The outcome for an errno value other than EINTR.
    init(failure number: Int32, call: String, descriptor: Int32) {
        switch number {
        case EAGAIN: self = .wouldBlock
        case EPIPE, ECONNRESET: self = .closed
        default: self = .failed(SystemError(call, number, "descriptor \(descriptor)"))
        }
    }
}

/// Closes a number. Linux frees it even when close reports EINTR or EIO, so there is nothing to repeat; EBADF means
/// that somebody else closed what is ours, after which any descriptor may be the wrong one.
@usableFromInline
func closeDescriptor(_ number: Int32) {
    let result = close(number)
    precondition(result == 0 || errno != EBADF, "descriptor \(number) was closed behind its owner's back")
}
