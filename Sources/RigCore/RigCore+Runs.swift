import RigConfiguration
import RigModel
import ScenarioCore

extension RigCore {
    /// The most bytes of a scenario's name: a whole path fits.
    static let maximumRunName = 4_096

    /// Reads a scenario's text and starts it; its client is told every line as it comes, then the verdict.
    ///
    /// - Parameter wait: how long it waits for what another run holds, in nanoseconds; 0 refuses it at once.
    mutating func startRun(
        name: String, text: String, tracks: [TrackFile], options: ScenarioOptions, wait: UInt64, for client: ClientID,
        into actions: inout ActionBuffer
    ) {
        guard hasRoomForRuns(client, into: &actions) else { return }
        // Every problem and every failure repeats it.
        guard name.utf8.count <= Self.maximumRunName else {
            let text = "a scenario's name has at most \(Self.maximumRunName) bytes"
            actions.append(.fail(client, .invalidParameter("name", text: text)))
            return
        }
        do throws(ScenarioProblems) {
            let scenario = try Scenario(parsing: text, file: name, tracks: tracks, options: options)
            if let row = scenario.rows.first, options.row == nil {
                let text = "each row of the table is a run of its own; say which: row 1 to \(scenario.rows.count)"
                throw ScenarioProblems([ScenarioProblem(place: row.place, length: 1, text: text, line: "")])
            }
            if !options.runsPrograms, let step = scenario.steps.first(where: { $0.program != nil }) {
                throw ScenarioProblems([
                    step.problem("whoever asks for this run runs no programs; 'dashrig run' does")
                ])
            }
            try checkNames(in: scenario)
            let work = RunWork.scenario(ScenarioRun(scenario, name: name))
            begin(work, name: name, needing: scenario.resources, wait: wait, for: client, into: &actions)
        } catch {
            actions.append(.scenarioWrong(client, error.problems.map(\.rendered)))
        }
    }

    /// Plugs a virtual device in and pulls it, again and again; its client is told every cycle, then how many there were.
    mutating func startCycles(
        _ plan: CyclePlan, _ request: PlugRequest, wait: UInt64, for client: ClientID, into actions: inout ActionBuffer
    ) {
        guard hasRoomForRuns(client, into: &actions) else { return }
        do throws(CommandFailure) {
            try plan.check()
            try request.phone.check()
            guard settings.profiles.contains(where: { $0.name == request.profile }) else {
                let profiles = settings.profiles.map(\.name)
                throw .invalidParameter(
                    "profile", text: UnknownProfile(name: request.profile, known: profiles).description)
            }
            // Its own name, so that it is one device in one generation after the other, and this run's alone.
            let device = request.name ?? nameForCycles(of: request.profile)
            var (plan, request) = (plan, request)
            request.name = device
            plan.device = device
            begin(
                .cycles(CycleDriver(plan, request, device: device)), name: "cycles of \(device)",
                needing: [.device(device)], wait: wait, for: client, into: &actions)
        } catch {
            actions.append(.fail(client, error))
        }
    }

    /// The first of `iphone-cycled`, `iphone-cycled-2`, … that nobody has.
    private func nameForCycles(of profile: String) -> String {
        var (name, number) = ("\(profile)-cycled", 2)
        while hindrance(of: [.device(name)], before: .max) != nil || devices.attachedNames.contains(name) {
            name = "\(profile)-cycled-\(number)"
            number += 1
        }
        return name
    }

    private func hasRoomForRuns(_ client: ClientID, into actions: inout ActionBuffer) -> Bool {
        if runs.count < settings.maximumRuns { return true }
        actions.append(.fail(client, .limitReached("runs", settings.maximumRuns)))
        return false
    }

    /// Starts a run when nobody holds what it needs, has it wait, or refuses it.
    private mutating func begin(
        _ work: RunWork, name: String, needing resources: [RigResource], wait: UInt64, for client: ClientID,
        into actions: inout ActionBuffer
    ) {
        let (id, hindrance) = (lastRun + 1, hindrance(of: resources, before: lastRun + 1))
        if let hindrance, wait == 0 {
            actions.append(.fail(client, busy(hindrance)))
            return
        }
        lastRun = id
        var entry = RunEntry(
            client: client, name: name, work: work, resources: resources, since: now, seen: actions.events.count)
        if hindrance != nil { entry.waitsUntil = now.addingReportingOverflow(wait).overflow ? .max : now + wait }
        runs[id] = entry
        clients.update(client) { $0.use = .run(id) }
        actions.append(.open(client, first: []))
        if let deadline = entry.waitsUntil {
            deadlines.set(.run(id), at: deadline)
        } else {
            advance(id, into: &actions) { $0.start(now: $1) }
        }
    }

    /// Refuses a scenario that plugs in what this rig does not know, before anything of it is done.
    private func checkNames(in scenario: Scenario) throws(ScenarioProblems) {
        var problems: [ScenarioProblem] = []
        for step in scenario.steps {
            guard case .perform(.plug(let request)) = step.action else { continue }
            let profiles = settings.profiles.map(\.name)
            if !profiles.contains(request.profile) {
                problems.append(Self.problem(step, UnknownProfile(name: request.profile, known: profiles)))
            }
            let units = settings.headUnits.map(\.name)
            if let displays = request.displays, !units.contains(displays) {
                problems.append(Self.problem(step, UnknownProfile(name: displays, known: units)))
            }
        }
        if !problems.isEmpty { throw ScenarioProblems(problems) }
    }

    private static func problem(_ step: ScenarioStep, _ unknown: UnknownProfile) -> ScenarioProblem {
        step.problem(unknown.description)
    }

    mutating func runDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let entry = runs[id], entry.isWaiting else {
            advance(id, into: &actions) { $0.deadlineReached(now: $1) }
            return
        }
        // It has waited long enough.
        let hindrance = hindrance(of: entry.resources, before: id)
        runs[id] = nil
        freedRuns = true
        clients.update(entry.client) { $0.use = .calls }
        actions.append(.fail(entry.client, hindrance.map(busy) ?? .busy(owner: "another run", since: now)))
    }

    /// Nobody watches any more: the run stops and puts away what it plugged in.
    mutating func runAbandoned(_ id: UInt64, into actions: inout ActionBuffer) {
        guard let entry = runs[id] else { return }
        if entry.isWaiting {
            runs[id] = nil
            freedRuns = true
            deadlines.set(.run(id), at: nil)
            return
        }
        runs.update(id) { $0.isAbandoned = true }
        advance(id, into: &actions) { $0.cancel(now: $1) }
    }

    /// What the buffer holds when a turn begins is not this turn's.
    mutating func beginTurnOfRuns(_ actions: borrowing ActionBuffer) {
        for id in runs.ids { runs.update(id) { $0.seen = actions.events.count } }
    }

    /// Shows the events of this turn to every run, and those that their steps make, until all are seen; and starts those
    /// that waited for what is free now.
    mutating func feedRuns(into actions: inout ActionBuffer) {
        guard !runs.isEmpty else { return }
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for id in runs.ids {
                guard let (seen, isWaiting) = runs.update(id, { ($0.seen, $0.isWaiting) }), !isWaiting,
                    seen < actions.events.count
                else { continue }
                isQuiet = false
                runs.update(id) { $0.seen += 1 }
                let event = actions.events[seen]
                advance(id, into: &actions) { $0.received(event, now: $1) }
            }
            if freedRuns {
                isQuiet = false
                startWaitingRuns(into: &actions)
            }
        }
    }

    mutating func advance(
        _ id: UInt64, into actions: inout ActionBuffer, _ step: (inout RunWork, UInt64) -> [RunStep]
    ) {
        guard var wanted = runs.update(id, { step(&$0.work, now) }) else { return }
        var place = 0
        while place < wanted.count, let (client, isAbandoned) = runs.update(id, { ($0.client, $0.isAbandoned) }) {
            let action = wanted[place]
            place += 1
            switch action {
            case .perform(let command, let number):
                let result: Result<CommandResult, CommandFailure>
                let beginning = runs.update(id) { $0.work.beginning(of: number) } ?? nil
                do throws(CommandFailure) {
                    result = .success(try perform(command, by: .run(id), at: beginning, into: &actions))
                } catch {
                    result = .failure(error)
                }
                // What a step did comes before the next step begins, on the timeline and in what is expected of it.
                runs.update(id) { entry in
                    while entry.seen < actions.events.count {
                        wanted += entry.work.received(actions.events[entry.seen], now: now)
                        entry.seen += 1
                    }
                    wanted += entry.work.completed(number, result, now: now)
                }
            case .reply(let field):
                guard !isAbandoned else { continue }
                actions.append(.reply(client, .record([field]), continues: true))
            case .finished(let field):
                runs[id] = nil
                freedRuns = true
                deadlines.set(.run(id), at: nil)
                letGo(into: &actions) { $0.holder == .run(id) }
                guard !isAbandoned else { return }
                clients.update(client) { $0.use = .calls }
                actions.append(.reply(client, .record([field]), continues: false))
                return
            }
        }
        let deadline = runs.update(id) { $0.work.nextDeadline }
        if let deadline { deadlines.set(.run(id), at: deadline) }
    }
}
