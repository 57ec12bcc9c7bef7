import ControlProtocol
import Credentials
import Glibc
import LinuxIO

/// Who signs and verifies in a handshake: the fixed test signer, or libcrypto with keys made for this run.
struct HandshakeSigner {
    private let shape: AuthenticationShape
    private let credentials: SelfMadeCredentials?

    /// The fixed test signer.
    init(_ shape: AuthenticationShape = .p256) {
        self.shape = shape
        credentials = nil
    }

    private init(_ shape: AuthenticationShape, _ credentials: SelfMadeCredentials) {
        self.shape = shape
        self.credentials = credentials
    }

    /// libcrypto, with the rig's own keys and the policy that takes any certificate.
    static func real(_ shape: AuthenticationShape) -> HandshakeSigner { HandshakeSigner(shape, selfMade) }

    /// Why there is no real one, in one line; nil when there is.
    static var unavailability: String? { CryptoLibrary.unavailability }

    private static let selfMade: SelfMadeCredentials = {
        do {
            let state = try PrivateFolder()
            return try SelfMadeCredentials.load(from: state.path)
        } catch {
            preconditionFailure("HandshakeSigner: \(error)")
        }
    }()

    var certificate: [UInt8] { credentials?.certificate(shape) ?? FixedTestSigner.certificate(shape) }

    func signature(of challenge: [UInt8]) -> [UInt8] {
        guard let credentials else { return FixedTestSigner.signature(of: challenge) }
        do throws(CredentialError) {
            return try credentials.sign(challenge, shape)
        } catch {
            preconditionFailure("HandshakeSigner: \(error)")
        }
    }

    func verdict(certificate: [UInt8], challenge: [UInt8], signature: [UInt8]) -> CertificateVerdict {
        guard let credentials else {
            return FixedTestSigner.verdict(certificate: certificate, challenge: challenge, signature: signature)
        }
        return credentials.verify(
            certificate: certificate, challenge: challenge, signature: signature, policy: .any, now: Self.now)
    }

    /// Within the time for which the certificates are valid.
    private static let now = Int64(SystemClock.realtimeNow() / 1_000_000_000)
}

/// A folder that goes with this object, and everything in it.
final class PrivateFolder {
    let path: String

    init() throws(SystemError) {
        var template = Array("/tmp/dashrig-bench-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) else {
            throw SystemError("mkdtemp", errno)
        }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in (try? DirectoryTree.list(path)) ?? [] { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
