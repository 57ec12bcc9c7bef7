import ControlProtocol
import RigTestKit
import Testing
import WireBytes

/// One control machine under test: calls in, what came out as messages and notices.
struct ControlEnd<Machine: ControlMachine> {
    var machine: Machine
    /// What the last call put out.
    var output = ControlOutput()

    init(_ machine: Machine) { self.machine = machine }

    mutating func call(_ body: (inout Machine, inout ControlOutput) -> Void) {
        output = ControlOutput()
        body(&machine, &output)
    }

    mutating func start(at now: UInt64 = 0) { call { $0.start(now: now, into: &$1) } }
    mutating func receive(_ message: ControlMessage, at now: UInt64 = 0) {
        call { $0.receive(message, now: now, into: &$1) }
    }
    mutating func receive(_ id: MessageID, at now: UInt64 = 0) { receive(ControlMessage(id), at: now) }
    mutating func receive(_ message: some TypedControlMessage, at now: UInt64 = 0) throws {
        receive(try message.message(), at: now)
    }
    mutating func deadline(at now: UInt64) { call { $0.deadlineReached(now: now, into: &$1) } }
    mutating func close(at now: UInt64 = 0) { call { $0.close(now: now, into: &$1) } }

    /// Calls what may be refused, and gives the phase that it was refused in.
    mutating func attempt(
        _ body: (inout Machine, inout ControlOutput) throws(ControlSendError) -> Void
    ) -> ControlPhase? {
        output = ControlOutput()
        do throws(ControlSendError) {
            try body(&machine, &output)
            return nil
        } catch {
            return error.phase
        }
    }

    /// The numbers of the messages of the last call.
    var sent: [MessageID] { output.messages.map(\.id) }
    var notices: [ControlNotice] { output.notices }

    /// The failure that the last call told.
    var failure: ControlFailure? {
        for case .failed(let failure) in output.notices { return failure }
        return nil
    }

    /// "phase step: messages; notices", or "-" when nothing came of the last call and the phase and step are as before.
    func outcome(since before: Machine) -> String {
        let position = "\(machine.phase.rawValue)\(machine.step.map { " \($0.name)" } ?? "")"
        let old = "\(before.phase.rawValue)\(before.step.map { " \($0.name)" } ?? "")"
        if position == old, output.isEmpty { return "-" }
        let messages = sent.map { String($0.rawValue, radix: 16, uppercase: true) }.joined(separator: " ")
        let told = notices.compactMap(Self.name).joined(separator: " ")
        return [position + ":", messages, told].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func name(_ notice: ControlNotice) -> String? {
        switch notice {
        case .phaseChanged: nil
        case .needSignature: "needSignature"
        case .needChallenge: "needChallenge"
        case .verify: "verify"
        case .authenticated: "authenticated"
        case .identified: "identified"
        case .identificationReduced: "reduced"
        case .identificationUpdated: "updated"
        case .irregularity(let irregularity): "odd(\(irregularity.rule.rawValue))"
        case .waiting(let wait): "waiting(\(wait.rawValue))"
        case .resumed: "resumed"
        case .displaysDeclared: "displays"
        case .received: "received"
        case .active: "active!"
        case .failed(let failure): "failed(\(failure.name.dropFirst("control.".count)))"
        }
    }
}

extension CertificateVerdict {
    /// A verdict that a test's verifier gives.
    static let right = CertificateVerdict.accepted(
        CertificateFacts(subject: "test", serial: "01", notAfter: 1, shape: .p256))
    static let wrong = CertificateVerdict.refused(.signatureInvalid, nil)
}

let second: UInt64 = 1_000_000_000
