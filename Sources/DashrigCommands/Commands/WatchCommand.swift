internal import DashrigClient
internal import LinuxIO
internal import RigConfiguration
internal import RigModel
internal import ScenarioCore
internal import VarlinkProtocol

enum WatchCommand {
    /// Kinds and their beginnings, for completion.
    static let kinds: [String] = {
        var families: [String] = []
        for kind in EventKind.allCases {
            let family = String(kind.rawValue.prefix { $0 != "." })
            if family != kind.rawValue && !families.contains(family) { families.append(family) }
        }
        return families + EventKind.allCases.map(\.rawValue)
    }()

    static let syntax = CommandSyntax(
        "watch", .look, "follow what happens, event by event",
        discussion: [
            "One line an event: seconds since the rig's start, kind, device, and what the kind tells. When the rig is "
                + "restarted the stream goes on with the new state; what was missed in between is told.",
            "--until EVENT ends with exit code 0 as soon as the event comes, and with 1 when --for is over first. EVENT is "
                + "written as in a scenario's expect: session.active, or input.knob where knob.detents > 2.",
            "With --json: one object a line. Events are as the rig publishes them; kind stream.state carries the whole "
                + "state, at the start and after each new connection, stream.lost says which events are missing, and "
                + "stream.disconnected that the connection is gone.",
        ],
        options: [
            OptionSyntax(
                "--kinds", "KINDS", .openWords(kinds), "only these kinds, or beginnings of them: input,session.active"),
            OptionSyntax("--device", "NAMES", .names(.device), "only events of these devices"),
            OptionSyntax("--for", "TIME", .duration(1_000_000...DurationText.maximum), "end after so long: 10s"),
            OptionSyntax("--until", "EVENT", .text(limit: 1_024), "end when this event comes"),
        ],
        examples: [
            Example("dashrig watch", "Follow everything."),
            Example("dashrig watch --kinds input --device iphone-1", "Follow only the input of one phone."),
            Example("dashrig watch --until session.active --for 5s", "Wait at most 5 s for a session."),
            Example(
                "dashrig watch --json --kinds input.knob | jq -r .knob.detents", "Pipe the detents of a knob somewhere."
            ),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let arguments = call.arguments
        let start = SystemClock.monotonicNow()
        let end = arguments.duration("--for").map { start.addingClamped($0) }
        var condition = try arguments.text("--until").map { text throws(CommandLineFailure) in
            try EventCondition(text, within: arguments.duration("--for"), now: start)
        }
        let shown = arguments.words("--kinds") ?? []
        var kinds = shown
        if let kind = condition?.kind, !shown.isEmpty { kinds.append(kind) }
        let events = call.access.events(EventFilter(kinds: kinds, devices: arguments.words("--device") ?? []))
        let told = WatchText(output: call.output)
        while true {
            if !events.hasNext { call.output.flush() }
            if let failure = call.output.failure { throw .output(failure) }
            let step: RigEventCursor.Step
            do {
                step = try events.next(until: min(end ?? .max, condition?.deadline ?? .max))
            } catch {
                // Ctrl-C is how a person ends it; there is nothing to say about that.
                if error == .interrupted { return .interrupted }
                throw unknownKind(error, shown)
            }
            let now = SystemClock.monotonicNow()
            switch step {
            case .deadline:
                condition?.timePassed(now: now)
                if condition == nil || condition?.isMet != nil || now >= end ?? .max {
                    return try finish(condition, arguments.text("--until"))
                }
            case .update(.event(let event)):
                if shown.isEmpty || isShown(event.kind, shown) || condition?.kind == event.kind {
                    told.event(event)
                }
                condition?.take(event, now: now)
                if condition?.isMet != nil { return try finish(condition, arguments.text("--until")) }
            case .update(.state(let state)): told.state(state)
            case .update(.lost(let from, let to, let merged)): told.lost(from, to, merged)
            case .update(.disconnected(let failure)): told.disconnected(failure)
            }
        }
    }

    /// A kind that the rig does not know, with the one that was probably meant.
    private static func unknownKind(_ failure: ClientFailure, _ shown: [String]) -> CommandLineFailure {
        guard case .refused(let refusal) = failure, refusal.invalidParameter?.hasPrefix("kinds") == true,
            let strange = shown.first(where: { !kinds.contains($0) })
        else { return .rig(failure) }
        return .usage(
            UsageFailure(
                "--kinds: there is no kind of event \"\(strange)\"",
                suggestion: Spelling.nearest(to: strange, among: kinds),
                path: ["watch"]))
    }

    private static func isShown(_ kind: String, _ shown: [String]) -> Bool {
        shown.contains { kind == $0 || kind.hasPrefix("\($0).") }
    }

    private static func finish(
        _ condition: EventCondition?, _ text: String?
    ) throws(CommandLineFailure) -> ExitCode {
        guard let condition, condition.isMet != true else { return .done }
        throw .failed(name: .eventDidNotCome, text: condition.failure ?? "\(text ?? "the event") did not come in time")
    }
}

/// An event that is waited for, written as a scenario's expectation.
struct EventCondition {
    private var run: ScenarioRun
    /// The kind of the event.
    let kind: String
    /// Whether it came; nothing while it may still come.
    private(set) var isMet: Bool?
    /// Why it did not come.
    private(set) var failure: String?

    /// Reads an event with its conditions. Without a time of its own it has as long as `within` says, else a week.
    init(_ text: String, within: UInt64?, now: UInt64) throws(CommandLineFailure) {
        let name = "--until"
        let whole =
            text.split(separator: " ").contains("within")
            ? "expect \(text)" : "expect \(text) within \(DurationText.text(within ?? DurationText.maximum))"
        let scenario: Scenario
        do {
            scenario = try Scenario(parsing: whole, file: name)
        } catch {
            let problem = error.problems.first
            throw .usage(
                UsageFailure(
                    "\(name): \(problem?.text ?? "it cannot be read")", suggestion: problem?.suggestion, path: ["watch"]
                ))
        }
        guard scenario.steps.count == 1, case .expect(let expectation) = scenario.steps[0].action else {
            throw .usage(UsageFailure("\(name): it is not one event", path: ["watch"]))
        }
        kind = expectation.kind.rawValue
        run = ScenarioRun(scenario, name: name)
        var actions: [ScenarioAction] = []
        run.start(now: now, into: &actions)
        note(actions)
    }

    /// When it is to be asked again even if nothing comes.
    var deadline: UInt64? { run.nextDeadline }

    mutating func take(_ event: EventView, now: UInt64) {
        var actions: [ScenarioAction] = []
        run.received(record: event.record, now: now, into: &actions)
        note(actions)
    }

    mutating func timePassed(now: UInt64) {
        var actions: [ScenarioAction] = []
        if let deadline = run.nextDeadline, now >= deadline { run.deadlineReached(now: now, into: &actions) }
        note(actions)
    }

    private mutating func note(_ actions: [ScenarioAction]) {
        for case .finished(let verdict) in actions {
            isMet = verdict.outcome == .passed
            failure = verdict.failures.first.map { [$0.text, $0.hint].compactMap { $0 }.joined(separator: "; ") }
        }
    }
}

/// How the stream is told.
struct WatchText {
    let output: Output

    func event(_ event: EventView) {
        if output.isJSON {
            output.json(JSON(event.record))
            return
        }
        let time = PrintableText.padded(DurationText.seconds(event.time), to: 10, atEnd: false)
        let line = PrintableText.escaped(EventText.line(event.record))
        output.line("\(output.style.text(time, .faint))  \(output.style.text(line, Self.tone(event.kind)))")
    }

    /// What a person looks for stands out.
    static func tone(_ kind: String) -> Tone {
        switch EventKind(rawValue: kind) {
        case .sessionActive?: .good
        case .deviceDetached?, .sessionClosed?, .inputLost?, .configurationRefused?, .faultStruck?,
            .leaseTaken?:
            .notable
        case .mark?: .strong
        case .inputStep?: .faint
        default: .plain
        }
    }

    func state(_ state: StateView) {
        if output.isJSON {
            output.json(
                .object([
                    "kind": "stream.state", "epoch": .string(state.epoch),
                    "sequence": .int(Int64(clamping: state.sequence)), "state": JSON(state.record),
                ]))
            return
        }
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        let time = PrintableText.padded(DurationText.seconds(state.time), to: 10, atEnd: false)
        let text =
            "\(time)  -- \(count(state.devices.count, "device")), \(count(state.sessions.count, "session")), "
            + "\(count(state.displays.count, "display")), \(count(state.apps.count, "app")); epoch \(state.epoch)"
        output.line(output.style.text(PrintableText.escaped(text), .faint))
    }

    func lost(_ from: UInt64, _ to: UInt64, _ merged: UInt64) {
        if output.isJSON {
            func number(_ value: UInt64) -> JSON { .int(Int64(clamping: value)) }
            output.json(
                .object([
                    "kind": "stream.lost",
                    "lost": .object(["first": number(from), "last": number(to), "merged": number(merged)]),
                ]))
            return
        }
        output.line(
            output.style.text(
                "            -- events \(from) to \(to) are missing here, \(merged) of them are part of a later one",
                .notable))
    }

    func disconnected(_ failure: ClientFailure) {
        if output.isJSON {
            output.json(
                .object([
                    "kind": "stream.disconnected", "error": .string(failure.name), "text": .string(failure.text),
                ]))
            return
        }
        output.line(
            output.style.text(
                PrintableText.escaped("            -- the rig is gone (\(failure.name)); waiting for it to come back"),
                .bad))
    }
}
