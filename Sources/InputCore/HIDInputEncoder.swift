public import HIDReports
public import RigModel

/// One input device of a head unit on the link.
public struct HIDOutlet: Equatable, Sendable {
    /// Its number on the link, from 1.
    public var id: UInt16
    /// What it is called.
    public var name: String
    /// What it is.
    public var input: StandardInput
    /// For a touchscreen, the display that it lies on, by place.
    public var display: Int?
}

/// The input devices of a head unit, and what a person does with them as reports.
///
/// What the devices cannot say has no report: a third finger on a touchscreen, a key that none of them has.
public struct HIDInputEncoder: Sendable {
    /// The largest coordinate of a touchscreen, whatever its pixels: the largest that a descriptor holds, so that every
    /// pixel of a display can be said and a display may change.
    public static let touchMaximum = 32_767
    /// Contacts of the touchpad.
    public static let padContacts = 10

    /// A finger that is down, and who put it there.
    private struct Finger: Equatable, Sendable {
        var owner: UInt64
        var id: Int
        var x: UInt16
        var y: UInt16
    }

    /// What somebody holds down, and who.
    private struct Hand: Equatable, Sendable {
        enum Control: Equatable, Sendable {
            case select
            case nudge(NudgeDirection)
            case key(Key)
        }

        var owner: UInt64
        var control: Control
    }

    /// The slots of a touch device while fingers are put into them, for one report after the other.
    private struct Slots: Sendable {
        /// What the slots hold in this report.
        private(set) var list: [(finger: Finger?, isDown: Bool)] = []
        private var isLeftOut = false
        private var joins = false

        /// Whether there is something to say: not when no finger has a slot, or some begin together and not all of them
        /// find one.
        var isNews: Bool { joins || !isLeftOut }

        mutating func begin(_ fingers: [Finger?]) {
            list.removeAll(keepingCapacity: true)
            for finger in fingers { list.append((finger, finger != nil)) }
            isLeftOut = false
            joins = false
        }

        /// Puts a finger into its slot: a new one into that of its own number, else into the first that is free. One that
        /// comes to others when no slot is free is left out until it is lifted.
        mutating func place(_ finger: Finger, _ phase: ContactPhase) {
            let known = list.firstIndex { $0.finger?.owner == finger.owner && $0.finger?.id == finger.id }
            switch phase {
            case .began:
                let free = list.indices.contains(finger.id) && list[finger.id].finger == nil ? finger.id : nil
                if let slot = known ?? free ?? list.firstIndex(where: { $0.finger == nil }) {
                    list[slot] = (finger, true)
                } else {
                    isLeftOut = true
                }
            case .moved, .stationary, .ended, .cancelled:
                guard let slot = known else {
                    isLeftOut = true
                    return
                }
                joins = true
                list[slot] = (finger, phase == .moved || phase == .stationary)
            }
        }

        /// Tells what the slots hold after this report.
        func keep(in fingers: inout [Finger?]) {
            for (index, slot) in list.enumerated() { fingers[index] = slot.isDown ? slot.finger : nil }
        }
    }

    /// The devices.
    public let outlets: [HIDOutlet]

    private var knob = KnobReport()
    /// For every touchscreen's two slots, the finger in it.
    private var screens: [[Finger?]]
    private var pad: [Finger?] = Array(repeating: nil, count: HIDInputEncoder.padContacts)
    /// What a report is made of; the memory is used again.
    private var slots = Slots()
    private var screenContacts: [TouchscreenReport.Contact] = []
    private var padContacts: [TouchpadReport.Contact] = []
    /// Who holds buttons, directions and keys down, the last of them at the end. Two may hold one: it comes up with the last.
    /// Its size is bounded by what callers and devices may hold.
    private var hands: [Hand] = []
    private var mediaKeys: [MediaKey] = []
    private var telephonyKeys: [TelephonyKey] = []

    /// The devices of a head unit with these displays: a touchscreen for each display that has one, and one knob, touchpad
    /// and set of keys for all.
    public init(displays: [DisplayDescription]) {
        var outlets: [HIDOutlet] = []
        func add(_ name: String, _ input: StandardInput, _ display: Int? = nil) {
            outlets.append(
                HIDOutlet(id: UInt16(truncatingIfNeeded: outlets.count + 1), name: name, input: input, display: display)
            )
        }
        for (index, display) in displays.enumerated() where display.inputs.contains(.touchscreen) {
            add(
                "\(display.name) touchscreen", .touchscreen(maximumX: Self.touchMaximum, maximumY: Self.touchMaximum),
                index)
        }
        if displays.contains(where: { $0.inputs.contains(.knob) }) { add("knob", .knob) }
        if displays.contains(where: { $0.inputs.contains(.touchpad) }) {
            add("touchpad", .touchpad(contacts: Self.padContacts))
        }
        if displays.contains(where: { $0.inputs.contains(.keys) }) {
            add("media keys", .mediaKeys)
            add("telephony keys", .telephonyKeys)
        }
        self.outlets = outlets
        screens = Array(repeating: [nil, nil], count: displays.count)
    }

    /// Whether a gesture can be said, on the display at a place.
    public func carries(_ gesture: Gesture, display: Int) -> Bool {
        switch gesture {
        case .rotate, .press, .nudge: outlet(.knob) != nil
        case .touch(let paths, _): paths.count <= TouchscreenReport.contactCount && touchscreen(display) != nil
        case .touchpad: outlet(.touchpad) != nil
        case .key(let key, _): place(of: key) != nil
        }
    }

    /// Says one event.
    ///
    /// - Parameters:
    ///   - owner: who does it: two may hold one button, and the fingers of two gestures may have the same number.
    ///   - display: where a touch is: the display's place and its pixels.
    ///   - batch: gets the reports, in order.
    /// - Returns: whether a device can say it; otherwise nothing changes.
    public mutating func encode(
        _ event: InputEvent, owner: UInt64, on display: (place: Int, pixels: PixelSize)?,
        into batch: inout HIDReportBatch
    ) -> Bool {
        switch event {
        case .knob(let event): encode(event, owner, into: &batch)
        case .key(let event): encode(event, owner, into: &batch)
        case .touch(let event): encode(event, owner, on: display, into: &batch)
        case .touchpad(let event): encode(event, owner, into: &batch)
        }
    }

    private func outlet(_ function: HIDFunction) -> UInt16? { outlets.first { $0.input.function == function }?.id }

    private func touchscreen(_ display: Int) -> UInt16? { outlets.first { $0.display == display }?.id }

    // MARK: Knob and keys

    /// Takes note of a hand.
    ///
    /// - Returns: whether anybody holds it now.
    private mutating func note(_ control: Hand.Control, down: Bool, by owner: UInt64) -> Bool {
        let hand = Hand(owner: owner, control: control)
        if down {
            if !hands.contains(hand) { hands.append(hand) }
            return true
        }
        // Whoever lets go of what it does not hold leaves nothing down that nobody could let go of.
        let isKnown = hands.contains(hand)
        hands.removeAll { isKnown ? $0 == hand : $0.control == control }
        return hands.contains { $0.control == control }
    }

    private mutating func encode(_ event: KnobEvent, _ owner: UInt64, into batch: inout HIDReportBatch) -> Bool {
        guard let outlet = outlet(.knob) else { return false }
        knob.wheel = 0
        switch event {
        case .rotate(let detents):
            var left = Int(detents)
            let most = Int(KnobReport.maximum)
            // At most `Gesture.maximumDetents`, or what one frame of a knob says; more than a second's worth of turning
            // is cut.
            for _ in 0..<16 where left != 0 {
                let step = min(max(left, -most), most)
                knob.wheel = Int8(step)
                batch.append(knob, of: outlet)
                left -= step
            }
            knob.wheel = 0
            return true
        case .pressed:
            _ = note(.select, down: true, by: owner)
            knob.buttons.insert(.select)
        case .released: if !note(.select, down: false, by: owner) { knob.buttons.remove(.select) }
        case .nudge(let direction, let down):
            _ = note(.nudge(direction), down: down, by: owner)
            // The stick leans to where it was pushed last.
            var signs = (0, 0)
            for hand in hands { if case .nudge(let held) = hand.control { signs = held.signs } }
            knob.x = Int8(signs.0) * KnobReport.maximum
            knob.y = Int8(signs.1) * KnobReport.maximum
        }
        batch.append(knob, of: outlet)
        return true
    }

    /// Where a key is.
    private enum KeyPlace {
        case knob(KnobReport.Buttons)
        case media(MediaKey)
        case telephony(TelephonyKey)
    }

    /// Where a key is, among the devices that there are. Voice is no key on the link: a unit asks for it in the session.
    private func place(of key: Key) -> (KeyPlace, outlet: UInt16)? {
        let place: KeyPlace
        let function: HIDFunction
        switch key {
        case .home: (place, function) = (.knob(.home), .knob)
        case .back: (place, function) = (.knob(.back), .knob)
        case .play: (place, function) = (.media(.play), .mediaKeys)
        case .pause: (place, function) = (.media(.pause), .mediaKeys)
        case .playPause: (place, function) = (.media(.playPause), .mediaKeys)
        case .next: (place, function) = (.media(.next), .mediaKeys)
        case .previous: (place, function) = (.media(.previous), .mediaKeys)
        case .call: (place, function) = (.telephony(.flash), .telephonyKeys)
        case .hangUp: (place, function) = (.telephony(.drop), .telephonyKeys)
        case .hookSwitch: (place, function) = (.telephony(.hookSwitch), .telephonyKeys)
        case .mute: (place, function) = (.telephony(.mute), .telephonyKeys)
        case .voice, .up, .down, .left, .right, .select: return nil
        }
        return outlet(function).map { (place, $0) }
    }

    private mutating func encode(_ event: KeyEvent, _ owner: UInt64, into batch: inout HIDReportBatch) -> Bool {
        guard let (place, outlet) = place(of: event.key) else { return false }
        let isDown = note(.key(event.key), down: event.down, by: owner)
        switch place {
        case .knob(let button):
            if isDown { knob.buttons.insert(button) } else { knob.buttons.remove(button) }
            knob.wheel = 0
            batch.append(knob, of: outlet)
        case .media(let key):
            mediaKeys.removeAll { $0 == key }
            if isDown { mediaKeys.append(key) }
            batch.append(MediaKeyReport(mediaKeys.last), of: outlet)
        case .telephony(let key):
            telephonyKeys.removeAll { $0 == key }
            if isDown { telephonyKeys.append(key) }
            batch.append(TelephonyKeyReport(telephonyKeys.last), of: outlet)
        }
        return true
    }

    // MARK: Touches

    private mutating func encode(
        _ event: TouchEvent, _ owner: UInt64, on display: (place: Int, pixels: PixelSize)?,
        into batch: inout HIDReportBatch
    ) -> Bool {
        guard let (display, pixels) = display, let outlet = touchscreen(display), screens.indices.contains(display)
        else { return false }
        func coordinate(_ pixel: Int, _ count: Int) -> UInt16 {
            let most = max(1, count - 1)
            return UInt16(clamping: (min(max(pixel, 0), most) * Self.touchMaximum + most / 2) / most)
        }
        slots.begin(screens[display])
        for contact in event.contacts {
            let finger = Finger(
                owner: owner, id: contact.id, x: coordinate(contact.point.x, pixels.width),
                y: coordinate(contact.point.y, pixels.height))
            slots.place(finger, contact.phase)
        }
        guard slots.isNews else { return false }
        slots.keep(in: &screens[display])
        screenContacts.removeAll(keepingCapacity: true)
        for (index, slot) in slots.list.enumerated() {
            screenContacts.append(
                TouchscreenReport.Contact(
                    index: UInt8(index), isTouching: slot.isDown, x: slot.finger?.x ?? 0, y: slot.finger?.y ?? 0))
        }
        batch.append(TouchscreenReport(contacts: screenContacts), of: outlet)
        return true
    }

    private mutating func encode(
        _ event: TouchpadEvent, _ owner: UInt64, into batch: inout HIDReportBatch
    ) -> Bool {
        guard let outlet = outlet(.touchpad) else { return false }
        slots.begin(pad)
        for contact in event.contacts {
            let finger = Finger(
                owner: owner, id: contact.id, x: UInt16(clamping: contact.point.x), y: UInt16(clamping: contact.point.y)
            )
            slots.place(finger, contact.phase)
        }
        guard slots.isNews else { return false }
        slots.keep(in: &pad)
        padContacts.removeAll(keepingCapacity: true)
        for (index, slot) in slots.list.enumerated() {
            guard let finger = slot.finger else { continue }
            padContacts.append(.init(id: UInt8(index), isTouching: slot.isDown, x: finger.x, y: finger.y))
        }
        batch.append(TouchpadReport(contacts: padContacts, capacity: Self.padContacts), of: outlet)
        return true
    }
}
