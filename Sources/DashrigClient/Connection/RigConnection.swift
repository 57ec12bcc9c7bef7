internal import LinuxIO
internal import RigModel
public import VarlinkProtocol

/// A connection to the control socket for calls, one at a time, each with a deadline.
///
/// Belongs to one thread at a time. After a call that timed out the connection can still be used: the late answer is
/// dropped. Streams (`Subscribe`, `Run`) have connections of their own.
public final class RigConnection {
    /// How long a call may take, in nanoseconds.
    public var timeout: UInt64
    /// Called about four times a second while an answer is awaited, with the nanoseconds waited so far.
    public var onWait: ((_ waited: UInt64) -> Void)?

    /// How long a call may take when nobody says: 10 s.
    public static let standardTimeout: UInt64 = 10_000_000_000

    private let channel: ClientChannel
    private static let waitingStep: UInt64 = 250_000_000

    /// Connects.
    ///
    /// `interrupt` is a descriptor of the caller's that becomes readable when waiting shall end with
    /// `ClientFailure.interrupted`: a signalfd, or the reading end of a pipe. Nobody reads it here.
    /// `interface` is the socket: that of apps takes other calls, but goes the same way.
    public init(
        socketDirectory: SocketDirectory, interface: SocketInterface = .rig,
        timeout: UInt64 = RigConnection.standardTimeout, interrupt: Int32? = nil
    ) throws(ClientFailure) {
        self.timeout = timeout
        channel = try ClientChannel(socketDirectory, interface, timeout: timeout, interrupt: interrupt)
    }

    /// Makes any call and waits for its one answer. `method` is the full name.
    @discardableResult
    public func call(
        _ method: String, _ parameters: JSONObject = JSONObject(), timeout: UInt64? = nil
    ) throws(ClientFailure) -> JSONObject {
        let timeout = timeout ?? self.timeout
        let start = SystemClock.monotonicNow()
        let deadline = ClientChannel.deadline(after: timeout)
        let id = try channel.send(VarlinkCall(method: method, parameters: parameters), timeout: timeout)
        while true {
            let step = onWait == nil ? deadline : min(deadline, ClientChannel.deadline(after: Self.waitingStep))
            guard let event = try channel.next(until: step) else {
                let now = SystemClock.monotonicNow()
                if now >= deadline { throw .timedOut(method: method, after: timeout) }
                onWait?(now - start)
                continue
            }
            switch event {
            case .reply(id, let parameters, isLast: true): return parameters
            case .failed(id, let error): throw .refused(channel.refusal(error))
            case .lost(id, .closed): throw .closed(method: method)
            case .lost(id, .peerFault(let fault)): throw .protocolViolation(fault.description)
            case .ended(.closed): throw .closed(method: method)
            case .ended(.peerFault(let fault)): throw .protocolViolation(fault.description)
            // Answers to calls that were given up on.
            case .reply, .failed, .lost: continue
            }
        }
    }

    /// Makes a call of the control interface. `method` is the short name.
    @discardableResult
    func rig(_ method: String, _ parameters: JSONObject = JSONObject(), timeout: UInt64? = nil) throws(ClientFailure)
        -> JSONObject
    {
        try call("\(SocketInterface.rig.rawValue).\(method)", parameters, timeout: timeout)
    }

    /// A part of an answer that must be there.
    static func part(_ name: String, of parameters: JSONObject, method: String) throws(ClientFailure) -> RecordValue {
        guard let value = parameters[name], case .object = value else {
            throw .protocolViolation("the answer to \(method) has no '\(name)'")
        }
        return RecordValue(value)
    }
}
