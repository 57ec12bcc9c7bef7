internal import CCrypto
internal import ControlProtocol

/// A key of the library: a pair, or the public half alone. Freed with the last reference to it.
final class Key: @unchecked Sendable {
    // Unchecked: not changed after it was made, and the library counts references to it atomically.
    let pointer: OpaquePointer
    private let crypto: Crypto

    /// Takes over a key.
    init(adopting pointer: OpaquePointer, _ crypto: Crypto) {
        self.pointer = pointer
        self.crypto = crypto
    }

    deinit { crypto.functions.EVP_PKEY_free(pointer) }

    /// Makes a new pair, e = 65537 for RSA.
    static func make(_ shape: AuthenticationShape, _ crypto: Crypto) throws(CredentialError) -> Key {
        let functions = crypto.functions
        let kind = shape == .rsa1024 ? EVP_PKEY_RSA : EVP_PKEY_EC
        let context = functions.EVP_PKEY_CTX_new_id(kind, nil)
        defer { functions.EVP_PKEY_CTX_free(context) }
        guard functions.EVP_PKEY_keygen_init(context) == 1 else { throw crypto.refusal(to: "begin a key") }
        let isSet =
            switch shape {
            case .rsa1024: functions.EVP_PKEY_CTX_set_rsa_keygen_bits(context, 1024)
            case .p256: functions.EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
            }
        var made: OpaquePointer?
        guard isSet == 1, functions.EVP_PKEY_generate(context, &made) == 1, let made else {
            throw crypto.refusal(to: "make a key of the shape \(shape.rawValue)")
        }
        return Key(adopting: made, crypto)
    }

    /// What kind of key a unit's is.
    enum Kind: Equatable {
        case shape(AuthenticationShape)
        /// Of a known kind, and shorter than its shape asks for.
        case tooWeak
        /// Of another kind, curve, length or exponent.
        case unsupported
    }

    /// What kind of key this is.
    var kind: Kind {
        defer { crypto.clearErrors() }
        let functions = crypto.functions
        let bits = functions.EVP_PKEY_get_bits(pointer)
        if functions.EVP_PKEY_is_a(pointer, "RSA") == 1 {
            guard bits == 1024 else { return bits < 1024 ? .tooWeak : .unsupported }
            var exponent: OpaquePointer?
            guard functions.EVP_PKEY_get_bn_param(pointer, "e", &exponent) == 1 else { return .unsupported }
            defer { functions.BN_free(exponent) }
            return functions.BN_is_word(exponent, 65_537) == 1 ? .shape(.rsa1024) : .unsupported
        }
        guard functions.EVP_PKEY_is_a(pointer, "EC") == 1 else { return .unsupported }
        var name = [CChar](repeating: 0, count: 64)
        var length = 0
        guard functions.EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else { return .unsupported }
        // The name that the library gives P-256.
        if name.prefix(length).elementsEqual("prime256v1".utf8.map(CChar.init)) { return .shape(.p256) }
        return bits < 256 ? .tooWeak : .unsupported
    }
}

extension Key {
    /// The signature of a message in the form of its shape: PKCS#1 over SHA-1, or r and s over SHA-256.
    func signature(of message: [UInt8], _ shape: AuthenticationShape) throws(CredentialError) -> [UInt8] {
        let functions = crypto.functions
        let context = functions.EVP_MD_CTX_new()
        defer { functions.EVP_MD_CTX_free(context) }
        // Room for either: 128 bytes, or at most 72 for r and s in DER.
        var bytes = [UInt8](repeating: 0, count: 128)
        var length = bytes.count
        guard functions.EVP_DigestSignInit(context, nil, digest(shape), nil, pointer) == 1,
            functions.EVP_DigestSign(context, &bytes, &length, message, message.count) == 1
        else { throw crypto.refusal(to: "sign") }
        let signature = Array(bytes.prefix(length))
        guard shape == .p256 else { return signature }
        guard let raw = crypto.rawSignature(signature) else { throw crypto.refusal(to: "split a signature") }
        return raw
    }

    /// True when `signature` is this key's, which is of the shape, over `message`.
    func isValid(_ signature: [UInt8], of message: [UInt8], _ shape: AuthenticationShape) -> Bool {
        guard message.count == shape.challengeLength, signature.count == shape.signatureLength else { return false }
        defer { crypto.clearErrors() }
        guard let encoded = shape == .p256 ? crypto.encodedSignature(signature) : signature else { return false }
        let functions = crypto.functions
        let context = functions.EVP_MD_CTX_new()
        defer { functions.EVP_MD_CTX_free(context) }
        guard functions.EVP_DigestVerifyInit(context, nil, digest(shape), nil, pointer) == 1 else { return false }
        return functions.EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }

    private func digest(_ shape: AuthenticationShape) -> OpaquePointer? {
        switch shape {
        case .rsa1024: crypto.functions.EVP_sha1()
        case .p256: crypto.functions.EVP_sha256()
        }
    }
}

extension Crypto {
    /// r and s of 32 bytes each from a signature in DER.
    fileprivate func rawSignature(_ encoded: [UInt8]) -> [UInt8]? {
        let parsed = encoded.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return functions.d2i_ECDSA_SIG(nil, &place, buffer.count)
        }
        guard let parsed else { return nil }
        defer { functions.ECDSA_SIG_free(parsed) }
        var raw = [UInt8](repeating: 0, count: 64)
        let isWritten = raw.withUnsafeMutableBufferPointer { buffer in
            functions.BN_bn2binpad(functions.ECDSA_SIG_get0_r(parsed), buffer.baseAddress, 32) == 32
                && functions.BN_bn2binpad(functions.ECDSA_SIG_get0_s(parsed), buffer.baseAddress?.advanced(by: 32), 32)
                    == 32
        }
        return isWritten ? raw : nil
    }

    /// The signature in DER from r and s of 32 bytes each.
    fileprivate func encodedSignature(_ raw: [UInt8]) -> [UInt8]? {
        guard let parsed = functions.ECDSA_SIG_new() else { return nil }
        defer { functions.ECDSA_SIG_free(parsed) }
        let (r, s) = raw.withUnsafeBufferPointer { buffer in
            (
                functions.BN_bin2bn(buffer.baseAddress, 32, nil),
                functions.BN_bin2bn(buffer.baseAddress?.advanced(by: 32), 32, nil)
            )
        }
        // The signature owns both numbers from here on, when it takes them.
        guard functions.ECDSA_SIG_set0(parsed, r, s) == 1 else {
            functions.BN_free(r)
            functions.BN_free(s)
            return nil
        }
        return encoded { functions.i2d_ECDSA_SIG(parsed, $0) }
    }
}
