internal import LinuxIO

/// Whether the evdev node of a virtual device is there and udev is done with it: its group, its mode and its properties
/// are set, and whoever waits for udev has been told.
public struct NodeReadiness: Sendable {
    /// How far it is.
    public enum Progress: Equatable, Sendable {
        /// The kernel has made no node yet.
        case noNode
        /// The node is there, and udev is not done with it.
        case udevBusy(node: String)
        /// It can be used.
        case ready(node: String, byUdev: Bool)
    }

    private let root: String
    private let sysname: String
    private let created: UInt64

    /// - Parameters:
    ///   - root: what stands before every path; empty for the machine itself.
    ///   - sysname: what sysfs calls the device.
    ///   - created: before it was made, CLOCK_MONOTONIC in nanoseconds.
    public init(root: String, sysname: String, created: UInt64) {
        self.root = root
        self.sysname = sysname
        self.created = created
    }

    /// Where sysfs has the device; uinput's are all here.
    public var syspath: String { "/sys/devices/virtual/input/\(sysname)" }

    /// Looks once; does not wait.
    public func look() -> Progress {
        let names = (try? DirectoryTree.list(root + syspath)) ?? []
        guard let event = names.first(where: { $0.hasPrefix("event") }),
            let number = text("\(syspath)/\(event)/dev"), isThere("/dev/input/\(event)")
        else { return .noNode }
        let node = "/dev/input/\(event)"
        // Where no udev runs nobody sets anything, and the kernel's own node is all there will be.
        guard isThere("/run/udev/control") else { return .ready(node: node, byUdev: false) }
        return isKnownToUdev("c\(number)") ? .ready(node: node, byUdev: true) : .udevBusy(node: node)
    }

    /// udev writes what it knows of a device when the rules are done, with `I:`, the microseconds of CLOCK_MONOTONIC when
    /// it first saw it. An entry from before is that of another device which had the number.
    private func isKnownToUdev(_ id: String) -> Bool {
        guard let entry = text("/run/udev/data/\(id)") else { return false }
        for line in entry.split(separator: "\n") where line.hasPrefix("I:") {
            return (UInt64(line.dropFirst(2)) ?? 0) >= created / 1_000
        }
        return false
    }

    private func isThere(_ path: String) -> Bool { (try? FileFacts(path: root + path)) != nil }

    /// The longest file that is read, in bytes: ours; udev's entries have some hundred.
    private static let limit = 65_536

    private func text(_ path: String) -> String? {
        guard let bytes = try? FileContents.read(root + path, limit: Self.limit) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }
}
