import RigModel

/// What hinders a run: what it needs, and the run that holds it or waits for it longer.
struct LeaseHindrance {
    let resource: RigResource
    let run: UInt64
}

/// What runs hold for themselves.
///
/// A run has what it names from its beginning to its end, all of it at once, so that two of them can never wait for each
/// other. Only runs are kept out: a person at the bench may still do what they like.
extension RigCore {
    /// The first thing that an older run holds, or waits for; nothing when all is free.
    func hindrance(of resources: [RigResource], before id: UInt64) -> LeaseHindrance? {
        guard !resources.isEmpty else { return nil }
        for (other, entry) in zip(runs.ids, runs.values) where other < id {
            for resource in resources where entry.resources.contains(resource) {
                return LeaseHindrance(resource: resource, run: other)
            }
        }
        return nil
    }

    /// The refusal for it.
    func busy(_ hindrance: LeaseHindrance) -> CommandFailure {
        guard let entry = runs[hindrance.run] else { return .busy(owner: "another run", since: now) }
        return .busy(owner: "\(owner(of: entry)), which has \(hindrance.resource.text)", since: entry.since)
    }

    private func owner(of entry: RunEntry) -> String {
        guard let who = clients[entry.client]?.credentials else { return "'\(entry.name)'" }
        return "'\(entry.name)' of uid \(who.uid), process \(who.pid)"
    }

    /// Starts what waited for what is free now, in the order in which they came.
    mutating func startWaitingRuns(into actions: inout ActionBuffer) {
        while freedRuns {
            freedRuns = false
            for id in runs.ids {
                guard let entry = runs[id], entry.isWaiting, hindrance(of: entry.resources, before: id) == nil else {
                    continue
                }
                runs.update(id) {
                    $0.waitsUntil = nil
                    $0.since = now
                    $0.seen = actions.events.count
                }
                deadlines.set(.run(id), at: nil)
                advance(id, into: &actions) { $0.start(now: $1) }
            }
        }
    }

    /// Answers who holds what.
    func listLeases(for client: ClientID, into actions: inout ActionBuffer) {
        let leases = zip(runs.ids, runs.values).map { id, entry in
            let who = clients[entry.client]?.credentials
            return RecordValue.record([
                RecordField("id", .string("r\(id)")), RecordField("owner", .string(entry.name)),
                RecordField("uid", .number(who?.uid)), RecordField("pid", .number(who?.pid)),
                RecordField("since", .number(entry.since)), RecordField("waiting", .bool(entry.isWaiting)),
                RecordField("resources", .array(entry.resources.map { .string($0.text) })),
            ])
        }
        actions.append(.reply(client, .record([RecordField("leases", .array(leases))]), continues: false))
    }

    /// Takes from a run what it holds, and stops it: it puts away what it plugged in, and its client is told that it was
    /// interrupted.
    mutating func takeLease(_ name: String, by force: Bool, for client: ClientID, into actions: inout ActionBuffer) {
        guard let id = runs.ids.first(where: { "r\($0)" == name }), let entry = runs[id] else {
            let known = runs.ids.map { "r\($0)" }.joined(separator: ", ")
            let text = known.isEmpty ? "nobody holds anything" : "there is no lease '\(name)'; there is \(known)"
            actions.append(.fail(client, .invalidParameter("lease", text: text)))
            return
        }
        guard force else {
            actions.append(.fail(client, .busy(owner: owner(of: entry), since: entry.since)))
            return
        }
        let what = entry.resources.map(\.text).joined(separator: ", ")
        let by = clients[client].map { "uid \($0.credentials.uid), process \($0.credentials.pid)" } ?? "somebody"
        let text = "\(what.isEmpty ? "the run" : what) taken from \(owner(of: entry)) by \(by)"
        publish(Event(time: now, kind: .leaseTaken, origin: .declared, payload: .text(text)), into: &actions)
        if entry.isWaiting {
            runs[id] = nil
            freedRuns = true
            deadlines.set(.run(id), at: nil)
            clients.update(entry.client) { $0.use = .calls }
            actions.append(.fail(entry.client, .busy(owner: by, since: now)))
        } else {
            advance(id, into: &actions) { $0.cancel(now: $1) }
        }
        actions.append(.reply(client, .record([]), continues: false))
    }
}
