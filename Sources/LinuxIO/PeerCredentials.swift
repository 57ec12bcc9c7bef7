internal import CLinux
internal import Glibc

/// Who is at the other end of a Unix socket, as the kernel noted it when the connection was made.
public struct PeerCredentials: Equatable, Sendable {
    /// Process id, in our pid namespace (0 when it is not visible there).
    public let pid: Int32
    /// Effective user id.
    public let uid: UInt32
    /// Effective group id.
    public let gid: UInt32
    /// Supplementary groups, as the kernel lists them.
    public let groups: [UInt32]

    /// Credentials as values, for tests and for policies.
    public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32]) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// Asks the kernel about a connected socket.
    public init(of descriptor: Int32) throws(SystemError) {
        var credentials = dashrig_ucred()
        var length = socklen_t(MemoryLayout<dashrig_ucred>.size)
        _ = try check("getsockopt", "SO_PEERCRED \(descriptor)") {
            getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        }
        pid = credentials.pid
        uid = credentials.uid
        gid = credentials.gid
        groups = try Self.supplementaryGroups(descriptor)
    }

    /// Whether the peer's effective or supplementary groups hold this one.
    public func isMember(of group: UInt32) -> Bool { gid == group || groups.contains(group) }

    private static func supplementaryGroups(_ descriptor: Int32) throws(SystemError) -> [UInt32] {
        // 32 is ample for a service; the kernel says how many bytes it needs when they do not fit.
        var capacity = 32
        while true {
            var groups = [gid_t](repeating: 0, count: capacity)
            var length = socklen_t(capacity * MemoryLayout<gid_t>.size)
            if getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, &groups, &length) == 0 {
                return Array(groups.prefix(Int(length) / MemoryLayout<gid_t>.size))
            }
            let number = errno
            let needed = Int(length) / MemoryLayout<gid_t>.size
            guard number == ERANGE, needed > capacity else {
                throw SystemError("getsockopt", number, "SO_PEERGROUPS \(descriptor)")
            }
            capacity = needed
        }
    }
}
