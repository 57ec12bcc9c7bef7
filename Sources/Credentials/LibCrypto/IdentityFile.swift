internal import CCrypto
internal import ControlProtocol
internal import Glibc
internal import LinuxIO

/// An identity in a file: its key and its certificate in PEM, one behind the other, so that they cannot come apart.
struct IdentityFile {
    /// The longest file that is read, in bytes: ours, several times what is written.
    static let limit = 16 * 1024

    let path: String
    /// The folder that it lies in.
    let folder: String
    /// What a user removes to have it made anew.
    let remedy: String
    let crypto: Crypto

    /// The identity, or nil when there is no such file. What is there and cannot be used is an error.
    func read(_ shape: AuthenticationShape) throws(CredentialError) -> Identity? {
        let bytes: [UInt8]
        do {
            bytes = try FileContents.read(path, limit: Self.limit)
        } catch .system(let error) where error.number == ENOENT {
            return nil
        } catch .tooLarge(_, let limit) {
            throw damaged("longer than \(limit) bytes, which is no key and certificate of ours")
        } catch {
            throw .file(error, folder: folder)
        }
        try checkMode(path, wanted: 0o600)
        defer { crypto.clearErrors() }
        let functions = crypto.functions
        // An empty password, or the library would ask for one at the terminal.
        var password: CChar = 0
        let key = crypto.reading(bytes) { functions.PEM_read_bio_PrivateKey($0, nil, nil, &password) }
        guard let key = key.map({ Key(adopting: $0, crypto) }) else {
            throw damaged("no private key can be read in it")
        }
        let pointer = crypto.reading(bytes) { functions.PEM_read_bio_X509($0, nil, nil, &password) }
        guard let certificate = pointer.map({ Certificate(adopting: $0, crypto) }) else {
            throw damaged("no certificate can be read in it")
        }
        guard key.kind == .shape(shape) else { throw damaged("its key is not of the kind \(shape.rawValue)") }
        guard functions.X509_check_private_key(certificate.pointer, key.pointer) == 1 else {
            throw damaged("its key is not that of its certificate")
        }
        // What the library wrote it writes the same again: anything else was changed by somebody.
        let identity = Identity(key: key, certificate: certificate)
        guard contents(identity) == bytes else { throw damaged("it is not as it was written") }
        return identity
    }

    /// Writes the identity; readers see the old or the new whole.
    func write(_ identity: Identity) throws(CredentialError) {
        guard let bytes = contents(identity) else { throw crypto.refusal(to: "write a key") }
        do {
            try FileContents.write(path, bytes, mode: 0o600)
        } catch {
            throw .file(error, folder: folder)
        }
    }

    func damaged(_ what: String) -> CredentialError { .damaged(path: path, what, remove: remedy) }

    private func contents(_ identity: Identity) -> [UInt8]? {
        let functions = crypto.functions
        return crypto.written {
            functions.PEM_write_bio_PrivateKey($0, identity.key.pointer, nil, nil, 0, nil, nil) == 1
                && functions.PEM_write_bio_X509($0, identity.certificate.pointer) == 1
        }
    }
}
