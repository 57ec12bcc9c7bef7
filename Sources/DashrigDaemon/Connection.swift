import LinuxIO
import RigCore
import RigModel
import VarlinkProtocol

/// One client's connection: what it sent and was not answered yet, and what it has not read yet. Both are bounded.
///
/// Calls are answered one after the other: while one is at work nothing more is read, so a client that sends faster than
/// it reads is held up by its own socket. A stream's events go straight into the bytes to send while the client keeps
/// up, and into a `DeliveryQueue` when it does not.
final class Connection {
    /// How the connection stands. Every state names its exits.
    enum State: Equatable {
        /// The next call may be read. Exits: `calling`, `closing`.
        case idle
        /// A call is at work; the answer to a `oneway` one is not sent. Exits: `idle`, `streaming`, `closing`.
        case calling(oneway: Bool)
        /// A stream holds the connection. Exits: `idle` (a stream that ends), `closing`. A client may have ended its
        /// side: it still reads.
        case streaming
        /// What is pending is still sent, then it ends. No exit.
        case closing
    }

    /// What the connection needs of a turn.
    enum Step {
        /// Nothing now.
        case wait
        /// A call was read and is to be dispatched; the record is what was sent, whole.
        case call(VarlinkCall, record: JSONObject)
        /// A record was wrong: log why; what had to be answered is pending already. With `ends`, what follows it cannot
        /// be trusted: the connection is to be closed.
        case refused(String, ends: Bool)
        /// The peer is gone, or all is sent: forget the connection.
        case finished(String)
    }

    let id: ClientID
    /// The socket's interface; `org.varlink.service` is on both.
    let interface: String
    let credentials: PeerCredentials
    var watch: WatchID?
    private(set) var state = State.idle
    /// When a closing connection is given up although it did not read what is pending.
    private(set) var closesAt: UInt64?

    /// Whether the server still knows it, and whether it is among those that the turn has something for.
    var isKnown = true
    var isTouched = false

    private let socket: UnixConnection
    private var reader: RecordReader
    private var peerHasEnded = false
    /// Whether records that were read may wait to be looked at: nothing more is read before.
    var isBehind = false
    /// Whether nobody reads answers any more. What the client had sent before is still to be done, unanswered.
    private(set) var hasHungUp = false

    /// The events of this turn that are sent from where every stream has them; nothing else is unsent then.
    private let tape: EventTape
    private var shared = 0..<0
    private var output: [UInt8] = []
    private var sent = 0
    /// How many bytes were ever taken by the socket, and ever made for it.
    private var taken: UInt64 = 0
    private var made: UInt64 = 0
    /// Where the events end whose taking is to be told, in bytes ever made.
    private var told: [(end: UInt64, sequence: UInt64)] = []
    private var toldHead = 0

    /// The first replies of a stream that were not begun to be sent: as bytes, which take a fourth of the values.
    private var parts: ArraySlice<[UInt8]> = []
    private var backlog: DeliveryQueue
    /// What a capture could not tell because its client did not read.
    private var captureLoss = CaptureLoss()

    /// Above this many unsent bytes a stream's events wait in the queue, and no further call is answered: one read of a
    /// usual client.
    static let highWater = 65_536
    /// How long a closing connection may take to read what is pending, in nanoseconds.
    static let patience: UInt64 = 5_000_000_000

    init(
        id: ClientID, interface: String, socket: consuming UnixConnection, credentials: PeerCredentials,
        tape: EventTape, callLimit: Int, queueLimit: Int
    ) {
        self.id = id
        self.interface = interface
        self.socket = socket
        self.credentials = credentials
        self.tape = tape
        reader = RecordReader(maximumRecordSize: callLimit)
        backlog = DeliveryQueue(limit: queueLimit)
    }

    var descriptor: Int32 { socket.rawValue }

    /// What to watch the socket for.
    var interest: Interest {
        var interest: Interest = []
        switch state {
        case .idle: if !peerHasEnded && !isBehind && unsent < Self.highWater { interest.insert(.read) }
        case .calling, .streaming, .closing: break
        }
        if unsent > 0 { interest.insert(.write) }
        return interest
    }

    /// The bytes that the socket has not taken.
    var unsent: Int { output.count - sent + shared.count }

    /// Whether nobody reads the answer to the call at work.
    var isUnheard: Bool { hasHungUp || state == .calling(oneway: true) }

    /// Whether something is to be sent.
    var hasOutput: Bool { unsent > 0 || !parts.isEmpty || !backlog.isEmpty }

    // MARK: Reading

    /// Reads what the socket has, once; level-triggered readiness brings the rest.
    ///
    /// - Returns: false when the peer is gone and nothing of it is left to be done.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        switch socket.receive(into: buffer) {
        case .bytes(let count):
            reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return true
        case .wouldBlock: return true
        case .endOfFile:
            peerHasEnded = true
            // A client may send its calls, end its side and still read the answers.
            return hasOutput || reader.bufferedByteCount > 0
        case .failed: return false
        }
    }

    /// The client closed its connection. Its answers are dropped; what it had sent is still read and done.
    func hangUp() {
        hasHungUp = true
        shared = 0..<0
        output = []
        sent = 0
        parts = []
        backlog = DeliveryQueue(limit: backlog.limit)
        told = []
        toldHead = 0
    }

    /// The next thing to do with what was read.
    func next() -> Step {
        switch state {
        case .calling, .streaming, .closing: return .wait
        case .idle: break
        }
        guard unsent < Self.highWater else {
            isBehind = true
            return .wait
        }
        let record: ArraySlice<UInt8>?
        do throws(RecordError) {
            record = try reader.next()
        } catch {
            return .refused(error.description, ends: true)
        }
        guard let record else {
            guard peerHasEnded else { return .wait }
            if hasOutput { return .wait }
            return .finished("the client closed the connection")
        }
        let object: JSONObject
        let reading: VarlinkCall.Reading
        do throws(JSONError) {
            guard case .object(let parsed) = try JSON.parse(record) else {
                return .refused("the call is not a JSON object", ends: true)
            }
            object = parsed
            reading = VarlinkCall.read(object)
        } catch {
            object = JSONObject()
            reading = VarlinkCall.refusal(of: record, for: error)
        }
        switch reading {
        case .call(let call):
            state = .calling(oneway: call.oneway)
            return .call(call, record: object)
        case .refused(let error, .reply(let reply)):
            append {
                ReplyRendering.append(
                    error: reply.error ?? "", RecordValue(.object(reply.parameters)), text: error.description, to: &$0)
            }
            return .refused(error.description, ends: false)
        case .refused(let error, .nothing): return .refused(error.description, ends: false)
        case .refused(let error, .close): return .refused(error.description, ends: true)
        }
    }

    // MARK: Answering

    /// Answers the call at work with bytes that `write` appends.
    ///
    /// - Parameter continues: whether more answers to the same call follow.
    func answer(continues: Bool, _ write: (inout [UInt8]) -> Void) {
        switch state {
        case .calling(oneway: true): state = .idle
        case .calling(oneway: false), .streaming:
            append(write)
            state = continues ? .streaming : .idle
        case .idle, .closing: break
        }
    }

    /// Ends the call at work without an answer.
    func dismiss() {
        switch state {
        case .calling: state = .idle
        case .idle, .streaming, .closing: break
        }
    }

    /// Begins a stream: these replies first, then what is delivered.
    func open(first: [RecordValue]) {
        switch state {
        case .calling(oneway: false):
            state = .streaming
            guard !hasHungUp else { return }
            parts =
                first.map { part in
                    var bytes: [UInt8] = []
                    ReplyRendering.append(part, continues: true, to: &bytes)
                    return bytes
                }[...]
            refill()
        case .calling(oneway: true): state = .idle
        case .idle, .streaming, .closing: break
        }
    }

    /// Adds an event to the stream.
    ///
    /// - Parameters:
    ///   - part: where the tape has its reply.
    ///   - sequence: the event's, when its taking is to be told.
    ///   - event: the event itself, for when it must wait.
    /// - Returns: false when the client is too slow; its stream then ends.
    func deliver(_ part: Range<Int>, telling sequence: UInt64?, _ event: @autoclosure () -> Event) -> Bool {
        switch state {
        case .idle, .calling, .closing: return true
        case .streaming: break
        }
        guard !hasHungUp else { return true }
        guard parts.isEmpty, backlog.isEmpty, unsent < Self.highWater else {
            return backlog.append(event(), size: part.count, tell: sequence != nil)
        }
        if shared.isEmpty && output.count == sent {
            shared = part
        } else if shared.upperBound == part.lowerBound && !shared.isEmpty {
            shared = shared.lowerBound..<part.upperBound
        } else {
            keepShared()
            tape.copy(part, to: &output)
        }
        made &+= UInt64(part.count)
        if let sequence { told.append((made, sequence)) }
        return true
    }

    /// Takes what it has of the tape into its own bytes.
    func keepShared() {
        if shared.isEmpty { return }
        tape.copy(shared, to: &output)
        shared = 0..<0
    }

    /// Adds a record to a capture. Above `limit` unsent bytes it is dropped, and told so as soon as there is room again.
    func capture(_ record: CapturedRecord, limit: Int) {
        switch state {
        case .idle, .calling, .closing: return
        case .streaming: break
        }
        guard !hasHungUp else { return }
        // The first replies come before; they are few.
        guard parts.isEmpty, unsent < limit, captureLoss.isEmpty || tellCaptureLoss() else {
            captureLoss.add(record)
            return
        }
        append { ReplyRendering.append(record, to: &$0) }
    }

    /// Tells what was lost, once half of what may wait is read: a loss for each record would only make more of them.
    private func tellCaptureLoss() -> Bool {
        guard unsent < Self.highWater / 2 else { return false }
        append { ReplyRendering.append(captureLoss, to: &$0) }
        captureLoss = CaptureLoss()
        return true
    }

    /// Ends the connection once what is pending is sent, behind what `write` appends. Events that wait are dropped.
    func close(now: UInt64, _ write: ((inout [UInt8]) -> Void)? = nil) {
        guard state != .closing else { return }
        parts = []
        backlog = DeliveryQueue(limit: backlog.limit)
        if let write { append(write) }
        state = .closing
        closesAt = now &+ Self.patience
    }

    private func append(_ write: (inout [UInt8]) -> Void) {
        guard !hasHungUp else { return }
        keepShared()
        let before = output.count
        write(&output)
        made &+= UInt64(output.count - before)
    }

    // MARK: Sending

    /// Sends what is pending in as few calls as the socket takes, and refills from what waits.
    ///
    /// - Parameter took: gets the sequence number of each event whose last byte was taken and is to be told of.
    /// - Returns: false when the connection is over.
    func flush(took: (UInt64) -> Void) -> Bool {
        while true {
            refill()
            guard unsent > 0 else { break }
            switch shared.isEmpty ? sendOutput() : tape.send(shared, on: socket) {
            case .bytes(let count):
                if shared.isEmpty { sent += count } else { shared = shared.lowerBound + count..<shared.upperBound }
                taken &+= UInt64(count)
                while toldHead < told.count, told[toldHead].end <= taken {
                    took(told[toldHead].sequence)
                    toldHead += 1
                }
                if toldHead == told.count {
                    told.removeAll(keepingCapacity: true)
                    toldHead = 0
                }
            case .wouldBlock:
                keepShared()
                return true
            case .closed:
                // A client that has gone may have left calls that want no answer.
                hangUp()
                return state == .idle
            case .failed: return false
            }
        }
        return state != .closing
    }

    private func sendOutput() -> WriteOutcome {
        let offset = sent
        return output.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }

    /// Moves what waits into the bytes to send, up to the high water mark.
    private func refill() {
        guard shared.isEmpty, !output.isEmpty || !parts.isEmpty || !backlog.isEmpty || !captureLoss.isEmpty else {
            return
        }
        if sent == output.count {
            // A burst must not hold memory for ever.
            if output.capacity > 4 * Self.highWater { output = [] } else { output.removeAll(keepingCapacity: true) }
            sent = 0
        } else if sent > Self.highWater {
            output.removeFirst(sent)
            sent = 0
        }
        while unsent < Self.highWater {
            if let part = parts.popFirst() {
                append { $0 += part }
            } else if let (loss, delivery) = backlog.next() {
                if let loss { append { ReplyRendering.append(loss, to: &$0) } }
                append { ReplyRendering.append(delivery.event, to: &$0) }
                if delivery.tell { told.append((made, delivery.event.sequence)) }
            } else {
                if !captureLoss.isEmpty { _ = tellCaptureLoss() }
                return
            }
        }
    }
}

/// What was dropped of a capture.
struct CaptureLoss {
    /// The time of the last record dropped.
    private(set) var time: UInt64 = 0
    /// Records, and the bytes of links in them.
    private(set) var records: UInt64 = 0
    private(set) var bytes: UInt64 = 0

    var isEmpty: Bool { records == 0 }

    mutating func add(_ record: CapturedRecord) {
        time = record.time
        records += 1
        bytes += UInt64(record.byteCount)
    }
}
