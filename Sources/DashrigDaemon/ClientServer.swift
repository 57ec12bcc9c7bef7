package import LinuxIO
package import RigCore
import RigModel
package import ServiceManager
package import VarlinkProtocol

/// The sockets and everybody connected to them: bytes to calls, actions to bytes.
package final class ClientServer {
    /// What the core is told.
    package var onEvent: (CoreEvent) -> Void = { _ in }
    /// Answers the calls of an interface that is neither of ours. The test build that serves the certification has one.
    package var onForeignCall: ((ServiceDirectory.RoutedCall, JSONObject, inout [VarlinkReply]) -> Void)?
    /// Limits for connections that come from now on.
    package var limits: Limits

    /// How much one client may make the server hold.
    package struct Limits {
        var rigCallBytes: Int
        var appCallBytes: Int
        var queueBytes: Int

        /// States limits, in bytes: of one call on the two sockets, and of what waits for one client.
        package init(rigCallBytes: Int, appCallBytes: Int, queueBytes: Int) {
            self.rigCallBytes = rigCallBytes
            self.appCallBytes = appCallBytes
            self.queueBytes = queueBytes
        }
    }

    private final class Door {
        var listener: UnixListener
        let interface: String
        var watch: WatchID?
        /// Opens it again after the kernel had refused to give a connection.
        var retry: TimerID?

        init(listener: consuming UnixListener, interface: String) {
            self.listener = listener
            self.interface = interface
        }
    }

    /// How long calls may be dispatched before the loop looks at everything else again, in nanoseconds; one that takes
    /// longer is done nevertheless.
    private static let turn: UInt64 = 5_000_000
    /// The most calls of one client before it is another's turn.
    private static let callsAtATime = 32
    /// How long nobody is taken after the kernel refused to give a connection, in nanoseconds.
    private static let acceptPause: UInt64 = 500_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let directory: ServiceDirectory
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var doors: [Door] = []
    private var connections: [UInt64: Connection] = [:]
    private var lastClient: UInt64 = 0
    /// Those that may have something to send or to be closed, each once.
    private var touched: [ClientID] = []
    /// Those with calls that were read and are left for the next turn, each once.
    private var behind: [ClientID] = []
    /// Makes the loop turn at once.
    private var again: TimerID?
    /// When the calls of this turn have had their time, and whether one was done in it.
    private var turnEnds: UInt64 = 0
    private var turnHasWorked = false
    private let tokens: () -> String
    private var patience: TimerID?
    private let tape = EventTape()
    /// Where the tape has the events of one buffer, which are put there when the first client needs them.
    private var places: [Range<Int>?] = []
    private var acceptedOverLimit = 0

    /// A server without a door yet.
    ///
    /// - Parameters:
    ///   - foreign: interfaces beside ours, for `onForeignCall`.
    ///   - tokens: makes what an app proves itself with.
    package init(
        loop: EventLoop, journal: Journal, limits: Limits, version: String, foreign: [InterfaceDescription] = [],
        tokens: @escaping () -> String
    ) throws(InterfaceError) {
        self.loop = loop
        self.journal = journal
        self.limits = limits
        self.tokens = tokens
        let rig = try InterfaceDescription(parsing: RigInterface.description)
        let app = try InterfaceDescription(parsing: AppInterface.description)
        directory = try ServiceDirectory(
            vendor: "Dashrig", product: "dashrigd", version: version, url: "https://dashrig.invalid/",
            interfaces: [rig, app] + foreign,
            methodsNeedingMore: RigInterface.streaming.sorted().map { "\(RigInterface.name).\($0)" }
                + AppInterface.streaming.sorted().map { "\(AppInterface.name).\($0)" })
        again = loop.addTimer { _ in }
        patience = loop.addTimer { [unowned self] now in giveUp(now: now) }
    }

    deinit { buffer.deallocate() }

    /// How many clients are connected.
    var count: Int { connections.count }

    // MARK: Connecting

    /// Takes connections for an interface from now on.
    package func listen(_ listener: consuming UnixListener, interface: String) throws(SystemError) {
        let door = Door(listener: listener, interface: interface)
        doors.append(door)
        door.watch = try loop.add(door.listener.rawValue, .read) { [unowned self, unowned door] _ in accept(at: door) }
        door.retry = loop.addTimer { [unowned self, unowned door] _ in setWatch(of: door, .read) }
    }

    private func setWatch(of door: Door, _ interest: Interest) {
        guard let watch = door.watch else { return }
        do throws(SystemError) {
            try loop.modify(watch, interest)
        } catch {
            journal.log(.error, "client.acceptFailed", "\(door.interface) can no longer be watched: \(error)")
        }
    }

    private func accept(at door: Door) {
        // A bounded number each turn, so that a storm of connections does not keep others waiting.
        for _ in 0..<64 {
            switch door.listener.accept() {
            case .connection(let socket): adopt(socket, door.interface, isOverLimit: false)
            case .overLimit(let socket): adopt(socket, door.interface, isOverLimit: true)
            case .wouldBlock: return
            case .failed(let error):
                journal.log(.error, "client.acceptFailed", "a client could not be taken: \(error)")
                // The one who waits keeps the listener readable: without a pause the loop would spin.
                setWatch(of: door, [])
                if let retry = door.retry { loop.setTimer(retry, SystemClock.monotonicNow() &+ Self.acceptPause) }
                return
            }
        }
    }

    private func adopt(_ socket: consuming UnixConnection, _ interface: String, isOverLimit: Bool) {
        let credentials: PeerCredentials
        do throws(SystemError) {
            credentials = try socket.peerCredentials()
        } catch {
            journal.log(.warning, "client.unknown", "a client was gone before it could be asked who it is: \(error)")
            return
        }
        lastClient += 1
        let id = ClientID(lastClient)
        let isRig = interface == RigInterface.name
        let connection = Connection(
            id: id, interface: interface, socket: socket, credentials: credentials, tape: tape,
            callLimit: isRig ? limits.rigCallBytes : limits.appCallBytes, queueLimit: limits.queueBytes)
        if isOverLimit {
            // The spare descriptor carries this one answer; the connection must not stay.
            connection.close(now: 0) { bytes in
                ReplyRendering.append(
                    .limitReached("descriptors", ProcessFacts.descriptorLimit), interface: interface, to: &bytes)
            }
            _ = connection.flush { _ in }
            acceptedOverLimit += 1
            journal.log(.warning, "client.refused", "no descriptor is left for a client of uid \(credentials.uid)")
            return
        }
        do throws(SystemError) {
            connection.watch = try loop.add(connection.descriptor, connection.interest) { [unowned self] readiness in
                ready(id, readiness)
            }
        } catch {
            journal.log(.error, "client.refused", "a client could not be watched: \(error)")
            return
        }
        connections[id.number] = connection
        journal.log(
            .debug, "client.connected", "a client connected",
            [
                LogField("client", String(id.number)), LogField("interface", interface),
                LogField("uid", String(credentials.uid)), LogField("pid", String(credentials.pid)),
            ])
        onEvent(
            .clientConnected(
                id, ClientCredentials(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid)))
    }

    // MARK: Calls

    private func ready(_ id: ClientID, _ readiness: Readiness) {
        guard let connection = connections[id.number] else { return }
        touch(connection)
        if !readiness.isDisjoint(with: [.hangUp, .error]) {
            connection.hangUp()
            // What it sent before it left is done first, one read a turn.
            guard connection.state == .idle else {
                forget(connection, "the client closed the connection")
                return
            }
        }
        if readiness.contains(.readable) || connection.hasHungUp, connection.interest.contains(.read) {
            guard connection.receive(into: buffer) else {
                forget(connection, "the client closed the connection")
                return
            }
        }
    }

    /// Dispatches the calls of a connection until one is at work, none is there, or it is another's turn.
    private func work(_ connection: Connection) {
        connection.isBehind = false
        var left = Self.callsAtATime
        while connection.isKnown {
            // One call is always done, so that every turn gets somewhere.
            guard left > 0, !turnHasWorked || SystemClock.monotonicNow() < turnEnds else {
                connection.isBehind = true
                return
            }
            left -= 1
            switch connection.next() {
            case .wait:
                if connection.hasHungUp && connection.state != .idle {
                    forget(connection, "the client closed the connection")
                }
                return
            case .finished(let text):
                forget(connection, text)
                return
            case .refused(let text, let ends):
                journal.log(
                    .warning, "client.malformed", text,
                    [
                        LogField("client", String(connection.id.number)),
                        LogField("uid", String(connection.credentials.uid)),
                    ])
                if ends {
                    connection.close(now: SystemClock.monotonicNow())
                    schedulePatience()
                    touch(connection)
                }
            case .call(let call, let record):
                turnHasWorked = true
                dispatch(call, record, of: connection)
            }
        }
    }

    private func dispatch(_ call: VarlinkCall, _ record: JSONObject, of connection: Connection) {
        switch directory.route(call) {
        case .ignored: connection.dismiss()
        case .answered(let reply): connection.answer(continues: false) { reply.write(into: &$0) }
        case .refused(let refusal):
            connection.answer(continues: false) { bytes in
                guard let reply = refusal.reply else { return }
                ReplyRendering.append(refusal.error, reply, text: refusal.description, to: &bytes)
            }
        case .dispatch(let routed) where ![RigInterface.name, AppInterface.name].contains(routed.interface):
            var replies: [VarlinkReply] = []
            onForeignCall?(routed, record, &replies)
            for reply in replies { connection.answer(continues: reply.continues) { reply.write(into: &$0) } }
            if replies.isEmpty { connection.dismiss() }
        case .dispatch(let routed):
            // Each interface has its own socket with its own permissions: a call must come in at the right door.
            guard routed.interface == connection.interface else {
                let text = "\(routed.interface) is served on its own socket, \(routed.interface)"
                connection.answer(continues: false) {
                    ReplyRendering.append(
                        error: "org.varlink.service.InterfaceNotFound",
                        .record([RecordField("interface", .string(routed.interface))]), text: text, to: &$0)
                }
                return
            }
            do throws(CommandFailure) {
                let translated = try CallTranslation.translate(routed, token: tokens)
                guard !connection.isUnheard || !translated.onlyAsks else {
                    connection.dismiss()
                    return
                }
                onEvent(.clientCalled(connection.id, translated))
            } catch {
                fail(connection, error)
            }
        }
    }

    private func fail(_ connection: Connection, _ failure: CommandFailure) {
        connection.answer(continues: false) {
            ReplyRendering.append(failure, interface: connection.interface, to: &$0)
        }
    }

    // MARK: Actions

    /// Performs what the core wants done, in order.
    func perform(_ buffer: borrowing ActionBuffer, now: UInt64) {
        emptyLongTape()
        places.removeAll(keepingCapacity: true)
        let events = buffer.events
        for action in buffer.actions {
            switch action {
            case .deliver(let index, let client, let tell):
                guard let connection = connections[client.number], events.indices.contains(index) else { continue }
                deliver(events, index, to: connection, tell: tell)
            case .reply(let client, let record, let continues):
                answer(client, continues: continues) { ReplyRendering.append(record, continues: continues, to: &$0) }
            case .open(let client, let first):
                guard let connection = connections[client.number] else { continue }
                connection.open(first: first)
                touch(connection)
            case .fail(let client, let failure):
                guard let connection = connections[client.number] else { continue }
                fail(connection, failure)
                touch(connection)
            case .scenarioWrong(let client, let problems):
                answer(client, continues: false) {
                    ReplyRendering.append(
                        error: "\(RigInterface.name).ScenarioWrong",
                        .record([RecordField("problems", .array(problems.map { .string($0) }))]),
                        text: problems.first ?? "the scenario is wrong", to: &$0)
                }
            case .capture(let client, let record):
                guard let connection = connections[client.number] else { continue }
                connection.capture(record, limit: limits.queueBytes)
                touch(connection)
            case .close(let client, let cause): close(client, cause, now: now)
            case .openWire, .transmit, .closeWire, .switchMode, .prepareSigner, .askSigner: break
            }
        }
    }

    private func answer(_ client: ClientID, continues: Bool, _ write: (inout [UInt8]) -> Void) {
        guard let connection = connections[client.number] else { return }
        connection.answer(continues: continues, write)
        touch(connection)
        // A scenario that talks faster than its client reads must not fill the memory.
        if continues && connection.state != .closing && connection.unsent > limits.queueBytes {
            endSlow(connection, sequence: 0)
        }
    }

    private func deliver(_ events: [Event], _ index: Int, to connection: Connection, tell: Bool) {
        while places.count <= index { places.append(nil) }
        let place = places[index] ?? tape.append(events[index])
        places[index] = place
        let sequence = events[index].sequence
        if !connection.deliver(place, telling: tell ? sequence : nil, events[index]) {
            endSlow(connection, sequence: sequence)
        }
        touch(connection)
    }

    /// So many events in one turn must not take memory without end: those who have not sent them keep their own copies.
    private func emptyLongTape() {
        guard tape.count > EventTape.mark else { return }
        for id in touched { connections[id.number]?.keepShared() }
        tape.removeAll()
    }

    private func endSlow(_ connection: Connection, sequence: UInt64) {
        journal.log(
            .warning, "client.tooSlow", "a stream is ended: its client does not read",
            [LogField("client", String(connection.id.number)), LogField("uid", String(connection.credentials.uid))])
        let now = SystemClock.monotonicNow()
        connection.close(now: now) { bytes in
            ReplyRendering.append(
                error: "\(connection.interface).SubscriberTooSlow",
                .record([RecordField("sequence", .number(sequence))]),
                text: "this stream was not read; call again for the state as it is now", to: &bytes)
        }
        schedulePatience()
        touch(connection)
    }

    private func close(_ client: ClientID, _ cause: CloseCause, now: UInt64) {
        guard let connection = connections[client.number] else { return }
        let interface = connection.interface
        connection.close(now: SystemClock.monotonicNow()) { bytes in
            switch cause {
            case .limit(let name, let value):
                ReplyRendering.append(.limitReached(name, value), interface: interface, to: &bytes)
            case .finished: break
            }
        }
        schedulePatience()
        touch(connection)
    }

    // MARK: Sending

    private func touch(_ connection: Connection) {
        if connection.isTouched { return }
        connection.isTouched = true
        // Not the connection itself, which must be gone as soon as it is forgotten: it has a descriptor.
        touched.append(connection.id)
    }

    /// Sends what this turn has made: once for each client, however much it is. Called when the loop is about to wait.
    package func flush() {
        turnEnds = SystemClock.monotonicNow() &+ Self.turn
        turnHasWorked = false
        if !behind.isEmpty { putBehindFirst() }
        var place = 0
        // What is told of sent events can make more of them: go on until nothing is left to send.
        while place < touched.count {
            let id = touched[place]
            place += 1
            guard let connection = connections[id.number] else { continue }
            connection.isTouched = false
            work(connection)
            let isOpen = connection.flush { onEvent(.clientTook(id, sequence: $0)) }
            guard isOpen, connection.isKnown else {
                forget(connection, "the connection is over")
                continue
            }
            if connection.isBehind && connection.unsent < Connection.highWater { behind.append(id) }
            watch(connection)
        }
        touched.removeAll(keepingCapacity: true)
        tape.removeAll()
        // What was read already makes no descriptor ready.
        if !behind.isEmpty, let again { loop.setTimer(again, SystemClock.monotonicNow()) }
    }

    /// Who was left behind comes before who came later.
    private func putBehindFirst() {
        let new = touched
        touched = []
        for id in new { connections[id.number]?.isTouched = false }
        for id in behind + new {
            if let connection = connections[id.number] { touch(connection) }
        }
        behind.removeAll(keepingCapacity: true)
    }

    private func watch(_ connection: Connection) {
        guard let watch = connection.watch else { return }
        do throws(SystemError) {
            try loop.modify(watch, connection.interest)
        } catch {
            journal.log(.error, "client.lost", "a client can no longer be watched: \(error)")
            forget(connection, "it can no longer be watched")
        }
    }

    private func schedulePatience() {
        guard let patience else { return }
        loop.setTimer(patience, connections.values.compactMap(\.closesAt).min())
    }

    private func giveUp(now: UInt64) {
        for connection in connections.values.filter({ $0.closesAt.map { $0 <= now } ?? false }) {
            forget(connection, "it did not read what was left for it")
        }
        schedulePatience()
    }

    private func forget(_ connection: Connection, _ text: String) {
        guard connection.isKnown else { return }
        connection.isKnown = false
        if let watch = connection.watch { loop.remove(watch) }
        connections[connection.id.number] = nil
        journal.log(.debug, "client.closed", text, [LogField("client", String(connection.id.number))])
        onEvent(.clientClosed(connection.id))
    }

    /// Takes no more connections, and removes the sockets' files that are its own.
    func stopListening() {
        for door in doors {
            if let watch = door.watch { loop.remove(watch) }
            if let retry = door.retry { loop.removeTimer(retry) }
        }
        doors.removeAll()
    }
}

extension ClientCall {
    /// Whether nothing happens but the answer, or happens only while somebody watches.
    fileprivate var onlyAsks: Bool {
        switch self {
        case .getState, .listProfiles, .listFaults, .subscribe, .capture, .launch, .run, .cycle, .listLeases: true
        case .unlease, .command, .switchMode, .inject, .injectSequence, .appSend, .acknowledge: false
        }
    }
}
