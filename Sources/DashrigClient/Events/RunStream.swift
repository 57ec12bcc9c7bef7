public import RigModel
internal import VarlinkProtocol

/// A scenario that the rig runs. It is stopped when this object goes before its verdict.
public final class RunStream {
    /// What `next` answers.
    public enum Step: Equatable, Sendable {
        /// A line of the timeline.
        case entry(RecordValue)
        /// The result; the last step.
        case verdict(RecordValue)
        /// The deadline passed.
        case deadline
    }

    private let channel: ClientChannel
    private let id: ClientChannel.CallID
    private var pending: [Step] = []

    private static let method = "org.dashrig.Rig.Run"

    /// Sends a scenario's whole text. `name` is what verdict and timeline call it; `tracks` are those that it plays,
    /// `options` what else it is read with. What another run holds is waited for `wait` nanoseconds.
    public init(
        socketDirectory: SocketDirectory, scenario: String, name: String, tracks: [TrackFile] = [],
        options: ScenarioOptions = ScenarioOptions(),
        wait: UInt64 = 0, timeout: UInt64 = RigConnection.standardTimeout, interrupt: Int32? = nil
    ) throws(ClientFailure) {
        channel = try ClientChannel(socketDirectory, .rig, timeout: timeout, interrupt: interrupt)
        var parameters: JSONObject = ["scenario": .string(scenario), "name": .string(name)]
        if !tracks.isEmpty {
            parameters["tracks"] = .array(
                tracks.map { .object(["name": .string($0.name), "text": .string($0.text)]) })
        }
        if !options.includes.isEmpty {
            parameters["includes"] = .array(
                options.includes.map { .object(["name": .string($0.name), "text": .string($0.text)]) })
        }
        if !options.values.isEmpty {
            parameters["values"] = .array(
                options.values.map { .object(["name": .string($0.name), "value": .string($0.value)]) })
        }
        if let seed = options.seed { parameters["seed"] = .int(Int64(clamping: seed)) }
        if let row = options.row { parameters["row"] = .int(Int64(row)) }
        if options.runsPrograms { parameters["runsPrograms"] = true }
        if wait > 0 { parameters["waitMilliseconds"] = .milliseconds(wait) }
        id = try channel.send(VarlinkCall(method: Self.method, parameters: parameters, more: true), timeout: timeout)
    }

    /// Whether `next` will answer without waiting.
    public var hasNext: Bool { !pending.isEmpty || channel.hasNext }

    /// What comes next, at the latest at the deadline (CLOCK_MONOTONIC nanoseconds; nil waits for ever).
    public func next(until deadline: UInt64? = nil) throws(ClientFailure) -> Step {
        while pending.isEmpty {
            guard let event = try channel.next(until: deadline) else { return .deadline }
            switch event {
            case .reply(_, let parameters, let isLast):
                if let entry = parameters["entry"], case .object = entry { pending.append(.entry(RecordValue(entry))) }
                if let verdict = parameters["verdict"], case .object = verdict {
                    pending.append(.verdict(RecordValue(verdict)))
                } else if isLast {
                    throw .protocolViolation("the run ended without a verdict")
                }
            case .failed(_, let error): throw .refused(channel.refusal(error))
            case .lost(_, .closed), .ended(.closed): throw .closed(method: Self.method)
            case .lost(_, .peerFault(let fault)), .ended(.peerFault(let fault)):
                throw .protocolViolation(fault.description)
            }
        }
        return pending.removeFirst()
    }
}
