import ControlProtocol
import LinkProtocol

/// A control machine whose questions are answered at once, by a signer.
protocol AnsweredMachine: ControlMachine {
    mutating func answer(_ notice: ControlNotice, by signer: HandshakeSigner, into output: inout ControlOutput)
}

extension AccessoryControlMachine: AnsweredMachine {
    mutating func answer(_ notice: ControlNotice, by signer: HandshakeSigner, into output: inout ControlOutput) {
        if case .needSignature(let challenge, _) = notice {
            signatureReady(signer.signature(of: challenge), now: 0, into: &output)
        }
    }
}

extension DeviceControlMachine: AnsweredMachine {
    mutating func answer(_ notice: ControlNotice, by signer: HandshakeSigner, into output: inout ControlOutput) {
        switch notice {
        case .needChallenge(let count):
            challengeReady([UInt8](repeating: 0xAA, count: count), now: 0, into: &output)
        case .verify(let certificate, let challenge, let signature):
            let verdict = signer.verdict(certificate: certificate, challenge: challenge, signature: signature)
            verificationResult(verdict, now: 0, into: &output)
        case .phaseChanged, .needSignature, .authenticated, .identified, .identificationReduced,
            .identificationUpdated, .waiting, .resumed, .displaysDeclared, .received, .irregularity, .active, .failed:
            break
        }
    }
}

/// One whole end: link, assembler and control machine, joined as `ControlMachine` documents it. Time stands still.
struct JoinedEnd<Machine: AnsweredMachine> {
    var link: LinkMachine
    var control: Machine
    private let signer: HandshakeSigner
    private var assembler = ControlMessageAssembler()
    private var linkOutput = LinkOutput()
    private var controlOutput = ControlOutput()

    init(link: LinkMachine, control: Machine, signer: HandshakeSigner) {
        self.link = link
        self.control = control
        self.signer = signer
    }

    mutating func start(sending outgoing: inout [UInt8]) {
        link.start(now: 0, into: &linkOutput)
        drain(sending: &outgoing)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, sending outgoing: inout [UInt8]) {
        link.receive(bytes, now: 0, into: &linkOutput)
        drain(sending: &outgoing)
    }

    private mutating func drain(sending outgoing: inout [UInt8]) {
        while !linkOutput.isEmpty {
            outgoing += linkOutput.transmit
            let notices = linkOutput.notices
            let payloads = linkOutput.payloads
            linkOutput.removeAll()
            for notice in notices {
                switch notice {
                case .established: control.start(now: 0, into: &controlOutput)
                case .received(.control, let payload): receive(payloads[payload])
                case .received, .detected, .countered, .irregularity, .restarted, .closed: break
                }
                drainControl()
            }
        }
    }

    private mutating func receive(_ payload: ArraySlice<UInt8>) {
        var rest = payload
        do throws(ControlStreamError) {
            while let message = try assembler.next(from: &rest) {
                control.receive(message, now: 0, into: &controlOutput)
            }
        } catch {
            preconditionFailure("JoinedEnd: \(error)")
        }
    }

    private mutating func drainControl() {
        while !controlOutput.isEmpty {
            let messages = controlOutput.messages
            let notices = controlOutput.notices
            controlOutput.removeAll()
            for message in messages {
                do {
                    try link.send(try message.encoded(), on: .control, now: 0, into: &linkOutput)
                } catch {
                    preconditionFailure("JoinedEnd: \(error)")
                }
            }
            for notice in notices { control.answer(notice, by: signer, into: &controlOutput) }
        }
    }
}
