import RigModel

/// Injected input on its way through an app.
struct OutstandingInput: Equatable, Sendable {
    let input: InputID
    /// The sequence number of its event.
    let sequence: UInt64
    /// The session that it was for; the app may be in another one by now.
    let session: SessionID
}

/// An app and what the rig holds for it beside what it publishes.
struct AppEntry: Sendable {
    var app: App
    let client: ClientID
    let token: String
    /// Injected input that its socket has not taken yet, in the order in which it was sent.
    private var untaken: [OutstandingInput] = []
    /// Injected input that it has not acknowledged yet, in the order of its numbers.
    private var unread: [OutstandingInput] = []

    /// An app that never acknowledges is not remembered for ever: the oldest waits are given up.
    static let maximumOutstanding = 4_096

    init(app: App, client: ClientID, token: String) {
        self.app = app
        self.client = client
        self.token = token
    }

    /// An injected event was sent.
    mutating func expectTaking(of sent: OutstandingInput) {
        if untaken.count >= Self.maximumOutstanding { untaken.removeFirst(Self.maximumOutstanding / 2) }
        if unread.count >= Self.maximumOutstanding { unread.removeFirst(Self.maximumOutstanding / 2) }
        untaken.append(sent)
        unread.insert(sent, at: unread.place { $0.input < sent.input })
    }

    /// Its socket has taken everything up to an event.
    ///
    /// - Returns: what has been delivered by that.
    mutating func took(upTo sequence: UInt64) -> [OutstandingInput] {
        let count = untaken.place { $0.sequence <= sequence }
        defer { untaken.removeFirst(count) }
        return Array(untaken.prefix(count))
    }

    /// It has read an event.
    ///
    /// - Returns: the event, and whether its socket was still to take it; `nil` when nobody waits for that.
    mutating func acknowledge(_ input: InputID) -> (OutstandingInput, wasUntaken: Bool)? {
        let place = unread.place { $0.input < input }
        guard place < unread.count, unread[place].input == input else { return nil }
        let read = unread.remove(at: place)
        let sent = untaken.place { $0.sequence < read.sequence }
        guard sent < untaken.count, untaken[sent] == read else { return (read, false) }
        untaken.remove(at: sent)
        return (read, true)
    }
}

extension Array {
    /// How many elements at the front meet a condition that all of them meet up to some place and none behind it.
    fileprivate func place(_ isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
