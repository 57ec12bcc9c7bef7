/// Which certificates a phone takes. Whatever it is, the signature is verified and the validity looked at.
public enum CertificatePolicy: Equatable, Sendable {
    /// Any that can be read and has a key of a known shape, whoever issued it.
    case any
    /// Those whose SHA-256 fingerprint, over the X.509 certificate in DER, is among these; 32 bytes each.
    case pinned([[UInt8]])
    /// Those that this rig's own authority issued.
    case selfMade

    /// The length of a fingerprint, in bytes.
    public static let fingerprintLength = 32
}

/// From when until when a certificate is valid, in seconds since 1970 in UTC.
public struct CertificateValidity: Equatable, Sendable {
    /// The first second.
    public var notBefore: Int64
    /// The last second.
    public var notAfter: Int64

    /// States a validity.
    public init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// 2020 to 2049, the last year of the two-digit form of years. Fixed, because a bench's clock may be wrong on the
    /// day of its first run.
    public static let standard = CertificateValidity(notBefore: 1_577_836_800, notAfter: 2_524_607_999)
}
