public import RigModel

/// A recording as it is played through a device: what that can send, and when.
public struct VirtualInputPlayback: Equatable, Sendable {
    /// One report.
    public struct Report: Equatable, Sendable {
        /// When it is due, in nanoseconds from the first report on; never before the one in front of it.
        public var offset: UInt64
        /// Its events, at least one.
        public var events: [EvdevEvent]
    }

    /// The reports in order.
    public let reports: [Report]
    /// How many events are left out, since the device does not have their codes: withheld keys, and what a description
    /// does not keep, such as scan codes and time stamps.
    public let leftOut: Int
    /// How many of these are presses of withheld keys.
    public let withheldPresses: Int

    /// The frames of a recording for a device that was made from it. Times that run backwards count as no time.
    public init(_ frames: [EvdevFrame], on device: VirtualInputDevice) {
        var reports: [Report] = []
        var leftOut = 0
        var withheldPresses = 0
        var offset: UInt64 = 0
        var last = frames.first?.time ?? 0
        for frame in frames {
            if frame.time > last {
                let (sum, overflow) = offset.addingReportingOverflow(frame.time - last)
                offset = overflow ? .max : sum
            }
            last = frame.time
            let events = frame.events.filter(device.sends)
            leftOut += frame.events.count - events.count
            withheldPresses += frame.events.count {
                $0.type == InputCode.key && $0.value == 1 && WithheldKey.name(of: $0.code) != nil
            }
            if !events.isEmpty { reports.append(Report(offset: offset, events: events)) }
        }
        self.reports = reports
        self.leftOut = leftOut
        self.withheldPresses = withheldPresses
        duration = offset
    }

    /// How long it lasts, from the first frame of the recording to its last, those that have nothing to send too.
    public let duration: UInt64
}
