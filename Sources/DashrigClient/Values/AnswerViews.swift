public import RigModel

/// What became of an injected gesture, or of a sequence of them.
public struct InjectionView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// The id of its first event; the others follow without holes.
    public var first: UInt64 { record.count("first") ?? 0 }
    /// How many events it makes.
    public var count: UInt64 { record.count("count") ?? 0 }
    /// The session that gets them; nothing when none is in front.
    public var session: String? { record.text("session") }
    /// The last step that its target can reach; nothing for a step of a newer rig.
    public var reaches: InputStep? { record.text("reaches").flatMap(InputStep.init) }
    /// The step that it has reached; nothing for a step of a newer rig.
    public var reached: InputStep? { record.text("reached").flatMap(InputStep.init) }
    /// When it was waited for, how many of its events were sent.
    public var sent: UInt64? { record.count("sent") }
    /// When it was waited for, how late the latest event was, in microseconds.
    public var latestMicroseconds: UInt64? { record.count("latestMicroseconds") }
    /// For a sequence, the numbers of each step's events: the first, and how many.
    public var steps: [(first: UInt64, count: UInt64)] {
        record.elements("steps").map { ($0.count("first") ?? 0, $0.count("count") ?? 0) }
    }
}

/// What can be plugged in.
public struct ProfilesView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// The virtual devices.
    public var profiles: [(name: String, kind: String, text: String)] {
        record.elements("profiles").map { ($0.text("name") ?? "", $0.text("kind") ?? "", $0.text("text") ?? "") }
    }

    /// The head units whose displays can be declared.
    public var headUnits: [(name: String, text: String, displays: [String])] {
        record.elements("headUnits").map { ($0.text("name") ?? "", $0.text("text") ?? "", $0.texts("displays")) }
    }
}

/// A fault that is set.
public struct FaultView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// Its name: `f1`.
    public var id: String { record.text("id") ?? "" }
    /// `drop`, `corrupt-header`, ….
    public var kind: String { record.text("kind") ?? "" }
    /// The device that it is for; nothing for the next that comes.
    public var device: String? { record.text("device") }
    /// Whether that device is not there.
    public var isWaiting: Bool { record.value(at: "waiting") == .bool(true) }
    /// How often it has struck.
    public var strikes: UInt64 { record.count("strikes") ?? 0 }
}

/// The faults that are set, and what can be set.
public struct FaultsView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// Those that are set, oldest first.
    public var faults: [FaultView] { record.elements("faults").map(FaultView.init) }
    /// The kinds, with what each does.
    public var kinds: [(name: String, text: String)] {
        record.elements("kinds").map { ($0.text("name") ?? "", $0.text("text") ?? "") }
    }
}

/// What a run holds for itself, or waits for.
public struct LeaseView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// Its name: `r1`.
    public var id: String { record.text("id") ?? "" }
    /// The scenario's name, or what is cycled.
    public var owner: String { record.text("owner") ?? "" }
    /// Its user; nothing when its client is gone.
    public var uid: UInt64? { record.count("uid") }
    /// Its process; nothing when its client is gone.
    public var pid: UInt64? { record.count("pid") }
    /// `device phone`, `display main`, `input`.
    public var resources: [String] { record.texts("resources") }
    /// Since when, in nanoseconds from the daemon's start.
    public var since: UInt64 { record.count("since") ?? 0 }
    /// Whether it still waits for it.
    public var isWaiting: Bool { record.bool("waiting") ?? false }
}

/// One published fact.
public struct EventView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// One counter for the whole rig.
    public var sequence: UInt64 { record.count("sequence") ?? 0 }
    /// Nanoseconds from the daemon's start.
    public var time: UInt64 { record.count("time") ?? 0 }
    /// `session.active`, `input.knob`, …. Kinds of a newer rig are to be ignored.
    public var kind: String { record.text("kind") ?? "" }
    /// The device that it is about.
    public var device: String? { record.text("device") }
    /// The generation of that device.
    public var generation: UInt64? { record.count("generation") }
    /// The session that it is about.
    public var session: String? { record.text("session") }
    /// The display that it is about.
    public var display: String? { record.text("display") }
    /// The number of the input event that this one is, or is about.
    public var inputID: UInt64? { record.count("input.id") }
    /// The number that `Acknowledge` takes, when this is input and not only about input.
    public var acknowledgeableID: UInt64? {
        switch EventKind(rawValue: kind) {
        case .inputStep?, .inputLost?: nil
        default: kind.hasPrefix("input.") ? inputID : nil
        }
    }
    /// Why, where there is a reason.
    public var reason: ReasonView? { record.value(at: "reason").map(ReasonView.init) }
}
