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

    /// Something that can be down.
    enum Control: Equatable, Sendable {
        case button
        case nudge(NudgeDirection)
        case key(Key)
        case finger(Int)
        case padFinger(Int)

        /// Whether it is a finger on a display.
        var isTouch: Bool { number?.0 == .display }

        /// A finger's number, with the surface it is on.
        fileprivate var number: (Surface, Int)? {
            switch self {
            case .finger(let id): (.display, id)
            case .padFinger(let id): (.pad, id)
            case .button, .nudge, .key: nil
            }
        }

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
    }

    fileprivate enum Surface: Equatable {
        case display
        case pad
    }

    /// One thing that is down.
    struct Hold: Sendable {
        let holder: InputHolder
        let place: InputPlace
        let control: Control
        let since: UInt64
        /// Where a finger is.
        fileprivate(set) var x = 0
        fileprivate(set) var y = 0
        /// The mark of what put it there, or moved it last.
        fileprivate(set) var tag: String?
        /// Whether it is published as it comes over the link, as what put it there was.
        fileprivate(set) var isThrough: Bool?
    }

    /// What a single input comes to.
    struct Taken: Sendable {
        /// The event.
        var event: InputEvent
        /// The way that what it belongs to went; `nil` for what begins.
        var isThrough: Bool?
        /// What it puts down.
        var begun: [Control]
    }

    /// What is to be let go together.
    struct Release: Sendable {
        var event: InputEvent
        var hold: Hold
    }

    private(set) var holds: [Hold] = []

    /// Where something that a single input goes on with, or ends, is held; `nil` when it begins something new. Fingers
    /// join those of their caller that are down.
    func place(of input: SingleInput, by holder: InputHolder) -> InputPlace? {
        func last(_ isMeant: (Control) -> Bool) -> InputPlace? {
            holds.last { $0.holder == holder && isMeant($0.control) }?.place
        }
        switch input {
        case .press(let down): return down ? nil : last { $0 == .button }
        case .nudge(let direction, let down): return down ? nil : last { $0 == .nudge(direction) }
        case .key(let key, let down): return down ? nil : last { $0 == .key(key) }
        case .touch: return last { $0.number?.0 == .display }
        case .touchpad: return last { $0.number?.0 == .pad }
        }
    }

    /// Takes a single input, or says why it cannot be. Then nothing has changed.
    ///
    /// - Parameters:
    ///   - fingers: how many fingers its surface takes, of all callers together.
    ///   - now: of what goes down, the time; of what comes up, that until which it was held.
    mutating func take(
        _ input: SingleInput, by holder: InputHolder, at place: InputPlace, tag: String?, fingers limit: Int,
        longPress: UInt64, now: UInt64
    ) throws(CommandFailure) -> Taken {
        switch input {
        case .press(true):
            try begin(.button, holder, place, tag, now)
            return Taken(event: .knob(.pressed), begun: [.button])
        case .press(false):
            let hold = try end(.button, holder, place)
            let held = now - min(hold.since, now)
            return Taken(
                event: .knob(.released(held: held, long: held >= longPress)), isThrough: hold.isThrough, begun: [])
        case .nudge(let direction, let down):
            let control = Control.nudge(direction)
            if down { try begin(control, holder, place, tag, now) }
            let way = down ? nil : try end(control, holder, place).isThrough
            return Taken(
                event: .knob(.nudge(direction, down: down)), isThrough: way, begun: down ? [control] : [])
        case .key(let key, let down):
            let control = Control.key(key)
            if down { try begin(control, holder, place, tag, now) }
            let way = down ? nil : try end(control, holder, place).isThrough
            return Taken(
                event: .key(KeyEvent(key: key, down: down)), isThrough: way, begun: down ? [control] : [])
        case .touch(let changes):
            let moves = changes.map { Move(id: $0.id, $0.change.phase, $0.change.point.map { ($0.x, $0.y) }) }
            let frame = try frame(moves, on: .display, holder, place, tag, limit, now)
            let contacts = frame.fingers.map { finger in
                Contact(id: finger.id, point: PixelPoint(x: finger.x, y: finger.y), phase: finger.phase)
            }
            return Taken(event: .touch(TouchEvent(contacts: contacts)), isThrough: frame.way, begun: frame.begun)
        case .touchpad(let changes):
            let moves = changes.map { Move(id: $0.id, $0.change.phase, $0.change.point.map { ($0.x, $0.y) }) }
            let frame = try frame(moves, on: .pad, holder, place, tag, limit, now)
            let contacts = frame.fingers.map { finger in
                PadContact(id: finger.id, point: PadPoint(x: finger.x, y: finger.y), phase: finger.phase)
            }
            return Taken(
                event: .touchpad(TouchpadEvent(contacts: contacts)), isThrough: frame.way, begun: frame.begun)
        }
    }

    /// Remembers which way went what has just been put down.
    mutating func went(_ isThrough: Bool, _ controls: [Control], of holder: InputHolder, at place: InputPlace) {
        for index in holds.indices
        where holds[index].holder == holder && holds[index].place == place && controls.contains(holds[index].control) {
            holds[index].isThrough = isThrough
        }
    }

    /// Takes out what meets a condition, as what is to be published of it: in the order in which it went down, the fingers
    /// of one caller on one surface as one.
    mutating func release(longPress: UInt64, now: UInt64, _ isMeant: (Hold) -> Bool) -> [Release] {
        let meant = holds.filter(isMeant)
        guard !meant.isEmpty else { return [] }
        holds.removeAll(where: isMeant)
        var releases: [Release] = []
        for (index, hold) in meant.enumerated() {
            let event: InputEvent
            switch hold.control {
            case .button:
                let held = now - min(hold.since, now)
                event = .knob(.released(held: held, long: held >= longPress))
            case .nudge(let direction): event = .knob(.nudge(direction, down: false))
            case .key(let key): event = .key(KeyEvent(key: key, down: false))
            case .finger:
                guard let fingers = Self.fingers(of: hold, at: index, among: meant) else { continue }
                event = .touch(
                    TouchEvent(
                        contacts: fingers.map { id, finger in
                            Contact(id: id, point: PixelPoint(x: finger.x, y: finger.y), phase: .cancelled)
                        }))
            case .padFinger:
                guard let fingers = Self.fingers(of: hold, at: index, among: meant) else { continue }
                event = .touchpad(
                    TouchpadEvent(
                        contacts: fingers.map { id, finger in
                            PadContact(id: id, point: PadPoint(x: finger.x, y: finger.y), phase: .cancelled)
                        }))
            }
            releases.append(Release(event: event, hold: hold))
        }
        return releases
    }

    /// All fingers that are with one on its surface, by their numbers; `nil` when an earlier one stands for them.
    private static func fingers(of hold: Hold, at index: Int, among holds: [Hold]) -> [(id: Int, finger: Hold)]? {
        guard let surface = hold.control.number?.0 else { return nil }
        func isWith(_ other: Hold) -> Bool {
            other.holder == hold.holder && other.place == hold.place && other.control.number?.0 == surface
        }
        guard !holds[..<index].contains(where: isWith) else { return nil }
        return holds.filter(isWith).compactMap { other in other.control.number.map { ($0.1, other) } }
            .sorted { $0.0 < $1.0 }
    }

    // MARK: Controls

    private func index(of control: Control, _ holder: InputHolder, _ place: InputPlace) -> Int? {
        // A knob and a key belong to the session, whatever display is named with them.
        holds.firstIndex {
            $0.holder == holder && $0.control == control && $0.place.session == place.session
                && (control.number == nil || $0.place.display == place.display)
        }
    }

    private func checkRoom(for count: Int, _ holder: InputHolder) throws(CommandFailure) {
        guard count > 0 else { return }
        guard holds.count(where: { $0.holder == holder }) + count <= Self.maximumPerHolder else {
            throw .limitReached("heldInputs", Self.maximumPerHolder)
        }
    }

    private mutating func begin(
        _ control: Control, _ holder: InputHolder, _ place: InputPlace, _ tag: String?, _ now: UInt64
    ) throws(CommandFailure) {
        let (field, what) = control.naming
        guard index(of: control, holder, place) == nil else {
            throw .invalidParameter(field, text: "\(what) is down already; let it go first")
        }
        try checkRoom(for: 1, holder)
        holds.append(Hold(holder: holder, place: place, control: control, since: now, tag: tag))
    }

    private mutating func end(
        _ control: Control, _ holder: InputHolder, _ place: InputPlace
    ) throws(CommandFailure) -> Hold {
        let (field, what) = control.naming
        guard let index = index(of: control, holder, place) else {
            throw .invalidParameter(field, text: "\(what) is not down by this caller, or no more: \(Self.lost)")
        }
        return holds.remove(at: index)
    }

    private static let lost = "what is held is let go with its session and its connection"

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
        var begun: [Control]
    }

    /// One frame of a surface: every finger of the caller that is down there or was just lifted.
    private mutating func frame(
        _ moves: [Move], on surface: Surface, _ holder: InputHolder, _ place: InputPlace, _ tag: String?,
        _ limit: Int, _ now: UInt64
    ) throws(CommandFailure) -> Frame {
        func control(_ id: Int) -> Control { surface == .display ? .finger(id) : .padFinger(id) }
        let field = surface == .display ? "touch" : "touchpad"
        var begun: [Control] = []
        for (number, move) in moves.enumerated() {
            let isDown = index(of: control(move.id), holder, place) != nil
            if move.phase == .began {
                begun.append(control(move.id))
                guard isDown else { continue }
                throw .invalidParameter(
                    "\(field).frame.\(number).phase", text: "finger \(move.id) is down already; it can move or end")
            }
            guard isDown else {
                let cause = "what is down is lifted with its session, its connection and its display's pixels"
                let text = "finger \(move.id) is not down by this caller, or no more: \(cause)"
                throw .invalidParameter("\(field).frame.\(number).phase", text: text)
            }
        }
        let ended = moves.count { $0.phase == .ended }
        let isSequence = if case .sequence = holder { true } else { false }
        // A sequence was taken as a whole, whatever others hold by the time of its steps.
        let down = holds.count {
            $0.place == place && $0.control.number?.0 == surface && (!isSequence || $0.holder == holder)
        }
        guard begun.isEmpty || down - ended + begun.count <= limit else {
            throw .invalidParameter(
                "\(field).frame", text: "this surface takes \(limit) fingers at once, and \(down) are down already")
        }
        try checkRoom(for: begun.count, holder)
        let own = holds.indices.filter {
            holds[$0].holder == holder && holds[$0].place == place && holds[$0].control.number?.0 == surface
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
            guard let (itsSurface, id) = hold.control.number, itsSurface == surface else { continue }
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

extension SingleInput {
    /// Checks its own numbers; whether its fingers can do that is seen where they are held.
    ///
    /// - Throws: `invalidParameter` with the field as the interface spells it.
    func validate() throws(CommandFailure) {
        func fingers(_ ids: [Int], _ field: String) throws(CommandFailure) {
            if ids.isEmpty || ids.count > Gesture.maximumContacts {
                throw .invalidParameter("\(field).frame", text: "a frame has 1 to 10 fingers, not \(ids.count)")
            }
            for (index, id) in ids.enumerated() {
                if !(0..<Gesture.maximumContacts).contains(id) {
                    throw .invalidParameter("\(field).frame.\(index).id", text: "an id is 0 to 9, not \(id)")
                }
                if ids[..<index].contains(id) {
                    throw .invalidParameter("\(field).frame.\(index).id", text: "finger \(id) is in this frame twice")
                }
            }
        }
        switch self {
        case .press, .nudge, .key: break
        case .touch(let changes): try fingers(changes.map(\.id), "touch")
        case .touchpad(let changes):
            try fingers(changes.map(\.id), "touchpad")
            for (index, change) in changes.enumerated() {
                guard let point = change.change.point else { continue }
                if !(0...PadPoint.full).contains(point.x) || !(0...PadPoint.full).contains(point.y) {
                    throw .invalidParameter(
                        "touchpad.frame.\(index)", text: "places are percentages from 0 to 100")
                }
            }
        }
    }

    /// A gesture that needs of a device what this does.
    var likeGesture: Gesture {
        switch self {
        case .press: .press(hold: 0)
        case .nudge(let direction, _): .nudge(direction, hold: 0)
        case .key(let key, _): .key(key, hold: 0)
        case .touch: .touch([ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0)])], duration: 0)
        case .touchpad: .touchpad([ContactPath(id: 0, points: [PadPoint(x: 0, y: 0)])], duration: 0)
        }
    }
}
