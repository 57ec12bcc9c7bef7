public import LinuxIO

/// One thing that a service tells its manager (sd_notify(3)).
public enum ServiceState: Equatable, Sendable {
    /// Start-up or reload is complete.
    case ready
    /// A reload begins, at this CLOCK_MONOTONIC time in nanoseconds; to be followed by `ready`.
    case reloading(at: UInt64)
    /// Shutdown begins.
    case stopping
    /// A line for people.
    case status(String)
    /// The service is alive.
    case watchdog
    /// The service failed with this errno value.
    case failed(errno: Int32)

    /// The assignment lines of this state, as sent.
    var lines: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let now): "RELOADING=1\nMONOTONIC_USEC=\(now / 1000)"
        case .stopping: "STOPPING=1"
        // A line feed would begin an assignment of its own.
        case .status(let text): "STATUS=" + String(text.map { $0.isNewline ? " " : $0 })
        case .watchdog: "WATCHDOG=1"
        case .failed(let number): "ERRNO=\(number)"
        }
    }
}

/// Why a notification did not arrive.
public enum NotifyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The manager's queue is full; try again later.
    case busy
    /// The manager has shut its end.
    case closed
    /// The kernel refused, for instance ENOENT since the socket is gone.
    case failed(SystemError)

    /// One line.
    public var description: String {
        switch self {
        case .busy: "the service manager does not take notifications now"
        case .closed: "the service manager no longer takes notifications"
        case .failed(let error): "notifying the service manager: \(error)"
        }
    }
}

/// Tells the service manager how we are, if there is one.
public final class Notifier {
    /// The variable that names the manager's socket; to be unset once read, so that children do not speak for us.
    public static let variables = ["NOTIFY_SOCKET"]

    private let address: UnixAddress?
    private let socket: DatagramSocket?

    /// Looks for NOTIFY_SOCKET. Without it every notification is left out.
    public init(environment: Environment) throws(ServiceEnvironmentError) {
        guard let value = environment["NOTIFY_SOCKET"], !value.isEmpty else {
            address = nil
            socket = nil
            return
        }
        let address: UnixAddress
        switch value.utf8.first {
        case UInt8(ascii: "/"): address = .path(value)
        case UInt8(ascii: "@"): address = .abstract(String(value.dropFirst()))
        default: throw .unsupportedAddress(value)
        }
        do {
            socket = try DatagramSocket(to: address)
        } catch .system(let error) {
            throw .noSocket(error)
        } catch {
            throw .unsupportedAddress(value)
        }
        self.address = address
    }

    /// Whether a manager listens to us.
    public var isActive: Bool { address != nil }

    /// Sends the states as one message, so that the manager sees them at the same time. Never waits.
    ///
    /// Returns false when no manager asked for it.
    @discardableResult
    public func notify(_ states: ServiceState...) throws(NotifyError) -> Bool {
        guard let outcome = socket?.send(Self.message(states)) else { return false }
        switch outcome {
        case .bytes: return true
        case .wouldBlock: throw .busy
        case .closed: throw .closed
        case .failed(let error): throw .failed(error)
        }
    }

    static func message(_ states: [ServiceState]) -> [UInt8] {
        Array(states.map(\.lines).joined(separator: "\n").utf8)
    }
}
