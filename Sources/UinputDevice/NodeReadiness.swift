internal import Glibc
public import LinuxIO

/// Whether the evdev node of a virtual device is there and udev is done with it: its group, its mode and its properties
/// are set, and whoever waits for udev has been told.
public struct NodeReadiness: Sendable {
    /// How far it is.
    public enum Progress: Equatable, Sendable {
        /// The kernel has made no node yet.
        case noNode
        /// The node is there, and udev is not done with it.
        case udevBusy(node: String)
        /// Permissions keep us from seeing how far it is. They may still change: udev sets some of them late.
        case denied(path: String)
        /// The kernel had the device and has it no more. It does not come back.
        case gone
        /// The device or a file system does not answer as it must. Waiting does not mend that.
        case failed(FileError)
        /// It can be used.
        case ready(node: String, byUdev: Bool)
    }

    private let sysname: String
    private let created: UInt64
    private let files: NodeFiles
    /// Whether sysfs had the device at an earlier look.
    private var wasThere = false

    /// - Parameters:
    ///   - root: what stands before every path; empty for the machine itself.
    ///   - sysname: what sysfs calls the device.
    ///   - created: before it was made, CLOCK_MONOTONIC in nanoseconds.
    public init(root: String, sysname: String, created: UInt64) {
        self.init(files: NodeFiles(root: root), sysname: sysname, created: created)
    }

    init(files: NodeFiles, sysname: String, created: UInt64) {
        self.files = files
        self.sysname = sysname
        self.created = created
    }

    /// Where sysfs has the device; uinput's are all here.
    public var syspath: String { "/sys/devices/virtual/input/\(sysname)" }

    /// Looks once; does not wait.
    public mutating func look() -> Progress {
        do throws(FileError) {
            let names = try files.names(syspath)
            wasThere = true
            guard let event = names.first(where: { $0.hasPrefix("event") }),
                let number = try ifThere({ () throws(FileError) in try text("\(syspath)/\(event)/dev") })
            else { return .noNode }
            let node = "/dev/input/\(event)"
            guard try isThere(node) else { return .noNode }
            // Where no udev runs nobody sets anything, and the kernel's own node is all there will be.
            guard try isThere("/run/udev/control") else { return .ready(node: node, byUdev: false) }
            return try isKnownToUdev("c\(number)") ? .ready(node: node, byUdev: true) : .udevBusy(node: node)
        } catch {
            return progress(of: error)
        }
    }

    private func progress(of error: FileError) -> Progress {
        guard case .system(let cause) = error else { return .failed(error) }
        switch cause.number {
        case EACCES, EPERM: return .denied(path: cause.context ?? syspath)
        // The folder of sysfs, or an attribute whose device is being taken away.
        case ENOENT, ENODEV, ENXIO: return wasThere ? .gone : .noNode
        default: return .failed(error)
        }
    }

    /// udev writes what it knows of a device when the rules are done, with `I:`, the microseconds of CLOCK_MONOTONIC when
    /// it first saw it. An entry from before is that of another device which had the number.
    private func isKnownToUdev(_ id: String) throws(FileError) -> Bool {
        guard let entry = try ifThere({ () throws(FileError) in try text("/run/udev/data/\(id)") }) else {
            return false
        }
        for line in entry.split(separator: "\n") where line.hasPrefix("I:") {
            return (UInt64(line.dropFirst(2)) ?? 0) >= created / 1_000
        }
        return false
    }

    private func isThere(_ path: String) throws(FileError) -> Bool {
        try ifThere { () throws(FileError) in
            try files.look(path)
            return true
        } ?? false
    }

    private func text(_ path: String) throws(FileError) -> String {
        let text = String(decoding: try files.read(path), as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    /// Nothing for what is not there (yet); every other error is one.
    private func ifThere<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
        do throws(FileError) {
            return try body()
        } catch {
            if case .system(let cause) = error, cause.number == ENOENT { return nil }
            throw error
        }
    }
}

/// What a look asks of the machine's files. Tests answer in their place with errors that no folder of theirs can have.
struct NodeFiles: Sendable {
    /// The names in a folder.
    var names: @Sendable (_ path: String) throws(FileError) -> [String]
    /// What a file holds.
    var read: @Sendable (_ path: String) throws(FileError) -> [UInt8]
    /// Whether something is there: an error when not.
    var look: @Sendable (_ path: String) throws(FileError) -> Void

    /// The longest file that is read, in bytes: ours; udev's entries have some hundred.
    private static let limit = 65_536

    /// Files below a folder; it is empty for the machine itself.
    init(root: String) {
        names = { path throws(FileError) in try DirectoryTree.list(root + path) }
        read = { path throws(FileError) in try FileContents.read(root + path, limit: Self.limit) }
        look = { path throws(FileError) in
            do throws(SystemError) { _ = try FileFacts(path: root + path) } catch { throw .system(error) }
        }
    }
}
