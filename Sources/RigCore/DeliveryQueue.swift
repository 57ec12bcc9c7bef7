public import RigModel

/// What a subscriber has not read yet, bounded: motion is merged, the merging is told, and in the end there is no room.
///
/// Below half of its limit the queue keeps every event. Above, an event that only says "further" takes the place of the
/// one before it from the same source: turns and ways are added up, fingers are where they are now. What was done and
/// what was meant by it come in turns and are merged each by itself. Nothing else is ever merged or moved, and sequence
/// numbers stay in order. What is missing is told by a `stream.lost` event just before the event that stands for it.
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
    /// What waits from `head` on, oldest first; `nil` where an event was merged into a later one.
    private var entries: [Entry?] = []
    private var head = 0
    /// How many of the places from `head` on are empty.
    private var holes = 0
    /// A movement goes on in events of the same of these.
    private struct Track: Equatable {
        var source: String
        /// Whether they tell what was meant, beside those that tell what was done.
        var isIntent: Bool
    }

    /// Where the last motion of a track waits; emptied by everything that is no motion.
    private var lastMotion: [(track: Track, place: Int)] = []

    /// What a `stream.lost` event takes on the stream, more than any: its five numbers have at most 19 digits each.
    static let lossSize = 256

    /// An empty queue for `limit` bytes.
    public init(limit: Int) { self.limit = limit }

    /// Whether nothing waits.
    public var isEmpty: Bool { head + holes == entries.count }

    /// How many places are held for what waits.
    var stored: Int { entries.count }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - size: the bytes that it takes on the stream.
    ///   - tell: whether the rig wants to hear when its last byte is taken.
    /// - Returns: false when there is no room for it; the stream must then end with `SubscriberTooSlow`. The queue is as
    ///   it was before.
    public mutating func append(_ event: Event, size: Int, tell: Bool) -> Bool {
        guard let track = Self.track(of: event) else {
            guard hasRoom(for: size) else { return false }
            lastMotion.removeAll(keepingCapacity: true)
            add(Entry(event: event, size: size, tell: tell))
            return true
        }
        let known = lastMotion.firstIndex { $0.track == track }
        if self.size > limit / 2, let known, let earlier = entries[lastMotion[known].place],
            let merged = Self.merge(earlier.event, event)
        {
            var entry = Entry(event: merged, size: size + Self.lossSize, tell: tell || earlier.tell)
            let missed = earlier.event.sequence
            entry.stoodFor = (
                earlier.stoodFor?.from ?? missed, missed, (earlier.stoodFor?.count ?? 0) + 1
            )
            guard hasRoom(for: entry.size, without: earlier) else { return false }
            self.size -= earlier.size
            empty(lastMotion[known].place)
            lastMotion.remove(at: known)
            lastMotion.append((track, entries.count))
            add(entry)
            if holes > 64 && holes * 2 > entries.count - head { squeeze() }
            return true
        }
        guard hasRoom(for: size) else { return false }
        if let known { lastMotion.remove(at: known) }
        lastMotion.append((track, entries.count))
        add(Entry(event: event, size: size, tell: tell))
        return true
    }

    /// The queue takes an event of any size when it is empty: the limit is for what a client leaves unread.
    private func hasRoom(for size: Int, without merged: Entry? = nil) -> Bool {
        if let merged { return self.size - merged.size + size <= limit || entries.count - head - holes == 1 }
        return self.size + size <= limit || isEmpty
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        size += entry.size
    }

    /// Takes away the event at a place that was merged into a later one.
    private mutating func empty(_ place: Int) {
        if place == entries.count - 1 {
            entries.removeLast()
        } else {
            entries[place] = nil
            holes += 1
        }
    }

    /// Takes the next event out, with the `stream.lost` that belongs before it, if any.
    public mutating func next() -> (loss: Event?, delivery: Delivery)? {
        while head < entries.count {
            let entry = entries[head]
            entries[head] = nil
            head += 1
            guard let entry else {
                holes -= 1
                continue
            }
            lastMotion.removeAll { $0.place < head }
            if head > 256 && head * 2 > entries.count { squeeze() }
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

    /// Gives up the places of what was taken out or merged away: who never reads must not cost a place for each event.
    private mutating func squeeze() {
        var kept: [Entry?] = []
        kept.reserveCapacity(entries.count - head - holes)
        for place in head..<entries.count {
            guard let entry = entries[place] else { continue }
            for index in lastMotion.indices where lastMotion[index].place == place {
                lastMotion[index].place = kept.count
            }
            kept.append(entry)
        }
        entries = kept
        head = 0
        holes = 0
    }

    /// The track of an event that is motion; `nil` of everything else.
    private static func track(of event: Event) -> Track? {
        guard let source = event.input?.source else { return nil }
        switch event.payload {
        case .input(let input): return input.isMotion ? Track(source: source, isIntent: false) : nil
        case .intent(let intent): return intent.isMotion ? Track(source: source, isIntent: true) : nil
        default: return nil
        }
    }

    /// The later event with the earlier one in it, or `nil` when they are not the same movement.
    private static func merge(_ earlier: Event, _ later: Event) -> Event? {
        guard earlier.session == later.session, earlier.display == later.display,
            earlier.input?.revision == later.input?.revision, earlier.input?.tag == later.input?.tag
        else { return nil }
        let payload: EventPayload? =
            switch (earlier.payload, later.payload) {
            case (.input(let first), .input(let second)): merge(first, second).map { .input($0) }
            case (.intent(let first), .intent(let second)): merge(first, second).map { .intent($0) }
            default: nil
            }
        guard let payload else { return nil }
        var merged = later
        merged.payload = payload
        return merged
    }

    private static func merge(_ first: InputEvent, _ second: InputEvent) -> InputEvent? {
        switch (first, second) {
        case (.knob(.rotate(let one)), .knob(.rotate(let other))):
            return sum(one, other).map { .knob(.rotate(detents: $0)) }
        case (.touch(let one), .touch(var other)):
            guard one.contacts.map(\.id) == other.contacts.map(\.id) else { return nil }
            for index in other.contacts.indices where one.contacts[index].phase == .moved {
                // It rests now, but not where the client saw it last.
                other.contacts[index].phase = .moved
            }
            return .touch(other)
        case (.touchpad(let one), .touchpad(var other)):
            guard one.contacts.map(\.id) == other.contacts.map(\.id) else { return nil }
            for index in other.contacts.indices where one.contacts[index].phase == .moved {
                other.contacts[index].phase = .moved
            }
            return .touchpad(other)
        case (.knob, _), (.touch, _), (.touchpad, _), (.key, _): return nil
        }
    }

    private static func merge(_ first: InputIntent, _ second: InputIntent) -> InputIntent? {
        switch (first, second) {
        case (.pressTurn(let one), .pressTurn(let other)):
            return sum(one, other).map { .pressTurn(detents: $0) }
        case (.scroll(let x, let y), .scroll(let otherX, let otherY)):
            let (sumX, overflowsX) = x.addingReportingOverflow(otherX)
            let (sumY, overflowsY) = y.addingReportingOverflow(otherY)
            guard !overflowsX, !overflowsY, sumX != 0 || sumY != 0 else { return nil }
            return .scroll(x: sumX, y: sumY)
        case (.press, _), (.longPress, _), (.doublePress, _), (.pressTurn, _), (.tap, _), (.swipe, _), (.scroll, _),
            (.focus, _):
            return nil
        }
    }

    /// Turns added up; `nil` where the sum is too large for one, or 0: a turn of nothing is no event, and the two stay as
    /// they are.
    private static func sum(_ one: Int32, _ other: Int32) -> Int32? {
        let (sum, overflows) = one.addingReportingOverflow(other)
        return overflows || sum == 0 ? nil : sum
    }
}
