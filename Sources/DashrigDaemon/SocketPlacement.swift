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

    /// A listener for an interface: the socket handed over under the interface's name, else a new one in the folder.
    func listener(
        for interface: String, activated: ActivatedSockets
    ) throws -> UnixListener {
        if let descriptor = activated.take(named: interface) { return try UnixListener(adopting: descriptor) }
        // A folder of one's own is nobody else's business; the system's is made by tmpfiles with its groups.
        if !isSystemFolder { try DirectoryTree.create(folder, mode: 0o750) }
        let group = isSystemFolder ? try ProcessFacts.groupID(named: groupName(interface)) : nil
        return try UnixListener(path: "\(folder)/\(interface)", mode: 0o660, group: group)
    }

    private func groupName(_ interface: String) -> String {
        interface == AppInterface.name ? settings.appGroup : settings.controlGroup
    }
}
