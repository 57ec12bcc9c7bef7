/// The phone's verdicts, its trust step and the start of the session.
extension DeviceControlMachine {
    /// True when the other part of the handshake is done.
    func isLast(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .authentication: progress.identification != nil
        case .identification: progress.isAuthenticated
        }
    }

    /// Gives the last verdict if the user lets it pass, else waits or refuses. `waiting` is what was waited for so far.
    mutating func passTrustStep(
        _ verdict: Verdict, waiting: ControlWait?, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let needed: ControlWait?
        let trust = conditions.refusal == .trust ? .refused : conditions.trust
        if conditions.isLocked {
            needed = .locked
        } else {
            switch trust {
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
            try give(verdict, now: now, into: &output)
            return
        }
        guard needed != waiting else { return }
        try tell(needed == .locked ? .locked : .trustUndecided, into: &output)
        enter(.awaitingTrust(verdict, needed), now: now, into: &output)
        answerDeadline = trustDeadline(needed, now: now)
        output.notices.append(.waiting(needed))
    }

    /// When an undecided user trusts the unit without being told to.
    func trustDeadline(_ wait: ControlWait, now: UInt64) -> UInt64? {
        guard wait == .trust, let after = conditions.trustAfter else { return nil }
        return now.adding(min(after, PhoneConditions.maximumTrustDelay))
    }

    /// Tells a unit that takes D501 what the phone does.
    func tell(
        _ progress: PhoneCondition.Progress, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard self.progress.identification?.messagesReceived.contains(.phoneCondition) == true else { return }
        output.messages.append(try .encoding(PhoneCondition(progress: progress)))
    }

    /// Sends a verdict and goes on with the other part, or with the session. What the phone is set to refuse is decided
    /// now, whatever was set while it took its time.
    mutating func give(_ verdict: Verdict, now: UInt64, into output: inout ControlOutput) throws(ControlFailure) {
        switch (verdict, conditions.refusal) {
        case (.authentication, .signature):
            output.messages.append(ControlMessage(.authenticationFailed))
            throw .setToRefuse(.signature)
        case (.identification, .identification):
            // Nothing is named by a phone that is set to refuse.
            output.messages.append(try rejection([]))
            throw .setToRefuse(.identification)
        case (.authentication, _), (.identification, _): break
        }
        let last = isLast(verdict)
        switch verdict {
        case .authentication:
            output.messages.append(ControlMessage(.authenticationSucceeded))
            progress.isAuthenticated = true
            if !last { schedule(.startIdentification, now: now, into: &output) }
        case .identification:
            output.messages.append(ControlMessage(.identificationAccepted))
            progress.isIdentified = true
            if let identification = progress.identification {
                output.notices.append(.identified(identification))
            }
            if !last { schedule(.requestCertificate, now: now, into: &output) }
        }
        if last { schedule(.pushInformation, now: now, into: &output) }
    }

    /// Tells the unit what it listed, then offers a session or goes on without.
    mutating func beginSession(now: UInt64, into output: inout ControlOutput) throws(ControlFailure) {
        guard let identification = progress.identification else { return }
        try pushInformation(to: identification, into: &output)
        try seekPermission(waiting: nil, now: now, into: &output)
    }

    /// Why no session may be offered now; nil when one may.
    var missingPermission: ControlWait? {
        if conditions.refusal == .session { return .sessionRefused }
        let isOnLink = progress.identification?.startsSessionOnLink == true
        return !conditions.isCarPlayOn || isOnLink && !configuration.availability.isOffer ? .carPlayOff : nil
    }

    /// Goes on with the session if it may start, else waits. `waiting` is what was waited for so far.
    mutating func seekPermission(
        waiting: ControlWait?, now: UInt64, into output: inout ControlOutput
    ) throws(ControlFailure) {
        let isOnLink = progress.identification?.startsSessionOnLink == true
        let needed = missingPermission
        guard needed != waiting || needed == nil else { return }
        if let needed {
            if isOnLink, needed == .carPlayOff {
                output.messages.append(try .encoding(configuration.availability.withdrawn))
            }
            enter(.awaitingPermission(needed), now: now, into: &output)
            output.notices.append(.waiting(needed))
            return
        }
        if waiting != nil { output.notices.append(.resumed) }
        if isOnLink && !progress.hasStarted {
            schedule(.offerSession(notBefore: now), now: now, into: &output)
        } else {
            awaitDisplaysOrActivate(now: now, into: &output)
        }
    }

    /// A unit may wait for these: one showed "Reading USB" and gave up without 4E0E and 4E0A [C] (V851).
    private func pushInformation(
        to identification: Identification, into output: inout ControlOutput
    ) throws(ControlFailure) {
        for id in configuration.pushes where identification.messagesReceived.contains(id) {
            if let message = try information(id) { output.messages.append(message) }
        }
    }

    /// What the phone tells of itself in this message; nil when it tells nothing.
    private func information(_ id: MessageID) throws(ControlFailure) -> ControlMessage? {
        switch id {
        case .requestAccessoryWiFiConfiguration: return ControlMessage(id)
        case .deviceUUIDUpdate:
            guard let uuid = configuration.uuid else { return nil }
            return try .encoding(DeviceUUIDUpdate(uuid: uuid))
        case .deviceTimeUpdate:
            guard let time = configuration.time else { return nil }
            return try .encoding(time)
        case .deviceLanguageUpdate: return try .encoding(DeviceLanguageUpdate(language: configuration.language))
        case .deviceInformationUpdate: return try .encoding(DeviceInformationUpdate(name: configuration.name))
        case .wirelessSessionUpdate:
            guard let status = configuration.wirelessSession else { return nil }
            return try .encoding(WirelessSessionUpdate(status: status))
        case .deviceTransportIdentifierNotification: return try .encoding(configuration.identifiers)
        default: return nil
        }
    }

    mutating func awaitDisplaysOrActivate(now: UInt64, into output: inout ControlOutput) {
        if progress.identification?.declaresDisplays == true, !progress.hasDisplays {
            enter(.awaitingDisplays, now: now, into: &output)
        } else {
            enter(.active, now: now, into: &output)
            output.notices.append(.active)
        }
    }
}
