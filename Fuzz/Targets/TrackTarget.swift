import RigModel

/// Tracks: what is read can be played, says so again, and what is refused has a line.
///
/// Input: the text.
enum TrackTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let track: VehicleTrack
        do throws(VehicleTrack.Problem) {
            track = try VehicleTrack(parsing: text)
        } catch {
            let lines = text.utf8.count { $0 == 0x0A } + 1
            try require((1...lines).contains(error.line), "a problem in line \(error.line) of \(lines)")
            return try require(!error.text.isEmpty, "a problem without text")
        }
        try require((1...VehicleTrack.maximumPoints).contains(track.points.count), "\(track.points.count) points")
        var last: UInt64?
        for point in track.points {
            try require(last.map { $0 < point.time } ?? true, "\(point.time) after \(last ?? 0)")
            try require(point.time <= VehicleTrack.maximumTime, "a point at \(point.time)")
            if let problem = point.change.problem { throw FuzzFinding("\(problem.field): \(problem.text)") }
            last = point.time
            try check(point.change)
        }
        let again = try? VehicleTrack(parsing: track.text)
        try require(again == track, "read again, it is another track")
    }

    /// What is published of a measure is read again as it was.
    private static func check(_ change: MeasureChange) throws(FuzzFinding) {
        var measures = VehicleMeasures()
        change.apply(to: &measures)
        let numbers: [(VehicleQuantity, Int?)] = [
            (.speed, measures.speed), (.ambientLight, measures.ambientLight), (.battery, measures.battery),
            (.fuel, measures.fuel), (.range, measures.range), (.latitude, measures.location?.latitude),
            (.longitude, measures.location?.longitude), (.altitude, measures.location?.altitude),
            (.heading, measures.location?.heading), (.accuracy, measures.location?.accuracy),
        ]
        for (quantity, steps) in numbers {
            guard let steps else { continue }
            try require(
                (try? quantity.steps(quantity.value(steps))) == steps, "\(quantity) of \(steps) is published otherwise")
            try require(
                (try? quantity.parse(quantity.text(steps))) == steps, "\(quantity) of \(steps) is written otherwise")
        }
    }
}
