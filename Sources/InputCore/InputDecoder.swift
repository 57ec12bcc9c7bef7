public import RigModel

/// Turns the frames of one input node into what was done with it.
///
/// Which code means what is the layout's matter, so one decoder serves all: knobs, keyboards as knobs, keys, touchpads,
/// touchscreens. It needs to know nothing of lost events: the edge tells what the kernel's state shows to be different,
/// in a frame like any other. Frames from a device cannot trap it, whatever is in them.
public struct InputDecoder: Sendable {
    /// What the node is.
    public let layout: InputLayout

    private var turns: TurnDecoder?
    private var keys: KeyDecoder
    private var contacts: ContactDecoder?
    private var gestures: PadGestures?
    private let transform: SurfaceTransform?
    private var frames = ContactFrames()
    /// The last frame of a touchpad, whose memory the next one takes when nobody has it any more.
    private var padFrame = TouchpadEvent(contacts: [])

    /// A decoder for a node that was just opened.
    public init(_ layout: InputLayout, limits: IntentLimits = IntentLimits()) {
        self.layout = layout
        turns = layout.turn.map(TurnDecoder.init)
        keys = KeyDecoder(layout)
        contacts = layout.surface.map(ContactDecoder.init)
        transform = layout.surface.map(SurfaceTransform.init)
        if let surface = layout.surface {
            switch surface.kind {
            case .screen: break
            case .pad, .focusPad: gestures = PadGestures(surface, limits)
            }
        }
    }

    /// Takes one frame and appends what was done, in the order turns, keys, contacts; the intents of a touchpad follow the
    /// contacts that show them.
    public mutating func decode(_ frame: EvdevFrame, into inputs: inout [DeviceInput]) {
        let isState: Bool
        switch frame.cause {
        case .initial: isState = true
        case .reported, .recovered: isState = false
        }
        let firstInput = inputs.count
        for event in frame.events {
            if event.type == EvdevCode.key {
                keys.take(event.code, event.value, isState: isState, time: event.time, into: &inputs)
            }
            if event.type == EvdevCode.absolute {
                keys.takeAxis(event.code, event.value, isState: isState)
            }
            if turns?.listens(type: event.type, code: event.code) == true {
                turns?.take(event.value, isState: isState)
            }
            contacts?.take(event, isState: isState, into: &frames)
        }
        keys.finish(into: &inputs)
        contacts?.finish(into: &frames)
        notePress(inputs[firstInput...])
        let turned = keys.takeTurn() + (turns?.finish(time: frame.time) ?? 0)
        // A knob that was turned and pressed at once was turned first.
        if turned != 0 { inputs.insert(.event(.knob(.rotate(detents: Int32(clamping: turned)))), at: firstInput) }
        tellContacts(at: frame.time, into: &inputs)
    }

    /// The node is gone: whatever is held or touches it is let go.
    public mutating func end(time: UInt64, into inputs: inout [DeviceInput]) {
        Self.tell(turns?.end(time: time) ?? 0, &inputs)
        keys.end(time: time, into: &inputs)
        contacts?.end(into: &frames)
        tellContacts(at: time, into: &inputs)
    }

    /// When `deadlineReached` is to be called; `nil` when nothing waits.
    public var nextDeadline: UInt64? {
        switch (turns?.nextDeadline, keys.nextDeadline) {
        case (let first?, let second?): min(first, second)
        case (let first, let second): first ?? second
        }
    }

    /// Time has passed: contacts that bounced have settled.
    public mutating func deadlineReached(now: UInt64, into inputs: inout [DeviceInput]) {
        Self.tell(turns?.deadlineReached(now: now) ?? 0, &inputs)
        keys.deadlineReached(now: now, into: &inputs)
    }

    private static func tell(_ detents: Int64, _ inputs: inout [DeviceInput]) {
        if detents != 0 { inputs.append(.event(.knob(.rotate(detents: Int32(clamping: detents))))) }
    }

    private mutating func notePress(_ inputs: ArraySlice<DeviceInput>) {
        guard gestures != nil else { return }
        for case .event(.key(let key)) in inputs where key.down { gestures?.pressed() }
    }

    private mutating func tellContacts(at time: UInt64, into inputs: inout [DeviceInput]) {
        guard let surface = layout.surface, let contacts else { return }
        for place in 0..<frames.count {
            let frame = frames[place]
            switch surface.kind {
            case .screen: inputs.append(.touch(frame))
            case .pad, .focusPad:
                padFrame.contacts.removeAll(keepingCapacity: true)
                for contact in frame { padFrame.contacts.append(padContact(contact)) }
                inputs.append(.event(.touchpad(padFrame)))
                gestures?.take(frame, fingers: contacts.fingers, time: time) { inputs.append(.intent($0)) }
            }
        }
        gestures?.count(fingers: contacts.fingers)
        frames.removeAll()
    }

    private func padContact(_ contact: SurfaceContact) -> PadContact {
        let place = transform?.place(x: contact.x, y: contact.y)
        return PadContact(
            id: contact.id,
            point: PadPoint(
                x: place?.x.place(of: PadPoint.full + 1) ?? 0, y: place?.y.place(of: PadPoint.full + 1) ?? 0),
            phase: contact.phase)
    }
}
