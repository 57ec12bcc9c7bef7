/// 20: the vehicle. 0, 1, 2, 6 [C], the rest [1].
public struct VehicleInformation: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 20
    /// The most engines: ours.
    public static let maximumEngines = 4

    /// What drives a vehicle, as parameter 2 numbers it.
    public enum Engine: UInt8, Hashable, Sendable, CaseIterable {
        case gasoline = 0
        case diesel = 1
        case electric = 2
        case compressedGas = 3
    }

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2, repeated; numbers of `Engine`, others are kept.
    public var engines: [UInt8] = []
    /// Parameter 6: the name shown.
    public var displayName: String?
    /// Parameter 8: the name for maps.
    public var mapsName: String?
    /// Parameter 9: the name that is spoken.
    public var spokenName: String?
    /// Parameter 10: the colour, hexadecimal.
    public var color: String?

    /// Parameter 11: the connectors with which it is charged; the form is not known.
    public var chargeConnectors: [UInt8]?
    /// Parameters 12...20: the power of each kind of connector; the form is not known.
    public var connectorPowers = ConnectorPowers()

    /// What is told of nine kinds of connectors, by number from 0; others are not kept.
    public struct ConnectorPowers: Equatable, Sendable {
        /// How many kinds there are.
        public static let count = 9

        private var values = [[UInt8]?](repeating: nil, count: count)

        /// Nothing is told.
        public init() {}

        /// What is told of one kind.
        public subscript(_ index: Int) -> [UInt8]? {
            get { values.indices.contains(index) ? values[index] : nil }
            set { if values.indices.contains(index) { values[index] = newValue } }
        }
    }

    /// A vehicle without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<VehicleInformation>] =
        [
            .required(0, "id", \.id), .required(1, "name", \.name),
            .integers(2, "engines", \.engines, limit: maximumEngines), .text(6, "displayName", \.displayName),
            .text(8, "mapsName", \.mapsName), .text(9, "spokenName", \.spokenName), .text(10, "color", \.color),
            .bytes(11, "chargeConnectors", \.chargeConnectors),
        ]
        + (0..<ConnectorPowers.count).map { index in
            .bytes(UInt16(12 + index), "connectorPower\(index + 1)", \.connectorPowers[index])
        }
}

/// 21: what the vehicle can tell of itself in A101. [2+]
public struct VehicleStatusComponent: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 21

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 3.
    public var tellsRange = false
    /// Parameter 4.
    public var tellsOutsideTemperature = false
    /// Parameter 6.
    public var tellsLowRange = false

    /// A component without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<VehicleStatusComponent>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(3, "tellsRange", \.tellsRange),
        .flag(4, "tellsOutsideTemperature", \.tellsOutsideTemperature), .flag(6, "tellsLowRange", \.tellsLowRange),
    ]
}

/// 22: what the vehicle can tell of its place in FFFB. [1] (LIVI); 19 and 20 by analogy [?]
public struct LocationComponent: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 22

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 17.
    public var tellsGGA = false
    /// Parameter 18.
    public var tellsRMC = false
    /// Parameter 19 [?].
    public var tellsGSV = false
    /// Parameter 20 [?].
    public var tellsSpeed = false

    /// A component without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<LocationComponent>] = [
        .required(0, "id", \.id), .required(1, "name", \.name), .flag(17, "tellsGGA", \.tellsGGA),
        .flag(18, "tellsRMC", \.tellsRMC), .flag(19, "tellsGSV", \.tellsGSV), .flag(20, "tellsSpeed", \.tellsSpeed),
    ]
}

/// 30: a display for route guidance; repeated. 0, 1 [C], the rest [2+].
public struct RouteGuidanceDisplay: TypedComponent {
    /// Its parameter number in the identification.
    public static let kind: UInt16 = 30

    /// Parameter 0.
    public var id: UInt16 = 0
    /// Parameter 1.
    public var name = ""
    /// Parameter 2: the longest name of the road that is taken.
    public var maximumCurrentRoad: UInt16?
    /// Parameter 3: the longest name of a destination.
    public var maximumDestination: UInt16?
    /// Parameter 4: the longest name of a road behind a manoeuvre.
    public var maximumRoadAfter: UInt16?
    /// Parameter 5: the longest description of a manoeuvre.
    public var maximumDescription: UInt16?
    /// Parameter 6: how many manoeuvres it can hold.
    public var maneuverCapacity: UInt16?
    /// Parameter 7: the longest description of lanes.
    public var maximumLaneDescription: UInt16?
    /// Parameter 8: how many lanes it can hold.
    public var laneCapacity: UInt16?

    /// A display without name.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<RouteGuidanceDisplay>] = [
        .required(0, "id", \.id), .required(1, "name", \.name),
        .integer(2, "maximumCurrentRoad", \.maximumCurrentRoad),
        .integer(3, "maximumDestination", \.maximumDestination),
        .integer(4, "maximumRoadAfter", \.maximumRoadAfter),
        .integer(5, "maximumDescription", \.maximumDescription),
        .integer(6, "maneuverCapacity", \.maneuverCapacity),
        .integer(7, "maximumLaneDescription", \.maximumLaneDescription),
        .integer(8, "laneCapacity", \.laneCapacity),
    ]
}
