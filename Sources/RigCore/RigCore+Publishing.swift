import RigModel

extension RigCore {
    /// Numbers an event and tells everybody whom it concerns: subscribers by their filters, apps by their session.
    ///
    /// - Returns: the event's sequence number.
    @discardableResult
    mutating func publish(_ event: consuming Event, into actions: inout ActionBuffer) -> UInt64 {
        sequence += 1
        event.sequence = sequence
        let bit = event.kind.bit
        let index = actions.append(copy event)
        for place in 0..<subscribers.count where subscribers.values[place].passes(event, bit: bit) {
            actions.append(.deliver(event: index, to: subscribers.ids[place], tell: false))
        }
        guard !apps.isEmpty else { return sequence }
        let injected = event.input?.source == Self.injectedSource
        for place in 0..<apps.count where concerns(event, apps.values[place]) {
            // No copy of the entry is held here: what it remembers of its input is changed in place.
            actions.append(.deliver(event: index, to: apps.values[place].client, tell: injected))
            if injected, let input = event.input, let session = event.session {
                expectTaking(of: input.id, in: session, by: apps.ids[place])
            }
        }
        return sequence
    }

    /// Publishes to some apps only what others have long been told: the session that they have just come to.
    mutating func tell(_ event: Event, to clients: [ClientID], into actions: inout ActionBuffer) {
        sequence += 1
        var event = event
        event.sequence = sequence
        let index = actions.append(event)
        for client in clients { actions.append(.deliver(event: index, to: client, tell: false)) }
    }

    private func concerns(_ event: Event, _ app: AppEntry) -> Bool {
        switch event.kind {
        case .sessionOpened, .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed, .linkIrregularity,
            .messageSent, .messageReceived, .fileReceived, .displayAdded, .displayChanged, .displayRemoved, .inputKnob,
            .inputTouch, .inputTouchpad, .inputKey, .inputIntent:
            app.app.session != nil && event.session == app.app.session
        case .phoneChanged:
            app.app.session.flatMap { sessions[$0]?.session.device } == event.device
        case .frontChanged, .vehicleChanged: true
        case .deviceAttached, .deviceChanged, .deviceDetached, .deviceRefused:
            app.app.device != nil && app.app.device == event.device?.name
        case .inputStep, .inputLost, .appLaunched, .appEnded, .configurationReloaded, .configurationRefused,
            .faultArmed, .faultStruck, .faultCleared, .leaseTaken, .mark, .resync, .streamLost:
            false
        }
    }

    /// The state in parts of at most `partSize` devices, sessions, displays and apps each, as a subscriber reads it.
    func stateParts(of partSize: Int = 32) -> [RecordValue] {
        let devices = devices.all.filter(\.isShown).map(\.device.record)
        let sessions = sessions.values.map(\.session.record)
        let displays = self.sessions.values.flatMap { $0.displays.map(\.record) }
        let apps = apps.values.map(\.app.record)
        let longest = [devices.count, sessions.count, displays.count, apps.count].max() ?? 0
        let count = max(1, (longest + partSize - 1) / partSize)
        return (0..<count).map { part in
            func piece(_ all: [RecordValue]) -> RecordValue {
                .array(Array(all.dropFirst(part * partSize).prefix(partSize)))
            }
            return state(piece(devices), piece(sessions), piece(displays), piece(apps))
        }
    }

    /// The whole state as one record.
    func wholeState() -> RecordValue {
        state(
            .array(devices.all.filter(\.isShown).map(\.device.record)),
            .array(sessions.values.map(\.session.record)),
            .array(sessions.values.flatMap { $0.displays.map(\.record) }), .array(apps.values.map(\.app.record)))
    }

    /// The state as an app sees it: its device, its session and that session's displays.
    func appState(_ app: App) -> RecordValue {
        let entry = app.session.flatMap { sessions[$0] }
        let name = app.device ?? entry?.session.device.name
        let device = name.flatMap { devices.id(named: $0) }.flatMap { devices[$0] }
        return state(
            .array(device.map { $0.isShown ? [$0.device.record] : [] } ?? []),
            .array(entry.map { [$0.session.record] } ?? []), .array(entry?.displays.map(\.record) ?? []),
            .array([app.record]))
    }

    private func state(
        _ devices: RecordValue, _ sessions: RecordValue, _ displays: RecordValue, _ apps: RecordValue
    ) -> RecordValue {
        .record([
            RecordField("epoch", .string(identity.epoch)), RecordField("sequence", .number(sequence)),
            RecordField("time", .number(now)), RecordField("base", .number(identity.base)),
            RecordField("realtime", .number(identity.realtime)), RecordField("bootID", .string(identity.bootID)),
            RecordField("version", .string(settings.version)), RecordField("instance", .string(settings.instance)),
            RecordField("front", .text(front.session?.name)), RecordField("vehicle", vehicle.record),
            RecordField("devices", devices), RecordField("sessions", sessions), RecordField("displays", displays),
            RecordField("apps", apps),
        ])
    }
}
