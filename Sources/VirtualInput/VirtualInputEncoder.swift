public import RigModel

/// What is done with a virtual device, in order.
public enum VirtualInputAction: Equatable, Sendable {
    /// A report of at least one event; SYN_REPORT is added by whoever sends it.
    case report([EvdevEvent])
    /// Nothing for so many nanoseconds.
    case pause(UInt64)
    /// A word for whoever waits for it.
    case echo(String)
}

/// Turns commands into reports of one device. Pure: it knows what is down because it was told to put it down.
public struct VirtualInputEncoder: Sendable {
    /// How long a tap lasts, in nanoseconds: 50 ms, a quick finger; `[input] tap` takes up to 250 ms.
    public static let tapLength: UInt64 = 50_000_000

    /// One finger.
    private struct Contact {
        let slot: Int
        let id: Int32
        var x: Int32
        var y: Int32
    }

    private let device: VirtualInputDevice
    private let slotCount: Int
    private var isPressed = false
    /// The contacts from the oldest on.
    private var contacts: [Contact] = []
    private var nextID: Int32 = 0
    /// Events that came one by one, up to their SYN_REPORT.
    private var gathered: [EvdevEvent] = []

    /// Nothing is down.
    public init(_ device: VirtualInputDevice) {
        self.device = device
        slotCount = device.description.range(of: InputCode.slot).map { Int($0.maximum) + 1 } ?? 0
    }

    /// How many events wait for the SYN_REPORT that ends their report.
    public var unfinished: Int { gathered.count }

    /// What a command means. A refused one changes nothing.
    public mutating func actions(for command: VirtualInputCommand) throws(VirtualInputRefusal) -> [VirtualInputAction] {
        if !gathered.isEmpty {
            switch command {
            case .event: break
            // What it does would come in front of events that stand before it.
            case .turn, .press, .release, .tap, .down, .move, .up, .wait, .echo:
                throw VirtualInputRefusal(
                    "the events (E:) before it are no report yet: SYN_REPORT ends it, E: 0.000000 0000 0000 0000")
            }
        }
        switch command {
        case .turn(let detents):
            try require(.knob, "turn")
            return [.report([event(InputCode.relative, InputCode.dial, detents)])]
        case .press: return [.report([try button(down: true)])]
        case .release: return [.report([try button(down: false)])]
        case .tap(let place):
            try requireSurface("tap")
            guard let slot = (0..<slotCount).first(where: { slot in !contacts.contains { $0.slot == slot } }) else {
                throw VirtualInputRefusal("every slot has a finger: \(slotCount) are down")
            }
            return [
                .report(down(slot, place)), .pause(Self.tapLength), .report(up(slot)), .pause(Self.tapLength),
            ]
        case .down(let slot, let place):
            try requireSurface("down")
            guard slot < slotCount else {
                throw VirtualInputRefusal(field: 2, "there is no slot \(slot): they are 0 to \(slotCount - 1)")
            }
            if contacts.contains(where: { $0.slot == slot }) {
                throw VirtualInputRefusal(field: 2, "slot \(slot) has a finger already")
            }
            return [.report(down(slot, place))]
        case .move(let slot, let place):
            try requireSurface("move")
            try requireFinger(slot)
            return [.report(move(slot, place))]
        case .up(let slot):
            try requireSurface("up")
            try requireFinger(slot)
            return [.report(up(slot))]
        case .wait(let time): return [.pause(time)]
        case .echo(let word): return [.echo(word)]
        case .event(let event): return try gather(event)
        }
    }

    // MARK: What it can do

    private func require(_ kind: VirtualInputDevice.Kind, _ word: String) throws(VirtualInputRefusal) {
        guard let own = device.kind else { throw Self.recorded }
        guard own == kind else { throw VirtualInputRefusal("a \(own.rawValue) has no \(word)") }
    }

    private func requireSurface(_ word: String) throws(VirtualInputRefusal) {
        guard let own = device.kind else { throw Self.recorded }
        switch own {
        case .knob: throw VirtualInputRefusal("a knob has no \(word)")
        case .touchpad, .touchscreen: break
        }
    }

    private func requireFinger(_ slot: Int) throws(VirtualInputRefusal) {
        if contacts.contains(where: { $0.slot == slot }) { return }
        throw VirtualInputRefusal(field: 2, "slot \(slot) has no finger; down \(slot) X Y brings one")
    }

    private static let recorded = VirtualInputRefusal(
        "the device of a recording takes events only: E: TIME TYPE CODE VALUE")

    // MARK: Buttons

    private mutating func button(down: Bool) throws(VirtualInputRefusal) -> EvdevEvent {
        guard let kind = device.kind else { throw Self.recorded }
        let code: UInt16
        switch kind {
        case .knob: code = InputCode.button0
        case .touchpad: code = InputCode.left
        case .touchscreen: throw VirtualInputRefusal("a touchscreen has no button")
        }
        if isPressed == down {
            throw VirtualInputRefusal(down ? "the button is down already" : "the button is not down")
        }
        isPressed = down
        return event(InputCode.key, code, down ? 1 : 0)
    }

    // MARK: Fingers

    private mutating func down(_ slot: Int, _ place: SurfacePlace) -> [EvdevEvent] {
        let before = contacts.count
        let contact = Contact(
            slot: slot, id: nextID, x: scaled(place.x, InputCode.contactX), y: scaled(place.y, InputCode.contactY))
        nextID = (nextID + 1) % InputCode.trackingIDs
        contacts.append(contact)
        return [
            event(InputCode.absolute, InputCode.slot, Int32(slot)),
            event(InputCode.absolute, InputCode.trackingID, contact.id),
            event(InputCode.absolute, InputCode.contactX, contact.x),
            event(InputCode.absolute, InputCode.contactY, contact.y),
        ] + counts(from: before) + oldest()
    }

    private mutating func move(_ slot: Int, _ place: SurfacePlace) -> [EvdevEvent] {
        guard let index = contacts.firstIndex(where: { $0.slot == slot }) else { return [] }
        contacts[index].x = scaled(place.x, InputCode.contactX)
        contacts[index].y = scaled(place.y, InputCode.contactY)
        return [
            event(InputCode.absolute, InputCode.slot, Int32(slot)),
            event(InputCode.absolute, InputCode.contactX, contacts[index].x),
            event(InputCode.absolute, InputCode.contactY, contacts[index].y),
        ] + oldest()
    }

    private mutating func up(_ slot: Int) -> [EvdevEvent] {
        let before = contacts.count
        contacts.removeAll { $0.slot == slot }
        return [
            event(InputCode.absolute, InputCode.slot, Int32(slot)),
            event(InputCode.absolute, InputCode.trackingID, -1),
        ] + counts(from: before) + oldest()
    }

    /// What changes in the keys that count fingers. Above five the last one stays down, as drivers do it.
    private func counts(from before: Int) -> [EvdevEvent] {
        var events: [EvdevEvent] = []
        if (before == 0) != contacts.isEmpty {
            events.append(event(InputCode.key, InputCode.touch, contacts.isEmpty ? 0 : 1))
        }
        guard device.kind == .touchpad else { return events }
        let (old, new) = (tool(before), tool(contacts.count))
        if old != new {
            if let old { events.append(event(InputCode.key, old, 0)) }
            if let new { events.append(event(InputCode.key, new, 1)) }
        }
        return events
    }

    private func tool(_ count: Int) -> UInt16? {
        count == 0 ? nil : InputCode.fingerCounts[min(count, InputCode.fingerCounts.count) - 1]
    }

    /// Where the oldest finger is, for readers that know one finger only.
    private func oldest() -> [EvdevEvent] {
        guard let first = contacts.first else { return [] }
        return [
            event(InputCode.absolute, InputCode.absoluteX, first.x),
            event(InputCode.absolute, InputCode.absoluteY, first.y),
        ]
    }

    /// The nearest place on an axis: 0 is its smallest value, a million its largest.
    private func scaled(_ millionths: Int, _ axis: UInt16) -> Int32 {
        guard let range = device.description.range(of: axis) else { return 0 }
        let span = Int(range.maximum) - Int(range.minimum)
        return Int32(clamping: Int(range.minimum) + (span * millionths + 500_000) / 1_000_000)
    }

    // MARK: Single events

    private mutating func gather(_ event: EvdevEvent) throws(VirtualInputRefusal) -> [VirtualInputAction] {
        if event.type == InputCode.synchronization {
            guard event.code == InputCode.report else {
                throw VirtualInputRefusal(
                    field: 4, "of the synchronization events only SYN_REPORT (0000 0000) can be sent")
            }
            if gathered.isEmpty { return [] }
            defer { gathered = [] }
            return [.report(gathered)]
        }
        if event.type == InputCode.key, let name = WithheldKey.name(of: event.code) {
            throw VirtualInputRefusal(field: 4, "\(name) is never sent: the machine itself would act on it")
        }
        guard device.sends(event) else {
            throw VirtualInputRefusal(field: 4, "the device has no code \(event.code) of type \(event.type)")
        }
        guard gathered.count < EvdevFrame.maximumEvents else {
            throw VirtualInputRefusal("a report has at most \(EvdevFrame.maximumEvents) events; SYN_REPORT ends it")
        }
        note(event)
        gathered.append(self.event(event.type, event.code, event.value))
        return []
    }

    /// The button that a single event moves is the same that press and release move.
    private mutating func note(_ event: EvdevEvent) {
        guard event.type == InputCode.key else { return }
        switch device.kind {
        case .knob where event.code == InputCode.button0, .touchpad where event.code == InputCode.left:
            isPressed = event.value != 0
        case .knob, .touchpad, .touchscreen, nil: break
        }
    }

    private func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> EvdevEvent {
        EvdevEvent(type: type, code: code, value: value, time: 0)
    }
}
