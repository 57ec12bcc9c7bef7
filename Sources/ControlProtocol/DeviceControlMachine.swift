import WireBytes

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
        case awaitingChallenge(certificate: [UInt8])
        /// AA02 was sent. Exits: `awaitingVerification` (AA03).
        case awaitingResponse(certificate: [UInt8], challenge: [UInt8])
        /// The owner was asked whether the signature is right. Exits: `answering`.
        case awaitingVerification
        /// 1D00 or 1D03 was sent. Exits: `answering` (1D01).
        case awaitingIdentification
        /// The trust step: the user must act, no deadline runs. Exits: `answering` (unlocked and trusted).
        case awaitingTrust(Verdict, ControlWait)
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
        case refuseIdentification([UInt16])
        case verdict(Verdict)
        case offerSession
    }

    /// A part of the handshake that the phone found right.
    enum Verdict: Sendable {
        case authentication
        case identification
    }

    /// What was reached so far, whatever the state.
    struct Progress: Sendable {
        var isAuthenticated = false
        /// What the unit says it is, once it is acceptable.
        var identification: Identification?
        var identificationsSeen = 0
        var hasDisplays = false
    }

    /// What the phone brings.
    public let configuration: DeviceConfiguration
    /// What its user does now.
    public private(set) var conditions: PhoneConditions

    private var state: State = .idle
    private var progress = Progress()
    private var stepDeadline: UInt64?
    private var answerDeadline: UInt64?

    /// A handshake that was not started.
    ///
    /// `configuration.challengeLength` must be legal and at least one identification be looked at.
    public init(configuration: DeviceConfiguration) {
        precondition(
            AuthenticationChallenge.legalLength.contains(configuration.challengeLength),
            "DeviceControlMachine: a challenge of \(configuration.challengeLength) bytes")
        precondition(configuration.maximumIdentifications > 0, "DeviceControlMachine: no identification is looked at")
        self.configuration = configuration
        conditions = configuration.conditions
    }

    // MARK: Getters

    public var phase: ControlPhase {
        switch state {
        case .idle: .idle
        case .answering(let answer): Self.phase(of: answer)
        case .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification: .authenticating
        case .awaitingIdentification: .identifying
        case .awaitingTrust(let verdict, _): Self.phase(of: .verdict(verdict))
        case .awaitingStartSession, .awaitingDisplays: .starting
        case .active: .active
        case .closed: .closed
        }
    }

    public var step: ControlStep? {
        switch state {
        case .awaitingCertificate: .certificate
        case .awaitingChallenge: .challengeBytes
        case .awaitingResponse: .response
        case .awaitingVerification: .verification
        case .awaitingIdentification: .identification
        case .awaitingStartSession: .startSession
        case .awaitingDisplays: .displays
        case .idle, .answering, .awaitingTrust, .active, .closed: nil
        }
    }

    public var wait: ControlWait? {
        switch state {
        case .awaitingTrust(_, let wait): wait
        case .idle, .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingStartSession, .awaitingDisplays, .active, .closed:
            nil
        }
    }

    public var nextDeadline: UInt64? {
        guard let stepDeadline else { return answerDeadline }
        guard let answerDeadline else { return stepDeadline }
        return min(stepDeadline, answerDeadline)
    }

    private static func phase(of answer: Answer) -> ControlPhase {
        switch answer {
        case .requestCertificate, .requestResponse, .verdict(.authentication): .authenticating
        case .startIdentification, .refuseIdentification, .verdict(.identification): .identifying
        case .offerSession: .starting
        }
    }

    // MARK: Events

    public mutating func start(now: UInt64, into output: inout ControlOutput) {
        switch state {
        case .idle:
            switch configuration.order {
            case .authenticationFirst: schedule(.requestCertificate, now: now, into: &output)
            case .identificationFirst: schedule(.startIdentification, now: now, into: &output)
            }
        case .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingTrust, .awaitingStartSession, .awaitingDisplays, .active, .closed:
            break
        }
    }

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
        guard case .awaitingChallenge(let certificate) = state else { return }
        precondition(
            challenge.count == configuration.challengeLength,
            "DeviceControlMachine: \(configuration.challengeLength) bytes were asked for, \(challenge.count) came")
        schedule(.requestResponse(certificate: certificate, challenge: challenge), now: now, into: &output)
    }

    /// Whether the signature of `verify` is right. Without effect when that was not asked.
    public mutating func verificationResult(_ isValid: Bool, now: UInt64, into output: inout ControlOutput) {
        guard case .awaitingVerification = state else { return }
        if isValid {
            schedule(.verdict(.authentication), now: now, into: &output)
        } else {
            output.messages.append(ControlMessage(.authenticationFailed))
            fail(.signatureInvalid, into: &output)
        }
    }

    /// The phone's user does something. At the trust step it takes effect at once, later it has none.
    public mutating func setConditions(_ new: PhoneConditions, now: UInt64, into output: inout ControlOutput) {
        conditions = new
        guard case .awaitingTrust(let verdict, let wait) = state else { return }
        do throws(ControlFailure) {
            try passTrustStep(verdict, waiting: wait, now: now, into: &output)
        } catch {
            fail(error, into: &output)
        }
    }

    public mutating func streamFailed(_ error: ControlStreamError, into output: inout ControlOutput) {
        fail(.brokenStream(error), into: &output)
    }

    public mutating func deadlineReached(now: UInt64, into output: inout ControlOutput) {
        if let deadline = answerDeadline, deadline <= now, case .answering(let answer) = state {
            answerDeadline = nil
            do throws(ControlFailure) {
                try perform(answer, now: now, into: &output)
            } catch {
                fail(error, into: &output)
            }
        } else if let deadline = stepDeadline, deadline <= now, let step {
            fail(.stepTimedOut(step), into: &output)
        }
    }

    public mutating func send(_ message: ControlMessage, into output: inout ControlOutput) throws(ControlSendError) {
        guard case .active = state else { throw ControlSendError(phase: phase) }
        output.messages.append(message)
    }

    public mutating func close(now: UInt64, into output: inout ControlOutput) {
        guard phase != .closed else { return }
        enter(.closed, now: now, into: &output)
    }

    // MARK: Transitions

    /// Takes a new state, tells a new phase and sets the deadline of what is awaited now.
    private mutating func enter(_ next: State, now: UInt64, into output: inout ControlOutput) {
        let before = phase
        state = next
        if phase != before { output.notices.append(.phaseChanged(phase)) }
        stepDeadline = step.map { now.adding(configuration.deadlines[$0]) }
        answerDeadline = nil
    }

    private mutating func fail(_ failure: ControlFailure, into output: inout ControlOutput) {
        guard phase != .idle, phase != .closed else { return }
        state = .closed
        stepDeadline = nil
        answerDeadline = nil
        output.notices.append(.failed(failure))
        output.notices.append(.phaseChanged(.closed))
    }

    /// Does `answer` after the phone's delay, at once when it has none.
    private mutating func schedule(
        _ answer: Answer, after least: UInt64 = 0, now: UInt64, into output: inout ControlOutput
    ) {
        let delay = max(least, conditions.answerDelay)
        enter(.answering(answer), now: now, into: &output)
        guard delay == 0 else {
            answerDeadline = now.adding(delay)
            return
        }
        do throws(ControlFailure) {
            try perform(answer, now: now, into: &output)
        } catch {
            fail(error, into: &output)
        }
    }

    private mutating func perform(
        _ answer: Answer, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        switch answer {
        case .requestCertificate:
            output.messages.append(ControlMessage(.requestAuthenticationCertificate))
            enter(.awaitingCertificate, now: now, into: &output)
        case .requestResponse(let certificate, let challenge):
            output.messages.append(try .encoding(AuthenticationChallenge(challenge: challenge)))
            enter(.awaitingResponse(certificate: certificate, challenge: challenge), now: now, into: &output)
        case .startIdentification:
            output.messages.append(ControlMessage(.startIdentification))
            enter(.awaitingIdentification, now: now, into: &output)
        case .refuseIdentification(let parameters):
            output.messages.append(try .encoding(IdentificationRejection(parameters: parameters)))
            guard progress.identificationsSeen < configuration.maximumIdentifications else {
                throw .identificationUnacceptable(parameters: parameters, attempts: progress.identificationsSeen)
            }
            enter(.awaitingIdentification, now: now, into: &output)
        case .verdict(let verdict):
            if isLast(verdict) {
                try passTrustStep(verdict, waiting: nil, now: now, into: &output)
            } else {
                give(verdict, now: now, into: &output)
            }
        case .offerSession:
            output.messages.append(try .encoding(configuration.availability))
            enter(.awaitingStartSession, now: now, into: &output)
        }
    }
}

// MARK: - Verdicts

extension DeviceControlMachine {
    /// True when the other part of the handshake is done.
    private func isLast(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .authentication: progress.identification != nil
        case .identification: progress.isAuthenticated
        }
    }

    /// Gives the last verdict if the user lets it pass, else waits or refuses. `waiting` is what was waited for so far.
    private mutating func passTrustStep(
        _ verdict: Verdict, waiting: ControlWait?, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let needed: ControlWait?
        if conditions.isLocked {
            needed = .locked
        } else {
            switch conditions.trust {
            case .trusted: needed = nil
            case .undecided: needed = .trust
            case .refused:
                try tell(.refused, into: &output)
                switch verdict {
                case .authentication: output.messages.append(ControlMessage(.authenticationFailed))
                case .identification: output.messages.append(ControlMessage(.identificationRejected))
                }
                throw .trustRefused(by: .local)
            }
        }
        guard let needed else {
            if waiting != nil {
                try tell(.proceeding, into: &output)
                output.notices.append(.resumed)
            }
            give(verdict, now: now, into: &output)
            return
        }
        guard needed != waiting else { return }
        try tell(needed == .locked ? .locked : .trustUndecided, into: &output)
        enter(.awaitingTrust(verdict, needed), now: now, into: &output)
        output.notices.append(.waiting(needed))
    }

    /// Tells a unit that takes D501 what the phone does.
    private func tell(
        _ progress: PhoneCondition.Progress, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard self.progress.identification?.messagesReceived.contains(.phoneCondition) == true else { return }
        output.messages.append(try .encoding(PhoneCondition(progress: progress)))
    }

    /// Sends a verdict and goes on with the other part, or with the session.
    private mutating func give(_ verdict: Verdict, now: UInt64, into output: inout ControlOutput) {
        let last = isLast(verdict)
        switch verdict {
        case .authentication:
            output.messages.append(ControlMessage(.authenticationSucceeded))
            progress.isAuthenticated = true
            if !last { schedule(.startIdentification, now: now, into: &output) }
        case .identification:
            output.messages.append(ControlMessage(.identificationAccepted))
            if let identification = progress.identification {
                output.notices.append(.identified(identification))
            }
            if !last { schedule(.requestCertificate, now: now, into: &output) }
        }
        if last { beginSession(now: now, into: &output) }
    }

    /// Tells the unit what it listed, then offers a session or goes on without.
    private mutating func beginSession(now: UInt64, into output: inout ControlOutput) {
        guard let identification = progress.identification else { return }
        do throws(ControlFailure) {
            try pushInformation(to: identification, into: &output)
        } catch {
            fail(error, into: &output)
            return
        }
        if identification.startsSessionOnLink {
            schedule(.offerSession, after: configuration.startDelay, now: now, into: &output)
        } else {
            awaitDisplaysOrActivate(now: now, into: &output)
        }
    }

    /// A unit may wait for these: one showed "Reading USB" and gave up without 4E0E and 4E0A [C] (V851).
    private func pushInformation(
        to identification: Identification, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let listed = identification.messagesReceived
        if listed.contains(.deviceInformationUpdate) {
            output.messages.append(try .encoding(DeviceInformationUpdate(name: configuration.name)))
        }
        if listed.contains(.deviceLanguageUpdate) {
            output.messages.append(try .encoding(DeviceLanguageUpdate(language: configuration.language)))
        }
        if listed.contains(.deviceTimeUpdate), let time = configuration.time {
            output.messages.append(try .encoding(time))
        }
        if listed.contains(.deviceTransportIdentifierNotification) {
            output.messages.append(try .encoding(configuration.identifiers))
        }
    }

    private mutating func awaitDisplaysOrActivate(now: UInt64, into output: inout ControlOutput) {
        if progress.identification?.declaresDisplays == true, !progress.hasDisplays {
            enter(.awaitingDisplays, now: now, into: &output)
        } else {
            enter(.active, now: now, into: &output)
            output.notices.append(.active)
        }
    }
}

// MARK: - Messages

extension DeviceControlMachine {
    private mutating func handle(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard phase != .idle, phase != .closed else { return }
        switch message.id {
        case .authenticationCertificate:
            guard case .awaitingCertificate = state else { throw unexpected(message) }
            let certificate = try AuthenticationCertificate.decoding(message).certificate
            enter(.awaitingChallenge(certificate: certificate), now: now, into: &output)
            output.notices.append(.needChallenge(count: configuration.challengeLength))
        case .authenticationResponse:
            guard case .awaitingResponse(let certificate, let challenge) = state else { throw unexpected(message) }
            let signature = try AuthenticationResponse.decoding(message).signature
            enter(.awaitingVerification, now: now, into: &output)
            output.notices.append(
                .verify(certificate: certificate, challenge: challenge, signature: signature))
        case .identificationInformation:
            guard case .awaitingIdentification = state else { throw unexpected(message) }
            try receiveIdentification(message, now: now, into: &output)
        case .carPlayStartSession:
            guard case .awaitingStartSession = state else { throw unexpected(message) }
            _ = try CarPlayStartSession.decoding(message)
            output.notices.append(.received(message))
            awaitDisplaysOrActivate(now: now, into: &output)
        case .displayDeclaration:
            try receiveDisplays(message, now: now, into: &output)
        case .accessoryAuthenticationSerialNumber:
            // Some units tell it unasked; nothing depends on it.
            output.notices.append(.received(message))
        case let id where id.isFramework:
            throw unexpected(message)
        default:
            output.notices.append(.received(message))
        }
    }

    private mutating func receiveIdentification(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        progress.identificationsSeen += 1
        let refused: [UInt16]
        do throws(WireError) {
            refused = try refusedParameters(of: message)
        } catch {
            throw .malformedMessage(message.id, error)
        }
        guard refused.isEmpty else {
            schedule(.refuseIdentification(refused), now: now, into: &output)
            return
        }
        progress.identification = try Identification.decoding(message)
        schedule(.verdict(.identification), now: now, into: &output)
    }

    /// What is missing; when nothing is, what this phone or its scenario refuses.
    private func refusedParameters(of message: ControlMessage) throws(WireError) -> [UInt16] {
        let present = try message.parameters.all().map(\.id)
        let missing = Identification.mandatoryParameters.filter { !present.contains($0) }
        guard missing.isEmpty else { return missing }
        let identification = try Identification(message)
        var refused = identification.refusedParameters
        for id in configuration.refusedParameters where present.contains(id) && !refused.contains(id) {
            refused.append(id)
        }
        return refused
    }

    private mutating func receiveDisplays(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let isAwaited: Bool
        switch state {
        case .awaitingDisplays:
            isAwaited = true
        case .answering(.offerSession), .awaitingStartSession, .active:
            isAwaited = false
        case .idle, .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingTrust, .closed:
            throw unexpected(message)
        }
        let displays = try DisplayDeclarations.decoding(message).displays
        progress.hasDisplays = true
        output.notices.append(.displaysDeclared(displays))
        if isAwaited { awaitDisplaysOrActivate(now: now, into: &output) }
    }

    private func unexpected(_ message: ControlMessage) -> ControlFailure {
        .unexpectedMessage(message.id, during: step)
    }
}
