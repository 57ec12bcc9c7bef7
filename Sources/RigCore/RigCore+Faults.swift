import RigModel

extension RigCore {
    // MARK: Set and cleared

    mutating func setFault(
        _ request: FaultRequest, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> Fault {
        try request.validate()
        let device = try device(for: request)
        guard faults.count < settings.maximumFaults else { throw .limitReached("faults", settings.maximumFaults) }
        let name = device.flatMap { devices[$0]?.device.name } ?? request.device
        let others = faults.values.count { $0.fault.device?.name ?? $0.fault.request.device == name }
        guard others < settings.maximumFaultsPerDevice else {
            throw .limitReached("faultsPerDevice", settings.maximumFaultsPerDevice)
        }
        lastFault += 1
        let id = FaultID(lastFault)
        let fault = Fault(id: id, request: request, device: device.flatMap { devices[$0]?.device.reference })
        let entry = FaultEntry(fault, device: device, seed: generator.next())
        faults[id] = entry
        publishFault(.faultArmed, fault, into: &actions)
        if let link = device.flatMap({ devices[$0]?.link }) {
            links.update(link) { $0.arm(entry.orders, now: now) }
            settle(link, into: &actions)
        }
        return fault
    }

    /// The device that a fault is for, if it is there: the named one, or that of the front session.
    private func device(for request: FaultRequest) throws(CommandFailure) -> DeviceID? {
        guard let name = request.device else {
            let front = front.session.flatMap { sessions[$0]?.session.device.name }
            guard let id = front.flatMap({ devices.id(named: $0) }), let entry = devices[id], suits(request, entry)
            else { return nil }
            return id
        }
        guard let id = devices.id(named: name), let entry = devices[id], entry.isAttached else {
            // A fault may be set for what is yet to come, but not for a generation that is over.
            if request.generation != nil { _ = try attached(name, generation: request.generation) }
            return nil
        }
        _ = try attached(name, generation: request.generation)
        guard entry.device.facts.kind.role != nil else {
            let kind = entry.device.facts.kind.rawValue
            throw .invalidParameter("device", text: "'\(name)' is a \(kind): it has no link")
        }
        guard suits(request, entry) else {
            throw .notPermitted("'\(name)' is a real device: pull its cable, or let a reset or a stall come instead")
        }
        return id
    }

    /// Whether a device has a link, and a cable that can be pulled where that is asked for.
    private func suits(_ request: FaultRequest, _ entry: DeviceEntry) -> Bool {
        entry.device.facts.kind.role != nil && (request.kind != .unplug || entry.plug != nil)
    }

    mutating func clearFaults(
        _ selection: FaultSelection, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> [FaultID] {
        let ids: [FaultID]
        switch selection {
        case .all: ids = faults.ids
        case .these(let wanted): ids = faults.ids.filter(wanted.contains)
        case .device(let name):
            ids = faults.values.filter { $0.fault.device?.name ?? $0.fault.request.device == name }.map(\.fault.id)
            if ids.isEmpty, devices.id(named: name) == nil {
                throw .unknownDevice(name, known: devices.attachedNames)
            }
        }
        var cleared: [FaultID] = []
        for id in ids {
            // What passes now may have ended the session, and with it the next fault.
            guard let entry = faults[id] else { continue }
            end(id, .cleared, into: &actions)
            cleared.append(id)
            guard let link = entry.device.flatMap({ devices[$0]?.link }) else { continue }
            links.update(link) { $0.clearFault(id, now: now) }
            settle(link, into: &actions)
        }
        return cleared
    }

    /// Answers with the faults that are set, and with what can be set.
    func listFaults(of name: String?, for client: ClientID, into actions: inout ActionBuffer) {
        let set = faults.values.map(\.fault).filter { fault in
            name == nil || fault.device?.name ?? fault.request.device == name
        }
        let kinds = FaultKind.allCases.map { kind in
            RecordValue.record([
                RecordField("name", .string(kind.rawValue)), RecordField("text", .string(kind.meaning)),
                RecordField("takesTime", .bool(kind.timing != .none)),
            ])
        }
        actions.append(
            .reply(
                client,
                .record([
                    RecordField("faults", .array(set.map(\.record))), RecordField("kinds", .array(kinds)),
                    RecordField("at", .array(FaultPlace.atNames.map { .string($0) })),
                    RecordField("since", .array(FaultPlace.fromNames.map { .string($0) })),
                ]), continues: false))
    }

    // MARK: Devices and their links

    /// A device was plugged in: the faults that wait for it, or for any, are its own from now on.
    mutating func bindFaults(to device: DeviceID, into actions: inout ActionBuffer) {
        guard !faults.isEmpty, let entry = devices[device] else { return }
        let reference = entry.device.reference
        for id in faults.ids {
            guard let waiting = faults[id], waiting.device == nil else { continue }
            let request = waiting.fault.request
            guard request.device == nil || request.device == reference.name, suits(request, entry) else { continue }
            faults.update(id) {
                $0.device = device
                $0.fault.device = reference
            }
            if let fault = faults[id]?.fault { publishFault(.faultArmed, fault, into: &actions) }
        }
    }

    /// What is to be put into the link of a device that is about to be opened.
    func faultOrders(of device: DeviceID) -> [FaultPathOrder] {
        faults.values.filter { $0.device == device }.flatMap(\.orders)
    }

    /// A session is over: what its faults held back is gone with it.
    mutating func endSpentFaults(of device: DeviceID, into actions: inout ActionBuffer) {
        for id in faults.ids {
            guard let entry = faults[id], entry.device == device else { continue }
            if entry.isUsedUp { end(id, .usedUp, into: &actions) }
        }
    }

    /// A device is unplugged: its faults go with it, or wait for it to return.
    mutating func releaseFaults(of device: DeviceID, into actions: inout ActionBuffer) {
        for id in faults.ids {
            guard let entry = faults[id], entry.device == device else { continue }
            if entry.fault.request.keep {
                faults.update(id) {
                    $0.device = nil
                    $0.fault.request.device = $0.fault.device?.name
                    $0.fault.request.generation = nil
                    $0.fault.device = nil
                }
            } else {
                end(id, .detached, into: &actions)
            }
        }
    }

    /// A fault in the way of a link did something.
    mutating func act(
        on notice: FaultNotice, _ direction: FaultDirection, of link: DeviceLink, into actions: inout ActionBuffer
    ) {
        switch notice {
        case .struck(let id, let strike, let left):
            let told = faults.update(id) { entry -> (Fault, suppressed: UInt64)? in
                entry.fault.strikes += 1
                let isEndless = entry.fault.request.kind == .stall && entry.fault.request.duration == nil
                entry.change(direction) {
                    $0.left = left
                    if isEndless { $0.isStalled = true }
                }
                return entry.budget.take(now: now).map { (entry.fault, $0) }
            }
            if let (fault, suppressed) = told ?? nil {
                var strike = strike
                strike.suppressed = suppressed
                publishFault(.faultStruck, fault, strike: strike, session: link.session, into: &actions)
            }
        case .ended(let id):
            faults.update(id) { entry in entry.change(direction) { $0.isOver = true } }
            if faults[id]?.ways.allSatisfy(\.isOver) ?? false { end(id, .usedUp, into: &actions) }
        case .unplug(let id):
            end(id, .usedUp, into: &actions)
            detach(link.device, Self.surpriseRemoval, into: &actions)
        }
    }

    private mutating func end(_ id: FaultID, _ ending: FaultEnding, into actions: inout ActionBuffer) {
        guard let fault = faults[id]?.fault else { return }
        faults[id] = nil
        publishFault(.faultCleared, fault, ending: ending, into: &actions)
    }

    private mutating func publishFault(
        _ kind: EventKind, _ fault: Fault, strike: FaultStrike? = nil, ending: FaultEnding? = nil,
        session: SessionID? = nil, into actions: inout ActionBuffer
    ) {
        publish(
            Event(
                time: now, kind: kind, origin: strike == nil ? .declared : .simulated, device: fault.device,
                session: session, payload: .fault(fault, strike: strike, ending: ending)), into: &actions)
    }
}
