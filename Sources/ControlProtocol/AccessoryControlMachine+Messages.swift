import WireBytes

/// What the unit does with the phone's messages.
extension AccessoryControlMachine {
    mutating func receive(
        _ message: ControlMessage, in handshake: Handshake, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        var next = handshake
        switch message.id {
        case .requestAuthenticationCertificate:
            guard case .awaitingRequest = handshake.authentication else { throw unexpected(message) }
            try send(AuthenticationCertificate(certificate: configuration.certificate), into: &output)
            next.authentication = .awaitingChallenge
        case .requestAuthenticationChallengeResponse:
            guard case .awaitingChallenge = handshake.authentication else { throw unexpected(message) }
            let challenge = try AuthenticationChallenge.decoding(message).challenge
            output.notices.append(.needSignature(challenge: challenge))
            next.authentication = .signing
        case .authenticationSucceeded:
            guard case .awaitingResult = handshake.authentication else { throw unexpected(message) }
            next.authentication = .done
        case .authenticationFailed:
            switch handshake.authentication {
            case .awaitingChallenge, .signing, .awaitingResult: throw .authenticationRefused
            case .awaitingRequest, .done: throw unexpected(message)
            }
        case .startIdentification:
            guard case .awaitingRequest = handshake.identifying else { throw unexpected(message) }
            let identification = configuration.sentIdentification
            try send(identification, into: &output)
            next.identifying = .awaitingResult(identification)
        case .identificationAccepted:
            guard case .awaitingResult(let identification) = handshake.identifying else { throw unexpected(message) }
            next.identifying = .done
            output.notices.append(.identified(identification))
            if let power = configuration.power, identification.messagesSent.contains(.powerSourceUpdate) {
                try send(power, into: &output)
            }
        case .identificationRejected:
            guard case .awaitingResult(let identification) = handshake.identifying else { throw unexpected(message) }
            let reduced = try Self.reduce(identification, after: message)
            try send(reduced, into: &output)
            next.identifying = .awaitingResult(reduced)
        case .carPlayAvailability:
            // Early: kept until both parts are done. It is no progress, so no deadline is set anew.
            next.availability = try CarPlayAvailability.decoding(message)
            state = .handshaking(next)
            return
        case .phoneCondition:
            next.waiting = try receiveCondition(message, waiting: handshake.waiting, into: &output)
            if next.waiting != handshake.waiting { enter(.handshaking(next), now: now, into: &output) }
            return
        case let id where id.isFramework:
            throw unexpected(message)
        default:
            // Not part of the handshake: no deadline is set anew.
            output.notices.append(.received(message))
            return
        }
        if next.waiting != nil {
            // The phone goes on without having said so.
            next.waiting = nil
            output.notices.append(.resumed)
        }
        try proceed(with: next, now: now, into: &output)
    }

    /// Goes on with the handshake, or with what comes after it.
    private mutating func proceed(
        with handshake: Handshake, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard handshake.isDone else {
            enter(.handshaking(handshake), now: now, into: &output)
            return
        }
        enter(.starting(waiting: handshake.waiting), now: now, into: &output)
        if !configuration.identification.startsSessionOnLink {
            try activate(now: now, into: &output)
        } else if let availability = handshake.availability {
            try receiveAvailability(availability, now: now, into: &output)
        }
    }

    mutating func receiveWhenStarting(
        _ message: ControlMessage, waiting: ControlWait?, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        switch message.id {
        case .carPlayAvailability:
            try receiveAvailability(try CarPlayAvailability.decoding(message), now: now, into: &output)
        case .phoneCondition:
            let next = try receiveCondition(message, waiting: waiting, into: &output)
            if next != waiting { enter(.starting(waiting: next), now: now, into: &output) }
        case let id where id.isFramework:
            throw unexpected(message)
        default:
            output.notices.append(.received(message))
        }
    }

    mutating func receiveWhenActive(
        _ message: ControlMessage, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard !message.id.isFramework else { throw unexpected(message) }
        output.notices.append(.received(message))
    }

    /// A phone that offers no transport may do so later; until then the step goes on.
    private mutating func receiveAvailability(
        _ availability: CarPlayAvailability, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let offers = [availability.wired, availability.wireless].contains { $0?.isAvailable == true }
        guard offers else { return }
        try send(configuration.startSession, into: &output)
        try activate(now: now, into: &output)
    }

    private mutating func activate(now: UInt64, into output: inout ControlOutput) throws(ControlFailure) {
        if configuration.sentIdentification.declaresDisplays {
            try send(DisplayDeclarations(displays: configuration.displays), into: &output)
        }
        if wait != nil { output.notices.append(.resumed) }
        enter(.active, now: now, into: &output)
        output.notices.append(.active)
    }

    /// What the phone waits for now, after its own account. Throws when its user refuses.
    private func receiveCondition(
        _ message: ControlMessage, waiting: ControlWait?, into output: inout ControlOutput
    ) throws(ControlFailure) -> ControlWait? {
        let next: ControlWait?
        switch try PhoneCondition.decoding(message).progress {
        case .locked: next = .locked
        case .trustUndecided: next = .trust
        case .proceeding: next = nil
        case .refused: throw .trustRefused(by: .peer)
        }
        if next != waiting { output.notices.append(next.map { .waiting($0) } ?? .resumed) }
        return next
    }

    /// The identification without the refused components. Throws when that is not all that was refused.
    private static func reduce(
        _ identification: Identification, after message: ControlMessage
    ) throws(ControlFailure) -> Identification {
        let refused: [UInt16]
        do throws(WireError) {
            refused = try IdentificationRejection(message).parameterIDs()
        } catch {
            throw .malformedMessage(message.id, error)
        }
        let kinds = identification.components.map(\.kind)
        guard !refused.isEmpty, refused.allSatisfy({ kinds.contains($0) }) else {
            throw .identificationRefused(parameters: refused)
        }
        var reduced = identification
        reduced.components.removeAll { refused.contains($0.kind) }
        return reduced
    }

    private func unexpected(_ message: ControlMessage) -> ControlFailure {
        .unexpectedMessage(message.id, during: step)
    }
}
