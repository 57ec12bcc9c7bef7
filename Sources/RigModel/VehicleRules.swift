/// What rules can decide.
public enum DerivedProperty: String, Sendable, CaseIterable {
    /// Light or dark.
    case appearance
    /// Whether the on-screen keyboard is limited.
    case keyboard
    /// Whether long lists are cut.
    case lists
}

/// How a head unit derives appearance and limits from what the vehicle measures. A rule has two thresholds, so that a
/// value that trembles around one of them does not make the display flicker.
public struct VehicleRules: Equatable, Sendable {
    /// Day and night from the light outside, in steps of `VehicleQuantity.ambientLight`.
    public struct Darkness: Equatable, Sendable {
        /// Below this it is dark.
        public var darkBelow: Int
        /// From this on it is light; not less than `darkBelow`. In between it stays as it is.
        public var lightFrom: Int

        /// States a rule.
        public init(darkBelow: Int, lightFrom: Int) {
            self.darkBelow = darkBelow
            self.lightFrom = lightFrom
        }
    }

    /// A limit by speed, forwards and backwards, in steps of `VehicleQuantity.speed`.
    public struct Speed: Equatable, Sendable {
        /// From this on it is limited.
        public var limitedFrom: Int
        /// Below this it is free; not more than `limitedFrom`. In between it stays as it is.
        public var freeBelow: Int

        /// States a rule.
        public init(limitedFrom: Int, freeBelow: Int) {
            self.limitedFrom = limitedFrom
            self.freeBelow = freeBelow
        }
    }

    /// When something is limited: when one of the rules says so. A rule without its measure says nothing.
    public struct Limit: Equatable, Sendable {
        /// By speed.
        public var speed: Speed?
        /// In every gear but park.
        public var onlyInPark: Bool

        /// States when.
        public init(speed: Speed? = nil, onlyInPark: Bool = false) {
            self.speed = speed
            self.onlyInPark = onlyInPark
        }

        /// Whether there is a rule at all.
        public var isRule: Bool { speed != nil || onlyInPark }
    }

    /// Day and night.
    public var darkness: Darkness?
    /// The on-screen keyboard.
    public var keyboard: Limit
    /// Long lists.
    public var lists: Limit

    /// States rules; none by default.
    public init(darkness: Darkness? = nil, keyboard: Limit = Limit(), lists: Limit = Limit()) {
        self.darkness = darkness
        self.keyboard = keyboard
        self.lists = lists
    }

    /// Whether there is a rule for a property.
    public func decide(_ property: DerivedProperty) -> Bool {
        switch property {
        case .appearance: darkness != nil
        case .keyboard: keyboard.isRule
        case .lists: lists.isRule
        }
    }
}

/// What a rule decided, and why.
public struct VehicleDerivation: Equatable, Sendable {
    /// What was decided.
    public var property: DerivedProperty
    /// What it is now: `light`, `dark`, `limited`, `free`.
    public var value: String
    /// The measure that it follows from.
    public var cause: VehicleField
    /// The number that decided, as people write it: `12lx`, `2.5m/s`, `drive`. For what is handed back that is the last
    /// one beyond a threshold, which may not be the newest.
    public var measured: String
    /// The rule as the profile has it: `dark-below = 50lx`.
    public var rule: String

    /// States a decision.
    public init(property: DerivedProperty, value: String, cause: VehicleField, measured: String, rule: String) {
        self.property = property
        self.value = value
        self.cause = cause
        self.measured = measured
        self.rule = rule
    }

    /// The decision as it is published.
    public var record: RecordValue {
        .record([
            RecordField("property", .string(property.rawValue)), RecordField("value", .string(value)),
            RecordField("cause", .string(cause.rawValue)), RecordField("measured", .string(measured)),
            RecordField("rule", .string(rule)),
        ])
    }
}
