internal import CLinux
internal import Glibc

/// An exclusive lock on a folder between processes, for what must not be done there by two at once. It leaves no file
/// behind, and the kernel releases it when the holder dies.
public struct FolderLock: ~Copyable {
    private let descriptor: OwnedDescriptor

    /// Takes the lock of a folder that exists at once or throws; never waits.
    public init(_ path: String) throws(LockError) {
        do {
            try checkPath(path)
        } catch {
            throw .file(error)
        }
        let folder = try Self.open(path)
        while flock(folder.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let failure = errno
            if failure == EINTR { continue }
            guard failure == EWOULDBLOCK else { throw .file(.system(SystemError("flock", failure, path))) }
            throw .held(path: path, owner: "")
        }
        descriptor = folder
    }

    private static func open(_ path: String) throws(LockError) -> OwnedDescriptor {
        do {
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
            return OwnedDescriptor(adopting: try check("open", path) { Glibc.open(path, flags) })
        } catch {
            throw .file(error.number == ENOTDIR ? .notAFolder(path: path) : .system(error))
        }
    }

    // Not left to the close alone: a child that is being started may have a copy of the descriptor for a moment.
    deinit { _ = flock(descriptor.rawValue, LOCK_UN) }
}
