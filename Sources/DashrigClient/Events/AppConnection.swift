public import RigModel
internal import VarlinkProtocol

/// What an app is told.
public enum AppUpdate: Equatable, Sendable {
    /// The rig took the manifest; others see the app by this id. First, and again after each new connection.
    case launched(id: String)
    /// The state that concerns the app.
    case state(StateView)
    /// A change since: its session, the session's displays, input.
    case event(EventView)
    /// The events numbered `from` to `to` are missing in this stream; `merged` of them are part of a later one.
    case lost(from: UInt64, to: UInt64, merged: UInt64)
    /// The connection ended, and with it the app: what it was told is over. The next one is launched anew.
    case disconnected(ClientFailure)
}

/// An app on the rig: declares its manifest, is told its session, displays and input, and says what it has read.
///
/// The app lives as long as its connection; when the rig goes away it is launched again as soon as the rig is back.
/// Belongs to one thread at a time.
public final class AppConnection {
    /// What `next` answers.
    public enum Step: Equatable, Sendable {
        /// Something was told.
        case update(AppUpdate)
        /// The deadline passed.
        case deadline
    }

    private let directory: SocketDirectory
    private let timeout: UInt64
    private let interrupt: Int32?
    private let cursor: StreamCursor
    private var token: String?
    /// The second connection, for what the app says; made when it first says something.
    private var calls: RigConnection?

    /// An app; it is launched by the first `next`.
    ///
    /// With a device the app is bound to that device, else it follows the front session. `waitsForRig`: a rig that does
    /// not run yet is waited for. `interrupt` becomes readable when waiting shall end.
    public init(
        socketDirectory: SocketDirectory, manifest: AppManifest, device: String? = nil, waitsForRig: Bool = false,
        timeout: UInt64 = RigConnection.standardTimeout, interrupt: Int32? = nil
    ) {
        directory = socketDirectory
        self.timeout = timeout
        self.interrupt = interrupt
        var declared: JSONObject = ["name": .string(manifest.name)]
        declared["bundle"] = manifest.bundle.map(JSON.string)
        var parameters: JSONObject = ["manifest": .object(declared)]
        parameters["device"] = device.map(JSON.string)
        cursor = StreamCursor(
            socketDirectory, .app, method: "Launch", parameters: parameters, timeout: timeout, interrupt: interrupt,
            waitsForRig: waitsForRig)
    }

    /// Whether `next` will answer without waiting.
    public var hasNext: Bool { cursor.hasNext }

    /// What comes next, at the latest at the deadline (CLOCK_MONOTONIC nanoseconds; nil waits for ever). Throws what a
    /// new connection cannot mend.
    public func next(until deadline: UInt64? = nil) throws(ClientFailure) -> Step {
        switch try cursor.next(until: deadline) {
        case .deadline: return .deadline
        case .disconnected(let failure):
            token = nil
            calls = nil
            return .update(.disconnected(failure))
        case .update(.launched(let token, let id)):
            self.token = token
            return .update(.launched(id: id))
        case .update(.state(let state)): return .update(.state(state))
        case .update(.event(let event)): return .update(.event(event))
        case .update(.lost(let from, let to, let merged)):
            return .update(.lost(from: from, to: to, merged: merged))
        }
    }

    /// Says that these input events were read; answers how many of them were still waited for. Nothing is said, and 0
    /// answered, while the app is not launched: the events went with the connection that brought them.
    @discardableResult
    public func acknowledge(_ ids: [UInt64]) throws(ClientFailure) -> UInt64 {
        guard let token, !ids.isEmpty else { return 0 }
        let connection: RigConnection
        if let calls {
            connection = calls
        } else {
            connection = try RigConnection(
                socketDirectory: directory, interface: .app, timeout: timeout, interrupt: interrupt)
            calls = connection
        }
        do {
            let answer = try connection.call(
                "org.dashrig.App.Acknowledge",
                ["app": .string(token), "ids": .array(ids.map { .int(Int64(clamping: $0)) })])
            return RecordValue(answer).count("acknowledged") ?? 0
        } catch {
            // A connection that failed is of no use any more; the next call makes another.
            calls = nil
            throw error
        }
    }
}
