/// The gear that is chosen.
public enum Gear: String, Sendable, CaseIterable {
    /// The wheels are locked.
    case park
    /// Backwards.
    case reverse
    /// None.
    case neutral
    /// Forwards.
    case drive
}

/// Where the vehicle is. Numbers are in steps of their `VehicleQuantity`; what is not known is `nil`.
public struct VehicleLocation: Equatable, Sendable {
    /// In steps of `VehicleQuantity.latitude`.
    public var latitude: Int
    /// In steps of `VehicleQuantity.longitude`.
    public var longitude: Int
    /// In steps of `VehicleQuantity.altitude`.
    public var altitude: Int?
    /// Where the vehicle goes, in steps of `VehicleQuantity.heading`.
    public var heading: Int?
    /// In steps of `VehicleQuantity.accuracy`.
    public var accuracy: Int?

    /// States a place.
    public init(latitude: Int, longitude: Int, altitude: Int? = nil, heading: Int? = nil, accuracy: Int? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.heading = heading
        self.accuracy = accuracy
    }

    /// The place as it is published.
    public var record: RecordValue {
        .record([
            VehicleQuantity.latitude.field(latitude), VehicleQuantity.longitude.field(longitude),
            VehicleQuantity.altitude.field(altitude), VehicleQuantity.heading.field(heading),
            VehicleQuantity.accuracy.field(accuracy),
        ])
    }

    /// The first number that is out of range.
    var problem: VehicleProblem? {
        VehicleQuantity.latitude.problem(of: latitude) ?? VehicleQuantity.longitude.problem(of: longitude)
            ?? VehicleQuantity.altitude.problem(of: altitude) ?? VehicleQuantity.heading.problem(of: heading)
            ?? VehicleQuantity.accuracy.problem(of: accuracy)
    }
}

extension VehicleQuantity {
    /// A field of this quantity, or none.
    func field(_ steps: Int?) -> RecordField {
        RecordField(rawValue, steps.map { .double(value($0)) } ?? .null)
    }
}

/// What the vehicle measures of itself. Numbers are in steps of their `VehicleQuantity`; what is not known is `nil`.
public struct VehicleMeasures: Equatable, Sendable {
    /// In steps of `VehicleQuantity.speed`.
    public var speed: Int?
    /// The gear.
    public var gear: Gear?
    /// Whether the parking brake is set.
    public var parkingBrake: Bool?
    /// In steps of `VehicleQuantity.ambientLight`.
    public var ambientLight: Int?
    /// Where it is.
    public var location: VehicleLocation?
    /// In steps of `VehicleQuantity.battery`.
    public var battery: Int?
    /// In steps of `VehicleQuantity.fuel`.
    public var fuel: Int?
    /// In steps of `VehicleQuantity.range`.
    public var range: Int?
    /// Whether the car warns that it will not go much further.
    public var rangeLow: Bool?

    /// Nothing is known.
    public init() {}

    /// The measures as they are published.
    var fields: [RecordField] {
        [
            VehicleQuantity.speed.field(speed), RecordField("gear", .text(gear?.rawValue)),
            RecordField("parkingBrake", parkingBrake.map { .bool($0) } ?? .null),
            VehicleQuantity.ambientLight.field(ambientLight), RecordField("location", location?.record ?? .null),
            VehicleQuantity.battery.field(battery), VehicleQuantity.fuel.field(fuel),
            VehicleQuantity.range.field(range), RecordField("rangeLow", rangeLow.map { .bool($0) } ?? .null),
        ]
    }
}

/// A change of the measures: `nil` leaves one as it is, `.some(nil)` makes it unknown.
public struct MeasureChange: Equatable, Sendable {
    /// In steps of `VehicleQuantity.speed`.
    public var speed: Int??
    /// The gear.
    public var gear: Gear??
    /// Whether the parking brake is set.
    public var parkingBrake: Bool??
    /// In steps of `VehicleQuantity.ambientLight`.
    public var ambientLight: Int??
    /// The whole place: what is `nil` in it is not known.
    public var location: VehicleLocation??
    /// In steps of `VehicleQuantity.battery`.
    public var battery: Int??
    /// In steps of `VehicleQuantity.fuel`.
    public var fuel: Int??
    /// In steps of `VehicleQuantity.range`.
    public var range: Int??
    /// Whether the car warns that it will not go much further.
    public var rangeLow: Bool??

    /// A change of nothing.
    public init() {}

    /// A change of all of them to these.
    public init(_ measures: VehicleMeasures) {
        speed = .some(measures.speed)
        gear = .some(measures.gear)
        parkingBrake = .some(measures.parkingBrake)
        ambientLight = .some(measures.ambientLight)
        location = .some(measures.location)
        battery = .some(measures.battery)
        fuel = .some(measures.fuel)
        range = .some(measures.range)
        rangeLow = .some(measures.rangeLow)
    }

    /// Makes a measure unknown, in place of what was said of it.
    public mutating func forget(_ measure: VehicleField) {
        switch measure {
        case .speed: speed = .some(nil)
        case .gear: gear = .some(nil)
        case .parkingBrake: parkingBrake = .some(nil)
        case .ambientLight: ambientLight = .some(nil)
        case .location: location = .some(nil)
        case .battery: battery = .some(nil)
        case .fuel: fuel = .some(nil)
        case .range: range = .some(nil)
        case .rangeLow: rangeLow = .some(nil)
        case .appearance, .driverSide, .keyboard, .lists, .automatic, .track: break
        }
    }

    /// Whether something is said of a measure.
    public func says(_ measure: VehicleField) -> Bool {
        switch measure {
        case .speed: speed != nil
        case .gear: gear != nil
        case .parkingBrake: parkingBrake != nil
        case .ambientLight: ambientLight != nil
        case .location: location != nil
        case .battery: battery != nil
        case .fuel: fuel != nil
        case .range: range != nil
        case .rangeLow: rangeLow != nil
        case .appearance, .driverSide, .keyboard, .lists, .automatic, .track: false
        }
    }

    /// Changes measures.
    public func apply(to measures: inout VehicleMeasures) {
        if let speed { measures.speed = speed }
        if let gear { measures.gear = gear }
        if let parkingBrake { measures.parkingBrake = parkingBrake }
        if let ambientLight { measures.ambientLight = ambientLight }
        if let location { measures.location = location }
        if let battery { measures.battery = battery }
        if let fuel { measures.fuel = fuel }
        if let range { measures.range = range }
        if let rangeLow { measures.rangeLow = rangeLow }
    }

    /// The first number that is out of range.
    public var problem: VehicleProblem? {
        VehicleQuantity.speed.problem(of: speed ?? nil)
            ?? VehicleQuantity.ambientLight.problem(of: ambientLight ?? nil) ?? (location ?? nil)?.problem
            ?? VehicleQuantity.battery.problem(of: battery ?? nil) ?? VehicleQuantity.fuel.problem(of: fuel ?? nil)
            ?? VehicleQuantity.range.problem(of: range ?? nil)
    }
}
