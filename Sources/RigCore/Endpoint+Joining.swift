import ControlProtocol
import LinkProtocol
import RigModel

/// Joins the two machines: what one makes is carried to the other.
extension Endpoint {
    /// Carries what one machine made to the other until both are quiet. Each round uses up what the round before made,
    /// and only a message from the other end makes more, so it ends.
    mutating func drain(now: UInt64) {
        drainControl(now: now)
        while !linkOutput.isEmpty {
            swap(&linkOutput, &linkOutputInHand)
            outgoing.append(linkOutputInHand)
            bytesMade &+= UInt64(linkOutputInHand.transmit.count)
            let begun = linkOutputInHand.notices.lastIndex(of: .restarted) ?? 0
            for index in linkOutputInHand.notices.indices {
                // A head unit that began again in the same read takes no answer to what it said before.
                isLinkGone = index < begun
                act(on: linkOutputInHand.notices[index], now: now)
                // What a message did is told before the end of the link that came right behind it.
                drainControl(now: now)
            }
            linkOutputInHand.removeAll()
            isLinkGone = false
        }
    }

    mutating func drainControl(now: UInt64) {
        while !controlOutput.isEmpty {
            swap(&controlOutput, &controlOutputInHand)
            for index in controlOutputInHand.messages.indices { put(controlOutputInHand.messages[index], now: now) }
            for index in controlOutputInHand.notices.indices { act(on: controlOutputInHand.notices[index], now: now) }
            controlOutputInHand.removeAll()
        }
    }

    mutating func act(on notice: LinkNotice, now: UInt64) {
        switch notice {
        case .detected: tell(.phase(.synchronizing))
        case .restarted:
            for arrival in intake.end(now: now) { tell(.hid(arrival)) }
            // The machine of before has nobody to speak to any more, whatever comes due or is set or answered.
            control = Self.control(for: side)
            openQuestion = nil
            tell(.phase(.synchronizing))
        case .established:
            control = Self.control(for: side)
            assembler = ControlMessageAssembler()
            encoder = nil
            intake = HIDIntake(longPress: longPress)
            files = FileIntake(for: side)
            packetsGiven = 0
            control.start(now: now, into: &controlOutput)
        case .received(.control, let payload): receiveControl(linkOutputInHand.payloads[payload], now: now)
        case .received(.fileTransfer, let payload): receiveFile(linkOutputInHand.payloads[payload], now: now)
        case .irregularity(let found): tell(.irregularity(Irregularity(found)))
        case .received(.externalAccessory, _), .countered: break
        case .closed(let failure):
            control.close(now: now, into: &controlOutput)
            end(Reason(failure))
        }
    }

    mutating func receiveControl(_ payload: ArraySlice<UInt8>, now: UInt64) {
        var rest = payload
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

    mutating func put(_ message: ControlMessage, now: UInt64) {
        guard !isLinkGone else { return }
        messageInHand.removeAll(keepingCapacity: true)
        do {
            try message.encode(into: &messageInHand)
            try give(messageInHand[...], on: .control, now: now)
        } catch {
            close(for: Self.unsendable(message.id, error), now: now)
        }
    }

    /// What is ours to send did not fit our own link: nothing the peer could mend.
    static func unsendable(_ message: MessageID, _ error: any Error) -> Reason {
        Reason("unsendable", .local, "the message \(message) could not be put on the link: \(error)")
    }

    mutating func give(_ payload: ArraySlice<UInt8>, on channel: LinkChannel, now: UInt64) throws(LinkSendError) {
        let before = link.outstanding
        try link.send(payload, on: channel, now: now, into: &linkOutput)
        let after = link.outstanding
        packetsGiven += UInt64(max(0, after.inFlight + after.waiting - before.inFlight - before.waiting))
    }

    mutating func receiveFile(_ payload: ArraySlice<UInt8>, now: UInt64) {
        let (notice, reply) = files.receive(payload)
        if let notice { tell(notice) }
        guard let reply else { return }
        do {
            try give(reply[...], on: .fileTransfer, now: now)
        } catch {
            close(
                for: Reason("unsendable", .local, "an answer of the file transfer could not be sent: \(error)"),
                now: now)
        }
    }

    mutating func act(on notice: ControlNotice, now: UInt64) {
        switch notice {
        case .phaseChanged(let phase):
            if let phase = SessionPhase(phase) { tell(.phase(phase)) }
        case .needSignature(let challenge, let shape):
            guard !asksSigner else { return ask(.sign(challenge: challenge, shape: shape)) }
            guard case .accessory(var machine) = control else { return }
            machine.signatureReady(FixedTestSigner.signature(of: challenge), now: now, into: &controlOutput)
            control = .accessory(machine)
        case .needChallenge(let count):
            guard case .device(var machine) = control else { return }
            machine.challengeReady(generator.bytes(count), now: now, into: &controlOutput)
            control = .device(machine)
        case .verify(let certificate, let challenge, let signature):
            let question = SignerQuestion.verify(
                certificate: certificate, challenge: challenge, signature: signature)
            guard !asksSigner else { return ask(question) }
            guard case .device(var machine) = control else { return }
            let verdict = FixedTestSigner.verdict(
                certificate: certificate, challenge: challenge, signature: signature)
            tell(.verdict(verdict))
            machine.verificationResult(verdict, now: now, into: &controlOutput)
            control = .device(machine)
        case .identified(let identification): tell(.identified(identification.name))
        case .waiting(let wait): tell(.waiting(SessionWait(wait)))
        case .irregularity(let found): tell(.irregularity(Irregularity(found)))
        case .authenticated, .identificationReduced, .identificationUpdated: break
        case .resumed:
            if let phase = SessionPhase(control.phase) { tell(.phase(phase)) }
            tell(.waiting(nil))
        case .displaysDeclared(let displays): tell(.displays(displays.map(DisplayDescription.init)))
        case .received(let message): receiveMessage(message, now: now)
        case .active:
            tell(.active)
            offerDevices()
        case .failed(let failure): close(for: Reason(failure), now: now)
        }
    }

    mutating func ask(_ question: SignerQuestion) {
        questionsAsked += 1
        openQuestion = questionsAsked
        tell(.question(question, questionsAsked))
    }
}
