internal import RigModel
internal import VarlinkProtocol

/// How long the parameters of `InjectSequence` take: to the end of the step that ends last.
///
/// The rig checks the parameters, not we: what it will refuse counts as what is nearest to it and right, so that nobody
/// waits long for that.
enum SequenceLength {
    /// Nanoseconds from the first step's time 0.
    static func nanoseconds(of parameters: JSONObject) -> UInt64 {
        var length: UInt64 = 0
        for step in (parameters["steps"]?.arrayValue ?? []).prefix(InjectionSequence.maximumSteps) {
            guard let step = step.objectValue else { continue }
            let offset = nanoseconds(step["at"]) ?? 0
            // At most 10 min and 999 times 60 s: far from overflow.
            length = max(length, min(offset, InjectionSequence.maximumOffset) + duration(of: step))
        }
        return length
    }

    private static func duration(of step: JSONObject) -> UInt64 {
        if let knob = step["knob"]?.objectValue { return turn(knob) ?? hold(knob) }
        if let key = step["key"]?.objectValue { return hold(key) }
        if let touch = step["touch"]?.objectValue {
            return way(touch) { PixelPoint(x: Int(clamped($0, to: pixels)), y: Int(clamped($1, to: pixels))) }
        }
        if let touchpad = step["touchpad"]?.objectValue {
            return way(touchpad) {
                PadPoint(x: Int(clamped($0, to: 100) * 100), y: Int(clamped($1, to: 100) * 100))
            }
        }
        return 0
    }

    private static func turn(_ knob: JSONObject) -> UInt64? {
        guard let detents = knob["detents"]?.intValue else { return nil }
        let intervals = min(detents.magnitude, UInt64(Gesture.maximumDetents.magnitude)).subtractingToZero(1)
        if intervals == 0 { return 0 }
        return gestureTime(knob["durationMilliseconds"])
            ?? (gestureTime(knob["intervalMilliseconds"]) ?? 0) * intervals
    }

    private static func hold(_ fields: JSONObject) -> UInt64 {
        if fields["down"]?.boolValue != nil { return 0 }
        return gestureTime(fields["holdMilliseconds"]) ?? Gesture.defaultHold
    }

    private static func way<Point: SurfacePoint>(
        _ fields: JSONObject, point: (Double, Double) -> Point
    ) -> UInt64 {
        if fields["frame"]?.arrayValue != nil { return 0 }
        if let time = gestureTime(fields["durationMilliseconds"]) { return time }
        let paths = (fields["contacts"]?.arrayValue ?? []).prefix(Gesture.maximumContacts).map { contact in
            let points = (contact.objectValue?["points"]?.arrayValue ?? []).prefix(Gesture.maximumPoints)
            return ContactPath(
                id: 0,
                points: points.map { place in
                    point(place.objectValue?["x"]?.doubleValue ?? 0, place.objectValue?["y"]?.doubleValue ?? 0)
                })
        }
        let isFlick = fields["flick"]?.boolValue ?? false
        if let speed = fields["velocity"]?.doubleValue {
            return Gesture.duration(of: paths, atSpeed: speed, isFlick: isFlick) ?? 0
        }
        if isFlick { return Gesture.defaultFlick }
        return paths.contains { $0.points.count > 1 } ? Gesture.defaultSwipe : Gesture.defaultTap
    }

    private static let pixels = Double(DisplayDescription.maximumPixels)

    /// Milliseconds of one gesture, at most the longest.
    private static func gestureTime(_ value: JSON?) -> UInt64? {
        nanoseconds(value).map { min($0, Gesture.maximumDuration) }
    }

    private static func nanoseconds(_ milliseconds: JSON?) -> UInt64? {
        guard let number = milliseconds?.doubleValue else { return nil }
        return UInt64(clamped(number, to: 3_600_000) * 1_000_000)
    }

    private static func clamped(_ number: Double, to limit: Double) -> Double {
        number.isNaN ? 0 : min(max(number, 0), limit)
    }
}

extension UInt64 {
    fileprivate func subtractingToZero(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
