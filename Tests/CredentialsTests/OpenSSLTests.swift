import ClientTestKit
import ControlProtocol
import Credentials
import Foundation
import Testing

/// What the `openssl` command says of ours, and what we say of its.
@Suite(.enabled(if: CryptoLibrary.isAvailable && OpenSSL.isAvailable, "libcrypto or the openssl command is not there"))
struct OpenSSLTests {
    @Test func theCommandReadsOurCertificates() throws {
        let test = try TestCredentials()
        let folder = test.folder.path
        try Data(test.own.certificate(.p256)).write(to: URL(fileURLWithPath: folder + "/p256.der"))
        try Data(test.own.certificate(.rsa1024)).write(to: URL(fileURLWithPath: folder + "/rsa.p7"))
        #expect(
            try OpenSSL.run(
                "pkcs7", "-inform", "DER", "-in", "rsa.p7", "-print_certs", "-out", "rsa.pem", at: folder
            ).succeeded)
        #expect(
            try OpenSSL.run(
                "x509", "-inform", "DER", "-in", "p256.der", "-out", "p256.pem", at: folder
            ).succeeded)
        for name in ["rsa", "p256"] {
            let answer = try OpenSSL.run(
                "verify", "-auth_level", "0", "-CAfile", "credentials/authority.pem", "\(name).pem", at: folder)
            #expect(answer.succeeded, "\(answer.text)")
        }
        let text = try OpenSSL.run("x509", "-in", "rsa.pem", "-noout", "-text", at: folder).text
        #expect(text.contains("Version: 3") && text.contains("1024 bit") && text.contains("65537"))
        #expect((880...990).contains(test.own.certificate(.rsa1024).count))
    }

    @Test func theCommandVerifiesOurSignatures() throws {
        let test = try TestCredentials()
        let folder = test.folder.path
        let challenge = TestCredentials.challenge(.rsa1024)
        try Data(challenge).write(to: URL(fileURLWithPath: folder + "/challenge"))
        try Data(test.own.sign(challenge, .rsa1024)).write(to: URL(fileURLWithPath: folder + "/signature"))
        let answer = try OpenSSL.run(
            "dgst", "-sha1", "-prverify", "credentials/rsa1024.pem", "-signature", "signature", "challenge", at: folder)
        #expect(answer.succeeded, "\(answer.text)")
    }

    @Test func aPinIsTheFingerprintThatTheCommandPrints() throws {
        let test = try TestCredentials()
        for shape in AuthenticationShape.allCases {
            let printed = try OpenSSL.run(
                "x509", "-in", "credentials/\(shape.rawValue).pem", "-noout", "-fingerprint", "-sha256",
                at: test.folder.path
            ).text
            let digits = try #require(printed.split(separator: "=").last).filter(\.isHexDigit)
            #expect(digits.count == 64)
            let pin = (0..<32).compactMap { UInt8(digits.dropFirst($0 * 2).prefix(2), radix: 16) }
            #expect(try test.verdict(shape, policy: .pinned([pin])).refusal == nil)
            #expect(try test.verdict(shape, policy: .pinned([pin.reversed()])).refusal == .notPinned)
            #expect(try test.verdict(shape, policy: .pinned([])).refusal == .notPinned)
        }
    }

    @Test(arguments: [
        (["rsa:2048"], CertificateRefusal.keyUnsupported), (["rsa:512"], .keyTooWeak),
        (["ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"], .keyUnsupported),
        (["ec", "-pkeyopt", "ec_paramgen_curve:prime192v1"], .keyTooWeak),
        (["ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"], .keyUnsupported), (["ed25519"], .keyUnsupported),
    ])
    func otherKeysAreRefusedByName(kind: [String], refusal: CertificateRefusal) throws {
        let test = try TestCredentials()
        let shell =
            "openssl req -x509 -newkey \(kind.joined(separator: " ")) -nodes -keyout key.pem -subj /CN=x "
            + "-outform DER -out other.der"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec \(shell) 2>/dev/null"]
        process.currentDirectoryURL = URL(fileURLWithPath: test.folder.path)
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: test.folder.path + "/other.der")))
        let verdict = test.own.verify(
            certificate: bytes, challenge: TestCredentials.challenge(.p256), signature: [1], policy: .any,
            now: TestCredentials.now)
        #expect(verdict == .refused(refusal, nil))
    }

    @Test func aStrangeSubjectIsOneBoundedPrintableLine() throws {
        let test = try TestCredentials()
        let name = "a\nb\u{1B}[1m é " + String(repeating: "x", count: 40)
        let subject = "/CN=\(name)" + (0..<9).map { "/OU=\($0)" + String(repeating: "y", count: 50) }.joined()
        #expect(
            try OpenSSL.run(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                "k.pem",
                "-utf8", "-subj", subject, "-outform", "DER", "-out", "s.der", at: test.folder.path
            ).succeeded)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: test.folder.path + "/s.der")))
        let verdict = test.own.verify(
            certificate: bytes, challenge: TestCredentials.challenge(.p256), signature: [1], policy: .any,
            now: TestCredentials.now)
        #expect(verdict.refusal == .signatureInvalid)
        let told = try #require(verdict.facts?.subject)
        #expect(told.utf8.count == 256 && told.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
}
