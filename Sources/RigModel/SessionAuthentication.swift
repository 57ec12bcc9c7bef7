/// Who signs for the head unit of a session and verifies for its phone, when either is the rig's.
public enum SignerKind: String, Sendable, CaseIterable {
    /// libcrypto, with keys and certificates that the rig made for itself.
    case libcrypto
    /// A fixed rule without any key, for tests and for machines without libcrypto. No cryptography.
    case fixedTest
}

/// The form of an authentication, by the head unit's key.
public enum SignatureShape: String, Sendable, CaseIterable {
    /// RSA of 1024 bits over SHA-1: a challenge of 20 bytes, a signature of 128.
    case rsa1024
    /// ECDSA over P-256 and SHA-256: a challenge of 32 bytes, a signature of 64.
    case p256
}

/// What is known of a session's authentication.
public struct SessionAuthentication: Equatable, Sendable {
    /// Who signs and verifies.
    public var signer: SignerKind
    /// The form; nil while the other side has not shown a certificate that can be read.
    public var shape: SignatureShape?
    /// The subject of the head unit's certificate, one printable line of at most 256 bytes.
    public var subject: String?
    /// Its serial number, hexadecimal.
    public var serial: String?
    /// What the phone's policy says: "accepted", or the name of the refusal. Nil before, and when the phone is a real
    /// one, which keeps its reasons.
    public var verdict: String?

    /// States what is known at the beginning.
    public init(signer: SignerKind, shape: SignatureShape? = nil) {
        self.signer = signer
        self.shape = shape
    }

    /// As it is published.
    public var record: RecordValue {
        .record([
            RecordField("signer", .string(signer.rawValue)), RecordField("shape", .text(shape?.rawValue)),
            RecordField("subject", .text(subject)), RecordField("serial", .text(serial)),
            RecordField("verdict", .text(verdict)),
        ])
    }
}
