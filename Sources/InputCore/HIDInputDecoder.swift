public import HIDReports
public import RigModel

/// What a report of a HID device said, in the words of the rig. Touches have no pixels yet: only who knows the display can
/// give them.
public enum HIDInput: Equatable, Sendable {
    case knob(KnobEvent)
    case key(KeyEvent)
    case touchpad(TouchpadEvent)
    /// One frame of a touchscreen, places in 0 to `HIDContact.full`.
    case touch([HIDContact])
}

/// Turns the reports of one HID device into what was done with it. Reports from a peer cannot trap it.
public struct HIDInputDecoder: Sendable {
    /// What the device is; never `.unknown`.
    public let function: HIDFunction

    private var reader: HIDReportReader
    private let longPress: UInt64
    private var pressedSince: UInt64?
    private var nudge: NudgeDirection?
    /// What the reader says, while it is translated: the memory is used again.
    private var events: [HIDReportEvent] = []
    /// The last frame of a touchpad, whose memory the next one takes when nobody has it any more.
    private var padFrame = TouchpadEvent(contacts: [])

    /// How far a knob is pushed before it counts, in thousandths of the way: ours, half.
    private static let leastPush = 500

    /// A decoder for a device that was just offered, or `nil` when its descriptor tells nothing that the rig knows.
    ///
    /// - Parameter longPress: from how many nanoseconds on a press is long.
    public init?(_ descriptor: HIDDescriptor, longPress: UInt64 = InputLayout.defaultLongPress) {
        let function = descriptor.function
        guard function != .unknown else { return nil }
        self.function = function
        self.longPress = longPress
        reader = HIDReportReader(descriptor)
    }

    /// Takes one report at a time in nanoseconds; `inputs` gets what it says. Throws when it does not fit the descriptor;
    /// then nothing changes.
    public mutating func decode(
        _ report: ArraySlice<UInt8>, time: UInt64, into inputs: inout HIDInputs
    ) throws(HIDReportError) {
        try reader.read(report, into: &events)
        translateEvents(time, into: &inputs)
    }

    /// The device is gone: what is held is let go, touches are cancelled by whoever knows that they are.
    public mutating func end(time: UInt64) -> HIDInputs {
        var inputs = HIDInputs()
        reader.end(into: &events)
        translateEvents(time, into: &inputs)
        return inputs
    }

    private mutating func translateEvents(_ time: UInt64, into inputs: inout HIDInputs) {
        for index in events.indices { translate(events[index], time, into: &inputs) }
        events.removeAll(keepingCapacity: true)
    }

    private mutating func translate(_ event: HIDReportEvent, _ time: UInt64, into inputs: inout HIDInputs) {
        switch event {
        case .rotated(let units): inputs.append(.knob(.rotate(detents: Int32(clamping: units))))
        case .pushed(let x, let y): push(x, y, into: &inputs)
        case .contacts(let contacts):
            switch function {
            case .touchpad:
                padFrame.contacts.removeAll(keepingCapacity: true)
                for contact in contacts { padFrame.contacts.append(PadContact(contact)) }
                inputs.append(.touchpad(padFrame))
            case .touchscreen: inputs.append(.touch(contacts))
            case .knob, .mediaKeys, .telephonyKeys, .unknown: break
            }
        case .button(.button1, let isDown) where function == .knob: inputs.append(.knob(press(isDown, time)))
        case .button(let usage, let isDown):
            if let key = Key(usage) { inputs.append(.key(KeyEvent(key: key, down: isDown))) }
        }
    }

    private mutating func press(_ isDown: Bool, _ time: UInt64) -> KnobEvent {
        if isDown {
            pressedSince = time
            return .pressed
        }
        let held = time - min(pressedSince ?? time, time)
        pressedSince = nil
        return .released(held: held, long: held >= longPress)
    }

    private mutating func push(_ x: Int, _ y: Int, into inputs: inout HIDInputs) {
        func side(_ value: Int) -> Int { value >= Self.leastPush ? 1 : value <= -Self.leastPush ? -1 : 0 }
        let next = NudgeDirection(x: side(x), y: side(y))
        guard next != nudge else { return }
        if let nudge { inputs.append(.knob(.nudge(nudge, down: false))) }
        if let next { inputs.append(.knob(.nudge(next, down: true))) }
        nudge = next
    }
}

extension NudgeDirection {
    /// The direction of two signs, right and down positive; `nil` at rest.
    init?(x: Int, y: Int) {
        guard let direction = Self.allCases.first(where: { $0.signs == (x, y) }) else { return nil }
        self = direction
    }

    /// Which way it goes, right and down positive.
    var signs: (x: Int, y: Int) {
        switch self {
        case .up: (0, -1)
        case .down: (0, 1)
        case .left: (-1, 0)
        case .right: (1, 0)
        case .upLeft: (-1, -1)
        case .upRight: (1, -1)
        case .downLeft: (-1, 1)
        case .downRight: (1, 1)
        }
    }
}

extension PadContact {
    fileprivate init(_ contact: HIDContact) {
        self.init(
            id: contact.number,
            point: PadPoint(
                x: HIDContact.pixel(contact.x, of: PadPoint.full + 1),
                y: HIDContact.pixel(contact.y, of: PadPoint.full + 1)),
            phase: ContactPhase(contact.phase))
    }
}

extension ContactPhase {
    /// What a finger did, by its report.
    public init(_ phase: HIDContact.Phase) {
        switch phase {
        case .down: self = .began
        case .moved: self = .moved
        case .still: self = .stationary
        case .up: self = .ended
        }
    }
}

extension Key {
    /// The key of a usage; `nil` for usages that are no key of a car. A pad's button selects.
    public init?(_ usage: HIDUsage) {
        guard let known = Self.usages.first(where: { $0.usage == usage }) else { return nil }
        self = known.key
    }

    private static let usages: [(usage: HIDUsage, key: Key)] = [
        (.home, .home), (.back, .back), (.button1, .select),
        (HIDUsage(HIDUsage.consumerPage, 0x41), .select), (HIDUsage(HIDUsage.consumerPage, 0x42), .up),
        (HIDUsage(HIDUsage.consumerPage, 0x43), .down), (HIDUsage(HIDUsage.consumerPage, 0x44), .left),
        (HIDUsage(HIDUsage.consumerPage, 0x45), .right), (HIDUsage(HIDUsage.consumerPage, 0xCF), .voice),
        (HIDUsage(HIDUsage.consumerPage, 0xE2), .mute), (MediaKey.play.usage, .play), (MediaKey.pause.usage, .pause),
        (MediaKey.playPause.usage, .playPause), (MediaKey.next.usage, .next), (MediaKey.previous.usage, .previous),
        (TelephonyKey.hookSwitch.usage, .hookSwitch), (TelephonyKey.flash.usage, .call),
        (TelephonyKey.drop.usage, .hangUp), (TelephonyKey.mute.usage, .mute),
    ]
}
