public import RigModel

/// What one part of the rig's state says, as a record and by name. What a newer rig adds is in the record; what an older
/// one leaves out reads as empty, 0 or nothing.
public protocol RecordView: Equatable, Sendable {
    /// The record as it came.
    var record: RecordValue { get }
}

/// The whole state of the rig at one moment.
public struct StateView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// New at each start of the daemon.
    public var epoch: String { record.text("epoch") ?? "" }
    /// The number of the last event before this state.
    public var sequence: UInt64 { record.count("sequence") ?? 0 }
    /// Nanoseconds from the daemon's start to this state.
    public var time: UInt64 { record.count("time") ?? 0 }
    /// CLOCK_REALTIME in nanoseconds at the daemon's start.
    public var realtime: UInt64 { record.count("realtime") ?? 0 }
    /// The daemon's version.
    public var version: String { record.text("version") ?? "" }
    /// The instance's name.
    public var instance: String { record.text("instance") ?? "" }
    /// The device or session in front, as the rig names it.
    public var front: String? { record.text("front") }
    /// What holds for the whole car.
    public var vehicle: VehicleView { VehicleView(record.value(at: "vehicle") ?? .object([])) }
    /// The devices, also those that are unplugged and may return.
    public var devices: [DeviceView] { record.elements("devices").map(DeviceView.init) }
    /// The sessions.
    public var sessions: [SessionView] { record.elements("sessions").map(SessionView.init) }
    /// The displays of all sessions.
    public var displays: [DisplayView] { record.elements("displays").map(DisplayView.init) }
    /// The apps.
    public var apps: [AppView] { record.elements("apps").map(AppView.init) }

    /// The device of a name.
    public func device(_ name: String) -> DeviceView? { devices.first { $0.id == name } }
    /// The session of an id.
    public func session(_ id: String) -> SessionView? { sessions.first { $0.id == id } }
    /// The displays of a session, in the order declared.
    public func displays(of session: String) -> [DisplayView] { displays.filter { $0.session == session } }
    /// The session in front, whichever way the rig names it.
    public var frontSession: SessionView? {
        guard let front else { return nil }
        return session(front) ?? sessions.last { $0.device == front && $0.phase != SessionPhase.closed.rawValue }
    }
}

/// A device.
public struct DeviceView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// Its short stable name.
    public var id: String { record.text("id") ?? "" }
    /// 1 at the first plug, one more at each return.
    public var generation: UInt64 { record.count("generation") ?? 0 }
    /// `iPhone`, `androidPhone`, `headUnit`, ….
    public var kind: String { record.text("kind") ?? "" }
    /// The profile that it was classified by.
    public var profile: String { record.text("profile") ?? "" }
    /// `attached`, `connecting`, `active`, `failed`, `busy`, `stuck`, `reenumerating` or `detached`.
    public var state: String { record.text("state") ?? "" }
    /// The side that the rig plays.
    public var role: String? { record.text("role") }
    /// Who answers on the link.
    public var peer: String? { record.text("peer") }
    /// Observed or simulated.
    public var origin: String { record.text("origin") ?? "" }
    /// The port that it is plugged into.
    public var port: String { record.text("port") ?? "" }
    /// Its serial number.
    public var serial: String? { record.text("serial") }
    /// Its session while there is one.
    public var session: String? { record.text("session") }
    /// Why it failed, is busy, stuck or gone.
    public var reason: ReasonView? { record.value(at: "reason").map(ReasonView.init) }
    /// What was set on a phone.
    public var phone: RecordValue? { record.value(at: "phone") }
}

/// A session.
public struct SessionView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// `s1`, `s2`, ….
    public var id: String { record.text("id") ?? "" }
    /// The device that it belongs to.
    public var device: String { record.text("device") ?? "" }
    /// The generation that the device had.
    public var generation: UInt64 { record.count("generation") ?? 0 }
    /// The side that the rig plays.
    public var role: String { record.text("role") ?? "" }
    /// Who answers on the link.
    public var peer: String { record.text("peer") ?? "" }
    /// `detecting` to `closed`.
    public var phase: String { record.text("phase") ?? "" }
    /// `locked` or `untrusted`, while a person must act; `credentials`, while the rig makes its own keys.
    public var waiting: String? { record.text("waiting") }
    /// Nanoseconds from the daemon's start to its beginning.
    public var openedAt: UInt64 { record.count("openedAt") ?? 0 }
    /// Nanoseconds from the daemon's start to `active`.
    public var activeAt: UInt64? { record.count("activeAt") }
    /// What the head unit calls itself.
    public var headUnit: String? { record.text("headUnit") }
    /// Who signs and verifies for the rig: "libcrypto" or "fixedTest".
    public var signer: String? { record.value(at: "authentication")?.text("signer") }
    /// What the phone's policy says of the head unit's certificate: "accepted", or the name of the refusal.
    public var certificateVerdict: String? { record.value(at: "authentication")?.text("verdict") }
    /// Why it ended.
    public var reason: ReasonView? { record.value(at: "reason").map(ReasonView.init) }
}

/// A display of a session.
public struct DisplayView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// `s1/main`.
    public var id: String { record.text("id") ?? "" }
    /// The session that it belongs to.
    public var session: String { record.text("session") ?? "" }
    /// Its short name.
    public var name: String { record.text("name") ?? "" }
    /// `main` or `instrumentCluster`.
    public var role: String { record.text("role") ?? "" }
    /// Pixels across.
    public var width: UInt64 { record.count("width") ?? 0 }
    /// Pixels down.
    public var height: UInt64 { record.count("height") ?? 0 }
    /// Pixels per point.
    public var scale: Double { record.double("scale") ?? 0 }
    /// One higher at each change.
    public var revision: UInt64 { record.count("revision") ?? 0 }
}

/// What holds for the whole car.
public struct VehicleView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// `light` or `dark`.
    public var appearance: String { record.text("appearance") ?? "" }
    /// `left` or `right`.
    public var driverSide: String { record.text("driverSide") ?? "" }
    /// Whether there is no on-screen keyboard.
    public var limitsKeyboard: Bool { record.bool("limitedUI.keyboard") ?? false }
    /// Whether long lists are cut.
    public var limitsLists: Bool { record.bool("limitedUI.lists") ?? false }
    /// One higher at each change.
    public var revision: UInt64 { record.count("revision") ?? 0 }
    /// What rules of the head unit decide now: `appearance`, `keyboard`, `lists`.
    public var automatic: [String] { record.texts("automatic") }
    /// What the rig knows of a measure, in the published unit; nothing where it is not known.
    public func measure(_ quantity: VehicleQuantity) -> Double? {
        record.double(quantity.rawValue) ?? record.double("location.\(quantity.rawValue)")
    }
}

/// An app.
public struct AppView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// `app-1`.
    public var id: String { record.text("id") ?? "" }
    /// The name that its manifest declares.
    public var name: String { record.text("name") ?? "" }
    /// The device that it is bound to; without one it follows the front session.
    public var device: String? { record.text("device") }
    /// The session that it is in now.
    public var session: String? { record.text("session") }
    /// The uid of its process.
    public var uid: UInt64 { record.count("uid") ?? 0 }
}

/// Why something ended or failed.
public struct ReasonView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// A stable name in lower camel case.
    public var code: String { record.text("code") ?? "" }
    /// Whose fault it is: `local`, `peer`, `device` or `client`.
    public var party: String { record.text("party") ?? "" }
    /// What happened and what to do.
    public var text: String { record.text("text") ?? "" }
}
