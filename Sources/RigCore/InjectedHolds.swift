import RigModel

/// Who has something down by single inputs.
enum InputHolder: Equatable, Sendable {
    /// A client, by its calls.
    case client(ClientID)
    /// A scenario, by its steps.
    case run(UInt64)
    /// A sequence: what it holds is its own, and none of its client's.
    case sequence(UInt64)

    /// Whose fingers they are, above the numbers of input that tell gestures apart and below those of real devices.
    var owner: UInt64 {
        switch self {
        case .client(let client): 1 << 62 | client.number
        case .run(let run): 1 << 61 | run
        case .sequence(let sequence): 1 << 60 | sequence
        }
    }
}

/// Where injected input goes.
struct InputPlace: Equatable, Sendable {
    /// The session, or `nil` for nobody but subscribers.
    var session: SessionID?
    /// The display by its description's name.
    var display: String?
}

/// What is down by single inputs, for whom and where, in the order in which it went down.
struct InjectedHolds: Sendable {
    /// The most that one caller holds: ours; ten fingers, a knob and more keys than hands push.
    static let maximumPerHolder = 32

    /// One thing that is down.
    struct Hold: HeldDown, Sendable {
        let holder: InputHolder
        let place: InputPlace
        let control: HeldControl
        let since: UInt64
        fileprivate(set) var x = 0
        fileprivate(set) var y = 0
        /// The mark of what put it there, or moved it last.
        fileprivate(set) var tag: String?
        /// Whether it is published as it comes over the link, as what put it there was.
        fileprivate(set) var isThrough: Bool?

        func isTogether(with other: Hold) -> Bool { holder == other.holder && place == other.place }
    }

    /// What is free for a single input.
    struct Room: Sendable {
        /// How many fingers its surface takes, of all callers together.
        var fingers: Int
        /// How many more things may be down by all callers together.
        var controls: Int
        /// Of how many that is what is left.
        var limit: Int

        /// For somebody whose room is kept: as much as one caller holds.
        static let ofOne = Room(
            fingers: Gesture.maximumContacts, controls: maximumPerHolder, limit: maximumPerHolder)
    }

    /// What a single input comes to.
    struct Taken: Sendable {
        /// The event.
        var event: InputEvent
        /// The way that what it belongs to went; `nil` for what begins.
        var isThrough: Bool?
        /// What it puts down.
        var begun: [HeldControl]
    }

    /// What is to be let go together.
    struct Release: Sendable {
        var event: InputEvent
        var hold: Hold
    }

    private(set) var holds: [Hold] = []

    /// Where something that a single input goes on with, or ends, is held, when no display is named with it; `nil` when it
    /// begins something new.
    ///
    /// A frame of fingers goes to the one place where its caller has all of those down that it moves or lifts; one that
    /// only puts fingers down joins those that its caller has down, if they are in one place.
    ///
    /// - Parameter session: the session of a device that is named; `nil` when none is.
    /// - Throws: `invalidParameter` when that is not one place, or when a finger that is moved or lifted is not down.
    func place(
        of input: SingleInput, by holder: InputHolder, in session: SessionID?
    ) throws(CommandFailure) -> InputPlace? {
        func last(_ control: HeldControl) -> InputPlace? {
            holds.last { $0.holder == holder && $0.control == control && isIn(session, $0) }?.place
        }
        switch input {
        case .press(let down): return down ? nil : last(.button)
        case .nudge(let direction, let down): return down ? nil : last(.nudge(direction))
        case .key(let key, let down): return down ? nil : last(.key(key))
        case .touch(let changes):
            return try place(of: changes.map { ($0.id, $0.change.phase) }, on: .display, by: holder, in: session)
        case .touchpad(let changes):
            return try place(of: changes.map { ($0.id, $0.change.phase) }, on: .pad, by: holder, in: session)
        }
    }

    private func isIn(_ session: SessionID?, _ hold: Hold) -> Bool { session == nil || hold.place.session == session }

    private func place(
        of moves: [(id: Int, phase: ContactPhase)], on surface: HeldControl.Surface, by holder: InputHolder,
        in session: SessionID?
    ) throws(CommandFailure) -> InputPlace? {
        var places: [InputPlace] = []
        for hold in holds where hold.holder == holder && hold.control.surface == surface && isIn(session, hold) {
            if !places.contains(hold.place) { places.append(hold.place) }
        }
        let field = surface.field
        for (number, move) in moves.enumerated() where move.phase != .began {
            let control = HeldControl.finger(move.id, on: surface)
            guard holds.contains(where: { $0.holder == holder && $0.control == control && isIn(session, $0) }) else {
                throw Self.notDown(move.id, field, number)
            }
            places.removeAll { index(of: control, holder, $0) == nil }
        }
        guard places.count > 1 else {
            if let only = places.first { return only }
            guard moves.contains(where: { $0.phase != .began }) else { return nil }
            throw .invalidParameter(
                "\(field).frame",
                text: "the fingers of this frame are not down on one display; each frame is of one display")
        }
        let names = places.map { place in
            let session = place.session?.name ?? "no session"
            return place.display.map { "\(session)/\($0)" } ?? session
        }
        throw .invalidParameter(
            "display",
            text:
                "this caller has such fingers down on \(names.joined(separator: " and ")): name the display that is meant"
        )
    }

    /// Takes a single input, or says why it cannot be. Then nothing has changed.
    ///
    /// - Parameters:
    ///   - room: what others leave to it.
    ///   - now: of what goes down, the time; of what comes up, that until which it was held.
    mutating func take(
        _ input: SingleInput, by holder: InputHolder, at place: InputPlace, tag: String?, room: Room,
        longPress: UInt64, now: UInt64
    ) throws(CommandFailure) -> Taken {
        switch input {
        case .press(true):
            try begin(.button, holder, place, tag, room, now)
            return Taken(event: .knob(.pressed), begun: [.button])
        case .press(false):
            let hold = try end(.button, holder, place)
            return Taken(
                event: .released(held: now - min(hold.since, now), longPress: longPress), isThrough: hold.isThrough,
                begun: [])
        case .nudge(let direction, let down):
            let control = HeldControl.nudge(direction)
            if down { try begin(control, holder, place, tag, room, now) }
            let way = down ? nil : try end(control, holder, place).isThrough
            return Taken(
                event: .knob(.nudge(direction, down: down)), isThrough: way, begun: down ? [control] : [])
        case .key(let key, let down):
            let control = HeldControl.key(key)
            if down { try begin(control, holder, place, tag, room, now) }
            let way = down ? nil : try end(control, holder, place).isThrough
            return Taken(
                event: .key(KeyEvent(key: key, down: down)), isThrough: way, begun: down ? [control] : [])
        case .touch(let changes):
            let moves = changes.map { Move(id: $0.id, $0.change.phase, $0.change.point.map { ($0.x, $0.y) }) }
            let frame = try frame(moves, on: .display, holder, place, tag, room, now)
            let contacts = frame.fingers.map { finger in
                Contact(id: finger.id, point: PixelPoint(x: finger.x, y: finger.y), phase: finger.phase)
            }
            return Taken(event: .touch(TouchEvent(contacts: contacts)), isThrough: frame.way, begun: frame.begun)
        case .touchpad(let changes):
            let moves = changes.map { Move(id: $0.id, $0.change.phase, $0.change.point.map { ($0.x, $0.y) }) }
            let frame = try frame(moves, on: .pad, holder, place, tag, room, now)
            let contacts = frame.fingers.map { finger in
                PadContact(id: finger.id, point: PadPoint(x: finger.x, y: finger.y), phase: finger.phase)
            }
            return Taken(
                event: .touchpad(TouchpadEvent(contacts: contacts)), isThrough: frame.way, begun: frame.begun)
        }
    }

    /// Remembers which way went what has just been put down.
    mutating func went(_ isThrough: Bool, _ controls: [HeldControl], of holder: InputHolder, at place: InputPlace) {
        for index in holds.indices
        where holds[index].holder == holder && holds[index].place == place && controls.contains(holds[index].control) {
            holds[index].isThrough = isThrough
        }
    }

    /// Takes out what went down first of that which meets a condition, as what is to be published of it: the fingers of one
    /// caller on one surface as one. `nil` when nothing is left.
    mutating func releaseNext(longPress: UInt64, now: UInt64, _ isMeant: (Hold) -> Bool) -> Release? {
        guard let (event, taken) = holds.takeOutNext(longPress: longPress, now: now, where: isMeant) else { return nil }
        return taken.first.map { Release(event: event, hold: $0) }
    }

    /// How many are down by others than sequences.
    var countBesideSequences: Int {
        holds.count { hold in
            if case .sequence = hold.holder { false } else { true }
        }
    }

    // MARK: Controls

    private func index(of control: HeldControl, _ holder: InputHolder, _ place: InputPlace) -> Int? {
        // A knob and a key belong to the session, whatever display is named with them.
        holds.firstIndex {
            $0.holder == holder && $0.control == control && $0.place.session == place.session
                && (control.surface == nil || $0.place.display == place.display)
        }
    }

    /// Checks that so many more can be down, before any of them is.
    private func checkRoom(for count: Int, _ holder: InputHolder, _ room: Room) throws(CommandFailure) {
        guard count > 0 else { return }
        guard holds.count(where: { $0.holder == holder }) + count <= Self.maximumPerHolder else {
            throw .limitReached("heldInputsPerCaller", Self.maximumPerHolder)
        }
        guard count <= room.controls else { throw .limitReached("heldInputs", room.limit) }
    }

    private mutating func begin(
        _ control: HeldControl, _ holder: InputHolder, _ place: InputPlace, _ tag: String?, _ room: Room,
        _ now: UInt64
    ) throws(CommandFailure) {
        let (field, what) = control.naming
        guard index(of: control, holder, place) == nil else {
            throw .invalidParameter(field, text: "\(what) is down already; let it go first")
        }
        try checkRoom(for: 1, holder, room)
        holds.append(Hold(holder: holder, place: place, control: control, since: now, tag: tag))
    }

    private mutating func end(
        _ control: HeldControl, _ holder: InputHolder, _ place: InputPlace
    ) throws(CommandFailure) -> Hold {
        let (field, what) = control.naming
        guard let index = index(of: control, holder, place) else {
            throw .invalidParameter(field, text: "\(what) is not down by this caller, or no more: \(Self.lost)")
        }
        return holds.remove(at: index)
    }

    private static let lost = "what is held is let go with its session and its connection"

    private static func notDown(_ id: Int, _ field: String, _ number: Int) -> CommandFailure {
        let cause = "what is down is lifted with its session, its connection and its display's pixels"
        return .invalidParameter(
            "\(field).frame.\(number).phase", text: "finger \(id) is not down by this caller, or no more: \(cause)")
    }

    // MARK: Fingers

    private struct Move {
        let id: Int
        let phase: ContactPhase
        let point: (x: Int, y: Int)?

        init(id: Int, _ phase: ContactPhase, _ point: (x: Int, y: Int)?) {
            self.id = id
            self.phase = phase
            self.point = point
        }
    }

    private struct Frame {
        var fingers: [(id: Int, x: Int, y: Int, phase: ContactPhase)]
        var way: Bool?
        var begun: [HeldControl]
    }

    /// One frame of a surface: every finger of the caller that is down there or was just lifted.
    private mutating func frame(
        _ moves: [Move], on surface: HeldControl.Surface, _ holder: InputHolder, _ place: InputPlace, _ tag: String?,
        _ room: Room, _ now: UInt64
    ) throws(CommandFailure) -> Frame {
        func control(_ id: Int) -> HeldControl { .finger(id, on: surface) }
        let field = surface.field
        var begun: [HeldControl] = []
        for (number, move) in moves.enumerated() {
            let isDown = index(of: control(move.id), holder, place) != nil
            if move.phase == .began {
                begun.append(control(move.id))
                guard isDown else { continue }
                throw .invalidParameter(
                    "\(field).frame.\(number).phase", text: "finger \(move.id) is down already; it can move or end")
            }
            guard isDown else { throw Self.notDown(move.id, field, number) }
        }
        let ended = moves.count { $0.phase == .ended }
        let isSequence = if case .sequence = holder { true } else { false }
        // A sequence was taken as a whole, whatever others hold by the time of its steps.
        let down = holds.count {
            $0.place == place && $0.control.surface == surface && (!isSequence || $0.holder == holder)
        }
        guard begun.isEmpty || down - ended + begun.count <= room.fingers else {
            throw .invalidParameter(
                "\(field).frame",
                text: "this surface takes \(room.fingers) fingers at once, and \(down) are down already")
        }
        try checkRoom(for: begun.count - ended, holder, room)
        let own = holds.indices.filter {
            holds[$0].holder == holder && holds[$0].place == place && holds[$0].control.surface == surface
        }
        let way = own.first.flatMap { holds[$0].isThrough }
        for move in moves {
            if move.phase == .began {
                holds.append(
                    Hold(holder: holder, place: place, control: control(move.id), since: now, isThrough: way))
            }
            guard let index = index(of: control(move.id), holder, place) else { continue }
            if let point = move.point { (holds[index].x, holds[index].y) = point }
            holds[index].tag = tag
        }
        var fingers: [(id: Int, x: Int, y: Int, phase: ContactPhase)] = []
        for hold in holds where hold.holder == holder && hold.place == place {
            guard let id = hold.control.fingerNumber, hold.control.surface == surface else { continue }
            let phase = moves.first { $0.id == id }?.phase ?? .stationary
            fingers.append((id, hold.x, hold.y, phase))
        }
        fingers.sort { $0.id < $1.id }
        for move in moves where move.phase == .ended {
            if let index = index(of: control(move.id), holder, place) { holds.remove(at: index) }
        }
        return Frame(fingers: fingers, way: way, begun: begun)
    }
}

extension HeldControl {
    /// The parameter that lets it go, and what it is called.
    var naming: (field: String, what: String) {
        switch self {
        case .button: ("knob.down", "the knob")
        case .nudge(let direction): ("knob.down", "the knob, nudged \(direction.rawValue)")
        case .key(let key): ("key.down", "the key \(key.rawValue)")
        case .finger(let id): ("touch.frame", "finger \(id)")
        case .padFinger(let id): ("touchpad.frame", "finger \(id) on the touchpad")
        }
    }

    /// For a finger, its number.
    fileprivate var fingerNumber: Int? {
        switch self {
        case .finger(let id), .padFinger(let id): id
        case .button, .nudge, .key: nil
        }
    }
}

extension HeldControl.Surface {
    /// The parameter that its fingers come in.
    fileprivate var field: String {
        switch self {
        case .display: "touch"
        case .pad: "touchpad"
        }
    }
}
