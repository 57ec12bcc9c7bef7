public import RigModel

/// Why the rig closes a client's connection.
public enum CloseCause: Equatable, Sendable {
    /// A limit was reached when it connected: its name and value. It is told before it is closed.
    case limit(String, Int)
    /// It asked for something that ends its connection, and got its answer.
    case finished
}

/// What the rig wants done. Values only; who performs them knows the sockets.
public enum CoreAction: Equatable, Sendable {
    /// Send an event of this buffer (an index into `events`) to a client's stream. With `tell`, say `clientTook` when
    /// its last byte is taken.
    case deliver(event: Int, to: ClientID, tell: Bool)
    /// Answer a client's call; with `continues` it is one of several.
    case reply(ClientID, RecordValue, continues: Bool)
    /// Begin a client's stream: these replies first, one after the other as it reads, then what is delivered.
    case open(ClientID, first: [RecordValue])
    /// Answer a client's call with an error.
    case fail(ClientID, CommandFailure)
    /// Answer that the scenario's text is wrong: one line each.
    case scenarioWrong(ClientID, [String])
    /// Open a device's own pipes and say `wireOpened` or `wireEnded`. `key` is the bus's name for the device.
    case openWire(LinkID, key: String)
    /// Put packets on a device's pipes, in order; `ends` are the offsets behind each of them. Say `wireSent` as they are
    /// taken.
    case transmit(LinkID, [UInt8], ends: [Int])
    /// Close a device's pipes once what was to be transmitted is out or cannot go out. Nothing is said of it any more.
    case closeWire(LinkID)
    /// Tell a device to change its mode and say `modeAnswered`. `key` is the bus's name for the device.
    case switchMode(key: String, ModeSwitch)
    /// A session waits for the signer: make it ready, and say `signerChanged`. May be said more than once.
    case prepareSigner
    /// Have the signer answer one end of a link with `signerAnswered`, by the same ticket.
    case askSigner(SignerTicket, SignerQuestion)
    /// Add a record to a client's capture. Where the client has not read what came before, records may be dropped; how
    /// many is then told in the stream.
    case capture(ClientID, CapturedRecord)
    /// Close a client's connection once it has read what is pending.
    case close(ClientID, CloseCause)
}

/// What one `handle` has the caller do, in order. The caller keeps one and empties it after performing it: appending to
/// a buffer that was there before costs no allocation, returning an array costs one for each event.
public struct ActionBuffer: Sendable {
    /// The events that were published, in the order of their sequence.
    public private(set) var events: [Event] = []
    /// What to do, in order.
    public private(set) var actions: [CoreAction] = []

    /// An empty buffer.
    public init() {}

    /// How many events or actions the memory is kept for: far more than a usual turn makes. One call can make millions,
    /// when an app acknowledges thousands of ids and a thousand subscribers are told of each.
    static let keptCapacity = 16_384

    /// Empties the buffer and keeps its memory, unless a burst made it large.
    public mutating func removeAll() {
        if events.capacity > Self.keptCapacity { events = [] } else { events.removeAll(keepingCapacity: true) }
        if actions.capacity > Self.keptCapacity { actions = [] } else { actions.removeAll(keepingCapacity: true) }
    }

    mutating func append(_ action: CoreAction) { actions.append(action) }

    mutating func append(_ event: consuming Event) -> Int {
        events.append(event)
        return events.count - 1
    }
}
