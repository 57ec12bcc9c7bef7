import RigModel
import ScenarioCore
import Testing

/// Every state of a run against everything that can happen to it.
@Suite struct ScenarioRunMatrixTests {
    enum Situation: String, CaseIterable, Sendable {
        case created, waiting, performing, searching, counting, conditional, tearingDown, cleaning, finished
    }

    enum Input: String, CaseIterable, Sendable {
        case start, event, otherEvent, detached, done, plugged, refused, wrongAnswer, early, deadline, cancel, rigFailed
    }

    /// Situation, input, what the run answers, and after the arrow the milliseconds of its next deadline.
    static let table = """
        created start: step mark#0 → 10010
        created event: → –
        created otherEvent: → –
        created detached: → –
        created done: → –
        created plugged: → –
        created refused: → –
        created wrongAnswer: → –
        created early: → –
        created deadline: → –
        created cancel: interrupted → –
        created rigFailed: failure rigFailed → –
        waiting start: → 1000
        waiting event: event → 1000
        waiting otherEvent: event → 1000
        waiting detached: event → 1000
        waiting done: → 1000
        waiting plugged: → 1000
        waiting refused: → 1000
        waiting wrongAnswer: → 1000
        waiting early: → 1000
        waiting deadline: step mark#1 → 11000
        waiting cancel: interrupted → –
        waiting rigFailed: failure rigFailed → –
        performing start: → 10000
        performing event: event → 10000
        performing otherEvent: event → 10000
        performing detached: event → 10000
        performing done: → 0
        performing plugged: → 0
        performing refused: failure rigFailed → –
        performing wrongAnswer: → 10000
        performing early: → 10000
        performing deadline: failure → 12000
        performing cancel: → 2010
        performing rigFailed: failure rigFailed → –
        searching start: → 1000
        searching event: event expectation → 10
        searching otherEvent: event → 1000
        searching detached: event → 1000
        searching done: → 1000
        searching plugged: → 1000
        searching refused: → 1000
        searching wrongAnswer: → 1000
        searching early: → 1000
        searching deadline: failure failed → –
        searching cancel: interrupted → –
        searching rigFailed: failure rigFailed → –
        counting start: → 1000
        counting event: event → 1000
        counting otherEvent: event → 1000
        counting detached: event → 1000
        counting done: → 1000
        counting plugged: → 1000
        counting refused: → 1000
        counting wrongAnswer: → 1000
        counting early: → 1000
        counting deadline: failure failed → –
        counting cancel: interrupted → –
        counting rigFailed: failure rigFailed → –
        conditional start: → 1000
        conditional event: event expectation → 10
        conditional otherEvent: event → 1000
        conditional detached: event → 1000
        conditional done: → 1000
        conditional plugged: → 1000
        conditional refused: → 1000
        conditional wrongAnswer: → 1000
        conditional early: → 1000
        conditional deadline: failure failed → –
        conditional cancel: interrupted → –
        conditional rigFailed: failure rigFailed → –
        tearingDown start: → 2001
        tearingDown event: event → 2001
        tearingDown otherEvent: event → 2001
        tearingDown detached: event passed → –
        tearingDown done: → 2001
        tearingDown plugged: → 2001
        tearingDown refused: failure rigFailed → –
        tearingDown wrongAnswer: → 2001
        tearingDown early: → 2001
        tearingDown deadline: failure rigFailed → –
        tearingDown cancel: note interrupted → –
        tearingDown rigFailed: failure rigFailed → –
        cleaning start: → 2001
        cleaning event: event → 2001
        cleaning otherEvent: event → 2001
        cleaning detached: event → 2001
        cleaning done: interrupted → –
        cleaning plugged: note unplug#1 → 2001
        cleaning refused: interrupted → –
        cleaning wrongAnswer: → 2001
        cleaning early: → 2001
        cleaning deadline: failure interrupted → –
        cleaning cancel: interrupted → –
        cleaning rigFailed: failure interrupted → –
        finished start: → –
        finished event: → –
        finished otherEvent: → –
        finished detached: → –
        finished done: → –
        finished plugged: → –
        finished refused: → –
        finished wrongAnswer: → –
        finished early: → –
        finished deadline: → –
        finished cancel: → –
        finished rigFailed: → –
        """

    @Test(arguments: Situation.allCases)
    func everyInputDoesWhatTheTableSays(_ situation: Situation) throws {
        let rows = Self.table.split(separator: "\n").filter { $0.hasPrefix("\(situation.rawValue) ") }
        let found = try Input.allCases.map { input in
            let (run, actions) = try Self.apply(input, to: situation)
            return "\(situation.rawValue) \(input.rawValue): \(Self.summary(actions, run))"
        }
        #expect(found == rows.map(String.init))
    }

    private static let device = Device(
        id: DeviceID(1), name: "a",
        facts: DeviceFacts(kind: .iPhone, profile: "iphone", port: "virtual", origin: .simulated), peer: .simulated,
        phone: nil)

    private static func apply(_ input: Input, to situation: Situation) throws -> (ScenarioRun, [ScenarioAction]) {
        var (run, step) = try prepared(situation)
        var actions: [ScenarioAction] = []
        let now: UInt64 = .ms(10)
        switch input {
        case .start: run.start(now: now, into: &actions)
        case .event:
            let mark = Event(time: now, kind: .mark, origin: .declared, payload: .text("x"))
            run.received(mark, now: now, into: &actions)
        case .otherEvent: run.received(Event(time: now, kind: .resync, origin: .observed), now: now, into: &actions)
        case .detached:
            let event = Event(time: now, kind: .deviceDetached, origin: .simulated, device: device.reference)
            run.received(event, now: now, into: &actions)
        case .done: run.completed(step: step, .success(.done), now: now, into: &actions)
        case .plugged: run.completed(step: step, .success(.plugged(device)), now: now, into: &actions)
        case .refused:
            run.completed(step: step, .failure(.busy(owner: "x", since: 0)), now: now, into: &actions)
        case .wrongAnswer: run.completed(step: 77, .success(.done), now: now, into: &actions)
        case .early: run.deadlineReached(now: now, into: &actions)
        case .deadline: run.deadlineReached(now: run.nextDeadline ?? now, into: &actions)
        case .cancel: run.cancel(now: now, into: &actions)
        case .rigFailed: run.rigFailed("gone", now: now, into: &actions)
        }
        return (run, actions)
    }

    /// A run in the situation at 10 ms, and the number of the command whose answer is due, if any.
    private static func prepared(_ situation: Situation) throws -> (ScenarioRun, step: Int) {
        let texts: [Situation: String] = [
            .created: "mark a", .waiting: "wait 1s\nmark a", .performing: "plug iphone\nmark a",
            .searching: "expect mark within 1s\nmark a", .counting: "expect mark exactly 1 within 1s\nmark a",
            .conditional: "after mark within 1s plug iphone", .tearingDown: "plug iphone", .cleaning: "plug iphone",
            .finished: "wait 1ms",
        ]
        var run = ScenarioRun(try Scenario(parsing: texts[situation] ?? "", file: "t.rig"), name: "t")
        var actions: [ScenarioAction] = []
        if situation != .created { run.start(now: 0, into: &actions) }
        switch situation {
        case .tearingDown:
            run.completed(step: 0, .success(.plugged(device)), now: .ms(1), into: &actions)
            run.deadlineReached(now: .ms(1), into: &actions)
            return (run, 1)
        case .cleaning: run.cancel(now: .ms(1), into: &actions)
        case .finished: run.deadlineReached(now: .ms(1), into: &actions)
        case .created, .waiting, .performing, .searching, .counting, .conditional: break
        }
        return (run, 0)
    }

    private static func summary(_ actions: [ScenarioAction], _ run: ScenarioRun) -> String {
        var parts = actions.map { action in
            switch action {
            case .perform(.plug, let step): "plug#\(step)"
            case .perform(.unplug, let step): "unplug#\(step)"
            case .perform(.mark, let step): "mark#\(step)"
            case .perform: "other"
            case .report(let entry): entry.kind.rawValue
            case .finished(let verdict): verdict.outcome.rawValue
            }
        }
        parts.append(run.nextDeadline.map { "→ \($0 / 1_000_000)" } ?? "→ –")
        return parts.joined(separator: " ")
    }
}
