/// The error that a server answered to a call.
public struct VarlinkError: Error, Equatable, Sendable {
    /// The full name.
    public let name: String
    /// The error's fields.
    public let parameters: JSONObject

    /// An error from its parts.
    public init(name: String, parameters: JSONObject = JSONObject()) {
        self.name = name
        self.parameters = parameters
    }

    /// The error as one of `org.varlink.service`, nil if it is of another interface.
    public var standard: StandardError? { StandardError(name: name, parameters: parameters) }
}

extension VarlinkError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        if let standard { return standard.description }
        return parameters.isEmpty ? name : "\(name) \(JSON.object(parameters))"
    }
}

/// What a server did that the protocol forbids. The connection is of no use any more: close it.
public enum PeerError: Error, Equatable, Sendable {
    /// The stream cannot be cut into records.
    case framing(RecordError)
    /// A record is not a reply.
    case reply(ReplyError)
    /// A reply that no call waits for.
    case unexpectedReply
    /// A reply says that more follow, but the call of this method did not ask for more.
    case unexpectedContinuation(method: String)
}

extension PeerError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .framing(let error): error.description
        case .reply(let error): error.description
        case .unexpectedReply: "the service replied although no call waits for a reply"
        case .unexpectedContinuation(let method): "the service replies more than once to \(method), which did not ask"
        }
    }
}

/// The client's end of a connection, without the socket: calls to bytes, bytes to replies.
///
/// Calls may be sent before earlier ones are answered; the server answers in order. A call with `more` holds up all
/// later ones until its last reply, so an endless stream wants a connection of its own. The stream is ended by closing.
public struct VarlinkClientConnection: Sendable {
    /// Names a call on this connection; they count up from 0, `oneway` calls too.
    public struct CallID: Hashable, Comparable, Sendable {
        /// The number of calls sent before.
        public let number: UInt64

        /// Earlier calls come first.
        public static func < (left: CallID, right: CallID) -> Bool { left.number < right.number }
    }

    /// Why a connection is over.
    public enum Ending: Equatable, Sendable {
        /// The server broke the protocol.
        case peerFault(PeerError)
        /// The stream was closed, by either side.
        case closed
    }

    /// What happened to a call or to the connection.
    public enum Event: Equatable, Sendable {
        /// A reply. `isLast`: the call is done.
        case reply(CallID, JSONObject, isLast: Bool)
        /// An error; the call is done.
        case failed(CallID, VarlinkError)
        /// The connection ended before the call was done. Whether the server has carried it out is not known.
        case lost(CallID, Ending)
        /// The connection is over; the last event. Close the socket if it is still open.
        case ended(Ending)
    }

    /// Why a call cannot be sent. The fault is local.
    public enum SendError: Error, Equatable, Sendable {
        /// The connection is over.
        case ended(Ending)
        /// Raw bytes after a call are not supported here.
        case upgradeNotSupported
        /// A call cannot want no reply and several at once.
        case conflictingFlags
        /// The method's name is not an interface's and a member's name with a dot between.
        case invalidMethod(String)
    }

    private struct Pending {
        let id: CallID
        let method: String
        let more: Bool
    }

    private enum State {
        /// Calls can be sent; the pending ones (may be none) wait for replies in their order. Exits: to `ended` by a
        /// fault of the server or by the end of the stream.
        case open
        /// Over, for this reason; no call waits. Nothing is sent, what is received is dropped. No exit.
        case ended(Ending)
    }

    private var state = State.open
    private var reader: RecordReader
    private var pending: [Pending] = []
    /// Calls of `pending` that are done already; the array is shifted only when they are half of it.
    private var doneCount = 0
    private var sentCount: UInt64 = 0
    private let limits: JSON.Limits

    /// A new connection. `maximumReplySize`: the largest reply accepted, in bytes; 16 MiB as sd-varlink has it [S].
    public init(maximumReplySize: Int = 16 << 20, limits: JSON.Limits = .standard) {
        reader = RecordReader(maximumRecordSize: maximumReplySize)
        self.limits = limits
    }

    /// Calls that wait for a reply, or for their last one.
    public var pendingCount: Int { pending.count - doneCount }

    /// Appends the call's record to `output`, which has to go to the server in order.
    public mutating func send(_ call: VarlinkCall, into output: inout [UInt8]) throws(SendError) -> CallID {
        switch state {
        case .ended(let ending): throw .ended(ending)
        case .open: break
        }
        if call.upgrade { throw .upgradeNotSupported }
        if call.oneway && call.more { throw .conflictingFlags }
        guard let (interface, member) = InterfaceNames.split(call.method), InterfaceNames.isInterface(interface),
            InterfaceNames.isMember(member)
        else { throw .invalidMethod(call.method) }
        call.write(into: &output)
        let id = CallID(number: sentCount)
        sentCount &+= 1
        if !call.oneway { pending.append(Pending(id: id, method: call.method, more: call.more)) }
        return id
    }

    /// Takes bytes from the server.
    public mutating func receive(_ bytes: Span<UInt8>, into events: inout [Event]) {
        switch state {
        case .ended: return
        case .open: break
        }
        reader.append(bytes)
        do throws(PeerError) {
            while let record = try nextRecord() { try take(record, into: &events) }
        } catch {
            end(.peerFault(error), into: &events)
        }
    }

    /// Takes bytes from the server.
    public mutating func receive(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) {
        receive(bytes.span, into: &events)
    }

    /// The stream was closed, by the server or by us. Tells every pending call that it is lost.
    public mutating func streamEnded(into events: inout [Event]) {
        switch state {
        case .ended:
            return
        case .open:
            do {
                try reader.finish()
                end(.closed, into: &events)
            } catch {
                end(.peerFault(.framing(error)), into: &events)
            }
        }
    }

    private mutating func nextRecord() throws(PeerError) -> ArraySlice<UInt8>? {
        do {
            return try reader.next()
        } catch {
            throw .framing(error)
        }
    }

    private mutating func take(_ record: ArraySlice<UInt8>, into events: inout [Event]) throws(PeerError) {
        guard doneCount < pending.count else { throw .unexpectedReply }
        let call = pending[doneCount]
        let reply: VarlinkReply
        do {
            reply = try VarlinkReply(parsing: record, limits: limits)
        } catch {
            throw .reply(error)
        }
        guard call.more || !reply.continues else { throw .unexpectedContinuation(method: call.method) }
        if !reply.continues { dropFirstPending() }
        if let name = reply.error {
            events.append(.failed(call.id, VarlinkError(name: name, parameters: reply.parameters)))
        } else {
            events.append(.reply(call.id, reply.parameters, isLast: !reply.continues))
        }
    }

    private mutating func dropFirstPending() {
        doneCount += 1
        if doneCount >= pending.count - doneCount {
            pending.removeSubrange(0..<doneCount)
            doneCount = 0
        }
    }

    private mutating func end(_ ending: Ending, into events: inout [Event]) {
        state = .ended(ending)
        for call in pending[doneCount...] { events.append(.lost(call.id, ending)) }
        pending = []
        doneCount = 0
        reader = RecordReader(maximumRecordSize: reader.maximumRecordSize)
        events.append(.ended(ending))
    }
}

extension VarlinkClientConnection.SendError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .ended(.closed): "the connection is closed"
        case .ended(.peerFault(let error)): "the connection was given up: \(error)"
        case .upgradeNotSupported: "this client does not support \"upgrade\" calls"
        case .conflictingFlags: "a call cannot be both \"oneway\" and \"more\""
        case .invalidMethod(let method): "\"\(method)\" is not an interface and a method with a dot between"
        }
    }
}
