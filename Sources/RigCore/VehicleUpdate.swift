import ControlProtocol
import RigModel

/// What a phone can ask its head unit to tell of the vehicle, and the message that tells it.
enum VehicleUpdate: Sendable {
    /// Range and its warning.
    case status
    /// The place, as sentences of NMEA 0183.
    case location

    static let all: [VehicleUpdate] = [.status, .location]

    /// The message that asks for it.
    var start: MessageID {
        switch self {
        case .status: MessageID(0xA100)
        case .location: .startLocationInformation
        }
    }

    /// What of the vehicle is in it.
    var fields: [VehicleField] {
        switch self {
        case .status: [.range, .rangeLow]
        case .location: [.location, .speed]
        }
    }

    /// The message, or nothing where nothing of it is known or wanted.
    ///
    /// - Parameters:
    ///   - known: what the phone was told before.
    ///   - asked: what the start named.
    ///   - time: nanoseconds since 1970.
    func message(
        _ measures: VehicleMeasures, known: [VehicleField], asked: ControlParameters, at time: UInt64
    ) -> ControlMessage? {
        switch self {
        case .status:
            guard measures.range != nil || measures.rangeLow != nil else { return nil }
            var update = VehicleStatusUpdate()
            update.range = measures.range.map { UInt16(clamping: $0 / VehicleQuantity.range.stepsPerUnit) }
            update.isRangeLow = measures.rangeLow
            return try? update.message()
        case .location:
            // That a place is not known any more is news for whom was told one.
            guard measures.location != nil || known.contains(.location),
                let start = try? StartLocationInformation(parameters: asked)
            else { return nil }
            let sentences = PositionSentences(measures.location, speed: measures.speed, time: time)
            // A start that names nothing wants everything that there is.
            let isAll = !(start.gga || start.rmc || start.gsv || start.speed)
            let text = (isAll || start.gga ? sentences.gga : "") + (isAll || start.rmc ? sentences.rmc : "")
            return text.isEmpty ? nil : try? LocationInformation(sentences: text).message()
        }
    }

    /// What of the vehicle a phone knows by a message of this update.
    func told(by message: ControlMessage, of measures: VehicleMeasures) -> [VehicleField] {
        switch self {
        case .status:
            guard let update = try? VehicleStatusUpdate(parameters: message.parameters) else { return [] }
            return (update.range == nil ? [] : [.range]) + (update.isRangeLow == nil ? [] : [.rangeLow])
        case .location: return measures.location == nil ? [] : [.location]
        }
    }

    /// What a phone was told and is not known any more, where the message has no way to say so: a parameter that is left
    /// out of A101 says nothing, and none of its values means that it is not known. A place has the sentences for it.
    func unsayable(_ measures: VehicleMeasures, known: [VehicleField]) -> [VehicleField] {
        switch self {
        case .status:
            (measures.range == nil && known.contains(.range) ? [.range] : [])
                + (measures.rangeLow == nil && known.contains(.rangeLow) ? [.rangeLow] : [])
        case .location: []
        }
    }
}

/// What the phone of a session was told of the vehicle, and what it has still to be told.
struct VehicleTelling: Sendable {
    /// Updates that found no room, in the order of `VehicleUpdate.all`: they are told as they are when there is room.
    private(set) var owed: [VehicleUpdate] = []
    /// What the phone was told and was not taken back.
    private(set) var known: [VehicleField] = []

    /// Notes that an update found no room; true when it was not owed before.
    mutating func owe(_ update: VehicleUpdate) -> Bool {
        guard !owed.contains(update) else { return false }
        owed = VehicleUpdate.all.filter { owed.contains($0) || $0 == update }
        return true
    }

    /// Notes that an update was told, which brought some of its fields.
    mutating func told(_ update: VehicleUpdate, _ fields: [VehicleField]) {
        owed.removeAll { $0 == update }
        switch update {
        case .status: known += fields.filter { !known.contains($0) }
        case .location: known = known.filter { !update.fields.contains($0) } + fields
        }
    }

    /// Notes that what a phone was told of some fields holds no more, and that it cannot be told so.
    mutating func forget(_ fields: [VehicleField]) { known.removeAll(where: fields.contains) }

    /// Notes that nobody wants an update any more.
    mutating func end(_ update: VehicleUpdate) {
        owed.removeAll { $0 == update }
        forget(update.fields)
    }
}

/// A place as the sentences GGA and RMC of NMEA 0183. What is not known is empty in them; a place that is not known is one
/// without a fix: quality 0, status V, mode N.
struct PositionSentences {
    private let place: VehicleLocation?
    private let speed: Int?
    private let seconds: UInt64

    /// - Parameters:
    ///   - speed: in steps of `VehicleQuantity.speed`.
    ///   - time: nanoseconds since 1970.
    init(_ place: VehicleLocation?, speed: Int?, time: UInt64) {
        self.place = place
        self.speed = speed
        seconds = time / 1_000_000_000
    }

    /// Place and height. How many satellites there are, nobody said.
    var gga: String {
        guard let place else { return Self.sentence("GPGGA,\(clock),,,,,0,,,,,,,,") }
        let altitude = place.altitude.map { "\(Self.decimal($0, of: 100)),M" } ?? ","
        return Self.sentence("GPGGA,\(clock),\(Self.coordinates(place)),1,,,\(altitude),,,,")
    }

    /// Place, speed over ground in knots, course and date.
    var rmc: String {
        guard let place else { return Self.sentence("GPRMC,\(clock),V,,,,,,,\(date),,,N") }
        // 1 mm/s is 90/463 hundredths of a knot: a knot is 1,852 m in an hour.
        let knots = speed.map { Self.decimal(Int($0.magnitude) * 90 / 463, of: 100) } ?? ""
        let course = place.heading.map { Self.decimal($0, of: 100) } ?? ""
        return Self.sentence("GPRMC,\(clock),A,\(Self.coordinates(place)),\(knots),\(course),\(date),,,A")
    }

    private var clock: String {
        let second = seconds % 86_400
        return "\(Self.padded(second / 3_600, 2))\(Self.padded(second / 60 % 60, 2))\(Self.padded(second % 60, 2)).00"
    }

    /// Day, month and year of the Gregorian calendar, two digits each.
    private var date: String {
        // Years begin in March here, so that the leap day is the last: 719,468 days lie between 1 March 0000 and 1970.
        let days = seconds / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
        return
            "\(Self.padded(day, 2))\(Self.padded(month < 10 ? month + 3 : month - 9, 2))\(Self.padded(year % 100, 2))"
    }

    private static func coordinates(_ place: VehicleLocation) -> String {
        "\(Self.angle(place.latitude, degrees: 2)),\(place.latitude < 0 ? "S" : "N"),"
            + "\(Self.angle(place.longitude, degrees: 3)),\(place.longitude < 0 ? "W" : "E")"
    }

    /// Degrees, and minutes with five decimals.
    private static func angle(_ steps: Int, degrees: Int) -> String {
        let perDegree = UInt64(VehicleQuantity.latitude.stepsPerUnit)
        let magnitude = UInt64(steps.magnitude)
        let minutes = magnitude % perDegree * 60 / 100
        return
            "\(padded(magnitude / perDegree, degrees))\(padded(minutes / 100_000, 2)).\(padded(minutes % 100_000, 5))"
    }

    private static func decimal(_ value: Int, of steps: Int) -> String {
        let magnitude = value.magnitude
        let rest = padded(UInt64(magnitude % steps.magnitude), 2)
        return "\(value < 0 ? "-" : "")\(magnitude / steps.magnitude).\(rest)"
    }

    private static func padded(_ value: UInt64, _ digits: Int) -> String {
        let text = "\(value)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// With the checksum: all bytes between `$` and `*`, exclusive or.
    private static func sentence(_ text: String) -> String {
        let sum = text.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(text)*\(digits.utf8.count < 2 ? "0" : "")\(digits)\r\n"
    }
}
