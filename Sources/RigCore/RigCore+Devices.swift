import RigModel

extension RigCore {
    /// Why a device that was pulled without a goodbye is gone.
    static let surpriseRemoval = Reason(
        "surpriseRemoval", .device, "the device was pulled without a goodbye; plug it in again")
    /// Why a device that said goodbye is gone.
    static let unplugged = Reason("unplugged", .device, "the device was unplugged")

    mutating func deviceAttached(
        key: String, _ facts: DeviceFacts, held: Reason?, into actions: inout ActionBuffer
    ) {
        if devices.id(key: key) != nil {
            // Buses tell of a device more than once: while the rig starts, and again when a driver binds.
            deviceChanged(key: key, facts, into: &actions)
            return
        }
        let attached = devices.attachedCount
        guard attached < settings.maximumDevices else {
            let reason = Reason(
                "limitReached", .local,
                "a device at port \(facts.port) is left alone: \(attached) devices are plugged in; raise limits.devices"
            )
            publish(
                Event(time: now, kind: .deviceRefused, origin: facts.origin, reason: reason), into: &actions)
            return
        }
        let id: DeviceID
        if let (known, rule) = devices.returning(facts, now: now, window: settings.reenumerationWindow) {
            devices.reattach(known, facts: facts, rule: rule, key: key, plug: nil)
            deadlines.set(.reenumeration(known.number), at: nil)
            id = known
        } else {
            id = devices.add(
                facts, name: nil, key: key, peer: facts.peer, phone: facts.hasOurPhone ? PhoneConditions() : nil,
                plug: nil)
        }
        if let held {
            devices.update(id) {
                $0.device.state = .busy
                $0.device.reason = held
            }
        }
        announceAndConnect(id, into: &actions)
    }

    /// Publishes a device that has just been plugged in and begins its handshake, unless somebody else holds it.
    mutating func announceAndConnect(_ id: DeviceID, into actions: inout ActionBuffer) {
        guard let entry = devices[id] else { return }
        publishDevice(.deviceAttached, entry.device, into: &actions)
        bindFaults(to: id, into: &actions)
        if entry.device.facts.kind.role != nil { connect(id, into: &actions) }
    }

    mutating func deviceChanged(key: String, _ facts: DeviceFacts, into actions: inout ActionBuffer) {
        guard let id = devices.id(key: key), let entry = devices[id], entry.device.facts != facts else { return }
        let before = entry.device.facts
        let isAnother = before.kind.role != facts.kind.role || before.peer != facts.peer
        if before.surface != facts.surface { takeBackFingers(of: id, into: &actions) }
        devices.update(id) { $0.show(facts) }
        if isAnother {
            // What it is decides who speaks on its link: the session that was begun is for another device.
            closeSession(
                of: id, Reason("modeChanged", .device, "the device now shows itself as \(facts.kind.rawValue)"),
                into: &actions)
            deadlines.set(.retry(id.number), at: nil)
            devices.update(id) { entry in
                entry.startAnew()
                switch entry.device.state {
                // Who holds it, or that its driver hangs, has nothing to do with what it is.
                case .busy, .stuck, .reenumerating, .detached: break
                case .attached, .connecting, .active, .failed:
                    entry.device.state = .attached
                    entry.device.reason = nil
                }
            }
        }
        if let device = devices[id]?.device { publishDevice(.deviceChanged, device, into: &actions) }
        if isAnother, facts.kind.role != nil { connect(id, into: &actions) }
    }

    mutating func deviceDetached(key: String, _ reason: Reason, into actions: inout ActionBuffer) {
        // A bus may tell of a removal twice; the second time nothing is there any more.
        guard let id = devices.id(key: key), let entry = devices[id] else { return }
        if entry.device.state == .reenumerating { return leave(id, into: &actions) }
        detach(id, entry.departure ?? reason, into: &actions)
    }

    /// Releases everything that hangs off a device, in this order: gestures, displays, session, front, faults,
    /// what an input device holds, device.
    mutating func detach(_ id: DeviceID, _ reason: Reason, into actions: inout ActionBuffer) {
        closeSession(of: id, reason, into: &actions)
        deadlines.set(.retry(id.number), at: nil)
        releaseFaults(of: id, into: &actions)
        deadlines.set(.reenumeration(id.number), at: nil)
        endModeSwitch(of: id, reason, into: &actions)
        takeBackHardware(of: id, into: &actions)
        let detached = devices.detach(id, reason: reason, now: now, remembered: settings.maximumRemembered)
        guard let device = detached else { return }
        publish(
            Event(
                time: now, kind: .deviceDetached, origin: device.facts.origin, device: device.reference,
                payload: .device(device), reason: reason), into: &actions)
    }

    mutating func deviceHeld(key: String, _ state: DeviceState, _ reason: Reason, into actions: inout ActionBuffer) {
        guard let id = devices.id(key: key), let entry = devices[id], entry.device.state != state else { return }
        // A call to its driver still hangs, whoever else wants it; and what leaves the bus is nobody's.
        guard entry.device.state != .stuck, entry.device.state != .reenumerating else { return }
        closeSession(of: id, reason, into: &actions)
        deadlines.set(.retry(id.number), at: nil)
        setState(id, state, reason, into: &actions)
    }

    mutating func deviceUsable(key: String, into actions: inout ActionBuffer) {
        guard let id = devices.id(key: key), let entry = devices[id] else { return }
        switch entry.device.state {
        case .busy:
            setState(id, .attached, nil, into: &actions)
            if entry.device.facts.kind.role != nil { connect(id, into: &actions) }
        case .attached, .connecting, .active, .failed, .stuck, .reenumerating, .detached: break
        }
    }

    /// Changes a device's state and publishes it, if it is another one.
    mutating func setState(
        _ id: DeviceID, _ state: DeviceState, _ reason: Reason?, nextTry: UInt64? = nil,
        into actions: inout ActionBuffer
    ) {
        let changed = devices.update(id) { entry -> Device? in
            let before = entry.device
            entry.device.state = state
            entry.device.reason = reason
            entry.device.nextTry = nextTry
            guard entry.device != before else { return nil }
            return entry.device
        }
        if let device = changed ?? nil { publishDevice(.deviceChanged, device, into: &actions) }
    }

    mutating func publishDevice(_ kind: EventKind, _ device: Device, into actions: inout ActionBuffer) {
        publish(
            Event(
                time: now, kind: kind, origin: device.facts.origin, device: device.reference, session: device.session,
                payload: .device(device), reason: device.reason), into: &actions)
    }

    mutating func retryDeadlineReached(_ id: DeviceID, into actions: inout ActionBuffer) {
        // The device may have been unplugged, or connected by a command, since the retry was set.
        guard let entry = devices[id], entry.isAttached, entry.device.state == .failed else { return }
        connect(id, into: &actions)
    }
}
