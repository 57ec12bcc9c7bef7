internal import ControlProtocol
internal import Glibc
internal import LinuxIO

extension SelfMadeCredentials {
    /// Reads or makes them in a folder, while nobody else does.
    init(locking folder: String, _ validity: CertificateValidity, _ crypto: Crypto) throws(CredentialError) {
        let lock = try Self.lock(folder)
        try self.init(in: folder, validity, crypto)
        _ = consume lock
    }

    private init(in folder: String, _ validity: CertificateValidity, _ crypto: Crypto) throws(CredentialError) {
        func file(_ name: String, remedy: String? = nil) -> IdentityFile {
            let path = folder + "/" + name
            return IdentityFile(path: path, folder: folder, remedy: remedy ?? path, crypto: crypto)
        }
        func accessory(_ shape: AuthenticationShape, of authority: Identity) throws(CredentialError) -> Identity {
            let file = file(shape.rawValue + ".pem")
            if let identity = try file.read(shape) {
                guard identity.certificate.isIssued(by: authority.certificate) else {
                    throw file.damaged("authority.pem, beside it, did not issue its certificate")
                }
                return identity
            }
            var contents = CertificateContents(name: CertificateContents.accessoryName, validity: validity)
            if shape == .rsa1024 { contents.comment = CertificateContents.comment }
            let identity = try Identity.make(shape, contents, issuer: authority, crypto)
            try file.write(identity)
            return identity
        }
        // The others are worth nothing without it, so that it is not made anew beside them.
        let authorityFile = file("authority.pem", remedy: folder)
        if let identity = try authorityFile.read(.p256) {
            guard identity.certificate.isIssued(by: identity.certificate) else {
                throw authorityFile.damaged("its certificate is not signed with its key")
            }
            authority = identity
        } else {
            for shape in AuthenticationShape.allCases where access(folder + "/\(shape.rawValue).pem", F_OK) == 0 {
                throw authorityFile.damaged("it is gone, and it issued \(shape.rawValue).pem, which is there")
            }
            let contents = CertificateContents(
                name: CertificateContents.authorityName, validity: validity, isAuthority: true)
            authority = try Identity.make(.p256, contents, issuer: nil, crypto)
            try authorityFile.write(authority)
        }
        self.crypto = crypto
        rsa1024 = try accessory(.rsa1024, of: authority)
        p256 = try accessory(.p256, of: authority)
        rsa1024Bytes = try rsa1024.certificate.linkBytes(.rsa1024)
        p256Bytes = try p256.certificate.linkBytes(.p256)
    }

    /// How often the lock of the folder is tried for, and the time between two tries, in microseconds: 5 s in all, many
    /// times what another process needs to make its keys.
    private static let lockTries = 100
    private static let lockPause: UInt32 = 50_000

    private static func lock(_ folder: String) throws(CredentialError) -> FolderLock {
        for _ in 0..<lockTries {
            do {
                return try FolderLock(folder)
            } catch {
                if case .file(let error) = error { throw .file(error, folder: folder) }
                usleep(lockPause)
            }
        }
        throw .busy(folder: folder)
    }
}
