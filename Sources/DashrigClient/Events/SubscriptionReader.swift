internal import RigModel
internal import VarlinkProtocol

/// What a stream of one connection told: `Subscribe` and `Launch` speak alike.
enum StreamUpdate: Equatable {
    /// The app is declared: its token and the id that others see.
    case launched(token: String, id: String)
    /// The whole state.
    case state(StateView)
    /// A change.
    case event(EventView)
    /// Events are missing in this stream.
    case lost(from: UInt64, to: UInt64, merged: UInt64)
}

/// Reads the replies of one stream, from the first part of the state on. Pure.
struct SubscriptionReader {
    private enum State {
        /// An app's token is awaited, which comes before all else. Exit: `assembling`.
        case launching
        /// Parts of the state come; the last one says that it is complete. Exit: `live`.
        case assembling(StateAssembly)
        /// The state is whole; events come. No exit: a new state comes on a new connection.
        case live
    }

    private var state: State

    /// A reader before the first reply. `isApp`: the stream is that of `Launch`.
    init(isApp: Bool) { state = isApp ? .launching : .assembling(StateAssembly()) }

    /// Takes one reply. A field that belongs to another time in the stream is the rig's mistake.
    mutating func take(_ parameters: JSONObject) throws(ClientFailure) -> [StreamUpdate] {
        var updates: [StreamUpdate] = []
        if case .string(let token)? = parameters["app"] {
            guard case .launching = state else { throw .protocolViolation("a second token for one app") }
            guard !token.isEmpty else { throw .protocolViolation("an empty token") }
            updates.append(.launched(token: token, id: parameters["id"]?.stringValue ?? ""))
            state = .assembling(StateAssembly())
        }
        if let part = Self.present(parameters["state"]) {
            guard case .assembling(var assembly) = state else {
                throw .protocolViolation("a part of the state where events are expected")
            }
            try assembly.add(RecordValue(part))
            if parameters["complete"]?.boolValue == true {
                updates.append(.state(assembly.state))
                state = .live
            } else {
                state = .assembling(assembly)
            }
        }
        if let event = Self.present(parameters["event"]) {
            guard case .live = state else { throw .protocolViolation("an event before the state is complete") }
            updates.append(try Self.update(EventView(RecordValue(event))))
        }
        return updates
    }

    /// Absent and null are the same.
    private static func present(_ value: JSON?) -> JSON? {
        if case .null? = value { nil } else { value }
    }

    private static func update(_ event: EventView) throws(ClientFailure) -> StreamUpdate {
        guard !event.kind.isEmpty else { throw .protocolViolation("an event without a kind") }
        guard event.kind == EventKind.streamLost.rawValue else { return .event(event) }
        let record = event.record
        return .lost(
            from: record.count("lost.first") ?? 0, to: record.count("lost.last") ?? 0,
            merged: record.count("lost.merged") ?? 0)
    }
}
