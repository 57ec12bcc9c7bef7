import RigModel
import ScenarioCore

/// What a run does: a scenario, or plugging and unplugging.
enum RunWork: Sendable {
    case scenario(ScenarioRun)
    case cycles(CycleDriver)

    /// When it wants to be woken.
    var nextDeadline: UInt64? {
        switch self {
        case .scenario(let run): run.nextDeadline
        case .cycles(let driver): driver.nextDeadline
        }
    }

    /// When what it asked for under a number was to begin; `nil` is when it asked.
    func beginning(of number: Int) -> UInt64? {
        switch self {
        case .scenario(let run): run.beginning(of: number)
        case .cycles: nil
        }
    }
}

/// What a run asks the rig to do.
enum RunStep {
    /// Do this, and tell the run what came of it under this number.
    case perform(Command, number: Int)
    /// Tell its client.
    case reply(RecordField)
    /// Tell its client; nothing follows.
    case finished(RecordField)
}

/// A run, who watches it, and what it holds for itself.
struct RunEntry: Sendable {
    let client: ClientID
    /// What it is called: the scenario's file, or what is cycled.
    let name: String
    var work: RunWork
    /// What it needs for itself.
    let resources: [RigResource]
    /// When it got it, or when it began to wait for it.
    var since: UInt64
    /// Until when it waits for others to be done; `nil` when it runs.
    var waitsUntil: UInt64?
    /// Whether the client is gone: what the run plugged in is still put away, but nobody is told.
    var isAbandoned = false
    /// How many events of the buffer at hand it has seen.
    var seen: Int

    var isWaiting: Bool { waitsUntil != nil }
}

extension RunWork {
    mutating func start(now: UInt64) -> [RunStep] {
        change {
            $0.start(now: now, into: &$1)
        } cycles: {
            $0.start(now: now)
        }
    }

    mutating func deadlineReached(now: UInt64) -> [RunStep] {
        change {
            $0.deadlineReached(now: now, into: &$1)
        } cycles: {
            $0.deadlineReached(now: now)
        }
    }

    mutating func cancel(now: UInt64) -> [RunStep] {
        change {
            $0.cancel(now: now, into: &$1)
        } cycles: {
            $0.cancel(now: now)
        }
    }

    mutating func received(_ event: Event, now: UInt64) -> [RunStep] {
        change {
            $0.received(event, now: now, into: &$1)
        } cycles: {
            $0.received(event, now: now)
        }
    }

    mutating func completed(
        _ number: Int, _ result: Result<CommandResult, CommandFailure>, now: UInt64
    ) -> [RunStep] {
        change {
            $0.completed(step: number, result, now: now, into: &$1)
        } cycles: {
            $0.completed(number, result, now: now)
        }
    }

    private mutating func change(
        _ scenario: (inout ScenarioRun, inout [ScenarioAction]) -> Void, cycles: (inout CycleDriver) -> [RunStep]
    ) -> [RunStep] {
        switch self {
        case .scenario(var run):
            var actions: [ScenarioAction] = []
            // Taken out and put back: a copy of all that it holds would be made otherwise.
            self = .cycles(CycleDriver.nothing)
            scenario(&run, &actions)
            self = .scenario(run)
            return actions.map { action in
                switch action {
                case .perform(let command, let number): .perform(command, number: number)
                case .report(let line): .reply(RecordField("entry", line.record))
                case .finished(let verdict): .finished(RecordField("verdict", verdict.record))
                }
            }
        case .cycles(var driver):
            let steps = cycles(&driver)
            self = .cycles(driver)
            return steps
        }
    }
}
