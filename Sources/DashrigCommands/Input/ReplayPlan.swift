internal import InputCore
internal import RigModel

/// What was decoded of a recording, as the gestures that a rig takes.
struct ReplayPlan: Equatable {
    /// One gesture, and when it begins: nanoseconds from the first report.
    struct Step: Equatable {
        var offset: UInt64
        var gesture: Gesture
    }

    /// The gestures by time.
    private(set) var steps: [Step] = []
    /// What a rig cannot be told, or not exactly, each with how often: in the order of first appearance.
    private(set) var notes: [(text: String, count: Int)] = []

    private enum Control: Equatable {
        case press
        case nudge(NudgeDirection)
        case key(Key)
    }

    /// What is held: never more than there are controls.
    private var held: [(control: Control, since: UInt64)] = []
    private var pad = FingerTrail()
    private var screen = FingerTrail()

    static let intents =
        "intents (tap, scroll, long press and so on) are not injected: a rig finds them only in hardware"
    static let uneven = "a finger that came later or went earlier than the others is down as long as they are"
    static let tooLong = "what lasts longer than 60 s is left out: a rig takes no such gesture"
    static let tooFar = "turns of more than 1000 detents at once are cut to that"
    static let noDisplay = "touches are left out: there is no display that they could be on"
    static let tooManyFingers = "fingers beyond the tenth are left out: a rig's gesture has no more"

    /// Makes the gestures of a recording; touches need the display's geometry.
    init(_ recording: DecodedRecording, touches geometry: TouchGeometry?) {
        for moment in recording.moments { take(moment, geometry) }
        steps.sort { $0.offset < $1.offset }
    }

    static func == (left: ReplayPlan, right: ReplayPlan) -> Bool {
        left.steps == right.steps && left.notes.elementsEqual(right.notes) { $0 == $1 }
    }

    private mutating func take(_ moment: DecodedRecording.Moment, _ geometry: TouchGeometry?) {
        let time = moment.offset
        switch moment.input {
        case .event(.knob(.rotate(let detents))):
            let limit = Gesture.maximumDetents
            if detents.magnitude > limit { note(Self.tooFar) }
            add(.rotate(detents: min(max(detents, -limit), limit), interval: 0), at: time, for: 0)
        case .event(.knob(.pressed)): held.append((.press, time))
        case .event(.knob(.released(let hold, _))):
            if let since = release(.press) { add(.press(hold: hold), at: since, for: hold) }
        case .event(.knob(.nudge(let direction, let isDown))):
            if isDown { return held.append((.nudge(direction), time)) }
            if let since = release(.nudge(direction)) {
                add(.nudge(direction, hold: time - min(since, time)), at: since, for: time - min(since, time))
            }
        case .event(.key(let key)):
            if key.down { return held.append((.key(key.key), time)) }
            if let since = release(.key(key.key)) {
                add(.key(key.key, hold: time - min(since, time)), at: since, for: time - min(since, time))
            }
        case .event(.touchpad(let event)):
            noteFingers(event.contacts.map(\.id))
            let contacts = event.contacts.map { ($0.id, FingerTrail.Place(x: $0.point.x, y: $0.point.y), $0.phase) }
            guard let trail = pad.take(contacts, at: time) else { return }
            add(trail) { place in
                PadPoint(x: place.x, y: place.y)
            } as: {
                .touchpad($0, duration: $1)
            }
        case .event(.touch(let event)): touched(event, at: time)
        case .touch(let contacts):
            guard let geometry else { return note(Self.noDisplay) }
            touched(geometry.event(contacts), at: time)
        case .intent: note(Self.intents)
        }
    }

    private mutating func touched(_ event: TouchEvent, at time: UInt64) {
        noteFingers(event.contacts.map(\.id))
        let contacts = event.contacts.map { ($0.id, FingerTrail.Place(x: $0.point.x, y: $0.point.y), $0.phase) }
        guard let trail = screen.take(contacts, at: time) else { return }
        add(trail) { place in
            PixelPoint(x: place.x, y: place.y)
        } as: {
            .touch($0, duration: $1)
        }
    }

    private mutating func add<Point>(
        _ trail: FingerTrail.Gesture, _ point: (FingerTrail.Place) -> Point,
        as gesture: ([ContactPath<Point>], UInt64) -> Gesture
    ) {
        if !trail.isEven { note(Self.uneven) }
        let paths = trail.paths.map { ContactPath(id: $0.id, points: $0.points.map(point)) }
        add(gesture(paths, trail.duration), at: trail.start, for: trail.duration)
    }

    private mutating func add(_ gesture: Gesture, at offset: UInt64, for duration: UInt64) {
        guard duration <= Gesture.maximumDuration else { return note(Self.tooLong) }
        steps.append(Step(offset: offset, gesture: gesture))
    }

    private mutating func release(_ control: Control) -> UInt64? {
        guard let index = held.firstIndex(where: { $0.control == control }) else { return nil }
        return held.remove(at: index).since
    }

    private mutating func noteFingers(_ ids: [Int]) {
        if ids.contains(where: { $0 >= Gesture.maximumContacts }) { note(Self.tooManyFingers) }
    }

    private mutating func note(_ text: String) {
        if let index = notes.firstIndex(where: { $0.text == text }) {
            notes[index].count += 1
        } else {
            notes.append((text, 1))
        }
    }
}

extension Gesture {
    /// As quick as `speed` hundredths: 200 is twice as quick. What gets longer than a rig takes is as long as it takes.
    func played(at speed: Int) -> Gesture {
        func scaled(_ time: UInt64) -> UInt64 { min(time.played(at: speed), Self.maximumDuration) }
        switch self {
        case .rotate(let detents, let interval): return .rotate(detents: detents, interval: scaled(interval))
        case .press(let hold): return .press(hold: scaled(hold))
        case .nudge(let direction, let hold): return .nudge(direction, hold: scaled(hold))
        case .touch(let paths, let duration): return .touch(paths, duration: scaled(duration))
        case .touchpad(let paths, let duration): return .touchpad(paths, duration: scaled(duration))
        case .key(let key, let hold): return .key(key, hold: scaled(hold))
        }
    }

    /// How long it takes, in nanoseconds.
    var length: UInt64 {
        switch self {
        case .rotate(let detents, let interval): interval * UInt64(max(detents.magnitude, 1) - 1)
        case .press(let hold), .nudge(_, let hold), .key(_, let hold): hold
        case .touch(_, let duration), .touchpad(_, let duration): duration
        }
    }
}

extension UInt64 {
    /// A time in a play of so many hundredths of the recorded speed, at least 1; no time beyond what can be counted.
    func played(at speed: Int) -> UInt64 {
        let product = multipliedReportingOverflow(by: 100)
        return (product.overflow ? .max : product.partialValue) / UInt64(Swift.max(speed, 1))
    }
}
