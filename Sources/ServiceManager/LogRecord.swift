/// How much a record matters; the numbers are syslog's.
public enum LogLevel: UInt8, CaseIterable, Sendable {
    /// The daemon cannot go on.
    case critical = 2
    /// Something that was asked for did not happen.
    case error = 3
    /// Something is not as it should be, and work goes on.
    case warning = 4
    /// Ordinary but worth seeing: a device came, a session began.
    case notice = 5
    /// Ordinary.
    case info = 6
    /// For whoever looks into the daemon itself.
    case debug = 7

    /// The level of a name such as "warning"; nil when there is none.
    public init?(named name: String) {
        guard let level = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// The name in configuration and messages.
    public var name: String {
        switch self {
        case .critical: "critical"
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Whether a record of this level matters enough for a log that is kept down to `threshold`.
    public func passes(_ threshold: LogLevel) -> Bool { rawValue <= threshold.rawValue }
}

/// One named value of a record.
public struct LogField: Equatable, Sendable {
    /// A short lower-case word, such as "device".
    public let key: String
    /// Any text.
    public let value: String

    /// A field with its text.
    public init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}

/// Something worth keeping in the log.
public struct LogRecord: Equatable, Sendable {
    /// How much it matters.
    public let level: LogLevel
    /// What happened, as a stable dotted name that can be searched for: "usb.claim.refused".
    public let name: String
    /// What happened, for people.
    public let text: String
    /// The particulars.
    public let fields: [LogField]

    /// A record with everything it says.
    public init(_ level: LogLevel, _ name: String, _ text: String, _ fields: [LogField] = []) {
        self.level = level
        self.name = name
        self.text = text
        self.fields = fields
    }
}
