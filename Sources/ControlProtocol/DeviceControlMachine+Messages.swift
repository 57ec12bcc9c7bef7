import WireBytes

/// What the phone does with the unit's messages.
extension DeviceControlMachine {
    mutating func handle(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard phase != .idle, phase != .closed, admits(message, into: &output) else { return }
        switch message.id {
        case .authenticationCertificate:
            guard case .awaitingCertificate = state else { throw unexpected(message) }
            let certificate = try AuthenticationCertificate.decoding(message).certificate
            guard conditions.refusal != .certificate else {
                output.messages.append(ControlMessage(.authenticationFailed))
                throw .setToRefuse(.certificate)
            }
            let shape = AuthenticationShape(certificate: certificate)
            let count = configuration.challengeLength ?? shape.challengeLength
            enter(.awaitingChallenge(certificate: certificate, count: count), now: now, into: &output)
            output.notices.append(.needChallenge(count: count))
        case .authenticationResponse:
            guard case .awaitingResponse(let certificate, let challenge) = state else { throw unexpected(message) }
            let signature = try AuthenticationResponse.decoding(message).signature
            let shape = AuthenticationShape(certificate: certificate)
            if signature.count != shape.signatureLength {
                output.notices.append(
                    .irregularity(
                        ControlIrregularity(
                            .signatureLength, message: message.id, parameter: 0,
                            offset: UInt64(ControlMessage.headerLength), reaction: .keep,
                            detail: "\(signature.count) bytes, \(shape.signatureLength) for the certificate")))
            }
            enter(.awaitingVerification, now: now, into: &output)
            output.notices.append(
                .verify(certificate: certificate, challenge: challenge, signature: signature))
        case .identificationInformation:
            guard case .awaitingIdentification = state else {
                guard progress.hasStartedIdentification, progress.earlyIdentification == nil,
                    progress.identificationsSeen == 0
                else { throw unexpected(message) }
                progress.earlyIdentification = message
                return
            }
            try receiveIdentification(message, now: now, into: &output)
        case .carPlayStartSession where phase != .active:
            try receiveStart(message, now: now, into: &output)
        case .displayDeclaration:
            try receiveDisplays(message, now: now, into: &output)
        case .cancelIdentification:
            guard progress.isIdentified else {
                throw isIdentifying ? .identificationCancelled(by: .peer) : unexpected(message)
            }
            output.notices.append(
                .irregularity(
                    ControlIrregularity(
                        .outOfPlace, message: message.id, offset: 4, reaction: .drop,
                        detail: "the identification was accepted before")))
        case .identificationInformationUpdate where progress.isIdentified:
            receiveUpdate(message, into: &output)
        case .powerSourceUpdate:
            output.notices.append(.received(message))
            progress.powerToldAt = now
            guard case .answering(.offerSession(let notBefore)) = state else { return }
            answerDeadline = offerDue(notBefore: notBefore, now: now)
            if answerDeadline == now { deadlineReached(now: now, into: &output) }
        case .accessoryAuthenticationSerialNumber:
            // Some units tell it unasked; nothing depends on it.
            output.notices.append(.received(message))
        case let id where id.isFramework:
            throw unexpected(message)
        default:
            output.notices.append(.received(message))
        }
    }

    /// The unit starts the session: after the offer, wherever that had its place.
    private mutating func receiveStart(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let isAwaited: Bool
        switch state {
        case .awaitingStartSession: isAwaited = true
        case .answering(.offerSession) where progress.hasOffered: isAwaited = true
        case .answering(.pushInformation) where progress.hasOffered: isAwaited = false
        case .idle, .answering, .awaitingCertificate, .awaitingChallenge, .awaitingResponse, .awaitingVerification,
            .awaitingIdentification, .awaitingTrust, .awaitingPermission, .awaitingDisplays, .active, .closed:
            throw unexpected(message)
        }
        _ = try CarPlayStartSession.decoding(message)
        output.notices.append(.received(message))
        progress.hasStarted = true
        if isAwaited { awaitDisplaysOrActivate(now: now, into: &output) }
    }

    /// True while an identification is asked for or looked at.
    private var isIdentifying: Bool {
        if case .awaitingIdentification = state { return true }
        return progress.identificationsSeen > 0 || progress.earlyIdentification != nil
    }

    /// Tells what is odd about a message; false when it is to be dropped for that.
    private mutating func admits(_ message: ControlMessage, into output: inout ControlOutput) -> Bool {
        message.inspect(sentBy: .accessory, into: &output.notices)
        guard !message.id.isFramework, let sender = message.id.sender else { return true }
        guard sender == .accessory else { return false }
        if progress.isIdentified, let unit = progress.identification, !unit.messagesSent.contains(message.id) {
            output.notices.append(
                .irregularity(
                    ControlIrregularity(
                        .notListed, message: message.id, offset: 4, reaction: .keep,
                        detail: "the unit's identification does not list it")))
        }
        if let odd = subscriptions.receives(message) { output.notices.append(.irregularity(odd)) }
        return true
    }

    private mutating func receiveUpdate(_ message: ControlMessage, into output: inout ControlOutput) {
        guard let identification = progress.identification else { return }
        do throws(WireError) {
            let updated = try IdentificationUpdate(message).applied(to: identification)
            progress.identification = updated
            output.notices.append(.identificationUpdated(updated))
        } catch {
            output.notices.append(
                .irregularity(
                    ControlIrregularity(
                        .identificationUpdate, message: message.id, offset: UInt64(clamping: error.offset),
                        reaction: .drop, detail: "\(error)")))
        }
    }

    mutating func receiveIdentification(
        _ message: ControlMessage, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        progress.identificationsSeen += 1
        let refused: [ParameterRefusal]
        do throws(WireError) {
            refused = try refusals(of: message)
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
    private func refusals(of message: ControlMessage) throws(WireError) -> [ParameterRefusal] {
        let present = try message.parameters.all().map(\.id)
        let missing = Identification.mandatoryParameters.filter { !present.contains($0) }
        guard missing.isEmpty else { return missing.map { ParameterRefusal($0) } }
        var refused = try Identification(message).refusals
        for id in configuration.refusedParameters
        where present.contains(id) && !refused.contains(where: { $0.parameter == id }) {
            refused.append(ParameterRefusal(id))
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
        case .answering(.pushInformation), .answering(.offerSession), .awaitingPermission, .awaitingStartSession,
            .active:
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
