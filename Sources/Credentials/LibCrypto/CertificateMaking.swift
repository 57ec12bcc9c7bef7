internal import CCrypto
internal import ControlProtocol

/// A key and the certificate of it.
struct Identity: Sendable {
    var key: Key
    var certificate: Certificate
}

/// What a certificate of ours says beside its key.
struct CertificateContents {
    /// Its subject's common name.
    var name: String
    /// From when until when it is valid.
    var validity: CertificateValidity
    /// Whether it may issue others.
    var isAuthority = false
    /// A remark for those who look into it; none when empty.
    var comment = ""

    static let authorityName = "Dashrig test authority"
    static let accessoryName = "Dashrig test accessory"

    /// With this remark the certificate of RSA is about as long as a captured one, 945 bytes [C]: there are phones that
    /// choose the challenge by the length (PodBox: 20 bytes above 800).
    static let comment =
        "Made by Dashrig on the machine where it is used, for tests of links between machines that are both the "
        + "tester's own. It identifies no product, no maker and no person, and no phone that asks for a certificate "
        + "of somebody else will take it. The key that belongs to it lies in the state folder of the daemon, beside "
        + "that of the authority which issued it; whoever removes that folder gets new ones when the next session begins."
}

extension Identity {
    /// Makes a key and its certificate, issued by `issuer` or else by itself.
    static func make(
        _ shape: AuthenticationShape, _ contents: CertificateContents, issuer: Identity?, _ crypto: Crypto
    ) throws(CredentialError) -> Identity {
        let key = try Key.make(shape, crypto)
        let functions = crypto.functions
        guard let pointer = functions.X509_new() else { throw crypto.refusal(to: "begin a certificate") }
        let certificate = Certificate(adopting: pointer, crypto)
        try certificate.setSerial(crypto)
        let name = functions.X509_get_subject_name(pointer)
        // 2 is version 3.
        guard functions.X509_set_version(pointer, 2) == 1,
            functions.X509_NAME_add_entry_by_txt(
                name, "CN", dashrig_crypto_utf8, contents.name, Int32(contents.name.utf8.count), -1, 0) == 1,
            functions.X509_set_issuer_name(
                pointer, issuer.map { functions.X509_get_subject_name($0.certificate.pointer) } ?? name) == 1,
            functions.ASN1_TIME_set(functions.X509_getm_notBefore(pointer), Int(contents.validity.notBefore)) != nil,
            functions.ASN1_TIME_set(functions.X509_getm_notAfter(pointer), Int(contents.validity.notAfter)) != nil,
            functions.X509_set_pubkey(pointer, key.pointer) == 1
        else { throw crypto.refusal(to: "fill in a certificate") }
        try certificate.extend(NID_basic_constraints, contents.isAuthority ? "critical,CA:TRUE" : "CA:FALSE", crypto)
        let usage = contents.isAuthority ? "critical,keyCertSign" : "critical,digitalSignature"
        try certificate.extend(NID_key_usage, usage, crypto)
        if !contents.comment.isEmpty { try certificate.extend(NID_netscape_comment, contents.comment, crypto) }
        guard functions.X509_sign(pointer, (issuer?.key ?? key).pointer, functions.EVP_sha256()) > 0 else {
            throw crypto.refusal(to: "sign a certificate")
        }
        return Identity(key: key, certificate: certificate)
    }
}

extension Certificate {
    /// A random positive number of 16 bytes.
    fileprivate func setSerial(_ crypto: Crypto) throws(CredentialError) {
        var bytes = try crypto.random(16)
        // Neither negative nor shorter.
        bytes[0] = bytes[0] & 0x7F | 0x40
        let functions = crypto.functions
        let number = functions.BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { functions.BN_free(number) }
        let serial = functions.BN_to_ASN1_INTEGER(number, nil)
        defer { functions.ASN1_INTEGER_free(serial) }
        guard serial != nil, functions.X509_set_serialNumber(pointer, serial) == 1 else {
            throw crypto.refusal(to: "number a certificate")
        }
    }

    fileprivate func extend(_ kind: Int32, _ value: String, _ crypto: Crypto) throws(CredentialError) {
        let functions = crypto.functions
        let one = functions.X509V3_EXT_conf_nid(nil, nil, kind, value)
        defer { functions.X509_EXTENSION_free(one) }
        guard one != nil, functions.X509_add_ext(pointer, one, -1) == 1 else {
            throw crypto.refusal(to: "extend a certificate")
        }
    }
}
