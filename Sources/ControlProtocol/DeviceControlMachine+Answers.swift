import WireBytes

/// What the phone does of its own accord, each after its delay.
extension DeviceControlMachine {
    /// Does `answer` after the phone's delay, at once when it has none.
    mutating func schedule(_ answer: Answer, now: UInt64, into output: inout ControlOutput) {
        // What it tells unasked is no answer: a unit would count both delays as one step.
        let common = answer.kind == .information ? 0 : conditions.answerDelay
        let delay = common.adding(conditions.delays[answer.kind])
        enter(.answering(answer), now: now, into: &output)
        let due: UInt64
        if case .offerSession = answer {
            let notBefore = now.adding(max(configuration.startDelay, delay))
            state = .answering(.offerSession(notBefore: notBefore))
            due = offerDue(notBefore: notBefore, now: now)
        } else {
            due = now.adding(delay)
        }
        guard due <= now else {
            answerDeadline = due
            return
        }
        do throws(ControlFailure) {
            try answerIsDue(now: now, into: &output)
        } catch {
            fail(error, into: &output)
        }
    }

    /// When 4300 goes: behind the unit's AE03 if it lists one, or when that does not come.
    func offerDue(notBefore: UInt64, now: UInt64) -> UInt64 {
        if let told = progress.powerToldAt { return max(notBefore, told.adding(configuration.powerQuiet)) }
        guard progress.identification?.messagesSent.contains(.powerSourceUpdate) == true else { return notBefore }
        return max(notBefore, now.adding(configuration.powerPatience))
    }

    private mutating func perform(
        _ answer: Answer, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        misorder(before: answer, into: &output)
        switch answer {
        case .requestCertificate:
            output.messages.append(ControlMessage(.requestAuthenticationCertificate))
            if conditions.misorder == .identificationEarly, progress.identification == nil {
                output.messages.append(ControlMessage(.startIdentification))
                progress.hasStartedIdentification = true
            }
            enter(.awaitingCertificate, now: now, into: &output)
        case .requestResponse(let certificate, let challenge):
            output.messages.append(try .encoding(AuthenticationChallenge(challenge: challenge)))
            enter(.awaitingResponse(certificate: certificate, challenge: challenge), now: now, into: &output)
        case .startIdentification:
            if !progress.hasStartedIdentification { output.messages.append(ControlMessage(.startIdentification)) }
            enter(.awaitingIdentification, now: now, into: &output)
            if let early = progress.earlyIdentification {
                progress.earlyIdentification = nil
                try receiveIdentification(early, now: now, into: &output)
            }
        case .refuseIdentification(let refusals):
            let parameters = refusals.map(\.parameter)
            guard conditions.refusal != .identification else {
                try give(.identification, now: now, into: &output)
                return
            }
            output.messages.append(try rejection(refusals))
            guard progress.identificationsSeen < configuration.maximumIdentifications else {
                throw .identificationUnacceptable(parameters: parameters, attempts: progress.identificationsSeen)
            }
            enter(.awaitingIdentification, now: now, into: &output)
        case .verdict(let verdict):
            if isLast(verdict) {
                try passTrustStep(verdict, waiting: nil, now: now, into: &output)
            } else {
                try give(verdict, now: now, into: &output)
            }
        case .pushInformation:
            try beginSession(now: now, into: &output)
        case .offerSession:
            guard missingPermission == nil else {
                // Its user was faster.
                try seekPermission(waiting: nil, now: now, into: &output)
                return
            }
            if progress.powerToldAt == nil,
                progress.identification?.messagesSent.contains(.powerSourceUpdate) == true
            {
                output.notices.append(
                    .irregularity(
                        ControlIrregularity(
                            .powerNotTold, message: .powerSourceUpdate, reaction: .keep,
                            detail: "the unit lists it and did not send it; the session is offered without")))
            }
            output.messages.append(try .encoding(configuration.availability))
            progress.hasOffered = true
            enter(.awaitingStartSession, now: now, into: &output)
        }
    }

    /// A refusal with or without the messages that were refused.
    func rejection(_ refusals: [ParameterRefusal]) throws(ControlFailure) -> ControlMessage {
        do throws(WireError) {
            guard configuration.namesRefusedMessages else {
                return try IdentificationRejection(parameters: refusals.map(\.parameter)).message()
            }
            return try IdentificationRejection(refusals).message()
        } catch {
            throw .unencodable(.identificationRejected, error)
        }
    }

    /// Sends what is set to go out of order.
    private func misorder(before answer: Answer, into output: inout ControlOutput) {
        switch (conditions.misorder, answer) {
        case (.challengeFirst, .requestCertificate):
            let challenge = AuthenticationChallenge(
                challenge: [UInt8](repeating: 0, count: AuthenticationShape.p256.challengeLength))
            if let message = try? challenge.message() { output.messages.append(message) }
        case (.resultFirst, .requestResponse):
            output.messages.append(ControlMessage(.authenticationSucceeded))
        case (.acceptanceFirst, .startIdentification):
            output.messages.append(ControlMessage(.identificationAccepted))
        default:
            // In order: every other pair.
            break
        }
    }

    /// Does what the phone took its time for, or what its user did.
    mutating func answerIsDue(now: UInt64, into output: inout ControlOutput) throws(ControlFailure) {
        switch state {
        case .answering(let answer):
            try perform(answer, now: now, into: &output)
        case .awaitingTrust(let verdict, let wait):
            conditions.trust = .trusted
            try passTrustStep(verdict, waiting: wait, now: now, into: &output)
        case .idle, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingPermission, .awaitingStartSession, .awaitingDisplays, .active, .closed:
            break
        }
    }
}
