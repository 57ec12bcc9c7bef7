/// What a deadline belongs to.
enum TimerKey: Hashable, Sendable {
    /// A link's next timeout.
    case link(UInt32)
    /// The next try of a device's handshake.
    case retry(UInt32)
    /// When a device that changes its mode must be back.
    case reenumeration(UInt32)
    /// A gesture's next event.
    case gesture(UInt64)
    /// A sequence's next step.
    case sequence(UInt64)
    /// A client that waits for an input step.
    case wait(UInt64)
    /// A scenario's next step or timeout.
    case run(UInt64)
    /// The next point of the vehicle's track.
    case track
}

/// The rig's deadlines, soonest first, and at the same time those of gestures first: a binary heap whose cost does not depend on what is idle.
///
/// An owner has at most one deadline that counts; entries that it replaced stay until they come up and are then
/// skipped, and are swept out when they outnumber the live ones.
struct DeadlineQueue: Sendable {
    private struct Entry {
        let time: UInt64
        let order: UInt64
        let key: TimerKey

        static func comesBefore(_ left: Entry, _ right: Entry) -> Bool {
            if left.time != right.time { return left.time < right.time }
            if left.isOfGesture != right.isOfGesture { return left.isOfGesture }
            return left.order < right.order
        }

        /// What a gesture has still to send comes before what begins at the same time: the step that follows it begins when
        /// it is over.
        private var isOfGesture: Bool {
            switch key {
            case .gesture: true
            case .link, .retry, .reenumeration, .sequence, .wait, .run, .track: false
            }
        }
    }

    private struct Live {
        let time: UInt64
        let order: UInt64
    }

    private var heap: [Entry] = []
    /// The entry of each owner that counts.
    private var live: [TimerKey: Live] = [:]
    private var orders: UInt64 = 0

    /// How many deadlines count.
    var count: Int { live.count }

    /// How many entries lie in the heap, those that were replaced among them.
    var stored: Int { heap.count }

    /// The soonest deadline.
    var next: UInt64? {
        mutating get {
            dropStale()
            return heap.first?.time
        }
    }

    /// Gives an owner its deadline, in place of the one it had; `nil` takes it away.
    mutating func set(_ key: TimerKey, at time: UInt64?) {
        guard live[key]?.time != time else { return }
        if let time {
            orders += 1
            live[key] = Live(time: time, order: orders)
            push(Entry(time: time, order: orders, key: key))
        } else {
            live[key] = nil
        }
        if heap.count > 64 && heap.count > live.count * 4 { sweep() }
    }

    /// Takes the owner whose deadline has come first, if any has.
    mutating func popDue(now: UInt64) -> TimerKey? {
        dropStale()
        guard let first = heap.first, first.time <= now else { return nil }
        pop()
        live[first.key] = nil
        return first.key
    }

    private mutating func dropStale() {
        while let first = heap.first, !counts(first) { pop() }
    }

    private func counts(_ entry: Entry) -> Bool { live[entry.key]?.order == entry.order }

    private mutating func sweep() {
        heap.removeAll { live[$0.key]?.order != $0.order }
        for place in heap.indices { rise(from: place) }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        rise(from: heap.count - 1)
    }

    /// Brings an entry to its place among those before it.
    private mutating func rise(from place: Int) {
        var child = place
        while child > 0 {
            let parent = (child - 1) / 2
            guard Entry.comesBefore(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            let left = parent * 2 + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && Entry.comesBefore(heap[right], heap[left]) ? right : left
            guard Entry.comesBefore(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
