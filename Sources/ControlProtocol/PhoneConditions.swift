/// What a phone's user and surroundings do to the handshake. It can change at any time; it matters until the session is
/// active.
public struct PhoneConditions: Hashable, Sendable {
    /// What the user answers when asked whether to trust the unit.
    public enum Trust: String, Hashable, Sendable, CaseIterable {
        case trusted
        case undecided
        case refused
    }

    /// The longest time after which an undecided user trusts the unit, in nanoseconds: 60 s.
    public static let maximumTrustDelay: UInt64 = 60_000_000_000

    /// The phone is locked: it waits at its trust step, without a deadline, until it is unlocked.
    public var isLocked: Bool
    /// What the user answers at the trust step.
    public var trust: Trust
    /// Nanoseconds after which an undecided user trusts the unit, at most `maximumTrustDelay`; nil is never.
    public var trustAfter: UInt64?
    /// Nanoseconds that the phone lets pass before each of its answers; what it tells of itself is none.
    public var answerDelay: UInt64
    /// What it lets pass before some of them, added to `answerDelay`.
    public var delays: AnswerDelays
    /// What the phone refuses, whatever the unit brings.
    public var refusal: PhoneRefusal?
    /// What the phone does in the wrong order.
    public var misorder: PhoneMisorder?
    /// CarPlay is switched on. While it is off the phone says that no transport is available, and waits.
    public var isCarPlayOn: Bool

    /// Makes conditions; by default the phone is unlocked, trusts the unit and answers at once and in order.
    public init(
        isLocked: Bool = false, trust: Trust = .trusted, trustAfter: UInt64? = nil, answerDelay: UInt64 = 0,
        delays: AnswerDelays = AnswerDelays(), refusal: PhoneRefusal? = nil, misorder: PhoneMisorder? = nil,
        isCarPlayOn: Bool = true
    ) {
        self.isLocked = isLocked
        self.trust = trust
        self.trustAfter = trustAfter
        self.answerDelay = answerDelay
        self.delays = delays
        self.refusal = refusal
        self.misorder = misorder
        self.isCarPlayOn = isCarPlayOn
    }
}

/// What a phone does in a handshake of its own accord, each with a delay that can be set.
public enum PhoneAnswer: Int, Hashable, Sendable, CaseIterable {
    /// AA00.
    case certificateRequest
    /// AA02, when the certificate and the random bytes are there.
    case challenge
    /// AA05.
    case authenticationVerdict
    /// 1D00.
    case identificationRequest
    /// 1D02 or 1D03.
    case identificationVerdict
    /// What the unit listed of the phone: 4E0A, 4E0E and others.
    case information
    /// 4300.
    case sessionOffer

    /// A stable name for scenarios and sockets.
    public var name: String { "\(self)" }
}

/// Nanoseconds before each of a phone's answers, each brought into 0...2 s.
public struct AnswerDelays: Hashable, Sendable {
    /// The longest delay, in nanoseconds: 2 s.
    public static let maximum: UInt64 = 2_000_000_000

    private var durations = [UInt64](repeating: 0, count: PhoneAnswer.allCases.count)

    /// No delays.
    public init() {}

    /// The delay of one answer.
    public subscript(_ answer: PhoneAnswer) -> UInt64 {
        get { durations[answer.rawValue] }
        set { durations[answer.rawValue] = min(newValue, Self.maximum) }
    }
}

/// A step that a phone refuses because it is told to.
public enum PhoneRefusal: String, Hashable, Sendable, CaseIterable {
    /// AA04 for any certificate.
    case certificate
    /// AA04 for any signature.
    case signature
    /// 1D03 that names nothing, for any identification.
    case identification
    /// As a user who does not trust the unit.
    case trust
    /// 4300 never comes.
    case session
}

/// Something that a phone does in the wrong order because it is told to.
public enum PhoneMisorder: String, Hashable, Sendable, CaseIterable {
    /// 1D00 right behind AA00, long before AA05. A unit has to live with it.
    case identificationEarly
    /// A challenge before the certificate was asked for.
    case challengeFirst
    /// AA05 before the challenge.
    case resultFirst
    /// 1D02 before 1D00.
    case acceptanceFirst
    /// 4300 before everything else. A unit keeps it.
    case offerFirst
}
