internal import CLinux
internal import Glibc

/// Why a file or folder could not be read, written or locked.
public enum FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kernel refused; the context is the path.
    case system(SystemError)
    /// The file is longer than its reader takes (bytes).
    case tooLarge(path: String, limit: Int)
    /// A folder, device, FIFO or socket stands where a file is needed.
    case notAFile(path: String)
    /// The folder holds more names than its reader takes.
    case tooManyEntries(path: String, limit: Int)
    /// Something other than a folder stands where a folder is needed.
    case notAFolder(path: String)
    /// The path is empty or has a NUL in it.
    case badPath(String)

    /// One line with the path and what is wrong with it.
    public var description: String {
        switch self {
        case .system(let error): error.description
        case .tooLarge(let path, let limit): "\(path): longer than \(limit) bytes"
        case .tooManyEntries(let path, let limit): "\(path): more than \(limit) entries"
        case .notAFile(let path): "\(path): not a regular file"
        case .notAFolder(let path): "\(path): not a folder"
        case .badPath(let path):
            path.isEmpty ? "the path is empty" : "the path has a NUL in it: \(path.debugDescription)"
        }
    }
}

/// Whole files, read and written with bounds. Both can block: in the daemon they run as jobs.
public enum FileContents {
    /// Reads a regular file (sysfs and procfs files count as such) of at most `limit` bytes.
    ///
    /// Never waits for a FIFO's writer or opens a device: what is not a regular file is refused.
    public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        try checkPath(path)
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let file = OwnedDescriptor(
            adopting: try system { () throws(SystemError) in
                try check("open", path) { open(path, flags) }
            })
        var facts = stat()
        try system { () throws(SystemError) in _ = try check("fstat", path) { fstat(file.rawValue, &facts) } }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        return try read(descriptor: file.rawValue, limit: limit, name: path, expecting: Int(facts.st_size))
    }

    /// Reads an open descriptor (standard input, a pipe) to its end, at most `limit` bytes. Waits as the descriptor does.
    public static func read(descriptor: Int32, limit: Int, name: String) throws(FileError) -> [UInt8] {
        try read(descriptor: descriptor, limit: limit, name: name, expecting: 0)
    }

    /// Replaces a file's contents at once: readers see the old or the new whole, also after a power cut.
    ///
    /// The new file gets exactly `mode`, whatever the umask. On failure nothing is left behind. What is no file (a device,
    /// a pipe, a folder) is refused: taking its place would take it away from everybody.
    public static func write(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644) throws(FileError) {
        try checkPath(path)
        var facts = stat()
        if stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG { throw .notAFile(path: path) }
        let folder = parent(of: path)
        let temporary = path + ".new-\(getpid())-\(randomSuffix())"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = OwnedDescriptor(
            adopting: try system { () throws(SystemError) in
                try check("open", temporary) { open(temporary, flags, 0o600) }
            })
        do {
            try writeAll(file.rawValue, bytes, path: temporary)
            _ = try check("fchmod", temporary) { fchmod(file.rawValue, mode) }
            _ = try check("fsync", temporary) { fsync(file.rawValue) }
            _ = try check("rename", path) { rename(temporary, path) }
        } catch {
            unlink(temporary)
            throw .system(error)
        }
        try system { () throws(SystemError) in try synchroniseFolder(folder) }
    }

    private static func read(
        descriptor: Int32, limit: Int, name: String, expecting: Int
    ) throws(FileError) -> [UInt8] {
        precondition(limit >= 0, "a limit is never negative")
        if expecting > limit { throw .tooLarge(path: name, limit: limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, expecting))
        let chunk = 16 * 1024
        // A size of sysfs, procfs and pipes says nothing, so the end is where read says it is.
        while true {
            let part: [UInt8]
            do {
                part = try readPart(descriptor, chunk, name: name)
            } catch {
                throw .system(error)
            }
            if part.isEmpty { return bytes }
            if part.count > limit - bytes.count { throw .tooLarge(path: name, limit: limit) }
            bytes.append(contentsOf: part)
        }
    }

    private static func readPart(_ descriptor: Int32, _ size: Int, name: String) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = 0
            do throws(SystemError) {
                count = try check("read", name) { Glibc.read(descriptor, buffer.baseAddress, size) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return part
    }

    private static func randomSuffix() -> String {
        var value: UInt64 = 0
        let count = withUnsafeMutableBytes(of: &value) { dashrig_getrandom($0.baseAddress, $0.count, 0) }
        // Without random bytes the name is only easier to hit; O_EXCL still refuses a file that exists.
        if count != MemoryLayout<UInt64>.size { value = SystemClock.monotonicNow() }
        return String(value, radix: 36)
    }
}

/// Writes everything to a blocking descriptor.
func writeAll(_ descriptor: Int32, _ bytes: [UInt8], path: String) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
        offset += try check("write", path) {
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
        }
    }
}

/// Makes a rename or a removal in this folder last.
func synchroniseFolder(_ path: String) throws(SystemError) {
    let folder = OwnedDescriptor(
        adopting: try check("open", path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    _ = try check("fsync", path) { fsync(folder.rawValue) }
}

/// The folder that a path lies in: "." for a bare name.
func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    if slash == path.utf8.startIndex { return "/" }
    return String(path[..<slash])
}

func checkPath(_ path: String) throws(FileError) {
    if path.isEmpty || path.utf8.contains(0) { throw .badPath(path) }
}

/// Turns the error of a system call into a `FileError`.
func system<Result>(_ body: () throws(SystemError) -> Result) throws(FileError) -> Result {
    do {
        return try body()
    } catch {
        throw .system(error)
    }
}
