public import WireBytes

/// Whose doing the failure of a handshake was.
public enum ControlFault: String, Hashable, Sendable, CaseIterable {
    /// This side.
    case local
    /// The other side.
    case peer
}

/// Why a handshake or session failed. It is told once, in `ControlNotice.failed`.
public enum ControlFailure: Error, Equatable, Sendable {
    /// Nothing came within the step's deadline.
    case stepTimedOut(ControlStep)
    /// Unit: the phone refused the certificate or the signature (AA04).
    case authenticationRefused
    /// Unit: the phone refused parameters that it cannot do without, or refused without naming any.
    case identificationRefused(parameters: [UInt16])
    /// Phone: the verifier refused the unit's certificate or signature; what is known of the certificate.
    case credentialRefused(CertificateRefusal, CertificateFacts?)
    /// Phone: it is set to refuse this.
    case setToRefuse(PhoneRefusal)
    /// Phone: the unit was refused as often as allowed; what was refused last.
    case identificationUnacceptable(parameters: [UInt16], attempts: Int)
    /// The unit took its identification back (1D05).
    case identificationCancelled(by: ControlFault)
    /// The phone's user does not trust the unit.
    case trustRefused(by: ControlFault)
    /// This side could not sign; the signer's reason.
    case signatureUnavailable(String)
    /// A message of the handshake came while something else was awaited. `during` is nil in an active session.
    case unexpectedMessage(MessageID, during: ControlStep?)
    /// A message that matters could not be read.
    case malformedMessage(MessageID, WireError)
    /// A value of this side's configuration fits no message.
    case unencodable(MessageID, WireError)
    /// The control channel's bytes make no messages.
    case brokenStream(ControlStreamError)

    /// What kind of failure it is, for the owner's decision whether and when to try again.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Certificate or signature: try again after pauses that grow.
        case authentication
        /// What the unit says it is.
        case identification
        /// The phone's user.
        case trust
        /// Something did not come in time.
        case timeout
        /// The peer broke a rule.
        case violation
        /// This side cannot.
        case local
    }

    /// What kind of failure it is.
    public var kind: Kind {
        switch self {
        case .stepTimedOut: .timeout
        case .authenticationRefused, .credentialRefused, .setToRefuse(.certificate), .setToRefuse(.signature):
            .authentication
        case .identificationRefused, .identificationUnacceptable, .identificationCancelled,
            .setToRefuse(.identification), .setToRefuse(.session):
            .identification
        case .trustRefused, .setToRefuse(.trust): .trust
        case .unexpectedMessage, .malformedMessage, .brokenStream: .violation
        case .signatureUnavailable, .unencodable: .local
        }
    }

    /// True when the same two sides may come further another time without anybody changing a setting.
    public var isRetriable: Bool {
        switch self {
        case .stepTimedOut, .unexpectedMessage, .malformedMessage, .brokenStream, .authenticationRefused,
            .signatureUnavailable, .identificationCancelled, .credentialRefused(.signatureInvalid, _),
            .credentialRefused(.notYetValid, _):
            true
        case .credentialRefused, .setToRefuse, .identificationRefused, .identificationUnacceptable, .trustRefused,
            .unencodable:
            false
        }
    }

    /// Whose doing it was.
    public var fault: ControlFault {
        switch self {
        case .stepTimedOut(let step): step.isLocal ? .local : .peer
        case .trustRefused(let who), .identificationCancelled(let who): who
        case .authenticationRefused, .identificationRefused, .signatureUnavailable, .unencodable, .setToRefuse: .local
        case .credentialRefused, .identificationUnacceptable, .unexpectedMessage, .malformedMessage, .brokenStream:
            .peer
        }
    }

    /// The rule that was broken, where, by whom, and that the session ends; nil when none was: somebody said no.
    public var irregularity: ControlIrregularity? {
        func broken(_ rule: ControlRule, _ message: MessageID?, _ offset: UInt64?) -> ControlIrregularity {
            ControlIrregularity(
                rule, message: message, offset: offset, fault: fault, reaction: .close, detail: reason)
        }
        switch self {
        case .stepTimedOut: return broken(.timeout, nil, nil)
        case .unexpectedMessage(let id, _): return broken(.outOfPlace, id, 4)
        case .malformedMessage(let id, let error):
            return broken(.malformedParameter, id, UInt64(clamping: error.offset))
        case .brokenStream(let error): return broken(.brokenStream, nil, error.offset)
        case .authenticationRefused, .identificationRefused, .credentialRefused, .setToRefuse,
            .identificationUnacceptable, .identificationCancelled, .trustRefused, .signatureUnavailable, .unencodable:
            return nil
        }
    }

    /// A stable name for logs, scenarios and sockets.
    public var name: String {
        switch self {
        case .stepTimedOut: "control.step-timed-out"
        case .authenticationRefused: "control.authentication-refused"
        case .identificationRefused: "control.identification-refused"
        case .credentialRefused(let refusal, _): "control.\(refusal.failureName)"
        case .setToRefuse(let what): "control.set-to-refuse-\(what.rawValue)"
        case .identificationUnacceptable: "control.identification-unacceptable"
        case .identificationCancelled: "control.identification-cancelled"
        case .trustRefused: "control.trust-refused"
        case .signatureUnavailable: "control.signature-unavailable"
        case .unexpectedMessage: "control.unexpected-message"
        case .malformedMessage: "control.malformed-message"
        case .unencodable: "control.unencodable"
        case .brokenStream: "control.broken-stream"
        }
    }

    /// What happened and what to do, for people.
    public var reason: String {
        switch self {
        case .stepTimedOut(let step):
            "waited too long for \(step.subject)"
        case .authenticationRefused:
            "the phone refused this unit's certificate or signature"
        case .identificationRefused(let parameters) where parameters.isEmpty:
            "the phone refused this unit's identification without naming a parameter"
        case .identificationRefused(let parameters):
            "the phone refused parameters \(Self.list(parameters)) of this unit's identification; change or drop them"
        case .credentialRefused(let refusal, let facts?):
            "\(refusal.reason) (\(facts.subject), serial \(facts.serial))"
        case .credentialRefused(let refusal, nil):
            refusal.reason
        case .setToRefuse(let what):
            "this phone is set to refuse: \(what.rawValue)"
        case .identificationUnacceptable(let parameters, let attempts):
            "the unit was refused \(attempts) times, last for parameters \(Self.list(parameters))"
        case .identificationCancelled(.local):
            "this unit took its identification back"
        case .identificationCancelled(.peer):
            "the unit took its identification back"
        case .trustRefused(.local):
            "this phone's user does not trust the unit"
        case .trustRefused(.peer):
            "the phone's user does not trust this unit"
        case .signatureUnavailable(let reason):
            "this unit could not sign the challenge: \(reason)"
        case .unexpectedMessage(let id, let step?):
            "\(id) came while waiting for \(step.subject)"
        case .unexpectedMessage(let id, nil):
            "\(id) came where no such message has a place"
        case .malformedMessage(let id, let error):
            "\(id) cannot be read: \(error)"
        case .unencodable(let id, let error):
            "\(id) cannot be made of this side's configuration: \(error)"
        case .brokenStream(let error):
            error.reason
        }
    }

    private static func list(_ parameters: [UInt16]) -> String {
        parameters.map { "\($0)" }.joined(separator: ", ")
    }
}

/// Why `send` took nothing: messages of the application go only while the session is active.
public struct ControlSendError: Error, Hashable, Sendable {
    /// What the session is instead of active.
    public var phase: ControlPhase

    /// What happened, for people.
    public var reason: String { "the session is \(phase.rawValue), not active" }
}
