import RigModel
import Testing

@testable import DeviceMonitor

/// Drives an inventory the way the monitor does, with the test as udev, sysfs and clock.
final class InventoryHarness {
    var inventory: DeviceInventory
    var now: UInt64 = 1_000_000_000
    var changes: [DeviceChange] = []
    var probes: [ProbeRequest] = []
    var listings: [ResynchronizationReason?] = []

    static let port = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-1"
    static let event = "/sys/devices/virtual/input/input7/event7"

    init(
        settings: InventorySettings = InventorySettings(),
        relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance = { _ in .reportedWhenAccessible }
    ) {
        inventory = DeviceInventory(settings: settings, relevance: relevance)
    }

    /// A running inventory with an empty first listing behind it.
    static func running(
        relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance = { _ in .reportedWhenAccessible }
    ) -> InventoryHarness {
        let harness = InventoryHarness(relevance: relevance)
        harness.start()
        harness.list([])
        harness.changes = []
        return harness
    }

    private func take(_ actions: [InventoryAction]) {
        for action in actions {
            switch action {
            case .enumerate(let reason): listings.append(reason)
            case .probe(let request): probes.append(request)
            case .report(let change): changes.append(change)
            }
        }
    }

    func start() {
        var actions: [InventoryAction] = []
        inventory.start(into: &actions)
        take(actions)
    }

    func list(_ sightings: [DeviceSighting]) {
        var actions: [InventoryAction] = []
        inventory.enumerated(sightings, now: now, into: &actions)
        take(actions)
    }

    func lose(_ reason: ResynchronizationReason) {
        var actions: [InventoryAction] = []
        inventory.eventsLost(reason, now: now, into: &actions)
        take(actions)
    }

    func judge(by relevance: @escaping @Sendable (DeviceSnapshot) -> DeviceRelevance) {
        var actions: [InventoryAction] = []
        inventory.judge(by: relevance, now: now, into: &actions)
        take(actions)
    }

    func send(_ action: UeventAction, _ sighting: DeviceSighting) {
        var actions: [InventoryAction] = []
        inventory.received(action, sighting, now: now, into: &actions)
        take(actions)
    }

    /// Answers the oldest look that waits, with `reading` or as complete as can be.
    func answer(_ outcome: ProbeOutcome? = nil) {
        guard !probes.isEmpty else {
            Issue.record("nobody looks at a device")
            return
        }
        let request = probes.removeFirst()
        var actions: [InventoryAction] = []
        inventory.probed(request.id, outcome ?? .read(Self.reading(request.sighting)), now: now, into: &actions)
        take(actions)
    }

    /// Answers until nobody looks at anything.
    func settle() {
        for _ in 0..<100 where !probes.isEmpty { answer() }
        #expect(probes.isEmpty, "the inventory looks for ever")
    }

    /// Goes to the next deadline and does what is due; false when there is none.
    func advance() -> Bool {
        guard let deadline = inventory.nextDeadline else { return false }
        now = max(now, deadline)
        var actions: [InventoryAction] = []
        inventory.deadlineReached(now: now, into: &actions)
        take(actions)
        return true
    }

    func takeChanges() -> [String] {
        defer { changes = [] }
        return changes.map(\.short)
    }

    static func usb(
        _ device: UInt16 = 2, syspath: String = port, initialized: UInt64? = nil, more: [(String, String)] = []
    ) -> DeviceSighting {
        var pairs: [(name: String, value: String)] = [
            ("BUSNUM", "001"), ("DEVNUM", device < 10 ? "00\(device)" : "\(device)"), ("MAJOR", "189"),
            ("MINOR", "\(device - 1)"), ("PRODUCT", "5ac/12a8/1006"), ("TYPE", "0/0/0"), ("ACTION", "x"),
            ("SEQNUM", "\(device)00"),
        ]
        if let initialized { pairs.append(("USEC_INITIALIZED", "\(initialized)")) }
        pairs += more.map { (name: $0.0, value: $0.1) }
        return DeviceSighting(
            syspath: syspath, category: .usbDevice, node: "/dev/bus/usb/001/\(device)",
            properties: DeviceProperties(pairs))
    }

    static func interface(_ number: Int = 0) -> DeviceSighting {
        DeviceSighting(
            syspath: "\(port)/1-1:1.\(number)", category: .usbInterface, node: nil, properties: DeviceProperties([]))
    }

    static func input(_ minor: UInt32 = 71) -> DeviceSighting {
        DeviceSighting(
            syspath: event, category: .inputNode, node: "/dev/input/event7",
            properties: DeviceProperties([("MAJOR", "13"), ("MINOR", "\(minor)")]))
    }

    static func reading(_ sighting: DeviceSighting, missing: [MissingPart] = []) -> ProbeReading {
        let access: NodeAccess = missing.contains(.access) ? .denied : missing.contains(.node) ? .missing : .granted
        return switch sighting.category {
        case .usbDevice, .usbInterface:
            ProbeReading(
                access: access,
                usb: USBDeviceDescription(
                    vendor: 0x05AC, product: 0x12A8, port: "1-1",
                    activeConfiguration: missing.contains(.configuration) ? nil : 1), missing: missing)
        case .inputNode:
            ProbeReading(access: access, input: InputDeviceDescription(name: "knob", rel: [7]), missing: missing)
        }
    }
}

extension DeviceChange {
    /// A change in one word: `+1` is the plug number 1 added.
    var short: String {
        switch self {
        case .added(let device): "+\(device.instance)"
        case .changed(let device): "~\(device.instance)"
        case .bound(let device): "bound\(device.instance)"
        case .unbound(let device): "unbound\(device.instance)"
        case .removed(let device, let cause): "-\(device.instance) \(cause)"
        case .stuck(let device): "stuck\(device.instance)"
        case .incomplete(let device, let missing):
            "incomplete\(device.instance) \(missing.map(\.rawValue).joined(separator: ","))"
        case .enumerated: "enumerated"
        case .resynchronized(let reason): "resynchronized \(reason)"
        }
    }
}
