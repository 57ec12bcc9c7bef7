import RigModel

/// The events that expectations may still look at: those since the window was opened, of the kinds that anybody asks
/// for before the next window opens. Each of them meets at most one expectation.
struct EventWindow: Sendable {
    /// One event.
    struct Seen: Sendable {
        let kind: EventKind
        let record: RecordValue
        /// When it came, on the caller's clock.
        let time: UInt64
        /// Its place among all events of the run, from 1.
        let ordinal: Int
        /// The line of the expectation that it met.
        var metLine: Int?
    }

    /// The most events of the kinds asked for in one window.
    static let maximumEvents = 16_384
    /// How many of the last events, motion apart, are kept for messages.
    static let maximumRecent = 64

    private(set) var events: [Seen] = []
    /// True when more came than are kept.
    private(set) var isOverfull = false
    /// The last events of the run whatever their kind, but for moving contacts, which would drive out everything else.
    private var recent: [Seen] = []
    private var kinds: [EventKind] = []
    /// How many events came in the whole run.
    private var count = 0
    /// Those up to this ordinal came before the window.
    private var openedAfter = 0
    /// `then` looks behind this ordinal; the expectation in the line before it has always set it.
    private var lastMet = 0

    /// Opens a window in which expectations of `kinds` look.
    mutating func open(kinds: [EventKind]) {
        events.removeAll(keepingCapacity: true)
        self.kinds = kinds
        isOverfull = false
        openedAfter = count
    }

    /// Takes an event in; answers its index in `events`, or `nil` when nobody asks for its kind.
    mutating func add(_ kind: EventKind, _ record: RecordValue, time: UInt64) -> Int? {
        count += 1
        let seen = Seen(kind: kind, record: record, time: time, ordinal: count, metLine: nil)
        if !kind.isMotion(record) {
            // Cut in halves, so that it costs nothing per event.
            if recent.count == 2 * Self.maximumRecent { recent.removeFirst(Self.maximumRecent) }
            recent.append(seen)
        }
        guard kinds.contains(kind) else { return nil }
        guard events.count < Self.maximumEvents else {
            isOverfull = true
            return nil
        }
        events.append(seen)
        return events.count - 1
    }

    /// Whether the event at `index` can meet the expectation.
    func matches(_ index: Int, _ expectation: EventExpectation) -> Bool {
        let event = events[index]
        return event.kind == expectation.kind && event.metLine == nil
            && (!expectation.isNext || event.ordinal > lastMet) && expectation.holds(for: event.record)
    }

    /// The first event from `index` on that can meet the expectation.
    func first(_ expectation: EventExpectation, from index: Int) -> Int? {
        events.indices.dropFirst(index).first { matches($0, expectation) }
    }

    /// Gives an event to the expectation of a line.
    mutating func use(_ index: Int, line: Int) { events[index].metLine = line }

    /// Takes over which events have met an expectation in a copy that went its own way.
    mutating func use(whatMetIn other: EventWindow) {
        var place = 0
        for event in other.events {
            guard let line = event.metLine else { continue }
            while place < events.count, events[place].ordinal < event.ordinal { place += 1 }
            if place < events.count, events[place].ordinal == event.ordinal { events[place].metLine = line }
        }
    }

    /// The expectation is met by the event at `index`: `then` goes on behind it.
    mutating func met(by index: Int) { lastMet = events[index].ordinal }

    /// The expectation was about everything until now: `then` goes on behind that.
    mutating func metByAll() { lastMet = count }

    /// The last events of the run, oldest first.
    func last(_ number: Int) -> [Seen] { Array(recent.suffix(number)) }

    /// What came that was nearly what was expected, for a person. `start` is the timeline's zero.
    func hint(for expectation: EventExpectation, since start: UInt64) -> String? {
        func at(_ event: Seen) -> String { "\(DurationText.seconds(event.time.since(start))) s" }
        func fits(_ event: Seen) -> Bool {
            event.kind == expectation.kind && expectation.holds(for: event.record)
        }
        guard expectation.amount != .never else { return nil }
        if expectation.amount == .once, let fitting = events.last(where: fits) {
            guard let line = fitting.metLine else {
                return "one came at \(at(fitting)), before the event of the line above; "
                    + "'expect' in place of 'then' does not ask for the order"
            }
            return "the one that came at \(at(fitting)) met line \(line) already"
        }
        let misses = events.last { $0.kind == expectation.kind && !expectation.holds(for: $0.record) }
        if let near = misses, let miss = expectation.miss(in: near.record) {
            return "\(expectation.kind.rawValue) came at \(at(near)), but \(miss)"
        }
        if let early = recent.suffix(Self.maximumRecent).last(where: { $0.ordinal <= openedAfter && fits($0) }) {
            return "one came at \(at(early)), before the step that this line is about; expect it further up"
        }
        return nil
    }
}

extension EventKind {
    /// Whether the record of an event of this kind only says that contacts moved on.
    func isMotion(_ record: RecordValue) -> Bool {
        let path: String
        switch self {
        case .inputTouch: path = "touch.contacts"
        case .inputTouchpad: path = "touchpad.contacts"
        case .deviceAttached, .deviceChanged, .deviceDetached, .deviceRefused, .phoneChanged, .sessionOpened,
            .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed, .linkIrregularity,
            .messageSent, .messageReceived, .fileReceived, .displayAdded, .displayChanged, .displayRemoved,
            .frontChanged, .vehicleChanged, .inputKnob, .inputKey, .inputIntent, .inputStep, .inputLost,
            .appLaunched, .appEnded,
            .configurationReloaded, .configurationRefused, .faultArmed, .faultStruck, .faultCleared, .leaseTaken, .mark,
            .resync,
            .streamLost:
            return false
        }
        guard case .array(let contacts)? = record.value(at: path) else { return false }
        return contacts.allSatisfy {
            let phase = $0.text(at: "phase")
            return phase == ContactPhase.moved.rawValue || phase == ContactPhase.stationary.rawValue
        }
    }
}
