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
    func tell(
        _ progress: PhoneCondition.Progress, into output: inout ControlOutput
    ) throws(ControlFailure) {
        guard self.progress.identification?.messagesReceived.contains(.phoneCondition) == true else { return }
        output.messages.append(try .encoding(PhoneCondition(progress: progress)))
    }

    /// Sends a verdict and goes on with the other part, or with the session.
    mutating func give(_ verdict: Verdict, now: UInt64, into output: inout ControlOutput) {
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
    mutating func beginSession(now: UInt64, into output: inout ControlOutput) {
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
    func pushInformation(
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

    mutating func awaitDisplaysOrActivate(now: UInt64, into output: inout ControlOutput) {
        if progress.identification?.declaresDisplays == true, !progress.hasDisplays {
            enter(.awaitingDisplays, now: now, into: &output)
        } else {
            enter(.active, now: now, into: &output)
            output.notices.append(.active)
        }
    }
}
