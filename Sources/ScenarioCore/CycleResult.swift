public import RigModel

/// Why a cycle failed: at which step, for which reason.
public struct CycleFailure: Error, Equatable, Sendable {
    /// `plug`, `unplug`, or the phase that the session was in.
    public let step: String
    /// The code of the rig's reason, or `timedOut`, `notReached`.
    public let code: String
    /// What happened, for a person.
    public let text: String

    /// States a failure.
    public init(step: String, code: String, text: String) {
        self.step = step
        self.code = code
        self.text = text
    }
}

/// What came of one cycle. Times are nanoseconds.
public struct CycleResult: Equatable, Sendable {
    /// Which it was, from 1.
    public let number: Int
    /// The step at which the device was pulled before it was plugged in to stay.
    public var pulledAt: String?
    /// From the plug to the active session.
    public var ready: UInt64?
    /// From the switch to the device's appearance; only where a switch outside of the rig plugs it in.
    public var appeared: UInt64?
    /// From the unplug to the end of the removal.
    public var released: UInt64?
    /// Why it failed, or `nil` when it did not.
    public var failure: CycleFailure?

    /// States what came of a cycle of which nothing is known yet.
    public init(number: Int, pulledAt: String? = nil) {
        self.number = number
        self.pulledAt = pulledAt
    }

    /// The result as it is published.
    public var record: RecordValue {
        .record([
            RecordField("number", .number(number)), RecordField("pulledAt", .text(pulledAt)),
            RecordField("ready", .number(ready)), RecordField("appeared", .number(appeared)),
            RecordField("released", .number(released)), RecordField("step", .text(failure?.step)),
            RecordField("code", .text(failure?.code)), RecordField("text", .text(failure?.text)),
        ])
    }

    /// Reads a result from its record; unknown fields are passed over.
    public init(record: RecordValue) throws(RecordProblem) {
        let reader = try RecordReader(record)
        number = try reader.int("number")
        pulledAt = try reader.optionalText("pulledAt")
        ready = try reader.optionalUnsigned("ready")
        appeared = try reader.optionalUnsigned("appeared")
        released = try reader.optionalUnsigned("released")
        if let step = try reader.optionalText("step") {
            failure = CycleFailure(
                step: step, code: try reader.optionalText("code") ?? "", text: try reader.optionalText("text") ?? "")
        }
    }
}
