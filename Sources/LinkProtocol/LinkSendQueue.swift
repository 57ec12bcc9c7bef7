/// The payloads of one direction, oldest first: those in flight, then those that wait for room in the window.
///
/// All bytes stand behind each other in one buffer, which keeps its memory, so that a payload that is sent and
/// acknowledged allocates nothing.
struct LinkSendQueue: Sendable {
    /// What is known of a payload beside its bytes.
    struct Entry: Sendable {
        var channelID: UInt8
        var length: Int
        /// How often it was sent again; 0 while it waits.
        var retransmissions: Int
        /// Nanoseconds after which it is sent again, if nothing is heard; meaningless while it waits.
        var timeout: UInt64
        /// When it is sent again; meaningless while it waits.
        var deadline: UInt64
        /// Its first byte, counted from the first byte that was ever put in since the queue was empty.
        fileprivate var start: Int
    }

    private var entries: [Entry] = []
    private var entryHead = 0
    private var bytes: [UInt8] = []
    /// Bytes that were taken out of the front of `bytes` since the queue was empty.
    private var taken = 0
    private var end = 0
    /// Entries that were sent and not acknowledged.
    private(set) var inFlight = 0
    /// Bytes of those that wait.
    private(set) var waitingBytes = 0

    /// The most memory kept while nothing is queued, in bytes. Ours: 16 packets of the length that accessories take.
    private static let idleCapacity = 65_536

    var count: Int { entries.count - entryHead }
    var waiting: Int { count - inFlight }

    /// The entry at `index`, 0 being the oldest.
    subscript(_ index: Int) -> Entry {
        get { entries[entryHead + index] }
        set { entries[entryHead + index] = newValue }
    }

    /// The bytes of the entry at `index`.
    func payload(_ index: Int) -> ArraySlice<UInt8> {
        let entry = self[index]
        let start = entry.start - taken
        return bytes[start..<start + entry.length]
    }

    mutating func append(_ payload: ArraySlice<UInt8>, channelID: UInt8) {
        entries.append(
            Entry(
                channelID: channelID, length: payload.count, retransmissions: 0, timeout: 0, deadline: 0, start: end))
        bytes.append(contentsOf: payload)
        end += payload.count
        waitingBytes += payload.count
    }

    /// The oldest that waits is in flight from now on; its index. There must be one.
    mutating func send(timeout: UInt64, deadline: UInt64) -> Int {
        let index = inFlight
        self[index].timeout = timeout
        self[index].deadline = deadline
        waitingBytes -= self[index].length
        inFlight += 1
        return index
    }

    /// Forgets the oldest `count` of those in flight.
    mutating func removeFirst(_ count: Int) {
        entryHead += count
        inFlight -= count
        guard entryHead < entries.count else {
            entries.removeAll(keepingCapacity: true)
            entryHead = 0
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.idleCapacity)
            taken = 0
            end = 0
            return
        }
        // Bytes are moved when more than half are done with, so each is moved about once.
        let done = entries[entryHead].start - taken
        if done > bytes.count / 2 {
            bytes.removeSubrange(..<done)
            taken += done
        }
        if entryHead > entries.count / 2 {
            entries.removeSubrange(..<entryHead)
            entryHead = 0
        }
    }
}
