extension VehicleField {
    /// What a published vehicle says of the field, as people write it: `speed 13.9m/s`, `gear unknown`. Nothing where it
    /// says nothing that people ask for.
    public func text(in vehicle: RecordValue) -> String? {
        switch self {
        case .appearance: vehicle.value(at: rawValue)?.string.map { "appearance \($0)" }
        case .driverSide: vehicle.value(at: rawValue)?.string.map { "driver \($0)" }
        case .keyboard, .lists:
            vehicle.value(at: "limitedUI.\(rawValue)")?.truth.map { "\(rawValue) \($0 ? "limited" : "free")" }
        case .speed, .ambientLight, .battery, .fuel, .range:
            "\(word) \(number(in: vehicle) ?? VehicleWords.unknown)"
        case .gear: "gear \(vehicle.value(at: rawValue)?.string ?? VehicleWords.unknown)"
        case .parkingBrake, .rangeLow:
            "\(word) \(vehicle.value(at: rawValue)?.truth.map { $0 ? "on" : "off" } ?? VehicleWords.unknown)"
        case .location: place(in: vehicle)
        case .automatic: automatic(in: vehicle)
        case .track: track(in: vehicle)
        }
    }

    /// The word that changes the field: `parking-brake`.
    public var word: String {
        var word = ""
        for letter in rawValue { word += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)" }
        return word
    }

    private func number(in vehicle: RecordValue) -> String? {
        VehicleQuantity(rawValue: rawValue)?.text(in: vehicle)
    }

    private func place(in vehicle: RecordValue) -> String {
        guard let latitude = VehicleQuantity.latitude.text(in: vehicle),
            let longitude = VehicleQuantity.longitude.text(in: vehicle)
        else { return "location \(VehicleWords.unknown)" }
        let rest = [VehicleQuantity.altitude, .heading, .accuracy].compactMap { quantity in
            quantity.text(in: vehicle).map { " \(quantity.rawValue) \($0)" }
        }
        return "location \(latitude),\(longitude)\(rest.joined())"
    }

    private func automatic(in vehicle: RecordValue) -> String? {
        guard case .array(let all)? = vehicle.value(at: rawValue) else { return nil }
        let names = all.compactMap(\.string)
        return names.isEmpty ? "nothing automatic" : "automatic: \(names.joined(separator: " and "))"
    }

    private func track(in vehicle: RecordValue) -> String {
        guard let point = vehicle.value(at: "track.point")?.whole, let points = vehicle.value(at: "track.points")?.whole
        else { return "no track" }
        return "track at point \(point) of \(points)"
    }
}

extension VehicleQuantity {
    fileprivate func text(in vehicle: RecordValue) -> String? {
        let number: Double
        switch vehicle.value(at: path) {
        case .double(let value)?: number = value
        case .int(let value)?: number = Double(value)
        case .null?, .bool?, .string?, .array?, .object?, nil: return nil
        }
        // What is out of range comes from a rig that knows more than we do.
        guard let steps = try? steps(number) else { return "\(number)" }
        return text(steps)
    }
}

extension RecordValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var truth: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    fileprivate var whole: Int64? { if case .int(let number) = self { number } else { nil } }
}
