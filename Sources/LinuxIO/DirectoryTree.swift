internal import Glibc

/// Folders: made with their parents, listed in order.
public enum DirectoryTree {
    /// Makes a folder and the parents that are missing. Every folder made here gets exactly `mode`, whatever the umask;
    /// folders that exist stay as they are.
    public static func create(_ path: String, mode: UInt32 = 0o755) throws(FileError) {
        try checkPath(path)
        try make(path, mode, mayMakeParent: true)
    }

    private static func make(_ path: String, _ mode: UInt32, mayMakeParent: Bool) throws(FileError) {
        if mkdir(path, mode) == 0 {
            // mkdir leaves out the umask's bits and the set-group-id bit.
            return try system { () throws(SystemError) in _ = try check("chmod", path) { chmod(path, mode) } }
        }
        switch errno {
        case EEXIST:
            var facts = stat()
            try system { () throws(SystemError) in _ = try check("stat", path) { stat(path, &facts) } }
            if facts.st_mode & S_IFMT != S_IFDIR { throw .notAFolder(path: path) }
        case ENOENT:
            let above = parent(of: trimmed(path))
            // procfs answers ENOENT although the parent is there.
            if above == "." || above == path || !mayMakeParent { throw .system(SystemError("mkdir", ENOENT, path)) }
            try make(above, mode, mayMakeParent: true)
            try make(path, mode, mayMakeParent: false)
        case ENOTDIR: throw .notAFolder(path: parent(of: trimmed(path)))
        case let number: throw .system(SystemError("mkdir", number, path))
        }
    }

    /// The names in a folder, without "." and "..", in byte order; at most `limit` of them.
    ///
    /// A name that is not UTF-8 comes repaired, so that it can be shown but not opened.
    public static func list(_ path: String, limit: Int = 65_536) throws(FileError) -> [String] {
        try checkPath(path)
        guard let folder = opendir(path) else {
            let error = SystemError.last("opendir", path)
            throw error.number == ENOTDIR ? .notAFolder(path: path) : .system(error)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(folder) else {
                if errno != 0 { throw .system(.last("readdir", path)) }
                return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            // By pointer: an entry is shorter than the structure that describes it, so it must not be copied whole.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name == "." || name == ".." { continue }
            if names.count >= limit { throw .tooManyEntries(path: path, limit: limit) }
            names.append(name)
        }
    }

    private static func trimmed(_ path: String) -> String {
        var text = Substring(path)
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        return String(text)
    }
}
