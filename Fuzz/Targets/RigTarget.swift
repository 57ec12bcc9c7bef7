import RigConfiguration
import RigCore
import RigModel

/// Anything that can happen to the rig, in any order: devices, clients, commands, input, time. What is published obeys
/// its rules, a subscriber knows what a snapshot says, every call is answered once, and when everybody has left and
/// everything is unplugged, nothing is left.
///
/// Input: one byte of settings, then operations.
enum RigTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        var bench = RigBench(&input)
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end()
    }
}

/// The rig on a virtual clock, with its buses and clients.
struct RigBench {
    private var core: RigCore
    private var now: UInt64 = 0
    private var buffer = ActionBuffer()
    private var ledger: RigLedger
    private var clients = RigClients()
    private var wires = RigWires()
    /// Who is at the far end of wires; a wire without one has its echoes and whatever comes.
    private var peers: [RigPeer] = []
    private var lastPeer: UInt64 = 0

    private static let keys = ["1-1", "1-2", "1-1.4", "event3"]
    private static let names = ["phone", "iphone-1", "android-1", "head-unit-1", "car", "knob-1", "x", "-", ""]
    private static let profiles = ["iphone", "android", "head-unit", "iphone", "head-unit", "dongle", "nothing"]
    private static let displays = ["main", "s1/main", "s2/main", "cluster", "s3/main", "nothing"]

    init(_ input: inout FuzzInput) {
        var settings = Self.shipped
        let flags = input.byte()
        if flags & 1 != 0 {
            settings.maximumDevices = 3
            settings.maximumRemembered = 1
            settings.maximumClients = 6
            settings.maximumClientsPerUser = 4
            settings.maximumApps = 1
            settings.maximumGestures = 2
            settings.maximumSequences = 2
            settings.maximumHeldInputs = 4
            settings.maximumRuns = 1
        }
        settings.front = [.first, .last, .priority(["phone", "car"]), .first][Int(flags >> 1 & 3)]
        if flags & 8 != 0 { settings.headUnits.reverse() }
        if flags & 128 != 0 { settings.vehicleRules = RigVehicles.everyRule }
        settings.signer = wires.signer(flags >> 4)
        ledger = RigLedger(forgets: flags & 1 != 0)
        core = RigCore(settings: settings, identity: CoreIdentity(seed: UInt64(flags)))
    }

    private static let shipped = CoreSettings(Configuration.shipped, version: "fuzz")

    // MARK: Operations

    mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        let choice = input.byte()
        // What came later has its place behind the others, which keeps the meaning of inputs that were kept before.
        guard choice < Self.firstLink else { return try operateLinks(choice, &input) }
        switch choice % 24 {
        case 0, 1: try handle(clients.connect(uid: UInt32(input.int(0...2))))
        case 2: if let event = clients.close(&input) { try handle(event) }
        case 3...7: try call(.command(command(&input)), &input)
        case 8: try call(injection(&input), &input)
        case 9: try call(.run(name: "fuzz", text: RigScenarios.text(&input)), &input)
        case 10: try launch(&input)
        case 11: try call(acknowledgement(&input), &input)
        case 12: try call(input.bool() ? .getState : .listProfiles, &input)
        case 13: try subscribe(&input)
        case 14: try handle(.deviceAttached(key: input.pick(Self.keys), FuzzEvents.facts(&input)))
        case 15: try handle(.deviceChanged(key: input.pick(Self.keys), FuzzEvents.facts(&input)))
        case 16:
            try handle(
                .deviceDetached(key: input.pick(Self.keys), Reason("surpriseRemoval", .device, "the cable was pulled")))
        case 17: try hold(&input)
        case 18:
            try handle(
                .input(key: input.pick(Self.keys), FuzzEvents.inputEvent(&input), time: now &- UInt64(input.byte())))
        case 19: if let event = clients.take(&input) ?? wires.event(&input) { try handle(event) }
        case 20: try reachDeadline()
        case 21: try pass(UInt64(input.byte()) << input.pick([10, 20, 24, 28]))
        case 22: try rare(&input)
        default: try checkSnapshot()
        }
    }

    /// The first choice of `operateLinks`, the last multiple of 24.
    private static let firstLink: UInt8 = 240

    private mutating func operateLinks(_ choice: UInt8, _ input: inout FuzzInput) throws(FuzzFinding) {
        switch choice - Self.firstLink {
        case 0, 1: try call(.command(.setFault(RigLink.fault(&input, names: Self.names))), &input)
        case 2: try call(.command(.clearFaults(RigLink.selection(&input, names: Self.names))), &input)
        case 3: try call(.listFaults(device: input.optional { $0.pick(Self.names) }), &input)
        case 4, 5:
            try call(
                .command(
                    .setPhone(device: input.pick(Self.names), generation: nil, RigLink.phoneChange(&input))), &input)
        case 6: try call(.command(.plug(RigLink.plug(&input, names: Self.names, profiles: Self.profiles))), &input)
        case 7:
            let mode = input.pick(ModeSwitch.allCases)
            try call(.switchMode(device: input.pick(Self.names), generation: nil, mode), &input)
        case 8: if let event = wires.modeAnswer(&input) { try handle(event) }
        case 9: try meet(&input)
        case 10: if let event = wires.lateAnswer(&input) { try handle(event) }
        case 11: try exchange(count: Int(input.byte()) + 1, turns: 1)
        case 12, 13: try exchange(count: 1 << 16, turns: 100)
        case 14: try call(.capture(device: input.optional { $0.pick(Self.names) }), &input)
        default:
            // Much of what was said is still to be read when the far end is another.
            try exchange(count: input.int(0...63), turns: 1)
            try meet(&input)
        }
    }

    /// Somebody begins at the far end of a wire, also where somebody else was.
    private mutating func meet(_ input: inout FuzzInput) throws(FuzzFinding) {
        guard let link = wires.pick(&input), let role = ledger.role(on: link) else { return }
        if let event = wires.open(link) { try handle(event) }
        peers.removeAll { $0.link == link }
        guard peers.count < 2 else { return }
        lastPeer += 1
        peers.append(RigPeer(at: link, facing: role, seed: lastPeer, now: now))
    }

    /// The fuzzed rig reads what is said at the far ends of its wires.
    private mutating func exchange(count: Int, turns: Int) throws(FuzzFinding) {
        for _ in 0..<turns {
            guard let place = peers.firstIndex(where: \.isWaiting) else { return }
            let link = peers[place].link
            let bytes = peers[place].read(count)
            try handle(.wireReceived(link, bytes))
        }
    }

    private mutating func hold(_ input: inout FuzzInput) throws(FuzzFinding) {
        let key = input.pick(Self.keys)
        switch input.int(0...2) {
        case 0: try handle(.deviceBusy(key: key, Reason("busy", .device, "somebody else has it")))
        case 1: try handle(.deviceStuck(key: key, Reason("stuck", .device, "its driver does not return")))
        default: try handle(.deviceUsable(key: key))
        }
    }

    private mutating func rare(_ input: inout FuzzInput) throws(FuzzFinding) {
        switch input.int(0...4) {
        case 0: try handle(.inputLost(key: input.pick(Self.keys)))
        case 1: try handle(.resynchronized(Reason("overflow", .local, "the bus lost events")))
        case 2: try handle(.configurationRefused(input.text(upTo: 16)))
        case 3:
            var settings = Self.shipped
            if input.bool() { settings.front = .last }
            if input.bool() { settings.retries = [] }
            settings.vehicleRules = RigVehicles.rules(&input)
            try handle(.reconfigured(settings))
        default:
            // Too early, and once with a clock that goes backwards.
            core.handle(.deadlineReached, at: now / 2, into: &buffer)
            try settle()
        }
    }

    private mutating func call(_ call: ClientCall, _ input: inout FuzzInput) throws(FuzzFinding) {
        if let event = clients.call(call, &input) { try handle(event) }
    }

    private mutating func launch(_ input: inout FuzzInput) throws(FuzzFinding) {
        let token = "token-\(clients.calls)"
        let device = input.optional { $0.pick(Self.names) }
        let manifest = AppManifest(name: input.pick(["app", "demo", "", String(repeating: "n", count: 129)]))
        try call(.launch(manifest, device: device, token: token), &input)
    }

    private mutating func subscribe(_ input: inout FuzzInput) throws(FuzzFinding) {
        let kinds = input.optional { [$0.pick(["device", "session", "input.knob", "display", "nothing", ""])] }
        let devices = input.optional { [$0.pick(Self.names), "phone"] }
        guard let filter = try? EventFilter(kinds: kinds, devices: devices) else { return }
        try call(.subscribe(filter), &input)
    }

    private mutating func acknowledgement(_ input: inout FuzzInput) -> ClientCall {
        let first = UInt64(input.byte())
        return .acknowledge(
            token: input.pick(clients.tokens + ["nobody's"]), ids: (0..<UInt64(input.int(0...20))).map { first + $0 })
    }

    private func injection(_ input: inout FuzzInput) -> ClientCall {
        RigCommands.injectionCall(&input, names: Self.names, displays: Self.displays)
    }

    private func command(_ input: inout FuzzInput) -> Command {
        RigCommands.command(&input, names: Self.names, profiles: Self.profiles, displays: Self.displays)
    }

    // MARK: Time

    private mutating func reachDeadline() throws(FuzzFinding) {
        guard let deadline = core.nextDeadline else { return }
        now = max(now, deadline)
        // A running scenario's steps may each come due at once; they are few.
        for _ in 0..<200 {
            try handle(.deadlineReached)
            guard let next = core.nextDeadline, next <= now else { return }
        }
        throw FuzzFinding("the same deadline comes over and over")
    }

    private mutating func pass(_ duration: UInt64) throws(FuzzFinding) {
        let end = now + duration
        for _ in 0..<200 {
            guard let deadline = core.nextDeadline, deadline <= end else { break }
            try reachDeadline()
        }
        now = max(now, end)
        for place in peers.indices { peers[place].pass(to: now) }
    }

    // MARK: Turns

    private mutating func handle(_ event: CoreEvent) throws(FuzzFinding) {
        core.handle(event, at: now, into: &buffer)
        try settle()
    }

    private mutating func settle() throws(FuzzFinding) {
        for event in buffer.events {
            try ledger.note(event, now: now)
            if event.kind == .sessionActive, case .session(let session) = event.payload { try wires.check(session) }
        }
        for action in buffer.actions {
            try clients.perform(action, buffer.events)
            try wires.perform(action)
            hear(action)
        }
        buffer.removeAll()
    }

    private mutating func hear(_ action: CoreAction) {
        switch action {
        case .transmit(let link, let bytes, _):
            for place in peers.indices where peers[place].link == link { peers[place].hear(bytes, now: now) }
        case .closeWire(let link): peers.removeAll { $0.link == link }
        case .deliver, .reply, .open, .fail, .scenarioWrong, .openWire, .switchMode, .prepareSigner, .askSigner,
            .capture, .close:
            break
        }
    }

    /// What the rig says of itself now is what its events have said.
    private mutating func checkSnapshot() throws(FuzzFinding) {
        // Where much came due at once, some of it may still be to do, and would be told while the snapshot is taken.
        for _ in 0..<100 {
            guard let deadline = core.nextDeadline, deadline <= now else { break }
            try reachDeadline()
        }
        try ledger.check(try snapshot())
    }

    private mutating func snapshot() throws(FuzzFinding) -> RecordValue {
        let client = ClientID(1 << 32)
        core.handle(.clientConnected(client, ClientCredentials(pid: 1, uid: 77, gid: 77)), at: now, into: &buffer)
        core.handle(.clientCalled(client, .getState), at: now, into: &buffer)
        core.handle(.clientClosed(client), at: now, into: &buffer)
        defer { buffer.removeAll() }
        for case .reply(client, let record, _) in buffer.actions { return record.value(at: "state") ?? .null }
        // At the limit of clients it is closed instead.
        return .null
    }

    /// Everybody leaves, everything is unplugged and everything that was under way comes to its end.
    mutating func end() throws(FuzzFinding) {
        while let event = clients.closeLast() { try handle(event) }
        for key in Self.keys {
            try handle(.deviceDetached(key: key, Reason("unplugged", .device, "the device was unplugged")))
        }
        let client = ClientID(1 << 33)
        try handle(.clientConnected(client, ClientCredentials(pid: 1, uid: 78, gid: 78)))
        for name in ledger.attached {
            core.handle(
                .clientCalled(client, .command(.unplug(device: name, surprise: false, generation: nil))), at: now,
                into: &buffer)
            for event in buffer.events { try ledger.note(event, now: now) }
            buffer.removeAll()
        }
        try handle(.clientClosed(client))
        // A gesture may take a minute, at 60 frames a second: whole seconds at a time.
        for _ in 0..<600 where core.nextDeadline != nil {
            now += 1_000_000_000
            try reachDeadline()
        }
        try require(core.nextDeadline == nil, "something is under way in a rig with nothing plugged in")
        try checkSnapshot()
        try ledger.checkEmpty()
    }
}
