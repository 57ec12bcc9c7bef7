import ClientTestKit
import ControlProtocol
import Credentials
import Foundation
import Testing

/// What the tests of this target share: credentials in a folder of their own, and a time at which they are valid.
struct TestCredentials {
    let folder: TestFolder
    let own: SelfMadeCredentials

    /// 2026-01-01.
    static let now: Int64 = 1_767_225_600

    init(validity: CertificateValidity = .standard) throws {
        folder = try TestFolder()
        own = try SelfMadeCredentials.load(from: folder.path, validity: validity)
    }

    static func challenge(_ shape: AuthenticationShape) -> [UInt8] {
        (0..<shape.challengeLength).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
    }

    func verdict(
        _ shape: AuthenticationShape, by other: SelfMadeCredentials? = nil, policy: CertificatePolicy = .any,
        now: Int64 = now
    ) throws -> CertificateVerdict {
        let challenge = Self.challenge(shape)
        return own.verify(
            certificate: (other ?? own).certificate(shape), challenge: challenge,
            signature: try (other ?? own).sign(challenge, shape), policy: policy, now: now)
    }
}

extension CertificateVerdict {
    var refusal: CertificateRefusal? {
        switch self {
        case .accepted: nil
        case .refused(let refusal, _): refusal
        }
    }

    var facts: CertificateFacts? {
        switch self {
        case .accepted(let facts): facts
        case .refused(_, let facts): facts
        }
    }
}

/// The `openssl` command.
enum OpenSSL {
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    /// Runs it; what it said and whether it succeeded.
    static func run(_ arguments: String..., at folder: String) throws -> (succeeded: Bool, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus == 0, text)
    }
}
