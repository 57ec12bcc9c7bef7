import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("Authentication: shapes and verdicts")
struct AuthenticationTests {
    static let rsa = hex("06 09 2A 86 48 86 F7 0D 01 01 01")
    static let curve = hex("06 07 2A 86 48 CE 3D 02 01")

    @Test("the shape follows the first kind of key that a certificate names")
    func shapes() {
        #expect(AuthenticationShape(certificate: []) == .p256)
        #expect(AuthenticationShape(certificate: [1, 2, 3]) == .p256)
        #expect(AuthenticationShape(certificate: Self.rsa) == .rsa1024)
        #expect(AuthenticationShape(certificate: [0x30, 0x06] + Self.rsa + [5, 0]) == .rsa1024)
        #expect(AuthenticationShape(certificate: Self.curve + Self.rsa) == .p256)
        #expect(AuthenticationShape(certificate: Self.rsa + Self.curve) == .rsa1024)
        #expect(AuthenticationShape(certificate: Array(Self.rsa.dropLast())) == .p256)
        // sha1WithRSAEncryption signs; it is no kind of key.
        #expect(AuthenticationShape(certificate: hex("06 09 2A 86 48 86 F7 0D 01 01 05")) == .p256)
        for shape in AuthenticationShape.allCases {
            #expect(AuthenticationShape(certificate: FixedTestSigner.certificate(shape)) == shape)
        }
        #expect(AuthenticationShape.rsa1024.challengeLength == 20 && AuthenticationShape.rsa1024.signatureLength == 128)
        #expect(AuthenticationShape.p256.challengeLength == 32 && AuthenticationShape.p256.signatureLength == 64)
    }

    @Test("both shapes authenticate with the lengths of theirs", arguments: AuthenticationShape.allCases)
    func bothShapes(shape: AuthenticationShape) {
        var accessory = HandshakeExamples.accessory()
        accessory.certificate = FixedTestSigner.certificate(shape)
        var pair = EndpointPair(accessory: accessory, device: HandshakeExamples.device())
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        var facts: CertificateFacts?
        for notice in pair.device.controlNotices + pair.accessory.controlNotices {
            switch notice {
            case .needChallenge(let count): #expect(count == shape.challengeLength)
            case .needSignature(let challenge, let asked):
                #expect(challenge.count == shape.challengeLength && asked == shape)
            case .verify(_, _, let signature): #expect(signature.count == shape.signatureLength)
            case .authenticated(let told): facts = told
            case .irregularity(let irregularity): Issue.record("\(irregularity)")
            default: break
            }
        }
        #expect(facts?.shape == shape)
    }

    @Test("a phone that is configured to asks with its own length, and a unit tells that it is odd")
    func configuredLength() throws {
        var device = HandshakeExamples.device()
        device.challengeLength = 20
        var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: device)
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        let odd = pair.accessory.controlNotices.compactMap { notice -> ControlRule? in
            if case .irregularity(let irregularity) = notice { irregularity.rule } else { nil }
        }
        #expect(odd == [.challengeLength])
        // 128 bytes came where the certificate's shape has 64.
        #expect(
            pair.device.controlNotices.contains {
                if case .irregularity(let irregularity) = $0 { irregularity.rule == .signatureLength } else { false }
            })
    }

    @Test("every refusal of a verifier is a failure of its own on the phone", arguments: CertificateRefusal.allCases)
    func refusals(refusal: CertificateRefusal) {
        let facts = CertificateFacts(subject: "CN=bench", serial: "1F", notAfter: 1, shape: .p256)
        for facts in [facts, nil] {
            var pair = EndpointPair(accessory: HandshakeExamples.accessory(), device: HandshakeExamples.device())
            pair.device.answers.verdict = .refused(refusal, facts)
            pair.start()
            drive(&pair)
            #expect(pair.device.failure == .credentialRefused(refusal, facts))
            #expect(pair.device.failure?.fault == .peer)
            #expect(pair.device.failure?.kind == .authentication)
            #expect(pair.device.failure?.reason.contains("CN=bench, serial 1F") == (facts != nil))
            #expect(pair.accessory.failure == .authenticationRefused)
            #expect(pair.accessory.failure?.fault == .local)
            #expect(pair.accessory.failure?.kind == .authentication)
            #expect(pair.accessory.failure?.isRetriable == true)
        }
        let failures = CertificateRefusal.allCases.map { ControlFailure.credentialRefused($0, nil) }
        #expect(Set(failures.map(\.name)).count == failures.count)
        #expect(Set(failures.map(\.reason)).count == failures.count)
    }

    @Test("the test signer's verdict names what is wrong")
    func testSigner() {
        for shape in AuthenticationShape.allCases {
            let challenge = [UInt8](repeating: 7, count: shape.challengeLength)
            let signature = FixedTestSigner.signature(of: challenge)
            #expect(signature.count == shape.signatureLength)
            let certificate = FixedTestSigner.certificate(shape)
            let right = FixedTestSigner.verdict(certificate: certificate, challenge: challenge, signature: signature)
            guard case .accepted(let facts) = right else {
                Issue.record("\(right)")
                continue
            }
            #expect(facts.shape == shape)
            #expect(
                FixedTestSigner.verdict(certificate: certificate, challenge: challenge, signature: [1])
                    == .refused(.signatureInvalid, facts))
            #expect(
                FixedTestSigner.verdict(certificate: [1], challenge: challenge, signature: signature)
                    == .refused(.certificateUnreadable, nil))
        }
    }

    @Test("the serial number of the authentication part comes behind the certificate")
    func serial() throws {
        var accessory = HandshakeExamples.accessory()
        accessory.authenticationSerial = "S-1"
        var pair = EndpointPair(accessory: accessory, device: HandshakeExamples.device())
        pair.start()
        drive(&pair, until: HandshakeTests.isActive)
        #expect(HandshakeTests.isActive(pair))
        let expected = ControlNotice.received(
            try AccessoryAuthenticationSerialNumber(serialNumber: "S-1").message())
        #expect(pair.device.controlNotices.contains(expected))
        accessory.authenticationSerial = "\0"
        #expect(throws: WireError.self) { try accessory.validate() }
    }

    @Test("what may be tried again is told by each failure")
    func retries() {
        let retriable: [ControlFailure] = [
            .stepTimedOut(.certificate), .authenticationRefused, .signatureUnavailable(""),
            .credentialRefused(.signatureInvalid, nil), .credentialRefused(.notYetValid, nil),
            .unexpectedMessage(.startIdentification, during: nil), .brokenStream(.noMessage(offset: 0)),
            .malformedMessage(.startIdentification, WireError(.missing, offset: 0)),
            .identificationCancelled(by: .peer),
        ]
        let final: [ControlFailure] = [
            .credentialRefused(.expired, nil), .credentialRefused(.notPinned, nil), .setToRefuse(.signature),
            .identificationRefused(parameters: []), .identificationUnacceptable(parameters: [], attempts: 1),
            .trustRefused(by: .peer), .unencodable(.startIdentification, WireError(.missing, offset: 0)),
        ]
        #expect(retriable.filter { !$0.isRetriable } == [])
        #expect(final.filter(\.isRetriable) == [])
    }

    @Test("a failure that is a broken rule names rule, place, side and reaction; a refusal names none")
    func irregularities() {
        let stream = ControlFailure.brokenStream(.tooLong(length: 9, limit: 8, offset: 77)).irregularity
        #expect(stream?.rule == .brokenStream && stream?.offset == 77 && stream?.reaction == .close)
        let malformed = ControlFailure.malformedMessage(.startHID, WireError(.missing, offset: 12)).irregularity
        #expect(malformed?.rule == .malformedParameter && malformed?.message == .startHID && malformed?.offset == 12)
        let late = ControlFailure.stepTimedOut(.signature).irregularity
        #expect(late?.rule == .timeout && late?.fault == .local && late?.offset == nil)
        #expect(ControlFailure.unexpectedMessage(.startHID, during: nil).irregularity?.rule == .outOfPlace)
        #expect(ControlFailure.trustRefused(by: .peer).irregularity == nil)
        #expect(ControlFailure.authenticationRefused.irregularity == nil)
        for text in [stream, malformed, late].compactMap(\.self).map(\.description) { #expect(text.contains("close")) }
    }
}
