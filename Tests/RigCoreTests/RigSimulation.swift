import InputCore
import LinkProtocol
import RigConfiguration
import RigModel

@testable import RigCore

/// A rig to which everything happens that can happen, by chance but by a seed.
struct RigSimulation {
    let seed: UInt64
    var bench: Bench
    private var numbers: TestNumbers

    /// Clients of each use, oldest first.
    private(set) var subscribers: [ClientID] = []
    private(set) var apps: [(client: ClientID, token: String)] = []
    private(set) var callers: [ClientID] = []
    private(set) var runners: [ClientID] = []
    private var lastToken = 0

    /// What a hand holds at a device.
    private struct Hand {
        var device: DeviceReference?
        var presses = false
        var touches = false
    }

    private var hands: [String: Hand] = [:]

    static let ports = ["1-1", "1-2", "1-2.1", "2-1"]
    static let serials = ["", "0", "AAAAAAAA0001", "AAAAAAAA0002", "AAAAAAAA0003"]
    static let deviceNames: [String?] = ["a", "b", "c", "d", nil]
    static let profiles = ["iphone", "ipad", "ipod", "android", "dongle", "head-unit"]
    static let kinds: [(kind: DeviceKind, profile: String)] = [
        (.iPhone, "iphone"), (.iPad, "ipad"), (.androidPhone, "android"), (.androidAccessory, "android"),
        (.dongle, "dongle"), (.headUnit, "head-unit"), (.knob, "knob"), (.knob, "knob"),
    ]
    static let scenarios = [
        "plug iphone as run\nexpect session.active within 5s\nknob rotate 3\nwait 200ms\nunplug run\n",
        "plug android\nwait 1s\n", "expect mark within 300ms\n", "knob press for 50ms\nmark \"hello\"\nexpect mark\n",
        "every 20ms for 200ms knob rotate 1\n", "nonsense\n",
    ]

    init(seed: UInt64, _ change: (inout CoreSettings) -> Void = { _ in }) {
        self.seed = seed
        numbers = TestNumbers(seed: seed)
        bench = Bench(seed: seed) {
            $0.vehicleRules = VehicleDerivationTests.rules
            $0.maximumRemembered = 6
            $0.maximumDevices = 8
            $0.maximumApps = 4
            $0.maximumRuns = 3
            $0.maximumGestures = 12
            $0.retries = [200, 400].map { $0 * Bench.millisecond }
            change(&$0)
        }
    }

    // MARK: Chance

    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
    private mutating func milliseconds(_ most: Int) -> UInt64 { UInt64(below(most)) * Bench.millisecond }

    private mutating func conditions() -> PhoneConditions {
        PhoneConditions(
            locked: chance(15), trusted: !chance(10), slow: chance(30) ? milliseconds(400) : 0,
            refuse: chance(15) ? one(of: HandshakeStep.allCases) : nil,
            misorder: chance(8) ? one(of: PhoneMisorder.allCases) : nil, carPlay: !chance(8),
            linkVersion: chance(20) ? 1 + below(3) : nil)
    }

    /// Legal values, the ends of their ranges among them.
    private mutating func linkSettings() -> LinkSettings {
        var link = LinkSettings()
        link.version = 1 + below(3)
        link.phoneVersion = 1 + below(3)
        link.window = one(of: [1, 2, 32, 127])
        link.phoneWindow = one(of: [1, 4, 127])
        link.packetLength = one(of: [24, 64, 4_096, 65_535])
        link.phonePacketLength = one(of: [24, 64, 65_535])
        link.retransmissionTimeout = one(of: [20, 500, 2_000, 65_535]) * Bench.millisecond
        link.retransmissions = one(of: [1, 3, 30])
        link.retransmissionBackoff = one(of: [100, 150, 400])
        link.countsNamedRetransmissions = chance(50)
        link.usesAcknowledgements = !chance(15)
        link.acknowledgementTimeout = one(of: [10, 500, 65_535]) * Bench.millisecond
        link.cumulativeAcknowledgements = one(of: [1, 6, 127])
        link.extendedAcknowledgement = one(of: ExtendedAcknowledgementForm.allCases)
        link.restatement = one(of: LinkRestatement.allCases)
        link.beginsWithOffer = chance(30)
        link.negotiationRounds = one(of: [1, 10])
        link.acceptance.withoutAcknowledgements = chance(50)
        link.acceptance.retransmissions = chance(20) ? 5...5 : LinkSettings.retransmissionCounts
        link.sendQueuePackets = one(of: [8, 64, 256, 4_096])
        return link
    }

    private mutating func facts(at port: String) -> DeviceFacts {
        let (kind, profile) = one(of: Self.kinds)
        return DeviceFacts(
            kind: kind, profile: profile, serial: one(of: Self.serials), port: port, model: chance(50) ? "x" : "",
            origin: .observed)
    }

    /// A device's name: one that is there, mostly.
    private mutating func someName() -> String {
        let names = bench.core.devices.attachedNames
        return names.isEmpty || chance(10) ? one(of: Self.deviceNames.compactMap { $0 }) : one(of: names)
    }

    private mutating func generation() -> UInt32? { chance(20) ? UInt32(1 + below(3)) : nil }

    private mutating func gesture() -> Gesture {
        switch below(7) {
        case 0: return .rotate(detents: Int32(below(5)) - 2, interval: 0)
        case 1: return .rotate(detents: Int32(1 + below(5)), interval: milliseconds(200))
        case 2: return .press(hold: milliseconds(900))
        case 3: return .nudge(one(of: NudgeDirection.allCases), hold: milliseconds(300))
        case 4: return .key(one(of: Key.allCases), hold: milliseconds(300))
        case 5:
            return .touchpad(
                [
                    ContactPath(
                        id: below(11), points: [PadPoint(x: below(10_001), y: 0), PadPoint(x: 0, y: below(10_100))])
                ],
                duration: milliseconds(300))
        default:
            let paths = (0...below(2)).map { id in
                ContactPath(id: id, points: (0...below(2)).map { _ in PixelPoint(x: below(900), y: below(480)) })
            }
            return .touch(paths, duration: milliseconds(300))
        }
    }

    // MARK: What happens

    /// One thing happens.
    mutating func step() {
        switch below(100) {
        case 0..<10: plug()
        case 10..<17: command(.unplug(device: someName(), surprise: chance(50), generation: generation()))
        case 17..<33: bus()
        case 33..<38:
            let phone = conditions()
            command(
                .setPhone(
                    device: someName(), generation: generation(),
                    PhoneChange(
                        locked: chance(60) ? phone.locked : nil, trusted: chance(60) ? phone.trusted : nil,
                        slow: chance(30) ? phone.slow : nil, refuse: chance(30) ? .some(phone.refuse) : nil)))
        case 38..<40: command(.setFront(device: someName()))
        case 40..<41: command(.retry(device: someName(), generation: generation()))
        case 41..<45: changeDisplay()
        case 45..<47:
            command(
                .setVehicle(
                    VehicleChange(
                        appearance: chance(50) ? one(of: Appearance.allCases) : nil,
                        driverSide: chance(30) ? one(of: DriverSide.allCases) : nil,
                        limitKeyboard: chance(30) ? chance(50) : nil, limitLists: chance(30) ? chance(50) : nil,
                        measures: measures(), automatic: DerivedProperty.allCases.filter { _ in chance(10) })))
        case 47..<58: inject()
        case 58..<64:
            let key = one(of: Self.ports)
            switch below(10) {
            case 0: bench.handle(.inputLost(key: key))
            case 1, 2: bench.handle(.deviceInput(key: key, .intent(.press), time: bench.now))
            default: bench.handle(.input(key: key, hardwareInput(key), time: bench.now))
            }
        case 64..<76: clients()
        case 76..<80: acknowledge()
        case 80..<85: take()
        case 85..<87: run()
        case 87..<88:
            var settings = bench.core.settings
            settings.front = one(of: [.first, .last, .priority(["c", "a"])])
            let link = linkSettings()
            settings.link = LinkParameters(link)
            settings.phoneLink = LinkSynchronization(phone: link)
            bench.handle(.reconfigured(settings))
        case 88..<89: command(.mark("mark"))
        case 93..<95:
            let message = one(of: ["StartNowPlayingUpdates", "NowPlayingUpdate", "0x7777", "VehicleStatusUpdate"])
            // Most devices have no session that a message could go to.
            let active = bench.core.sessions.values.first { $0.session.phase == .active }?.session.device.name
            command(
                .send(
                    SendRequest(
                        device: chance(70) ? active ?? someName() : someName(), generation: generation(),
                        message: message,
                        sender: chance(80) ? nil : one(of: LinkSide.allCases))))
        case 89..<92: setFault()
        case 92:
            command(
                .clearFaults(one(of: [.all, .device(someName()), .these([FaultID(1), FaultID(UInt32(below(9)))])])))
        default: bench.pass(milliseconds(1_500))
        }
    }

    private mutating func command(_ command: Command) { bench.command(command) }

    private mutating func plug() {
        command(
            .plug(
                PlugRequest(
                    profile: one(of: Self.profiles), name: one(of: Self.deviceNames),
                    displays: chance(30) ? one(of: bench.core.headUnits.map(\.name)) : nil, phone: conditions(),
                    identificationFirst: chance(50))))
    }

    private mutating func setFault() {
        let kind = one(of: FaultKind.allCases)
        let isOnce = kind == .unplug || kind == .stall
        let duration: UInt64? = kind == .delay ? Bench.millisecond + milliseconds(500) : nil
        let places = [FaultPlace.anywhere] + FaultPlace.atNames.compactMap(FaultPlace.init(at:))
        command(
            .setFault(
                FaultRequest(
                    kind, device: chance(60) ? someName() : nil, direction: one(of: FaultDirection.allCases),
                    place: kind == .stale || chance(40) ? .anywhere : one(of: places),
                    after: kind == .stale || chance(50) ? 0 : below(6),
                    count: isOnce || chance(60) ? 1 : one(of: [nil, 2, 5]), duration: duration, keep: chance(30))))
    }

    private mutating func bus() {
        let port = one(of: Self.ports)
        let reason = Reason("reason", .device, "by chance")
        switch below(14) {
        case 0..<5: bench.handle(.deviceAttached(key: port, facts(at: port)))
        case 5: bench.handle(.deviceAttachedBusy(key: port, facts(at: port), reason))
        case 6, 7: bench.handle(.deviceChanged(key: port, facts(at: port)))
        case 8: bench.handle(.deviceBusy(key: port, reason))
        case 9: if chance(30) { bench.handle(.deviceStuck(key: port, reason)) }
        case 10: bench.handle(.deviceUsable(key: port))
        case 11: if chance(30) { bench.handle(.resynchronized(reason)) }
        default: bench.handle(.deviceDetached(key: port, reason))
        }
    }

    private mutating func measures() -> MeasureChange {
        var change = MeasureChange()
        if chance(40) { change.speed = .some(chance(80) ? one(of: [0, 1_000, 1_800, 3_000, -4_000]) : nil) }
        if chance(30) { change.gear = .some(chance(80) ? one(of: Gear.allCases) : nil) }
        if chance(40) { change.ambientLight = .some(chance(80) ? one(of: [0, 3_000, 9_000]) : nil) }
        if chance(20) { change.range = .some(chance(80) ? one(of: [0, 5_000]) : nil) }
        return change
    }

    /// What a hand does next at the device of a port: it lets go of what it holds, and of nothing else.
    private mutating func hardwareInput(_ key: String) -> InputEvent {
        let device = bench.core.devices.id(key: key).flatMap { bench.core.devices[$0]?.device.reference }
        if hands[key]?.device != device { hands[key] = Hand(device: device) }
        var hand = hands[key] ?? Hand()
        defer { hands[key] = hand }
        switch below(10) {
        case 0..<4: return .knob(.rotate(detents: 1))
        case 4..<7:
            hand.presses.toggle()
            return .knob(hand.presses ? .pressed : .released(held: 0, long: false))
        default:
            let phase: ContactPhase = hand.touches ? (chance(50) ? .moved : .ended) : .began
            hand.touches = phase != .ended
            let point = PixelPoint(x: below(800), y: below(480))
            return .touch(TouchEvent(contacts: [Contact(id: 0, point: point, phase: phase)]))
        }
    }

    private mutating func changeDisplay() {
        let names = bench.core.sessions.values.flatMap { $0.displays.map(\.name) }
        var change = DisplayChange(display: names.isEmpty || chance(20) ? "main" : one(of: names))
        switch below(6) {
        case 0: change.pixels = PixelSize(width: below(2_000), height: below(1_000))
        case 1: change.safeArea = PixelRect(x: below(100), y: below(100), width: below(700), height: below(400))
        case 2: change.appearance = one(of: Appearance.allCases)
        case 3: change.scaleHundredths = below(500)
        case 4: change.limitLists = chance(50)
        default: change.viewArea = below(3)
        }
        command(.setDisplay(change))
    }

    private mutating func inject() {
        if callers.isEmpty { callers.append(bench.connect(uid: 1)) }
        let injection = Injection(
            gesture(), device: chance(20) ? someName() : nil, generation: chance(10) ? 1 : nil,
            display: chance(20) ? one(of: ["main", "cluster", "s1/main"]) : nil, tag: chance(30) ? "tag" : nil)
        let step = one(of: InputStep.allCases)
        let call: ClientCall
        switch below(10) {
        case 0..<5: call = .inject(injection, wait: step, within: milliseconds(2_000))
        case 5..<8:
            var single = injection
            single.input = .single(self.single())
            call = .inject(single, wait: step, within: milliseconds(2_000))
        default: call = .injectSequence(sequence(like: injection), wait: step, within: milliseconds(2_000))
        }
        bench.handle(.clientCalled(one(of: callers), call))
    }

    private mutating func single() -> SingleInput {
        let point = PixelPoint(x: below(810), y: below(490))
        switch below(6) {
        case 0: return .press(down: chance(50))
        case 1: return .nudge(one(of: [.up, .left]), down: chance(50))
        case 2: return .key(one(of: [.home, .voice]), down: chance(50))
        case 3: return .touchpad([FingerChange(id: below(3), chance(60) ? .began(PadPoint(x: 1, y: 1)) : .ended(nil))])
        case 4: return .touch([FingerChange(id: below(3), chance(60) ? .began(point) : .ended(nil))])
        default: return .touch([FingerChange(id: below(3), .moved(point)), FingerChange(id: 4, .began(point))])
        }
    }

    /// Turns, gestures and whole presses of parts: mostly one that can be done.
    private mutating func sequence(like injection: Injection) -> InjectionSequence {
        var steps: [InjectionSequence.Step] = []
        var time: UInt64 = 0
        for _ in 0...below(5) {
            time += chance(30) ? 0 : milliseconds(400)
            switch below(3) {
            case 0: steps.append(InjectionSequence.Step(at: time, .gesture(gesture())))
            case 1:
                steps.append(InjectionSequence.Step(at: time, .single(.key(.home, down: true))))
                time += milliseconds(400)
                if chance(95) { steps.append(InjectionSequence.Step(at: time, .single(.key(.home, down: false)))) }
            default:
                let point = PixelPoint(x: below(300), y: below(200))
                steps.append(InjectionSequence.Step(at: time, .single(.touch([FingerChange(id: 0, .began(point))]))))
                time += milliseconds(400)
                steps.append(InjectionSequence.Step(at: time, .single(.touch([FingerChange(id: 0, .ended(nil))]))))
            }
        }
        return InjectionSequence(steps, device: injection.device, display: injection.display, tag: injection.tag)
    }

    private mutating func clients() {
        switch below(10) {
        case 0, 1:
            let filter: EventFilter? =
                chance(80)
                ? .everything : try? EventFilter(kinds: ["input", "session.closed"], devices: chance(50) ? ["a"] : nil)
            guard let filter else { return }
            let client = bench.connect(uid: 2)
            bench.handle(.clientCalled(client, .subscribe(filter)))
            if filter == .everything { subscribers.append(client) } else { callers.append(client) }
        case 2, 3, 4:
            lastToken += 1
            let client = bench.connect(uid: 3)
            let token = "token-\(lastToken)"
            let device = chance(40) ? someName() : nil
            bench.handle(.clientCalled(client, .launch(AppManifest(name: "app"), device: device, token: token)))
            if bench.failures[client] == nil { apps.append((client, token)) } else { callers.append(client) }
        case 5: callers.append(bench.connect(uid: 1))
        case 6: if subscribers.count > 2 { close(subscribers.remove(at: below(subscribers.count))) }
        case 7: if !apps.isEmpty { close(apps.remove(at: below(apps.count)).client) }
        case 8: if callers.count > 3 { close(callers.remove(at: below(callers.count))) }
        default: if !runners.isEmpty { close(runners.remove(at: below(runners.count))) }
        }
    }

    private mutating func close(_ client: ClientID) {
        bench.toTell.removeAll { $0.0 == client }
        bench.handle(.clientClosed(client))
        bench.streams[client] = nil
        bench.replies[client] = nil
    }

    private mutating func acknowledge() {
        guard !apps.isEmpty, !callers.isEmpty else { return }
        let app = one(of: apps)
        let told = (bench.streams[app.client] ?? []).compactMap(\.input?.id.number)
        let ids = told.isEmpty ? [1] : (0...below(6)).map { _ in told[max(0, told.count - 1 - below(12))] }
        bench.handle(.clientCalled(one(of: callers), .acknowledge(token: app.token, ids: ids)))
    }

    private mutating func take() {
        let count = chance(50) ? bench.toTell.count : below(bench.toTell.count + 1)
        let told = Array(bench.toTell.prefix(count))
        bench.toTell.removeFirst(count)
        for (client, sequence) in told { bench.handle(.clientTook(client, sequence: sequence)) }
    }

    private mutating func run() {
        let client = bench.connect(uid: 4)
        bench.handle(.clientCalled(client, .run(name: "run", text: one(of: Self.scenarios))))
        runners.append(client)
    }

    /// Everybody goes home: clients close, cables are pulled, and time passes until nothing is under way.
    mutating func finish() {
        for client in subscribers + apps.map(\.client) + callers + runners { close(client) }
        subscribers = []
        apps = []
        callers = []
        runners = []
        command(.clearFaults(.all))
        for name in bench.core.devices.attachedNames { bench.unplug(name, surprise: chance(50)) }
        for port in Self.ports { bench.detach(port) }
        bench.pass(30 * Bench.second)
    }
}
