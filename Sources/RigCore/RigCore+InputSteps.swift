import RigModel

extension RigCore {
    /// Lets a client wait until a gesture's events have come as far as `step`, or answers at once when they cannot; those of
    /// a sequence are waited for until they are sent.
    ///
    /// - Returns: the wait, when there is one.
    mutating func answer(
        _ receipt: InjectionReceipt, at step: InputStep, for client: ClientID, within: UInt64,
        into actions: inout ActionBuffer
    ) -> UInt64? {
        guard step > .accepted, receipt.reaches >= step || receipt.steps != nil else {
            actions.append(.reply(client, record(of: receipt, reached: .accepted, nil), continues: false))
            return nil
        }
        lastWait += 1
        waits[lastWait] = InputWait(
            client: client, receipt: receipt, step: step,
            steps: Array(repeating: .accepted, count: receipt.count))
        let (end, isBeyondTime) = now.addingReportingOverflow(within)
        deadlines.set(.wait(lastWait), at: isBeyondTime ? .max : end)
        return lastWait
    }

    /// - Parameter wait: what was waited for, or `nil` when the answer comes before anything is sent.
    func record(of receipt: InjectionReceipt, reached: InputStep, _ wait: InputWait?) -> RecordValue {
        var first = receipt.first.number
        let steps = receipt.steps?.map { count -> RecordValue in
            defer { first += UInt64(count) }
            return .record([RecordField("first", .number(first)), RecordField("count", .number(count))])
        }
        return .record([
            RecordField("first", .number(receipt.first.number)), RecordField("count", .number(receipt.count)),
            RecordField("session", .text(receipt.session?.name)),
            RecordField("reaches", .string(receipt.reaches.rawValue)),
            RecordField("reached", .string(reached.rawValue)),
            RecordField("sent", .number(wait?.sent)),
            RecordField("latestMicroseconds", .number(wait.map { $0.latest / 1_000 })),
            RecordField("steps", steps.map(RecordValue.array) ?? .null),
        ])
    }

    /// Nobody is left who could bring the input further that somebody waits for: that is answered at once, but for a
    /// sequence, of which all is sent before, since it ends with the connection of who waits.
    mutating func targetLost(_ id: UInt64, into actions: inout ActionBuffer) {
        let isUnsent = waits.update(id) { wait -> Bool in
            guard wait.receipt.steps != nil, wait.sent < wait.steps.count else { return false }
            wait.receipt.reaches = .accepted
            return true
        }
        if isUnsent == false { answer(id, into: &actions) }
    }

    mutating func waitDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) { answer(id, into: &actions) }

    /// Answers a waiting client with what has been reached by all of the gesture's events.
    mutating func answer(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let wait = waits[id] else { return }
        waits[id] = nil
        deadlines.set(.wait(id), at: nil)
        let reached = wait.steps.min() ?? .accepted
        actions.append(.reply(wait.client, record(of: wait.receipt, reached: reached, wait), continues: false))
    }

    /// Remembers that an app's socket is to take an injected event, the one that was published last.
    mutating func expectTaking(of input: InputID, in session: SessionID, by app: AppID) {
        apps.update(app) {
            $0.expectTaking(of: OutstandingInput(input: input, sequence: sequence, session: session))
        }
    }

    /// An app's socket has taken everything up to an event.
    mutating func clientTook(_ client: ClientID, _ taken: UInt64, into actions: inout ActionBuffer) {
        guard let app = clients[client]?.app else { return }
        let delivered = apps.update(app) { $0.took(upTo: taken) } ?? []
        for one in delivered { advance(one.input, of: one.session, to: .delivered, by: app, into: &actions) }
    }

    /// An app says that it read some input.
    ///
    /// - Returns: how many of the ids were still waited for.
    mutating func acknowledge(_ ids: [UInt64], by app: AppID, into actions: inout ActionBuffer) -> Int {
        var count = 0
        for number in ids {
            guard let (one, wasUntaken) = apps.update(app, { $0.acknowledge(InputID(number)) }) ?? nil else {
                continue
            }
            count += 1
            // The app may answer before the kernel told that its socket took the last byte: it must have, by now.
            if wasUntaken { advance(one.input, of: one.session, to: .delivered, by: app, into: &actions) }
            advance(one.input, of: one.session, to: .read, by: app, into: &actions)
        }
        return count
    }

    /// An injected event has come as far as a step, with an app or, without one, on the link.
    mutating func advance(
        _ input: InputID, of session: SessionID, to step: InputStep, by app: AppID?, into actions: inout ActionBuffer
    ) {
        // Of a session that is over nobody is told anything more; who waited was answered by its end.
        guard let session = sessions[session]?.session else { return }
        publish(
            Event(
                time: now, kind: .inputStep, origin: .simulated, device: session.device, session: session.id,
                input: InputReference(id: input, source: Self.injectedSource), payload: .step(step, app: app)),
            into: &actions)
        for id in waits.ids {
            let isDone = waits.update(id) { wait -> Bool in
                let first = wait.receipt.first
                guard input >= first, input.number - first.number < UInt64(wait.receipt.count) else { return false }
                let index = Int(input.number - first.number)
                guard step > wait.steps[index] else { return false }
                if wait.steps[index] < wait.step && step >= wait.step { wait.arrived += 1 }
                wait.steps[index] = step
                return wait.isDone
            }
            if isDone == true { answer(id, into: &actions) }
        }
    }
}
