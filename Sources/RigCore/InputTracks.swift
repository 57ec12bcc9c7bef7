import RigModel

/// Who did something that is put on a link, and how it is to be published.
struct InputStamp: Equatable, Sendable {
    /// The number of the event.
    var id: InputID
    /// The input device.
    var source: String
    /// The caller's tag.
    var tag: String?
    /// Where it comes from.
    var origin: Origin
    /// Its display by the description's name; `nil` is the session's first.
    var display: String?
    /// Whose fingers they are: those of two gestures may have the same numbers.
    var owner: UInt64
    /// Whether it takes back what was begun: fingers are lifted that nobody lifted.
    var isCancellation: Bool
    /// Whether somebody is told how far it comes.
    var isTracked: Bool
    /// By how many nanoseconds it was sent later than it was due.
    var late: UInt64 = 0
}

/// Something that came from a device of the head unit.
struct LinkInput: Equatable, Sendable {
    /// What came.
    var arrival: HIDArrival
    /// Who did it, when it was somebody of the rig.
    var stamp: InputStamp?
}

/// What is on its way on one link: input that is followed until the other end has it, and reports of a simulated head
/// unit that were not received so far, in their order.
struct InputTracks: Sendable {
    /// The most events that are followed at a time: ours; many times what can wait on a link. The oldest is given up for
    /// one more.
    static let maximumFollowed = 1_024

    private struct Followed: Sendable {
        var input: InputID
        /// The link's packet that ends it.
        var packet: UInt64
        /// The bytes of the link up to its end, once it was sent.
        var bytes: UInt64?
        var isDelivered = false
    }

    private var followed: [Followed] = []
    /// The reports that a simulated head unit sent, in their order, and for whom. Most links lose none; one without
    /// acknowledgements does, so that a report is known by what it says.
    private var expected: [(component: UInt16, length: Int, stamp: InputStamp?)] = []
    /// Their bytes, behind each other.
    private var expectedBytes: [UInt8] = []

    var isEmpty: Bool { followed.isEmpty }

    mutating func follow(_ input: InputID, packet: UInt64) {
        if followed.count == Self.maximumFollowed { followed.removeFirst() }
        followed.append(Followed(input: input, packet: packet))
    }

    mutating func expect(_ stamp: InputStamp?, component: UInt16, _ report: ArraySlice<UInt8>) {
        // What was lost is never taken out; what waits on a link is far less.
        if expected.count == Self.maximumFollowed {
            expectedBytes.removeFirst(expected[0].length)
            expected.removeFirst()
        }
        expected.append((component, report.count, stamp))
        expectedBytes.append(contentsOf: report)
    }

    /// A report came: whose it is, or `nil` when it was made by nobody of the rig.
    mutating func arrived(component: UInt16, _ report: ArraySlice<UInt8>) -> InputStamp? {
        var end = 0
        for place in expected.indices {
            let start = end
            end += expected[place].length
            guard expected[place].component == component, expectedBytes[start..<end] == report else { continue }
            let stamp = expected[place].stamp
            expected.removeFirst(place + 1)
            expectedBytes.removeFirst(end)
            return stamp
        }
        return nil
    }

    /// Tells what has come further, oldest first.
    ///
    /// - Parameters:
    ///   - sent: packets that the link has sent.
    ///   - acknowledged: those that the other end has acknowledged, or `nil` where that is not known.
    ///   - made: bytes that the link has made so far, and `taken` those of them that the wire has taken.
    mutating func advance(
        sent: UInt64, acknowledged: UInt64?, made: UInt64, taken: UInt64, _ tell: (InputID, InputStep) -> Void
    ) {
        for index in followed.indices {
            if followed[index].bytes == nil, followed[index].packet <= sent { followed[index].bytes = made }
            let isRead = acknowledged.map { followed[index].packet <= $0 } ?? false
            if !followed[index].isDelivered, isRead || followed[index].bytes.map({ $0 <= taken }) ?? false {
                followed[index].isDelivered = true
                tell(followed[index].input, .delivered)
            }
            if isRead { tell(followed[index].input, .read) }
        }
        followed.removeAll { one in
            acknowledged.map { one.packet <= $0 } ?? one.isDelivered
        }
    }
}
