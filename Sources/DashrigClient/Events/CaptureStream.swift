public import RigModel
internal import VarlinkProtocol

/// The bytes of links as they pass. It ends when this object goes.
public final class CaptureStream {
    /// What `next` answers.
    public enum Step: Equatable, Sendable {
        /// Where the capture begins: first, once.
        case start(CaptureStartView)
        /// Something to know of a session, or of what is missing.
        case record(CaptureRecordView)
        /// The deadline passed.
        case deadline
    }

    private let channel: ClientChannel
    private let id: ClientChannel.CallID

    private static let method = "org.dashrig.Rig.Capture"

    /// Asks for the links of a device, which need not be there yet, or of all devices.
    public init(
        socketDirectory: SocketDirectory, device: String?, timeout: UInt64 = RigConnection.standardTimeout,
        interrupt: Int32? = nil
    ) throws(ClientFailure) {
        channel = try ClientChannel(socketDirectory, .rig, timeout: timeout, interrupt: interrupt)
        var parameters = JSONObject()
        parameters["device"] = device.map(JSON.string)
        id = try channel.send(
            VarlinkCall(method: Self.method, parameters: parameters, more: true), timeout: timeout)
    }

    /// Whether `next` will answer without waiting.
    public var hasNext: Bool { channel.hasNext }

    /// What comes next, at the latest at the deadline (CLOCK_MONOTONIC nanoseconds; nil waits for ever).
    public func next(until deadline: UInt64? = nil) throws(ClientFailure) -> Step {
        while true {
            guard let event = try channel.next(until: deadline) else { return .deadline }
            switch event {
            case .reply(_, let parameters, let isLast):
                if let start = parameters["start"], case .object = start {
                    return .start(CaptureStartView(RecordValue(start)))
                }
                if let record = parameters["record"], case .object = record {
                    return .record(CaptureRecordView(RecordValue(record)))
                }
                if isLast { throw .closed(method: Self.method) }
            case .failed(_, let error): throw .refused(channel.refusal(error))
            case .lost(_, .closed), .ended(.closed): throw .closed(method: Self.method)
            case .lost(_, .peerFault(let fault)), .ended(.peerFault(let fault)):
                throw .protocolViolation(fault.description)
            }
        }
    }
}

/// Where a capture begins.
public struct CaptureStartView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// New at each start of the daemon.
    public var epoch: String { record.text("epoch") ?? "" }
    /// Nanoseconds from the daemon's start to the capture's beginning.
    public var time: UInt64 { record.count("time") ?? 0 }
    /// CLOCK_REALTIME in nanoseconds at the daemon's start.
    public var realtime: UInt64 { record.count("realtime") ?? 0 }
    /// The daemon's version.
    public var version: String { record.text("version") ?? "" }
}

/// One thing that a capture tells.
public struct CaptureRecordView: RecordView {
    /// The record as it came.
    public let record: RecordValue

    /// Reads a record.
    public init(_ record: RecordValue) { self.record = record }

    /// Nanoseconds from the daemon's start.
    public var time: UInt64 { record.count("time") ?? 0 }
    /// What is told: `opened`, `joined`, `bytes`, `closed`, `lost`; others may come.
    public var kind: String { record.text("kind") ?? "" }
    /// Whose link it is.
    public var device: String { record.text("device") ?? "" }
    /// The generation that the device had.
    public var generation: UInt64 { record.count("generation") ?? 0 }
    /// The session on the link.
    public var session: String { record.text("session") ?? "" }
    /// Which side the rig plays: told where the session begins.
    public var role: String? { record.text("role") }
    /// Who answers on the link: told where the session begins.
    public var peer: String? { record.text("peer") }
    /// Which way the bytes went: `toDevice` or `fromDevice`.
    public var direction: String? { record.text("direction") }
    /// The bytes, as Base64 text.
    public var bytes: String? { record.text("bytes") }
    /// Why the session is over.
    public var reason: ReasonView? { record.value(at: "reason").map(ReasonView.init) }
    /// How many records are missing here.
    public var dropped: UInt64 { record.count("dropped") ?? 0 }
    /// How many bytes of links were in them.
    public var droppedBytes: UInt64 { record.count("droppedBytes") ?? 0 }
}
