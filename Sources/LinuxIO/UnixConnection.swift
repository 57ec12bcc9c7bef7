internal import CLinux
internal import Glibc

/// A connected, non-blocking Unix stream socket.
///
/// Descriptors that a peer passes along are dropped by the kernel: nothing is ever received with room for them.
@frozen
public struct UnixConnection: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// At most so many buffers go out in one gathering send; the rest waits for the next.
    public static let gatherLimit = 64

    /// Takes over a connected stream socket, which must be non-blocking.
    public init(adopting descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// To be watched.
    public var rawValue: Int32 { descriptor.rawValue }

    /// Who is at the other end.
    public borrowing func peerCredentials() throws(SystemError) -> PeerCredentials {
        try PeerCredentials(of: descriptor.rawValue)
    }

    /// Sends what can be taken now. Never raises SIGPIPE.
    public borrowing func send(_ buffer: UnsafeRawBufferPointer) -> WriteOutcome {
        let socket = descriptor.rawValue
        while true {
            let count = Glibc.send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            let number = errno
            if number != EINTR { return WriteOutcome(failure: number, call: "send", descriptor: socket) }
        }
    }

    /// Sends what can be taken of an array now.
    public borrowing func send(_ bytes: [UInt8]) -> WriteOutcome {
        bytes.withUnsafeBytes { send($0) }
    }

    /// Sends several buffers with one system call, in order, leaving out the first `offset` bytes of the first one (what
    /// an earlier send took of it).
    public borrowing func send(gathering buffers: ArraySlice<[UInt8]>, from offset: Int = 0) -> WriteOutcome {
        let buffers = buffers.prefix(Self.gatherLimit)
        guard let first = buffers.first else { return .bytes(0) }
        precondition(offset >= 0 && offset <= first.count, "the offset lies in the first buffer")
        let socket = descriptor.rawValue
        return withUnsafeTemporaryAllocation(of: iovec.self, capacity: buffers.count) { parts in
            gather(buffers, offset, into: parts, filled: 0) { parts in
                var message = msghdr()
                message.msg_iov = parts.baseAddress
                message.msg_iovlen = parts.count
                while true {
                    let count = sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
                    if count >= 0 { return .bytes(count) }
                    let number = errno
                    if number != EINTR { return WriteOutcome(failure: number, call: "sendmsg", descriptor: socket) }
                }
            }
        }
    }

    /// Receives what is there, up to the buffer's size.
    public borrowing func receive(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
        precondition(!buffer.isEmpty, "a receive into an empty buffer cannot be told from the end of the stream")
        let socket = descriptor.rawValue
        while true {
            let count = recv(socket, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .endOfFile }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case let number: return .failed(SystemError("recv", number, "descriptor \(socket)"))
            }
        }
    }

    /// Says that nothing more will be sent; what is on its way still arrives.
    public borrowing func finishSending() throws(SystemError) {
        let socket = descriptor.rawValue
        _ = try check("shutdown", "descriptor \(socket)") { shutdown(socket, Int32(SHUT_WR)) }
    }

    /// Asks for another send buffer size in bytes (the kernel doubles it, and caps it at net.core.wmem_max).
    public borrowing func setSendBufferSize(_ bytes: Int32) throws(SystemError) {
        let socket = descriptor.rawValue
        var value = bytes
        _ = try check("setsockopt", "SO_SNDBUF \(bytes)") {
            setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Gives the descriptor away.
    public consuming func release() -> OwnedDescriptor { descriptor }
}

/// Fills one iovec per buffer and calls `body` while all the buffers are pinned: one stack frame per buffer, which
/// `gatherLimit` bounds.
private func gather(
    _ buffers: ArraySlice<[UInt8]>, _ offset: Int, into parts: UnsafeMutableBufferPointer<iovec>, filled: Int,
    _ body: (UnsafeMutableBufferPointer<iovec>) -> WriteOutcome
) -> WriteOutcome {
    guard let next = buffers.first else { return body(UnsafeMutableBufferPointer(rebasing: parts[..<filled])) }
    return next.withUnsafeBytes { bytes in
        let base = UnsafeMutableRawPointer(mutating: bytes.baseAddress?.advanced(by: offset))
        parts[filled] = iovec(iov_base: base, iov_len: bytes.count - offset)
        return gather(buffers.dropFirst(), 0, into: parts, filled: filled + 1, body)
    }
}
