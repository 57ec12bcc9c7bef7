public import ControlProtocol
public import RigModel

/// An end of a link, as the rig sees it.
public enum LinkEnd: Hashable, Sendable {
    /// The rig's own.
    case rig
    /// The partner inside the daemon.
    case partner
}

/// Whose question it is and which; it comes back with the answer. An end may ask anew before it was answered, as when a
/// head unit begins again in the middle of a handshake: what belongs to the question before has no effect then.
public struct SignerTicket: Hashable, Sendable {
    /// The link that asks.
    public let link: LinkID
    /// Its end that asks.
    public let end: LinkEnd
    /// The question, counted from 1 in each end of each link.
    public let number: UInt64

    /// Names a question.
    public init(_ link: LinkID, _ end: LinkEnd, number: UInt64) {
        self.link = link
        self.end = end
        self.number = number
    }
}

/// What an end of a link asks of the signer, which lives outside of the core.
public enum SignerQuestion: Equatable, Sendable {
    /// The head unit: sign this with the key of this shape.
    case sign(challenge: [UInt8], shape: AuthenticationShape)
    /// The phone: is this signature right, and whose is the certificate?
    case verify(certificate: [UInt8], challenge: [UInt8], signature: [UInt8])
}

/// What the signer says to a question.
public enum SignerAnswer: Equatable, Sendable {
    /// To `sign`: the signature.
    case signature([UInt8])
    /// To `verify`: the verdict.
    case verdict(CertificateVerdict)
    /// To either: it cannot answer, and why.
    case unavailable(String)
}

/// Who signs for the head units that the rig plays, and who verifies for the phones.
public enum CoreSigner: Equatable, Sendable {
    /// `FixedTestSigner`, inside the core: no key, the same bytes each time.
    case fixedTest
    /// A signer outside that is still being made ready, as when keys are generated at the first run. Handshakes wait.
    case preparing
    /// A signer outside, with the head unit's certificate.
    case ready(certificate: [UInt8])
    /// A signer outside that could not be made ready, and why. Handshakes fail with this.
    case failed(String)
}

extension SignatureShape {
    /// The same shape, as it is published.
    init(_ shape: AuthenticationShape) {
        switch shape {
        case .rsa1024: self = .rsa1024
        case .p256: self = .p256
        }
    }
}

extension AuthenticationShape {
    /// The same shape, as a configuration names it.
    public init(_ shape: SignatureShape) {
        switch shape {
        case .rsa1024: self = .rsa1024
        case .p256: self = .p256
        }
    }
}

extension SessionAuthentication {
    /// Takes over what a phone said of the head unit.
    mutating func take(_ said: CertificateVerdict) {
        let facts: CertificateFacts?
        switch said {
        case .accepted(let known): (verdict, facts) = ("accepted", known)
        case .refused(let refusal, let known): (verdict, facts) = (refusal.rawValue, known)
        }
        guard let facts else { return }
        shape = SignatureShape(facts.shape)
        subject = facts.subject
        serial = facts.serial
    }
}
