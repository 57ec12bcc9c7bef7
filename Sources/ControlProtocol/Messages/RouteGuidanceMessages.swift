/// 5201: how the guidance goes (LIVI, OCBM). Numbers of states are the phone's; no source names them all.
public struct RouteGuidanceUpdate: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.routeGuidanceUpdate
    /// The most displays that one update is for: ours.
    public static let maximumDisplays = 16

    /// Parameter 0, repeated: the unit's displays for guidance, components 30 of its identification.
    public var displays: [UInt16] = []
    /// Parameter 1.
    public var state: UInt8?
    /// Parameter 2.
    public var maneuverState: UInt8?
    /// Parameter 3.
    public var currentRoad: String?
    /// Parameter 4.
    public var destination: String?
    /// Parameter 5: seconds since 1970 in UTC.
    public var estimatedArrival: UInt64?
    /// Parameter 6, in seconds.
    public var timeRemaining: UInt64?
    /// Parameter 7, in metres.
    public var distanceRemaining: UInt32?
    /// Parameter 8: as it is to be shown.
    public var distanceRemainingText: String?
    /// Parameter 9: the unit of parameter 8.
    public var distanceRemainingUnits: UInt8?
    /// Parameter 10, in metres.
    public var distanceToManeuver: UInt32?
    /// Parameter 11: as it is to be shown.
    public var distanceToManeuverText: String?
    /// Parameter 12: the unit of parameter 11.
    public var distanceToManeuverUnits: UInt8?
    /// Parameter 13: the indices of the manoeuvres that come next.
    public var currentManeuvers: [UInt16]?
    /// Parameter 14.
    public var maneuverCount: UInt16?
    /// Parameter 15: the guidance is in sight on the phone.
    public var isVisible: Bool?
    /// Parameter 16: the index of the lanes that come next.
    public var laneGuidance: UInt16?
    /// Parameter 17.
    public var laneGuidanceCount: UInt16?
    /// Parameter 18.
    public var isLaneGuidanceShown: Bool?
    /// Parameter 19: the app that guides.
    public var source: String?
    /// Parameter 20.
    public var sourceSupportsGuidance: Bool?

    /// An update that says nothing.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<RouteGuidanceUpdate>] = [
        .integers(0, "displays", \.displays, limit: maximumDisplays), .integer(1, "state", \.state),
        .integer(2, "maneuverState", \.maneuverState), .text(3, "currentRoad", \.currentRoad),
        .text(4, "destination", \.destination), .integer(5, "estimatedArrival", \.estimatedArrival),
        .integer(6, "timeRemaining", \.timeRemaining), .integer(7, "distanceRemaining", \.distanceRemaining),
        .text(8, "distanceRemainingText", \.distanceRemainingText),
        .integer(9, "distanceRemainingUnits", \.distanceRemainingUnits),
        .integer(10, "distanceToManeuver", \.distanceToManeuver),
        .text(11, "distanceToManeuverText", \.distanceToManeuverText),
        .integer(12, "distanceToManeuverUnits", \.distanceToManeuverUnits),
        .numbers(13, "currentManeuvers", \.currentManeuvers), .integer(14, "maneuverCount", \.maneuverCount),
        .boolean(15, "isVisible", \.isVisible), .integer(16, "laneGuidance", \.laneGuidance),
        .integer(17, "laneGuidanceCount", \.laneGuidanceCount),
        .boolean(18, "isLaneGuidanceShown", \.isLaneGuidanceShown), .text(19, "source", \.source),
        .boolean(20, "sourceSupportsGuidance", \.sourceSupportsGuidance),
    ]
}

/// 5202: one manoeuvre of the route (LIVI, OCBM).
public struct RouteGuidanceManeuver: MappedMessage {
    /// The number of the message.
    public static let messageID = MessageID.routeGuidanceManeuverInformation

    /// Parameter 0, repeated: the unit's displays for guidance.
    public var displays: [UInt16] = []
    /// Parameter 1: its number on the route.
    public var index: UInt16?
    /// Parameter 2.
    public var description: String?
    /// Parameter 3: the phone's number of its kind.
    public var type: UInt8?
    /// Parameter 4.
    public var roadAfter: String?
    /// Parameter 5: to the next one, in metres.
    public var distance: UInt32?
    /// Parameter 6: as it is to be shown.
    public var distanceText: String?
    /// Parameter 7: the unit of parameter 6.
    public var distanceUnits: UInt8?
    /// Parameter 8: 0 right, 1 left [?].
    public var drivingSide: UInt8?
    /// Parameter 9: the phone's number of the kind of junction.
    public var junctionType: UInt8?
    /// Parameter 10, repeated: the roads of the junction, in degrees.
    public var elementAngles: [Int16] = []
    /// Parameter 11: the road that is taken, in degrees.
    public var exitAngle: Int16?
    /// Parameter 12: the index of its lanes.
    public var laneGuidance: UInt16?
    /// Parameter 13.
    public var exitInformation: String?

    /// The most displays or roads: ours.
    public static let maximumCount = 32

    /// A manoeuvre of which nothing is said.
    public init() {}

    /// Its parameters.
    public static let bindings: [FieldBinding<RouteGuidanceManeuver>] = [
        .integers(0, "displays", \.displays, limit: maximumCount), .integer(1, "index", \.index),
        .text(2, "description", \.description), .integer(3, "type", \.type), .text(4, "roadAfter", \.roadAfter),
        .integer(5, "distance", \.distance), .text(6, "distanceText", \.distanceText),
        .integer(7, "distanceUnits", \.distanceUnits), .integer(8, "drivingSide", \.drivingSide),
        .integer(9, "junctionType", \.junctionType),
        .integers(10, "elementAngles", \.elementAngles, limit: maximumCount), .integer(11, "exitAngle", \.exitAngle),
        .integer(12, "laneGuidance", \.laneGuidance), .text(13, "exitInformation", \.exitInformation),
    ]
}
