import RigModel

/// A rig on a virtual clock, just true enough to run scenarios against: handshakes with conditions, sessions with two
/// displays, gestures, generations, removal.
struct FakeRig {
    /// Nanoseconds from one handshake step to the next.
    var stepTime: UInt64 = 20_000_000
    /// Never answers these commands, by their number from 0.
    var silentCommands: Set<Int> = []
    /// Answers these commands with a failure, by their number from 0.
    var refusals: [Int: CommandFailure] = [:]
    /// Takes an unplug but never tells that the device is gone.
    var neverDetaches = false

    private struct Phone {
        var device: Device
        var step = 0
        var session: Session?
        var displays: [Display] = []
        /// Grows with each plug and unplug, so that what was planned before is recognised as stale.
        var life = 0
        var identificationFirst = false
    }

    private enum Work {
        case publish(Event)
        case handshake(name: String, life: Int)
        case detach(name: String, life: Int)
    }

    private var phones: [Phone] = []
    private var plans: [(time: UInt64, order: Int, work: Work)] = []
    private var vehicle = Vehicle()
    private var order = 0
    private var sequence: UInt64 = 0
    private var nextDevice: UInt32 = 1
    private var nextSession: UInt32 = 1
    private var nextInput: UInt64 = 1
    private var front: SessionID?
    private var faults: [Fault] = []
    private var nextFault: UInt32 = 1
    private(set) var commands: [Command] = []

    /// When the next thing happens.
    var nextTime: UInt64? { plans.map(\.time).min() }

    /// Everything that happens at or before `now`, in order.
    mutating func events(until now: UInt64) -> [Event] {
        var published: [Event] = []
        while let next = plans.enumerated().filter({ $0.element.time <= now })
            .min(by: { ($0.element.time, $0.element.order) < ($1.element.time, $1.element.order) })
        {
            plans.remove(at: next.offset)
            switch next.element.work {
            case .publish(var event):
                sequence += 1
                event.sequence = sequence
                event.time = next.element.time
                published.append(event)
            case .handshake(let name, let life): handshake(name, life, next.element.time)
            case .detach(let name, let life): detach(name, life, next.element.time)
            }
        }
        return published
    }

    /// What the rig says to a command, or `nil` when it does not answer.
    mutating func perform(_ command: Command, now: UInt64) -> Result<CommandResult, CommandFailure>? {
        let number = commands.count
        commands.append(command)
        if silentCommands.contains(number) { return nil }
        if let refusal = refusals[number] { return .failure(refusal) }
        switch command {
        case .plug(let request): return plug(request, now)
        case .unplug(let name, let surprise, let generation):
            return with(name, generation) { rig, index in rig.unplug(index, surprise, now) }
        case .setPhone(let name, let generation, let change):
            return with(name, generation) { (rig, index) throws(CommandFailure) in try rig.set(index, change, now) }
        case .retry(let name, let generation): return with(name, generation) { _, _ in .done }
        case .setFront(let name):
            return with(name, nil) { rig, index in
                rig.setFront(rig.phones[index].session?.id, now)
                return .done
            }
        case .setDisplay(let change): return set(change, now)
        case .setVehicle(let change): return set(change, now)
        case .inject(let injection): return inject(injection, now)
        case .send(let request):
            return with(request.device, request.generation) { rig, index in
                rig.send(request, of: rig.phones[index].device.reference, now)
                return .done
            }
        case .setFault(let request):
            let fault = Fault(id: FaultID(nextFault), request: request, device: nil)
            nextFault += 1
            faults.append(fault)
            publish(Event(time: now, kind: .faultArmed, origin: .declared, payload: .fault(fault)), at: now)
            return .success(.faultSet(fault))
        case .clearFaults(let selection):
            let cleared = faults.filter { fault in
                switch selection {
                case .all: true
                case .device(let name): fault.request.device == name
                case .these(let ids): ids.contains(fault.id)
                }
            }
            faults.removeAll(where: cleared.contains)
            for fault in cleared {
                publish(
                    Event(
                        time: now, kind: .faultCleared, origin: .declared, payload: .fault(fault, ending: .cleared)),
                    at: now)
            }
            return .success(.faultsCleared(cleared.map(\.id)))
        case .mark(let text):
            publish(Event(time: now, kind: .mark, origin: .declared, payload: .text(text)), at: now)
            return .success(.done)
        }
    }

    /// The rig plays head units: it sends what starts something, its partner the rest.
    private mutating func send(_ request: SendRequest, of device: DeviceReference, _ now: UInt64) {
        let isOurs = request.message.hasPrefix("Start")
        let message = LinkMessage(
            name: request.message, number: request.message, sender: isOurs ? .headUnit : .phone, fields: request.fields)
        publish(
            Event(
                time: now, kind: isOurs ? .messageSent : .messageReceived, origin: .simulated, device: device,
                payload: .message(message)), at: now)
        guard request.message.hasPrefix("0x") else { return }
        let odd = Irregularity(
            layer: .control, end: .rig, rule: "unknownMessage", party: .peer, reaction: "keep", text: "unknown")
        publish(
            Event(
                time: now, kind: .linkIrregularity, origin: .simulated, device: device, payload: .irregularity(odd)),
            at: now)
    }

    private mutating func plan(_ work: Work, at time: UInt64) {
        plans.append((time, order, work))
        order += 1
    }

    private mutating func publish(_ event: Event, at time: UInt64) { plan(.publish(event), at: time) }

    private mutating func with(
        _ name: String, _ generation: UInt32?, _ body: (inout FakeRig, Int) throws(CommandFailure) -> CommandResult
    ) -> Result<CommandResult, CommandFailure> {
        let there = phones.filter { $0.device.state != .detached }
        guard let index = phones.firstIndex(where: { $0.device.name == name && $0.device.state != .detached }) else {
            return .failure(.unknownDevice(name, known: there.map(\.device.name)))
        }
        if let generation, phones[index].device.generation != generation {
            return .failure(.staleDevice(name, generation: generation))
        }
        do throws(CommandFailure) {
            return .success(try body(&self, index))
        } catch {
            return .failure(error)
        }
    }
}

// Devices and sessions.
extension FakeRig {
    private mutating func plug(_ request: PlugRequest, _ now: UInt64) -> Result<CommandResult, CommandFailure> {
        let kind: DeviceKind
        switch request.profile {
        case "iphone": kind = .iPhone
        case "android": kind = .androidPhone
        case "head-unit": kind = .headUnit
        default: return .failure(.invalidParameter("profile", text: "there is no profile '\(request.profile)'"))
        }
        let used = phones.filter { $0.device.name.hasPrefix("\(request.profile)-") }.count
        let name = request.name ?? "\(request.profile)-\(used + 1)"
        let facts = DeviceFacts(kind: kind, profile: request.profile, port: "virtual", origin: .simulated)
        let index: Int
        if let known = phones.firstIndex(where: { $0.device.name == name }) {
            guard phones[known].device.state == .detached else {
                return .failure(.invalidParameter("name", text: "'\(name)' is plugged in already"))
            }
            phones[known].device.generation += 1
            phones[known].device.identity = .name
            phones[known].device.phone = request.phone
            index = known
        } else {
            let device = Device(
                id: DeviceID(nextDevice), name: name, facts: facts, peer: .simulated, phone: request.phone)
            nextDevice += 1
            phones.append(Phone(device: device))
            index = phones.count - 1
        }
        phones[index].device.state = .attached
        phones[index].life += 1
        phones[index].step = 0
        phones[index].identificationFirst = request.identificationFirst
        tell(index, .deviceAttached, at: now + 1_000_000)
        plan(.handshake(name: name, life: phones[index].life), at: now + 2_000_000)
        return .success(.plugged(phones[index].device))
    }

    private mutating func tell(_ index: Int, _ kind: EventKind, at time: UInt64, reason: Reason? = nil) {
        let device = phones[index].device
        publish(
            Event(
                time: time, kind: kind, origin: .simulated, device: device.reference, payload: .device(device),
                reason: reason), at: time)
    }

    private mutating func tellSession(_ index: Int, _ kind: EventKind, at time: UInt64, reason: Reason? = nil) {
        guard let session = phones[index].session else { return }
        publish(
            Event(
                time: time, kind: kind, origin: .simulated, device: session.device, session: session.id,
                payload: .session(session), reason: reason), at: time)
    }

    /// One step of the handshake: opened, synchronizing, authenticating and identifying in either order, starting, active.
    private mutating func handshake(_ name: String, _ life: Int, _ now: UInt64) {
        guard let index = phones.firstIndex(where: { $0.device.name == name }), phones[index].life == life else {
            return
        }
        let conditions = phones[index].device.phone ?? PhoneConditions()
        let isFirst = phones[index].identificationFirst
        let order: [SessionPhase] =
            isFirst
            ? [.detecting, .synchronizing, .identifying, .authenticating, .starting, .active]
            : [.detecting, .synchronizing, .authenticating, .identifying, .starting, .active]
        let phase = order[min(phones[index].step, order.count - 1)]
        if phase == .detecting {
            phones[index].session = Session(
                id: SessionID(nextSession), device: phones[index].device.reference, link: LinkID(nextSession),
                role: .headUnit, peer: .simulated, openedAt: now)
            nextSession += 1
            tellSession(index, .sessionOpened, at: now)
        } else if phase == .starting, conditions.locked || !conditions.trusted {
            let waiting: SessionWait = conditions.locked ? .locked : .untrusted
            if phones[index].session?.waiting != waiting {
                phones[index].session?.waiting = waiting
                tellSession(index, .sessionWaiting, at: now)
            }
            return
        } else if refuses(conditions, phase) {
            let reason = Reason("\(phase.rawValue)Refused", .peer, "the phone refused \(phase.rawValue)")
            phones[index].device.state = .failed
            phones[index].device.reason = reason
            close(index, reason, now)
            tell(index, .deviceChanged, at: now, reason: reason)
            return
        } else {
            phones[index].session?.waiting = nil
            phones[index].session?.phase = phase
            tellSession(index, .sessionPhase, at: now)
        }
        phones[index].step += 1
        if phase == .active { return activate(index, now) }
        plan(.handshake(name: name, life: life), at: now + stepTime + conditions.slow)
    }

    private func refuses(_ conditions: PhoneConditions, _ phase: SessionPhase) -> Bool {
        switch (conditions.refuse, phase) {
        case (.authentication, .authenticating), (.identification, .identifying), (.session, .starting): true
        default: false
        }
    }

    private mutating func activate(_ index: Int, _ now: UInt64) {
        phones[index].device.state = .active
        phones[index].session?.activeAt = now
        tellSession(index, .sessionActive, at: now)
        guard let session = phones[index].session?.id else { return }
        for (name, role, width) in [("main", DisplayRole.main, 800), ("cluster", .instrumentCluster, 640)] {
            var description = DisplayDescription(
                name: name, role: role, pixels: PixelSize(width: width, height: 480), widthMillimetres: 150,
                heightMillimetres: 90, inputs: [.touchscreen, .knob])
            description.appearance = vehicle.appearance
            let display = Display(session: session, description: description, origin: .simulated)
            phones[index].displays.append(display)
            tell(display, .displayAdded, index, at: now)
        }
        if front == nil { setFront(session, now) }
    }

    private mutating func tell(_ display: Display, _ kind: EventKind, _ index: Int, at time: UInt64) {
        publish(
            Event(
                time: time, kind: kind, origin: .simulated, device: phones[index].device.reference,
                session: display.session, display: display.name, payload: .display(display)), at: time)
    }

    private mutating func setFront(_ session: SessionID?, _ now: UInt64) {
        front = session
        publish(Event(time: now, kind: .frontChanged, origin: .declared, session: session), at: now)
    }

    private mutating func unplug(_ index: Int, _ surprise: Bool, _ now: UInt64) -> CommandResult {
        let reason =
            surprise
            ? Reason("surpriseRemoval", .device, "the device is gone without a goodbye")
            : Reason("goodbye", .peer, "the device said goodbye")
        phones[index].life += 1
        close(index, reason, now + 1_000_000)
        if !neverDetaches {
            plan(.detach(name: phones[index].device.name, life: phones[index].life), at: now + 3_000_000)
        }
        return .done
    }

    private mutating func close(_ index: Int, _ reason: Reason, _ now: UInt64) {
        guard phones[index].session != nil else { return }
        for display in phones[index].displays { tell(display, .displayRemoved, index, at: now) }
        phones[index].displays = []
        phones[index].session?.phase = .closed
        phones[index].session?.reason = reason
        tellSession(index, .sessionClosed, at: now, reason: reason)
        if front == phones[index].session?.id {
            let next = phones.first { $0.session?.phase == .active }?.session?.id
            setFront(next, now)
        }
        phones[index].session = nil
    }

    private mutating func detach(_ name: String, _ life: Int, _ now: UInt64) {
        guard let index = phones.firstIndex(where: { $0.device.name == name }), phones[index].life == life else {
            return
        }
        phones[index].device.state = .detached
        tell(index, .deviceDetached, at: now)
    }

    private mutating func set(_ index: Int, _ change: PhoneChange, _ now: UInt64) throws(CommandFailure)
        -> CommandResult
    {
        let before = phones[index].device.phone ?? PhoneConditions()
        let phone = try change.applied(to: before)
        phones[index].device.phone = phone
        tell(index, .phoneChanged, at: now + 500_000)
        if phones[index].session?.waiting != nil, !phone.locked, phone.trusted {
            plan(.handshake(name: phones[index].device.name, life: phones[index].life), at: now + stepTime)
        }
        return .done
    }
}

// Displays, vehicle and input.
extension FakeRig {
    private mutating func set(_ change: DisplayChange, _ now: UInt64) -> Result<CommandResult, CommandFailure> {
        for index in phones.indices {
            for place in phones[index].displays.indices {
                let display = phones[index].displays[place]
                let isMeant =
                    display.name == change.display
                    || (display.session == front && display.description.name == change.display)
                guard isMeant else { continue }
                var shape = display.description
                if let pixels = change.pixels {
                    shape.pixels = pixels
                    shape.viewAreas = [ViewArea(frame: PixelRect(pixels), safeArea: PixelRect(pixels))]
                }
                if let scale = change.scaleHundredths { shape.scaleHundredths = scale }
                if let area = change.safeArea { shape.viewAreas[0].safeArea = area }
                if let area = change.viewArea { shape.currentViewArea = area }
                if let appearance = change.appearance { shape.appearance = appearance }
                if let limited = change.limitedUI { shape.limitedUI = limited }
                if let problem = shape.problems().first {
                    return .failure(.invalidParameter(problem.field, text: problem.text))
                }
                phones[index].displays[place].description = shape
                phones[index].displays[place].revision += 1
                tell(phones[index].displays[place], .displayChanged, index, at: now)
                return .success(.display(phones[index].displays[place]))
            }
        }
        return .failure(.invalidParameter("display", text: "there is no display '\(change.display)'"))
    }

    private mutating func set(_ change: VehicleChange, _ now: UInt64) -> Result<CommandResult, CommandFailure> {
        let before = vehicle
        change.measures.apply(to: &vehicle.measures)
        if let appearance = change.appearance { vehicle.appearance = appearance }
        if let side = change.driverSide { vehicle.driverSide = side }
        if let keyboard = change.limitKeyboard { vehicle.limitedUI.keyboard = keyboard }
        if let lists = change.limitLists { vehicle.limitedUI.lists = lists }
        vehicle.revision += 1
        publish(
            Event(
                time: now, kind: .vehicleChanged, origin: .declared,
                payload: .vehicle(vehicle, changed: vehicle.changes(since: before))), at: now)
        for index in phones.indices {
            for place in phones[index].displays.indices {
                phones[index].displays[place].description.appearance = vehicle.appearance
                phones[index].displays[place].description.limitedUI = vehicle.limitedUI
                phones[index].displays[place].revision += 1
                tell(phones[index].displays[place], .displayChanged, index, at: now)
            }
        }
        return .success(.vehicle(vehicle))
    }

    private mutating func inject(_ injection: Injection, _ now: UInt64) -> Result<CommandResult, CommandFailure> {
        let frames = frames(injection.input)
        let first = nextInput
        let owner = phones.first {
            injection.device == nil ? $0.session?.id == front && front != nil : $0.device.name == injection.device
        }
        for (offset, event) in frames {
            let kind: EventKind
            switch event {
            case .knob: kind = .inputKnob
            case .touch: kind = .inputTouch
            case .touchpad: kind = .inputTouchpad
            case .key: kind = .inputKey
            }
            let reference = InputReference(id: InputID(nextInput), source: "injected")
            nextInput += 1
            publish(
                Event(
                    time: now, kind: kind, origin: .simulated, device: owner?.device.reference,
                    session: owner?.session?.id, display: injection.display, input: reference,
                    payload: .input(event)), at: now + offset)
        }
        return .success(
            .injected(
                InjectionReceipt(
                    first: InputID(first), count: frames.count, session: owner?.session?.id, reaches: .accepted)))
    }

    private func frames(_ input: InjectedInput) -> [(UInt64, InputEvent)] {
        switch input {
        case .gesture(let gesture): return frames(gesture)
        case .single(.press(true)): return [(0, .knob(.pressed))]
        case .single(.press(false)): return [(0, .knob(.released(held: 0, long: false)))]
        case .single(.nudge(let direction, let down)): return [(0, .knob(.nudge(direction, down: down)))]
        case .single(.key(let key, let down)): return [(0, .key(KeyEvent(key: key, down: down)))]
        case .single(.touch(let changes)):
            let contacts = changes.map { one in
                Contact(id: one.id, point: one.change.point ?? PixelPoint(x: 0, y: 0), phase: one.change.phase)
            }
            return [(0, .touch(TouchEvent(contacts: contacts)))]
        case .single(.touchpad(let changes)):
            let contacts = changes.map { one in
                PadContact(id: one.id, point: one.change.point ?? PadPoint(x: 0, y: 0), phase: one.change.phase)
            }
            return [(0, .touchpad(TouchpadEvent(contacts: contacts)))]
        }
    }

    private func frames(_ gesture: Gesture) -> [(UInt64, InputEvent)] {
        switch gesture {
        case .rotate(let detents, 0): [(0, .knob(.rotate(detents: detents)))]
        case .rotate(let detents, let interval):
            (0..<UInt64(detents.magnitude)).map { ($0 * interval, .knob(.rotate(detents: detents.signum()))) }
        case .press(let hold):
            [(0, .knob(.pressed)), (hold, .knob(.released(held: hold, long: hold >= 500_000_000)))]
        case .nudge(let direction, let hold):
            [(0, .knob(.nudge(direction, down: true))), (hold, .knob(.nudge(direction, down: false)))]
        case .key(let key, let hold):
            [(0, .key(KeyEvent(key: key, down: true))), (hold, .key(KeyEvent(key: key, down: false)))]
        case .touch(let paths, let duration):
            phases(paths, duration) { path, point, phase in Contact(id: path, point: point, phase: phase) }
                .map { ($0.0, .touch(TouchEvent(contacts: $0.1))) }
        case .touchpad(let paths, let duration):
            phases(paths, duration) { path, point, phase in PadContact(id: path, point: point, phase: phase) }
                .map { ($0.0, .touchpad(TouchpadEvent(contacts: $0.1))) }
        }
    }

    private func phases<Point, Frame>(
        _ paths: [ContactPath<Point>], _ duration: UInt64, _ make: (Int, Point, ContactPhase) -> Frame
    ) -> [(UInt64, [Frame])] {
        let start = paths.map { make($0.id, $0.points[0], .began) }
        let end = paths.map { make($0.id, $0.points[$0.points.count - 1], .ended) }
        guard paths.contains(where: { $0.points.count > 1 }) else { return [(0, start), (duration, end)] }
        let middle = paths.map { make($0.id, $0.points[$0.points.count / 2], .moved) }
        return [(0, start), (duration / 2, middle), (duration, end)]
    }
}
