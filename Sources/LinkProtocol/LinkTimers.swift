/// The timers of a link, and when each runs out.
enum LinkTimer: Int, CaseIterable {
    /// Accessory: the next detection bytes. Device: unused.
    case detect
    /// Detection has taken too long.
    case detectBudget
    /// The synchronisation packet is sent again.
    case synchronize
    /// Synchronisation has taken too long.
    case synchronizationBudget
    /// A held back acknowledgement must go.
    case acknowledgement
    /// The oldest unacknowledged packet is sent again.
    case retransmission
}

/// A table of timers. A deadline that has passed stays until its timer is set anew or cleared.
struct LinkTimerTable: Sendable {
    private var deadlines: [6 of UInt64?] = .init(repeating: nil)

    subscript(_ timer: LinkTimer) -> UInt64? {
        get { deadlines[timer.rawValue] }
        set { deadlines[timer.rawValue] = newValue }
    }

    /// Sets a timer `duration` nanoseconds from `now`; beyond the end of time means the end of time.
    mutating func set(_ timer: LinkTimer, after duration: UInt64, now: UInt64) {
        let (deadline, overflow) = now.addingReportingOverflow(duration)
        self[timer] = overflow ? .max : deadline
    }

    mutating func clear() {
        deadlines = .init(repeating: nil)
    }

    /// The earliest deadline.
    var next: UInt64? {
        var earliest: UInt64?
        for index in deadlines.indices {
            if let deadline = deadlines[index], deadline < earliest ?? .max || earliest == nil { earliest = deadline }
        }
        return earliest
    }

    /// Clears and tells whether a timer has run out at `now`.
    mutating func take(_ timer: LinkTimer, now: UInt64) -> Bool {
        guard let deadline = self[timer], deadline <= now else { return false }
        self[timer] = nil
        return true
    }
}
