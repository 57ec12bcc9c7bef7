/// What a scenario or a person sets on a phone.
public struct PhoneConditions: Equatable, Sendable {
    /// The most that a phone can be slowed down, in nanoseconds: 60 s.
    public static let maximumSlowness: UInt64 = 60_000_000_000
    /// The longest that a person takes to tap "trust" unasked, in nanoseconds: 60 s.
    public static let maximumTrustDelay: UInt64 = 60_000_000_000
    /// The link versions that a phone can speak: those that may be offered [C].
    public static let linkVersions = 1...3

    /// The screen is locked: a handshake waits at its trust step; a running session goes on.
    public var locked: Bool
    /// The person tapped "trust". When false the handshake waits at its trust step.
    public var trusted: Bool
    /// After how many nanoseconds at the trust step the person taps "trust" unasked, in each handshake anew; `nil` is
    /// never. Without meaning when `trusted`. At most 60 s.
    public var trustAfter: UInt64?
    /// How much later the phone answers each step, in nanoseconds; 0 is at once. At most 60 s.
    public var slow: UInt64
    /// How much later than that it gives single answers.
    public var delays: AnswerDelays
    /// The step the phone refuses, or `nil`.
    public var refuse: HandshakeStep?
    /// What the phone does in the wrong order, or `nil`.
    public var misorder: PhoneMisorder?
    /// CarPlay is switched on. While it is off no session is offered, and the handshake waits.
    public var carPlay: Bool
    /// The newest link version that it speaks, 1 to 3, or `nil` for the configured one. It is that of its hardware: only
    /// plugging in says it.
    public var linkVersion: Int?

    /// States conditions; the default is an unlocked, trusting, quick and orderly phone.
    public init(
        locked: Bool = false, trusted: Bool = true, trustAfter: UInt64? = nil, slow: UInt64 = 0,
        delays: AnswerDelays = AnswerDelays(), refuse: HandshakeStep? = nil, misorder: PhoneMisorder? = nil,
        carPlay: Bool = true, linkVersion: Int? = nil
    ) {
        self.locked = locked
        self.trusted = trusted
        self.trustAfter = trustAfter
        self.slow = slow
        self.delays = delays
        self.refuse = refuse
        self.misorder = misorder
        self.carPlay = carPlay
        self.linkVersion = linkVersion
    }

    /// Throws `invalidParameter` with the name that the socket gives to what is out of its range.
    public func check() throws(CommandFailure) {
        guard slow <= Self.maximumSlowness else {
            throw .invalidParameter("slowMilliseconds", text: "a phone is at most 60 s slow")
        }
        if let trustAfter {
            guard trustAfter <= Self.maximumTrustDelay else {
                throw .invalidParameter("trustAfterMilliseconds", text: "a person trusts within 60 s, or never")
            }
            guard !trusted else {
                throw .invalidParameter(
                    "trustAfterMilliseconds",
                    text: "the phone trusts already; take the trust back to let it trust later")
            }
        }
        for answer in PhoneAnswer.allCases where delays[answer] > AnswerDelays.maximum {
            throw .invalidParameter("delays.\(answer.rawValue)", text: "an answer is at most 2 s late")
        }
        if let linkVersion, !Self.linkVersions.contains(linkVersion) {
            throw .invalidParameter("linkVersion", text: "a phone speaks link version 1, 2 or 3")
        }
    }

    /// The conditions as they are published.
    public var record: RecordValue {
        .record([
            RecordField("locked", .bool(locked)), RecordField("trusted", .bool(trusted)),
            RecordField("trustAfterMilliseconds", .number(trustAfter.map { $0 / 1_000_000 })),
            RecordField("slowMilliseconds", .number(slow / 1_000_000)),
            RecordField("delays", delays.record), RecordField("refuse", .text(refuse?.rawValue)),
            RecordField("misorder", .text(misorder?.rawValue)), RecordField("carPlay", .bool(carPlay)),
            RecordField("linkVersion", .number(linkVersion)),
        ])
    }
}

/// The steps of a handshake that a phone can refuse.
public enum HandshakeStep: String, Sendable, CaseIterable {
    /// Authentication fails: the phone says that the answer to its challenge is wrong.
    case authentication
    /// The phone rejects the identification.
    case identification
    /// The phone never offers a session.
    case session
    /// The phone says that the certificate is wrong, whatever it is.
    case certificate
    /// The same as `authentication`, by the name of what is refused.
    case signature
    /// The person says that the head unit is not to be trusted.
    case trust
}

/// What a phone says in a handshake of its own accord.
public enum PhoneAnswer: String, Sendable, CaseIterable {
    /// It asks for the certificate.
    case certificateRequest
    /// It sends the challenge.
    case challenge
    /// It says whether the authentication succeeded.
    case authenticationVerdict
    /// It asks the head unit what it can do.
    case identificationRequest
    /// It accepts or rejects the identification.
    case identificationVerdict
    /// It tells of itself what the head unit listed.
    case information
    /// It offers the session.
    case sessionOffer
}

/// How much later a phone gives each of its answers, in nanoseconds.
public struct AnswerDelays: Equatable, Sendable {
    /// The longest delay of one answer, in nanoseconds: 2 s.
    public static let maximum: UInt64 = 2_000_000_000

    private var durations = [UInt64](repeating: 0, count: PhoneAnswer.allCases.count)

    /// No delays.
    public init() {}

    /// The delay of one answer.
    public subscript(_ answer: PhoneAnswer) -> UInt64 {
        get { PhoneAnswer.allCases.firstIndex(of: answer).map { durations[$0] } ?? 0 }
        set {
            guard let index = PhoneAnswer.allCases.firstIndex(of: answer) else { return }
            durations[index] = newValue
        }
    }

    /// The delays as they are published, in milliseconds; absent without any, and so is an answer without one.
    public var record: RecordValue {
        let fields = PhoneAnswer.allCases.map { answer in
            RecordField(answer.rawValue, self[answer] == 0 ? .null : .number(self[answer] / 1_000_000))
        }
        return self == AnswerDelays() ? .null : .record(fields)
    }
}

/// Something that a phone does in the wrong order.
public enum PhoneMisorder: String, Sendable, CaseIterable {
    /// It asks for the identification before the authentication is done. A head unit has to live with it.
    case identificationEarly
    /// It sends a challenge before it asked for the certificate.
    case challengeFirst
    /// It says that the authentication succeeded before it sent a challenge.
    case resultFirst
    /// It accepts an identification before it asked for one.
    case acceptanceFirst
    /// It offers the session before everything else. A head unit keeps the offer.
    case offerFirst
}

/// A change of a phone's conditions; `nil` leaves one as it is.
public struct PhoneChange: Equatable, Sendable {
    /// The delay of one answer, in nanoseconds.
    public struct Delay: Equatable, Sendable {
        /// The answer.
        public var answer: PhoneAnswer
        /// How much later it comes.
        public var delay: UInt64

        /// States a delay.
        public init(_ answer: PhoneAnswer, _ delay: UInt64) {
            self.answer = answer
            self.delay = delay
        }
    }

    /// Locked or not.
    public var locked: Bool?
    /// Trusted or not, until it is said anew: a `trustAfter` of before is over.
    public var trusted: Bool?
    /// After how many nanoseconds the person taps "trust"; the phone does not trust until then.
    public var trustAfter: UInt64?
    /// How much later it answers, in nanoseconds.
    public var slow: UInt64?
    /// How much later it gives these answers.
    public var delays: [Delay]
    /// The step it refuses; `.some(nil)` refuses nothing again.
    public var refuse: HandshakeStep??
    /// What it does in the wrong order; `.some(nil)` does nothing so again.
    public var misorder: PhoneMisorder??
    /// CarPlay is switched on or off.
    public var carPlay: Bool?

    /// States a change.
    public init(
        locked: Bool? = nil, trusted: Bool? = nil, trustAfter: UInt64? = nil, slow: UInt64? = nil,
        delays: [Delay] = [], refuse: HandshakeStep?? = nil, misorder: PhoneMisorder?? = nil, carPlay: Bool? = nil
    ) {
        self.locked = locked
        self.trusted = trusted
        self.trustAfter = trustAfter
        self.slow = slow
        self.delays = delays
        self.refuse = refuse
        self.misorder = misorder
        self.carPlay = carPlay
    }

    /// The conditions after this change; throws `invalidParameter` when a phone cannot have them.
    public func applied(to before: PhoneConditions) throws(CommandFailure) -> PhoneConditions {
        var phone = before
        if let locked { phone.locked = locked }
        if let trusted {
            phone.trusted = trusted
            phone.trustAfter = nil
        }
        if let trustAfter {
            phone.trustAfter = trustAfter
            phone.trusted = trusted ?? false
        }
        if let slow { phone.slow = slow }
        for change in delays { phone.delays[change.answer] = change.delay }
        if let refuse { phone.refuse = refuse }
        if let misorder { phone.misorder = misorder }
        if let carPlay { phone.carPlay = carPlay }
        try phone.check()
        return phone
    }
}
