import RigModel

/// One way along the steps: that of the scenario itself, or of a branch of `parallel`. It has its own place on the
/// timeline, and looks at the events by itself.
struct RunLane: Sendable {
    /// A step whose time is known.
    struct Pending: Equatable, Sendable {
        /// Its index; the end of the lane's range stands for the end.
        let step: Int
        /// When it is to begin.
        let scheduled: UInt64
        /// When it can begin: not before a `wait` in front of it is over, even if that is later.
        let possible: UInt64
        /// When its turn is: what stands before it has begun, or was met, by the same times.
        let turn: UInt64
        /// When it begins if nobody is late.
        var beginning: UInt64 { max(possible, turn) }
        /// For a repetition: which one, from 0.
        var occurrence = 0
        /// For a repetition: when the first was to begin.
        var first: UInt64
        /// For `after`: whether its event came.
        var isConditionMet = false

        init(step: Int, scheduled: UInt64, notBefore: UInt64 = 0, turn: UInt64) {
            self.step = step
            self.scheduled = scheduled
            self.possible = max(scheduled, notBefore)
            self.turn = turn
            self.first = scheduled
        }
    }

    /// A search for events.
    struct Search: Sendable {
        let pending: Pending
        let expectation: EventExpectation
        /// The last moment at which an event counts.
        let deadline: UInt64
        /// How many came.
        var found = 0
    }

    enum State: Sendable {
        /// The time of the next step, or of the end, is awaited. Exits: performing, searching, joining, ready (wait), over.
        case ready(Pending)
        /// The rig's answer to a step's command is awaited until `deadline`. Exits: ready, over.
        case performing(Pending, deadline: UInt64)
        /// Events are awaited. Exits: ready, over.
        case searching(Search)
        /// The branches of a `parallel` go their ways. Exits: ready (the last of them is over), over.
        case joining(Pending)
        /// It goes no further. No exit.
        case over
    }

    /// The steps that it does.
    let range: Range<Int>
    var state: State
    var window: EventWindow
    /// When the step before is over, on the timeline: where the next one begins that says nothing.
    var point: UInt64
    /// When it was at its end if nobody was late; meaningless before.
    var end: UInt64 = 0
    /// When the step before was to begin: what `at +` counts from.
    var base: UInt64

    /// A lane that begins at a time, with what it knows of events.
    init(_ range: Range<Int>, at time: UInt64, window: EventWindow) {
        self.range = range
        self.window = window
        point = time
        base = time
        state = .ready(Pending(step: range.lowerBound, scheduled: time, turn: time))
    }

    /// When something has to be done; `nil` when it waits for no time.
    var deadline: UInt64? {
        switch state {
        case .ready(let pending): pending.possible
        case .performing(_, let deadline): deadline
        case .searching(let search): search.deadline
        case .joining, .over: nil
        }
    }

    /// The step that it is at.
    var step: Int? {
        switch state {
        case .ready(let pending), .performing(let pending, _), .joining(let pending): pending.step
        case .searching(let search): search.pending.step
        case .over: nil
        }
    }
}
