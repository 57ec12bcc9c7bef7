internal import RigModel

/// Reports made of the events of one device, as they come.
struct LibinputReports {
    /// The whole ones.
    private(set) var frames: [EvdevFrame] = []
    /// One for each SYN_DROPPED.
    private(set) var losses = 0

    private var events: [EvdevEvent] = []
    /// True from a SYN_DROPPED to the next SYN_REPORT.
    private var isTorn = false

    /// Events behind the last SYN_REPORT.
    var unfinished: Int { isTorn ? 0 : events.count }

    /// Takes one; false when the report would be longer than a frame may be.
    mutating func take(_ event: EvdevEvent) -> Bool {
        switch (event.type, event.code) {
        case (0, 0):
            if !isTorn { frames.append(EvdevFrame(cause: .reported, events: events, time: event.time)) }
            events = []
            isTorn = false
        case (0, 3):
            events = []
            isTorn = true
            losses += 1
        case (_, _):
            guard !isTorn else { return true }
            guard events.count < EvdevFrame.maximumEvents else { return false }
            events.append(event)
        }
        return true
    }
}
