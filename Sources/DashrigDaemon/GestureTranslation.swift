import RigModel

/// Turns the parameters of `Inject` into a gesture.
enum GestureTranslation {
    static func injection(_ fields: CallFields) throws(CommandFailure) -> Injection {
        Injection(
            try gesture(fields), device: fields.string("device"), generation: try fields.generation(),
            display: fields.string("display"), tag: fields.string("tag"))
    }

    private static func gesture(_ fields: CallFields) throws(CommandFailure) -> Gesture {
        let given = ["knob", "touch", "touchpad", "key"].filter { fields.object($0) != nil }
        guard given.count == 1, let name = given.first, let gesture = fields.object(name) else {
            throw .invalidParameter(
                given.dropFirst().first ?? "knob",
                text: "exactly one of knob, touch, touchpad and key, not \(given.count)")
        }
        switch name {
        case "knob": return try knob(gesture)
        case "touch":
            let (paths, duration) = try paths(gesture, "touch") { point, path throws(CommandFailure) in
                PixelPoint(x: try pixel(point, "x", path), y: try pixel(point, "y", path))
            }
            return .touch(paths, duration: duration)
        case "touchpad":
            let (paths, duration) = try paths(gesture, "touchpad") { point, path throws(CommandFailure) in
                PadPoint(x: try percent(point, "x", path), y: try percent(point, "y", path))
            }
            return .touchpad(paths, duration: duration)
        default: return try key(gesture)
        }
    }

    private static func knob(_ fields: CallFields) throws(CommandFailure) -> Gesture {
        let hold = try fields.milliseconds("holdMilliseconds", within: "knob") ?? Gesture.defaultHold
        let limit = Int(Gesture.maximumDetents)
        let detents = try fields.int("detents", in: -limit...limit, within: "knob")
        let press = fields.bool("press") ?? false
        let nudge = fields.string("nudge").flatMap(NudgeDirection.init(rawValue:))
        switch (detents, press, nudge) {
        case (let detents?, false, nil):
            return .rotate(
                detents: Int32(detents),
                interval: try fields.milliseconds("intervalMilliseconds", within: "knob") ?? 0)
        case (nil, true, nil): return .press(hold: hold)
        case (nil, false, let nudge?): return .nudge(nudge, hold: hold)
        case (_, _, _):
            throw .invalidParameter("knob", text: "exactly one of detents, press and nudge")
        }
    }

    private static func key(_ fields: CallFields) throws(CommandFailure) -> Gesture {
        let name = fields.string("key") ?? ""
        guard let key = Key(rawValue: name) else {
            let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter("key.key", text: "there is no key '\(name)'; there is \(names)")
        }
        return .key(key, hold: try fields.milliseconds("holdMilliseconds", within: "key") ?? Gesture.defaultHold)
    }

    private static func paths<Point>(
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
        let moves = paths.contains { $0.points.count > 1 }
        let duration = try fields.milliseconds("durationMilliseconds", within: name)
        return (paths, duration ?? (moves ? Gesture.defaultSwipe : Gesture.defaultTap))
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
