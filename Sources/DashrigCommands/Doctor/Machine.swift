internal import CANInput
internal import DashrigClient
internal import Glibc
internal import LinuxIO

/// The machine that `doctor` looks at: its files, and who the user is. Tests have one below a folder of their own.
public struct Machine: Sendable {
    /// What stands before every path; empty for the machine itself.
    let root: String
    /// The user of this process.
    let uid: UInt32
    /// The groups of this process.
    let groups: [UInt32]
    /// Why this process may not open CAN sockets; nothing when it may.
    let canSockets: @Sendable () -> CANError?

    /// Files are read up to so many bytes; the longest is the kernel's list of modules.
    private static let limit = 16 << 20

    /// A machine with its files below a folder.
    init(
        root: String, uid: UInt32, groups: [UInt32],
        canSockets: @escaping @Sendable () -> CANError? = { CANSocket.refusal() }
    ) {
        self.root = root
        self.uid = uid
        self.groups = groups
        self.canSockets = canSockets
    }

    /// The machine that this process runs on.
    public static func current() -> Machine {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = getgroups(Int32(groups.count), &groups)
        return Machine(root: "", uid: geteuid(), groups: [getegid()] + groups.prefix(Int(max(0, count))))
    }

    /// Whether something is at a path.
    func exists(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

    /// A file's text; nothing when it cannot be read.
    func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// A file's bytes; nothing when it cannot be read.
    func bytes(_ path: String) -> [UInt8]? { try? FileContents.read(root + path, limit: Self.limit) }

    /// The first line of a file, as sysfs has its attributes.
    func attribute(_ path: String) -> String? {
        text(path).map { String($0.prefix { $0 != "\n" }) }
    }

    /// The names in a folder; none when it cannot be read.
    func names(_ path: String) -> [String] { (try? DirectoryTree.list(root + path)) ?? [] }

    /// What the file system says of a path.
    func facts(_ path: String) -> SocketFacts? { SocketFacts(path: root + path) }

    /// The first of some folders that has a file of this name.
    func folder(of name: String, among folders: [String]) -> String? {
        folders.first { exists("\($0)/\(name)") }
    }

    /// The name of the user, from /etc/passwd; nothing when it is not there.
    var userName: String? {
        guard let text = text("/etc/passwd") else { return nil }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            if fields.count >= 3, UInt32(fields[2]) == uid { return String(fields[0]) }
        }
        return nil
    }

    /// A group's number and members, from /etc/group; nothing when there is no such group there.
    func group(_ name: String) -> (gid: UInt32, members: [String])? {
        guard let text = text("/etc/group") else { return nil }
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 4, fields[0] == name, let gid = UInt32(fields[2]) else { continue }
            return (gid, fields[3].split(separator: ",").map(String.init))
        }
        return nil
    }
}
