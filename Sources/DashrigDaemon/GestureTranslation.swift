import RigModel

/// Turns the parameters of `Inject` and `InjectSequence` into gestures and parts of gestures.
enum GestureTranslation {
    static func injection(_ fields: CallFields) throws(CommandFailure) -> Injection {
        Injection(
            try input(fields), device: fields.string("device"), generation: try fields.generation(),
            display: fields.string("display"), tag: fields.string("tag"))
    }

    static func sequence(_ fields: CallFields) throws(CommandFailure) -> InjectionSequence {
        let given = fields.objects("steps")
        // Checked here too, so that nothing large is built from what the core refuses anyway.
        guard given.count <= InjectionSequence.maximumSteps else {
            throw .invalidParameter(
                "steps", text: "at most \(InjectionSequence.maximumSteps) steps, not \(given.count)")
        }
        var steps: [InjectionSequence.Step] = []
        for (index, step) in given.enumerated() {
            do throws(CommandFailure) {
                steps.append(InjectionSequence.Step(at: try offset(step), try input(step)))
            } catch {
                throw error.within("steps.\(index)")
            }
        }
        return InjectionSequence(
            steps, device: fields.string("device"), generation: try fields.generation(),
            display: fields.string("display"), tag: fields.string("tag"))
    }

    private static func offset(_ fields: CallFields) throws(CommandFailure) -> UInt64 {
        let limit = Double(InjectionSequence.maximumOffset / 1_000_000)
        guard let at = fields.double("at"), at >= 0, at <= limit else {
            throw .invalidParameter("at", text: "a step begins 0 to \(Int(limit)) milliseconds after the sequence")
        }
        return UInt64((at * 1_000_000).rounded())
    }

    private static func input(_ fields: CallFields) throws(CommandFailure) -> InjectedInput {
        let given = ["knob", "touch", "touchpad", "key"].filter { fields.object($0) != nil }
        guard given.count == 1, let name = given.first, let gesture = fields.object(name) else {
            throw .invalidParameter(
                given.dropFirst().first ?? "knob",
                text: "exactly one of knob, touch, touchpad and key, not \(given.count)")
        }
        switch name {
        case "knob": return try knob(gesture)
        case "touch":
            func point(_ fields: CallFields, _ path: String) throws(CommandFailure) -> PixelPoint {
                PixelPoint(x: try pixel(fields, "x", path), y: try pixel(fields, "y", path))
            }
            if let changes = try frame(gesture, "touch", point: point) { return .single(.touch(changes)) }
            let (paths, duration) = try paths(gesture, "touch", point: point)
            return .gesture(.touch(paths, duration: duration))
        case "touchpad":
            func point(_ fields: CallFields, _ path: String) throws(CommandFailure) -> PadPoint {
                PadPoint(x: try percent(fields, "x", path), y: try percent(fields, "y", path))
            }
            if let changes = try frame(gesture, "touchpad", point: point) { return .single(.touchpad(changes)) }
            let (paths, duration) = try paths(gesture, "touchpad", point: point)
            return .gesture(.touchpad(paths, duration: duration))
        default: return try key(gesture)
        }
    }

    private static func knob(_ fields: CallFields) throws(CommandFailure) -> InjectedInput {
        let hold = try fields.milliseconds("holdMilliseconds", within: "knob")
        let limit = Int(Gesture.maximumDetents)
        let detents = try fields.int("detents", in: -limit...limit, within: "knob")
        let press = fields.bool("press") ?? false
        let nudge = fields.string("nudge").flatMap(NudgeDirection.init(rawValue:))
        let down = fields.bool("down")
        if down != nil, hold != nil {
            throw .invalidParameter("knob.down", text: "with down there is no holdMilliseconds: it is let go by a call")
        }
        switch (detents, press, nudge, down) {
        case (let detents?, false, nil, nil):
            return .gesture(try rotation(Int32(detents), fields))
        case (_?, _, _, _?):
            throw .invalidParameter("knob.down", text: "a turn has no halves; down belongs to press and nudge")
        case (nil, true, nil, nil): return .gesture(.press(hold: hold ?? Gesture.defaultHold))
        case (nil, true, nil, let down?): return .single(.press(down: down))
        case (nil, false, let nudge?, nil): return .gesture(.nudge(nudge, hold: hold ?? Gesture.defaultHold))
        case (nil, false, let nudge?, let down?): return .single(.nudge(nudge, down: down))
        case (_, _, _, _):
            throw .invalidParameter("knob", text: "exactly one of detents, press and nudge")
        }
    }

    private static func rotation(_ detents: Int32, _ fields: CallFields) throws(CommandFailure) -> Gesture {
        let interval = try fields.milliseconds("intervalMilliseconds", within: "knob")
        guard let duration = try fields.milliseconds("durationMilliseconds", within: "knob") else {
            return .rotate(detents: detents, interval: interval ?? 0)
        }
        guard interval == nil else {
            throw .invalidParameter(
                "knob.durationMilliseconds", text: "either intervalMilliseconds or durationMilliseconds")
        }
        return .rotate(detents: detents, interval: Gesture.interval(of: detents, over: duration))
    }

    private static func key(_ fields: CallFields) throws(CommandFailure) -> InjectedInput {
        let name = fields.string("key") ?? ""
        guard let key = Key(rawValue: name) else {
            let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("key.key", text: "there is no key '\(name)'; there is \(names)")
        }
        let hold = try fields.milliseconds("holdMilliseconds", within: "key")
        guard let down = fields.bool("down") else {
            return .gesture(.key(key, hold: hold ?? Gesture.defaultHold))
        }
        guard hold == nil else {
            throw .invalidParameter("key.down", text: "with down there is no holdMilliseconds: it is let go by a call")
        }
        return .single(.key(key, down: down))
    }

    // MARK: Fingers

    /// One moment of fingers; `nil` when the fields are those of a gesture.
    private static func frame<Point>(
        _ fields: CallFields, _ name: String, point: (CallFields, String) throws(CommandFailure) -> Point
    ) throws(CommandFailure) -> [FingerChange<Point>]? {
        guard fields.has("frame") else {
            guard fields.has("contacts") else {
                throw .invalidParameter(name, text: "either contacts or frame")
            }
            return nil
        }
        if let other = ["contacts", "durationMilliseconds", "velocity", "flick"].first(where: fields.has) {
            throw .invalidParameter("\(name).\(other)", text: "a frame is one moment, and has no \(other)")
        }
        let given = fields.objects("frame")
        guard given.count <= Gesture.maximumContacts else {
            throw .invalidParameter("\(name).frame", text: "at most \(Gesture.maximumContacts) fingers")
        }
        var changes: [FingerChange<Point>] = []
        for (index, one) in given.enumerated() {
            let path = "\(name).frame.\(index)"
            let id = try one.int("id", in: 0...(Gesture.maximumContacts - 1), within: path) ?? 0
            switch one.string("phase") {
            case "began": changes.append(FingerChange(id: id, .began(try point(one, path))))
            case "moved": changes.append(FingerChange(id: id, .moved(try point(one, path))))
            default:
                let isPlaced = one.has("x") || one.has("y")
                changes.append(FingerChange(id: id, .ended(isPlaced ? try point(one, path) : nil)))
            }
        }
        return changes
    }

    private static func paths<Point: SurfacePoint>(
        _ fields: CallFields, _ name: String, point: (CallFields, String) throws(CommandFailure) -> Point
    ) throws(CommandFailure) -> ([ContactPath<Point>], UInt64) {
        let contacts = fields.objects("contacts")
        // Checked here too, so that nothing large is built from what the core refuses anyway.
        guard contacts.count <= Gesture.maximumContacts else {
            throw .invalidParameter("\(name).contacts", text: "at most \(Gesture.maximumContacts) fingers")
        }
        var paths: [ContactPath<Point>] = []
        for (index, contact) in contacts.enumerated() {
            let place = "\(name).contacts.\(index)"
            let given = contact.objects("points")
            guard given.count <= Gesture.maximumPoints else {
                throw .invalidParameter("\(place).points", text: "at most \(Gesture.maximumPoints) points")
            }
            var points: [Point] = []
            for (number, one) in given.enumerated() { points.append(try point(one, "\(place).points.\(number)")) }
            let id = try contact.int("id", in: 0...(Gesture.maximumContacts - 1), within: place) ?? index
            paths.append(ContactPath(id: id, points: points))
        }
        let isFlick = fields.bool("flick") ?? false
        let duration = try duration(fields, name, paths, isFlick)
        return (isFlick ? try flicked(paths, name) : paths, duration)
    }

    private static func duration(
        _ fields: CallFields, _ name: String, _ paths: [ContactPath<some SurfacePoint>], _ isFlick: Bool
    ) throws(CommandFailure) -> UInt64 {
        let duration = try fields.milliseconds("durationMilliseconds", within: name)
        guard let velocity = fields.double("velocity") else {
            let moves = paths.contains { $0.points.count > 1 }
            return duration
                ?? (isFlick ? Gesture.defaultFlick : moves ? Gesture.defaultSwipe : Gesture.defaultTap)
        }
        guard duration == nil else {
            throw .invalidParameter("\(name).velocity", text: "either durationMilliseconds or velocity")
        }
        guard let time = Gesture.duration(of: paths, atSpeed: velocity, isFlick: isFlick) else {
            let text = "a velocity is above 0, of a finger that moves, and so that it takes at most 60 s"
            throw .invalidParameter("\(name).velocity", text: text)
        }
        return time
    }

    private static func flicked<Point: SurfacePoint>(
        _ paths: [ContactPath<Point>], _ name: String
    ) throws(CommandFailure) -> [ContactPath<Point>] {
        var flicked: [ContactPath<Point>] = []
        for (index, path) in paths.enumerated() {
            guard let way = path.flicked else {
                throw .invalidParameter(
                    "\(name).contacts.\(index).points", text: "a flick goes from one point to another")
            }
            flicked.append(way)
        }
        return flicked
    }

    private static func pixel(_ fields: CallFields, _ name: String, _ path: String) throws(CommandFailure) -> Int {
        let limit = Double(DisplayDescription.maximumPixels)
        guard let value = fields.double(name), value >= 0, value <= limit else {
            throw .invalidParameter("\(path).\(name)", text: "a pixel is a number from 0 to \(Int(limit))")
        }
        return Int(value.rounded(.down))
    }

    private static func percent(_ fields: CallFields, _ name: String, _ path: String) throws(CommandFailure) -> Int {
        guard let value = fields.double(name), value >= 0, value <= 100 else {
            throw .invalidParameter("\(path).\(name)", text: "a place on a touchpad is a percentage from 0 to 100")
        }
        return Int((value * 100).rounded())
    }
}
