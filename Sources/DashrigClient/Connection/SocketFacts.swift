internal import Glibc

/// What the file system says of a socket: who may use it.
public struct SocketFacts: Equatable, Sendable {
    /// Whether it is a socket and not something else.
    public let isSocket: Bool
    /// The permission bits.
    public let mode: UInt32
    /// Who owns it.
    public let uid: UInt32
    /// The group that it belongs to.
    public let gid: UInt32
    /// The group's name, or its number where it has none.
    public let groupName: String

    /// Looks at a path; nothing when it is not there or may not be looked at.
    public init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        isSocket = facts.st_mode & S_IFMT == S_IFSOCK
        mode = facts.st_mode & 0o7777
        uid = facts.st_uid
        gid = facts.st_gid
        groupName = Self.name(ofGroup: facts.st_gid)
    }

    /// The name of a group; its number in digits where it has none.
    public static func name(ofGroup gid: UInt32) -> String {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var space = [CChar](repeating: 0, count: 16_384)
        let result = space.withUnsafeMutableBufferPointer { buffer in
            getgrgid_r(gid, &entry, buffer.baseAddress, buffer.count, &found) == 0 && found != nil
                ? entry.gr_name.map { String(cString: $0) } : nil
        }
        return result ?? String(gid)
    }
}
