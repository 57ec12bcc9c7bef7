internal import InputCore
internal import RigModel

/// What was decoded of a recording, as the inputs that a rig takes: each report at its own time.
struct ReplayPlan: Equatable {
    /// One input, and when it is due: nanoseconds from the first report.
    struct Step: Equatable {
        var offset: UInt64
        var input: InjectedInput
    }

    /// The inputs by time.
    private(set) var steps: [Step] = []
    /// What a rig cannot be told, or not exactly, each with how often: in the order of first appearance.
    private(set) var notes: [(text: String, count: Int)] = []

    static let intents =
        "intents (tap, scroll, long press and so on) are not injected: a rig finds them only in hardware"
    static let tooFar = "turns of more than 1000 detents at once are cut to that"
    static let noDisplay = "touches are left out: there is no display that they could be on"
    static let tooManyFingers = "fingers beyond the tenth are left out: a rig takes no more"

    /// Makes the inputs of a recording; touches need the display's geometry.
    init(_ recording: DecodedRecording, touches geometry: TouchGeometry?) {
        for moment in recording.moments { take(moment, geometry) }
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
            add(.gesture(.rotate(detents: min(max(detents, -limit), limit), interval: 0)), at: time)
        case .event(.knob(.pressed)): add(.single(.press(down: true)), at: time)
        case .event(.knob(.released)): add(.single(.press(down: false)), at: time)
        case .event(.knob(.nudge(let direction, let down))): add(.single(.nudge(direction, down: down)), at: time)
        case .event(.key(let key)): add(.single(.key(key.key, down: key.down)), at: time)
        case .event(.touchpad(let event)):
            let changes = event.contacts.compactMap { change($0.id, $0.phase, $0.point) }
            if !changes.isEmpty { add(.single(.touchpad(changes)), at: time) }
        case .event(.touch(let event)): touched(event, at: time)
        case .touch(let contacts):
            guard let geometry else { return note(Self.noDisplay) }
            touched(geometry.event(contacts), at: time)
        case .intent: note(Self.intents)
        }
    }

    private mutating func touched(_ event: TouchEvent, at time: UInt64) {
        let changes = event.contacts.compactMap { change($0.id, $0.phase, $0.point) }
        if !changes.isEmpty { add(.single(.touch(changes)), at: time) }
    }

    /// What a finger does; nothing when it stays, or is one too many.
    private mutating func change<Point>(_ id: Int, _ phase: ContactPhase, _ point: Point) -> FingerChange<Point>? {
        guard id < Gesture.maximumContacts else {
            if phase == .began { note(Self.tooManyFingers) }
            return nil
        }
        switch phase {
        case .began: return FingerChange(id: id, .began(point))
        case .moved: return FingerChange(id: id, .moved(point))
        case .stationary: return nil
        case .ended, .cancelled: return FingerChange(id: id, .ended(point))
        }
    }

    private mutating func add(_ input: InjectedInput, at offset: UInt64) {
        steps.append(Step(offset: offset, input: input))
    }

    private mutating func note(_ text: String) {
        if let index = notes.firstIndex(where: { $0.text == text }) {
            notes[index].count += 1
        } else {
            notes.append((text, 1))
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
