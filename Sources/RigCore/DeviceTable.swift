import RigModel

/// A device and what the rig holds for it beside what it publishes.
struct DeviceEntry: Sendable {
    var device: Device
    /// The bus's name for it while it is plugged in.
    var key: String?
    /// When it was unplugged; `nil` while it is plugged in.
    var detachedAt: UInt64?
    /// Its link, while there is one.
    var link: LinkID?
    /// How many tries of the handshake failed since it was plugged in, other than at the authentication.
    private(set) var failures = 0
    /// How many times the authentication failed since it last succeeded.
    private(set) var authenticationFailures = 0
    /// The last bytes of its session before this one, while a fault wants them.
    var stale: StaleBytes?
    /// What `plug` said of a virtual one.
    var plug: PlugRequest?

    /// What an input device holds down.
    var hold = HardwareHold()

    /// The client that waits for the answer to a change of mode.
    var modeClient: ClientID?
    /// Why it leaves, when it was told to.
    var departure: Reason?

    var isAttached: Bool { detachedAt == nil }

    /// Whether it is part of the published state: plugged in, or on its way back.
    var isShown: Bool { isAttached || device.state == .reenumerating }

    /// Takes new facts, and what follows from what the device is now: who answers on its link, and whether there is a
    /// phone on which a person can set something. Of a phone that stays one, what was set stays.
    mutating func show(_ facts: DeviceFacts) {
        let isSamePhone = device.facts.kind.role == facts.kind.role
        device.facts = facts
        device.peer = facts.peer
        device.phone = facts.hasOurPhone ? ((isSamePhone ? device.phone : nil) ?? PhoneConditions()) : nil
    }

    /// Counts a try that failed, and answers the count.
    mutating func countFailure() -> Int {
        failures += 1
        return failures
    }

    /// Counts an authentication that failed, and answers the count.
    mutating func countAuthenticationFailure() -> Int {
        authenticationFailures += 1
        return authenticationFailures
    }

    /// A handshake has come to its end. What failed before counts until the session has lasted.
    mutating func handshakeSucceeded() {
        authenticationFailures = 0
        device.nextTry = nil
    }

    /// What failed so far does not count any more, and nothing is awaited because of it.
    mutating func startAnew() {
        failures = 0
        authenticationFailures = 0
        device.nextTry = nil
    }
}

extension DeviceFacts {
    /// Whether the phone at the device's link is in the daemon, so that a person can set something on it: the rig's own,
    /// or a simulated one. What a person does to a phone on its own wire is not ours to set.
    var hasOurPhone: Bool {
        switch kind.role {
        case .phone: true
        case .headUnit: peer == .simulated
        case nil: false
        }
    }
}

/// Every device of this run: those plugged in, and those unplugged that may come back.
struct DeviceTable: Sendable {
    private(set) var entries = IDTable<DeviceID, DeviceEntry>()
    private(set) var idsByName: [String: DeviceID] = [:]
    private var idsByKey: [String: DeviceID] = [:]
    private var lastNumbers: [String: Int] = [:]
    private var lastID: UInt32 = 0
    /// The unplugged devices, the one that left last at the end.
    private var gone: [DeviceID] = []
    /// The highest generation of the forgotten devices. A name that somebody chooses starts above it, so that nobody who
    /// still has the old name and generation reaches the new device.
    private var forgottenGeneration: UInt32 = 0
    /// The same of those whose names somebody chose and that look like a profile and a number, which a fresh name may
    /// come to.
    private var forgottenNumberedGeneration: UInt32 = 0

    var attachedCount: Int { entries.count - gone.count }

    /// The id that the next new device gets.
    var nextID: DeviceID { DeviceID(lastID + 1) }

    /// The devices in the order of their first plug.
    var all: [DeviceEntry] { entries.values }

    /// The names of what is plugged in, sorted.
    var attachedNames: [String] { all.filter(\.isAttached).map(\.device.name).sorted() }

    func id(named name: String) -> DeviceID? { idsByName[name] }
    func id(key: String) -> DeviceID? { idsByKey[key] }

    subscript(id: DeviceID) -> DeviceEntry? { entries[id] }

    @discardableResult
    mutating func update<Result>(_ id: DeviceID, _ change: (inout DeviceEntry) -> Result) -> Result? {
        entries.update(id, change)
    }

    /// The device that comes back with these facts, and by which rule; `nil` when it is a new one.
    ///
    /// Serial and port together are strongest. A serial alone counts when it is plausible and nobody else shows it:
    /// dongles pose as phones with made-up serials, and serials repeat. The port alone counts only shortly after the
    /// device left it: then it changed its mode, and its ids and serial with it (field report B23). It comes last, since
    /// two phones that change their ports are told apart by their serials. Of several, the one that left last returns.
    func returning(_ facts: DeviceFacts, now: UInt64, window: UInt64) -> (id: DeviceID, rule: IdentityRule)? {
        func lastGone(where matches: (DeviceEntry) -> Bool) -> DeviceID? {
            gone.last { id in
                guard let entry = entries[id], entry.plug == nil,
                    (entry.device.facts.kind.role == nil) == (facts.kind.role == nil)
                else { return false }
                return matches(entry)
            }
        }
        let serial = facts.serial
        if !serial.isEmpty,
            let id = lastGone(where: { $0.device.facts.serial == serial && $0.device.facts.port == facts.port })
        {
            return (id, .serialAndPort)
        }
        if Self.isPlausible(serial), entries.values.count(where: { $0.device.facts.serial == serial }) == 1,
            let id = lastGone(where: { $0.device.facts.serial == serial })
        {
            return (id, .serial)
        }
        if facts.port != Self.noPort,
            let id = lastGone(where: { entry in
                entry.device.facts.port == facts.port
                    && (entry.detachedAt.map { now >= $0 && now - $0 <= window } ?? false)
            })
        {
            return (id, .portWithinWindow)
        }
        return nil
    }

    /// The port of what has none.
    static let noPort = "virtual"

    /// A serial that can tell devices apart: at least eight characters, and not one character over and over.
    static func isPlausible(_ serial: String) -> Bool {
        serial.utf8.count >= 8 && Set(serial.utf8).count > 1
    }

    /// Adds a device that was not there before.
    mutating func add(
        _ facts: DeviceFacts, name: String?, key: String, peer: Peer?, phone: PhoneConditions?, plug: PlugRequest?
    ) -> DeviceID {
        lastID += 1
        let id = DeviceID(lastID)
        var device = Device(id: id, name: name ?? freshName(facts.namePrefix), facts: facts, peer: peer, phone: phone)
        device.generation += name == nil ? forgottenNumberedGeneration : forgottenGeneration
        entries[id] = DeviceEntry(device: device, key: key, detachedAt: nil, link: nil, plug: plug)
        idsByName[device.name] = id
        idsByKey[key] = id
        return id
    }

    /// Gives a device that was unplugged its next generation.
    mutating func reattach(_ id: DeviceID, facts: DeviceFacts, rule: IdentityRule, key: String, plug: PlugRequest?) {
        entries.update(id) { entry in
            entry.show(facts)
            entry.device.generation += 1
            entry.device.identity = rule
            entry.device.state = .attached
            entry.device.reason = nil
            entry.key = key
            entry.detachedAt = nil
            entry.departure = nil
            entry.startAnew()
            entry.plug = plug
        }
        idsByKey[key] = id
        gone.removeAll { $0 == id }
    }

    /// Marks a device as unplugged, and forgets the ones unplugged longest ago beyond `remembered`.
    ///
    /// - Returns: the device as it is now, which may be forgotten already.
    mutating func detach(_ id: DeviceID, reason: Reason, now: UInt64, remembered: Int) -> Device? {
        guard var entry = entries[id], entry.isAttached else { return nil }
        if let key = entry.key { idsByKey[key] = nil }
        entry.device.state = .detached
        entry.device.reason = reason
        entry.device.session = nil
        entry.device.nextTry = nil
        entry.key = nil
        entry.link = nil
        entry.hold = HardwareHold()
        entry.detachedAt = now
        entries[id] = entry
        gone.append(id)
        while gone.count > max(0, remembered),
            // What is on its way back is still published.
            let oldest = gone.firstIndex(where: { entries[$0]?.device.state != .reenumerating })
        {
            forget(gone.remove(at: oldest))
        }
        return entry.device
    }

    private mutating func forget(_ id: DeviceID) {
        guard let entry = entries[id] else { return }
        idsByName[entry.device.name] = nil
        entries[id] = nil
        // Somebody may choose a name that was once a fresh one.
        forgottenGeneration = max(forgottenGeneration, entry.device.generation)
        guard let name = entry.plug?.name else { return }
        if let last = name.utf8.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) {
            forgottenNumberedGeneration = max(forgottenNumberedGeneration, entry.device.generation)
        }
    }

    /// The prefix and the next number that no device of this run ever had.
    private mutating func freshName(_ prefix: String) -> String {
        var number = lastNumbers[prefix, default: 0]
        var name: String
        repeat {
            number += 1
            name = "\(prefix)-\(number)"
        } while idsByName[name] != nil
        lastNumbers[prefix] = number
        return name
    }
}
