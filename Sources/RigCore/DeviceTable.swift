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
    /// How many tries of the handshake failed since it was plugged in.
    var failures = 0
    /// What `plug` said of a virtual one.
    var plug: PlugRequest?

    var isAttached: Bool { detachedAt == nil }
}

/// Every device of this run: those plugged in, and those unplugged that may come back.
struct DeviceTable: Sendable {
    private(set) var entries = IDTable<DeviceID, DeviceEntry>()
    private var idsByName: [String: DeviceID] = [:]
    private var idsByKey: [String: DeviceID] = [:]
    private var lastNumbers: [String: Int] = [:]
    private var lastID: UInt32 = 0
    private(set) var attachedCount = 0

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
    /// Serial and port together are strongest. The port alone counts only shortly after the device left it: then it
    /// changed its mode, and its ids and serial with it (field report B23). A serial alone counts when it is plausible
    /// and nobody else shows it: dongles pose as phones with made-up serials, and serials repeat.
    func returning(_ facts: DeviceFacts, now: UInt64, window: UInt64) -> (id: DeviceID, rule: IdentityRule)? {
        let gone = zip(entries.ids, entries.values).filter {
            !$0.1.isAttached && $0.1.plug == nil && ($0.1.device.facts.kind.role == nil) == (facts.kind.role == nil)
        }
        let serial = facts.serial
        if !serial.isEmpty,
            let match = gone.last(where: { $0.1.device.facts.serial == serial && $0.1.device.facts.port == facts.port })
        {
            return (match.0, .serialAndPort)
        }
        if facts.port != Self.noPort,
            let match = gone.last(where: { entry in
                entry.1.device.facts.port == facts.port
                    && (entry.1.detachedAt.map { now >= $0 && now - $0 <= window } ?? false)
            })
        {
            return (match.0, .portWithinWindow)
        }
        if Self.isPlausible(serial) {
            let same = all.filter { $0.device.facts.serial == serial }
            if same.count == 1, let match = gone.first(where: { $0.1.device.facts.serial == serial }) {
                return (match.0, .serial)
            }
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
        let device = Device(id: id, name: name ?? freshName(facts.profile), facts: facts, peer: peer, phone: phone)
        entries[id] = DeviceEntry(device: device, key: key, detachedAt: nil, link: nil, plug: plug)
        idsByName[device.name] = id
        idsByKey[key] = id
        attachedCount += 1
        return id
    }

    /// Gives a device that was unplugged its next generation.
    mutating func reattach(_ id: DeviceID, facts: DeviceFacts, rule: IdentityRule, key: String, plug: PlugRequest?) {
        entries.update(id) { entry in
            entry.device.facts = facts
            entry.device.generation += 1
            entry.device.identity = rule
            entry.device.state = .attached
            entry.device.reason = nil
            entry.key = key
            entry.detachedAt = nil
            entry.failures = 0
            entry.plug = plug
        }
        idsByKey[key] = id
        attachedCount += 1
    }

    /// Marks a device as unplugged, and forgets the ones unplugged longest ago beyond `remembered`.
    mutating func detach(_ id: DeviceID, reason: Reason, now: UInt64, remembered: Int) {
        let key = entries.update(id) { entry -> String? in
            let key = entry.key
            entry.device.state = .detached
            entry.device.reason = reason
            entry.device.session = nil
            entry.key = nil
            entry.link = nil
            entry.detachedAt = now
            return key
        }
        if let key = key ?? nil { idsByKey[key] = nil }
        attachedCount -= 1
        while entries.count - attachedCount > remembered {
            let oldest = zip(entries.ids, entries.values).filter { !$0.1.isAttached }
                .min { ($0.1.detachedAt ?? 0, $0.0) < ($1.1.detachedAt ?? 0, $1.0) }
            guard let oldest else { break }
            idsByName[oldest.1.device.name] = nil
            entries[oldest.0] = nil
        }
    }

    /// The profile and the next number that no device of this run ever had.
    private mutating func freshName(_ profile: String) -> String {
        var number = lastNumbers[profile, default: 0]
        var name: String
        repeat {
            number += 1
            name = "\(profile)-\(number)"
        } while idsByName[name] != nil
        lastNumbers[profile] = number
        return name
    }
}
