internal import LinuxIO

/// The folder that an instance of the rig has its sockets in.
public struct SocketDirectory: Equatable, Sendable {
    /// Its path.
    public let path: String

    /// The folder of the instance that the service manager starts.
    public static let standardPath = "/run/dashrig"
    /// The environment variable that names another one.
    public static let variable = "DASHRIG_SOCKET_DIR"

    /// The folder at a path.
    public init(_ path: String) { self.path = path }

    /// What an argument names, else what `DASHRIG_SOCKET_DIR` names, else `/run/dashrig`. Empty text names nothing.
    public init(argument: String?, variable: String?) {
        func named(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        self.init(named(argument) ?? named(variable) ?? Self.standardPath)
    }

    /// The folder that this process's environment names, else the standard one.
    public static var current: SocketDirectory {
        SocketDirectory(argument: nil, variable: Environment.get(variable))
    }

    /// The path of one of its sockets.
    public func socket(_ interface: SocketInterface) -> String {
        path.hasSuffix("/") ? path + interface.rawValue : "\(path)/\(interface.rawValue)"
    }
}

/// The two sockets of a rig, each named for the interface that it serves.
public enum SocketInterface: String, Sendable, CaseIterable {
    /// For bench people and scripts.
    case rig = "org.dashrig.Rig"
    /// For apps.
    case app = "org.dashrig.App"

    /// The group whose members may use the socket where the rig is installed as a service.
    public var group: String {
        switch self {
        case .rig: "dashrig"
        case .app: "dashrig-app"
        }
    }
}
