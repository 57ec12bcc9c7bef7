/// What holds for the whole car; every display of the rig's own profile follows it.
public struct Vehicle: Equatable, Sendable {
    /// Light or dark.
    public var appearance: Appearance
    /// Where the driver sits.
    public var driverSide: DriverSide
    /// What is limited now.
    public var limitedUI: LimitedUI

    /// States a vehicle.
    public init(appearance: Appearance = .light, driverSide: DriverSide = .left, limitedUI: LimitedUI = LimitedUI()) {
        self.appearance = appearance
        self.driverSide = driverSide
        self.limitedUI = limitedUI
    }

    /// The vehicle as it is published.
    public var record: RecordValue {
        .record([
            RecordField("appearance", .string(appearance.rawValue)),
            RecordField("driverSide", .string(driverSide.rawValue)), RecordField("limitedUI", limitedUI.record),
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
