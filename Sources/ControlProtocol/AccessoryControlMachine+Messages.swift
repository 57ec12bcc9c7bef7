import WireBytes

/// What the unit does with the phone's messages.
extension AccessoryControlMachine {
    /// Tells what is odd about a message; false when it is to be dropped for that.
    mutating func admits(_ message: ControlMessage, into output: inout ControlOutput) -> Bool {
        message.inspect(sentBy: .device, into: &output.notices)
        guard !message.id.isFramework, let sender = message.id.sender else { return true }
        guard sender == .device else { return false }
        if let identification, !identification.messagesReceived.contains(message.id) {
            output.notices.append(
                .irregularity(
                    ControlIrregularity(
                        .notListed, message: message.id, offset: 4, reaction: .keep,
                        detail: "this unit's identification does not list it")))
        }
        if let odd = subscriptions.receives(message) { output.notices.append(.irregularity(odd)) }
        return true
    }

    mutating func receive(
        _ message: ControlMessage, in handshake: Handshake, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        var next = handshake
        switch message.id {
        case .requestAuthenticationCertificate:
            guard case .awaitingRequest = handshake.authentication else { throw unexpected(message) }
            try send(AuthenticationCertificate(certificate: configuration.certificate), into: &output)
            if let serial = configuration.authenticationSerial {
                try send(AccessoryAuthenticationSerialNumber(serialNumber: serial), into: &output)
            }
            next.authentication = .awaitingChallenge
        case .requestAuthenticationChallengeResponse:
            guard case .awaitingChallenge = handshake.authentication else { throw unexpected(message) }
            let challenge = try AuthenticationChallenge.decoding(message).challenge
            let shape = AuthenticationShape(certificate: configuration.certificate)
            if challenge.count != shape.challengeLength {
                output.notices.append(
                    .irregularity(
                        ControlIrregularity(
                            .challengeLength, message: message.id, parameter: 0,
                            offset: UInt64(ControlMessage.headerLength), reaction: .keep,
                            detail: "\(challenge.count) bytes, \(shape.challengeLength) for this certificate")))
            }
            output.notices.append(.needSignature(challenge: challenge, shape: shape))
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
            self.identification = identification
            output.notices.append(.identified(identification))
            if let power = configuration.power, identification.messagesSent.contains(.powerSourceUpdate) {
                try send(power, into: &output)
            }
        case .identificationRejected:
            guard case .awaitingResult(let identification) = handshake.identifying else { throw unexpected(message) }
            let refusals = try IdentificationRejection.decoding(message).decodedRefusals()
            guard let reduced = identification.reduced(by: refusals) else {
                throw .identificationRefused(parameters: refusals.map(\.parameter))
            }
            output.notices.append(.identificationReduced(refusals))
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
            next.missing.removeAll { $0 == message.id }
            state = .handshaking(next)
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
        let starting = Starting(
            waiting: handshake.waiting, missing: handshake.missing, availability: handshake.availability)
        try proceed(with: starting, now: now, into: &output)
    }

    /// Goes on when nothing is missing: at once on the classic path, else with the phone's offer once it is there.
    private mutating func proceed(
        with starting: Starting, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        enter(.starting(starting), now: now, into: &output)
        guard starting.missing.isEmpty else { return }
        if identification?.startsSessionOnLink != true {
            try activate(now: now, into: &output)
        } else if let availability = starting.availability {
            try receive(availability, whenStarting: starting, now: now, into: &output)
        }
    }

    mutating func receive(
        _ message: ControlMessage, whenStarting starting: Starting, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        var next = starting
        switch message.id {
        case .carPlayAvailability:
            let availability = try CarPlayAvailability.decoding(message)
            try receive(availability, whenStarting: starting, now: now, into: &output)
        case .phoneCondition:
            let isOff = starting.availability.map { !$0.isOffer } ?? false
            next.waiting = try receiveCondition(
                message, waiting: starting.waiting, otherwise: isOff ? .carPlayOff : nil, into: &output)
            if next.waiting != starting.waiting { enter(.starting(next), now: now, into: &output) }
        case let id where id.isFramework:
            throw unexpected(message)
        default:
            output.notices.append(.received(message))
            guard starting.missing.contains(message.id) else { return }
            next.missing.removeAll { $0 == message.id }
            if next.missing.isEmpty {
                try proceed(with: next, now: now, into: &output)
            } else {
                state = .starting(next)
            }
        }
    }

    mutating func receiveWhenActive(
        _ message: ControlMessage, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard !message.id.isFramework else { throw unexpected(message) }
        output.notices.append(.received(message))
    }

    /// A phone that offers no transport may do so later: its user has switched CarPlay off. No deadline runs until then.
    private mutating func receive(
        _ availability: CarPlayAvailability, whenStarting starting: Starting, now: UInt64,
        into output: inout ControlOutput
    ) throws(ControlFailure) {
        var next = starting
        next.availability = availability
        guard starting.missing.isEmpty else {
            state = .starting(next)
            return
        }
        guard availability.isOffer else {
            guard starting.waiting != .carPlayOff else { return }
            next.waiting = .carPlayOff
            enter(.starting(next), now: now, into: &output)
            output.notices.append(.waiting(.carPlayOff))
            return
        }
        try send(configuration.startSession, into: &output)
        try activate(now: now, into: &output)
    }

    private mutating func activate(now: UInt64, into output: inout ControlOutput) throws(ControlFailure) {
        if identification?.declaresDisplays == true {
            try send(DisplayDeclarations(displays: configuration.displays), into: &output)
        }
        if wait != nil { output.notices.append(.resumed) }
        enter(.active, now: now, into: &output)
        output.notices.append(.active)
    }

    /// What the phone waits for now, after its own account; `otherwise` when for nothing. Throws when its user refuses.
    private func receiveCondition(
        _ message: ControlMessage, waiting: ControlWait?, otherwise: ControlWait? = nil,
        into output: inout ControlOutput
    ) throws(ControlFailure) -> ControlWait? {
        let next: ControlWait?
        switch try PhoneCondition.decoding(message).progress {
        case .locked: next = .locked
        case .trustUndecided: next = .trust
        case .proceeding: next = otherwise
        case .refused: throw .trustRefused(by: .peer)
        }
        if next != waiting { output.notices.append(next.map { .waiting($0) } ?? .resumed) }
        return next
    }

    private func unexpected(_ message: ControlMessage) -> ControlFailure {
        .unexpectedMessage(message.id, during: step)
    }
}
