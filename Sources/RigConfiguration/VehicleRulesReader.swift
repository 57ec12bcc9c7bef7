import RigModel

/// Reads the section `[derive]` of a head-unit profile.
struct VehicleRulesReader {
    private var reader: SectionReader

    var problems: [ConfigurationProblem] { reader.problems }

    init(_ section: INISection) { reader = SectionReader(section) }

    mutating func read() -> VehicleRules {
        var rules = VehicleRules()
        if let pair = thresholds("dark-below", "light-from", of: .ambientLight, isLowerFirst: true) {
            rules.darkness = VehicleRules.Darkness(darkBelow: pair.first, lightFrom: pair.second)
        }
        rules.keyboard = limit("keyboard")
        rules.lists = limit("lists")
        reader.finish()
        return rules
    }

    private mutating func limit(_ name: String) -> VehicleRules.Limit {
        var limit = VehicleRules.Limit()
        if let pair = thresholds("\(name)-limited-from", "\(name)-free-below", of: .speed, isLowerFirst: false) {
            limit.speed = VehicleRules.Speed(limitedFrom: pair.first, freeBelow: pair.second)
        }
        reader.read("\(name)-only-in-park", into: &limit.onlyInPark, ConfigurationValue.bool)
        return limit
    }

    /// Two thresholds that go together, the one not above the other.
    private mutating func thresholds(
        _ first: String, _ second: String, of quantity: VehicleQuantity, isLowerFirst: Bool
    ) -> (first: Int, second: Int)? {
        let entries = (reader.entry(first), reader.entry(second))
        let values = (entries.0.flatMap { value($0, quantity) }, entries.1.flatMap { value($0, quantity) })
        switch entries {
        case (nil, nil): return nil
        case (let there?, nil): reader.refuse(there, "\"\(first)\" and \"\(second)\" go together")
        case (nil, let there?): reader.refuse(there, "\"\(first)\" and \"\(second)\" go together")
        case (_?, let last?):
            guard case (let one?, let other?) = values else { return nil }
            if isLowerFirst ? one <= other : one >= other { return (one, other) }
            let order = isLowerFirst ? (first, second) : (second, first)
            reader.refuse(last, "\"\(order.0)\" must not be above \"\(order.1)\"")
        }
        return nil
    }

    private mutating func value(_ entry: INIEntry, _ quantity: VehicleQuantity) -> Int? {
        reader.value(of: entry) { (text) throws(ConfigurationValueError) in
            do throws(VehicleProblem) {
                let steps = try quantity.parse(text)
                // Nothing is ever below 0: the rule would hold for ever.
                guard steps > 0 else { throw VehicleProblem(quantity.rawValue, "\(text) is not more than 0") }
                return steps
            } catch {
                throw ConfigurationValueError(error.text)
            }
        }
    }
}
