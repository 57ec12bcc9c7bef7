/// The phone's side of a handshake: it decides the order and asks; see `AccessoryControlMachine` for the exchange.
///
/// Before its last verdict (AA05 or 1D02, whichever comes last) the phone passes its trust step: it goes on only when it
/// is unlocked and its user trusts the unit. A unit that lists D501 is told what it waits for. When that is in real
/// phones is not known; here the unit's name is known by then, as it is when a real phone asks.
///
/// Random bytes and the verification of signatures are its owner's; nothing here knows a key or makes randomness.
public struct DeviceControlMachine: ControlMachine {
    /// What is true now. Every case names its legal exits; all but the last can go to `closed`.
    enum State: Sendable {
        /// The link is not up. Exits: `answering` or what an answer awaits (start).
        case idle
        /// The phone takes its time before it does this. Timer: answer. Exits: whatever the answer awaits.
        case answering(Answer)
        /// AA00 was sent. Exits: `awaitingChallenge` (AA01).
        case awaitingCertificate
        /// The owner was asked for random bytes. Exits: `answering` (bytes).
        case awaitingChallenge(certificate: [UInt8], count: Int)
        /// AA02 was sent. Exits: `awaitingVerification` (AA03).
        case awaitingResponse(certificate: [UInt8], challenge: [UInt8])
        /// The owner was asked whether the signature is right. Exits: `answering`.
        case awaitingVerification
        /// 1D00 or 1D03 was sent. Exits: `answering` (1D01).
        case awaitingIdentification
        /// The trust step: the user must act, no deadline runs. Timer: an undecided user's own, if any. Exits: what follows
        /// the verdict (unlocked and trusted).
        case awaitingTrust(Verdict, ControlWait)
        /// CarPlay is off, or the phone is set to offer no session; no deadline runs. Exits: `answering` (it is on and
        /// may be offered), `awaitingDisplays` or `active` (the same on the classic path).
        case awaitingPermission(ControlWait)
        /// 4300 was sent. Exits: `awaitingDisplays`, `active` (4301).
        case awaitingStartSession
        /// The unit has listed D500. Exits: `active` (D500).
        case awaitingDisplays
        /// The session runs.
        case active
        /// Over. No exits.
        case closed
    }

    /// What the phone does next, after its delay.
    enum Answer: Sendable {
        case requestCertificate
        case requestResponse(certificate: [UInt8], challenge: [UInt8])
        case startIdentification
        case refuseIdentification([ParameterRefusal])
        case verdict(Verdict)
        case pushInformation
        /// Not before this time, whenever the unit's AE03 comes.
        case offerSession(notBefore: UInt64)

        /// By which delay it is ruled.
        var kind: PhoneAnswer {
            switch self {
            case .requestCertificate: .certificateRequest
            case .requestResponse: .challenge
            case .startIdentification: .identificationRequest
            case .refuseIdentification, .verdict(.identification): .identificationVerdict
            case .verdict(.authentication): .authenticationVerdict
            case .pushInformation: .information
            case .offerSession: .sessionOffer
            }
        }
    }

    /// A part of the handshake that the phone found right.
    enum Verdict: Sendable {
        case authentication
        case identification
    }

    /// What was reached so far, whatever the state.
    struct Progress: Sendable {
        var isAuthenticated = false
        /// 1D02 was sent.
        var isIdentified = false
        /// 1D00 was sent ahead of its turn.
        var hasStartedIdentification = false
        /// A 1D01 that came ahead of its turn, for a 1D00 that went so.
        var earlyIdentification: ControlMessage?
        /// A 4300 with a transport was sent.
        var hasOffered = false
        /// 4301 came.
        var hasStarted = false
        /// When the unit's last AE03 came.
        var powerToldAt: UInt64?
        /// What the unit says it is, once it is acceptable.
        var identification: Identification?
        var identificationsSeen = 0
        var hasDisplays = false
    }

    /// What the phone brings.
    public let configuration: DeviceConfiguration
    /// What its user does now.
    public internal(set) var conditions: PhoneConditions

    var state: State = .idle
    var progress = Progress()
    var subscriptions = SubscriptionWatch()
    var stepDeadline: UInt64?
    var answerDeadline: UInt64?

    /// A handshake that was not started.
    ///
    /// `configuration.challengeLength`, if any, must be legal and at least one identification be looked at.
    public init(configuration: DeviceConfiguration) {
        precondition(
            configuration.challengeLength.map(AuthenticationChallenge.legalLength.contains) ?? true,
            "DeviceControlMachine: a challenge of an illegal length")
        precondition(configuration.maximumIdentifications > 0, "DeviceControlMachine: no identification is looked at")
        self.configuration = configuration
        conditions = configuration.conditions
    }

    // MARK: Getters

    /// How far the handshake is.
    public var phase: ControlPhase {
        switch state {
        case .idle: .idle
        case .answering(let answer): Self.phase(of: answer)
        case .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification: .authenticating
        case .awaitingIdentification: .identifying
        case .awaitingTrust(let verdict, _): Self.phase(of: .verdict(verdict))
        case .awaitingPermission, .awaitingStartSession, .awaitingDisplays: .starting
        case .active: .active
        case .closed: .closed
        }
    }

    /// What is awaited now.
    public var step: ControlStep? {
        switch state {
        case .awaitingCertificate: .certificate
        case .awaitingChallenge: .challengeBytes
        case .awaitingResponse: .response
        case .awaitingVerification: .verification
        case .awaitingIdentification: .identification
        case .awaitingStartSession: .startSession
        case .awaitingDisplays: .displays
        case .idle, .answering, .awaitingTrust, .awaitingPermission, .active, .closed: nil
        }
    }

    /// What holds the handshake up without a deadline.
    public var wait: ControlWait? {
        switch state {
        case .awaitingTrust(_, let wait), .awaitingPermission(let wait): wait
        case .idle, .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingStartSession, .awaitingDisplays, .active, .closed:
            nil
        }
    }

    /// When `deadlineReached` is to be called next.
    public var nextDeadline: UInt64? {
        guard let stepDeadline else { return answerDeadline }
        guard let answerDeadline else { return stepDeadline }
        return min(stepDeadline, answerDeadline)
    }

    private static func phase(of answer: Answer) -> ControlPhase {
        switch answer {
        case .requestCertificate, .requestResponse, .verdict(.authentication): .authenticating
        case .startIdentification, .refuseIdentification, .verdict(.identification): .identifying
        case .pushInformation, .offerSession: .starting
        }
    }

    /// What the phone takes its time for, of its own accord; nil when it does not.
    public var pendingAnswer: PhoneAnswer? {
        if case .answering(let answer) = state { answer.kind } else { nil }
    }

    // MARK: Events

    /// Begins, once the link is up.
    public mutating func start(now: UInt64, into output: inout ControlOutput) {
        switch state {
        case .idle:
            if conditions.misorder == .offerFirst, let offer = try? configuration.availability.message() {
                output.messages.append(offer)
                progress.hasOffered = configuration.availability.isOffer
            }
            switch configuration.order {
            case .authenticationFirst: schedule(.requestCertificate, now: now, into: &output)
            case .identificationFirst: schedule(.startIdentification, now: now, into: &output)
            }
        case .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingTrust, .awaitingPermission, .awaitingStartSession, .awaitingDisplays,
            .active, .closed:
            break
        }
    }

    /// Takes one message from the other side.
    public mutating func receive(_ message: ControlMessage, now: UInt64, into output: inout ControlOutput) {
        do throws(ControlFailure) {
            try handle(message, now: now, into: &output)
        } catch {
            fail(error, into: &output)
        }
    }

    /// The random bytes that were asked for by `needChallenge`; another number of them than asked for is a programmer's
    /// error. Without effect when none are awaited: the handshake may have ended meanwhile.
    public mutating func challengeReady(_ challenge: [UInt8], now: UInt64, into output: inout ControlOutput) {
        guard case .awaitingChallenge(let certificate, let count) = state else { return }
        precondition(
            challenge.count == count,
            "DeviceControlMachine: \(count) bytes were asked for, \(challenge.count) came")
        schedule(.requestResponse(certificate: certificate, challenge: challenge), now: now, into: &output)
    }

    /// What the verifier says of what `verify` asked. Without effect when that was not asked.
    public mutating func verificationResult(
        _ verdict: CertificateVerdict, now: UInt64, into output: inout ControlOutput
    ) {
        guard case .awaitingVerification = state else { return }
        switch verdict {
        case .accepted(let facts):
            output.notices.append(.authenticated(facts))
            schedule(.verdict(.authentication), now: now, into: &output)
        case .refused(let refusal, let facts):
            output.messages.append(ControlMessage(.authenticationFailed))
            fail(.credentialRefused(refusal, facts), into: &output)
        }
    }

    /// The phone's user does something. Where the phone waits for its user it takes effect at once.
    public mutating func setConditions(_ new: PhoneConditions, now: UInt64, into output: inout ControlOutput) {
        let hasNewTimer = new.trustAfter != conditions.trustAfter
        conditions = new
        do throws(ControlFailure) {
            switch state {
            case .awaitingTrust(let verdict, let wait):
                if hasNewTimer { answerDeadline = trustDeadline(wait, now: now) }
                try passTrustStep(verdict, waiting: wait, now: now, into: &output)
            case .awaitingPermission(let wait):
                try seekPermission(waiting: wait, now: now, into: &output)
            case .idle, .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
                .awaitingIdentification, .awaitingStartSession, .awaitingDisplays, .active, .closed:
                break
            }
        } catch {
            fail(error, into: &output)
        }
    }

    /// The control channel's bytes make no messages: it fails.
    public mutating func streamFailed(_ error: ControlStreamError, into output: inout ControlOutput) {
        fail(.brokenStream(error), into: &output)
    }

    /// Does what is due at `now`.
    public mutating func deadlineReached(now: UInt64, into output: inout ControlOutput) {
        if let deadline = answerDeadline, deadline <= now {
            answerDeadline = nil
            do throws(ControlFailure) {
                try answerIsDue(now: now, into: &output)
            } catch {
                fail(error, into: &output)
            }
        } else if let deadline = stepDeadline, deadline <= now, let step {
            fail(.stepTimedOut(step), into: &output)
        }
    }

    /// Sends a message of the application. Throws unless the session is active.
    public mutating func send(_ message: ControlMessage, into output: inout ControlOutput) throws(ControlSendError) {
        guard case .active = state else { throw ControlSendError(phase: phase) }
        subscriptions.sends(message)
        output.messages.append(message)
    }

    /// Ends it from this side or because the link is gone.
    public mutating func close(now: UInt64, into output: inout ControlOutput) {
        guard phase != .closed else { return }
        enter(.closed, now: now, into: &output)
    }

    // MARK: Transitions

    /// Takes a new state, tells a new phase and sets the deadline of what is awaited now.
    mutating func enter(_ next: State, now: UInt64, into output: inout ControlOutput) {
        let before = phase
        state = next
        if phase != before { output.notices.append(.phaseChanged(phase)) }
        stepDeadline = step.map { now.adding(configuration.deadlines[$0]) }
        answerDeadline = nil
    }

    mutating func fail(_ failure: ControlFailure, into output: inout ControlOutput) {
        guard phase != .idle, phase != .closed else { return }
        state = .closed
        stepDeadline = nil
        answerDeadline = nil
        output.notices.append(.failed(failure))
        output.notices.append(.phaseChanged(.closed))
    }
}
