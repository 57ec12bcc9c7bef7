import RigConfiguration
import RigCore
import RigModel
import Testing

/// A rig on a virtual clock, with everybody whom it talks to: what it published, and what each client was told.
struct Bench {
    static let millisecond: UInt64 = 1_000_000
    static let second: UInt64 = 1_000_000_000

    var core: RigCore
    var now: UInt64 = 0
    /// Everything that was published, in order.
    var events: [Event] = []
    /// The answers to each client's calls, in order.
    var replies: [ClientID: [RecordValue]] = [:]
    /// The errors that each client was answered with, in order.
    var failures: [ClientID: [CommandFailure]] = [:]
    /// The events that each client's stream was given, in order.
    var streams: [ClientID: [Event]] = [:]
    /// Why clients are closed.
    var closed: [ClientID: CloseCause] = [:]
    /// Clients to be told of, with the events that they took.
    var toTell: [(ClientID, UInt64)] = []
    /// What is to be done to the wires and asked of the signer, in order, until somebody takes it.
    var outside: [CoreAction] = []
    /// What is added to for everything that the rig wants done, where somebody asks for it.
    var digest: ActionDigest?
    private var buffer = ActionBuffer()
    private var lastClient: UInt64 = 0

    /// A rig with the shipped configuration, changed by `change`.
    init(seed: UInt64 = 1, _ change: (inout CoreSettings) -> Void = { _ in }) {
        var settings = CoreSettings(Configuration.shipped, version: "test")
        change(&settings)
        core = RigCore(settings: settings, identity: CoreIdentity(seed: seed))
    }

    mutating func handle(_ event: CoreEvent) {
        core.handle(event, at: now, into: &buffer)
        events += buffer.events
        digest?.add(buffer)
        for action in buffer.actions {
            switch action {
            case .deliver(let index, let client, let tell):
                streams[client, default: []].append(buffer.events[index])
                if tell { toTell.append((client, buffer.events[index].sequence)) }
            case .reply(let client, let record, _): replies[client, default: []].append(record)
            case .open(let client, let first): replies[client, default: []] += first
            case .fail(let client, let failure): failures[client, default: []].append(failure)
            case .scenarioWrong(let client, let problems):
                replies[client, default: []].append(.array(problems.map { .string($0) }))
            case .capture(let client, let record): replies[client, default: []].append(record.record)
            case .close(let client, let cause): closed[client] = cause
            case .openWire, .transmit, .closeWire, .switchMode, .prepareSigner, .askSigner: outside.append(action)
            }
        }
        buffer.removeAll()
    }

    /// Lets time pass, waking the rig whenever it wants to be woken.
    mutating func pass(_ duration: UInt64) {
        let end = now + duration
        var turns = 0
        while let deadline = core.nextDeadline, deadline <= end {
            now = max(now, deadline)
            handle(.deadlineReached)
            turns += 1
            #expect(turns < 200_000, "the rig wakes up over and over at \(now)")
            if turns >= 200_000 { return }
        }
        now = end
    }

    /// Lets every told event be taken by its client's socket.
    mutating func takeAll() {
        let told = toTell
        toTell = []
        for (client, sequence) in told { handle(.clientTook(client, sequence: sequence)) }
    }

    mutating func connect(uid: UInt32 = 1000) -> ClientID {
        lastClient += 1
        let client = ClientID(lastClient)
        handle(.clientConnected(client, ClientCredentials(pid: 1, uid: uid, gid: uid)))
        return client
    }

    /// Calls with a client of its own and gives back what it was answered first.
    @discardableResult
    mutating func command(_ command: Command) -> Result<RecordValue, CommandFailure>? {
        let client = connect()
        handle(.clientCalled(client, .command(command)))
        defer { handle(.clientClosed(client)) }
        if let failure = failures[client]?.first { return .failure(failure) }
        return replies[client]?.first.map(Result.success)
    }

    @discardableResult
    mutating func plug(
        _ profile: String = "iphone", _ name: String? = nil, phone: PhoneConditions = PhoneConditions(),
        displays: String? = nil, identificationFirst: Bool = false
    ) -> Result<RecordValue, CommandFailure>? {
        command(
            .plug(
                PlugRequest(
                    profile: profile, name: name, displays: displays, phone: phone,
                    identificationFirst: identificationFirst)))
    }

    mutating func unplug(_ name: String, surprise: Bool = true) {
        command(.unplug(device: name, surprise: surprise, generation: nil))
    }

    mutating func launch(_ name: String = "demo", device: String? = nil, token: String = "token") -> ClientID {
        let client = connect()
        handle(.clientCalled(client, .launch(AppManifest(name: name), device: device, token: token)))
        return client
    }

    mutating func subscribe(kinds: [String]? = nil, devices: [String]? = nil) throws -> ClientID {
        let client = connect()
        handle(.clientCalled(client, .subscribe(try EventFilter(kinds: kinds, devices: devices))))
        return client
    }

    // MARK: Buses

    /// A bus finds a device; its key is its port unless one is given.
    mutating func attach(_ facts: DeviceFacts, key: String? = nil) {
        handle(.deviceAttached(key: key ?? facts.port, facts))
    }

    /// A bus loses a device.
    mutating func detach(_ key: String) { handle(.deviceDetached(key: key, Self.pulled)) }

    /// Why the bus says that a device is gone.
    static let pulled = Reason("surpriseRemoval", .device, "it was pulled")

    // MARK: What is there

    /// What is published of a device, or `nil` when it is not plugged in.
    mutating func device(_ name: String) -> RecordValue? {
        guard case .array(let devices)? = state().value(at: "devices") else { return nil }
        return devices.first { $0.value(at: "id")?.text == name }
    }

    /// The names of what is plugged in, in the order of publication.
    mutating func deviceNames() -> [String] { names(of: "devices") }

    /// The ids of one of the state's lists.
    mutating func names(of list: String) -> [String] {
        guard case .array(let values)? = state().value(at: list) else { return [] }
        return values.compactMap { $0.value(at: "id")?.text }
    }

    /// The failure of a command, or `nil` when it was done.
    mutating func failure(of command: Command) -> CommandFailure? {
        switch self.command(command) {
        case .failure(let failure)?: failure
        case .success?, nil: nil
        }
    }

    /// The events of a kind.
    func events(_ kind: EventKind, from index: Int = 0) -> [Event] {
        events.dropFirst(index).filter { $0.kind == kind }
    }

    /// The kinds of everything published, without the events before `index`.
    func kinds(from index: Int = 0) -> [EventKind] { events.dropFirst(index).map(\.kind) }

    /// The phase of the only session.
    mutating func phase() -> String? { state().value(at: "sessions.0.phase")?.text }

    mutating func state() -> RecordValue {
        let client = connect()
        handle(.clientCalled(client, .getState))
        defer { handle(.clientClosed(client)) }
        return replies[client]?.first?.value(at: "state") ?? .null
    }
}

extension RecordValue {
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var int: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    var count: Int? {
        switch self {
        case .array(let values): values.count
        case .object(let fields): fields.count
        case .null, .bool, .int, .double, .string: nil
        }
    }
}

/// Numbers that are the same for the same seed, for tests that print it when they fail.
struct TestNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
