public import RigModel

/// What cycles ask their caller to do.
public enum CycleAction: Equatable, Sendable {
    /// Have the device pulled by itself when its next handshake comes to this step.
    case arm(step: String)
    /// Take that back, if it did not happen.
    case disarm
    /// Plug the device in, and tell `connected`.
    case connect
    /// Pull it; its `device.detached` is awaited.
    case disconnect
    /// One cycle is over.
    case report(CycleResult)
    /// All of them are, or somebody stopped them.
    case finished(isInterrupted: Bool)
}

/// What cycles need to know of an event.
struct CycleNews {
    let kind: EventKind
    let device: String
    let generation: UInt64
    /// The session's phase, where the event tells it.
    var phase: String?
    var reason: (code: String, text: String)?

    init?(_ event: Event) {
        guard let device = event.device else { return nil }
        kind = event.kind
        self.device = device.name
        generation = UInt64(device.generation)
        if case .session(let session) = event.payload { phase = session.phase.rawValue }
        reason = event.reason.map { ($0.code, $0.text) }
    }

    init?(record: RecordValue) {
        guard let kind = record.text(at: "kind").flatMap(EventKind.init(rawValue:)),
            let device = record.text(at: "device")
        else { return nil }
        self.kind = kind
        self.device = device
        generation = record.whole(at: "generation").flatMap(UInt64.init(exactly:)) ?? 0
        phase = record.text(at: "sessionState.phase")
        reason = record.text(at: "reason.code").map { ($0, record.text(at: "reason.text") ?? "") }
    }
}

/// Cycles: time and events in, actions out, as `ScenarioRun`. It has no clock, and it does not know how a device is
/// plugged in: the rig plugs virtual ones, a command line switches real ones.
///
/// A cycle begins with the plug and is over when the device is released. With a step to be pulled at there are two plugs
/// in it: one that ends there, and one that has to become active.
public struct CycleRun: Sendable {
    /// The plug of a cycle that is under way.
    private struct Attempt {
        /// What is known of the cycle.
        var result: CycleResult
        /// The step at which the device is pulled this time, or `nil` when it has to become active.
        var pull: String?
        /// When it was connected.
        let begin: UInt64
        /// The device that came.
        var device: String?
        var generation: UInt64 = 0
        /// The last phase of its session.
        var phase = "plug"
        /// When it was told to go.
        var asked: UInt64 = 0
    }

    private enum State {
        /// Nothing has begun. Exits: waiting (start), finished (cancel).
        case created
        /// The next cycle begins at a time. Exits: connecting, finished (cancel).
        case waiting(number: Int, until: UInt64)
        /// The device is plugged in and awaited until the deadline. Exits: holding, leaving, connecting (the second plug of
        /// a cycle), waiting, finished.
        case connecting(Attempt, deadline: UInt64)
        /// The session is active. Exits: leaving, waiting (it went by itself), finished.
        case holding(Attempt, until: UInt64)
        /// The device was told to go; `device.detached` is awaited. Exits: waiting, finished.
        case leaving(Attempt, deadline: UInt64, isLast: Bool)
        /// Nothing follows. No exit.
        case finished
    }

    private let plan: CyclePlan
    private var state = State.created

    /// Prepares cycles of a plan that was checked.
    public init(_ plan: CyclePlan) { self.plan = plan }

    /// When `deadlineReached` must be called, or `nil` when no time is awaited.
    public var nextDeadline: UInt64? {
        switch state {
        case .created, .finished: nil
        case .waiting(_, let time), .connecting(_, let time), .holding(_, let time), .leaving(_, let time, _): time
        }
    }

    /// Whether they are over.
    public var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Begins. A second start is ignored.
    public mutating func start(now: UInt64, into actions: inout [CycleAction]) {
        switch state {
        case .created: begin(plan.first, now, &actions)
        case .waiting, .connecting, .holding, .leaving, .finished: break
        }
    }

    /// The device was plugged in, or why not. Its name is known from then on where the caller knows it.
    public mutating func connected(
        _ result: Result<String?, CycleFailure>, now: UInt64, into actions: inout [CycleAction]
    ) {
        switch state {
        case .created, .waiting, .holding, .leaving, .finished: break
        case .connecting(var attempt, let deadline):
            switch result {
            case .success(let name):
                // What the plug did may have been told before its answer.
                if attempt.device == nil { attempt.device = name }
                state = .connecting(attempt, deadline: deadline)
            case .failure(let failure):
                attempt.result.failure = failure
                if attempt.pull != nil { actions.append(.disarm) }
                over(attempt.result, now, &actions)
            }
        }
    }

    /// Takes a published event.
    public mutating func received(_ event: Event, now: UInt64, into actions: inout [CycleAction]) {
        CycleNews(event).map { received($0, now, &actions) }
    }

    /// Takes a published event as a client has it.
    public mutating func received(record: RecordValue, now: UInt64, into actions: inout [CycleAction]) {
        CycleNews(record: record).map { received($0, now, &actions) }
    }

    /// The time that `nextDeadline` told has come. Too early a call does nothing.
    public mutating func deadlineReached(now: UInt64, into actions: inout [CycleAction]) {
        guard let deadline = nextDeadline, now >= deadline else { return }
        switch state {
        case .created, .finished: break
        case .waiting(let number, _): begin(number, now, &actions)
        case .connecting(let attempt, _):
            let limit = DurationText.text(plan.within)
            let what = attempt.pull.map { "'\($0)' was not reached" } ?? "the session was not active"
            fail(attempt, attempt.phase, "timedOut", "\(what) within \(limit)", now, &actions)
        case .holding(let attempt, _): leave(attempt, now, &actions)
        case .leaving(var attempt, _, let isLast):
            if attempt.result.failure == nil {
                let limit = DurationText.text(CyclePlan.releaseLimit)
                attempt.result.failure = CycleFailure(
                    step: "unplug", code: "timedOut", text: "the device was not released within \(limit)")
            }
            end(attempt.result, isLast: isLast, now, &actions)
        }
    }

    /// Somebody wants it to stop: what is plugged in is pulled first. A second call does not wait for that.
    public mutating func cancel(now: UInt64, into actions: inout [CycleAction]) {
        switch state {
        case .created, .waiting: finish(isInterrupted: true, &actions)
        case .connecting(let attempt, _), .holding(let attempt, _):
            if attempt.pull != nil { actions.append(.disarm) }
            actions.append(.disconnect)
            state = .leaving(attempt, deadline: now.later(by: CyclePlan.releaseLimit), isLast: true)
            if attempt.device == nil { finish(isInterrupted: true, &actions) }
        case .leaving(let attempt, let deadline, let isLast):
            if isLast {
                finish(isInterrupted: true, &actions)
            } else {
                state = .leaving(attempt, deadline: deadline, isLast: true)
            }
        case .finished: break
        }
    }
}

// The way through a cycle.
extension CycleRun {
    private mutating func begin(_ number: Int, _ now: UInt64, _ actions: inout [CycleAction]) {
        let step = plan.step(of: number)
        connect(CycleResult(number: number, pulledAt: step), pull: step, now, &actions)
    }

    private mutating func connect(
        _ result: CycleResult, pull: String?, _ now: UInt64, _ actions: inout [CycleAction]
    ) {
        let attempt = Attempt(result: result, pull: pull, begin: now)
        state = .connecting(attempt, deadline: now.later(by: plan.within))
        if let pull { actions.append(.arm(step: pull)) }
        actions.append(.connect)
    }

    private mutating func received(_ news: CycleNews, _ now: UInt64, _ actions: inout [CycleAction]) {
        switch state {
        case .created, .waiting, .finished: break
        case .connecting(let attempt, let deadline): connecting(attempt, deadline, news, now, &actions)
        case .holding(var attempt, _):
            guard isOurs(news, attempt) else { return }
            switch news.kind {
            case .sessionClosed:
                fail(attempt, SessionPhase.active.rawValue, news, now, &actions)
            case .deviceDetached:
                attempt.result.failure = Self.failure(SessionPhase.active.rawValue, news)
                over(attempt.result, now, &actions)
            default: break
            }
        case .leaving(var attempt, _, let isLast):
            guard news.kind == .deviceDetached, isOurs(news, attempt) else { return }
            attempt.result.released = now.since(attempt.asked)
            end(attempt.result, isLast: isLast, now, &actions)
        }
    }

    private mutating func connecting(
        _ attempt: Attempt, _ deadline: UInt64, _ news: CycleNews, _ now: UInt64, _ actions: inout [CycleAction]
    ) {
        var attempt = attempt
        if news.kind == .deviceAttached {
            guard attempt.generation == 0, (attempt.device ?? plan.device ?? news.device) == news.device else { return }
            attempt.device = news.device
            attempt.generation = news.generation
            attempt.result.appeared = now.since(attempt.begin)
            state = .connecting(attempt, deadline: deadline)
            return
        }
        guard isOurs(news, attempt) else { return }
        switch news.kind {
        case .sessionOpened, .sessionPhase:
            if let phase = news.phase { attempt.phase = phase }
            state = .connecting(attempt, deadline: deadline)
        case .sessionActive:
            if let pull = attempt.pull {
                return fail(attempt, pull, "notReached", "the session came past it", now, &actions)
            }
            attempt.result.ready = now.since(attempt.begin)
            state = .holding(attempt, until: now.later(by: plan.hold))
            if plan.hold == 0 { leave(attempt, now, &actions) }
        case .sessionClosed: if attempt.pull == nil { fail(attempt, attempt.phase, news, now, &actions) }
        case .deviceDetached:
            if attempt.pull != nil {
                // As it was meant: now it is plugged in to stay.
                return connect(attempt.result, pull: nil, now, &actions)
            }
            attempt.result.failure = Self.failure(attempt.phase, news)
            over(attempt.result, now, &actions)
        default: break
        }
    }

    private func isOurs(_ news: CycleNews, _ attempt: Attempt) -> Bool {
        attempt.generation != 0 && news.device == attempt.device && news.generation == attempt.generation
    }

    private static func failure(_ step: String, _ news: CycleNews) -> CycleFailure {
        CycleFailure(step: step, code: news.reason?.code ?? news.kind.rawValue, text: news.reason?.text ?? "")
    }

    private mutating func fail(
        _ attempt: Attempt, _ step: String, _ news: CycleNews, _ now: UInt64, _ actions: inout [CycleAction]
    ) {
        let failure = Self.failure(step, news)
        fail(attempt, failure.step, failure.code, failure.text, now, &actions)
    }

    private mutating func fail(
        _ attempt: Attempt, _ step: String, _ code: String, _ text: String, _ now: UInt64,
        _ actions: inout [CycleAction]
    ) {
        var attempt = attempt
        attempt.result.failure = CycleFailure(step: step, code: code, text: text)
        if attempt.pull != nil { actions.append(.disarm) }
        leave(attempt, now, &actions)
    }

    /// Pulls the device, and waits until it is gone.
    private mutating func leave(_ attempt: Attempt, _ now: UInt64, _ actions: inout [CycleAction]) {
        var attempt = attempt
        attempt.asked = now
        actions.append(.disconnect)
        // What never came cannot go.
        guard attempt.generation != 0 else { return over(attempt.result, now, &actions) }
        state = .leaving(attempt, deadline: now.later(by: CyclePlan.releaseLimit), isLast: false)
    }

    private mutating func over(_ result: CycleResult, _ now: UInt64, _ actions: inout [CycleAction]) {
        end(result, isLast: false, now, &actions)
    }

    private mutating func end(
        _ result: CycleResult, isLast: Bool, _ now: UInt64, _ actions: inout [CycleAction]
    ) {
        // A cycle that somebody stopped says nothing about the device.
        if isLast { return finish(isInterrupted: true, &actions) }
        actions.append(.report(result))
        guard result.number < plan.count else { return finish(isInterrupted: false, &actions) }
        state = .waiting(number: result.number + 1, until: now.later(by: plan.interval))
    }

    private mutating func finish(isInterrupted: Bool, _ actions: inout [CycleAction]) {
        state = .finished
        actions.append(.finished(isInterrupted: isInterrupted))
    }
}
