public import LinuxIO
public import RigModel
public import VarlinkProtocol

/// Why the rig did not do what it was asked, as far as the asking side knows.
public enum ClientFailure: Error, Equatable, Sendable {
    /// Nobody listens at this path. `socketExists`: the file is there, its process is gone.
    case notRunning(path: String, socketExists: Bool)
    /// The kernel does not let this user use the socket; `group` is the group that may.
    case notPermitted(path: String, group: String)
    /// The path cannot be that of a socket.
    case wrongPath(String)
    /// The rig answered with an error.
    case refused(Refusal)
    /// What answers does not keep to the protocol: it is no rig, or one of another kind.
    case protocolViolation(String)
    /// No answer within so many nanoseconds; whether the rig does it nevertheless is not known.
    case timedOut(method: String, after: UInt64)
    /// The rig closed the connection before it answered; whether it did what it was asked is not known.
    case closed(method: String)
    /// The caller's own interruption ended the wait.
    case interrupted
    /// The kernel refused.
    case system(SystemError)

    /// A stable name in lower camel case; for a refusal the error's full name.
    public var name: String {
        switch self {
        case .notRunning: "notRunning"
        case .notPermitted: "notPermitted"
        case .wrongPath: "wrongPath"
        case .refused(let refusal): refusal.error.name
        case .protocolViolation: "protocolViolation"
        case .timedOut: "timedOut"
        case .closed: "closed"
        case .interrupted: "interrupted"
        case .system: "system"
        }
    }

    /// What happened and what to do, for a person.
    public var text: String {
        switch self {
        case .notRunning(let path, false):
            "no rig is running: there is no socket \(path). Start it (sudo systemctl start dashrigd; or "
                + "without root: dashrigd --socket-dir DIR), or say where it is with --socket-dir DIR or "
                + "\(SocketDirectory.variable)=DIR"
        case .notRunning(let path, true):
            "no rig is running: the socket \(path) is there but nobody listens. Its daemon is gone; start dashrigd again"
        case .notPermitted(let path, let group):
            "you may not use \(path): it is for the group \(group). Join it (sudo usermod -aG \(group) $USER) and log in "
                + "again"
        case .wrongPath(let text): text
        case .refused(let refusal): refusal.text
        case .protocolViolation(let text): "what answers is not the rig that this program knows: \(text)"
        case .timedOut(let method, let after):
            "the rig did not answer \(method) within \(after / 1_000_000) ms. It may be busy or stuck; 'dashrig doctor' "
                + "looks at it, --timeout waits longer"
        case .closed(let method):
            "the rig closed the connection before it answered \(method). It was stopped or has failed; its log says why"
        case .interrupted: "interrupted"
        case .system(let error): "the system refused: \(error)"
        }
    }

    /// The failure of a connection attempt.
    init(connecting error: UnixSocketError, to path: String, interface: SocketInterface, after timeout: UInt64) {
        switch error {
        case .notRunning(_, let reason):
            // A socket without a listener refuses; ENOENT says that there is no file.
            self = .notRunning(path: path, socketExists: reason.name == "ECONNREFUSED")
        case .timedOut: self = .timedOut(method: "the connection", after: timeout)
        case .closed: self = .closed(method: "the connection")
        case .badPath, .pathTooLong, .inUse, .notASocket, .notAListener: self = .wrongPath(error.description)
        case .system(let reason):
            switch reason.name {
            case "EACCES", "EPERM":
                self = .notPermitted(path: path, group: SocketFacts(path: path)?.groupName ?? interface.group)
            case "ENOTDIR": self = .notRunning(path: path, socketExists: false)
            case "ENOTSOCK", "EPROTOTYPE": self = .wrongPath("\(path) is not a socket of a rig")
            default: self = .system(reason)
            }
        }
    }
}

/// An error that the rig answered.
public struct Refusal: Error, Equatable, Sendable {
    /// The error as it came.
    public let error: VarlinkError
    /// What happened and what to do, in the rig's own words, where it gave any.
    public let explanation: String?

    /// Wraps an error.
    public init(_ error: VarlinkError, explanation: String? = nil) {
        self.error = error
        self.explanation = explanation
    }

    /// The name without its interface: `UnknownDevice`.
    public var shortName: String {
        error.name.split(separator: ".").last.map(String.init) ?? error.name
    }

    /// The fields of the error.
    public var fields: RecordValue { RecordValue(error.parameters) }

    /// The parameter that is wrong, when that is what the rig says.
    public var invalidParameter: String? {
        guard case .invalidParameter(let name)? = error.standard else { return nil }
        return name
    }

    /// The device names that there are, when the rig says that the asked one is not among them.
    public var knownDevices: [String]? {
        shortName == "UnknownDevice" ? fields.texts("known") : nil
    }

    /// The problems of a scenario that the rig does not run.
    public var scenarioProblems: [String]? {
        shortName == "ScenarioWrong" ? fields.texts("problems") : nil
    }

    /// What happened and what to do, for a person.
    public var text: String {
        let fields = fields
        // The rig's own words know more than the name does; a list of problems reads better than a sentence.
        if let explanation, scenarioProblems == nil { return explanation }
        if let text = fields.text("text") { return text }
        switch shortName {
        case "UnknownDevice":
            return CommandFailure.unknownDevice(fields.text("id") ?? "?", known: fields.texts("known")).text
        case "UnknownApp": return CommandFailure.unknownApp.text
        case "StaleDevice":
            return "device '\(fields.text("id") ?? "?")' is in generation \(fields.int("generation") ?? 0) now, or is "
                + "unplugged; look at it again with 'dashrig devices'"
        case "LimitReached":
            return "the limit \(fields.text("limit") ?? "?") of \(fields.int("value") ?? 0) is reached; the "
                + "configuration can raise it"
        case "Busy": return "it is in use by \(fields.text("owner") ?? "?")"
        case "RuleBroken":
            return "the rule \(fields.text("rule") ?? "?") is broken: \(fields.text("reason") ?? "?")"
        case "ScenarioWrong": return fields.texts("problems").joined(separator: "\n")
        case "SubscriberTooSlow":
            return "this program did not read fast enough; the first event that it missed is number "
                + "\(fields.int("sequence") ?? 0)"
        default: return standardText
        }
    }

    private var standardText: String {
        switch error.standard {
        case .invalidParameter(let name)?: "the rig does not accept the value of '\(name)'"
        case .methodNotImplemented(let method)?: "\(method) is not in this version of the rig"
        case .methodNotFound(let method)?:
            "this rig does not know \(method); it is older than this program ('dashrig version' shows both)"
        case .interfaceNotFound(let interface)?: "what answers does not serve \(interface)"
        case .permissionDenied?: "the rig does not let this user do that"
        case .expectedMore?, nil: error.description
        }
    }
}
