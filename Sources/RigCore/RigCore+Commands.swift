import RigConfiguration
import RigModel

extension RigCore {
    /// Does what a bench person, a script or a scenario asks, or says why not.
    ///
    /// - Parameters:
    ///   - caller: who holds what is put down by injection.
    ///   - beginning: when an injection was to begin; `nil` is now.
    mutating func perform(
        _ command: Command, by caller: InputHolder, at beginning: UInt64? = nil, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> CommandResult {
        switch command {
        case .plug(let request): return .plugged(try plug(request, into: &actions))
        case .unplug(let name, let surprise, let generation):
            try unplug(name, surprise: surprise, generation: generation, into: &actions)
            return .done
        case .setPhone(let name, let generation, let change):
            try setPhone(name, generation: generation, change, into: &actions)
            return .done
        case .retry(let name, let generation):
            try retry(name, generation: generation, into: &actions)
            return .done
        case .setFront(let name):
            try setFront(name, into: &actions)
            return .done
        case .setDisplay(let change): return .display(try setDisplay(change, into: &actions))
        case .setVehicle(let change): return .vehicle(try setVehicle(change, into: &actions))
        case .inject(let injection):
            let (receipt, gesture) = try accept(injection, by: caller, at: beginning, isAwaited: false)
            gestureDeadlineReached(gesture, into: &actions)
            return .injected(receipt)
        case .send(let request):
            try send(request, into: &actions)
            return .done
        case .setFault(let request): return .faultSet(try setFault(request, into: &actions))
        case .clearFaults(let selection): return .faultsCleared(try clearFaults(selection, into: &actions))
        case .mark(let text):
            guard text.utf8.count <= Command.maximumMark else {
                throw .invalidParameter("text", text: "a mark has at most \(Command.maximumMark) bytes")
            }
            publish(Event(time: now, kind: .mark, origin: .declared, payload: .text(text)), into: &actions)
            return .done
        }
    }

    /// The device of that name, if it is plugged in and has the generation that the caller means.
    func attached(_ name: String, generation: UInt32?) throws(CommandFailure) -> DeviceEntry {
        guard let entry = devices.id(named: name).flatMap({ devices[$0] }) else {
            throw .unknownDevice(name, known: devices.attachedNames)
        }
        guard entry.isAttached, generation == nil || generation == entry.device.generation else {
            throw .staleDevice(name, generation: generation ?? entry.device.generation)
        }
        return entry
    }

    private mutating func plug(
        _ request: PlugRequest, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> Device {
        guard let profile = settings.profiles.first(where: { $0.name == request.profile }) else {
            throw .invalidParameter(
                "profile", text: UnknownProfile(name: request.profile, known: settings.profiles.map(\.name)).description
            )
        }
        if let name = request.name, !DisplayDescription.isName(name) {
            throw .invalidParameter("name", text: "a name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        if let displays = request.displays, !settings.headUnits.contains(where: { $0.name == displays }) {
            throw .invalidParameter(
                "displays", text: UnknownProfile(name: displays, known: settings.headUnits.map(\.name)).description)
        }
        if let serial = request.serial, serial.isEmpty || serial.utf8.count > 126 {
            // 126: a USB string descriptor holds 126 UTF-16 units.
            throw .invalidParameter("serial", text: "a serial has 1 to 126 bytes")
        }
        try request.phone.check()
        guard devices.attachedCount < settings.maximumDevices else {
            throw .limitReached("devices", settings.maximumDevices)
        }
        let hasPhone = profile.kind.role != nil
        let id: DeviceID
        if let known = request.name.flatMap({ devices.id(named: $0) }), let entry = devices[known] {
            if entry.isAttached {
                throw .busy(
                    owner: "\(entry.device.name), which is plugged in already; unplug it or choose another name",
                    since: now)
            }
            guard entry.plug != nil else {
                throw .invalidParameter("name", text: "'\(entry.device.name)' is the name of a real device")
            }
            guard entry.device.facts.kind == profile.kind else {
                throw .invalidParameter(
                    "name", text: "'\(entry.device.name)' was a \(entry.device.facts.profile) before; use another name")
            }
            id = known
            let facts = profile.facts(serial: request.serial ?? entry.device.facts.serial)
            devices.reattach(id, facts: facts, rule: .name, key: Self.virtualKey(id), plug: request)
            devices.update(id) { $0.device.phone = hasPhone ? request.phone : nil }
        } else {
            // The key has the number that the device is about to get; it cannot meet a bus's own name.
            let next = devices.nextID
            let facts = profile.facts(serial: request.serial ?? profile.serial(number: Int(next.number)))
            id = devices.add(
                facts, name: request.name, key: Self.virtualKey(next),
                peer: profile.kind.role == nil ? nil : .simulated, phone: hasPhone ? request.phone : nil, plug: request)
        }
        announceAndConnect(id, into: &actions)
        guard let device = devices[id]?.device else {
            throw .invalidParameter("name", text: "the device is gone already")
        }
        return device
    }

    private static func virtualKey(_ id: DeviceID) -> String { "virtual:\(id.number)" }

    private mutating func unplug(
        _ name: String, surprise: Bool, generation: UInt32?, into actions: inout ActionBuffer
    ) throws(CommandFailure) {
        let entry = try attached(name, generation: generation)
        guard entry.plug != nil else {
            throw .notPermitted("'\(name)' is a real device: pull its cable, or unbind it")
        }
        if !surprise, let link = entry.link {
            // Both ends say goodbye before the cable goes.
            let struck = links.update(link) { $0.sayGoodbye(now: now) } ?? []
            for notice in struck {
                if let link = links[link] { act(on: notice, of: link, into: &actions) }
            }
            if let link = links[link], link.isClosed {
                closeSession(of: entry.device.id, Self.unplugged, into: &actions)
            }
        }
        detach(entry.device.id, surprise ? Self.surpriseRemoval : Self.unplugged, into: &actions)
    }

    private mutating func setPhone(
        _ name: String, generation: UInt32?, _ change: PhoneChange, into actions: inout ActionBuffer
    ) throws(CommandFailure) {
        let entry = try attached(name, generation: generation)
        guard let before = entry.device.phone else {
            let what =
                entry.device.peer == .wire
                ? "'\(name)' answers on its own wire; only its own person can change it"
                : "'\(name)' is a \(entry.device.facts.kind.rawValue), not a phone"
            throw .invalidParameter("device", text: what)
        }
        let phone = try change.applied(to: before)
        guard phone != before else { return }
        let id = entry.device.id
        devices.update(id) { $0.device.phone = phone }
        guard let device = devices[id]?.device else { return }
        publish(
            Event(
                time: now, kind: .phoneChanged, origin: .declared, device: device.reference, session: device.session,
                payload: .device(device)), into: &actions)
        if let link = entry.link {
            links.update(link) { $0.set(phone, now: now) }
            settle(link, into: &actions)
        } else if device.state == .failed, device.reason?.isRemoved(from: before, to: phone) == true {
            // What failed is no more; anything else waits for its time, with the conditions of then.
            tryAgain(id, into: &actions)
        }
    }

    /// Tries a handshake that failed again, whatever it failed of.
    private mutating func retry(
        _ name: String, generation: UInt32?, into actions: inout ActionBuffer
    ) throws(CommandFailure) {
        let entry = try attached(name, generation: generation)
        switch entry.device.state {
        case .failed: tryAgain(entry.device.id, into: &actions)
        case .attached, .connecting, .active, .busy, .stuck, .reenumerating, .detached:
            let state = entry.device.state.rawValue
            throw .invalidParameter("device", text: "'\(name)' is \(state); only what failed can be tried again")
        }
    }

    private mutating func tryAgain(_ id: DeviceID, into actions: inout ActionBuffer) {
        devices.update(id) { $0.startAnew() }
        connect(id, into: &actions)
    }

    private mutating func setFront(_ name: String, into actions: inout ActionBuffer) throws(CommandFailure) {
        let entry = try attached(name, generation: nil)
        guard let session = entry.device.session, sessions[session]?.session.phase == .active else {
            throw .invalidParameter("device", text: "'\(name)' has no active session to put in front")
        }
        guard front.choose(session) else { return }
        takeBackHardwareBehindFront(into: &actions)
        let moved = placeApps()
        publishFront(into: &actions)
        introduce(moved, into: &actions)
    }
}
