internal import CCrypto
internal import ControlProtocol

/// An X.509 certificate of the library. Freed with the last reference to it.
final class Certificate: @unchecked Sendable {
    // Unchecked: not changed after it was made; what the library fills in when it is read, it does under its own lock.
    let pointer: OpaquePointer
    private let crypto: Crypto

    /// Takes over a certificate.
    init(adopting pointer: OpaquePointer, _ crypto: Crypto) {
        self.pointer = pointer
        self.crypto = crypto
    }

    deinit { crypto.functions.X509_free(pointer) }

    /// The longest that is read, in bytes: ours, twice the longest that a message of the link brings.
    static let maximumLength = 8192
    /// The longest subject that is told, in bytes: ours.
    static let subjectLimit = 256
    /// The longest serial number that is taken, in bytes: RFC 5280 has 20, and readers are to take longer ones.
    static let serialLimit = 32

    /// Reads one certificate in DER, alone (X.509) or in a PKCS#7 SignedData, and nothing behind it.
    init?(_ bytes: [UInt8], _ crypto: Crypto) {
        guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
        defer { crypto.clearErrors() }
        let read: OpaquePointer? = bytes.withUnsafeBufferPointer { buffer in
            if let one = dashrig_crypto_unwrap(crypto.table, buffer.baseAddress, buffer.count) { return one }
            var place = buffer.baseAddress
            guard let one = crypto.functions.d2i_X509(nil, &place, buffer.count) else { return nil }
            if place == buffer.baseAddress?.advanced(by: buffer.count) { return one }
            crypto.functions.X509_free(one)
            return nil
        }
        guard let read else { return nil }
        pointer = read
        self.crypto = crypto
    }

    /// The bytes that go over the link: in a PKCS#7 SignedData for RSA [C], as it is for P-256 [2+].
    func linkBytes(_ shape: AuthenticationShape) throws(CredentialError) -> [UInt8] {
        switch shape {
        case .p256:
            guard let der else { throw crypto.refusal(to: "write a certificate") }
            return der
        case .rsa1024:
            var wrapped: UnsafeMutablePointer<UInt8>?
            let length = dashrig_crypto_wrap(crypto.table, pointer, &wrapped)
            defer { crypto.functions.CRYPTO_free(wrapped, "", 0) }
            guard length > 0, let wrapped else { throw crypto.refusal(to: "wrap a certificate") }
            return Array(UnsafeBufferPointer(start: wrapped, count: Int(length)))
        }
    }

    /// The certificate in DER.
    var der: [UInt8]? { crypto.encoded { crypto.functions.i2d_X509(pointer, $0) } }

    /// SHA-256 of the certificate in DER.
    var fingerprint: [UInt8]? {
        guard let der else { return nil }
        var digest = [UInt8](repeating: 0, count: CertificatePolicy.fingerprintLength)
        var length: UInt32 = 0
        let isDone = crypto.functions.EVP_Digest(der, der.count, &digest, &length, crypto.functions.EVP_sha256(), nil)
        return isDone == 1 && Int(length) == digest.count ? digest : nil
    }

    /// The subject's name: one line of printable ASCII, the rest escaped; cut off at the limit.
    var subject: String? {
        let functions = crypto.functions
        let name = functions.X509_get_subject_name(pointer)
        let bytes = crypto.written { functions.X509_NAME_print_ex($0, name, 0, dashrig_crypto_name_flags) >= 0 } ?? []
        let printable = bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        guard printable.count > Self.subjectLimit else { return String(decoding: printable, as: UTF8.self) }
        return String(decoding: printable.prefix(Self.subjectLimit - 3), as: UTF8.self) + "..."
    }

    /// The serial number in hexadecimal, two digits a byte; nil when it is too long.
    var serial: String? {
        let functions = crypto.functions
        guard let number = functions.X509_get0_serialNumber(pointer) else { return nil }
        let count = Int(functions.ASN1_STRING_length(number))
        guard (0...Self.serialLimit).contains(count) else { return nil }
        let bytes = UnsafeBufferPointer(start: functions.ASN1_STRING_get0_data(number), count: count)
        let sign = functions.ASN1_STRING_type(number) == V_ASN1_NEG_INTEGER ? "-" : ""
        return sign + (bytes.isEmpty ? "00" : bytes.map(Self.hexadecimal).joined())
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// From when until when it is valid; nil when it does not say so in a form that can be read.
    var validity: CertificateValidity? {
        let functions = crypto.functions
        var validity = CertificateValidity(notBefore: 0, notAfter: 0)
        guard
            dashrig_crypto_seconds(crypto.table, functions.X509_get0_notBefore(pointer), &validity.notBefore) == 1,
            dashrig_crypto_seconds(crypto.table, functions.X509_get0_notAfter(pointer), &validity.notAfter) == 1
        else { return nil }
        return validity
    }

    /// Lets something look at its key, which lives as long as the certificate; nil when it is of no kind that is known.
    func withKey<Value>(_ body: (Key) -> Value) -> Value? {
        guard let key = crypto.functions.X509_get0_pubkey(pointer), crypto.functions.EVP_PKEY_up_ref(key) == 1 else {
            return nil
        }
        return body(Key(adopting: key, crypto))
    }

    /// True when `authority` issued and signed it.
    func isIssued(by authority: Certificate) -> Bool {
        defer { crypto.clearErrors() }
        let functions = crypto.functions
        return functions.X509_check_issued(authority.pointer, pointer) == X509_V_OK
            && functions.X509_verify(pointer, functions.X509_get0_pubkey(authority.pointer)) == 1
    }
}
