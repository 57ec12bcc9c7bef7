public import ControlProtocol

extension SelfMadeCredentials {
    /// What a phone says of a unit's certificate and signature at `now`, in seconds since 1970 in UTC. Takes about 0.1 ms.
    ///
    /// In this order: can the certificate be read, is its key of a known shape, is the signature that of the key over
    /// the challenge, is the certificate valid now, does the policy take it. The first that is not so is the refusal.
    public func verify(
        certificate bytes: [UInt8], challenge: [UInt8], signature: [UInt8], policy: CertificatePolicy, now: Int64
    ) -> CertificateVerdict {
        #if HAVE_CRYPTO
            defer { crypto.clearErrors() }
            guard let certificate = Certificate(bytes, crypto), let subject = certificate.subject,
                let serial = certificate.serial, let validity = certificate.validity,
                let (kind, isSigned) = certificate.withKey({ key in
                    let kind = key.kind
                    guard case .shape(let shape) = kind else { return (kind, false) }
                    return (kind, key.isValid(signature, of: challenge, shape))
                })
            else { return .refused(.certificateUnreadable, nil) }
            let shape: AuthenticationShape
            switch kind {
            case .shape(let known): shape = known
            case .tooWeak: return .refused(.keyTooWeak, nil)
            case .unsupported: return .refused(.keyUnsupported, nil)
            }
            let facts = CertificateFacts(subject: subject, serial: serial, notAfter: validity.notAfter, shape: shape)
            if !isSigned { return .refused(.signatureInvalid, facts) }
            if now < validity.notBefore { return .refused(.notYetValid, facts) }
            if now > validity.notAfter { return .refused(.expired, facts) }
            switch policy {
            case .any: return .accepted(facts)
            case .pinned(let fingerprints):
                guard let own = certificate.fingerprint, fingerprints.contains(own) else {
                    return .refused(.notPinned, facts)
                }
                return .accepted(facts)
            case .selfMade:
                // In the very form that ours have: what is beside the certificate in its container, nobody signed.
                guard certificate.isIssued(by: authority.certificate), (try? certificate.linkBytes(shape)) == bytes
                else {
                    return .refused(.notSelfMade, facts)
                }
                return .accepted(facts)
            }
        #else
            return .refused(.certificateUnreadable, nil)
        #endif
    }
}
