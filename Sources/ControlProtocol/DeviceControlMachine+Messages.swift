import WireBytes

/// What the phone does with the unit's messages.
extension DeviceControlMachine {
    mutating func handle(
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
        case .carPlayStartSession where phase != .active:
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
