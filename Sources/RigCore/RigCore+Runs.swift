import RigModel
import ScenarioCore

/// A scenario that runs, and who watches it.
struct RunEntry: Sendable {
    let client: ClientID
    var run: ScenarioRun
    /// Whether the client is gone: what the scenario plugged in is still put away, but nobody is told.
    var isAbandoned = false
}

extension RigCore {
    /// The most bytes of a scenario's name: a whole path fits.
    static let maximumRunName = 4_096

    /// Reads a scenario's text and starts it; its client is told every line as it comes, then the verdict.
    mutating func startRun(name: String, text: String, for client: ClientID, into actions: inout ActionBuffer) {
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
            let scenario = try Scenario(parsing: text, file: name)
            lastRun += 1
            let id = lastRun
            runs[id] = RunEntry(client: client, run: ScenarioRun(scenario, name: name))
            clients.update(client) { $0.use = .run(id) }
            actions.append(.open(client, first: []))
            seenByRuns = actions.events.count
            advance(id, into: &actions) { $0.start(now: $1, into: &$2) }
        } catch {
            actions.append(.scenarioWrong(client, error.problems.map(\.rendered)))
        }
    }

    mutating func runDeadlineReached(_ id: UInt64, into actions: inout ActionBuffer) {
        advance(id, into: &actions) { $0.deadlineReached(now: $1, into: &$2) }
    }

    /// Nobody watches any more: the scenario stops and puts away what it plugged in.
    mutating func runAbandoned(_ id: UInt64, into actions: inout ActionBuffer) {
        runs.update(id) { $0.isAbandoned = true }
        advance(id, into: &actions) { $0.cancel(now: $1, into: &$2) }
    }

    /// Shows the events of this turn to every running scenario, and those that their steps make, until all are seen.
    mutating func feedRuns(into actions: inout ActionBuffer) {
        guard !runs.isEmpty else { return }
        while seenByRuns < actions.events.count {
            let event = actions.events[seenByRuns]
            seenByRuns += 1
            for id in runs.ids { advance(id, into: &actions) { $0.received(event, now: $1, into: &$2) } }
        }
    }

    private mutating func advance(
        _ id: UInt64, into actions: inout ActionBuffer,
        _ step: (inout ScenarioRun, UInt64, inout [ScenarioAction]) -> Void
    ) {
        var wanted: [ScenarioAction] = []
        guard runs.update(id, { step(&$0.run, now, &wanted) }) != nil else { return }
        var place = 0
        while place < wanted.count, let entry = runs[id] {
            let action = wanted[place]
            place += 1
            switch action {
            case .perform(let command, let number):
                let result: Result<CommandResult, CommandFailure>
                do throws(CommandFailure) {
                    result = .success(try perform(command, into: &actions))
                } catch {
                    result = .failure(error)
                }
                runs.update(id) { $0.run.completed(step: number, result, now: now, into: &wanted) }
            case .report(let line):
                guard !entry.isAbandoned else { continue }
                actions.append(
                    .reply(entry.client, .record([RecordField("entry", line.record)]), continues: true))
            case .finished(let verdict):
                runs[id] = nil
                deadlines.set(.run(id), at: nil)
                guard !entry.isAbandoned else { return }
                clients.update(entry.client) { $0.use = .calls }
                actions.append(
                    .reply(entry.client, .record([RecordField("verdict", verdict.record)]), continues: false))
                return
            }
        }
        if let entry = runs[id] { deadlines.set(.run(id), at: entry.run.nextDeadline) }
    }
}
