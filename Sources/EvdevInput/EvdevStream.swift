internal import CLinux
package import RigModel

/// Makes whole frames of a node's events, and knows what to leave out after the kernel dropped some. Pure: the reader
/// gives it what it read and does what it asks.
package struct EvdevStream {
    /// Where the stream stands.
    private enum State {
        /// Frames are whole. Exits: torn (SYN_DROPPED, a frame without end).
        case whole
        /// Events are missing; everything is left out up to a SYN_REPORT. Exits: draining (SYN_REPORT).
        case torn
        /// Frames are whole again, but it is not known how keys, axes and slots stand. What still waits in the queue is
        /// older than what the kernel will say of them, so of its frames only the relative motion counts.
        /// Exits: whole (`recover` with a settled answer), torn (SYN_DROPPED, a frame without end).
        case draining
    }

    /// What an event has led to.
    package enum Step: Equatable {
        /// Nothing yet.
        case gathered
        /// `frame` is whole. It is emptied by the next event.
        case frame
        /// Events are lost, or a frame was too long to be one. Told once until `recover`.
        case lost
    }

    private var state: State
    /// Whether the loss that led here is told; what is lost before `recover` is the same once more.
    private var isLossTold = false
    private var isComplete = false
    /// The frame that is gathered.
    package private(set) var frame = EvdevFrame(cause: .reported)
    /// What was told so far.
    package private(set) var standing: EvdevStanding

    /// A stream of a node that stands like this.
    ///
    /// - Parameter isSettled: false when something that waits in the queue may be older than that; it is then read as
    ///   after a loss, but nothing is told as lost.
    package init(_ standing: EvdevStanding, isSettled: Bool = true) {
        self.standing = standing
        state = isSettled ? .whole : .draining
        // A knob's frame has one or two events, a pad's with five fingers about thirty.
        frame.events.reserveCapacity(64)
    }

    /// True while `recover` is awaited: once the queue is empty, ask the kernel how the node stands.
    package var isDraining: Bool {
        switch state {
        case .draining: true
        case .whole, .torn: false
        }
    }

    /// True while nothing is missing: `standing` is how the node stands.
    package var isWhole: Bool {
        switch state {
        case .whole: true
        case .torn, .draining: false
        }
    }

    /// Takes the next event.
    package mutating func take(_ event: EvdevEvent) -> Step {
        if isComplete {
            isComplete = false
            frame.events.removeAll(keepingCapacity: true)
        }
        guard event.type == UInt16(EV_SYN), event.code != UInt16(SYN_MT_REPORT) else { return gather(event) }
        switch event.code {
        case UInt16(SYN_REPORT): return report(event)
        case UInt16(SYN_DROPPED): return tear()
        default: return .gathered
        }
    }

    /// Takes what the kernel says; gives the frames that tell the difference. Nothing outside `isDraining`.
    ///
    /// - Parameter isSettled: false when something older may still wait in the queue. It cannot be told on top of this,
    ///   since not even the slot that it speaks of is known; so the queue is drained on, up to the next answer.
    package mutating func recover(_ now: EvdevStanding, isSettled: Bool = true, time: UInt64) -> [EvdevFrame] {
        switch state {
        case .whole, .torn: return []
        case .draining:
            if isSettled { state = .whole }
            isLossTold = false
            let frames = standing.frames(leadingTo: now, time: time)
            standing = now
            return frames
        }
    }

    private mutating func gather(_ event: EvdevEvent) -> Step {
        switch state {
        case .whole: break
        case .torn: return .gathered
        case .draining: if event.type != UInt16(EV_REL) { return .gathered }
        }
        guard frame.events.count < EvdevFrame.maximumEvents else { return tear() }
        frame.events.append(event)
        return .gathered
    }

    private mutating func report(_ event: EvdevEvent) -> Step {
        switch state {
        case .whole: for part in frame.events { standing.note(part) }
        case .torn:
            state = .draining
            return .gathered
        case .draining: break
        }
        if frame.events.isEmpty { return .gathered }
        frame.time = event.time
        isComplete = true
        return .frame
    }

    private mutating func tear() -> Step {
        frame.events.removeAll(keepingCapacity: true)
        state = .torn
        defer { isLossTold = true }
        return isLossTold ? .gathered : .lost
    }
}
