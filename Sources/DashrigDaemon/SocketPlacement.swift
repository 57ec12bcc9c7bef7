import LinuxIO
import RigConfiguration
import ServiceManager

/// Where the sockets are: handed over by the service manager, else in a folder.
struct SocketPlacement {
    private let folder: String
    private let isSystemFolder: Bool
    private let settings: SocketSettings

    init(options: DaemonOptions, settings: RigSettings) {
        let system = "/run/dashrig" + (settings.instance.map { "/\($0)" } ?? "")
        folder = options.socketDirectory ?? system
        isSystemFolder = options.socketDirectory == nil
        self.settings = settings.sockets
    }

    /// Keeps other copies out of the folder while the sockets are put there, which makes the folder where it may.
    ///
    /// Between the look at a stale socket and the first connection that a new one takes, another copy would see nobody
    /// and take its place. Nothing needs keeping when all sockets are handed over.
    func lock(for interfaces: [String], activated: ActivatedSockets) throws -> FolderLock? {
        if interfaces.allSatisfy({ activated.names.contains($0) }) { return nil }
        // A folder of one's own is nobody else's business; the system's is made by tmpfiles with its groups.
        if !isSystemFolder { try DirectoryTree.create(folder, mode: 0o750) }
        return try FolderLock(folder)
    }

    /// A listener for an interface: the socket handed over under the interface's name, else a new one in the folder.
    func listener(
        for interface: String, activated: ActivatedSockets
    ) throws -> UnixListener {
        if let descriptor = activated.take(named: interface) { return try UnixListener(adopting: descriptor) }
        let group = isSystemFolder ? try ProcessFacts.groupID(named: groupName(interface)) : nil
        return try UnixListener(path: "\(folder)/\(interface)", mode: 0o660, group: group)
    }

    private func groupName(_ interface: String) -> String {
        interface == AppInterface.name ? settings.appGroup : settings.controlGroup
    }
}
