public import RigModel
internal import VarlinkProtocol

/// Cycles that the rig makes with a virtual device. They are stopped when this object goes before their summary.
public final class CycleStream {
    /// What `next` answers.
    public enum Step: Equatable, Sendable {
        /// One cycle.
        case cycle(RecordValue)
        /// What came of all of them; the last step.
        case summary(RecordValue)
        /// The deadline passed.
        case deadline
    }

    /// What is asked for beside the device. Times are nanoseconds; what is nothing is as the rig has it.
    public struct Wish: Equatable, Sendable {
        /// The number of the last cycle.
        public var count: Int
        /// The number of the first one.
        public var first = 1
        /// Where it is pulled: a step of the handshake, or `random`.
        public var unplugAt: String?
        /// The time between two cycles.
        public var interval: UInt64?
        /// How long a session stays active.
        public var hold: UInt64?
        /// How long it may take to become active.
        public var within: UInt64?
        /// Decides what `random` means.
        public var seed: UInt64?
        /// How long what another run holds is waited for.
        public var wait: UInt64 = 0

        /// Asks for so many.
        public init(count: Int) { self.count = count }
    }

    private let channel: ClientChannel
    private let id: ClientChannel.CallID

    private static let method = "org.dashrig.Rig.Cycle"

    /// Begins with a device: its profile, name, serial number, displays and slowness count.
    public init(
        socketDirectory: SocketDirectory, device: PlugRequest, _ wish: Wish,
        timeout: UInt64 = RigConnection.standardTimeout, interrupt: Int32? = nil
    ) throws(ClientFailure) {
        channel = try ClientChannel(socketDirectory, .rig, timeout: timeout, interrupt: interrupt)
        var parameters: JSONObject = ["profile": .string(device.profile), "count": .int(Int64(wish.count))]
        parameters["name"] = device.name.map(JSON.string)
        parameters["serial"] = device.serial.map(JSON.string)
        parameters["displays"] = device.displays.map(JSON.string)
        if device.phone.slow > 0 { parameters["slowMilliseconds"] = .milliseconds(device.phone.slow) }
        if wish.first > 1 { parameters["first"] = .int(Int64(wish.first)) }
        parameters["unplugAt"] = wish.unplugAt.map(JSON.string)
        parameters["intervalMilliseconds"] = wish.interval.map { .milliseconds($0) }
        parameters["holdMilliseconds"] = wish.hold.map { .milliseconds($0) }
        parameters["readyWithinMilliseconds"] = wish.within.map { .milliseconds($0) }
        parameters["seed"] = wish.seed.map { .int(Int64(clamping: $0)) }
        if wish.wait > 0 { parameters["waitMilliseconds"] = .milliseconds(wish.wait) }
        id = try channel.send(VarlinkCall(method: Self.method, parameters: parameters, more: true), timeout: timeout)
    }

    /// Whether `next` will answer without waiting.
    public var hasNext: Bool { channel.hasNext }

    /// What comes next, at the latest at the deadline (CLOCK_MONOTONIC nanoseconds; nil waits for ever).
    public func next(until deadline: UInt64? = nil) throws(ClientFailure) -> Step {
        while true {
            guard let event = try channel.next(until: deadline) else { return .deadline }
            switch event {
            case .reply(_, let parameters, let isLast):
                if let cycle = parameters["cycle"], case .object = cycle { return .cycle(RecordValue(cycle)) }
                if let summary = parameters["summary"], case .object = summary { return .summary(RecordValue(summary)) }
                if isLast { throw .protocolViolation("the cycles ended without a summary") }
            case .failed(_, let error): throw .refused(channel.refusal(error))
            case .lost(_, .closed), .ended(.closed): throw .closed(method: Self.method)
            case .lost(_, .peerFault(let fault)), .ended(.peerFault(let fault)):
                throw .protocolViolation(fault.description)
            }
        }
    }
}
