public import RigModel

/// Who signs for the rig's head units and verifies for its phones.
public enum SignerChoice: String, Sendable, CaseIterable {
    /// libcrypto where it is there, else the fixed test signer.
    case auto
    /// libcrypto; without it, handshakes fail.
    case libcrypto
    /// The fixed test signer, which needs no key.
    case test
}

/// Which certificates the rig's phones take.
public enum CertificateChoice: String, Sendable, CaseIterable {
    /// Any that can be read and is valid.
    case any
    /// Those whose fingerprints are listed.
    case pinned
    /// Those that the rig made itself.
    case selfMade
}

/// How head units are authenticated.
public struct AuthenticationSettings: Equatable, Sendable {
    /// The key that the rig's head units sign with.
    public var shape = SignatureShape.p256
    /// Which certificates the rig's phones take.
    public var certificates = CertificateChoice.any
    /// SHA-256 fingerprints of the certificates that `pinned` takes, 32 bytes each.
    public var pinned: [[UInt8]] = []
    /// Who signs and verifies.
    public var signer = SignerChoice.auto

    /// The defaults.
    public init() {}
}

extension ConfigurationValue {
    /// SHA-256 fingerprints between commas: 64 hexadecimal digits each, with or without colons between the bytes.
    static func fingerprints(_ text: String) throws(ConfigurationValueError) -> [[UInt8]] {
        var fingerprints: [[UInt8]] = []
        for part in try list(text) {
            let digits = part.utf8.filter { $0 != UInt8(ascii: ":") }
            let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 64, values.count == 64 else {
                throw ConfigurationValueError("\(quoted(part)) is no SHA-256 fingerprint of 64 hexadecimal digits")
            }
            fingerprints.append((0..<32).map { UInt8(values[2 * $0] * 16 + values[2 * $0 + 1]) })
        }
        return fingerprints
    }
}
