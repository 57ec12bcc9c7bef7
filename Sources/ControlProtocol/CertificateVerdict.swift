/// What is published of a unit's certificate.
public struct CertificateFacts: Hashable, Sendable {
    /// The subject's name, one line.
    public var subject: String
    /// The serial number, hexadecimal.
    public var serial: String
    /// Until when it is valid, in seconds since 1970 in UTC.
    public var notAfter: Int64
    /// What key it is of.
    public var shape: AuthenticationShape

    /// States facts.
    public init(subject: String, serial: String, notAfter: Int64, shape: AuthenticationShape) {
        self.subject = subject
        self.serial = serial
        self.notAfter = notAfter
        self.shape = shape
    }
}

/// Why a verifier refuses a unit. The signature is always checked; the others depend on the verifier's policy.
public enum CertificateRefusal: String, Hashable, Sendable, CaseIterable {
    /// The signature does not fit the certificate's key and the challenge.
    case signatureInvalid
    /// The certificate cannot be read.
    case certificateUnreadable
    /// The certificate's key is of a kind or size that is none of the two shapes.
    case keyUnsupported
    /// The certificate's key is too short for the policy.
    case keyTooWeak
    /// The certificate is valid no more.
    case expired
    /// The certificate is not valid yet.
    case notYetValid
    /// The policy takes pinned certificates only, and this is none of them.
    case notPinned
    /// The policy takes certificates that this rig made, and this is none of them.
    case notSelfMade

    /// The stable name of the failure, behind "control.".
    var failureName: String {
        switch self {
        case .signatureInvalid: "signature-invalid"
        case .certificateUnreadable: "certificate-unreadable"
        case .keyUnsupported: "certificate-key-unsupported"
        case .keyTooWeak: "certificate-key-too-weak"
        case .expired: "certificate-expired"
        case .notYetValid: "certificate-not-yet-valid"
        case .notPinned: "certificate-not-pinned"
        case .notSelfMade: "certificate-not-self-made"
        }
    }

    /// What happened and what to do, for people.
    public var reason: String {
        switch self {
        case .signatureInvalid: "the unit's signature does not fit its certificate and the challenge"
        case .certificateUnreadable: "the unit's certificate cannot be read"
        case .keyUnsupported: "the unit's certificate has a key that is neither RSA of 1024 bits nor P-256"
        case .keyTooWeak: "the key of the unit's certificate is too short for this phone's policy"
        case .expired: "the unit's certificate has expired; give it a new one or set the clock"
        case .notYetValid: "the unit's certificate is not valid yet; set the clock"
        case .notPinned: "this phone takes pinned certificates only, and the unit's is not among them"
        case .notSelfMade: "this phone takes certificates of this rig only, and the unit's is not one"
        }
    }
}

/// What a phone's verifier says of a certificate, a challenge and a signature.
public enum CertificateVerdict: Hashable, Sendable {
    /// Everything is right.
    case accepted(CertificateFacts)
    /// Something is not; the facts as far as the certificate could be read.
    case refused(CertificateRefusal, CertificateFacts?)
}
