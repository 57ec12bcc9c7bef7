import RigModel

/// A gesture as the input events it makes, each computed when it is due: a minute of ten fingers is never held whole.
struct GesturePlan: Sendable {
    private enum Content: Sendable {
        /// What is computed when it is due.
        case gesture(Gesture)
        /// One event, due at once.
        case event(InputEvent)
    }

    private let content: Content
    private let longPress: UInt64
    /// How many input events the gesture makes, at least 1.
    let count: Int

    /// Frames of moving fingers come at 60 Hz, as touch panels of cars send them.
    static let frameInterval: UInt64 = 16_666_667

    /// Plans a single event.
    init(_ event: InputEvent, longPress: UInt64) {
        self.longPress = longPress
        content = .event(event)
        count = 1
    }

    /// Plans a gesture that `validate` found right.
    init(_ gesture: Gesture, longPress: UInt64) {
        self.longPress = longPress
        switch gesture {
        case .rotate(let detents, let interval):
            content = .gesture(gesture)
            count = interval == 0 ? 1 : Int(detents.magnitude)
        case .press, .nudge, .key:
            content = .gesture(gesture)
            count = 2
        case .touch(let paths, let duration):
            // A frame has its contacts in the order of their ids, as panels send them.
            content = .gesture(.touch(paths.sorted { $0.id < $1.id }, duration: duration))
            count = Self.frames(moving: paths.contains { $0.points.count > 1 }, duration)
        case .touchpad(let paths, let duration):
            content = .gesture(.touchpad(paths.sorted { $0.id < $1.id }, duration: duration))
            count = Self.frames(moving: paths.contains { $0.points.count > 1 }, duration)
        }
    }

    private static func frames(moving: Bool, _ duration: UInt64) -> Int {
        moving ? 2 + Int(clamping: duration / frameInterval) : 2
    }

    /// When the event at `index` is due, in nanoseconds from the gesture's beginning.
    func offset(_ index: Int) -> UInt64 {
        guard case .gesture(let gesture) = content else { return 0 }
        return switch gesture {
        case .rotate(_, let interval): UInt64(index) * interval
        case .press(let hold), .nudge(_, let hold), .key(_, let hold): index == 0 ? 0 : hold
        case .touch(_, let duration), .touchpad(_, let duration):
            index >= count - 1 ? duration : min(duration, UInt64(index) * Self.frameInterval)
        }
    }

    /// When its last event is due.
    var length: UInt64 { offset(count - 1) }

    /// The event at `index`, from 0 to `count` - 1.
    func event(_ index: Int) -> InputEvent {
        let first = index == 0
        let gesture: Gesture
        switch content {
        case .event(let event): return event
        case .gesture(let planned): gesture = planned
        }
        switch gesture {
        case .rotate(let detents, let interval):
            return .knob(.rotate(detents: interval == 0 ? detents : detents.signum()))
        case .press(let hold):
            return .knob(first ? .pressed : .released(held: hold, long: hold >= longPress))
        case .nudge(let direction, _):
            return .knob(.nudge(direction, down: first))
        case .key(let key, _):
            return .key(KeyEvent(key: key, down: first))
        case .touch(let paths, _):
            return .touch(
                TouchEvent(
                    contacts: paths.map { path in
                        let point = place(of: index, among: path.points.count) {
                            PixelPoint(
                                x: Self.between(path.points[$0].x, path.points[$1].x, $2, $3),
                                y: Self.between(path.points[$0].y, path.points[$1].y, $2, $3))
                        }
                        return Contact(id: path.id, point: point, phase: phase(index, moves: path.points.count > 1))
                    }))
        case .touchpad(let paths, _):
            return .touchpad(
                TouchpadEvent(
                    contacts: paths.map { path in
                        let point = place(of: index, among: path.points.count) {
                            PadPoint(
                                x: Self.between(path.points[$0].x, path.points[$1].x, $2, $3),
                                y: Self.between(path.points[$0].y, path.points[$1].y, $2, $3))
                        }
                        return PadContact(id: path.id, point: point, phase: phase(index, moves: path.points.count > 1))
                    }))
        }
    }

    /// Whether it is made of places on a display.
    var isTouch: Bool {
        switch content {
        case .gesture(.touch), .event(.touch): true
        case .gesture(.rotate), .gesture(.press), .gesture(.nudge), .gesture(.touchpad), .gesture(.key), .event: false
        }
    }

    /// The event that takes back what is held down after the event at `index`, or `nil` when nothing is.
    ///
    /// - Parameter held: for how long, in nanoseconds.
    func cancellation(after index: Int, held: UInt64) -> InputEvent? {
        switch event(index) {
        case .touch(var touch):
            for index in touch.contacts.indices { touch.contacts[index].phase = .cancelled }
            return .touch(touch)
        case .touchpad(var touch):
            for index in touch.contacts.indices { touch.contacts[index].phase = .cancelled }
            return .touchpad(touch)
        case .knob(.pressed): return .knob(.released(held: held, long: held >= longPress))
        case .knob(.nudge(let direction, down: true)): return .knob(.nudge(direction, down: false))
        case .key(let key): return key.down ? .key(KeyEvent(key: key.key, down: false)) : nil
        case .knob(.rotate), .knob(.released), .knob(.nudge): return nil
        }
    }

    private func phase(_ index: Int, moves: Bool) -> ContactPhase {
        if index == 0 { return .began }
        if index == count - 1 { return .ended }
        return moves ? .moved : .stationary
    }

    /// Each stretch between two points takes the same time; `make` gets the two points' places and the part of the
    /// stretch that is behind, as a fraction.
    private func place<Point>(of index: Int, among points: Int, make: (Int, Int, Int, Int) -> Point) -> Point {
        let steps = count - 1
        let stretches = points - 1
        guard stretches > 0, steps > 0, index < steps else { return make(points - 1, points - 1, 0, 1) }
        let travelled = index * stretches
        return make(travelled / steps, travelled / steps + 1, travelled % steps, steps)
    }

    private static func between(_ from: Int, _ to: Int, _ part: Int, _ whole: Int) -> Int {
        from + (to - from) * part / whole
    }
}

extension Gesture {
    /// Checks a gesture's own numbers; places are checked against the display where it goes.
    ///
    /// - Throws: `invalidParameter` with the field as the interface spells it.
    func validate() throws(CommandFailure) {
        func duration(_ value: UInt64, _ field: String) throws(CommandFailure) {
            if value > Self.maximumDuration {
                throw .invalidParameter(field, text: "\(value / 1_000_000) ms is more than 60 s")
            }
        }
        func fingers(_ ids: [Int], _ points: [Int], _ field: String) throws(CommandFailure) {
            if ids.isEmpty || ids.count > Self.maximumContacts {
                throw .invalidParameter("\(field).contacts", text: "a gesture has 1 to 10 fingers, not \(ids.count)")
            }
            for (index, id) in ids.enumerated() {
                if !(0..<Self.maximumContacts).contains(id) {
                    throw .invalidParameter("\(field).contacts.\(index).id", text: "an id is 0 to 9, not \(id)")
                }
                if ids[..<index].contains(id) {
                    throw .invalidParameter("\(field).contacts.\(index).id", text: "two fingers have the id \(id)")
                }
                if points[index] < 1 || points[index] > Self.maximumPoints {
                    throw .invalidParameter(
                        "\(field).contacts.\(index).points", text: "a finger's way has 1 to 64 points")
                }
            }
        }
        switch self {
        case .rotate(let detents, let interval):
            if detents == 0 || detents < -Self.maximumDetents || detents > Self.maximumDetents {
                throw .invalidParameter("knob.detents", text: "turn by 1 to 1000 detents either way, not \(detents)")
            }
            try duration(interval, "knob.intervalMilliseconds")
            // A gesture outlives the client that asked for it; together with the limit of gestures this bounds how long
            // anybody can hold the rig's hands.
            let steps = UInt64(detents.magnitude) - 1
            if interval > 0, steps > Self.maximumDuration / interval {
                throw .invalidParameter(
                    "knob.intervalMilliseconds", text: "a turn of \(detents.magnitude) detents may take at most 60 s")
            }
        case .press(let hold): try duration(hold, "knob.holdMilliseconds")
        case .nudge(_, let hold): try duration(hold, "knob.holdMilliseconds")
        case .key(_, let hold): try duration(hold, "key.holdMilliseconds")
        case .touch(let paths, let time):
            try fingers(paths.map(\.id), paths.map(\.points.count), "touch")
            try duration(time, "touch.durationMilliseconds")
        case .touchpad(let paths, let time):
            try fingers(paths.map(\.id), paths.map(\.points.count), "touchpad")
            try duration(time, "touchpad.durationMilliseconds")
            for (index, path) in paths.enumerated() {
                for (place, point) in path.points.enumerated()
                where !(0...PadPoint.full).contains(point.x) || !(0...PadPoint.full).contains(point.y) {
                    throw .invalidParameter(
                        "touchpad.contacts.\(index).points.\(place)", text: "places are percentages from 0 to 100")
                }
            }
        }
    }
}
