import ControlProtocol
import RigModel
import Testing

@testable import RigCore

/// Commands that begin a handshake are answered when it is as far as it can be without time passing.
@Suite struct HeldAnswerTests {
    private static let accepted = SignerAnswer.verdict(
        .accepted(CertificateFacts(subject: "CN=x", serial: "0a", notAfter: 1, shape: .p256)))

    private static let plug = Command.plug(PlugRequest(profile: "iphone", name: "phone"))

    private func call(_ bench: inout Bench, _ command: Command) -> ClientID {
        let client = bench.connect()
        bench.handle(.clientCalled(client, .command(command)))
        return client
    }

    /// The signer answers everything that it is asked.
    private func sign(_ bench: inout Bench) {
        while !bench.outside.isEmpty {
            guard case .askSigner(let ticket, let question) = bench.outside.removeFirst() else { continue }
            switch question {
            case .sign(let challenge, _):
                bench.handle(.signerAnswered(ticket, .signature(FixedTestSigner.signature(of: challenge))))
            case .verify: bench.handle(.signerAnswered(ticket, Self.accepted))
            }
        }
    }

    @Test func aPlugIsAnsweredWhenTheSignerHasSigned() {
        var bench = Bench { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        let client = call(&bench, Self.plug)
        #expect(bench.replies[client] == nil)
        sign(&bench)
        #expect(bench.replies[client]?.count == 1)
        #expect(bench.replies[client]?.first?.value(at: "device.state")?.text == "active")
    }

    @Test func aPlugIsAnsweredWhenTheCredentialsAreThere() {
        var bench = Bench { $0.signer = .preparing }
        let client = call(&bench, Self.plug)
        bench.pass(Bench.second)
        #expect(bench.replies[client] == nil)
        bench.handle(.signerChanged(.ready(certificate: FixedTestSigner.certificate)))
        #expect(bench.replies[client] == nil)
        sign(&bench)
        #expect(bench.replies[client]?.first?.value(at: "device.state")?.text == "active")
    }

    @Test func aPlugWhoseSignerFailsSaysThatTheDeviceFailed() {
        var bench = Bench { $0.signer = .preparing }
        let client = call(&bench, Self.plug)
        bench.handle(.signerChanged(.failed("no disk")))
        #expect(bench.replies[client]?.first?.value(at: "device.reason.text")?.text == "no disk")
    }

    @Test func aDeviceThatIsGoneBeforeItsSignatureIsAnsweredAsItWas() {
        var bench = Bench { $0.signer = .preparing }
        let client = call(&bench, Self.plug)
        bench.unplug("phone")
        #expect(bench.replies[client]?.first?.value(at: "device.state")?.text == "connecting")
    }

    @Test func aPhoneThatIsUnlockedIsAnsweredWithItsSession() {
        var bench = Bench { $0.signer = .ready(certificate: FixedTestSigner.certificate) }
        let plugged = call(&bench, .plug(PlugRequest(profile: "iphone", name: "phone", phone: .init(locked: true))))
        sign(&bench)
        #expect(bench.replies[plugged]?.first?.value(at: "device.state")?.text == "connecting")
        let unlocked = call(&bench, .setPhone(device: "phone", generation: nil, PhoneChange(locked: false)))
        sign(&bench)
        #expect(bench.replies[unlocked]?.count == 1)
        #expect(bench.phase() == "active")
    }

    @Test func nobodyIsAnsweredWhoIsGone() {
        var bench = Bench { $0.signer = .preparing }
        let client = call(&bench, Self.plug)
        bench.handle(.clientClosed(client))
        bench.handle(.signerChanged(.fixedTest))
        #expect(bench.replies[client] == nil)
        #expect(bench.phase() == "active")
    }
}
