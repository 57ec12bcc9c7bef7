internal import CLinux
internal import Glibc

/// What `UnixListener.accept` answered.
@frozen
public enum AcceptOutcome: ~Copyable {
    /// A new client.
    case connection(UnixConnection)
    /// A client that came when no descriptor was left, taken with the spare one: tell it so and let it go before the
    /// next accept.
    case overLimit(UnixConnection)
    /// Nobody waits any more.
    case wouldBlock
    /// The kernel refused: no memory, or no descriptor while the spare one is in use. The listener stays readable, so
    /// take it out of the loop until something was closed or some time has passed.
    case failed(SystemError)
}

/// A listening Unix stream socket, non-blocking and closed on exec.
public struct UnixListener: ~Copyable {
    /// The path, empty for a passed socket that has none.
    public let path: String

    private let descriptor: OwnedDescriptor
    /// The socket file to remove at the end, known by its inode; nil for a passed socket.
    private let ownFile: FileIdentity?
    /// Kept only to be closed when descriptors run out, so that one client can be told so.
    private var spare: Int32

    /// Binds and listens.
    ///
    /// A socket file whose process is gone is replaced; a live socket and anything that is not a socket are refused and
    /// left alone. The path appears with no more than `mode`, gets `group` and then exactly `mode`, and takes
    /// connections only after that. Two processes that start at the same time are kept apart by a `LockFile`, not here.
    public init(path: String, mode: UInt32 = 0o660, group: UInt32? = nil, backlog: Int32 = 128) throws(UnixSocketError)
    {
        let (address, length) = try UnixAddress.path(path).encoded()
        let socket = try openSocket(nonBlocking: true)
        let number = socket.rawValue
        try removeStaleSocket(path, address, length)
        // The kernel takes the socket's mode, less the umask, for the file: it is never wider than asked.
        try socketCall { () throws(SystemError) in
            _ = try check("fchmod", path) { fchmod(number, mode) }
        }
        let failure = withSocketAddress(address) { bind(number, $0, length) == 0 ? 0 : errno }
        if failure == EADDRINUSE { throw .inUse(path) }
        if failure != 0 { throw .system(SystemError("bind", failure, path)) }
        let identity = FileIdentity(path: path)
        do {
            if let group { _ = try check("chown", path) { lchown(path, uid_t.max, group) } }
            _ = try check("chmod", path) { chmod(path, mode) }
            _ = try check("listen", path) { listen(number, backlog) }
        } catch {
            if let identity, identity == FileIdentity(path: path) { unlink(path) }
            throw .system(error)
        }
        self.path = path
        descriptor = socket
        ownFile = identity
        spare = openSpare()
    }

    /// Takes over a socket that the service manager opened; its file is never removed.
    public init(adopting descriptor: consuming OwnedDescriptor) throws(UnixSocketError) {
        let number = descriptor.rawValue
        for (option, name, wanted, reason) in [
            (SO_DOMAIN, "SO_DOMAIN", AF_UNIX, "not an AF_UNIX socket"),
            (SO_TYPE, "SO_TYPE", Int32(SOCK_STREAM.rawValue), "not a stream socket"),
            (SO_ACCEPTCONN, "SO_ACCEPTCONN", 1, "a socket that does not listen"),
        ] {
            var value: Int32 = -1
            var length = socklen_t(MemoryLayout<Int32>.size)
            if getsockopt(number, SOL_SOCKET, option, &value, &length) != 0 {
                let failure = errno
                if failure == ENOTSOCK { throw .notAListener(descriptor: number, reason: "not a socket") }
                throw .system(SystemError("getsockopt", failure, "\(name) \(number)"))
            }
            if value != wanted { throw .notAListener(descriptor: number, reason: reason) }
        }
        do {
            try descriptor.setNonBlocking()
            try OwnedDescriptor.setCloseOnExec(number)
        } catch {
            throw .system(error)
        }
        path = boundPath(number)
        self.descriptor = descriptor
        ownFile = nil
        spare = openSpare()
    }

    deinit {
        if spare >= 0 { closeDescriptor(spare) }
        // Only our own file: a successor may have put its socket there already.
        if let ownFile, ownFile == FileIdentity(path: path) { unlink(path) }
    }

    /// To be watched for reading.
    public var rawValue: Int32 { descriptor.rawValue }

    /// Takes one waiting client; call it until `wouldBlock`.
    public mutating func accept() -> AcceptOutcome {
        if spare < 0 { spare = openSpare() }
        var number = acceptOnce()
        if number >= 0 { return .connection(UnixConnection(adopting: OwnedDescriptor(adopting: number))) }
        var failure = errno
        if failure == EMFILE || failure == ENFILE, spare >= 0 {
            closeDescriptor(spare)
            spare = -1
            number = acceptOnce()
            if number >= 0 { return .overLimit(UnixConnection(adopting: OwnedDescriptor(adopting: number))) }
            failure = errno
            spare = openSpare()
        }
        return failure == EAGAIN ? .wouldBlock : .failed(SystemError("accept4", failure, path))
    }

    /// -1 with errno set when there is nobody to take.
    private func acceptOnce() -> Int32 {
        while true {
            let number = dashrig_accept4(
                descriptor.rawValue, nil, nil, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
            // A client that gave up while it waited is no news.
            if number >= 0 || (errno != EINTR && errno != ECONNABORTED) { return number }
        }
    }
}

/// A file by what it is, not by where it lies.
struct FileIdentity: Equatable {
    let device: UInt64
    let inode: UInt64

    /// Nil when nothing is at the path.
    init?(path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init(_ facts: stat) {
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
    }
}

/// An eventfd, since it depends on no file and costs a system-wide slot as a connection does. -1 when even that fails:
/// it is tried again with the next accept.
private func openSpare() -> Int32 { eventfd(0, Int32(EFD_CLOEXEC)) }

/// A new stream socket, closed on exec.
func openSocket(nonBlocking: Bool) throws(UnixSocketError) -> OwnedDescriptor {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)
    return OwnedDescriptor(
        adopting: try socketCall { () throws(SystemError) in
            try check("socket", "AF_UNIX") { socket(AF_UNIX, Int32(type), 0) }
        })
}

/// Removes a socket file that nobody listens on any more.
private func removeStaleSocket(_ path: String, _ address: sockaddr_un, _ length: socklen_t) throws(UnixSocketError) {
    var facts = stat()
    if lstat(path, &facts) != 0 {
        let failure = errno
        if failure == ENOENT { return }
        throw .system(SystemError("lstat", failure, path))
    }
    guard facts.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    let probe = try openSocket(nonBlocking: true)
    let failure = withSocketAddress(address) { connect(probe.rawValue, $0, length) == 0 ? 0 : errno }
    switch failure {
    case ECONNREFUSED:
        if unlink(path) != 0 && errno != ENOENT { throw .system(.last("unlink", path)) }
    case ENOENT: return
    // EAGAIN is a full queue of a living listener, EPROTOTYPE a living socket of another type.
    case 0, EAGAIN, EINPROGRESS, EPROTOTYPE: throw .inUse(path)
    default: throw .system(SystemError("connect", failure, path))
    }
}

/// The path that a passed socket is bound to; empty for an abstract one.
private func boundPath(_ descriptor: Int32) -> String {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0 else { return "" }
    return withUnsafeBytes(of: &address.sun_path) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}

func socketCall<Result>(_ body: () throws(SystemError) -> Result) throws(UnixSocketError) -> Result {
    do {
        return try body()
    } catch {
        throw .system(error)
    }
}
