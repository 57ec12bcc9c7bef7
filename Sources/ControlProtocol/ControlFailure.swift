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
    /// Phone: the unit's signature is wrong.
    case signatureInvalid
    /// Phone: the unit was refused as often as allowed; what was refused last.
    case identificationUnacceptable(parameters: [UInt16], attempts: Int)
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

    /// Whose doing it was.
    public var fault: ControlFault {
        switch self {
        case .stepTimedOut(let step): step.isLocal ? .local : .peer
        case .trustRefused(let who): who
        case .authenticationRefused, .identificationRefused, .signatureUnavailable, .unencodable: .local
        case .signatureInvalid, .identificationUnacceptable, .unexpectedMessage, .malformedMessage, .brokenStream: .peer
        }
    }

    /// A stable name for logs, scenarios and sockets.
    public var name: String {
        switch self {
        case .stepTimedOut: "control.step-timed-out"
        case .authenticationRefused: "control.authentication-refused"
        case .identificationRefused: "control.identification-refused"
        case .signatureInvalid: "control.signature-invalid"
        case .identificationUnacceptable: "control.identification-unacceptable"
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
        case .signatureInvalid:
            "the unit's signature does not fit its certificate and the challenge"
        case .identificationUnacceptable(let parameters, let attempts):
            "the unit was refused \(attempts) times, last for parameters \(Self.list(parameters))"
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
