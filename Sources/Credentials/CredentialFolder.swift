internal import Glibc
internal import LinuxIO

/// The folder of the keys, below the daemon's state directory.
///
/// All of it blocks: in the daemon its functions run as jobs.
public enum CredentialFolder {
    /// The folder's name in the state directory.
    public static let name = "credentials"

    /// The path of the folder.
    public static func path(in state: String) -> String { state + "/" + name }

    /// Makes the folder (and the state directory) with mode 0700 where it is not there, and sees that it can be used.
    /// Nothing else is made, and libcrypto is not needed.
    public static func prepare(in state: String) throws(CredentialError) {
        let folder = path(in: state)
        do {
            try DirectoryTree.create(state, mode: 0o700)
            try DirectoryTree.create(folder, mode: 0o700)
        } catch {
            throw .file(error, folder: folder)
        }
        try checkMode(folder, wanted: 0o700)
        guard access(folder, R_OK | W_OK | X_OK) == 0 else {
            throw .file(.system(SystemError("access", errno, folder)), folder: folder)
        }
    }
}

/// Refuses what others than its owner may read, write or enter.
func checkMode(_ path: String, wanted: UInt32) throws(CredentialError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
        throw .file(.system(SystemError("stat", errno, path)), folder: path)
    }
    let mode = facts.st_mode & 0o7777
    guard mode & 0o077 == 0 else { throw .tooOpen(path: path, mode: mode, wanted: wanted) }
}
