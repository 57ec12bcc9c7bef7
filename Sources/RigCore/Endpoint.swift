import ControlProtocol
import LinkProtocol
import RigModel

/// What the owner of an endpoint is told.
enum EndpointNotice: Equatable, Sendable {
    /// The handshake reached another phase.
    case phase(SessionPhase)
    /// The handshake waits for a person.
    case waiting(SessionWait)
    /// The phone accepted a head unit of this name.
    case identified(String)
    /// The phone's side: the head unit declared its displays.
    case displays([DisplayDescription])
    /// The session runs.
    case active
    /// It is over. Told once, and nothing is told after it.
    case ended(Reason)
}

/// Which side of the handshake an endpoint plays, with what it brings.
enum EndpointSide: Sendable {
    /// The head unit.
    case accessory(AccessoryConfiguration)
    /// The phone; it refuses this step, if any.
    case device(DeviceConfiguration, refuse: HandshakeStep?)
}

/// One whole end of a handshake: the link's machine and the control machine above it, joined.
///
/// Bytes in, bytes and notices out. Signatures are those of the fixed test signer: no key and no certificate of anybody
/// is in here. The owner moves `outgoing` to the other end and acts on `notices`.
struct Endpoint: Sendable {
    /// Bytes for the other end.
    var outgoing: [UInt8] = []
    /// What there is to know, oldest first.
    var notices: [EndpointNotice] = []
    /// Why it ended, once it did.
    private(set) var ending: Reason?

    private var side: EndpointSide
    private var link: LinkMachine
    private var control: EndpointControl
    private var assembler = ControlMessageAssembler()
    private var generator: SeededGenerator
    private var linkOutput = LinkOutput()
    private var controlOutput = ControlOutput()

    init(_ side: EndpointSide, link parameters: LinkParameters, seed: UInt64) {
        self.side = side
        generator = SeededGenerator(seed: seed)
        let sequence = UInt8(truncatingIfNeeded: generator.next())
        switch side {
        case .accessory: link = LinkMachine(side: .accessory, parameters: parameters, initialSequence: sequence)
        case .device: link = LinkMachine(side: .device, parameters: parameters, initialSequence: sequence)
        }
        control = Self.control(for: side)
    }

    private static func control(for side: EndpointSide) -> EndpointControl {
        switch side {
        case .accessory(let configuration): .accessory(AccessoryControlMachine(configuration: configuration))
        case .device(let configuration, _): .device(DeviceControlMachine(configuration: configuration))
        }
    }

    /// When `deadlineReached` is to be called next.
    var nextDeadline: UInt64? {
        guard let above = control.nextDeadline else { return link.nextDeadline }
        return link.nextDeadline.map { min($0, above) } ?? above
    }

    mutating func start(now: UInt64) {
        link.start(now: now, into: &linkOutput)
        drain(now: now)
    }

    mutating func receive(_ bytes: ArraySlice<UInt8>, now: UInt64) {
        link.receive(bytes, now: now, into: &linkOutput)
        drain(now: now)
    }

    mutating func deadlineReached(now: UInt64) {
        link.deadlineReached(now: now, into: &linkOutput)
        control.deadlineReached(now: now, into: &controlOutput)
        drain(now: now)
    }

    /// Says goodbye: the other end sees the link closed in an orderly way.
    mutating func close(now: UInt64) {
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
        drain(now: now)
    }

    /// The phone's side: a person does something to the phone.
    mutating func set(_ conditions: RigModel.PhoneConditions, now: UInt64) {
        guard case .device(let configuration, _) = side, case .device(var machine) = control else { return }
        side = .device(configuration, refuse: conditions.refuse)
        machine.setConditions(ControlProtocol.PhoneConditions(conditions), now: now, into: &controlOutput)
        control = .device(machine)
        drain(now: now)
    }

    // MARK: Joining

    /// Carries what one machine made to the other until both are quiet. Each round uses up what the round before made,
    /// and only a message from the other end makes more, so it ends.
    private mutating func drain(now: UInt64) {
        drainControl(now: now)
        while !linkOutput.isEmpty {
            outgoing += linkOutput.transmit
            let notices = linkOutput.notices
            linkOutput.removeAll()
            for notice in notices {
                act(on: notice, now: now)
                // What a message did is told before the end of the link that came right behind it.
                drainControl(now: now)
            }
        }
    }

    private mutating func drainControl(now: UInt64) {
        while !controlOutput.isEmpty {
            let messages = controlOutput.messages
            let notices = controlOutput.notices
            controlOutput.removeAll()
            for message in messages { send(message, now: now) }
            for notice in notices { act(on: notice, now: now) }
        }
    }

    private mutating func act(on notice: LinkNotice, now: UInt64) {
        switch notice {
        case .detected, .restarted: tell(.phase(.synchronizing))
        case .established:
            control = Self.control(for: side)
            assembler = ControlMessageAssembler()
            control.start(now: now, into: &controlOutput)
        case .received(.control, let payload): receiveControl(payload, now: now)
        case .received: break
        case .closed(let failure):
            control.close(now: now, into: &controlOutput)
            end(Reason(failure))
        }
    }

    private mutating func receiveControl(_ payload: [UInt8], now: UInt64) {
        var rest = payload[...]
        while true {
            do throws(ControlStreamError) {
                guard let message = try assembler.next(from: &rest) else { return }
                control.receive(message, now: now, into: &controlOutput)
            } catch {
                control.streamFailed(error, into: &controlOutput)
                return
            }
        }
    }

    private mutating func send(_ message: ControlMessage, now: UInt64) {
        do {
            try link.send(try message.encoded(), on: .control, now: now, into: &linkOutput)
        } catch {
            // What is ours to send did not fit our own link: nothing the peer could mend.
            let reason = Reason(
                "unsendable", .local, "the message \(message.id) could not be put on the link: \(error)")
            close(for: reason, now: now)
        }
    }

    private mutating func act(on notice: ControlNotice, now: UInt64) {
        switch notice {
        case .phaseChanged(let phase):
            if let phase = SessionPhase(phase) { tell(.phase(phase)) }
        case .needSignature(let challenge, _):
            guard case .accessory(var machine) = control else { return }
            machine.signatureReady(FixedTestSigner.signature(of: challenge), now: now, into: &controlOutput)
            control = .accessory(machine)
        case .needChallenge(let count):
            guard case .device(var machine) = control else { return }
            machine.challengeReady(generator.bytes(count), now: now, into: &controlOutput)
            control = .device(machine)
        case .verify(let certificate, let challenge, let signature):
            guard case .device(var machine) = control, case .device(_, let refuse) = side else { return }
            var verdict = FixedTestSigner.verdict(
                certificate: certificate, challenge: challenge, signature: signature)
            if refuse == .authentication, case .accepted(let facts) = verdict {
                verdict = .refused(.signatureInvalid, facts)
            }
            machine.verificationResult(verdict, now: now, into: &controlOutput)
            control = .device(machine)
        case .identified(let identification): tell(.identified(identification.name))
        case .waiting(.locked): tell(.waiting(.locked))
        case .waiting(.trust): tell(.waiting(.untrusted))
        // Not published yet.
        case .waiting(.carPlayOff), .waiting(.sessionRefused): break
        case .authenticated, .identificationReduced, .identificationUpdated, .irregularity: break
        case .resumed:
            if let phase = SessionPhase(control.phase) { tell(.phase(phase)) }
        case .displaysDeclared(let displays): tell(.displays(displays.map(DisplayDescription.init)))
        case .received: break
        case .active: tell(.active)
        case .failed(let failure): close(for: Reason(failure), now: now)
        }
    }

    /// Ends the handshake for a reason of the control machine: the link goes with it.
    private mutating func close(for reason: Reason, now: UInt64) {
        end(reason)
        control.close(now: now, into: &controlOutput)
        link.close(now: now, into: &linkOutput)
    }

    private mutating func tell(_ notice: EndpointNotice) {
        if ending == nil { notices.append(notice) }
    }

    private mutating func end(_ reason: Reason) {
        guard ending == nil else { return }
        notices.append(.ended(reason))
        ending = reason
    }
}

extension SessionPhase {
    /// The published name of a control machine's phase; `active` and `closed` have events of their own.
    init?(_ phase: ControlPhase) {
        switch phase {
        case .authenticating: self = .authenticating
        case .identifying: self = .identifying
        case .starting: self = .starting
        case .idle, .active, .closed: return nil
        }
    }
}
