import RigModel

@testable import RigCore

/// What must hold of a rig after every event, whatever it was.
struct RigInvariants {
    /// The highest generation of each name so far.
    private var generations: [String: UInt32] = [:]
    private var opened: [SessionID] = []
    private var closed: Set<SessionID> = []
    private var seen = 0
    /// What devices at the rig hold by what was told, and in which session.
    private var held: [Holding] = []
    /// Every finger that lies on a display by what was told, whoever put it there.
    private var fingers: [Finger] = []

    private struct Finger: Equatable {
        var session: SessionID?
        var display: String?
        var id: Int
    }

    private struct Holding: Equatable {
        var source: String
        var control: String
        var session: SessionID?
    }

    /// What does not hold, or `nil`.
    mutating func violation(in bench: Bench) -> String? {
        violation(in: bench.events) ?? Self.violation(in: bench.core)
    }

    /// Looks at what was published since the last time.
    private mutating func violation(in events: [Event]) -> String? {
        for event in events.dropFirst(seen) {
            seen += 1
            guard event.sequence == UInt64(seen) else {
                return "sequence \(event.sequence) is the event number \(seen)"
            }
            if let session = event.session, closed.contains(session) {
                return "\(event.kind.rawValue) names \(session.name), which is closed"
            }
            if let problem = holding(event) { return problem }
            switch event.kind {
            case .sessionOpened:
                guard let session = event.session, !opened.contains(session) else { return "a session is opened twice" }
                opened.append(session)
            case .sessionClosed:
                guard let session = event.session, opened.contains(session), closed.insert(session).inserted else {
                    return "a session is closed that is not open"
                }
                guard event.reason != nil else { return "a session is closed without a reason" }
            case .deviceAttached:
                guard let device = event.device else { return "a device without a name is attached" }
                guard device.generation > generations[device.name] ?? 0 else {
                    return "\(device.name) comes in generation \(device.generation) again"
                }
                generations[device.name] = device.generation
            default:
                if let device = event.device, generations[device.name] != device.generation {
                    return "\(event.kind.rawValue) names generation \(device.generation) of \(device.name)"
                }
            }
        }
        return nil
    }

    /// What goes down comes up once, in the session where it went down, before that and the device are gone.
    private mutating func holding(_ event: Event) -> String? {
        switch event.kind {
        case .sessionClosed:
            if let left = held.first(where: { $0.session == event.session }) {
                return "\(left.source) holds \(left.control) in a session that is closed"
            }
        case .deviceDetached:
            // Over a link it is let go when the link has brought it.
            if let left = held.first(where: { $0.source == event.device?.name && $0.session == nil }) {
                return "\(left.source) is gone and holds \(left.control)"
            }
        default: break
        }
        if let resting = laying(event) { return resting }
        guard let source = event.input?.source, event.origin == .observed, case .input(let input) = event.payload else {
            return nil
        }
        var changes: [(control: String, phase: ContactPhase)] = []
        switch input {
        case .knob(.pressed): changes.append(("button", .began))
        case .knob(.released): changes.append(("button", .ended))
        case .touch(let touch): changes = touch.contacts.map { ("finger \($0.id)", $0.phase) }
        case .knob, .key, .touchpad: break
        }
        for (control, phase) in changes {
            let known = held.firstIndex { $0.source == source && $0.control == control }
            switch (phase, known) {
            case (.began, nil): held.append(Holding(source: source, control: control, session: event.session))
            case (.began, .some): return "\(source) holds \(control) twice"
            // A frame of a link's touchscreen has every finger on it, also those of others that rest: `laying` has seen
            // that somebody put it there.
            case (.stationary, nil): break
            case (_, nil): return "\(source): \(control) is \(phase) and not held"
            case (.moved, .some(let place)), (.stationary, .some(let place)):
                if held[place].session != event.session { return "\(source) moves \(control) to another session" }
            case (.ended, .some(let place)), (.cancelled, .some(let place)):
                if held.remove(at: place).session != event.session {
                    return "\(source) lets go of \(control) in another session"
                }
            }
        }
        return nil
    }

    /// What rests or moves on a display was put there before and was not lifted since, by whoever it was.
    private mutating func laying(_ event: Event) -> String? {
        if event.kind == .sessionClosed { fingers.removeAll { $0.session == event.session } }
        guard case .input(.touch(let touch)) = event.payload else { return nil }
        var lifted: [Finger] = []
        for contact in touch.contacts {
            let finger = Finger(session: event.session, display: event.display, id: contact.id)
            switch contact.phase {
            case .began: fingers.append(finger)
            case .ended, .cancelled: lifted.append(finger)
            case .moved, .stationary:
                guard fingers.contains(finger) else {
                    return
                        "finger \(contact.id) is \(contact.phase) on \(event.display ?? "nothing"), and nobody put it there"
                }
            }
        }
        for finger in lifted {
            guard let place = fingers.firstIndex(of: finger) else {
                return "finger \(finger.id) is lifted from \(event.display ?? "nothing"), and nobody put it there"
            }
            fingers.remove(at: place)
        }
        return nil
    }

    /// Whether every session that was opened is closed.
    var isOver: Bool { Set(opened) == closed }

    static func violation(in core: RigCore) -> String? {
        sessions(core) ?? front(core) ?? devices(core) ?? faults(core) ?? apps(core) ?? tables(core)
    }

    private static func sessions(_ core: RigCore) -> String? {
        guard core.links.count == core.sessions.count else { return "links and sessions differ" }
        for (id, entry) in zip(core.sessions.ids, core.sessions.values) {
            guard entry.session.id == id, let link = core.links[entry.session.link], link.session == id,
                let device = core.devices[link.device], device.device.session == id, device.link == link.id,
                device.device.reference == entry.session.device
            else { return "\(id.name) hangs nowhere" }
            guard entry.session.role == device.device.facts.kind.role else { return "\(id.name) has the wrong role" }
            guard entry.session.phase == .active || entry.displays.isEmpty else {
                return "\(id.name) has displays, but is not active"
            }
            guard (entry.session.phase == .active) == (device.device.state == .active) else {
                return "\(id.name) is \(entry.session.phase), its device \(device.device.state)"
            }
            guard entry.session.reason == nil, entry.session.phase != .closed else { return "\(id.name) is closed" }
            var names: [String] = []
            for display in entry.displays {
                guard display.session == id, !names.contains(display.name), display.description.problems().isEmpty
                else {
                    return "\(display.name) is wrong"
                }
                names.append(display.name)
            }
        }
        return nil
    }

    private static func front(_ core: RigCore) -> String? {
        let active = core.sessions.values.filter { $0.session.phase == .active }
        guard let front = core.front.session else {
            return active.isEmpty ? nil : "nothing is in front, but \(active.count) sessions are active"
        }
        return active.contains { $0.session.id == front } ? nil : "\(front.name) is in front, but not active"
    }

    private static func devices(_ core: RigCore) -> String? {
        let attached = core.devices.all.filter(\.isAttached)
        guard attached.count == core.devices.attachedCount else { return "the count of devices is wrong" }
        guard core.devices.all.count(where: { !$0.isShown }) <= core.settings.maximumRemembered,
            attached.count <= core.settings.maximumDevices
        else { return "there are too many devices" }
        for entry in core.devices.all {
            let device = entry.device
            guard !entry.hold.isHolding || entry.hold.session == core.front.session else {
                return "\(device.name) holds something behind the front"
            }
            guard core.devices.id(named: device.name) == device.id else { return "\(device.name) is not found" }
            let isOurs =
                device.facts.kind.role == .phone || device.facts.kind.role == .headUnit && device.peer == .simulated
            guard (device.phone != nil) == isOurs,
                (device.peer != nil) == (device.facts.kind.role != nil)
            else { return "\(device.name) has the wrong partner" }
            guard device.nextTry == nil || device.state == .failed else {
                return "\(device.name) is tried again without having failed"
            }
            switch device.state {
            case .detached:
                guard !entry.isAttached, entry.key == nil, device.reason != nil else {
                    return "\(device.name) is there"
                }
            case .failed, .busy, .stuck: guard device.reason != nil else { return "\(device.name) has no reason" }
            case .attached, .connecting, .active, .reenumerating:
                guard device.reason == nil else { return "\(device.name) has a reason" }
            }
            let isLinked = device.state == .connecting || device.state == .active
            guard (entry.link != nil) == isLinked, (device.session != nil) == isLinked else {
                return "\(device.name) is \(device.state), session \(device.session?.name ?? "-")"
            }
            if device.state == .attached, device.facts.kind.role != nil { return "\(device.name) waits for nothing" }
        }
        return nil
    }

    private static func faults(_ core: RigCore) -> String? {
        guard core.faults.count <= core.settings.maximumFaults else { return "there are too many faults" }
        for entry in core.faults.values {
            let name = entry.fault.id.name
            guard let id = entry.device else {
                guard entry.fault.device == nil else { return "\(name) waits for what it has" }
                continue
            }
            guard let device = core.devices[id], device.isAttached, entry.fault.device == device.device.reference else {
                return "\(name) is for a device that is gone"
            }
            guard !entry.isUsedUp || device.link != nil else { return "\(name) is used up and holds nothing" }
        }
        return nil
    }

    private static func apps(_ core: RigCore) -> String? {
        for entry in core.apps.values {
            let app = entry.app
            let expected: SessionID?
            if let name = app.device {
                let session = core.devices.id(named: name).flatMap { core.devices[$0]?.device.session }
                expected = session.flatMap { core.sessions[$0]?.session.phase == .active ? $0 : nil }
            } else {
                expected = core.front.session
            }
            guard app.session == expected else { return "\(app.id.name) is in \(app.session?.name ?? "no session")" }
            guard core.clients[entry.client]?.use == .app(app.id) else { return "\(app.id.name) has no client" }
        }
        return nil
    }

    private static func tables(_ core: RigCore) -> String? {
        guard core.gestures.count <= core.settings.maximumGestures, core.apps.count <= core.settings.maximumApps,
            core.runs.count <= core.settings.maximumRuns
        else { return "a table is too long" }
        for gesture in core.gestures.values {
            guard let session = gesture.session else { continue }
            guard core.sessions[session]?.session.phase == .active else { return "a gesture goes to \(session.name)" }
        }
        for wait in core.waits.values {
            guard core.clients[wait.client] != nil else { return "a client waits that is gone" }
            guard wait.receipt.session.map({ core.sessions[$0] != nil }) ?? (wait.receipt.steps != nil) else {
                return "a client waits for a session that is gone"
            }
        }
        if let wrong = held(core) { return wrong }
        for client in core.subscribers.ids where core.clients[client]?.use != .subscription {
            return "a subscriber has no client"
        }
        let failed = core.devices.all.count { $0.device.state == .failed || $0.device.state == .reenumerating }
        let most =
            core.links.count + failed + core.gestures.count + core.waits.count + core.runs.count + core.sequences.count
        guard core.deadlines.count <= most else { return "\(core.deadlines.count) timers for \(most) owners" }
        return nil
    }

    /// What is down by single inputs, and the sequences that are under way.
    private static func held(_ core: RigCore) -> String? {
        guard core.heldInputs <= core.settings.maximumHeldInputs else { return "too much is held" }
        for sequence in core.sequences.values {
            guard
                core.sequences.values.count(where: { $0.client == sequence.client })
                    <= core.settings.maximumSequencesPerClient
            else { return "a client has too many sequences" }
        }
        guard core.sequences.count <= core.settings.maximumSequences,
            core.heldGestures <= core.settings.maximumGestures
        else { return "too many sequences are under way" }
        for sequence in core.sequences.values {
            guard core.clients[sequence.client] != nil else { return "a sequence of a client that is gone" }
            guard sequence.underWay > 0 || sequence.next < sequence.steps.count else { return "a sequence is over" }
            guard let session = sequence.place.session else { continue }
            guard core.sessions[session]?.session.phase == .active else { return "a sequence goes to \(session.name)" }
        }
        for hold in core.holds.holds {
            let isThere =
                switch hold.holder {
                case .client(let client): core.clients[client] != nil
                case .run(let run): core.runs[run] != nil
                case .sequence(let sequence): core.sequences[sequence] != nil
                }
            guard isThere else { return "\(hold.control) is held by nobody" }
            guard hold.place.session.map({ core.sessions[$0]?.session.phase == .active }) ?? true else {
                return "\(hold.control) is held in a session that is over"
            }
        }
        return nil
    }
}
