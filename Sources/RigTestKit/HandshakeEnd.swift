public import ControlProtocol
public import LinkProtocol

/// What the owner of a control machine does in tests when the machine asks for something.
public struct TestAnswers: Sendable {
    /// A unit signs with `FixedTestSigner`; without it, it never answers.
    public var signs = true
    /// The signature is spoiled in its first byte.
    public var spoilsSignature = false
    /// A phone gives itself this byte, repeated, as challenge; without it, it never answers.
    public var challengeByte: UInt8? = 0xAA
    /// A phone verifies with `FixedTestSigner`; without it, it never answers.
    public var verifies = true
    /// What a phone's verifier says whatever comes, instead of `FixedTestSigner`.
    public var verdict: CertificateVerdict?

    /// Everything is answered.
    public init() {}
}

/// A control machine whose questions a test can answer.
public protocol TestAnswerable: ControlMachine {
    /// Answers `notice` if it is a question.
    mutating func answer(
        _ notice: ControlNotice, with answers: TestAnswers, now: UInt64, into output: inout ControlOutput)
}

extension AccessoryControlMachine: TestAnswerable {
    /// Answers `notice` if it is a question.
    public mutating func answer(
        _ notice: ControlNotice, with answers: TestAnswers, now: UInt64, into output: inout ControlOutput
    ) {
        guard case .needSignature(let challenge, _) = notice, answers.signs else { return }
        var signature = FixedTestSigner.signature(of: challenge)
        if answers.spoilsSignature { signature[0] ^= 1 }
        signatureReady(signature, now: now, into: &output)
    }
}

extension DeviceControlMachine: TestAnswerable {
    /// Answers `notice` if it is a question.
    public mutating func answer(
        _ notice: ControlNotice, with answers: TestAnswers, now: UInt64, into output: inout ControlOutput
    ) {
        if case .needChallenge(let count) = notice, let byte = answers.challengeByte {
            challengeReady([UInt8](repeating: byte, count: count), now: now, into: &output)
        } else if case .verify(let certificate, let challenge, let signature) = notice, answers.verifies {
            let verdict =
                answers.verdict
                ?? FixedTestSigner.verdict(certificate: certificate, challenge: challenge, signature: signature)
            verificationResult(verdict, now: now, into: &output)
        }
    }
}

/// What one end told its owner, and when.
public struct EndEvent: Sendable {
    /// Which machine told it.
    public enum Source: Sendable {
        case link(LinkNotice)
        case control(ControlNotice)
        /// The link took no message.
        case sendFailed(LinkSendError)
    }

    /// Nanoseconds on the pair's clock.
    public var time: UInt64
    /// What was told.
    public var source: Source
}

/// One whole end: link, assembler and control machine joined as `ControlMachine` documents it.
public struct HandshakeEnd<Machine: TestAnswerable>: Sendable {
    /// The link.
    public var link: LinkMachine
    /// The control machine; a new one with every `established`.
    public var control: Machine
    /// What is answered when the machine asks.
    public var answers = TestAnswers()
    /// Everything that was told, oldest first.
    public private(set) var events: [EndEvent] = []
    /// The packets to be sent, oldest first; the pair takes them.
    public var packets: [[UInt8]] = []

    private let fresh: Machine
    private var assembler = ControlMessageAssembler()

    /// An end that was not started.
    public init(link: LinkMachine, control: Machine) {
        self.link = link
        self.control = control
        fresh = control
    }

    /// When the earlier of both machines wants to be called.
    public var nextDeadline: UInt64? {
        switch (link.nextDeadline, control.nextDeadline) {
        case (let left?, let right?): min(left, right)
        case (let left, let right): left ?? right
        }
    }

    /// Everything that the control machine told, oldest first.
    public var controlNotices: [ControlNotice] {
        events.compactMap { if case .control(let notice) = $0.source { notice } else { nil } }
    }

    /// Everything that the link told, oldest first.
    public var linkNotices: [LinkNotice] {
        events.compactMap { if case .link(let notice) = $0.source { notice } else { nil } }
    }

    /// The failure that the control machine told, if any.
    public var failure: ControlFailure? {
        controlNotices.lazy.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first
    }

    /// Why the link closed, if it did.
    public var linkFailure: LinkFailure? {
        linkNotices.lazy.compactMap { if case .closed(let failure) = $0 { failure } else { nil } }.first
    }

    /// The phases that were told, in order.
    public var phases: [ControlPhase] {
        controlNotices.compactMap { if case .phaseChanged(let phase) = $0 { phase } else { nil } }
    }

    /// Starts the link.
    public mutating func start(now: UInt64) {
        withLink(now: now) { link, output in link.start(now: now, into: &output) }
    }

    /// Takes bytes.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, now: UInt64) {
        withLink(now: now) { link, output in link.receive(bytes, now: now, into: &output) }
    }

    /// Does what is due.
    public mutating func deadlineReached(now: UInt64) {
        withLink(now: now) { link, output in link.deadlineReached(now: now, into: &output) }
        withControl(now: now) { control, output in control.deadlineReached(now: now, into: &output) }
    }

    /// Ends both machines from this side.
    public mutating func close(now: UInt64) {
        withControl(now: now) { control, output in control.close(now: now, into: &output) }
        withLink(now: now) { link, output in link.close(now: now, into: &output) }
    }

    /// Calls the control machine and performs what it wants.
    public mutating func withControl(now: UInt64, _ body: (inout Machine, inout ControlOutput) -> Void) {
        var output = ControlOutput()
        body(&control, &output)
        perform(output, now: now)
    }

    /// Calls the link and performs what it wants.
    public mutating func withLink(now: UInt64, _ body: (inout LinkMachine, inout LinkOutput) -> Void) {
        var output = LinkOutput()
        body(&link, &output)
        packets.append(contentsOf: output.packets.map { Array($0) })
        for notice in output.notices {
            events.append(EndEvent(time: now, source: .link(notice)))
            perform(notice, output.payloads, now: now)
        }
    }

    private mutating func perform(_ notice: LinkNotice, _ payloads: [UInt8], now: UInt64) {
        switch notice {
        case .detected, .countered, .irregularity:
            break
        case .established:
            control = fresh
            assembler = ControlMessageAssembler()
            withControl(now: now) { control, output in control.start(now: now, into: &output) }
        case .received(.control, let payload):
            receivePayload(payloads[payload], now: now)
        case .received:
            break
        case .restarted, .closed:
            withControl(now: now) { control, output in control.close(now: now, into: &output) }
        }
    }

    private mutating func receivePayload(_ payload: ArraySlice<UInt8>, now: UInt64) {
        var input = payload
        do throws(ControlStreamError) {
            while let message = try assembler.next(from: &input) {
                withControl(now: now) { control, output in control.receive(message, now: now, into: &output) }
            }
        } catch {
            withControl(now: now) { control, output in control.streamFailed(error, into: &output) }
        }
    }

    private mutating func perform(_ output: ControlOutput, now: UInt64) {
        for message in output.messages { send(message, now: now) }
        for notice in output.notices {
            events.append(EndEvent(time: now, source: .control(notice)))
            let answers = answers
            withControl(now: now) { control, output in
                control.answer(notice, with: answers, now: now, into: &output)
            }
            if case .failed = notice {
                withLink(now: now) { link, output in link.close(now: now, into: &output) }
            }
        }
    }

    private mutating func send(_ message: ControlMessage, now: UInt64) {
        guard let bytes = try? message.encoded() else {
            preconditionFailure("HandshakeEnd: a machine gave a message that cannot be encoded")
        }
        var failure: LinkSendError?
        withLink(now: now) { link, output in
            do throws(LinkSendError) {
                try link.send(bytes, on: .control, now: now, into: &output)
            } catch {
                failure = error
            }
        }
        if let failure { events.append(EndEvent(time: now, source: .sendFailed(failure))) }
    }
}
