/// The two kinds of authentication that units were seen to use: what their certificates hold and how long things are.
public enum AuthenticationShape: String, Hashable, Sendable, CaseIterable {
    /// RSA with 1024 bits over SHA-1: a challenge of 20 bytes, a response of 128 [C] (OCBM).
    case rsa1024
    /// ECDSA on P-256 over SHA-256: a challenge of 32 bytes, a response of 64 [2+] (NOC, LIVI, POD).
    case p256

    /// Bytes of a challenge.
    public var challengeLength: Int {
        switch self {
        case .rsa1024: 20
        case .p256: 32
        }
    }

    /// Bytes of a response.
    public var signatureLength: Int {
        switch self {
        case .rsa1024: 128
        case .p256: 64
        }
    }
}

/// What a verifier read in a unit's certificate.
public struct CertificateFacts: Hashable, Sendable {
    /// Whose it is, one line of printable text.
    public var subject: String
    /// Its serial number, hexadecimal.
    public var serial: String
    /// The last second at which it is valid, since 1970 in UTC.
    public var notAfter: Int64
    /// What its key can do.
    public var shape: AuthenticationShape

    /// States what was read.
    public init(subject: String, serial: String, notAfter: Int64, shape: AuthenticationShape) {
        self.subject = subject
        self.serial = serial
        self.notAfter = notAfter
        self.shape = shape
    }
}

/// Why a verifier does not accept a unit.
public enum CertificateRefusal: String, Hashable, Sendable, CaseIterable {
    /// The signature is not one of the challenge with the certificate's key.
    case signatureInvalid
    /// The bytes are no certificate of a kind that is taken.
    case unreadable
    /// Its key is of another kind or size than the shapes have.
    case unsupportedKey
    /// Its time is over.
    case expired
    /// Its time has not come.
    case notYetValid
    /// It is none of those that the configuration names.
    case notPinned
    /// It was not issued by this rig.
    case notSelfMade
}

/// What a verifier says to a certificate, a challenge and a signature. The signature is verified under every policy.
public enum CertificateVerdict: Hashable, Sendable {
    /// Everything is right.
    case accepted(CertificateFacts)
    /// Something is wrong; what was read as far as it could be.
    case refused(CertificateRefusal, CertificateFacts?)
}
