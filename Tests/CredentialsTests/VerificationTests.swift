import ControlProtocol
import Credentials
import Testing

@Suite(.enabled(if: CryptoLibrary.isAvailable, "libcrypto is not there"))
struct VerificationTests {
    @Test(arguments: AuthenticationShape.allCases)
    func whatWasSignedIsAccepted(shape: AuthenticationShape) throws {
        let test = try TestCredentials()
        let signature = try test.own.sign(TestCredentials.challenge(shape), shape)
        #expect(signature.count == shape.signatureLength)
        #expect(AuthenticationShape(certificate: test.own.certificate(shape)) == shape)
        #expect(test.own.certificate(shape).count <= AuthenticationCertificate.maximumLength)
        for policy in [CertificatePolicy.any, .selfMade] {
            let verdict = try test.verdict(shape, policy: policy)
            #expect(verdict.refusal == nil)
            #expect(verdict.facts?.subject == "CN=Dashrig test accessory")
            #expect(verdict.facts?.serial.count == 32)
            #expect(verdict.facts?.notAfter == CertificateValidity.standard.notAfter)
            #expect(verdict.facts?.shape == shape)
        }
    }

    @Test(arguments: AuthenticationShape.allCases)
    func aChangedBitOfSignatureOrChallengeIsRefused(shape: AuthenticationShape) throws {
        let test = try TestCredentials()
        let certificate = test.own.certificate(shape)
        let challenge = TestCredentials.challenge(shape)
        let signature = try test.own.sign(challenge, shape)
        func refusal(_ challenge: [UInt8], _ signature: [UInt8]) -> CertificateRefusal? {
            test.own.verify(
                certificate: certificate, challenge: challenge, signature: signature, policy: .any,
                now: TestCredentials.now
            ).refusal
        }
        #expect(refusal(challenge, signature) == nil)
        for place in signature.indices {
            var changed = signature
            changed[place] ^= 1 << (place % 8)
            #expect(refusal(challenge, changed) == .signatureInvalid, "signature byte \(place)")
        }
        for place in challenge.indices {
            var changed = challenge
            changed[place] ^= 1 << (place % 8)
            #expect(refusal(changed, signature) == .signatureInvalid, "challenge byte \(place)")
        }
        for bytes in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(refusal(challenge, bytes) == .signatureInvalid)
        }
    }

    @Test(arguments: AuthenticationShape.allCases)
    func aChangedByteOfTheCertificateIsRefused(shape: AuthenticationShape) throws {
        let test = try TestCredentials()
        let certificate = test.own.certificate(shape)
        let challenge = TestCredentials.challenge(shape)
        let signature = try test.own.sign(challenge, shape)
        for place in certificate.indices {
            var changed = certificate
            changed[place] ^= 1 << (place % 8)
            let verdict = test.own.verify(
                certificate: changed, challenge: challenge, signature: signature, policy: .selfMade,
                now: TestCredentials.now)
            #expect(verdict.refusal != nil, "byte \(place)")
        }
    }

    @Test(arguments: AuthenticationShape.allCases)
    func aCertificateThatIsCutOrHasMoreIsUnreadable(shape: AuthenticationShape) throws {
        let test = try TestCredentials()
        let certificate = test.own.certificate(shape)
        let challenge = TestCredentials.challenge(shape)
        let signature = try test.own.sign(challenge, shape)
        let cut = certificate.indices.map { Array(certificate.prefix($0)) }
        let others = [certificate + [0], certificate + certificate, .init(repeating: 0x30, count: 9000)]
        for bytes in cut + others {
            let verdict = test.own.verify(
                certificate: bytes, challenge: challenge, signature: signature, policy: .any,
                now: TestCredentials.now)
            #expect(verdict == .refused(.certificateUnreadable, nil), "\(bytes.count) of \(certificate.count) bytes")
        }
    }

    @Test func garbageIsUnreadable() throws {
        let test = try TestCredentials()
        let seed = UInt64.random(in: 1...(.max))
        var state = seed
        for _ in 0..<2000 {
            var bytes: [UInt8] = [0x30, 0x82]
            for _ in 0..<Int(state % 300) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(UInt8(truncatingIfNeeded: state >> 33))
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1
            let verdict = test.own.verify(
                certificate: bytes, challenge: TestCredentials.challenge(.p256), signature: [], policy: .any,
                now: TestCredentials.now)
            #expect(verdict == .refused(.certificateUnreadable, nil), "seed \(seed)")
        }
    }

    @Test(arguments: AuthenticationShape.allCases)
    func validityIsLookedAtToTheSecond(shape: AuthenticationShape) throws {
        let validity = CertificateValidity(notBefore: 1_000_000_000, notAfter: 1_000_000_100)
        let test = try TestCredentials(validity: validity)
        #expect(try test.verdict(shape, now: validity.notBefore - 1).refusal == .notYetValid)
        #expect(try test.verdict(shape, now: validity.notBefore).refusal == nil)
        #expect(try test.verdict(shape, now: validity.notAfter).refusal == nil)
        let verdict = try test.verdict(shape, now: validity.notAfter + 1)
        #expect(verdict.refusal == .expired)
        #expect(verdict.facts?.notAfter == validity.notAfter)
    }

    @Test(arguments: AuthenticationShape.allCases)
    func anotherAuthorityIsNotThisRig(shape: AuthenticationShape) throws {
        let test = try TestCredentials()
        let other = try TestCredentials().own
        #expect(try test.verdict(shape, by: other, policy: .any).refusal == nil)
        let verdict = try test.verdict(shape, by: other, policy: .selfMade)
        #expect(verdict.refusal == .notSelfMade)
        #expect(verdict.facts?.subject == "CN=Dashrig test accessory")
    }

    @Test func aChallengeOfAnotherLengthIsNotSigned() throws {
        let test = try TestCredentials()
        #expect(throws: CredentialError.challengeLength(32, expected: 20)) {
            try test.own.sign(TestCredentials.challenge(.p256), .rsa1024)
        }
        let verdict = test.own.verify(
            certificate: test.own.certificate(.rsa1024), challenge: TestCredentials.challenge(.p256),
            signature: try test.own.sign(TestCredentials.challenge(.p256), .p256), policy: .any,
            now: TestCredentials.now)
        #expect(verdict.refusal == .signatureInvalid)
    }
}
