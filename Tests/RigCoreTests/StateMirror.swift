import RigModel

/// The rig's state as a client keeps it: the snapshot that its stream begins with, then every event applied.
///
/// It knows only what is on the socket: records and their fields.
struct StateMirror {
    private var lists: [String: [String: RecordValue]] = [:]
    private(set) var front: String?
    private(set) var vehicle = RecordValue.null
    private(set) var sequence: Int64 = 0

    static let names = ["devices", "sessions", "displays", "apps"]

    /// Reads the first replies of a stream.
    init(parts: [RecordValue]) {
        for part in parts {
            for name in Self.names {
                guard case .array(let values)? = part.value(at: "state.\(name)") else { continue }
                for value in values { put(value, in: name) }
            }
            front = part.value(at: "state.front")?.text
            vehicle = part.value(at: "state.vehicle") ?? .null
            sequence = part.value(at: "state.sequence")?.int ?? 0
        }
    }

    private mutating func put(_ value: RecordValue?, in list: String) {
        guard let value, let id = value.value(at: "id")?.text else { return }
        lists[list, default: [:]][id] = value
    }

    private mutating func remove(_ id: RecordValue?, from list: String) {
        if let id = id?.text { lists[list]?[id] = nil }
    }

    /// Takes the next event of the stream.
    mutating func apply(_ event: RecordValue) {
        switch event.value(at: "kind")?.text {
        case "device.attached", "device.changed", "phone.changed": put(event.value(at: "deviceState"), in: "devices")
        case "device.detached": remove(event.value(at: "device"), from: "devices")
        case "session.opened", "session.phase", "session.waiting", "session.active":
            put(event.value(at: "sessionState"), in: "sessions")
        case "session.closed": remove(event.value(at: "session"), from: "sessions")
        case "display.added", "display.changed": put(event.value(at: "displayState"), in: "displays")
        case "display.removed": remove(event.value(at: "display"), from: "displays")
        case "front.changed": front = event.value(at: "session")?.text
        case "vehicle.changed": vehicle = event.value(at: "vehicle") ?? .null
        case "app.launched": put(event.value(at: "appState"), in: "apps")
        case "app.ended": remove(event.value(at: "app"), from: "apps")
        default: break
        }
        sequence = event.value(at: "sequence")?.int ?? 0
    }

    /// A list, by id. The session of an app is what the rule says: that of its device while it is active, else the front.
    func list(_ name: String) -> [String: RecordValue] {
        let list = lists[name] ?? [:]
        guard name == "apps" else { return list }
        return list.mapValues { app in
            guard case .object(let fields) = app else { return app }
            let session = app.value(at: "device")?.text.map(activeSession) ?? front
            var changed = fields.filter { $0.name != "session" }
            if let session { changed.append(RecordField("session", .string(session))) }
            return .object(changed.sorted { $0.name < $1.name })
        }
    }

    private func activeSession(of device: String) -> String? {
        guard let session = lists["devices"]?[device]?.value(at: "session")?.text,
            lists["sessions"]?[session]?.value(at: "phase")?.text == "active"
        else { return nil }
        return session
    }

    /// Where this differs from another state, or `nil` when it does not.
    func difference(from other: StateMirror) -> String? {
        for name in Self.names {
            let (mine, theirs) = (list(name), other.list(name))
            for id in Set(mine.keys).union(theirs.keys).sorted() where mine[id] != theirs[id] {
                return
                    "\(name) \(id):\n  followed \(mine[id].map(Self.text) ?? "-")\n  is       \(theirs[id].map(Self.text) ?? "-")"
            }
        }
        if front != other.front { return "front: followed \(front ?? "-"), is \(other.front ?? "-")" }
        if vehicle != other.vehicle { return "vehicle" }
        return nil
    }

    private static func text(_ value: RecordValue) -> String {
        switch value {
        case .object(let fields): "{" + fields.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ") + "}"
        case .array(let values): "[" + values.map(text).joined(separator: ", ") + "]"
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        case .null: "null"
        }
    }
}
