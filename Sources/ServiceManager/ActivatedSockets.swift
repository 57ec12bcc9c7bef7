public import LinuxIO

/// The sockets that the service manager opened for us (sd_listen_fds(3)). Those that nobody takes are closed at the end.
public final class ActivatedSockets {
    /// The variables that are read here; to be unset once read, so that children do not take them for theirs.
    public static let variables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]
    /// The first passed descriptor, as the protocol has it.
    public static let firstDescriptor: Int32 = 3
    /// More sockets than any unit of ours has; a larger number is taken for a mistake.
    public static let limit: UInt64 = 256

    private var entries: [(name: String, descriptor: Int32)] = []

    /// Takes over what was passed to this process, and sets close-on-exec. Empty when nothing was passed, or when it was
    /// passed to another process.
    public init(
        environment: Environment, processID: Int32, firstDescriptor: Int32 = ActivatedSockets.firstDescriptor
    ) throws(ServiceEnvironmentError) {
        guard let count = environment["LISTEN_FDS"], let pid = environment["LISTEN_PID"] else { return }
        if try number("LISTEN_PID", pid) != UInt64(UInt32(bitPattern: processID)) { return }
        let total = try number("LISTEN_FDS", count)
        if total > Self.limit { throw .malformed(variable: "LISTEN_FDS", value: count) }
        let names = try Self.names(environment["LISTEN_FDNAMES"], total)
        let descriptors = (0..<Int32(total)).map { firstDescriptor + $0 }
        for descriptor in descriptors {
            do {
                try OwnedDescriptor.setCloseOnExec(descriptor)
            } catch {
                throw .notOpen(descriptor: descriptor)
            }
        }
        // Only now are they ours to close: with one missing, the numbers may be anybody's.
        for (name, descriptor) in zip(names, descriptors) { entries.append((name, descriptor)) }
    }

    deinit {
        for entry in entries { _ = OwnedDescriptor(adopting: entry.descriptor) }
    }

    /// The names of those that were not taken so far, in the manager's order; "unknown" where the unit gives none.
    public var names: [String] { entries.map(\.name) }

    /// Takes the first one of this name (FileDescriptorName= of its unit).
    public func take(named name: String) -> OwnedDescriptor? {
        guard let index = entries.firstIndex(where: { $0.name == name }) else { return nil }
        return OwnedDescriptor(adopting: entries.remove(at: index).descriptor)
    }

    private static func names(_ value: String?, _ total: UInt64) throws(ServiceEnvironmentError) -> [String] {
        guard let value else { return Array(repeating: "unknown", count: Int(total)) }
        let names = value.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        if UInt64(names.count) != total && !(total == 0 && value.isEmpty) {
            throw .malformed(variable: "LISTEN_FDNAMES", value: value)
        }
        return names
    }
}
