internal import CLinux
internal import Glibc

/// Where an AF_UNIX socket lives.
public enum UnixAddress: Hashable, Sendable, CustomStringConvertible {
    /// A path of 1 to 107 bytes.
    case path(String)
    /// A name of the abstract namespace, without the leading NUL (or "@"), of 0 to 107 bytes.
    case abstract(String)

    /// The longest path or abstract name in bytes: sun_path has 108, one of them the NUL.
    public static let limit = 107

    /// The path, or "@name".
    public var description: String {
        switch self {
        case .path(let path): path
        case .abstract(let name): "@" + name
        }
    }

    /// The address in the kernel's form, and its length in bytes.
    func encoded() throws(UnixSocketError) -> (sockaddr_un, socklen_t) {
        let name: String
        switch self {
        case .path(let path):
            if path.isEmpty || path.utf8.contains(0) { throw .badPath(path) }
            name = path
        case .abstract(let text):
            name = "\0" + text
        }
        let count = name.utf8.count
        let limit = if case .path = self { Self.limit } else { Self.limit + 1 }
        if count > limit { throw .pathTooLong(description, bytes: count, limit: limit) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { space in
            space.copyBytes(from: name.utf8)
        }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        // The NUL after a path is part of its length; an abstract name ends with its last byte.
        let length = if case .path = self { offset + count + 1 } else { offset + count }
        return (address, socklen_t(length))
    }
}

/// Calls `body` with the address as the socket calls take it.
func withSocketAddress<Result>(_ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
}

/// Why a Unix socket could not be opened, taken over or reached.
public enum UnixSocketError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path is empty or has a NUL in it.
    case badPath(String)
    /// The path or abstract name does not fit a socket address (bytes); choose a shorter folder.
    case pathTooLong(String, bytes: Int, limit: Int)
    /// A living process listens there; stop it or choose another instance or folder.
    case inUse(String)
    /// Something that is not a socket stands at the path; it is left alone.
    case notASocket(String)
    /// A descriptor handed over by the service manager is not a listening AF_UNIX stream socket.
    case notAListener(descriptor: Int32, reason: String)
    /// Nobody listens: the path is missing, or its process is gone.
    case notRunning(String, SystemError)
    /// The other side did not take the connection, or did not answer, within the time given.
    case timedOut(String)
    /// The connection ended in the middle of something.
    case closed(String)
    /// The kernel refused.
    case system(SystemError)

    /// One line: what happened and what to do.
    public var description: String {
        switch self {
        case .badPath(let path): "a socket path must be neither empty nor hold a NUL: \(path.debugDescription)"
        case .pathTooLong(let path, let bytes, let limit):
            "socket path of \(bytes) bytes, at most \(limit) are possible; choose a shorter folder: \(path)"
        case .inUse(let path): "\(path): another process listens there"
        case .notASocket(let path): "\(path): exists and is not a socket; move it away"
        case .notAListener(let descriptor, let reason): "passed descriptor \(descriptor): \(reason)"
        case .notRunning(let path, let error): "\(path): nobody listens (\(error.name))"
        case .timedOut(let path): "\(path): no answer in time"
        case .closed(let path): "\(path): connection closed by the other side"
        case .system(let error): error.description
        }
    }
}
