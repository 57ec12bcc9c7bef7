internal import Glibc
internal import LinuxIO

/// Sees to it that no testbed's folder outlives its process for long: each folder notes its process, is removed at exit,
/// and after a crash by the next testbed.
enum AbandonedFolders {
    private static let mark = "dashrig-owner"
    private static let owned = Guarded<[String]>([])
    private static let atExit: Bool = {
        atexit { AbandonedFolders.removeAll() }
        return true
    }()

    /// Notes that a folder is this process's.
    static func own(_ folder: String) {
        _ = atExit
        owned.use { $0.append(folder) }
        try? FileContents.write("\(folder)/\(mark)", Array("\(getpid())\n".utf8))
    }

    /// Notes that umockdev removes a folder itself, which it insists on.
    static func disown(_ folder: String) { owned.use { $0.removeAll { $0 == folder } } }

    /// Removes the folders beside this one whose process is gone.
    static func sweep(beside folder: String) {
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        let parent = parts.dropLast().joined(separator: "/")
        for name in (try? DirectoryTree.list(parent)) ?? [] where name.hasPrefix("umockdev.") {
            let other = "\(parent)/\(name)"
            guard let bytes = try? FileContents.read("\(other)/\(mark)", limit: 32),
                let owner = Int32(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })
            else { continue }
            if kill(owner, 0) != 0 && errno == ESRCH { erase(other) }
        }
    }

    private static func removeAll() { for folder in owned.use({ $0 }) { erase(folder) } }

    private static func erase(_ folder: String) {
        for name in (try? DirectoryTree.list(folder)) ?? [] {
            let path = "\(folder)/\(name)"
            // A folder says EISDIR; a link to one is unlinked, not followed.
            if unlink(path) != 0 { erase(path) }
        }
        rmdir(folder)
    }
}
