internal import CLinux
internal import Glibc

/// A standard stream that other processes may share: written without ever blocking, and without changing its flags,
/// which would change them for the others too.
public struct SharedStream: ~Copyable, Sendable {
    /// The longest line that a pipe takes whole or not at all (PIPE_BUF).
    public static let lineLimit = 4096

    private let descriptor: Int32
    /// Our own open file description of a pipe or terminal, non-blocking.
    private let own: OwnedDescriptor?
    private let ownNumber: Int32?
    private let isSocket: Bool
    private let neverBlocks: Bool

    /// Wraps a descriptor (2 for standard error), which stays open and stays its owner's.
    public init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // A stream that is closed stays silent here; the first write tells it (EBADF).
        let kind = (try? FileFacts(of: descriptor))?.kind
        isSocket = kind == .socket
        neverBlocks = kind == .file
        var reopened: Int32 = -1
        if kind == .pipe || kind == .characterDevice {
            let flags = O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
            reopened = open("/proc/self/fd/\(descriptor)", flags)
        }
        own = reopened >= 0 ? OwnedDescriptor(adopting: reopened) : nil
        ownNumber = reopened >= 0 ? reopened : nil
    }

    /// Writes what can be taken now; from a pipe's point of view all or nothing up to `lineLimit` bytes.
    public borrowing func write(_ bytes: [UInt8]) -> WriteOutcome {
        while true {
            let count = bytes.withUnsafeBytes { attempt($0) }
            if count >= 0 { return .bytes(count) }
            let number = errno
            if number != EINTR { return WriteOutcome(failure: number, call: "write", descriptor: descriptor) }
        }
    }

    private borrowing func attempt(_ bytes: UnsafeRawBufferPointer) -> Int {
        if let number = ownNumber { return Glibc.write(number, bytes.baseAddress, bytes.count) }
        if isSocket {
            return Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        if !neverBlocks {
            // Could not be opened a second time (another user's terminal): ask first, which is nearly as good.
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 0) == 0 {
                errno = EAGAIN
                return -1
            }
        }
        return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
}
