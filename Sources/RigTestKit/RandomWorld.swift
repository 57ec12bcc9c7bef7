internal import RigConfiguration
internal import RigCore
internal import RigModel
internal import RigSimulation
internal import ScenarioCore

/// A whole rig to which everything happens by chance, but by a seed: plugs and pulled cables, faults, input, scenarios,
/// apps, subscribers that do not read and clients that leave.
///
/// What must hold of it always is looked at after every event: see `WorldWatch` and `RigCensus`. Everything that a rig is
/// told here is told through its public door, as the daemon does it.
public struct RandomWorld: Sendable {
    /// What happened in it.
    public struct Counts: Equatable, Sendable {
        /// Events that were published.
        public var events = 0
        /// Devices that were attached.
        public var attaches = 0
        /// Devices that were detached.
        public var detaches = 0
        /// Calls that were made, without those of clients that left before their answer.
        public var calls = 0
        /// Calls that were answered.
        public var answers = 0
        /// Injections that were taken and answered.
        public var injections = 0
        /// Injections whose events were all sent when they were answered.
        public var acknowledged = 0
        /// Scenarios and cycles that came to their end, and were told of it.
        public var verdicts = 0
        /// Times that the rig's subscribers lost or merged something, or were dropped.
        public var losses = 0
        /// Nanoseconds of the rig's clock.
        public var time: UInt64 = 0
    }

    /// What happened so far.
    public private(set) var counts = Counts()
    /// What does not hold, told once; then the world stands still.
    public private(set) var violation: String?
    private var rig: VirtualRig
    private var chance: SeededGenerator
    private var watch = WorldWatch()
    /// Clients that make calls; those that wait for an answer are not in it.
    private var callers: [ClientID] = []
    private var waiting: [Call] = []
    private var subscribers: [Subscriber] = []
    private var apps: [Member] = []
    private var runners: [ClientID] = []
    /// Everybody who is connected.
    private var present: Set<UInt64> = []
    private var toTell: [(client: ClientID, sequence: UInt64)] = []
    private var wires: [LinkID] = []
    private var lastToken = 0

    private struct Call: Sendable {
        let client: ClientID
        /// When it must be answered by.
        let due: UInt64
        let isInjection: Bool
    }

    private struct Subscriber: Sendable {
        let client: ClientID
        /// What waits for it, as its connection keeps it.
        var queue: DeliveryQueue
        var sequence: UInt64 = 0
        let reads: Bool
    }

    private struct Member: Sendable {
        let client: ClientID
        let token: String
        var told: [UInt64] = []
    }

    private static let millisecond: UInt64 = 1_000_000
    private static let second: UInt64 = 1_000_000_000
    /// What a subscriber's connection keeps: small, so that it fills.
    private static let queueLimit = 65_536
    private static let names = ["a", "b", "c", "d"]
    private static let ports = ["1-1", "1-2", "2-1"]
    private static let profiles = ["iphone", "head-unit", "android", "ipad", "dongle"]
    private static let scenarios = [
        "plug iphone as run\nexpect session.active within 5s\nknob rotate 3\nwait 200ms\nunplug run\n",
        "plug android\nwait 1s\n", "expect mark within 300ms\n", "knob press for 50ms\nmark \"hello\"\nexpect mark\n",
        "every 20ms for 200ms knob rotate 1\n", "nonsense\n", "plug iphone as run\nwait 6s\n",
    ]

    /// A world with nothing in it yet.
    public init(seed: UInt64) {
        var settings = CoreSettings(Configuration.shipped, version: "test")
        settings.maximumDevices = 8
        settings.maximumRemembered = 6
        settings.maximumApps = 4
        settings.maximumRuns = 3
        settings.maximumGestures = 12
        rig = VirtualRig(settings: settings, seed: seed, lateness: 2 * Self.millisecond)
        chance = SeededGenerator(seed: seed)
    }

    /// Lets so many things happen, with time between them.
    public mutating func happen(_ count: Int) {
        for _ in 0..<count where violation == nil {
            pass(UInt64.random(in: 0...800, using: &chance) * Self.millisecond)
            if violation == nil { happen() }
        }
    }

    /// Everybody goes home: cables are pulled, clients leave, and time passes until nothing is under way. Then nothing
    /// may be left.
    public mutating func end() {
        // What was asked is answered first: nobody left in between.
        pass(120 * Self.second)
        for client in callers + runners + apps.map(\.client) + subscribers.map(\.client) { leave(client) }
        let caller = connect()
        command(.clearFaults(.all), by: caller)
        for name in Self.names + ["run"] { command(.unplug(device: name, surprise: true, generation: nil), by: caller) }
        for port in Self.ports { tell(.deviceDetached(key: port, Self.pulled)) }
        // Devices whose name the rig chose.
        for event in detachable { command(.unplug(device: event, surprise: false, generation: nil), by: caller) }
        pass(120 * Self.second)
        leave(caller)
        guard violation == nil else { return }
        let remains = rig.core.census.remains
        if !remains.isEmpty { violation = "at the end there are \(remains.joined(separator: ", "))" }
        if !watch.isEven { violation = "\(watch.attaches) attaches have \(watch.detaches) detaches" }
        if !waiting.isEmpty { violation = "\(waiting.count) calls were never answered" }
        if counts.calls != counts.answers { violation = "\(counts.calls) calls have \(counts.answers) answers" }
    }

    private static let pulled = Reason("surpriseRemoval", .device, "it was pulled")

    private var detachable: [String] = []

    // MARK: Time

    private mutating func pass(_ duration: UInt64) {
        let end = rig.now + duration
        while violation == nil, rig.wake(until: end) { look() }
        counts.time = rig.now
        if let late = waiting.first(where: { $0.due < rig.now }) {
            violation =
                "a call of client \(late.client.number) was due at \(late.due) and is not answered at \(rig.now)"
        }
    }

    private mutating func tell(_ event: CoreEvent) {
        guard violation == nil else { return }
        rig.handle(event)
        look()
    }

    private mutating func connect(uid: UInt32 = 1) -> ClientID {
        let client = rig.connect(uid: uid)
        present.insert(client.number)
        look()
        return client
    }

    private mutating func leave(_ client: ClientID) {
        guard present.remove(client.number) != nil else { return }
        callers.removeAll { $0 == client }
        runners.removeAll { $0 == client }
        subscribers.removeAll { $0.client == client }
        apps.removeAll { $0.client == client }
        toTell.removeAll { $0.client == client }
        let asked = waiting.count
        waiting.removeAll { $0.client == client }
        counts.calls -= asked - waiting.count
        tell(.clientClosed(client))
    }

    // MARK: What the rig says

    private mutating func look() {
        let wanted = rig.wanted
        counts.events += wanted.events.count
        if let found = watch.violation(in: wanted.events) { violation = found }
        (counts.attaches, counts.detaches) = (watch.attaches, watch.detaches)
        for event in wanted.events where event.kind == .deviceAttached {
            if let name = event.device?.name, event.origin == .simulated, !detachable.contains(name) {
                detachable.append(name)
            }
        }
        for action in wanted.actions where violation == nil { take(action, wanted.events) }
        let census = rig.core.census
        if violation == nil { violation = census.excess ?? census.orphans.first }
    }

    private mutating func take(_ action: CoreAction, _ events: [Event]) {
        switch action {
        case .deliver(let index, let client, let tell):
            guard isPresent(client, "an event") else { return }
            deliver(events[index], to: client, tell: tell)
        case .reply(let client, let record, let continues):
            guard isPresent(client, "an answer") else { return }
            if !continues { answered(client, record) }
        case .fail(let client, _), .scenarioWrong(let client, _):
            guard isPresent(client, "an error") else { return }
            answered(client, nil)
        case .open(let client, _):
            guard isPresent(client, "a stream"), !runners.contains(client) else { return }
            answered(client, nil, isStream: true)
        case .close(let client, _): violation = "client \(client.number) is closed"
        case .openWire(let link, _): wires.append(link)
        case .capture(let client, _): _ = isPresent(client, "a capture")
        case .transmit, .closeWire, .switchMode, .prepareSigner, .askSigner: break
        }
    }

    private mutating func isPresent(_ client: ClientID, _ what: String) -> Bool {
        if present.contains(client.number) { return true }
        violation = "client \(client.number) is gone and is sent \(what)"
        return false
    }

    private mutating func deliver(_ event: Event, to client: ClientID, tell: Bool) {
        if let place = subscribers.firstIndex(where: { $0.client == client }) {
            // What an app alone is told, when it comes to another session, has its number too.
            guard event.sequence > subscribers[place].sequence else {
                violation = "a subscriber is sent \(event.sequence) after \(subscribers[place].sequence)"
                return
            }
            subscribers[place].sequence = event.sequence
            // 600: about what an event takes on the stream.
            let fits = subscribers[place].queue.append(event, size: 600, tell: tell)
            guard subscribers[place].queue.size <= Self.queueLimit else {
                violation = "\(subscribers[place].queue.size) bytes wait for a subscriber"
                return
            }
            if !fits { slow.append(client) }
        } else if let place = apps.firstIndex(where: { $0.client == client }) {
            if let number = event.input?.id.number { apps[place].told.append(number) }
            if apps[place].told.count > 64 { apps[place].told.removeFirst(32) }
            if tell { toTell.append((client, event.sequence)) }
        }
    }

    /// Subscribers for whom there was no room any more.
    private var slow: [ClientID] = []

    private mutating func answered(_ client: ClientID, _ record: RecordValue?, isStream: Bool = false) {
        if let place = waiting.firstIndex(where: { $0.client == client }) {
            let call = waiting.remove(at: place)
            counts.answers += 1
            if !isStream { callers.append(client) }
            if call.isInjection, let record { injected(record) }
        } else if Self.isLast(record), runners.contains(client) {
            counts.verdicts += record == nil ? 0 : 1
            runners.removeAll { $0 == client }
            callers.append(client)
        } else {
            violation = "client \(client.number) is answered and has not asked"
        }
    }

    /// Whether a run's answer is its last: what came of it, or that it was refused.
    private static func isLast(_ record: RecordValue?) -> Bool {
        guard let record else { return true }
        return record.value(at: "verdict") != nil || record.value(at: "summary") != nil
    }

    /// An injection was answered: with its numbers, and what is said to have come further than to the rig was sent.
    private mutating func injected(_ record: RecordValue) {
        guard case .int(let first)? = record.value(at: "first"), case .int(let count)? = record.value(at: "count"),
            first > 0, count > 0
        else {
            violation = "an injection is answered without its numbers"
            return
        }
        counts.injections += 1
        guard case .int(let sent)? = record.value(at: "sent") else { return }
        guard sent <= count else {
            violation = "\(sent) of \(count) inputs from \(first) on were sent"
            return
        }
        if sent == count { counts.acknowledged += 1 }
        if record.value(at: "reached") != .string(InputStep.accepted.rawValue), sent != count {
            violation = "inputs from \(first) on were acknowledged that were never sent"
        }
    }
}

// What happens.
extension RandomWorld {
    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }
    private mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
    private mutating func percent(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func milliseconds(_ most: Int) -> UInt64 { UInt64(below(most)) * Self.millisecond }

    private mutating func caller() -> ClientID {
        if callers.isEmpty { return connect() }
        return callers.remove(at: below(callers.count))
    }

    /// - Parameter within: how long the answer may take.
    private mutating func call(_ call: ClientCall, by client: ClientID, within: UInt64 = 0, isInjection: Bool = false) {
        callers.removeAll { $0 == client }
        counts.calls += 1
        // Every wake of the rig is up to 2 ms late.
        waiting.append(Call(client: client, due: rig.now + within + 10 * Self.millisecond, isInjection: isInjection))
        tell(.clientCalled(client, call))
    }

    private mutating func command(_ command: Command, by client: ClientID? = nil) {
        call(.command(command), by: client ?? caller())
    }

    private mutating func happen() {
        dropSlow()
        switch below(100) {
        case 0..<16: plug()
        case 16..<26: command(.unplug(device: one(of: Self.names), surprise: percent(60), generation: nil))
        case 26..<34: bus()
        case 34..<42: phone()
        case 42..<44: command(.setFront(device: one(of: Self.names)))
        case 44..<47:
            var change = DisplayChange(display: "main")
            if percent(50) { change.pixels = PixelSize(width: 400 + below(900), height: 300 + below(500)) }
            change.appearance = one(of: Appearance.allCases)
            command(.setDisplay(change))
        case 47..<49: command(.setVehicle(VehicleChange(appearance: one(of: Appearance.allCases))))
        case 49..<68: inject()
        case 68..<74: fault()
        case 74..<84: people()
        case 84..<88: acknowledge()
        case 88..<92:
            // Several at once, so that some wait for others.
            for _ in 0...below(3) where violation == nil { run() }
        case 92: lease()
        case 93..<95: command(.mark("mark"))
        default: read()
        }
    }

    private mutating func conditions() -> PhoneConditions {
        PhoneConditions(
            locked: percent(10), trusted: !percent(8), slow: percent(25) ? milliseconds(400) : 0,
            refuse: percent(10) ? one(of: HandshakeStep.allCases) : nil, carPlay: !percent(5))
    }

    private mutating func plug() {
        // A name keeps its profile; sometimes somebody tries another, which is refused.
        let place = below(Self.names.count)
        let request = PlugRequest(
            profile: percent(90) ? Self.profiles[place] : one(of: Self.profiles),
            name: percent(90) ? Self.names[place] : nil, phone: conditions(), identificationFirst: percent(50))
        command(.plug(request))
    }

    private mutating func phone() {
        let wish = conditions()
        let change = PhoneChange(
            locked: wish.locked, trusted: wish.trusted, slow: wish.slow, refuse: .some(wish.refuse))
        command(.setPhone(device: one(of: Self.names), generation: nil, change))
    }

    private mutating func bus() {
        let port = one(of: Self.ports)
        switch below(10) {
        case 0..<4:
            let kinds: [(DeviceKind, String)] = [(.iPhone, "iphone"), (.androidPhone, "android"), (.knob, "knob")]
            let (kind, profile) = one(of: kinds)
            tell(
                .deviceAttached(
                    key: port,
                    DeviceFacts(
                        kind: kind, profile: profile, serial: one(of: ["", "AAAAAAAA0001"]), port: port,
                        origin: .observed)))
        case 4, 5: tell(.input(key: port, .knob(.rotate(detents: percent(50) ? 1 : -1)), time: rig.now))
        case 6: tell(.deviceBusy(key: port, Reason("busy", .device, "by chance")))
        case 7: tell(.resynchronized(Reason("overflow", .device, "by chance")))
        default: tell(.deviceDetached(key: port, Self.pulled))
        }
        while let link = wires.popLast() {
            tell(.wireEnded(link, Reason("openFailed", .device, "there are no pipes here")))
        }
    }

    private mutating func inject() {
        let gesture: Gesture
        switch below(5) {
        case 0: gesture = .rotate(detents: 1, interval: 0)
        case 1: gesture = .rotate(detents: Int32(2 + below(5)), interval: milliseconds(100))
        case 2: gesture = .press(hold: milliseconds(600))
        case 3: gesture = .key(one(of: Key.allCases), hold: milliseconds(200))
        default:
            gesture = .touch(
                [ContactPath(id: 0, points: [PixelPoint(x: below(380), y: below(280)), PixelPoint(x: 1, y: 1)])],
                duration: milliseconds(400))
        }
        let injection = Injection(gesture, device: percent(20) ? one(of: Self.names) : nil)
        let within = milliseconds(2_000)
        call(
            .inject(injection, wait: one(of: InputStep.allCases), within: within), by: caller(), within: within,
            isInjection: true)
    }

    private mutating func fault() {
        let kind = one(of: FaultKind.allCases)
        let isOnce = kind == .unplug || kind == .stall
        command(
            .setFault(
                FaultRequest(
                    kind, device: percent(80) ? one(of: Self.names) : nil,
                    direction: one(of: FaultDirection.allCases), place: .anywhere,
                    after: kind == .stale ? 0 : below(5), count: isOnce ? 1 : 1 + below(3),
                    duration: kind == .delay ? Self.millisecond + milliseconds(300) : nil, keep: percent(30))))
    }

    private mutating func people() {
        switch below(8) {
        case 0, 1:
            guard subscribers.count < 4 else { return leave(one(of: subscribers.map(\.client))) }
            let client = connect(uid: 2)
            subscribers.append(
                Subscriber(client: client, queue: DeliveryQueue(limit: Self.queueLimit), reads: percent(70)))
            call(.subscribe(.everything), by: client)
        case 2, 3:
            guard apps.count < 4 else { return leave(one(of: apps.map(\.client))) }
            lastToken += 1
            let client = connect(uid: 3)
            apps.append(Member(client: client, token: "t\(lastToken)"))
            call(.launch(AppManifest(name: "app"), device: nil, token: "t\(lastToken)"), by: client)
            if callers.contains(client) { leave(client) }
        case 4, 5: if callers.count > 3 { leave(one(of: callers)) }
        case 6: if let call = waiting.first { leave(call.client) }
        default: if !runners.isEmpty { leave(one(of: runners)) }
        }
    }

    private mutating func acknowledge() {
        guard !apps.isEmpty else { return }
        let app = one(of: apps)
        guard !app.told.isEmpty else { return }
        call(.acknowledge(token: app.token, ids: [one(of: app.told)]), by: caller())
    }

    private mutating func run() {
        let client = connect(uid: 4)
        runners.append(client)
        counts.calls += 1
        counts.answers += 1
        // What another one holds is waited for, or not.
        let wait = percent(50) ? milliseconds(4_000) : 0
        guard percent(30) else {
            return tell(.clientCalled(client, .run(name: "run", text: one(of: Self.scenarios), wait: wait)))
        }
        let plan = CyclePlan(
            count: 1 + below(4), moment: one(of: [.active, .random, .step("authenticating")]),
            interval: milliseconds(300), hold: milliseconds(100), within: 2 * Self.second, seed: UInt64(below(100)))
        let request = PlugRequest(profile: "iphone", name: percent(70) ? "run" : nil, phone: conditions())
        tell(.clientCalled(client, .cycle(plan, request, wait: wait)))
    }

    /// Somebody takes from a run what it holds, or asks who holds what.
    private mutating func lease() {
        guard percent(60) else { return call(.listLeases, by: caller()) }
        call(.unlease("r\(1 + below(max(1, counts.verdicts + 4)))", force: percent(80)), by: caller())
    }

    /// Sockets take what waits for them.
    private mutating func read() {
        let told = toTell
        toTell = []
        for (client, sequence) in told { tell(.clientTook(client, sequence: sequence)) }
        for place in subscribers.indices where subscribers[place].reads {
            while let (loss, delivery) = subscribers[place].queue.next() {
                if loss != nil { counts.losses += 1 }
                if delivery.tell { toTell.append((subscribers[place].client, delivery.event.sequence)) }
            }
        }
    }

    /// As the daemon does it, a subscriber that does not read is dropped in the end.
    private mutating func dropSlow() {
        let clients = slow
        slow = []
        for client in clients where present.contains(client.number) {
            counts.losses += 1
            leave(client)
        }
    }
}
