/// The vehicle's measures in words: `speed 50km/h`, `location 48.1372,11.5756`. The same words stand in scenarios, on the
/// command line, in head-unit profiles and in tracks.
public struct VehicleWords: Equatable, Sendable {
    /// How numbers are written.
    public enum Style: Sendable {
        /// With their units.
        case withUnits
        /// In a table: the published unit may be left out, and the place has two columns.
        case table
    }

    /// The words that change a measure.
    public static let keys = [
        "speed", "gear", "parking-brake", "ambient-light", "location", "altitude", "heading", "accuracy", "battery",
        "fuel", "range", "range-low",
    ]
    /// The columns of a table.
    static let columns = keys.flatMap { $0 == "location" ? ["latitude", "longitude"] : [$0] }
    /// What makes a measure unknown.
    public static let unknown = "unknown"

    private let style: Style
    private var measures = MeasureChange()
    private var latitude: Int?
    private var longitude: Int?
    private var altitude: Int?
    private var heading: Int?
    private var accuracy: Int?
    /// A word that needs a location beside it.
    private var locationPart: String?
    /// Such a word with a value, which needs a location that is known.
    private var knownPart: String?
    private var isUnknownPlace = false
    /// In a table, how many of the two columns of the place say that it is not known.
    private var unknownCoordinates = 0

    /// No words.
    public init(_ style: Style = .withUnits) { self.style = style }

    /// What stands behind a word, for messages and help.
    public static func meaning(of key: String) -> String {
        switch key {
        case "speed": "50km/h, 13.9m/s or 30mph, negative backwards"
        case "gear": "park, reverse, neutral or drive"
        case "parking-brake", "range-low": "on or off"
        case "ambient-light": "300lx"
        case "location": "LATITUDE,LONGITUDE in degrees, as 48.1372,11.5756"
        case "altitude": "520m above the sea"
        case "heading": "degrees clockwise from north, as 90"
        case "accuracy": "5m"
        case "battery", "fuel": "80%"
        case "range": "120km or 75mi"
        default: ""
        }
    }

    /// Takes a word of `keys` with its value; the error's text repeats the value, not the word.
    public mutating func set(_ key: String, to text: String) throws(VehicleProblem) {
        let isUnknown = text == Self.unknown
        switch key {
        case "speed": measures.speed = .some(isUnknown ? nil : try number(.speed, text))
        case "gear": measures.gear = .some(isUnknown ? nil : try Self.gear(text))
        case "parking-brake": measures.parkingBrake = .some(isUnknown ? nil : try Self.truth(text, "parkingBrake"))
        case "ambient-light": measures.ambientLight = .some(isUnknown ? nil : try number(.ambientLight, text))
        case "location" where isUnknown: isUnknownPlace = true
        case "location": try setPlace(text)
        case "latitude" where isUnknown, "longitude" where isUnknown: unknownCoordinates += 1
        case "latitude": latitude = try number(.latitude, text)
        case "longitude": longitude = try number(.longitude, text)
        case "altitude": altitude = try part(.altitude, text)
        case "heading": heading = try part(.heading, text)
        case "accuracy": accuracy = try part(.accuracy, text)
        case "battery": measures.battery = .some(isUnknown ? nil : try number(.battery, text))
        case "fuel": measures.fuel = .some(isUnknown ? nil : try number(.fuel, text))
        case "range": measures.range = .some(isUnknown ? nil : try number(.range, text))
        case "range-low": measures.rangeLow = .some(isUnknown ? nil : try Self.truth(text, "rangeLow"))
        default: throw VehicleProblem(key, "the vehicle has no \(Quotation.quoted(key, with: "'"))")
        }
    }

    /// The change that the words are.
    public func change() throws(VehicleProblem) -> MeasureChange {
        var change = measures
        if isUnknownPlace || unknownCoordinates == 2 {
            if let knownPart { throw VehicleProblem("location", "an unknown place has no '\(knownPart)'") }
            change.location = .some(nil)
        } else if let latitude, let longitude {
            change.location = VehicleLocation(
                latitude: latitude, longitude: longitude, altitude: altitude, heading: heading, accuracy: accuracy)
        } else if latitude != nil || longitude != nil || unknownCoordinates > 0 {
            throw VehicleProblem("location", "latitude and longitude go together")
        } else if let locationPart {
            throw VehicleProblem("location", "'\(locationPart)' needs the location that it belongs to")
        }
        return change
    }

    /// A gear's word.
    public static func gear(_ text: String) throws(VehicleProblem) -> Gear {
        if let gear = Gear(rawValue: text) { return gear }
        let words = Gear.allCases.map(\.rawValue)
        let near = Spelling.nearest(to: text, among: words).map { "; did you mean \($0)?" } ?? ""
        throw VehicleProblem(
            "gear", "\(Quotation.quoted(text, with: "'")) is none of \(words.joined(separator: ", "))\(near)")
    }

    private static func truth(_ text: String, _ field: String) throws(VehicleProblem) -> Bool {
        switch text {
        case "on", "yes", "true": return true
        case "off", "no", "false": return false
        default: throw VehicleProblem(field, "\(Quotation.quoted(text, with: "'")) is neither on nor off")
        }
    }

    private func number(_ quantity: VehicleQuantity, _ text: some StringProtocol) throws(VehicleProblem) -> Int {
        try quantity.parse(text, isBare: style == .table)
    }

    private mutating func part(_ quantity: VehicleQuantity, _ text: String) throws(VehicleProblem) -> Int? {
        locationPart = quantity.rawValue
        if text == Self.unknown { return nil }
        knownPart = quantity.rawValue
        return try number(quantity, text)
    }

    private mutating func setPlace(_ text: String) throws(VehicleProblem) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw VehicleProblem(
                "location", "\(Quotation.quoted(text, with: "'")) is not LATITUDE,LONGITUDE as in 48.1372,11.5756")
        }
        latitude = try number(.latitude, parts[0])
        longitude = try number(.longitude, parts[1])
    }
}
