/// What of a vehicle can change, by the name that `vehicle.changed` gives it.
public enum VehicleField: String, Sendable, CaseIterable {
    case appearance
    case driverSide
    /// The limit of the on-screen keyboard.
    case keyboard
    /// The limit of long lists.
    case lists
    case speed
    case gear
    case parkingBrake
    case ambientLight
    case location
    case battery
    case fuel
    case range
    case rangeLow
    /// What rules decide.
    case automatic
    /// The track under way.
    case track

    /// What is measured, and may be unknown.
    public static let measures: [VehicleField] = [
        .speed, .gear, .parkingBrake, .ambientLight, .location, .battery, .fuel, .range, .rangeLow,
    ]
}

/// How far a track has come.
public struct TrackProgress: Equatable, Sendable {
    /// The point that was reached last, from 1; 0 before the first.
    public var point: Int
    /// How many there are.
    public var points: Int

    /// States a progress.
    public init(point: Int, points: Int) {
        self.point = point
        self.points = points
    }
}

/// What holds for the whole car; every display of the rig's own profile follows it.
public struct Vehicle: Equatable, Sendable {
    /// Light or dark.
    public var appearance: Appearance
    /// Where the driver sits.
    public var driverSide: DriverSide
    /// What is limited now.
    public var limitedUI: LimitedUI
    /// What it measures of itself.
    public var measures: VehicleMeasures
    /// What a rule of the head unit decides now, in the order of `DerivedProperty.allCases`.
    public var automatic: [DerivedProperty] = []
    /// The track under way.
    public var track: TrackProgress?
    /// 1 at the start, one more at each change.
    public var revision: UInt32 = 1

    /// States a vehicle.
    public init(
        appearance: Appearance = .light, driverSide: DriverSide = .left, limitedUI: LimitedUI = LimitedUI(),
        measures: VehicleMeasures = VehicleMeasures()
    ) {
        self.appearance = appearance
        self.driverSide = driverSide
        self.limitedUI = limitedUI
        self.measures = measures
    }

    /// What differs from another state of the vehicle, apart from the revision, in the order of `VehicleField`.
    public func changes(since before: Vehicle) -> [VehicleField] {
        VehicleField.allCases.filter { field in
            switch field {
            case .appearance: appearance != before.appearance
            case .driverSide: driverSide != before.driverSide
            case .keyboard: limitedUI.keyboard != before.limitedUI.keyboard
            case .lists: limitedUI.lists != before.limitedUI.lists
            case .speed: measures.speed != before.measures.speed
            case .gear: measures.gear != before.measures.gear
            case .parkingBrake: measures.parkingBrake != before.measures.parkingBrake
            case .ambientLight: measures.ambientLight != before.measures.ambientLight
            case .location: measures.location != before.measures.location
            case .battery: measures.battery != before.measures.battery
            case .fuel: measures.fuel != before.measures.fuel
            case .range: measures.range != before.measures.range
            case .rangeLow: measures.rangeLow != before.measures.rangeLow
            case .automatic: automatic != before.automatic
            case .track: track != before.track
            }
        }
    }

    /// The vehicle as it is published. What is not known is left out.
    public var record: RecordValue {
        .record(
            [
                RecordField("appearance", .string(appearance.rawValue)),
                RecordField("driverSide", .string(driverSide.rawValue)), RecordField("limitedUI", limitedUI.record),
            ] + measures.fields + [
                RecordField("automatic", .array(automatic.map { .string($0.rawValue) })),
                RecordField(
                    "track",
                    track.map {
                        .record([
                            RecordField("point", .number($0.point)), RecordField("points", .number($0.points)),
                        ])
                    } ?? .null), RecordField("revision", .number(revision)),
            ])
    }
}

/// An app as it is published.
public struct App: Equatable, Sendable {
    /// Its number in this run.
    public let id: AppID
    /// The name its manifest declares.
    public let name: String
    /// The device it is bound to, or `nil` when it follows the front session.
    public let device: String?
    /// The session it is in now, if any.
    public var session: SessionID?
    /// The uid of the process behind it.
    public let uid: UInt32

    /// States an app at its launch.
    public init(id: AppID, name: String, device: String?, session: SessionID?, uid: UInt32) {
        self.id = id
        self.name = name
        self.device = device
        self.session = session
        self.uid = uid
    }

    /// The app as it is published.
    public var record: RecordValue {
        .record([
            RecordField("id", .string(id.name)), RecordField("name", .string(name)),
            RecordField("device", .text(device)), RecordField("session", .text(session?.name)),
            RecordField("uid", .number(uid)),
        ])
    }
}

/// What an app declares of itself. Scenes, entitlements and templates are added to it as optional parts.
public struct AppManifest: Equatable, Sendable {
    /// The app's name, 1 to 128 bytes.
    public var name: String
    /// The bundle identifier, or `nil`.
    public var bundle: String?

    /// The longest name in bytes.
    public static let maximumName = 128

    /// States a manifest.
    public init(name: String, bundle: String? = nil) {
        self.name = name
        self.bundle = bundle
    }
}
