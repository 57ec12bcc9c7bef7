/// What is wrong with something that was said of the vehicle.
public struct VehicleProblem: Error, Equatable, Sendable {
    /// The field as it is published: `speed`, `location.latitude`.
    public let field: String
    /// What is wrong and what would be right; the field is not named in it.
    public let text: String

    /// States a problem.
    public init(_ field: String, _ text: String) {
        self.field = field
        self.text = text
    }
}

/// A number that the vehicle measures. It is kept as a whole number of its smallest step, so that what is published is
/// what was said. The ranges are ours: what no car goes beyond.
public enum VehicleQuantity: String, Sendable, CaseIterable {
    /// Metres per second in steps of 1 mm/s, negative backwards: −50 to 150 (−180 to 540 km/h).
    case speed
    /// Lux in hundredths, 0 to 200,000: a clear noon has about 120,000, a full moon 0.25.
    case ambientLight
    /// Degrees in steps of 10⁻⁷ (about a centimetre), north positive: −90 to 90.
    case latitude
    /// Degrees in steps of 10⁻⁷, east positive: −180 to 180.
    case longitude
    /// Metres above the sea in hundredths: −1,000 to 10,000.
    case altitude
    /// Degrees clockwise from north in hundredths: 0 to 359.99.
    case heading
    /// Metres in hundredths, the radius in which the place is: 0 to 100,000.
    case accuracy
    /// Percent of the battery's charge in hundredths: 0 to 100.
    case battery
    /// Percent of the tank in hundredths: 0 to 100.
    case fuel
    /// Kilometres that the car still goes, in steps of a metre: 0 to 10,000.
    case range

    /// A unit as it is written, and how many steps it is.
    struct Unit {
        let name: String
        let steps: Double
    }

    /// How many steps the published unit has.
    public var stepsPerUnit: Int {
        switch self {
        case .speed, .range: 1_000
        case .latitude, .longitude: 10_000_000
        case .ambientLight, .altitude, .heading, .accuracy, .battery, .fuel: 100
        }
    }

    /// The least and the most, in steps.
    public var limits: ClosedRange<Int> {
        switch self {
        case .speed: -50_000...150_000
        case .ambientLight: 0...20_000_000
        case .latitude: -900_000_000...900_000_000
        case .longitude: -1_800_000_000...1_800_000_000
        case .altitude: -100_000...1_000_000
        case .heading: 0...35_999
        case .accuracy: 0...10_000_000
        case .battery, .fuel: 0...10_000
        case .range: 0...10_000_000
        }
    }

    /// The units that people write, the published one first; none where the number stands alone.
    var units: [Unit] {
        switch self {
        case .speed:
            [
                Unit(name: "m/s", steps: 1_000), Unit(name: "km/h", steps: 1_000_000 / 3_600),
                Unit(name: "mph", steps: 447.04),
            ]
        case .ambientLight: [Unit(name: "lx", steps: 100)]
        case .latitude, .longitude, .heading: []
        case .altitude, .accuracy: [Unit(name: "m", steps: 100)]
        case .battery, .fuel: [Unit(name: "%", steps: 100)]
        case .range:
            [Unit(name: "km", steps: 1_000), Unit(name: "m", steps: 1), Unit(name: "mi", steps: 1_609.344)]
        }
    }

    /// The published value of so many steps.
    public func value(_ steps: Int) -> Double { Double(steps) / Double(stepsPerUnit) }

    /// The steps of a published value. What is finer than a step is rounded to the next
    /// one; what is out of range is refused, however little.
    public func steps(_ value: Double) throws(VehicleProblem) -> Int {
        try steps(value, of: Double(stepsPerUnit), shown: "\(value)")
    }

    /// A number of steps as people write it: `13.889m/s`, `48.1372`.
    public func text(_ steps: Int) -> String { "\(number(steps))\(units.first?.name ?? "")" }

    /// What lies in the range, as an error names it.
    var rangeText: String {
        let unit = units.first.map { " \($0.name)" } ?? ""
        return "\(number(limits.lowerBound)) and \(number(limits.upperBound))\(unit)"
    }

    /// A number and its unit as people write it.
    ///
    /// - Parameter isBare: true where the number may stand alone, in the published unit.
    public func parse(_ text: some StringProtocol, isBare: Bool = false) throws(VehicleProblem) -> Int {
        let digits = text.prefix { $0 == "-" || $0 == "+" || $0 == "." || ("0"..."9").contains($0) }
        let unit = text[digits.endIndex...]
        guard digits.utf8.contains(where: { (0x30...0x39).contains($0) }), let number = Double(digits) else {
            throw problem("\(Quotation.quoted(text, with: "'")) is no number")
        }
        if let known = units.first(where: { $0.name == unit }) {
            return try steps(number, of: known.steps, shown: Quotation.shortened(text))
        }
        if unit.isEmpty, isBare || units.isEmpty {
            return try steps(number, of: Double(stepsPerUnit), shown: Quotation.shortened(text))
        }
        let shown = Quotation.shortened(digits)
        let right = units.map { "\(shown)\($0.name)" }.joined(separator: " or ")
        if unit.isEmpty { throw problem("'\(shown)' has no unit; write \(right)") }
        guard !units.isEmpty else { throw problem("\(Quotation.quoted(text, with: "'")) has a unit; write \(shown)") }
        throw problem("there is no unit \(Quotation.quoted(unit, with: "'")) here; write \(right)")
    }

    /// The problem of a number of steps that is out of range.
    func problem(of steps: Int?) -> VehicleProblem? {
        guard let steps, !limits.contains(steps) else { return nil }
        return problem("\(text(steps)) is not between \(rangeText)")
    }

    /// The quantity as it is published, its place in the vehicle with it.
    var path: String {
        switch self {
        case .latitude, .longitude, .altitude, .heading, .accuracy: "location.\(rawValue)"
        case .speed, .ambientLight, .battery, .fuel, .range: rawValue
        }
    }

    private func problem(_ text: String) -> VehicleProblem { VehicleProblem(path, text) }

    private func steps(_ value: Double, of factor: Double, shown: String) throws(VehicleProblem) -> Int {
        let steps = value * factor
        // Looked at before it is rounded: what is beyond the range by less than a step is beyond it.
        guard steps.isFinite, isWithinLimits(steps), let whole = Int(exactly: steps.rounded()) else {
            throw problem("\(shown) is not between \(rangeText)")
        }
        return whole
    }

    /// The factors of units are no exact numbers: 540 km/h may come out a little above 150 m/s. What that makes is less than
    /// a part in 10¹²; what people write is more.
    private func isWithinLimits(_ steps: Double) -> Bool {
        let (lower, upper) = (Double(limits.lowerBound), Double(limits.upperBound))
        return steps >= lower - lower.magnitude * 1e-12 && steps <= upper + upper.magnitude * 1e-12
    }

    private func number(_ steps: Int) -> String {
        let rest = steps.magnitude % stepsPerUnit.magnitude
        let whole = "\(steps < 0 ? "-" : "")\(steps.magnitude / stepsPerUnit.magnitude)"
        guard rest > 0 else { return whole }
        // One before the decimals keeps their leading zeros.
        var decimals = "\(stepsPerUnit.magnitude + rest)".dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(whole).\(decimals)"
    }
}
