import RigModel
import ScenarioCore

/// Cycles of a virtual device: what `CycleRun` asks for as commands of the rig.
struct CycleDriver: Sendable {
    private var run: CycleRun
    private let request: PlugRequest
    private let device: String
    /// The fault that pulls it, while it is set.
    private var fault: FaultID?
    private var succeeded = 0
    private var failed = 0

    /// The numbers under which answers come back.
    private enum Number: Int {
        case plug, unplug, arm, disarm
    }

    /// Stands where the real one is taken out for a moment.
    static let nothing = CycleDriver(CyclePlan(count: 1), PlugRequest(profile: ""), device: "")

    /// - Parameter device: the name that `plan` and `request` have.
    init(_ plan: CyclePlan, _ request: PlugRequest, device: String) {
        run = CycleRun(plan)
        self.request = request
        self.device = device
    }

    var nextDeadline: UInt64? { run.nextDeadline }

    mutating func start(now: UInt64) -> [RunStep] { change { $0.start(now: now, into: &$1) } }
    mutating func deadlineReached(now: UInt64) -> [RunStep] { change { $0.deadlineReached(now: now, into: &$1) } }
    mutating func cancel(now: UInt64) -> [RunStep] { change { $0.cancel(now: now, into: &$1) } }
    mutating func received(_ event: Event, now: UInt64) -> [RunStep] {
        change { $0.received(event, now: now, into: &$1) }
    }

    mutating func completed(
        _ number: Int, _ result: Result<CommandResult, CommandFailure>, now: UInt64
    ) -> [RunStep] {
        switch (Number(rawValue: number), result) {
        case (.plug, .success(.plugged(let plugged))):
            return change { $0.connected(.success(plugged.name), now: now, into: &$1) }
        case (.plug, .failure(let failure)), (.arm, .failure(let failure)):
            let text = failure.text
            return change {
                $0.connected(.failure(CycleFailure(step: "plug", code: failure.code, text: text)), now: now, into: &$1)
            }
        case (.arm, .success(.faultSet(let fault))):
            self.fault = fault.id
            return []
        // What is gone already need not be pulled, and what has struck not be taken back.
        case (.unplug, _), (.disarm, _), (.plug, _), (.arm, _), (nil, _): return []
        }
    }

    private mutating func change(_ body: (inout CycleRun, inout [CycleAction]) -> Void) -> [RunStep] {
        var actions: [CycleAction] = []
        body(&run, &actions)
        var steps: [RunStep] = []
        for action in actions { steps += self.steps(of: action) }
        return steps
    }

    private mutating func steps(of action: CycleAction) -> [RunStep] {
        switch action {
        case .arm(let step):
            let place = FaultPlace(at: step) ?? .anywhere
            return [
                .perform(.setFault(FaultRequest(.unplug, device: device, place: place)), number: Number.arm.rawValue)
            ]
        case .disarm:
            guard let fault else { return [] }
            self.fault = nil
            return [.perform(.clearFaults(.these([fault])), number: Number.disarm.rawValue)]
        case .connect: return [.perform(.plug(request), number: Number.plug.rawValue)]
        case .disconnect:
            return [
                .perform(.unplug(device: device, surprise: true, generation: nil), number: Number.unplug.rawValue)
            ]
        case .report(let result):
            if result.failure == nil { succeeded += 1 } else { failed += 1 }
            return [.reply(RecordField("cycle", result.record))]
        case .finished(let isInterrupted):
            return [
                .finished(
                    RecordField(
                        "summary",
                        .record([
                            RecordField("succeeded", .number(succeeded)), RecordField("failed", .number(failed)),
                            RecordField("interrupted", .bool(isInterrupted)),
                        ])))
            ]
        }
    }
}

extension CommandFailure {
    /// A short name for statistics.
    fileprivate var code: String {
        switch self {
        case .unknownDevice: "unknownDevice"
        case .unknownApp: "unknownApp"
        case .staleDevice: "staleDevice"
        case .invalidParameter: "invalidParameter"
        case .notPermitted: "notPermitted"
        case .limitReached: "limitReached"
        case .busy: "busy"
        case .deviceRefused(let reason): reason.code
        case .methodNotImplemented: "methodNotImplemented"
        }
    }
}
