internal import RigModel
internal import VarlinkProtocol

/// What a subscriber is told.
public enum RigUpdate: Equatable, Sendable {
    /// The whole state: first, and again after each new connection. Its `epoch` is new when the daemon was restarted.
    case state(StateView)
    /// A change since.
    case event(EventView)
    /// The events numbered `from` to `to` are missing in this stream; `merged` of them are part of a later one.
    case lost(from: UInt64, to: UInt64, merged: UInt64)
    /// The connection ended. What happens until the next state is not told; the next state shows what came of it.
    case disconnected(ClientFailure)

    init(_ update: StreamUpdate) {
        switch update {
        case .state(let state): self = .state(state)
        case .event(let event): self = .event(event)
        case .lost(let from, let to, let merged): self = .lost(from: from, to: to, merged: merged)
        case .launched: preconditionFailure("only apps are launched")
        }
    }
}

/// Which events a subscriber wants.
public struct EventFilter: Equatable, Sendable {
    /// Kinds or their beginnings up to a dot (`input`, `session.active`); none means all.
    public var kinds: [String]
    /// Names of devices; none means all.
    public var devices: [String]

    /// States a wish; the default is everything.
    public init(kinds: [String] = [], devices: [String] = []) {
        self.kinds = kinds
        self.devices = devices
    }

    var parameters: JSONObject {
        var parameters = JSONObject()
        if !kinds.isEmpty { parameters["kinds"] = .array(kinds.map(JSON.string)) }
        if !devices.isEmpty { parameters["devices"] = .array(devices.map(JSON.string)) }
        return parameters
    }
}

/// The events of the rig for programs that wait on their own thread: the state first, then changes, and after each end
/// of the connection the state again.
///
/// Belongs to one thread at a time. Nothing is buffered beyond one read of the socket: who does not ask is in the end
/// told `lost` or `disconnected`, as the rig decides.
public final class RigEventCursor {
    /// What `next` answers.
    public enum Step: Equatable, Sendable {
        /// Something was told.
        case update(RigUpdate)
        /// The deadline passed.
        case deadline
    }

    private let cursor: StreamCursor

    /// A cursor; the connection is made by the first `next`.
    ///
    /// `waitsForRig`: a rig that does not run yet is waited for. `interrupt` becomes readable when waiting shall end.
    public init(
        socketDirectory: SocketDirectory, filter: EventFilter = EventFilter(), waitsForRig: Bool = false,
        timeout: UInt64 = RigConnection.standardTimeout, interrupt: Int32? = nil
    ) {
        cursor = StreamCursor(
            socketDirectory, .rig, method: "Subscribe", parameters: filter.parameters, timeout: timeout,
            interrupt: interrupt, waitsForRig: waitsForRig)
    }

    /// Whether `next` will answer without waiting.
    public var hasNext: Bool { cursor.hasNext }

    /// What comes next, at the latest at the deadline (CLOCK_MONOTONIC nanoseconds; nil waits for ever). Throws what a
    /// new connection cannot mend.
    public func next(until deadline: UInt64? = nil) throws(ClientFailure) -> Step {
        switch try cursor.next(until: deadline) {
        case .update(let update): .update(RigUpdate(update))
        case .disconnected(let failure): .update(.disconnected(failure))
        case .deadline: .deadline
        }
    }
}

/// The events of the rig as an asynchronous sequence that resynchronises by itself.
///
/// Each iterator has a connection and a thread of its own, which exist from its first `next` to its end. Cancelling the
/// task that waits ends the sequence. Between two calls of `next` nothing is read: a slow consumer is the rig's slow
/// subscriber, not a growing buffer.
public struct RigEvents: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = RigUpdate
    /// Why it can end before its task is cancelled.
    public typealias Failure = ClientFailure

    private let socketDirectory: SocketDirectory
    private let filter: EventFilter
    private let waitsForRig: Bool
    private let timeout: UInt64

    /// A sequence. `waitsForRig`: a rig that does not run yet is waited for; else the first `next` throws.
    public init(
        socketDirectory: SocketDirectory, filter: EventFilter = EventFilter(), waitsForRig: Bool = false,
        timeout: UInt64 = RigConnection.standardTimeout
    ) {
        self.socketDirectory = socketDirectory
        self.filter = filter
        self.waitsForRig = waitsForRig
        self.timeout = timeout
    }

    /// An iterator, without a connection so far.
    public func makeAsyncIterator() -> Iterator {
        Iterator { [self] interrupt in
            RigEventCursor(
                socketDirectory: socketDirectory, filter: filter, waitsForRig: waitsForRig, timeout: timeout,
                interrupt: interrupt)
        }
    }

    /// Takes one update after the other. To be used by one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let worker: CursorWorker
        private var buffered: ArraySlice<RigUpdate> = []

        init(_ makeCursor: @escaping @Sendable (_ interrupt: Int32) -> RigEventCursor) {
            worker = CursorWorker(makeCursor)
        }

        /// The next update; nil after the task was cancelled. Throws what a new connection cannot mend.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientFailure) -> RigUpdate? {
            if let update = buffered.popFirst() { return update }
            switch await worker.batch() {
            case .success(let updates):
                buffered = updates[...]
                return buffered.popFirst()
            case .failure(.interrupted): return nil
            case .failure(let failure): throw failure
            }
        }

        /// The next update, as `next(isolation:)` gives it.
        public mutating func next() async throws(ClientFailure) -> RigUpdate? {
            try await next(isolation: nil)
        }
    }
}
