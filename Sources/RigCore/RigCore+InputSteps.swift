import RigModel

extension RigCore {
    /// Lets a client wait until a gesture's events have come as far as `step`, or answers at once when they cannot.
    mutating func answer(
        _ receipt: InjectionReceipt, at step: InputStep, for client: ClientID, within: UInt64,
        into actions: inout ActionBuffer
    ) {
        guard step > .accepted, receipt.reaches >= step else {
            actions.append(.reply(client, record(of: receipt, reached: .accepted), continues: false))
            return
        }
        lastWait += 1
        waits[lastWait] = InputWait(
            client: client, receipt: receipt, step: step,
            steps: Array(repeating: .accepted, count: receipt.count))
        deadlines.set(.wait(lastWait), at: now &+ within)
    }

    func record(of receipt: InjectionReceipt, reached: InputStep) -> RecordValue {
        .record([
            RecordField("first", .number(receipt.first.number)), RecordField("count", .number(receipt.count)),
            RecordField("session", .text(receipt.session?.name)),
            RecordField("reaches", .string(receipt.reaches.rawValue)),
            RecordField("reached", .string(reached.rawValue)),
        ])
    }

    mutating func waitDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) { answer(id, into: &actions) }

    /// Answers a waiting client with what has been reached by all of the gesture's events.
    mutating func answer(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let wait = waits[id] else { return }
        waits[id] = nil
        deadlines.set(.wait(id), at: nil)
        let reached = wait.steps.min() ?? .accepted
        actions.append(.reply(wait.client, record(of: wait.receipt, reached: reached), continues: false))
    }

    /// Remembers that an app's socket is to take an injected event.
    mutating func expectTaking(of input: InputID, by app: AppID) {
        apps.update(app) { $0.expectTaking(of: input, sequence: sequence) }
    }

    /// An app's socket has taken everything up to an event.
    mutating func clientTook(_ client: ClientID, _ taken: UInt64, into actions: inout ActionBuffer) {
        guard let app = clients[client]?.app else { return }
        let inputs = apps.update(app) { $0.took(upTo: taken) } ?? []
        for input in inputs { advance(input, to: .delivered, by: app, into: &actions) }
    }

    /// An app says that it read some input.
    ///
    /// - Returns: how many of the ids were still waited for.
    mutating func acknowledge(_ ids: [UInt64], by app: AppID, into actions: inout ActionBuffer) -> Int {
        var count = 0
        for number in ids {
            // The app may answer before the kernel told us that its socket took the last byte.
            guard apps.update(app, { $0.acknowledge(InputID(number)) }) == true else { continue }
            count += 1
            advance(InputID(number), to: .read, by: app, into: &actions)
        }
        return count
    }

    private mutating func advance(
        _ input: InputID, to step: InputStep, by app: AppID, into actions: inout ActionBuffer
    ) {
        guard let name = apps[app]?.app.session else { return }
        publish(
            Event(
                time: now, kind: .inputStep, origin: .simulated, device: sessions[name]?.session.device, session: name,
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
                return wait.arrived == wait.steps.count
            }
            if isDone == true { answer(id, into: &actions) }
        }
    }
}
