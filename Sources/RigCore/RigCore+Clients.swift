import RigConfiguration
import RigModel

/// What a client's connection is used for.
enum ClientUse: Equatable, Sendable {
    /// It makes calls, one after the other.
    case calls
    /// It is told every change.
    case subscription
    /// It is shown the bytes of links.
    case capture
    /// It is an app.
    case app(AppID)
    /// It watches a scenario run.
    case run(UInt64)
}

/// A client and what the rig holds for it.
struct ClientEntry: Sendable {
    let credentials: ClientCredentials
    var use = ClientUse.calls

    var app: AppID? {
        switch use {
        case .app(let id): id
        case .calls, .subscription, .capture, .run: nil
        }
    }
}

extension RigCore {
    mutating func clientConnected(
        _ client: ClientID, _ credentials: ClientCredentials, into actions: inout ActionBuffer
    ) {
        if clients.count >= settings.maximumClients {
            actions.append(.close(client, .limit("clients", settings.maximumClients)))
        } else if clients.values.count(where: { $0.credentials.uid == credentials.uid })
            >= settings.maximumClientsPerUser
        {
            actions.append(.close(client, .limit("clientsPerUser", settings.maximumClientsPerUser)))
        } else {
            clients[client] = ClientEntry(credentials: credentials)
        }
    }

    mutating func clientClosed(_ client: ClientID, into actions: inout ActionBuffer) {
        guard let entry = clients[client] else { return }
        clients[client] = nil
        subscribers[client] = nil
        heldAnswers.removeAll { $0.client == client }
        for id in waits.ids where waits[id]?.client == client {
            waits[id] = nil
            deadlines.set(.wait(id), at: nil)
        }
        // What it was goes first: an app on this connection can be told nothing of what is let go.
        switch entry.use {
        case .calls, .subscription: break
        case .capture: captureEnded(client)
        case .app(let id): appEnded(id, into: &actions)
        case .run(let id): runAbandoned(id, into: &actions)
        }
        cancelSequences(of: client, into: &actions)
        letGo(into: &actions) { $0.holder == .client(client) }
    }

    mutating func clientCalled(_ client: ClientID, _ call: ClientCall, into actions: inout ActionBuffer) {
        guard let entry = clients[client] else { return }
        guard entry.use == .calls else {
            // What a stream holds is released by the end of its connection, so there is one for each.
            actions.append(.fail(client, .busy(owner: "this connection's stream", since: now)))
            return
        }
        switch call {
        case .getState:
            actions.append(
                .reply(client, .record([RecordField("state", wholeState())]), continues: false))
        case .subscribe(let filter):
            guard subscribers.count < settings.maximumSubscriptions else {
                actions.append(.fail(client, .limitReached("subscriptions", settings.maximumSubscriptions)))
                return
            }
            let parts = stateParts()
            clients.update(client) { $0.use = .subscription }
            subscribers[client] = filter
            actions.append(.open(client, first: Self.replies(parts, beginningWith: [])))
        case .capture(let device): startCapture(of: device, for: client, into: &actions)
        case .listProfiles:
            let profiles = settings.profiles.map { profile in
                RecordValue.record([
                    RecordField("name", .string(profile.name)),
                    RecordField("kind", .string(profile.kind.rawValue)),
                    RecordField("text", .string(profile.summary)),
                ])
            }
            let units = settings.headUnits.map { unit in
                RecordValue.record([
                    RecordField("name", .string(unit.name)), RecordField("text", .string(unit.summary)),
                    RecordField("displays", .array(unit.displays.map { .string($0.name) })),
                ])
            }
            actions.append(
                .reply(
                    client,
                    .record([RecordField("profiles", .array(profiles)), RecordField("headUnits", .array(units))]),
                    continues: false))
        case .listFaults(let device): listFaults(of: device, for: client, into: &actions)
        case .command(let command): answer(command, for: client, into: &actions)
        case .inject(let injection, let step, let within):
            inject(injection, wait: step, within: within, for: client, into: &actions)
        case .injectSequence(let sequence, let step, let within):
            inject(sequence, wait: step, within: within, for: client, into: &actions)
        case .switchMode(let device, let generation, let mode):
            switchMode(device, generation: generation, mode, for: client, into: &actions)
        case .run(let name, let text, let tracks, let options, let wait):
            startRun(
                name: name, text: text, tracks: tracks, options: options, wait: wait, for: client, into: &actions)
        case .cycle(let plan, let request, let wait):
            startCycles(plan, request, wait: wait, for: client, into: &actions)
        case .listLeases: listLeases(for: client, into: &actions)
        case .unlease(let lease, let force): takeLease(lease, by: force, for: client, into: &actions)
        case .launch(let manifest, let device, let token):
            launch(manifest, device: device, token: token, for: client, into: &actions)
        case .appSend(let token, let message, let fields):
            guard let app = apps.values.first(where: { $0.token == token })?.app else {
                actions.append(.fail(client, .unknownApp))
                return
            }
            guard let device = app.session.flatMap({ sessions[$0]?.session.device }) else {
                actions.append(
                    .fail(client, .invalidParameter("app", text: "the app belongs to no session at the moment")))
                return
            }
            let request = SendRequest(
                device: device.name, generation: device.generation, message: message, fields: fields,
                sender: senderForApp(of: message, device))
            answer(.send(request), for: client, into: &actions)
        case .acknowledge(let token, let ids):
            guard let app = apps.values.first(where: { $0.token == token })?.app.id else {
                actions.append(.fail(client, .unknownApp))
                return
            }
            let count = acknowledge(ids, by: app, into: &actions)
            actions.append(
                .reply(client, .record([RecordField("acknowledged", .number(count))]), continues: false))
        }
    }

    /// The first replies of a stream: the state in parts, `complete` with the last.
    private static func replies(_ parts: [RecordValue], beginningWith fields: [RecordField]) -> [RecordValue] {
        parts.enumerated().map { index, part in
            .record(
                (index == 0 ? fields : []) + [
                    RecordField("state", part), RecordField("complete", .bool(index == parts.count - 1)),
                ])
        }
    }

    private mutating func inject(
        _ injection: Injection, wait step: InputStep, within: UInt64, for client: ClientID,
        into actions: inout ActionBuffer
    ) {
        do throws(CommandFailure) {
            let (receipt, gesture) = try accept(injection, by: .client(client), isAwaited: step > .accepted)
            let wait = answer(receipt, at: step, for: client, within: within, into: &actions)
            gestures.update(gesture) { $0.wait = wait }
            gestureDeadlineReached(gesture, into: &actions)
        } catch {
            actions.append(.fail(client, error))
        }
    }

    private mutating func inject(
        _ sequence: InjectionSequence, wait step: InputStep, within: UInt64, for client: ClientID,
        into actions: inout ActionBuffer
    ) {
        do throws(CommandFailure) {
            let (receipt, id, length) = try accept(sequence, by: client, isAwaited: step > .accepted)
            // Not at the time of the last event, but after it.
            let (patience, isBeyondTime) = (length + 1).addingReportingOverflow(within)
            let wait = answer(receipt, at: step, for: client, within: isBeyondTime ? .max : patience, into: &actions)
            sequences.update(id) { $0.wait = wait }
        } catch {
            actions.append(.fail(client, error))
        }
    }

    private mutating func answer(_ command: Command, for client: ClientID, into actions: inout ActionBuffer) {
        do throws(CommandFailure) {
            let result = try perform(command, by: .client(client), into: &actions)
            let fields: [RecordField]
            switch result {
            case .plugged(let device):
                return answer(client, about: device.reference, plugged: device, into: &actions)
            case .injected(let receipt):
                actions.append(.reply(client, record(of: receipt, reached: .accepted, nil), continues: false))
                return
            case .display(let display): fields = [RecordField("display", display.record)]
            case .vehicle(let vehicle): fields = [RecordField("vehicle", vehicle.record)]
            case .faultSet(let fault): fields = [RecordField("fault", fault.record)]
            case .faultsCleared(let ids):
                fields = [RecordField("cleared", .array(ids.map { .string($0.name) }))]
            case .done:
                if case .setPhone(let name, _, _) = command, let id = devices.id(named: name), let entry = devices[id] {
                    return answer(client, about: entry.device.reference, plugged: nil, into: &actions)
                }
                fields = []
            }
            actions.append(.reply(client, .record(fields), continues: false))
        } catch {
            actions.append(.fail(client, error))
        }
    }

    private mutating func launch(
        _ manifest: AppManifest, device: String?, token: String, for client: ClientID, into actions: inout ActionBuffer
    ) {
        guard !manifest.name.isEmpty, manifest.name.utf8.count <= AppManifest.maximumName else {
            let text = "a name has 1 to \(AppManifest.maximumName) bytes"
            actions.append(.fail(client, .invalidParameter("manifest.name", text: text)))
            return
        }
        if let device, devices.id(named: device) == nil {
            actions.append(.fail(client, .unknownDevice(device, known: devices.attachedNames)))
            return
        }
        guard apps.count < settings.maximumApps, let uid = clients[client]?.credentials.uid else {
            actions.append(.fail(client, .limitReached("apps", settings.maximumApps)))
            return
        }
        lastApp += 1
        let id = AppID(lastApp)
        var app = App(id: id, name: manifest.name, device: device, session: nil, uid: uid)
        app.session = place(for: app)
        publish(
            Event(
                time: now, kind: .appLaunched, origin: .declared, session: app.session, payload: .app(app)),
            into: &actions)
        apps[id] = AppEntry(app: app, client: client, token: token)
        clients.update(client) { $0.use = .app(id) }
        let first = [RecordField("app", .string(token)), RecordField("id", .string(id.name))]
        actions.append(.open(client, first: Self.replies([appState(app)], beginningWith: first)))
    }

    private mutating func appEnded(_ id: AppID, into actions: inout ActionBuffer) {
        guard let app = apps[id]?.app else { return }
        apps[id] = nil
        publish(
            Event(time: now, kind: .appEnded, origin: .declared, session: app.session, payload: .app(app)),
            into: &actions)
        // Nobody will read what was meant for it, unless another app is in the session.
        if let session = app.session, !apps.values.contains(where: { $0.app.session == session }) {
            for wait in waits.ids where waits[wait]?.receipt.session == session { targetLost(wait, into: &actions) }
        }
    }

    /// The session an app belongs to now: its device's, or the one in front.
    private func place(for app: App) -> SessionID? {
        guard let name = app.device else { return front.session }
        guard let session = devices.id(named: name).flatMap({ devices[$0]?.device.session }),
            sessions[session]?.session.phase == .active
        else { return nil }
        return session
    }

    /// Gives every app the session it belongs to now.
    ///
    /// - Returns: the apps that came to another active session, with it.
    mutating func placeApps() -> [(client: ClientID, session: SessionID)] {
        var moved: [(ClientID, SessionID)] = []
        for id in apps.ids {
            guard let entry = apps[id] else { continue }
            let session = place(for: entry.app)
            guard session != entry.app.session else { continue }
            apps.update(id) { $0.app.session = session }
            if let session { moved.append((entry.client, session)) }
        }
        return moved
    }

    /// Tells apps of the session that they have come to: it was active before, so nobody else needs to hear of it.
    mutating func introduce(
        _ moved: [(client: ClientID, session: SessionID)], into actions: inout ActionBuffer
    ) {
        var told: [SessionID] = []
        for (_, session) in moved where !told.contains(session) {
            told.append(session)
            guard let entry = sessions[session] else { continue }
            let clients = moved.filter { $0.session == session }.map(\.client)
            tell(
                Event(
                    time: now, kind: .sessionActive, origin: .simulated, device: entry.session.device,
                    session: session, payload: .session(entry.session)), to: clients, into: &actions)
            for display in entry.displays {
                tell(
                    Event(
                        time: now, kind: .displayAdded, origin: display.origin, device: entry.session.device,
                        session: session, display: display.name, payload: .display(display)), to: clients,
                    into: &actions)
            }
        }
    }
}
