import RigModel

/// Turns the parameters of `SetVehicle` into a change.
enum VehicleTranslation {
    static func change(_ fields: CallFields) throws(CommandFailure) -> VehicleChange {
        var change = VehicleChange(
            appearance: fields.string("appearance").flatMap(Appearance.init(rawValue:)),
            driverSide: fields.string("driverSide").flatMap(DriverSide.init(rawValue:)),
            limitKeyboard: fields.bool("limitKeyboard"), limitLists: fields.bool("limitLists"))
        change.measures = try measures(fields)
        change.automatic = try names("automatic", DerivedProperty.allCases, in: fields)
        for measure in try names("unknown", VehicleField.measures, in: fields) {
            guard !change.measures.says(measure) else {
                throw .invalidParameter(
                    "unknown", text: "'\(measure.rawValue)' has a value in the same call; do one of both")
            }
            change.measures.forget(measure)
        }
        change.track = try track(fields)
        return change
    }

    private static func measures(_ fields: CallFields) throws(CommandFailure) -> MeasureChange {
        var change = MeasureChange()
        if let speed = try steps(.speed, fields) { change.speed = speed }
        if let gear = fields.string("gear").flatMap(Gear.init(rawValue:)) { change.gear = gear }
        if let isSet = fields.bool("parkingBrake") { change.parkingBrake = isSet }
        if let light = try steps(.ambientLight, fields) { change.ambientLight = light }
        if let place = fields.object("location"), let latitude = try steps(.latitude, place),
            let longitude = try steps(.longitude, place)
        {
            change.location = VehicleLocation(
                latitude: latitude, longitude: longitude, altitude: try steps(.altitude, place),
                heading: try steps(.heading, place), accuracy: try steps(.accuracy, place))
        }
        if let charge = try steps(.battery, fields) { change.battery = charge }
        if let fuel = try steps(.fuel, fields) { change.fuel = fuel }
        if let range = try steps(.range, fields) { change.range = range }
        if let isLow = fields.bool("rangeLow") { change.rangeLow = isLow }
        return change
    }

    private static func steps(_ quantity: VehicleQuantity, _ fields: CallFields) throws(CommandFailure) -> Int? {
        guard let value = fields.double(quantity.rawValue) else { return nil }
        do throws(VehicleProblem) {
            return try quantity.steps(value)
        } catch {
            throw .invalidParameter(error.field, text: error.text)
        }
    }

    private static func track(_ fields: CallFields) throws(CommandFailure) -> VehicleChange.Track? {
        let stops = fields.bool("stopTrack") ?? false
        guard let text = fields.string("track") else { return stops ? .stop : nil }
        guard !stops else {
            throw .invalidParameter("stopTrack", text: "a track begins in the same call; do one of both")
        }
        do throws(VehicleTrack.Problem) {
            return .play(try VehicleTrack(parsing: text))
        } catch {
            throw .invalidParameter("track", text: "line \(error.line): \(error.text)")
        }
    }

    /// The tracks that come with a scenario.
    static func tracks(_ fields: CallFields) throws(CommandFailure) -> [TrackFile] {
        let tracks = fields.objects("tracks")
        guard tracks.count <= TrackFile.maximumCount else {
            throw .invalidParameter(
                "tracks", text: "at most \(TrackFile.maximumCount) tracks in one call, not \(tracks.count)")
        }
        return tracks.map { TrackFile(name: $0.string("name") ?? "", text: $0.string("text") ?? "") }
    }

    /// Each of them once.
    private static func names<Name: RawRepresentable<String>>(
        _ field: String, _ known: [Name], in fields: CallFields
    ) throws(CommandFailure) -> [Name] {
        let texts = fields.strings(field) ?? []
        for text in texts where !known.contains(where: { $0.rawValue == text }) {
            let words = known.map(\.rawValue)
            let near = Spelling.nearest(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""
            throw .invalidParameter(field, text: "'\(text)' is none of \(words.joined(separator: ", "))\(near)")
        }
        return known.filter { texts.contains($0.rawValue) }
    }
}
