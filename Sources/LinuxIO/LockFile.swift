internal import CLinux
internal import Glibc

/// Why a lock was not taken.
public enum LockError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another process holds it; `owner` is what that process wrote, empty if it has not come to it yet.
    case held(path: String, owner: String)
    /// The file could not be opened, locked or written.
    case file(FileError)

    /// One line.
    public var description: String {
        switch self {
        case .held(let path, let owner): "\(path): held by \(owner.isEmpty ? "another process" : owner)"
        case .file(let error): error.description
        }
    }
}

/// An exclusive lock between processes: one per instance, one per port. The kernel releases it when the holder dies.
///
/// The file stays when the lock goes, since removing it could take it away under the next holder.
public struct LockFile: ~Copyable {
    /// Where the file lies.
    public let path: String

    private let descriptor: OwnedDescriptor
    /// An owner's text is one short line.
    private static let ownerLimit = 256

    /// Takes the lock at once or throws; never waits. `owner` is shown to whoever comes second.
    public init(_ path: String, owner: String, mode: UInt32 = 0o660) throws(LockError) {
        do {
            try checkPath(path)
        } catch {
            throw .file(error)
        }
        let file = try Self.lock(path, mode)
        let line = Array((owner.filter { $0 != "\n" } + "\n").utf8.prefix(Self.ownerLimit))
        do {
            _ = try check("ftruncate", path) { ftruncate(file.rawValue, 0) }
            try writeAll(file.rawValue, line, path: path)
        } catch {
            throw .file(.system(error))
        }
        self.path = path
        descriptor = file
    }

    deinit {
        // So that nobody reads a name that is no longer true.
        _ = ftruncate(descriptor.rawValue, 0)
        // Not left to the close alone: a child that is being started may have a copy of the descriptor for a moment.
        _ = flock(descriptor.rawValue, LOCK_UN)
    }

    private static func lock(_ path: String, _ mode: UInt32) throws(LockError) -> OwnedDescriptor {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK
        // Somebody who removes lock files can take ours away between open and flock; a few tries outlast that.
        for _ in 0..<16 {
            let file = try open(path, flags, mode)
            var facts = stat()
            guard fstat(file.rawValue, &facts) == 0 else { throw .file(.system(.last("fstat", path))) }
            guard facts.st_mode & S_IFMT == S_IFREG else { throw .file(.notAFile(path: path)) }
            if flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
                let failure = errno
                if failure == EINTR { continue }
                guard failure == EWOULDBLOCK else { throw .file(.system(SystemError("flock", failure, path))) }
                throw .held(path: path, owner: owner(file))
            }
            if FileIdentity(path: path) != FileIdentity(facts) { continue }
            // The mode that open gives lacks the umask's bits; only the file's owner may add them.
            if facts.st_uid == geteuid() { _ = fchmod(file.rawValue, mode) }
            return file
        }
        throw .file(.system(SystemError("flock", EAGAIN, path)))
    }

    private static func open(_ path: String, _ flags: Int32, _ mode: UInt32) throws(LockError) -> OwnedDescriptor {
        do {
            return OwnedDescriptor(adopting: try check("open", path) { Glibc.open(path, flags, mode) })
        } catch {
            throw .file(.system(error))
        }
    }

    private static func owner(_ file: borrowing OwnedDescriptor) -> String {
        var bytes = [UInt8](repeating: 0, count: ownerLimit)
        let number = file.rawValue
        let count = bytes.withUnsafeMutableBytes { pread(number, $0.baseAddress, $0.count, 0) }
        let line = bytes.prefix(max(0, count)).prefix { $0 >= 0x20 && $0 != 0x7F }
        return String(decoding: line, as: UTF8.self)
    }
}
