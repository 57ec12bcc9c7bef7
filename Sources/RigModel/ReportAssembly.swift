/// Reports made of the events of one recorded device, as they come.
public struct ReportAssembly: Sendable {
    /// The whole ones.
    public private(set) var frames: [EvdevFrame] = []
    /// One for each SYN_DROPPED. The report that it tore is left out.
    public private(set) var losses = 0

    private var events: [EvdevEvent] = []
    /// True from a SYN_DROPPED to the next SYN_REPORT.
    private var isTorn = false

    /// Nothing came so far.
    public init() {}

    /// How many events stand behind the last SYN_REPORT.
    public var unfinished: Int { isTorn ? 0 : events.count }

    /// Takes the next event; false, and nothing is taken, when the report would be longer than a frame may be.
    public mutating func take(_ event: EvdevEvent) -> Bool {
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
