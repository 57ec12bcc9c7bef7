import RigModel
import Testing

@testable import RigCore

/// The whole rig under thousands of random events: what must hold always, and what must be left at the end.
@Suite struct RigSimulationTests {
    @Test(arguments: [UInt64(101), 102, 103, 104]) func theInvariantsHold(seed: UInt64) throws {
        var simulation = RigSimulation(seed: seed)
        var invariants = RigInvariants()
        for turn in 0..<2_000 {
            simulation.step()
            if let violation = invariants.violation(in: simulation.bench) {
                Issue.record("seed \(seed), step \(turn): \(violation)")
                return
            }
        }
        let kinds = Set(simulation.bench.events.map(\.kind))
        // Nobody of the rig sends a file.
        let never: Set<EventKind> = [.configurationRefused, .streamLost, .fileReceived, .leaseTaken]
        #expect(kinds == Set(EventKind.allCases).subtracting(never), "seed \(seed): everything happened")

        simulation.finish()
        let core = simulation.bench.core
        if let violation = invariants.violation(in: simulation.bench) {
            Issue.record("seed \(seed), at the end: \(violation)")
        }
        #expect(invariants.isOver, "seed \(seed): each session is closed once")
        #expect(core.links.isEmpty && core.sessions.isEmpty && core.front.session == nil, "seed \(seed)")
        #expect(core.faults.isEmpty, "seed \(seed)")
        #expect(core.gestures.isEmpty && core.waits.isEmpty && core.runs.isEmpty, "seed \(seed)")
        #expect(core.apps.isEmpty && core.clients.isEmpty && core.subscribers.isEmpty, "seed \(seed)")
        #expect(core.devices.attachedCount == 0, "seed \(seed)")
        #expect(core.deadlines.count == 0, "seed \(seed): no timer is left")
    }

    @Test(arguments: [UInt64(201), 202, 203]) func aStateThatIsFollowedIsTheStateThatIs(seed: UInt64) throws {
        var simulation = RigSimulation(seed: seed)
        var mirrors: [(client: ClientID, mirror: StateMirror, seen: Int)] = []
        var compared = 0
        for turn in 0..<2_000 {
            simulation.step()
            mirrors.removeAll { !simulation.subscribers.contains($0.client) }
            for client in simulation.subscribers where !mirrors.contains(where: { $0.client == client }) {
                mirrors.append((client, StateMirror(parts: simulation.bench.replies[client] ?? []), 0))
            }
            for index in mirrors.indices {
                let stream = simulation.bench.streams[mirrors[index].client] ?? []
                for event in stream.dropFirst(mirrors[index].seen) {
                    try #require(Int64(clamping: event.sequence) > mirrors[index].mirror.sequence, "seed \(seed)")
                    mirrors[index].mirror.apply(event.record)
                }
                mirrors[index].seen = stream.count
            }
            guard turn % 10 == 0, !mirrors.isEmpty else { continue }
            let state = simulation.bench.state()
            let now = StateMirror(parts: [.record([RecordField("state", state)])])
            for (client, mirror, _) in mirrors {
                compared += 1
                if let difference = mirror.difference(from: now) {
                    Issue.record("seed \(seed), step \(turn), client \(client.number): \(difference)")
                    return
                }
            }
        }
        #expect(compared > 250, "seed \(seed): there were enough subscribers")
    }

    @Test(arguments: [UInt64(301), 302]) func anAppKnowsItsSessionAndItsDisplays(seed: UInt64) throws {
        var simulation = RigSimulation(seed: seed)
        var mirrors: [(client: ClientID, mirror: StateMirror, seen: Int)] = []
        var compared = 0
        for turn in 0..<2_000 {
            simulation.step()
            let clients = simulation.apps.map(\.client)
            mirrors.removeAll { !clients.contains($0.client) }
            for client in clients where !mirrors.contains(where: { $0.client == client }) {
                mirrors.append((client, StateMirror(parts: simulation.bench.replies[client] ?? []), 0))
            }
            let core = simulation.bench.core
            for index in mirrors.indices {
                let stream = simulation.bench.streams[mirrors[index].client] ?? []
                for event in stream.dropFirst(mirrors[index].seen) { mirrors[index].mirror.apply(event.record) }
                mirrors[index].seen = stream.count
                let mirror = mirrors[index].mirror
                #expect(mirror.front == core.front.session?.name, "seed \(seed), step \(turn)")
                #expect(mirror.vehicle == core.vehicle.record, "seed \(seed), step \(turn)")
                guard let app = core.apps.values.first(where: { $0.client == mirrors[index].client })?.app else {
                    Issue.record("seed \(seed), step \(turn): the app is gone")
                    return
                }
                guard let session = app.session, let entry = core.sessions[session] else { continue }
                compared += 1
                let known = mirror.list("displays").values.filter { $0.value(at: "session")?.text == session.name }
                guard mirror.list("sessions")[session.name] == entry.session.record,
                    known.count == entry.displays.count,
                    entry.displays.allSatisfy({ mirror.list("displays")[$0.name] == $0.record })
                else {
                    Issue.record("seed \(seed), step \(turn): \(app.id.name) does not know \(session.name)")
                    return
                }
            }
        }
        #expect(compared > 300, "seed \(seed): there were enough apps")
    }
}
