public import RigModel

/// When a device is pulled in a cycle.
public enum CycleMoment: Equatable, Sendable {
    /// Once its session is active, after the hold.
    case active
    /// At this phase or packet of the handshake, a word of `FaultPlace.atNames`. Then it is plugged in again, and has to
    /// become active.
    case step(String)
    /// At another one each time, `active` among them.
    case random

    /// The steps that `random` chooses from: the phases before `active`.
    static let randomSteps = FaultPlace.phases.filter { $0 != .active }.map(\.rawValue)
}

/// Plugging and unplugging again and again: what, how often, and when it is pulled.
public struct CyclePlan: Equatable, Sendable {
    /// The number of the last cycle.
    public var count: Int
    /// The number of the first one: more than 1 when it goes on where it was stopped.
    public var first: Int
    /// When the device is pulled.
    public var moment: CycleMoment
    /// Nanoseconds from the end of one cycle to the beginning of the next.
    public var interval: UInt64
    /// Nanoseconds for which a session stays active.
    public var hold: UInt64
    /// How long a session may take to become active, in nanoseconds from the plug.
    public var within: UInt64
    /// Decides what `random` means in each cycle; the same number gives the same, wherever the cycles began.
    public var seed: UInt64
    /// The device that is cycled; `nil` takes the first that comes when it is connected.
    public var device: String?

    /// The most cycles of one run: a million, three weeks of two seconds each.
    public static let maximumCount = 1_000_000
    /// The longest interval, hold and time to become active: one hour.
    public static let maximumTime: UInt64 = 3_600_000_000_000
    /// The time between cycles when nobody says: 500 ms, longer than a removal may take.
    public static let usualInterval: UInt64 = 500_000_000
    /// How long a session may take when nobody says: 30 s.
    public static let usualWithin: UInt64 = 30_000_000_000
    /// How long the rig has to release a pulled device: 2 s, four times what a removal may take.
    public static let releaseLimit: UInt64 = 2_000_000_000

    /// States a plan.
    public init(
        count: Int, first: Int = 1, moment: CycleMoment = .active, interval: UInt64 = usualInterval, hold: UInt64 = 0,
        within: UInt64 = usualWithin, seed: UInt64 = 1, device: String? = nil
    ) {
        self.count = count
        self.first = first
        self.moment = moment
        self.interval = interval
        self.hold = hold
        self.within = within
        self.seed = seed
        self.device = device
    }

    /// Refuses what cannot be.
    public func check() throws(CommandFailure) {
        guard (1...Self.maximumCount).contains(count) else {
            throw .invalidParameter("count", text: "1 to \(Self.maximumCount) cycles, not \(count)")
        }
        guard (1...count).contains(first) else {
            throw .invalidParameter("first", text: "the first of \(count) cycles is none of the number \(first)")
        }
        for (field, time) in [("intervalMilliseconds", interval), ("holdMilliseconds", hold)]
        where time > Self.maximumTime {
            throw .invalidParameter(field, text: "at most \(DurationText.text(Self.maximumTime))")
        }
        guard within > 0, within <= Self.maximumTime else {
            throw .invalidParameter(
                "readyWithinMilliseconds", text: "more than 0, at most \(DurationText.text(Self.maximumTime))")
        }
        if case .step(let word) = moment, FaultPlace(at: word) == nil {
            let near = Spelling.nearest(to: word, among: FaultPlace.atNames)
            throw .invalidParameter(
                "unplugAt", text: "there is no step '\(word)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
    }

    /// The step at which the device is pulled in a cycle, or `nil` when it is not before it is active.
    func step(of cycle: Int) -> String? {
        switch moment {
        case .active: return nil
        case .step(let word): return word == SessionPhase.active.rawValue ? nil : word
        case .random:
            // SplitMix64 of the cycle's own seed: what it is must not hang on where the cycles began.
            var mixed = seed &+ UInt64(cycle) &* 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            mixed ^= mixed >> 31
            let place = Int(mixed % UInt64(CycleMoment.randomSteps.count + 1))
            return CycleMoment.randomSteps.indices.contains(place) ? CycleMoment.randomSteps[place] : nil
        }
    }
}
