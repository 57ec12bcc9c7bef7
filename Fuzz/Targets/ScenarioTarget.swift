import RigModel
import ScenarioCore

/// A scenario's text, and after a NUL what happens while it runs: answers, events, deadlines, interruptions. Whatever
/// happens, the run ends once and says nothing afterwards.
///
/// Behind the NUL: one byte that says whether the rig is dead in the end, then operations.
enum ScenarioTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parts = bytes[...].parts(atMost: 2)
        let scenario: Scenario
        do throws(ScenarioProblems) {
            scenario = try Scenario(parsing: Array(parts[0]), file: "fuzz.rig", options: options)
        } catch {
            return try check(error, parts[0])
        }
        do {
            try checkForm(of: scenario, Array(parts[0]))
        } catch let finding as FuzzFinding {
            throw finding
        } catch {
            throw FuzzFinding("formatted, it cannot be read: \(error)")
        }
        for step in scenario.steps { try checkText(of: step) }
        var bench = ScenarioBench(scenario)
        var input = FuzzInput(parts.count > 1 ? parts[1] : [])
        // A rig that is dead in the end answers nothing any more.
        let isRigDead = input.byte() & 1 == 1
        try bench.start()
        while !input.isAtEnd { try bench.operate(&input) }
        try bench.end(isRigDead: isRigDead)
    }

    /// What scenarios may include, and values that they may take.
    private static let options = ScenarioOptions(
        includes: [
            IncludedFile(name: "a", text: "let one = 1\nmark ${one}\ninclude b\n"),
            IncludedFile(name: "b", text: "setup {\nmark b\n}\nrepeat 3 {\nmark c\n}\ninclude c\n"),
            IncludedFile(name: "c", text: "include a\nplg\n"),
        ])

    /// Formatted, it does the same, and is formatted.
    private static func checkForm(of scenario: Scenario, _ bytes: [UInt8]) throws {
        let text = try Scenario.formatted(bytes, file: "fuzz.rig")
        let again = try Scenario(parsing: text, file: "fuzz.rig", options: options)
        try require(
            again.steps.map(\.action) == scenario.steps.map(\.action)
                && again.steps.map(\.timing) == scenario.steps.map(\.timing),
            "formatted, it does something else:\n\(text)")
        try require(
            try Scenario.formatted(Array(text.utf8), file: "fuzz.rig") == text, "it is formatted twice:\n\(text)")
        _ = scenario.explanation
    }

    private static func check(_ error: ScenarioProblems, _ text: ArraySlice<UInt8>) throws(FuzzFinding) {
        let lines = text.count { $0 == 0x0A } + 1
        let count = error.problems.count
        try require((1...ScenarioProblems.maximum).contains(count), "\(count) problems")
        for problem in error.problems {
            let lines = problem.includedFrom.isEmpty ? lines : 7
            try require((1...lines).contains(problem.place.line), "a problem in line \(problem.place.line) of \(lines)")
            let width = problem.line.unicodeScalars.count + 1
            try require(
                (1...width).contains(problem.place.column), "a problem in column \(problem.place.column) of \(width)")
            try require(!problem.message.isEmpty && !problem.rendered.isEmpty, "a problem without text")
            _ = problem.record
        }
        let verdict = Verdict(name: "fuzz", file: "fuzz.rig", problems: error)
        try require((try? Verdict(record: verdict.record)) == verdict, "a verdict is published otherwise")
    }

    /// An expectation's text, as failures show it, is what a person could have written.
    private static func checkText(of step: ScenarioStep) throws(FuzzFinding) {
        guard case .expect(let expectation) = step.action, expectation.source == nil else { return }
        let word = expectation.isNext ? "expect mark\nthen" : "expect"
        let line = "\(word) \(expectation.text)"
        switch Result(catching: { () throws(ScenarioProblems) in try Scenario(parsing: line, file: "again.rig") }) {
        case .success(let again):
            try require(again.steps.last?.action == step.action, "'\(line)' means something else than '\(step.text)'")
        case .failure(let error): throw FuzzFinding("'\(line)' cannot be read:\n\(error.rendered)")
        }
    }
}

/// A run and its caller, on a clock of its own.
private struct ScenarioBench {
    private static let origin: UInt64 = 1_000_000_000

    private let stepCount: Int
    private var run: ScenarioRun
    private var now = origin
    private var actions: [ScenarioAction] = []
    /// Commands that nobody has answered, oldest first.
    private var faultCount: UInt32 = 0
    private var asked: [(command: Command, step: Int)] = []
    /// Devices that were told to go and are not gone, with the generation they had.
    private var leaving: [DeviceReference] = []
    private var plugged: [DeviceReference] = []
    private var verdict: Verdict?

    init(_ scenario: Scenario) {
        stepCount = scenario.steps.count
        run = ScenarioRun(scenario, name: "fuzz")
    }

    mutating func start() throws(FuzzFinding) {
        run.start(now: now, into: &actions)
        try take()
    }

    mutating func operate(_ input: inout FuzzInput) throws(FuzzFinding) {
        switch input.int(0...11) {
        case 0, 1: try reachDeadline()
        case 2, 3: try answer()
        case 4:
            guard !asked.isEmpty else { return }
            let failure = input.pick(Self.failures)
            run.completed(step: asked.removeFirst().step, .failure(failure), now: now, into: &actions)
        case 5, 6, 7: receive(FuzzEvents.event(&input, at: now))
        case 8:
            now += UInt64(input.byte()) << input.int(0...30)
            run.deadlineReached(now: now, into: &actions)
        case 9: leave()
        case 10: run.completed(step: input.int(0...20), .success(.done), now: now, into: &actions)
        default:
            guard input.int(0...3) == 0 else { return }
            if input.bool() {
                run.cancel(now: now, into: &actions)
            } else {
                run.rigFailed("the rig is gone", now: now, into: &actions)
            }
        }
        try take()
    }

    /// A well-behaved rig for a while, unless it is dead, then somebody who stops the run.
    mutating func end(isRigDead: Bool) throws(FuzzFinding) {
        for _ in 0..<100 where !run.isFinished && !isRigDead {
            if !asked.isEmpty { try answer() } else if !leaving.isEmpty { leave() } else { try reachDeadline() }
            try take()
        }
        run.cancel(now: now, into: &actions)
        try take()
        run.cancel(now: now, into: &actions)
        try take()
        try require(run.isFinished, "a run goes on although it was stopped twice")
        guard let verdict else { throw FuzzFinding("a run is over without a verdict") }
        try require((try? Verdict(record: verdict.record)) == verdict, "a verdict is published otherwise")
        try require(
            verdict.outcome != .passed || verdict.failures.isEmpty,
            "a run passed with \(verdict.failures.count) failures")
        _ = TimelineText.render(verdict, style: TextStyle(full: true))
        _ = JUnitXML.render([verdict])
        receive(Event(time: now, kind: .mark, origin: .declared))
        run.deadlineReached(now: now, into: &actions)
        try take()
    }

    /// Goes on to the deadline. There is always one, and calling again at the same time comes to an end.
    private mutating func reachDeadline() throws(FuzzFinding) {
        guard let deadline = run.nextDeadline else {
            return try require(run.isFinished, "a run that is not over waits for no time")
        }
        now = max(now, deadline)
        for _ in 0...2 * stepCount + 4 {
            run.deadlineReached(now: now, into: &actions)
            guard let next = run.nextDeadline, next <= now else { return }
        }
        throw FuzzFinding("the same deadline comes over and over")
    }

    private mutating func receive(_ event: Event) { run.received(event, now: now, into: &actions) }

    private mutating func leave() {
        guard !leaving.isEmpty else { return }
        let device = leaving.removeFirst()
        plugged.removeAll { $0 == device }
        receive(Event(time: now, kind: .deviceDetached, origin: .simulated, device: device))
    }

    /// Answers the oldest command as a rig would.
    private mutating func answer() throws(FuzzFinding) {
        guard !asked.isEmpty else { return }
        let (command, step) = asked.removeFirst()
        let result: CommandResult
        switch command {
        case .plug(let request):
            let facts = DeviceFacts(kind: .iPhone, profile: request.profile, port: "virtual", origin: .simulated)
            var device = Device(
                id: DeviceID(1), name: request.name ?? request.profile, facts: facts, peer: .simulated, phone: nil)
            device.generation = UInt32(plugged.count + 1)
            plugged.append(device.reference)
            result = .plugged(device)
        case .unplug(let name, _, _):
            leaving += plugged.filter { $0.name == name && !leaving.contains($0) }
            result = .done
        case .inject:
            result = .injected(InjectionReceipt(first: InputID(1), count: 1, session: nil, reaches: .accepted))
        case .setFault(let request):
            faultCount += 1
            result = .faultSet(Fault(id: FaultID(faultCount), request: request, device: nil))
        case .clearFaults: result = .faultsCleared([])
        case .setPhone, .retry, .setFront, .setDisplay, .setVehicle, .send, .mark: result = .done
        }
        run.completed(step: step, .success(result), now: now, into: &actions)
    }

    /// Takes what the run wants, and checks what it says.
    private mutating func take() throws(FuzzFinding) {
        for action in actions {
            try require(verdict == nil, "after the verdict comes \(action)")
            switch action {
            case .perform(let command, let step):
                try require(!asked.contains { $0.step == step }, "step \(step) is asked for twice at a time")
                asked.append((command, step))
            case .report(let entry):
                try require((try? TimelineEntry(record: entry.record)) == entry, "an entry is published otherwise")
                try require(entry.time <= now - Self.origin, "a report of the future: \(entry)")
                try require(!entry.text.utf8.contains(0x0A), "an entry's text has a line end in it: \(entry.text)")
                _ = TimelineText.line(entry)
            case .finished(let result):
                verdict = result
                try require(run.isFinished && run.nextDeadline == nil, "a run with a verdict is not over")
            }
        }
        actions = []
    }

    private static let failures: [CommandFailure] = [
        .unknownDevice("phone", known: []), .unknownApp, .staleDevice("phone", generation: 1),
        .invalidParameter("name", text: "wrong"), .notPermitted("no"), .limitReached("devices", 1),
        .busy(owner: "somebody", since: 0), .methodNotImplemented("Cycle"),
    ]
}
