/// A stand-in for a signer, for tests and for simulated partners: NOT cryptography and no credential of anyone.
///
/// Its certificates are labels in ASCII, one for each shape; that of RSA ends in the object identifier by which the shape
/// of a certificate is told. Its signature of a challenge of n bytes has the length with which real units
/// answered one of that length (20 bytes: 128 [C], 32 bytes: 64 [T] NOC, others: 64), and byte i is
///
///     challenge[i mod n] + label[i mod 16] + h(i)   modulo 256
///
/// where label is `DASHRIG-TEST-KEY` and h(i) is the exclusive-or of all challenge bytes, rotated left by i mod 8 bits.
/// Any changed byte of the challenge changes the signature.
public enum FixedTestSigner {
    /// The certificate of the shape P-256: text that says what it is.
    public static let certificate: [UInt8] = Array("DASHRIG TEST CERTIFICATE, NOT A CREDENTIAL, 1".utf8)

    private static let rsaCertificate: [UInt8] =
        Array("DASHRIG TEST CERTIFICATE, NOT A CREDENTIAL, 2".utf8) + AuthenticationShape.rsaKey
    private static let label: [UInt8] = Array("DASHRIG-TEST-KEY".utf8)

    /// The certificate of a shape.
    public static func certificate(_ shape: AuthenticationShape) -> [UInt8] {
        switch shape {
        case .rsa1024: rsaCertificate
        case .p256: certificate
        }
    }

    /// The length of the signature of a challenge of this many bytes.
    public static func signatureLength(challengeLength: Int) -> Int {
        challengeLength == 20 ? 128 : 64
    }

    /// The signature of `challenge`; empty for an empty challenge.
    public static func signature(of challenge: [UInt8]) -> [UInt8] {
        guard !challenge.isEmpty else { return [] }
        let mixed = challenge.reduce(0, ^)
        return (0..<signatureLength(challengeLength: challenge.count)).map { index in
            let turn = UInt8(truncatingIfNeeded: index % 8)
            let rotated = mixed << turn | mixed >> (8 - turn)
            return challenge[index % challenge.count] &+ label[index % label.count] &+ rotated
        }
    }

    /// True when `signature` is this signer's for `challenge`, under one of its certificates.
    public static func isValid(certificate: [UInt8], challenge: [UInt8], signature: [UInt8]) -> Bool {
        AuthenticationShape.allCases.contains { certificate == Self.certificate($0) } && !challenge.isEmpty
            && signature == self.signature(of: challenge)
    }

    /// What a verifier says that takes this signer's certificates and no others.
    public static func verdict(certificate: [UInt8], challenge: [UInt8], signature: [UInt8]) -> CertificateVerdict {
        guard let shape = AuthenticationShape.allCases.first(where: { certificate == Self.certificate($0) }) else {
            return .refused(.certificateUnreadable, nil)
        }
        let facts = CertificateFacts(
            subject: "DASHRIG TEST, \(shape.rawValue)", serial: shape == .p256 ? "01" : "02",
            notAfter: .max, shape: shape)
        guard isValid(certificate: certificate, challenge: challenge, signature: signature) else {
            return .refused(.signatureInvalid, facts)
        }
        return .accepted(facts)
    }
}
