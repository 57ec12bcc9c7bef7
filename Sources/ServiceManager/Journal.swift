public import LinuxIO

/// The daemon's log: the system journal by its native protocol, else standard error. Never blocks: what cannot be
/// taken at once is dropped, counted, and the count is told with the next record that gets through.
public final class Journal {
    /// Where records go.
    public enum Destination: Equatable, Sendable {
        /// The journal's socket. A record that it does not take because nobody is there goes to standard error.
        case journal(UnixAddress)
        /// Lines on standard error; `prefixed` puts syslog's "<N>" before each, which the journal reads as the level.
        case standardError(prefixed: Bool)
    }

    /// Where the journal listens.
    public static let socketPath = "/run/systemd/journal/socket"

    /// Records below this level are left out.
    public var threshold: LogLevel
    /// Where records go.
    public let destination: Destination
    /// Records that were lost since the start.
    public private(set) var droppedRecords: UInt64 = 0

    private let identifier: String
    private let socket: DatagramSocket?
    private let standardError: SharedStream
    private var untold: UInt64 = 0

    /// A log. `identifier` is the program's name; `standardError` the descriptor that lines go to.
    public init(
        _ destination: Destination, identifier: String, threshold: LogLevel = .info, standardError: Int32 = 2
    ) throws(UnixSocketError) {
        self.destination = destination
        self.identifier = identifier
        self.threshold = threshold
        self.standardError = SharedStream(standardError)
        socket =
            switch destination {
            case .journal(let address): try DatagramSocket(to: address)
            case .standardError: nil
            }
    }

    /// What suits the process: the journal's own protocol when JOURNAL_STREAM says that standard error is the journal,
    /// plain lines otherwise, as for a terminal or a container.
    public static func suitableDestination(
        environment: Environment, standardError: Int32 = 2, socketPath: String = Journal.socketPath
    ) -> Destination {
        guard let stream = environment["JOURNAL_STREAM"], isStream(stream, standardError) else {
            return .standardError(prefixed: false)
        }
        do {
            if try FileFacts(path: socketPath).kind == .socket { return .journal(.path(socketPath)) }
        } catch {
            // Out of reach in this sandbox, which the answer below takes care of.
        }
        // The journal is at the other end of the stream, where it still reads levels.
        return .standardError(prefixed: true)
    }

    /// Whether JOURNAL_STREAM ("device:inode", decimal) is the descriptor: an inherited variable may mean another one.
    private static func isStream(_ variable: String, _ descriptor: Int32) -> Bool {
        do {
            let facts = try FileFacts(of: descriptor)
            return variable == "\(facts.device):\(facts.inode)"
        } catch {
            // A closed standard error is nobody's stream.
            return false
        }
    }

    /// Whether a record of this level would be kept: to be asked before an expensive one is put together.
    public func isEnabled(_ level: LogLevel) -> Bool { level.passes(threshold) }

    /// Logs what happened; the text and the fields are made only when the level is enabled.
    public func log(
        _ level: LogLevel, _ name: String, _ text: @autoclosure () -> String,
        _ fields: @autoclosure () -> [LogField] = []
    ) {
        if isEnabled(level) { write(LogRecord(level, name, text(), fields())) }
    }

    /// Logs a record.
    public func log(_ record: LogRecord) {
        if isEnabled(record.level) { write(record) }
    }

    private func write(_ record: LogRecord) {
        var record = record
        if untold > 0 {
            let count = LogField("dropped", String(untold))
            record = LogRecord(record.level, record.name, record.text, record.fields + [count])
        }
        if send(record) {
            untold = 0
        } else {
            untold &+= 1
            droppedRecords &+= 1
        }
    }

    private func send(_ record: LogRecord) -> Bool {
        switch destination {
        case .standardError(let prefixed): return sendLine(record, prefixed: prefixed)
        case .journal:
            switch sendEntry(LogEncoding.journalEntry(record, identifier: identifier)) {
            case .bytes: return true
            case .wouldBlock: return false
            case .closed, .failed: return sendLine(record, prefixed: true)
            }
        }
    }

    private func sendLine(_ record: LogRecord, prefixed: Bool) -> Bool {
        let line = LogEncoding.line(record, prefixed: prefixed, limit: SharedStream.lineLimit)
        return standardError.write(line) == .bytes(line.count)
    }

    /// Sends an entry as one datagram, or, when it is too long for one, as a sealed file.
    private func sendEntry(_ entry: [UInt8]) -> WriteOutcome {
        guard let outcome = socket?.send(entry) else { return .closed }
        // The kernel names either, by whether the limit or the memory for so long a message is missing.
        guard case .failed(let error) = outcome, error.name == "EMSGSIZE" || error.name == "ENOBUFS" else {
            return outcome
        }
        do {
            let file = try SealedMemory.make(entry, name: "journal-entry")
            return socket?.send(descriptor: file) ?? .closed
        } catch {
            return .failed(error)
        }
    }
}
