internal import RigModel

/// Fingers on a surface from the first that comes down to the last that goes up, made into the ways of one gesture.
struct FingerTrail {
    /// A place in whatever the surface counts.
    struct Place: Equatable {
        var x: Int
        var y: Int
    }

    /// A whole trail.
    struct Gesture: Equatable {
        var start: UInt64
        var duration: UInt64
        var paths: [ContactPath<Place>]
        /// Whether each finger was down from the beginning to the end; a gesture cannot say anything else.
        var isEven: Bool
    }

    private struct Finger {
        let id: Int
        var samples: [(time: UInt64, place: Place)]
        var end: UInt64?
    }

    /// A point of a way so often, as the rig itself sends moving fingers: 60 Hz.
    private static let interval: UInt64 = 16_666_667

    private var fingers: [Finger] = []
    private var isEven = true

    /// Takes one frame; answers the gesture that it ends. Fingers beyond those that a gesture has are left out.
    mutating func take(_ contacts: [(id: Int, place: Place, phase: ContactPhase)], at time: UInt64) -> Gesture? {
        for contact in contacts where (0..<RigModel.Gesture.maximumContacts).contains(contact.id) {
            let isOver: Bool
            switch contact.phase {
            case .began, .moved, .stationary: isOver = false
            case .ended, .cancelled: isOver = true
            }
            guard let index = fingers.firstIndex(where: { $0.id == contact.id }) else {
                if !isOver { fingers.append(Finger(id: contact.id, samples: [(time, contact.place)])) }
                continue
            }
            // The same number once more, while another finger stayed.
            if fingers[index].end != nil && !isOver { isEven = false }
            fingers[index].samples.append((time, contact.place))
            fingers[index].end = isOver ? time : nil
        }
        guard !fingers.isEmpty, fingers.allSatisfy({ $0.end != nil }) else { return nil }
        return finish(at: time)
    }

    private mutating func finish(at end: UInt64) -> Gesture {
        defer { self = FingerTrail() }
        let start = fingers.compactMap(\.samples.first?.time).min() ?? end
        let duration = end - min(start, end)
        let steps = Int(clamping: duration / Self.interval)
        let count = min(max(steps + 1, 2), RigModel.Gesture.maximumPoints)
        let paths = fingers.map { finger in
            var points: [Place] = []
            var next = 0
            for index in 0..<count {
                let time = start + duration / UInt64(count - 1) * UInt64(index)
                points.append(Self.place(of: finger, at: index == count - 1 ? end : time, from: &next))
            }
            let isStill = points.allSatisfy { $0 == points[0] }
            return ContactPath(id: finger.id, points: isStill ? [points[0]] : points)
        }
        let isWhole = fingers.allSatisfy { $0.samples.first?.time == start && $0.end == end }
        return Gesture(start: start, duration: duration, paths: paths, isEven: isEven && isWhole)
    }

    /// Where a finger was at a time; before its first place there, after its last there. `next` is the first sample that is
    /// not before the time, kept from call to call.
    private static func place(of finger: Finger, at time: UInt64, from next: inout Int) -> Place {
        while next < finger.samples.count && finger.samples[next].time < time { next += 1 }
        guard next < finger.samples.count else { return finger.samples[finger.samples.count - 1].place }
        let after = finger.samples[next]
        guard next > 0, after.time > time else { return after.place }
        let before = finger.samples[next - 1]
        let share = Double(time - before.time) / Double(after.time - before.time)
        func between(_ one: Int, _ other: Int) -> Int { one + Int((Double(other - one) * share).rounded()) }
        return Place(x: between(before.place.x, after.place.x), y: between(before.place.y, after.place.y))
    }
}
