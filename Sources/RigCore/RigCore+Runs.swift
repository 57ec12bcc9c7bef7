import RigConfiguration
import RigModel
import ScenarioCore

/// A scenario that runs, and who watches it.
struct RunEntry: Sendable {
    let client: ClientID
    var run: ScenarioRun
    /// Whether the client is gone: what the scenario plugged in is still put away, but nobody is told.
    var isAbandoned = false
    /// How many events of the buffer at hand it has seen.
    var seen: Int
}

extension RigCore {
    /// The most bytes of a scenario's name: a whole path fits.
    static let maximumRunName = 4_096

    /// Reads a scenario's text and starts it; its client is told every line as it comes, then the verdict.
    mutating func startRun(
        name: String, text: String, tracks: [TrackFile], for client: ClientID, into actions: inout ActionBuffer
    ) {
        guard runs.count < settings.maximumRuns else {
            actions.append(.fail(client, .limitReached("runs", settings.maximumRuns)))
            return
        }
        // Every problem and every failure repeats it.
        guard name.utf8.count <= Self.maximumRunName else {
            let text = "a scenario's name has at most \(Self.maximumRunName) bytes"
            actions.append(.fail(client, .invalidParameter("name", text: text)))
            return
        }
        do throws(ScenarioProblems) {
            let scenario = try Scenario(parsing: text, file: name, tracks: tracks)
            try checkNames(in: scenario)
            lastRun += 1
            let id = lastRun
            runs[id] = RunEntry(
                client: client, run: ScenarioRun(scenario, name: name), seen: actions.events.count)
            clients.update(client) { $0.use = .run(id) }
            actions.append(.open(client, first: []))
            advance(id, into: &actions) { $0.start(now: $1, into: &$2) }
        } catch {
            actions.append(.scenarioWrong(client, error.problems.map(\.rendered)))
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
        ScenarioProblem(
            place: step.place, length: step.text.count, text: unknown.description, suggestion: nil, line: step.text)
    }

    mutating func runDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) {
        advance(id, into: &actions) { $0.deadlineReached(now: $1, into: &$2) }
    }

    /// Nobody watches any more: the scenario stops and puts away what it plugged in.
    mutating func runAbandoned(_ id: UInt64, into actions: inout ActionBuffer) {
        runs.update(id) { $0.isAbandoned = true }
        advance(id, into: &actions) { $0.cancel(now: $1, into: &$2) }
    }

    /// What the buffer holds when a turn begins is not this turn's.
    mutating func beginTurnOfRuns(_ actions: borrowing ActionBuffer) {
        for id in runs.ids { runs.update(id) { $0.seen = actions.events.count } }
    }

    /// Shows the events of this turn to every running scenario, and those that their steps make, until all are seen.
    mutating func feedRuns(into actions: inout ActionBuffer) {
        guard !runs.isEmpty else { return }
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for id in runs.ids {
                guard let seen = runs.update(id, { $0.seen }), seen < actions.events.count else { continue }
                isQuiet = false
                runs.update(id) { $0.seen += 1 }
                let event = actions.events[seen]
                advance(id, into: &actions) { $0.received(event, now: $1, into: &$2) }
            }
        }
    }

    private mutating func advance(
        _ id: UInt64, into actions: inout ActionBuffer,
        _ step: (inout ScenarioRun, UInt64, inout [ScenarioAction]) -> Void
    ) {
        var wanted: [ScenarioAction] = []
        guard runs.update(id, { step(&$0.run, now, &wanted) }) != nil else { return }
        var place = 0
        while place < wanted.count, let (client, isAbandoned) = runs.update(id, { ($0.client, $0.isAbandoned) }) {
            let action = wanted[place]
            place += 1
            switch action {
            case .perform(let command, let number):
                let result: Result<CommandResult, CommandFailure>
                let beginning = runs.update(id) { $0.run.beginning } ?? nil
                do throws(CommandFailure) {
                    result = .success(try perform(command, by: .run(id), at: beginning, into: &actions))
                } catch {
                    result = .failure(error)
                }
                // What a step did comes before the next step begins, on the timeline and in what is expected of it.
                runs.update(id) { entry in
                    while entry.seen < actions.events.count {
                        entry.run.received(actions.events[entry.seen], now: now, into: &wanted)
                        entry.seen += 1
                    }
                    entry.run.completed(step: number, result, now: now, into: &wanted)
                }
            case .report(let line):
                guard !isAbandoned else { continue }
                actions.append(.reply(client, .record([RecordField("entry", line.record)]), continues: true))
            case .finished(let verdict):
                runs[id] = nil
                deadlines.set(.run(id), at: nil)
                letGo(into: &actions) { $0.holder == .run(id) }
                guard !isAbandoned else { return }
                clients.update(client) { $0.use = .calls }
                actions.append(.reply(client, .record([RecordField("verdict", verdict.record)]), continues: false))
                return
            }
        }
        let deadline = runs.update(id) { $0.run.nextDeadline }
        if let deadline { deadlines.set(.run(id), at: deadline) }
    }
}
