import RigCore
import RigModel

/// The rig's clients, and what they are owed: each call one answer, a stream only what it asked for, and nothing to
/// whoever has left.
struct RigClients {
    private enum State: Equatable {
        /// It may call.
        case idle
        /// It waits for an answer.
        case calling
        /// It is told what the filter lets pass.
        case subscribed(EventFilter)
        /// It is an app.
        case app(token: String)
        /// It watches a scenario.
        case watching
        /// It is shown the bytes of links.
        case capturing
    }

    private struct Client {
        let id: ClientID
        var state = State.idle
        /// The call at work.
        var call: ClientCall?
        /// The sequence numbers of its stream, and those that are to be told of when they are taken.
        var lastSequence: UInt64 = 0
        var untaken: [UInt64] = []
    }

    private var clients: [Client] = []
    private var lastID: UInt64 = 0
    /// How many calls were made.
    private(set) var calls = 0

    /// The tokens of the apps there are.
    var tokens: [String] {
        clients.compactMap { if case .app(let token) = $0.state { token } else { nil } }
    }

    mutating func connect(uid: UInt32) -> CoreEvent {
        lastID += 1
        clients.append(Client(id: ClientID(lastID)))
        return .clientConnected(ClientID(lastID), ClientCredentials(pid: 1, uid: uid, gid: uid))
    }

    mutating func close(_ input: inout FuzzInput) -> CoreEvent? {
        guard !clients.isEmpty else { return nil }
        return .clientClosed(clients.remove(at: input.int(0...clients.count - 1)).id)
    }

    mutating func closeLast() -> CoreEvent? { clients.popLast().map { .clientClosed($0.id) } }

    /// A client that may call does so.
    mutating func call(_ call: ClientCall, _ input: inout FuzzInput) -> CoreEvent? {
        guard !clients.isEmpty else { return nil }
        let start = input.int(0...clients.count - 1)
        for offset in clients.indices {
            let index = (start + offset) % clients.count
            guard clients[index].state == .idle else { continue }
            calls += 1
            clients[index].state = .calling
            clients[index].call = call
            return .clientCalled(clients[index].id, call)
        }
        return nil
    }

    /// A client's socket takes some of what is to be told.
    mutating func take(_ input: inout FuzzInput) -> CoreEvent? {
        guard let index = clients.firstIndex(where: { !$0.untaken.isEmpty }) else { return nil }
        let count = input.int(1...clients[index].untaken.count)
        let last = clients[index].untaken[count - 1]
        clients[index].untaken.removeFirst(count)
        return .clientTook(clients[index].id, sequence: last)
    }

    // MARK: What the rig does

    mutating func perform(_ action: CoreAction, _ events: [Event]) throws(FuzzFinding) {
        switch action {
        case .deliver(let index, let id, let tell):
            try require(events.indices.contains(index), "an event \(index) of \(events.count) is delivered")
            try deliver(events[index], try place(of: id, action), tell)
        case .reply(let id, _, let continues):
            let place = try place(of: id, action)
            switch (clients[place].state, continues) {
            case (.calling, false): answered(place, .idle)
            case (.watching, true): break
            case (.watching, false): answered(place, .idle)
            case (.idle, _), (.calling, true), (.subscribed, _), (.app, _), (.capturing, _):
                throw FuzzFinding("an answer that nobody waits for: \(clients[place].state), \(action)")
            }
        case .open(let id, _):
            let place = try place(of: id, action)
            try require(clients[place].state == .calling, "a stream that nobody asked for")
            switch clients[place].call {
            case .subscribe(let filter): answered(place, .subscribed(filter))
            case .launch(_, _, let token): answered(place, .app(token: token))
            case .run, .cycle: answered(place, .watching)
            case .capture: answered(place, .capturing)
            case .getState, .listProfiles, .listFaults, .listLeases, .unlease, .command, .switchMode, .inject,
                .injectSequence, .appSend,
                .acknowledge, nil:
                throw FuzzFinding("a stream for \(String(describing: clients[place].call))")
            }
        case .fail(let id, let failure):
            let place = try place(of: id, action)
            try require(clients[place].state == .calling, "a failure that nobody waits for: \(failure)")
            try require(!failure.text.isEmpty, "a failure without text: \(failure)")
            answered(place, .idle)
        case .scenarioWrong(let id, let problems):
            let place = try place(of: id, action)
            try require(clients[place].state == .calling && !problems.isEmpty, "a wrong scenario without a problem")
            answered(place, .idle)
        case .capture(let id, _):
            let place = try place(of: id, action)
            try require(clients[place].state == .capturing, "a captured record for who does not capture")
        case .close(let id, _):
            clients.remove(at: try place(of: id, action))
        case .openWire, .transmit, .closeWire, .switchMode, .prepareSigner, .askSigner: break
        }
    }

    private mutating func answered(_ place: Int, _ next: State) {
        clients[place].state = next
        clients[place].call = nil
    }

    private func place(of id: ClientID, _ action: CoreAction) throws(FuzzFinding) -> Int {
        guard let place = clients.firstIndex(where: { $0.id == id }) else {
            throw FuzzFinding("an action for a client that is gone: \(action)")
        }
        return place
    }

    private mutating func deliver(_ event: Event, _ place: Int, _ tell: Bool) throws(FuzzFinding) {
        switch clients[place].state {
        case .subscribed(let filter):
            try require(filter.passes(event), "a subscriber is told what it did not ask for: \(event.kind)")
            try require(!tell, "a subscriber's taking is to be told")
        case .app: break
        case .idle, .calling, .watching, .capturing:
            throw FuzzFinding("\(event.kind) is delivered to \(clients[place].state)")
        }
        try require(event.sequence > clients[place].lastSequence, "a stream goes back to \(event.sequence)")
        clients[place].lastSequence = event.sequence
        if tell { clients[place].untaken.append(event.sequence) }
    }
}
