import DeviceMonitor
import RigModel

/// Uevents, listings and looks at sysfs in any order, with any properties: each plug is added once and removed once, is
/// looked at by one job at a time, and what the inventory says is there is what it has told.
///
/// Input: operations.
enum InventoryTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        var bench = InventoryBench()
        try bench.start()
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end()
    }
}

/// An inventory with the input as kernel, udev and sysfs.
private struct InventoryBench {
    private var inventory = DeviceInventory { $0.properties["RELEVANCE"].flatMap(Self.relevance) ?? .reported }
    private var now: UInt64 = 1_000_000_000
    private var actions: [InventoryAction] = []
    /// Looks at devices, oldest first; those that were answered may be answered once more.
    private var probes: [(request: ProbeRequest, isAnswered: Bool)] = []
    private var isListing = false
    /// The plugs that are reported, and those that are stuck.
    private var added: [DeviceSnapshot] = []
    private var stuck: [UInt64] = []

    private static let paths = [
        "/sys/devices/usb1/1-1", "/sys/devices/usb1/1-2", "/sys/class/input/event3", "1-1", "/",
    ]

    private static func relevance(_ word: String) -> DeviceRelevance? {
        switch word {
        case "ignored": .ignored
        case "accessible": .reportedWhenAccessible
        default: nil
        }
    }

    mutating func start() throws(FuzzFinding) {
        inventory.start(into: &actions)
        try take()
    }

    mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        switch input.int(0...13) {
        case 0, 1, 2, 3:
            let action = input.pick(UeventAction.allCases)
            inventory.received(action, sighting(&input), now: now, into: &actions)
        case 4, 5, 6:
            guard !probes.isEmpty else { return }
            // Answers come in any order, and some twice.
            let place = input.int(0...probes.count - 1)
            let request = probes[place].request
            if input.int(0...7) == 0 { probes[place].isAnswered = true } else { probes.remove(at: place) }
            inventory.probed(request.id, outcome(of: request, &input), now: now, into: &actions)
        case 7:
            let isAwaited = isListing
            let list = (0..<input.int(0...4)).map { _ in sighting(&input) }
            isListing = false
            inventory.enumerated(list, now: now, into: &actions)
            if !isAwaited { try require(actions.isEmpty, "a listing that nobody asked for does something") }
        case 8:
            isListing = false
            inventory.enumerationFailed(now: now)
        case 9: inventory.eventsLost(input.pick([.overflow, .receiveFailed(5), .requested]), now: now, into: &actions)
        case 10, 11: try reachDeadline()
        case 12:
            now += UInt64(input.byte()) << input.pick([10, 20, 26, 30])
            inventory.deadlineReached(now: now, into: &actions)
        default:
            let rule: DeviceRelevance = input.pick(DeviceRelevance.allCases)
            inventory.judge(by: { _ in rule }, now: now, into: &actions)
        }
        try take()
    }

    /// Nothing is there any more, and everything comes to rest.
    mutating func end() throws(FuzzFinding) {
        for _ in 0..<200 {
            if isListing {
                isListing = false
                inventory.enumerated([], now: now, into: &actions)
            } else if let probe = probes.popLast() {
                inventory.probed(probe.request.id, .gone, now: now, into: &actions)
            } else if added.isEmpty && inventory.pending.isEmpty {
                return
            } else {
                // Longer than any pause between two listings.
                now += 100_000_000_000
                inventory.deadlineReached(now: now, into: &actions)
                try take()
                inventory.eventsLost(.requested, now: now, into: &actions)
            }
            try take()
        }
        throw FuzzFinding("\(added.map(\.syspath)) and \(inventory.pending.map(\.syspath)) are left with nothing there")
    }

    private mutating func reachDeadline() throws(FuzzFinding) {
        guard let deadline = inventory.nextDeadline else { return }
        now = max(now, deadline)
        inventory.deadlineReached(now: now, into: &actions)
        try require(inventory.nextDeadline ?? .max > now, "the same deadline comes over and over")
    }

    // MARK: What must always hold

    private mutating func take() throws(FuzzFinding) {
        for action in actions {
            switch action {
            case .enumerate:
                try require(!isListing, "a second listing is asked for while one is made")
                isListing = true
            case .probe(let request):
                try require(
                    !probes.contains { $0.request.instance == request.instance && !$0.isAnswered },
                    "plug \(request.instance) is looked at twice at a time")
                probes.removeAll { $0.request.instance == request.instance }
                probes.append((request, false))
            case .report(let change): try note(change)
            }
        }
        actions = []
        let told = added.map(\.instance).sorted()
        let known = inventory.reported.map(\.instance).sorted()
        try require(known == told, "the inventory has \(known), and \(told) were told")
        for snapshot in inventory.reported {
            try require(added.contains(snapshot), "\(snapshot.syspath) is known otherwise than it was told")
        }
    }

    private mutating func note(_ change: DeviceChange) throws(FuzzFinding) {
        switch change {
        case .added(let device):
            try require(!added.contains { $0.instance == device.instance }, "plug \(device.instance) is added twice")
            try require(!added.contains { $0.syspath == device.syspath }, "two plugs at \(device.syspath)")
            added.append(device)
        case .changed(let device), .bound(let device), .unbound(let device):
            let place = added.firstIndex { $0.instance == device.instance }
            guard let place else { throw FuzzFinding("\(change) of a plug that is not there") }
            try require(!stuck.contains(device.instance), "\(change) of a plug that is stuck")
            added[place] = device
        case .stuck(let device):
            try require(!stuck.contains(device.instance), "plug \(device.instance) is stuck twice")
            stuck.append(device.instance)
            added.removeAll { $0.instance == device.instance }
            added.append(device)
        case .removed(let device, _):
            let place = added.firstIndex { $0.instance == device.instance }
            guard let place else { throw FuzzFinding("plug \(device.instance) is removed and was not there") }
            added.remove(at: place)
        case .incomplete(let device, let missing):
            try require(!added.contains { $0.instance == device.instance }, "plug \(device.instance) is not complete")
            try require(!missing.isEmpty, "plug \(device.instance) is incomplete and lacks nothing")
        case .enumerated, .resynchronized: break
        }
    }

    // MARK: What the kernel says

    private func sighting(_ input: inout FuzzInput) -> DeviceSighting {
        let path = input.pick(Self.paths)
        let flags = input.byte()
        let device = Int(input.byte() & 3)
        var properties = [(name: "PRODUCT", value: "5ac/12a8/1006"), (name: "TYPE", value: "0/0/0")]
        if flags & 1 == 0 { properties += [(name: "BUSNUM", value: "001"), (name: "DEVNUM", value: "00\(device)")] }
        if flags & 2 != 0 { properties += [(name: "MAJOR", value: "189"), (name: "MINOR", value: "\(device)")] }
        if flags & 4 != 0 { properties.append((name: "USEC_INITIALIZED", value: "\(input.byte() & 3)")) }
        if flags & 8 != 0 { properties.append((name: "RELEVANCE", value: input.pick(["ignored", "accessible"]))) }
        if flags & 16 != 0 {
            let name = input.pick(["PRODUCT", "TYPE", "ID_VENDOR_ENC", "DEVNUM", "USEC_INITIALIZED", "MINOR"])
            properties.append((name: name, value: input.text(upTo: 24)))
        }
        let category: DeviceCategory = flags & 96 == 96 ? .usbInterface : path.hasSuffix("3") ? .inputNode : .usbDevice
        return DeviceSighting(
            syspath: category == .usbInterface ? path + "/1-1:1.0" : path, category: category,
            node: flags & 128 == 0 ? "/dev/node\(device)" : nil, properties: DeviceProperties(properties))
    }

    private func outcome(of request: ProbeRequest, _ input: inout FuzzInput) -> ProbeOutcome {
        switch input.int(0...9) {
        case 0: return .gone
        case 1: return .abandoned
        case 2: return .refused
        default:
            let access: NodeAccess = input.pick([.granted, .granted, .denied, .missing])
            var missing: [MissingPart] = []
            if input.int(0...3) == 0 { missing = [input.pick(MissingPart.allCases)] }
            if access == .denied { missing.append(.access) }
            if access == .missing { missing.append(.node) }
            let reading = ProbeReading(
                access: access,
                usb: request.sighting.category == .usbDevice
                    ? USBDeviceDescription(vendor: input.word(), product: 1, port: "1-1") : nil,
                input: request.sighting.category == .inputNode ? InputDeviceDescription(name: "knob") : nil,
                missing: missing)
            return .read(reading)
        }
    }
}
