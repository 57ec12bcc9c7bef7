import InputCore
import RigModel

/// Real input devices: knobs, keys, pads and touchscreens at the rig.
extension RigCore {
    /// Takes what a real input device did: it goes to the front session, on the same way as injected input. While it holds
    /// something down, it goes where that began, as a gesture does, until that is taken back.
    mutating func inputArrived(key: String, _ input: InputEvent, time: UInt64, into actions: inout ActionBuffer) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        let (front, isThrough, time) = (front.session, frontIsThrough, min(time, now))
        let taken = devices.update(device.id) { $0.hold.take(input, front: front, isThrough: isThrough, at: time) }
        tellOfTooMuch(device, into: &actions)
        guard let (input, session) = taken ?? nil else { return }
        send(input, of: device, display: nil, to: session, time: time, into: &actions)
    }

    /// Takes what a real input device did before its display is known: a touch gets the pixels of the front session's
    /// touchscreen as that is now, an intent is told to whom the input went.
    mutating func deviceInputArrived(key: String, _ input: DeviceInput, time: UInt64, into actions: inout ActionBuffer)
    {
        switch input {
        case .event(let event): inputArrived(key: key, event, time: time, into: &actions)
        case .touch(let contacts): touched(key: key, contacts, time: time, into: &actions)
        case .intent(let intent): meant(key: key, intent, time: time, into: &actions)
        }
    }

    mutating func inputLost(key: String, into actions: inout ActionBuffer) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        publish(
            Event(
                time: now, kind: .inputLost, origin: .observed, device: device.reference,
                reason: Reason("overflow", .device, "the kernel's queue of this input device ran over; motion is lost")
            ), into: &actions)
    }

    /// Tells once that a device holds more down than is taken from one.
    private mutating func tellOfTooMuch(_ device: Device, into actions: inout ActionBuffer) {
        guard devices.update(device.id, { $0.hold.takeNewsOfTooMuch() }) == true else { return }
        let text =
            "this input device holds \(HardwareHold.maximum) keys and fingers; what it puts down beside is left out"
        publish(
            Event(
                time: now, kind: .inputLost, origin: .observed, device: device.reference,
                reason: Reason("heldInputs", .device, text)), into: &actions)
    }

    /// One frame of a real touchscreen. Without a session there is no display that it could be on.
    private mutating func touched(
        key: String, _ contacts: [SurfaceContact], time: UInt64, into actions: inout ActionBuffer
    ) {
        guard let device = devices.id(key: key).flatMap({ devices[$0]?.device }) else { return }
        let (front, isThrough, time) = (front.session, frontIsThrough, min(time, now))
        let taken = devices.update(device.id) { $0.hold.take(contacts, front: front, isThrough: isThrough, at: time) }
        tellOfTooMuch(device, into: &actions)
        guard let (contacts, session) = taken ?? nil else { return }
        guard let surface = device.facts.surface, let entry = session.flatMap({ sessions[$0] }),
            let display = entry.displays.first(where: { $0.description.inputs.contains(.touchscreen) })
                ?? entry.displays.first
        else {
            devices.update(device.id) { $0.hold.ignoreFingers() }
            return
        }
        let geometry = TouchGeometry(surface, on: display.description, revision: display.revision)
        geometry.place(contacts, into: &touchInHand)
        let event = touchInHand
        let name = display.description.name
        devices.update(device.id) { $0.hold.place(event.contacts, display: name, area: geometry.area) }
        send(.touch(event), of: device, display: name, to: session, time: time, into: &actions)
    }

    /// What was meant by what was done: told where it began, to nobody when that was taken back or is over.
    private mutating func meant(key: String, _ intent: InputIntent, time: UInt64, into actions: inout ActionBuffer) {
        guard let entry = devices.id(key: key).flatMap({ devices[$0] }),
            let listener = entry.hold.listener(of: intent, front: front.session)
        else { return }
        let session = listener.flatMap { sessions[$0]?.session }
        if listener != nil, session == nil { return }
        lastInput += 1
        publish(
            Event(
                time: min(time, now), kind: .inputIntent, origin: .observed, device: session?.device,
                session: session?.id, input: InputReference(id: InputID(lastInput), source: entry.device.name),
                payload: .intent(intent)), into: &actions)
    }

    private var frontIsThrough: Bool {
        let link = front.session.flatMap { sessions.look(at: $0) { $0.session.link } }
        return link.flatMap { links.look(at: $0) { $0.inputWay } } == .through
    }

    private mutating func send(
        _ input: InputEvent, of device: Device, display: String?, to session: SessionID?, time: UInt64,
        into actions: inout ActionBuffer
    ) {
        lastInput += 1
        let stamp = stamp(of: device, display: display, isCancellation: false)
        let session = session.flatMap { sessions.contains($0) ? $0 : nil }
        route(input, stamp, session: session, time: time, into: &actions) { core, isThrough in
            core.devices.update(device.id) { $0.hold.went(input, isThrough: isThrough) }
        }
    }

    /// What the last input is published with. Who does what a device does: each counts its fingers from 0. Above what
    /// gestures are told apart by, the numbers of their first events.
    private func stamp(of device: Device, display: String?, isCancellation: Bool) -> InputStamp {
        InputStamp(
            id: InputID(lastInput), source: device.name, tag: nil, origin: .observed, display: display,
            owner: 1 << 63 | UInt64(device.id.number), isCancellation: isCancellation, isTracked: false)
    }

    // MARK: Taking back

    /// Takes back what real devices hold in a session that ends.
    mutating func takeBackHardware(of session: SessionID, into actions: inout ActionBuffer) {
        for entry in devices.all where entry.hold.isHolding && entry.hold.session == session {
            takeBackHardware(of: entry.device.id, into: &actions)
        }
    }

    /// Takes back what real devices hold in other sessions than that which is in front now.
    mutating func takeBackHardwareBehindFront(into actions: inout ActionBuffer) {
        for entry in devices.all where entry.hold.isHolding && entry.hold.session != front.session {
            takeBackHardware(of: entry.device.id, into: &actions)
        }
    }

    /// Takes back what a real device holds.
    mutating func takeBackHardware(of id: DeviceID, into actions: inout ActionBuffer) {
        let (longPress, now) = (settings.longPress, now)
        takeBack(id, into: &actions) { $0.takeBackNext(longPress: longPress, now: now) }
    }

    /// Takes back the fingers of a real touchscreen, whose surface is another now.
    mutating func takeBackFingers(of id: DeviceID, into actions: inout ActionBuffer) {
        let now = now
        takeBack(id, into: &actions) { $0.takeBackNextFingers(now: now) { _, _ in true } }
    }

    /// Takes back the touches on a display that is about to get another shape, where their places would then lie
    /// elsewhere: those of real devices at the rig, then those that came over the link.
    mutating func takeBackTouches(
        on display: Display, becoming shape: DisplayDescription, into actions: inout ActionBuffer
    ) {
        let session = display.session
        let now = now
        for entry in devices.all where entry.hold.isHolding && entry.hold.session == session {
            guard let owner = sessions[session] else { return }
            let place = owner.displays.firstIndex { $0.name == display.name }
            let surface = entry.device.facts.surface
            takeBack(entry.device.id, into: &actions) { hold in
                hold.takeBackNextFingers(now: now) { name, area in
                    guard owner.place(ofDisplay: name) == place else { return false }
                    guard let area, let surface else { return shape.pixels != display.description.pixels }
                    return TouchGeometry(surface, on: shape, revision: 0).area != area
                }
            }
        }
        guard shape.pixels != display.description.pixels, let entry = sessions[session] else { return }
        let screens = entry.screens
        let parts = sessions.update(session) { entry in
            let first = entry.displays.first
            return entry.held.takeBackTouches { screen in
                (screens.indices.contains(screen) ? screens[screen] : first)?.name == display.name
            }
        }
        for (part, screen) in parts ?? [] { publish(part, screen, entry, into: &actions) }
    }

    /// One frame at a time: the end of a session that one brings about takes the others back before it.
    private mutating func takeBack(
        _ id: DeviceID, into actions: inout ActionBuffer, _ takeNext: (inout HardwareHold) -> HardwareHold.TakenBack?
    ) {
        while let entry = devices[id], let part = devices.update(id, { takeNext(&$0.hold) }) ?? nil {
            lastInput += 1
            route(
                part.input, stamp(of: entry.device, display: part.display, isCancellation: true),
                session: entry.hold.session, isThrough: part.isThrough, time: now, into: &actions)
        }
    }
}
