/// A change of the vehicle; `nil` leaves a property as it is.
public struct VehicleChange: Equatable, Sendable {
    /// What becomes of the track.
    public enum Track: Equatable, Sendable {
        /// This one begins now, in place of the one under way.
        case play(VehicleTrack)
        /// The one under way ends where it is.
        case stop
    }

    /// Light or dark. Said here, no rule changes it any more.
    public var appearance: Appearance?
    /// The driver's side.
    public var driverSide: DriverSide?
    /// No on-screen keyboard. Said here, no rule changes it any more.
    public var limitKeyboard: Bool?
    /// Long lists are cut. Said here, no rule changes it any more.
    public var limitLists: Bool?
    /// What it measures.
    public var measures = MeasureChange()
    /// What is handed back to the rules of the head unit.
    public var automatic: [DerivedProperty] = []
    /// A track.
    public var track: Track?

    /// States a change.
    public init(
        appearance: Appearance? = nil, driverSide: DriverSide? = nil, limitKeyboard: Bool? = nil,
        limitLists: Bool? = nil, measures: MeasureChange = MeasureChange(), automatic: [DerivedProperty] = [],
        track: Track? = nil
    ) {
        self.appearance = appearance
        self.driverSide = driverSide
        self.limitKeyboard = limitKeyboard
        self.limitLists = limitLists
        self.measures = measures
        self.automatic = automatic
        self.track = track
    }

    /// What is said of these properties, none of which a rule changes any more.
    public var explicit: [DerivedProperty] {
        DerivedProperty.allCases.filter { property in
            switch property {
            case .appearance: appearance != nil
            case .keyboard: limitKeyboard != nil
            case .lists: limitLists != nil
            }
        }
    }

    /// The first thing in it that cannot be.
    public var problem: VehicleProblem? {
        if let both = explicit.first(where: automatic.contains) {
            return VehicleProblem("automatic", "'\(both.rawValue)' is set in the same call; do one of both")
        }
        return measures.problem
    }
}
