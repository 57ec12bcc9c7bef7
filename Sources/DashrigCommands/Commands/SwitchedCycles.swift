internal import DashrigClient
internal import Glibc
internal import LinuxIO
internal import RigModel
internal import ScenarioCore

/// Cycles of a device that this program switches by commands of the shell. The rig only says what it sees.
struct SwitchedCycles {
    private let plan: CyclePlan
    private let on: String
    private let off: String
    private let call: Invocation
    /// The phase at which it is to be switched off.
    private var armed: String?

    /// How long a command may take: a minute; a relay takes a moment, a reservation some seconds.
    private static let commandLimit: UInt64 = 60_000_000_000

    init(_ options: CycleOptions, on: String, off: String, _ call: Invocation) {
        var plan = CyclePlan(count: options.count)
        if let interval = options.interval { plan.interval = interval }
        if let hold = options.hold { plan.hold = hold }
        if let within = options.within { plan.within = within }
        if let seed = options.seed { plan.seed = seed }
        switch options.unplugAt {
        case nil: break
        case "random": plan.moment = .random
        case let step?: plan.moment = .step(step)
        }
        plan.device = options.device == "-" ? nil : options.device
        self.plan = plan
        (self.on, self.off, self.call) = (on, off, call)
    }

    /// Makes the cycles from the report's next one on. True when somebody stopped them.
    mutating func run(_ report: CycleReport) throws(CommandLineFailure) -> Bool {
        var plan = plan
        plan.first = report.next
        var run = CycleRun(plan)
        let events = call.access.events(EventFilter(kinds: ["device", "session"]))
        // The device is off, and the subscription stands, before the first cycle begins.
        try must(off)
        var base: UInt64?
        var actions: [CycleAction] = []
        while true {
            let end = run.nextDeadline ?? SystemClock.monotonicNow().addingClamped(500_000_000)
            let deadline = min(end, SystemClock.monotonicNow().addingClamped(500_000_000))
            switch try call.follow({ () throws(ClientFailure) in try events.next(until: deadline) }) {
            case .deadline: report.waited()
            case .update(.state(let state)):
                let isFirst = base == nil
                base = state.record.count("base")
                if isFirst { run.start(now: SystemClock.monotonicNow(), into: &actions) }
            case .update(.event(let event)):
                // The rig's clock counts from its start: the time of the event is that of the kernel, not of this program.
                let time = (base ?? 0).addingClamped(event.time)
                if let armed, event.kind == EventKind.sessionPhase.rawValue,
                    event.record.text("sessionState.phase") == armed
                {
                    self.armed = nil
                    _ = try shell(off)
                }
                run.received(record: event.record, now: time, into: &actions)
            case .update(.lost): throw .rig(.protocolViolation("events were lost: this program was too slow"))
            case .update(.disconnected(let failure)): throw .rig(failure)
            }
            run.deadlineReached(now: SystemClock.monotonicNow(), into: &actions)
            if let isInterrupted = try perform(&actions, &run, report) { return isInterrupted }
        }
    }

    private mutating func perform(
        _ actions: inout [CycleAction], _ run: inout CycleRun, _ report: CycleReport
    ) throws(CommandLineFailure) -> Bool? {
        while !actions.isEmpty {
            let wanted = actions
            actions = []
            for action in wanted {
                switch action {
                case .arm(let step): armed = step
                case .disarm: armed = nil
                case .connect:
                    let failure = try shell(on).map { CycleFailure(step: "plug", code: "switchFailed", text: $0) }
                    let answer: Result<String?, CycleFailure> = failure.map { .failure($0) } ?? .success(nil)
                    run.connected(answer, now: SystemClock.monotonicNow(), into: &actions)
                case .disconnect: try must(off)
                case .report(let result): try report.add(result)
                case .finished(let isInterrupted): return isInterrupted
                }
            }
        }
        return nil
    }

    /// Without this command nothing goes on.
    private func must(_ command: String) throws(CommandLineFailure) {
        if let problem = try shell(command) { throw .failed(name: .switchFailed, text: problem) }
    }

    /// Runs a command; what went wrong with it, or nothing.
    private func shell(_ command: String) throws(CommandLineFailure) -> String? {
        do throws(SystemError) {
            var specification = ChildSpecification("/bin/sh", ["-c", command])
            specification.errorOutput = .capture
            let child = try ChildProcess(specification)
            let limit = SystemClock.monotonicNow().addingClamped(Self.commandLimit)
            while true {
                let slice = SystemClock.monotonicNow().addingClamped(100_000_000)
                if let exit = try child.wait(until: min(limit, slice)) {
                    if exit == .exited(0) { return nil }
                    let said = String(decoding: child.errorOutput.prefix(300), as: UTF8.self)
                    return "'\(command)' ended with \(exit): \(said)"
                }
                if SystemClock.monotonicNow() >= limit { return "'\(command)' did not end within a minute" }
                if Interruption.isAsked(call.access.interrupt) { break }
            }
        } catch {
            return "'\(command)' cannot be run: \(error)"
        }
        throw .interrupted
    }
}
