public import RigModel

/// What a subscriber has not read yet, bounded: motion is merged, the merging is told, and in the end there is no room.
///
/// Below half of its limit the queue keeps every event. Above, an event that only says "further" takes the place of the
/// one before it from the same source: turns are added up, fingers are where they are now. Nothing else is ever merged
/// or moved, and sequence numbers stay in order. What is missing is told by a `stream.lost` event just before the event
/// that stands for it.
public struct DeliveryQueue: Sendable {
    /// An event that waits.
    private struct Entry {
        var event: Event
        var size: Int
        var tell: Bool
        /// The events that this one stands for beside itself.
        var stoodFor: (from: UInt64, to: UInt64, count: UInt64)?
    }

    /// An event taken out of the queue.
    public struct Delivery: Equatable, Sendable {
        /// The event.
        public let event: Event
        /// Whether the rig wants to hear when its last byte is taken.
        public let tell: Bool
    }

    /// How many bytes may wait.
    public let limit: Int
    /// How many bytes wait, as their senders counted them.
    public private(set) var size = 0
    private var entries: [Entry?] = []
    private var head = 0
    /// Where the last motion of a source waits; emptied by everything that is no motion.
    private var lastMotion: [(source: String, place: Int)] = []

    /// What a `stream.lost` event takes, more than any: its numbers have at most 20 digits each.
    static let lossSize = 224

    /// An empty queue for `limit` bytes.
    public init(limit: Int) { self.limit = limit }

    /// Whether nothing waits.
    public var isEmpty: Bool { head == entries.count }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - size: the bytes that it takes on the stream.
    ///   - tell: whether the rig wants to hear when its last byte is taken.
    /// - Returns: false when there is no room for it; the stream must then end with `SubscriberTooSlow`.
    public mutating func append(_ event: Event, size: Int, tell: Bool) -> Bool {
        var entry = Entry(event: event, size: size, tell: tell)
        guard case .input(let input) = event.payload, input.isMotion, let source = event.input?.source else {
            lastMotion.removeAll(keepingCapacity: true)
            return add(entry)
        }
        let known = lastMotion.firstIndex { $0.source == source }
        if self.size > limit / 2, let known, let earlier = entries[lastMotion[known].place],
            let merged = Self.merge(earlier.event, event)
        {
            entries[lastMotion[known].place] = nil
            self.size -= earlier.size
            let missed = earlier.event.sequence
            let before = earlier.stoodFor
            entry.event = merged
            entry.tell = tell || earlier.tell
            entry.size = size + Self.lossSize
            entry.stoodFor = (before?.from ?? missed, missed, (before?.count ?? 0) + 1)
        }
        if let known { lastMotion.remove(at: known) }
        lastMotion.append((source, entries.count))
        return add(entry)
    }

    private mutating func add(_ entry: Entry) -> Bool {
        // The queue takes an event of any size when it is empty: the limit is for what a client leaves unread.
        guard size + entry.size <= limit || isEmpty else { return false }
        entries.append(entry)
        size += entry.size
        return true
    }

    /// Takes the next event out, with the `stream.lost` that belongs before it, if any.
    public mutating func next() -> (loss: Event?, delivery: Delivery)? {
        while head < entries.count {
            let entry = entries[head]
            entries[head] = nil
            head += 1
            guard let entry else { continue }
            lastMotion.removeAll { $0.place < head }
            if head > 256 && head * 2 > entries.count { compact() }
            size -= entry.size
            let loss = entry.stoodFor.map { stoodFor in
                Event(
                    sequence: entry.event.sequence, time: entry.event.time, kind: .streamLost, origin: .declared,
                    payload: .lost(from: stoodFor.from, to: stoodFor.to, merged: stoodFor.count))
            }
            return (loss, Delivery(event: entry.event, tell: entry.tell))
        }
        entries.removeAll(keepingCapacity: true)
        head = 0
        lastMotion.removeAll(keepingCapacity: true)
        return nil
    }

    private mutating func compact() {
        entries.removeFirst(head)
        for index in lastMotion.indices { lastMotion[index].place -= head }
        head = 0
    }

    /// The later event with the earlier one in it, or `nil` when they are not the same movement.
    private static func merge(_ earlier: Event, _ later: Event) -> Event? {
        guard earlier.session == later.session, earlier.display == later.display,
            earlier.input?.revision == later.input?.revision, earlier.input?.tag == later.input?.tag,
            case .input(let first) = earlier.payload, case .input(let second) = later.payload
        else { return nil }
        var merged = later
        switch (first, second) {
        case (.knob(.rotate(let one)), .knob(.rotate(let other))):
            let (sum, overflows) = one.addingReportingOverflow(other)
            // A turn of nothing is no event; the two stay as they are.
            guard !overflows, sum != 0 else { return nil }
            merged.payload = .input(.knob(.rotate(detents: sum)))
        case (.touch(let one), .touch(let other)):
            guard one.contacts.map(\.id) == other.contacts.map(\.id) else { return nil }
        case (.touchpad(let one), .touchpad(let other)):
            guard one.contacts.map(\.id) == other.contacts.map(\.id) else { return nil }
        case (.knob, _), (.touch, _), (.touchpad, _), (.key, _): return nil
        }
        return merged
    }
}
