internal import Glibc

/// What a file or an open descriptor is, and which one.
public struct FileFacts: Equatable, Sendable {
    /// The kinds that are told apart here.
    public enum Kind: Equatable, Sendable {
        /// A regular file.
        case file
        /// A pipe or FIFO.
        case pipe
        /// A socket of any family.
        case socket
        /// A terminal or another character device.
        case characterDevice
        /// Anything else: a folder, a block device, an eventfd.
        case other
    }

    /// What it is.
    public let kind: Kind
    /// The device number of the file system it lies in.
    public let device: UInt64
    /// Its number in that file system.
    public let inode: UInt64

    /// Asks the kernel. EBADF when the number is not open.
    public init(of descriptor: Int32) throws(SystemError) {
        var facts = stat()
        _ = try check("fstat", "descriptor \(descriptor)") { fstat(descriptor, &facts) }
        self.init(facts)
    }

    /// Looks at what is at a path, following symbolic links. ENOENT when nothing is.
    public init(path: String) throws(SystemError) {
        var facts = stat()
        _ = try check("stat", path) { stat(path, &facts) }
        self.init(facts)
    }

    private init(_ facts: stat) {
        kind =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFIFO: .pipe
            case S_IFSOCK: .socket
            case S_IFCHR: .characterDevice
            default: .other
            }
        device = UInt64(facts.st_dev)
        inode = UInt64(facts.st_ino)
    }
}
