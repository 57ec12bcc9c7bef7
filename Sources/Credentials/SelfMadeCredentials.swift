public import ControlProtocol

/// The keys and certificates that this rig made for itself: an authority, and an accessory of each shape.
///
/// They identify nobody and nothing. A value of this type needs no file any more; any thread may use it.
public struct SelfMadeCredentials: Sendable {
    #if HAVE_CRYPTO
        let crypto: Crypto
        let authority: Identity
        let rsa1024: Identity
        let p256: Identity
        let rsa1024Bytes: [UInt8]
        let p256Bytes: [UInt8]
    #endif

    /// Reads the credentials below a state directory, and makes those that are not there yet, valid for `validity`.
    ///
    /// Blocks for files, the loading of libcrypto and, at the first run, the making of three keys (about 0.1 s). What is
    /// there and cannot be used is named and left as it is. Two processes may do this at once in one directory.
    public static func load(
        from state: String, validity: CertificateValidity = .standard
    ) throws(CredentialError) -> SelfMadeCredentials {
        #if HAVE_CRYPTO
            let crypto = try Crypto()
            try CredentialFolder.prepare(in: state)
            return try SelfMadeCredentials(locking: CredentialFolder.path(in: state), validity, crypto)
        #else
            throw .unavailable(CryptoLibrary.unavailability ?? "")
        #endif
    }

    /// The certificate of a shape, as it goes over the link.
    public func certificate(_ shape: AuthenticationShape) -> [UInt8] {
        #if HAVE_CRYPTO
            switch shape {
            case .rsa1024: rsa1024Bytes
            case .p256: p256Bytes
            }
        #else
            []
        #endif
    }

    /// The signature of a challenge: 128 bytes (PKCS#1, SHA-1), or 64 bytes, r and s (SHA-256). Takes about 0.1 ms.
    public func sign(_ challenge: [UInt8], _ shape: AuthenticationShape) throws(CredentialError) -> [UInt8] {
        guard challenge.count == shape.challengeLength else {
            throw .challengeLength(challenge.count, expected: shape.challengeLength)
        }
        #if HAVE_CRYPTO
            switch shape {
            case .rsa1024: return try rsa1024.key.signature(of: challenge, shape)
            case .p256: return try p256.key.signature(of: challenge, shape)
            }
        #else
            throw .unavailable(CryptoLibrary.unavailability ?? "")
        #endif
    }
}
