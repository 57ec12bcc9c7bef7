/// A wish for a fault.
public struct FaultRequest: Equatable, Sendable {
    /// What it does.
    public var kind: FaultKind
    /// The device, which need not be plugged in yet. `nil` is the one of the front session, or else the next that comes.
    public var device: String?
    /// The generation the caller means, or `nil` for whichever is there or comes.
    public var generation: UInt32?
    /// Which way the bytes go.
    public var direction: FaultDirection
    /// Where in a session it may strike.
    public var place: FaultPlace
    /// How many packets pass unharmed at the place before it strikes; counted anew in each session.
    public var after: Int
    /// How many bytes pass unharmed at the place before it strikes, in the middle of a packet if need be; counted anew in
    /// each session. `nil` counts packets. For `unplug` and `stall`, which then strike once.
    public var afterBytes: Int?
    /// How often it strikes; `nil` is again and again until it is cleared.
    public var count: Int?
    /// Nanoseconds, for the kinds that take a time; see `FaultKind.timing`.
    public var duration: UInt64?
    /// Whether it stays when the device is unplugged.
    public var keep: Bool

    /// The most packets that pass before a fault strikes.
    public static let maximumAfter = 1_000_000
    /// The most bytes that pass before a fault strikes: 1 GiB, far more than any session of a bench carries.
    public static let maximumAfterBytes = 1 << 30
    /// The most strikes that can be counted.
    public static let maximumCount = 1_000_000
    /// The shortest time: 1 ms.
    public static let minimumDuration: UInt64 = 1_000_000
    /// The longest time: 60 s, as for gestures and slow phones.
    public static let maximumDuration: UInt64 = 60_000_000_000

    /// States a wish; the default strikes once, at what comes from the device.
    public init(
        _ kind: FaultKind, device: String? = nil, generation: UInt32? = nil, direction: FaultDirection = .fromDevice,
        place: FaultPlace = .anywhere, after: Int = 0, afterBytes: Int? = nil, count: Int? = 1, duration: UInt64? = nil,
        keep: Bool = false
    ) {
        self.kind = kind
        self.device = device
        self.generation = generation
        self.direction = direction
        self.place = place
        self.after = after
        self.afterBytes = afterBytes
        self.count = count
        self.duration = duration
        self.keep = keep
    }

    /// The time that holds: what was told, or the kind's own; `nil` for kinds without one and for an endless stall.
    public var effectiveDuration: UInt64? {
        switch kind.timing {
        case .none: nil
        case .required, .untilCleared: duration
        case .optional(let standard): duration ?? standard
        }
    }

    /// Checks what each field may be and which of them go together.
    ///
    /// - Throws: `invalidParameter` with the first field that is wrong, spelled as in `SetFault`, and what is legal.
    public func validate() throws(CommandFailure) {
        if let device {
            try Self.require(
                DisplayDescription.isName(device), "device", "a name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        try Self.require(
            generation == nil || device != nil, "generation", "a generation is that of a device; name the device too")
        try Self.require(
            (0...Self.maximumAfter).contains(after), "after",
            "\(after) is not between 0 and \(Self.maximumAfter) packets")
        if let count {
            try Self.require(
                (1...Self.maximumCount).contains(count), "count",
                "\(count) is not between 1 and \(Self.maximumCount) strikes")
        }
        try validateAfterBytes()
        try validateDuration()
        try validatePlace()
        switch kind {
        case .stall:
            try Self.require(
                duration != nil || count == 1, "count",
                "a stall without a time strikes once and lasts until it is cleared; tell a time, or leave the count out"
            )
        case .unplug: try Self.require(count == 1, "count", "a cable is pulled once; leave the count out")
        case .drop, .corruptHeader, .corruptPayload, .corruptLength, .duplicate, .reorder, .delay, .split, .join,
            .stale,
            .reset:
            break
        }
    }

    private func validateAfterBytes() throws(CommandFailure) {
        guard let afterBytes else { return }
        try Self.require(
            (1...Self.maximumAfterBytes).contains(afterBytes), "afterBytes",
            "\(afterBytes) is not between 1 and \(Self.maximumAfterBytes) bytes")
        try Self.require(
            kind == .unplug || kind == .stall, "afterBytes",
            "\(kind.rawValue) happens to packets, and counts them; unplug and stall count bytes")
        try Self.require(after == 0, "afterBytes", "it counts packets or bytes, not both")
        try Self.require(count == 1, "count", "behind so many bytes it strikes once; leave the count out")
    }

    private func validateDuration() throws(CommandFailure) {
        guard let duration else {
            return try Self.require(
                kind.timing != .required, "durationMilliseconds",
                "\(kind.rawValue) needs a time: how much later the packet comes, 1 ms to 60 s")
        }
        try Self.require(
            kind.timing != .none, "durationMilliseconds",
            "\(kind.rawValue) takes no time; reorder, delay, join and stall do")
        try Self.require(
            (Self.minimumDuration...Self.maximumDuration).contains(duration), "durationMilliseconds",
            "it is not between 1 ms and 60 s")
    }

    private func validatePlace() throws(CommandFailure) {
        switch place {
        case .anywhere: break
        case .during(let phase): try Self.require(phase != .closed, "at", "nothing passes in a closed session")
        case .since(let phase): try Self.require(phase != .closed, "since", "nothing passes in a closed session")
        case .packet(let packet):
            try Self.require(
                kind != .corruptPayload || packet != .detection, "at",
                "the detection bytes have no payload; corrupt-header spoils them")
        }
        guard kind == .stale else { return }
        // What is left from the session before comes first of all; nothing can have passed by then.
        try Self.require(
            place == .anywhere || place == .during(.detecting), place.from == nil ? "at" : "since",
            "stale bytes come when a session begins; leave the place out")
        try Self.require(after == 0, "after", "stale bytes come before every packet; leave it out")
    }

    private static func require(_ holds: Bool, _ field: String, _ text: String) throws(CommandFailure) {
        if !holds { throw .invalidParameter(field, text: text) }
    }
}

/// The number of a fault, from when it is set to when it is cleared. Never reused within a run of the rig.
public struct FaultID: Hashable, Comparable, Sendable {
    /// The number, from 1.
    public let number: UInt32

    /// Wraps a number that the rig handed out.
    public init(_ number: UInt32) { self.number = number }

    /// Reads a name: `f1`; `nil` for what is none.
    public init?(name: String) {
        guard name.first == "f", let number = UInt32(name.dropFirst()), "f\(number)" == name, number > 0 else {
            return nil
        }
        self.number = number
    }

    /// What people see: `f1`, `f2`, ….
    public var name: String { "f\(number)" }

    /// Older faults come first.
    public static func < (left: FaultID, right: FaultID) -> Bool { left.number < right.number }
}

/// A fault as it is published.
public struct Fault: Equatable, Sendable {
    /// Its number in this run.
    public let id: FaultID
    /// What was asked for.
    public var request: FaultRequest
    /// The device it has found; `nil` while it waits for one.
    public var device: DeviceReference?
    /// How often it has struck, both ways together.
    public var strikes: Int

    /// States a fault that has not struck.
    public init(id: FaultID, request: FaultRequest, device: DeviceReference?) {
        self.id = id
        self.request = request
        self.device = device
        self.strikes = 0
    }

    /// Whole milliseconds, rounded up so that what is not 0 does not become 0.
    private static func milliseconds(_ nanoseconds: UInt64) -> UInt64 {
        nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
    }

    /// The fault as it is published.
    public var record: RecordValue {
        .record([
            RecordField("id", .string(id.name)), RecordField("kind", .string(request.kind.rawValue)),
            RecordField("device", .text(device?.name ?? request.device)),
            RecordField("waiting", .bool(device == nil)),
            RecordField("direction", .string(request.direction.rawValue)), RecordField("at", .text(request.place.at)),
            RecordField("since", .text(request.place.from)), RecordField("after", .number(request.after)),
            RecordField("afterBytes", .number(request.afterBytes)),
            RecordField("count", .number(request.count)),
            RecordField("durationMilliseconds", .number(request.effectiveDuration.map(Self.milliseconds))),
            RecordField("keep", .bool(request.keep)), RecordField("strikes", .number(strikes)),
        ])
    }
}

/// What a fault did, once.
public struct FaultStrike: Equatable, Sendable {
    /// Which way the bytes went: `toDevice` or `fromDevice`.
    public var direction: FaultDirection
    /// The packet's number in this direction and session, from 1; 0 when none had come.
    public var packet: UInt64
    /// How far the session was.
    public var phase: SessionPhase
    /// How many bytes it is about: those of the packet, of the reset packet or of what was left over.
    public var bytes: Int
    /// What was done, in a few words.
    public var effect: String
    /// How many strikes of the same fault before it were not published, because there were too many in a short time.
    public var suppressed: UInt64

    /// States a strike.
    public init(
        direction: FaultDirection, packet: UInt64, phase: SessionPhase, bytes: Int, effect: String,
        suppressed: UInt64 = 0
    ) {
        self.direction = direction
        self.packet = packet
        self.phase = phase
        self.bytes = bytes
        self.effect = effect
        self.suppressed = suppressed
    }

    /// The strike as it is published.
    public var record: RecordValue {
        .record([
            RecordField("direction", .string(direction.rawValue)), RecordField("packet", .number(packet)),
            RecordField("phase", .string(phase.rawValue)), RecordField("bytes", .number(bytes)),
            RecordField("effect", .string(effect)),
            RecordField("suppressed", .number(suppressed == 0 ? nil : suppressed)),
        ])
    }
}

/// Why a fault is there no more.
public enum FaultEnding: String, Sendable, CaseIterable {
    /// It has struck as often as it was to.
    case usedUp
    /// Somebody cleared it.
    case cleared
    /// Its device was unplugged.
    case detached
}

/// Which faults somebody wants to be cleared.
public enum FaultSelection: Equatable, Sendable {
    /// All of them.
    case all
    /// Those of a device, and those that wait for it.
    case device(String)
    /// These; those that are there no more are passed over.
    case these([FaultID])
}
