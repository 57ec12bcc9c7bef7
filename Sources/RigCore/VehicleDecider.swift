import RigModel

/// Where the rules of a head unit stand: what each of them says for the measures that it saw last.
///
/// A rule without its measure says nothing, and neither does one whose measure has been between its thresholds since it
/// holds; between them it goes on to say what it said before. What a person set is not changed, but its rules go on, so
/// that handing it back gives what they say by then, with the number that made them say so.
struct VehicleDecider: Equatable, Sendable {
    /// What a rule with two thresholds says: that a measure was last beyond one or the other.
    private struct Crossing<Rule: Equatable & Sendable>: Equatable, Sendable {
        /// The rule that said so; another one has not said anything so far.
        let rule: Rule
        /// Whether it was beyond the threshold of what it is named for, the dark or the limit.
        let isBeyond: Bool
        /// The number that was beyond.
        let number: Int

        /// What is said of the next number.
        ///
        /// - Parameters:
        ///   - isBeyond: which threshold it is beyond; `nil` is between.
        ///   - before: what was said before.
        static func next(
            _ rule: Rule, _ number: Int, isBeyond: Bool?, after before: Crossing?
        ) -> Crossing? {
            if let isBeyond { return Crossing(rule: rule, isBeyond: isBeyond, number: number) }
            return before?.rule == rule ? before : nil
        }
    }

    /// What the two rules of a limit say.
    private struct Standing: Equatable, Sendable {
        var bySpeed: Crossing<VehicleRules.Speed>?
        var byGear: Bool?
    }

    /// What was set by hand, in the order of `DerivedProperty.allCases`.
    private(set) var held: [DerivedProperty] = []
    private var darkness: Crossing<VehicleRules.Darkness>?
    private var keyboard = Standing()
    private var lists = Standing()

    /// Notes what a person sets and hands back.
    mutating func note(_ change: VehicleChange) {
        let explicit = change.explicit
        held = DerivedProperty.allCases.filter {
            explicit.contains($0) || held.contains($0) && !change.automatic.contains($0)
        }
    }

    /// What the rules decide now.
    func automatic(_ rules: VehicleRules) -> [DerivedProperty] {
        DerivedProperty.allCases.filter { rules.decide($0) && !held.contains($0) }
    }

    /// Looks at the vehicle and gives what its rules change, at most one decision for each property.
    mutating func decide(_ rules: VehicleRules, for vehicle: Vehicle) -> [VehicleDerivation] {
        let decisions = [
            appearance(rules.darkness, vehicle),
            Self.limit(.keyboard, rules.keyboard, vehicle, now: vehicle.limitedUI.keyboard, &keyboard),
            Self.limit(.lists, rules.lists, vehicle, now: vehicle.limitedUI.lists, &lists),
        ]
        return decisions.compactMap { $0 }.filter { !held.contains($0.property) }
    }

    private mutating func appearance(_ rule: VehicleRules.Darkness?, _ vehicle: Vehicle) -> VehicleDerivation? {
        guard let rule, let light = vehicle.measures.ambientLight else {
            darkness = nil
            return nil
        }
        darkness = .next(
            rule, light, isBeyond: light < rule.darkBelow ? true : light >= rule.lightFrom ? false : nil,
            after: darkness)
        guard let darkness, darkness.isBeyond != (vehicle.appearance == .dark) else { return nil }
        let quantity = VehicleQuantity.ambientLight
        let isDark = darkness.isBeyond
        return VehicleDerivation(
            property: .appearance, value: (isDark ? Appearance.dark : .light).rawValue, cause: .ambientLight,
            measured: quantity.text(darkness.number),
            rule: isDark
                ? "dark-below = \(quantity.text(rule.darkBelow))" : "light-from = \(quantity.text(rule.lightFrom))")
    }

    private static func limit(
        _ property: DerivedProperty, _ rule: VehicleRules.Limit, _ vehicle: Vehicle, now isLimited: Bool,
        _ standing: inout Standing
    ) -> VehicleDerivation? {
        let before = standing
        standing.bySpeed = speed(rule.speed, vehicle.measures.speed, before: before.bySpeed)
        standing.byGear = rule.onlyInPark ? vehicle.measures.gear.map { $0 != .park } : nil
        let isNow: Bool
        switch (standing.bySpeed?.isBeyond, standing.byGear) {
        case (nil, nil): return nil
        case (true, _), (_, true): isNow = true
        case (false, _), (_, false): isNow = false
        }
        guard isNow != isLimited else { return nil }
        // Where both rules say the same, the one that has just come to say so is the cause.
        let saysSpeed = standing.bySpeed?.isBeyond == isNow
        let isSpeed = saysSpeed && (standing.byGear != isNow || before.bySpeed?.isBeyond != isNow)
        let word = property.rawValue
        var decision = VehicleDerivation(
            property: property, value: isNow ? "limited" : "free", cause: .gear,
            measured: vehicle.measures.gear?.rawValue ?? "", rule: "\(word)-only-in-park = yes")
        if isSpeed, let rule = rule.speed, let speed = standing.bySpeed?.number {
            let quantity = VehicleQuantity.speed
            decision.cause = .speed
            decision.measured = quantity.text(speed)
            decision.rule =
                isNow
                ? "\(word)-limited-from = \(quantity.text(rule.limitedFrom))"
                : "\(word)-free-below = \(quantity.text(rule.freeBelow))"
        }
        return decision
    }

    private static func speed(
        _ rule: VehicleRules.Speed?, _ speed: Int?, before: Crossing<VehicleRules.Speed>?
    ) -> Crossing<VehicleRules.Speed>? {
        guard let rule, let speed else { return nil }
        let isBeyond: Bool? =
            abs(speed) >= rule.limitedFrom ? true : abs(speed) < rule.freeBelow ? false : nil
        return .next(rule, speed, isBeyond: isBeyond, after: before)
    }
}

extension Vehicle {
    /// Takes a decision over.
    mutating func take(_ decision: VehicleDerivation) {
        switch decision.property {
        case .appearance: appearance = Appearance(rawValue: decision.value) ?? appearance
        case .keyboard: limitedUI.keyboard = decision.value == "limited"
        case .lists: limitedUI.lists = decision.value == "limited"
        }
    }
}

extension DisplayDescription {
    /// Follows the vehicle in one property.
    mutating func follow(_ vehicle: Vehicle, in property: DerivedProperty) {
        switch property {
        case .appearance: appearance = vehicle.appearance
        case .keyboard: limitedUI.keyboard = vehicle.limitedUI.keyboard
        case .lists: limitedUI.lists = vehicle.limitedUI.lists
        }
    }
}
