/// The two forms of authentication that were seen, which the kind of key in the unit's certificate tells apart.
public enum AuthenticationShape: String, Hashable, Sendable, CaseIterable {
    /// RSA of 1024 bits over SHA-1: a challenge of 20 bytes, a signature of 128 [C] (OCBM).
    case rsa1024
    /// ECDSA over P-256 and SHA-256: a challenge of 32 bytes, a signature of 64, r and s [T] (NOC).
    case p256

    /// The length of the phone's challenge, in bytes.
    public var challengeLength: Int {
        switch self {
        case .rsa1024: 20
        case .p256: 32
        }
    }

    /// The length of the unit's signature, in bytes.
    public var signatureLength: Int {
        switch self {
        case .rsa1024: 128
        case .p256: 64
        }
    }

    /// DER of the object identifier rsaEncryption, 1.2.840.113549.1.1.1, which names an RSA key.
    static let rsaKey: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// DER of the object identifier id-ecPublicKey, 1.2.840.10045.2.1, which names a key of an elliptic curve.
    static let curveKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    /// The form that a certificate asks for: by the first name of a kind of key in it, so that no reader of certificates
    /// is needed to choose a challenge. A certificate that names none, or an unreadable one, is taken for P-256; whether
    /// it is any good is for the verifier to say.
    public init(certificate: [UInt8]) {
        let rsa = Self.firstIndex(of: Self.rsaKey, in: certificate)
        let curve = Self.firstIndex(of: Self.curveKey, in: certificate)
        switch (rsa, curve) {
        case (let rsa?, let curve?): self = rsa < curve ? .rsa1024 : .p256
        case (_?, nil): self = .rsa1024
        case (nil, _): self = .p256
        }
    }

    private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (0...bytes.count - pattern.count).first { start in
            bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
        }
    }
}
