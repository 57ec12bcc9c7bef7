import RigModel

/// What a subscriber of everything knows, and the rules that what it is told obeys.
struct RigLedger {
    private struct KnownDevice {
        var device: Device
        var isAttached: Bool
    }

    private struct KnownSession {
        var session: Session
        var displays: [Display] = []
        /// What injected input holds down: contacts, buttons, keys.
        var held = 0
    }

    /// Whether devices may be forgotten: the rig remembers fewer unplugged ones than an input can make.
    private let forgets: Bool
    private var sequence: UInt64 = 0
    private var devices: [KnownDevice] = []
    private var sessions: [KnownSession] = []
    private var lastSession: UInt32 = 0
    private var apps: [App] = []
    private var faults: [Fault] = []
    private var front: SessionID?
    private var vehicle: Vehicle?
    private var heldWithoutSession = 0
    /// A session that an event has named and that the next one must open.
    private var announced: SessionID?

    init(forgets: Bool) { self.forgets = forgets }

    /// What the rig plays in the session on a link.
    func role(on link: LinkID) -> Role? { sessions.first { $0.session.link == link }?.session.role }

    /// The names of what is plugged in.
    var attached: [String] { devices.filter(\.isAttached).map(\.device.name) }

    mutating func note(_ event: Event, now: UInt64) throws(FuzzFinding) {
        try require(event.sequence == sequence + 1, "\(event.sequence) follows \(sequence)")
        sequence = event.sequence
        try require(event.time <= now, "\(event.kind) of the time \(event.time) at \(now)")
        if let announced {
            try require(
                event.session == announced && event.kind == .sessionOpened,
                "\(announced.name) is named before it is opened, and then comes \(event.kind)")
            self.announced = nil
        }
        if let session = event.session, event.kind != .sessionOpened,
            !sessions.contains(where: { $0.session.id == session })
        {
            // A device says that it connects just before its session is opened.
            try require(
                event.kind == .deviceChanged && session.number > lastSession,
                "\(event.kind) of session \(session.name), which is not there")
            announced = session
        }
        switch event.payload {
        case .device(let device): try note(device, event)
        case .session(let session): try note(session, event)
        case .display(let display): try note(display, event)
        case .vehicle(let vehicle, let changed, let derivation): try note(vehicle, changed, derivation)
        case .app(let app): try note(app, event)
        case .input(let input): try note(input, event)
        case .fault(let fault, let strike, let ending): try note(fault, strike, ending, event)
        case .none, .intent, .step, .text, .lost, .irregularity, .message, .file: try noteRest(event)
        }
        _ = event.record
    }

    // MARK: Parts

    private mutating func note(_ device: Device, _ event: Event) throws(FuzzFinding) {
        let place = devices.firstIndex { $0.device.name == device.name }
        try require(event.device == device.reference, "an event of another device than it carries")
        switch event.kind {
        case .deviceAttached:
            let before = place.map { devices[$0].device.generation } ?? 0
            // A device that was forgotten leaves its generation to whoever gets a name of somebody's choice.
            try require(
                device.generation == before + 1 || forgets && device.generation > before,
                "\(device.name) comes as generation \(device.generation) after \(before)")
            if let place {
                // What was told to change its mode leaves the bus without a word, and is told of when it is back.
                let mayReturn = devices[place].device.state == .reenumerating
                try require(!devices[place].isAttached || mayReturn, "\(device.name) is attached twice")
                devices.remove(at: place)
            }
            devices.append(KnownDevice(device: device, isAttached: true))
        case .deviceChanged, .phoneChanged, .deviceDetached:
            guard let place, devices[place].isAttached else {
                throw FuzzFinding("\(event.kind) of \(device.name), which is not there")
            }
            devices[place] = KnownDevice(device: device, isAttached: event.kind != .deviceDetached)
            if event.kind == .deviceDetached {
                try require(
                    !sessions.contains { $0.session.device.name == device.name },
                    "\(device.name) is gone before its session")
            }
        default: throw FuzzFinding("\(event.kind) carries a device")
        }
    }

    private mutating func note(_ session: Session, _ event: Event) throws(FuzzFinding) {
        try require(event.session == session.id, "an event of another session than it carries")
        switch event.kind {
        case .sessionOpened:
            try require(session.id.number > lastSession, "\(session.id.name) is opened after s\(lastSession)")
            lastSession = session.id.number
            try require(
                !sessions.contains { $0.session.device.name == session.device.name },
                "\(session.device.name) has a second session")
            sessions.append(KnownSession(session: session))
        case .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed:
            guard let place = sessions.firstIndex(where: { $0.session.id == session.id }) else { return }
            // The same again is told to apps that come to a session.
            let isRepeated = sessions[place].session.phase == .active && event.kind == .sessionActive
            try require(
                isRepeated || event.kind != .sessionActive || sessions[place].displays.isEmpty,
                "\(session.id.name) has displays before it is active")
            sessions[place].session = session
            guard event.kind == .sessionClosed else { return }
            try require(
                sessions[place].displays.isEmpty,
                "\(session.id.name) is closed with \(sessions[place].displays.count) displays")
            try require(
                sessions[place].held == 0,
                "\(session.id.name) is closed while \(sessions[place].held) things are held")
            try require(session.reason != nil, "\(session.id.name) is closed for no reason")
            sessions.remove(at: place)
        default: throw FuzzFinding("\(event.kind) carries a session")
        }
    }

    private mutating func note(_ display: Display, _ event: Event) throws(FuzzFinding) {
        guard let place = sessions.firstIndex(where: { $0.session.id == display.session }) else {
            throw FuzzFinding("\(event.kind) of \(display.name), which belongs to no session")
        }
        try require(sessions[place].session.phase == .active, "\(display.name) in a session that is not active")
        let known = sessions[place].displays.firstIndex { $0.name == display.name }
        switch (event.kind, known) {
        case (.displayAdded, nil):
            try require(display.revision == 1, "\(display.name) is new as revision \(display.revision)")
            sessions[place].displays.append(display)
        case (.displayAdded, let known?):
            // Told again to apps that come to the session; nothing may be new.
            try require(sessions[place].displays[known] == display, "\(display.name) is added twice, and differs")
        case (.displayChanged, let known?):
            let before = sessions[place].displays[known].revision
            try require(display.revision == before + 1, "\(display.name): revision \(display.revision) after \(before)")
            let problems = display.description.problems()
            try require(problems.isEmpty, "\(display.name) is changed to what cannot be: \(problems)")
            sessions[place].displays[known] = display
        default: throw FuzzFinding("\(event.kind) of \(display.name), known: \(known != nil)")
        }
    }

    private mutating func note(
        _ vehicle: Vehicle, _ changed: [VehicleField], _ derivation: VehicleDerivation?
    ) throws(FuzzFinding) {
        try require(!changed.isEmpty, "a vehicle of which nothing changed")
        if let before = self.vehicle {
            try require(
                vehicle.revision == before.revision + 1, "revision \(vehicle.revision) after \(before.revision)")
            try require(
                vehicle.changes(since: before) == changed,
                "\(changed) is told, and \(vehicle.changes(since: before)) is so")
        }
        try require(MeasureChange(vehicle.measures).problem == nil, "the vehicle measures what cannot be")
        if let derivation {
            try require(
                vehicle.automatic.contains(derivation.property), "\(derivation.property) is derived, and is set by hand"
            )
            let field = VehicleField(rawValue: derivation.property.rawValue)
            try require(
                changed == [field].compactMap { $0 }, "\(derivation.property) is derived, and changed is \(changed)")
        }
        self.vehicle = vehicle
    }

    private mutating func note(_ app: App, _ event: Event) throws(FuzzFinding) {
        let place = apps.firstIndex { $0.id == app.id }
        switch (event.kind, place) {
        case (.appLaunched, nil): apps.append(app)
        case (.appEnded, let place?): apps.remove(at: place)
        default: throw FuzzFinding("\(event.kind) of \(app.id.name), known: \(place != nil)")
        }
    }

    private mutating func note(
        _ fault: Fault, _ strike: FaultStrike?, _ ending: FaultEnding?, _ event: Event
    ) throws(FuzzFinding) {
        let place = faults.firstIndex { $0.id == fault.id }
        switch (event.kind, place) {
        case (.faultArmed, nil):
            try require(fault.strikes == 0, "\(fault.id) is new and has struck")
            faults.append(fault)
        case (.faultArmed, let place?): faults[place] = fault
        case (.faultStruck, let place?):
            try require(
                strike != nil && fault.strikes == faults[place].strikes + 1,
                "\(fault.id) has struck \(fault.strikes) times after \(faults[place].strikes)")
            try require(fault.device != nil, "\(fault.id) strikes and has no device")
            faults[place] = fault
        case (.faultCleared, let place?):
            try require(ending != nil, "\(fault.id) ends for no reason")
            faults.remove(at: place)
        default: throw FuzzFinding("\(event.kind) of \(fault.id), known: \(place != nil)")
        }
    }

    private mutating func note(_ input: InputEvent, _ event: Event) throws(FuzzFinding) {
        guard let reference = event.input else { throw FuzzFinding("input without a number") }
        guard reference.source == "injected" else { return }
        guard let session = event.session else {
            heldWithoutSession += input.holds
            return
        }
        guard let place = sessions.firstIndex(where: { $0.session.id == session }) else { return }
        sessions[place].held += input.holds
        try require(sessions[place].held >= 0, "something is let go that was not held: \(input)")
    }

    private mutating func noteRest(_ event: Event) throws(FuzzFinding) {
        switch event.kind {
        case .frontChanged:
            try require(front != event.session, "the front changes from \(String(describing: front)) to itself")
            if let session = event.session {
                try require(
                    sessions.contains { $0.session.id == session && $0.session.phase == .active },
                    "\(session.name) is in front and not active")
            }
            front = event.session
        case .displayRemoved:
            for place in sessions.indices where sessions[place].session.id == event.session {
                let count = sessions[place].displays.count
                sessions[place].displays.removeAll { $0.name == event.display }
                try require(
                    sessions[place].displays.count == count - 1,
                    "\(String(describing: event.display)) is removed and was not there")
            }
        default: break
        }
    }

    // MARK: Snapshots

    /// A snapshot says what the events have said.
    func check(_ state: RecordValue) throws(FuzzFinding) {
        guard state != .null else { return }
        try require(state.value(at: "sequence") == .number(sequence), "a snapshot of another sequence number")
        try require(state.value(at: "front") == front.map { .string($0.name) }, "another front than was told")
        if let vehicle { try require(state.value(at: "vehicle") == vehicle.record, "another vehicle than was told") }
        try compare("devices", devices.filter(\.isAttached).map(\.device.record), state)
        try compare("sessions", sessions.map(\.session.record), state)
        try compare("displays", sessions.flatMap(\.displays).map(\.record), state)
        let apps = apps.map { RecordValue.string($0.id.name) }
        guard case .array(let known)? = state.value(at: "apps") else { throw FuzzFinding("a snapshot without apps") }
        try require(known.map { $0.value(at: "id") } == apps, "other apps than were told")
    }

    private func compare(_ name: String, _ told: [RecordValue], _ state: RecordValue) throws(FuzzFinding) {
        guard case .array(let known)? = state.value(at: name) else { throw FuzzFinding("a snapshot without \(name)") }
        // The order is that of the first plug; a subscriber only knows that of the last.
        try require(known.count == told.count, "\(known.count) \(name), and \(told.count) were told")
        for record in known {
            guard !told.contains(record) else { continue }
            let other = told.first { $0.value(at: "id") == record.value(at: "id") }
            throw FuzzFinding("\(name) differ: \(record), told was \(other ?? .null)")
        }
    }

    /// Nothing is plugged in and nobody is there.
    func checkEmpty() throws(FuzzFinding) {
        try require(attached.isEmpty, "\(attached) cannot be unplugged")
        try require(sessions.isEmpty, "\(sessions.map(\.session.id.name)) are left")
        try require(apps.isEmpty, "\(apps.map(\.id.name)) are left")
        try require(front == nil, "\(front?.name ?? "") is in front of nothing")
        try require(heldWithoutSession == 0, "\(heldWithoutSession) things are held")
    }
}

extension InputEvent {
    /// How many things are held down more after this event than before.
    fileprivate var holds: Int {
        switch self {
        case .knob(.pressed): 1
        case .knob(.released): -1
        case .knob(.nudge(_, let down)): down ? 1 : -1
        case .knob(.rotate): 0
        case .key(let key): key.down ? 1 : -1
        case .touch(let touch): touch.contacts.reduce(0) { $0 + $1.phase.holds }
        case .touchpad(let touch): touch.contacts.reduce(0) { $0 + $1.phase.holds }
        }
    }
}

extension ContactPhase {
    fileprivate var holds: Int {
        switch self {
        case .began: 1
        case .moved, .stationary: 0
        case .ended, .cancelled: -1
        }
    }
}
