import RigModel

/// An answer that waits for the signer.
struct HeldAnswer: Sendable {
    let client: ClientID
    /// The device that the command was for.
    let device: DeviceReference
    /// What is answered when the device is gone by then, as it was; `nil` where the answer is empty.
    let plugged: Device?
}

extension RigCore {
    /// Answers a command that began or went on with a handshake.
    ///
    /// A virtual device is as far as it can be without time passing when its command is answered, so that a script can go
    /// on with the next. Signatures are no exception, though they are made outside: the answer waits for them.
    mutating func answer(
        _ client: ClientID, about device: DeviceReference, plugged: Device?, into actions: inout ActionBuffer
    ) {
        let answer = HeldAnswer(client: client, device: device, plugged: plugged)
        if isSigning(device) {
            heldAnswers.append(answer)
        } else {
            send(answer, into: &actions)
        }
    }

    /// Sends the answers that need not wait any more.
    mutating func releaseAnswers(into actions: inout ActionBuffer) {
        guard !heldAnswers.isEmpty else { return }
        let held = heldAnswers
        heldAnswers.removeAll()
        for answer in held {
            if isSigning(answer.device) {
                heldAnswers.append(answer)
            } else {
                send(answer, into: &actions)
            }
        }
    }

    private func isSigning(_ device: DeviceReference) -> Bool {
        guard let entry = current(device), let link = entry.link.flatMap({ links[$0] }) else { return false }
        return link.isAsking || sessions[link.session]?.session.waiting == .credentials
    }

    private func current(_ device: DeviceReference) -> DeviceEntry? {
        guard let entry = devices.id(named: device.name).flatMap({ devices[$0] }), entry.isAttached,
            entry.device.generation == device.generation
        else { return nil }
        return entry
    }

    private func send(_ answer: HeldAnswer, into actions: inout ActionBuffer) {
        var fields: [RecordField] = []
        if let plugged = answer.plugged {
            fields.append(RecordField("device", (current(answer.device)?.device ?? plugged).record))
        }
        actions.append(.reply(answer.client, .record(fields), continues: false))
    }
}
