internal import EvemuFormat
internal import InputCore
internal import RigConfiguration
internal import RigModel

/// A recording of one input node as the decoders understand it.
struct DecodedRecording: Equatable {
    /// Something that was done, and when: nanoseconds from the first report.
    struct Moment: Equatable {
        var offset: UInt64
        var input: DeviceInput
    }

    /// The rule of the table that decided what the device is.
    let rule: String
    /// What it is.
    let kind: DeviceKind
    /// Its touch surface, if it has one.
    let surface: SurfaceLayout?
    /// What was done, by time.
    let moments: [Moment]
    /// From the first report to the last, in nanoseconds.
    let duration: UInt64

    /// Where the clock of the decoders stands at the first report. Not 0: they look back.
    private static let start: UInt64 = 1_000_000_000

    /// Decodes the reports of a device that a profile is for, on a clock of its own, as a daemon would have heard them.
    init(
        _ frames: [EvdevFrame], of device: InputDeviceDescription, as profile: InputProfile,
        limits: IntentLimits = IntentLimits()
    ) {
        let layout = profile.layout(of: device, longPress: limits.longPress)
        var player = Player(layout, limits)
        let first = frames.first?.time ?? 0
        var now = Self.start
        for frame in frames {
            // The device's word may run backwards; ours does not.
            now = max(now, Self.shifted(frame.time, from: first))
            player.wait(until: now)
            var frame = frame
            frame.time = now
            for index in frame.events.indices {
                frame.events[index].time = min(now, Self.shifted(frame.events[index].time, from: first))
            }
            player.play(frame)
        }
        player.end(at: now)
        rule = profile.name
        kind = profile.kind
        surface = layout.surface
        duration = now - Self.start
        moments = player.told.map { Moment(offset: $0.time > Self.start ? $0.time - Self.start : 0, input: $0.input) }
    }

    private static func shifted(_ time: UInt64, from first: UInt64) -> UInt64 {
        guard time > first else { return start }
        let sum = (time - first).addingReportingOverflow(start)
        return sum.overflow ? .max : sum.partialValue
    }

    /// Decoder and assembly of one node, with their deadlines.
    private struct Player {
        private(set) var told: [(time: UInt64, input: DeviceInput)] = []
        private var decoder: InputDecoder
        private var assembly: InputAssembly

        init(_ layout: InputLayout, _ limits: IntentLimits) {
            decoder = InputDecoder(layout, limits: limits)
            assembly = InputAssembly(limits: limits)
        }

        mutating func play(_ frame: EvdevFrame) {
            var inputs: [DeviceInput] = []
            decoder.decode(frame, into: &inputs)
            take(inputs, at: frame.time)
        }

        mutating func wait(until time: UInt64) {
            while let next = [decoder.nextDeadline, assembly.nextDeadline].compactMap(\.self).min(), next <= time {
                if decoder.nextDeadline == next {
                    var inputs: [DeviceInput] = []
                    decoder.deadlineReached(now: next, into: &inputs)
                    take(inputs, at: next)
                } else {
                    var inputs: [DeviceInput] = []
                    assembly.deadlineReached(now: next, into: &inputs)
                    tell(inputs, at: next)
                }
            }
        }

        /// What the last report left open comes to its end, then the device is gone.
        mutating func end(at time: UInt64) {
            let settled = time.addingReportingOverflow(DecodedRecording.start)
            wait(until: settled.overflow ? .max : settled.partialValue)
            var inputs: [DeviceInput] = []
            decoder.end(time: time, into: &inputs)
            take(inputs, at: time)
            var last: [DeviceInput] = []
            assembly.end(into: &last)
            tell(last, at: time)
        }

        private mutating func take(_ inputs: [DeviceInput], at time: UInt64) {
            var own: [DeviceInput] = []
            assembly.take(inputs, from: 0, at: time, into: &own)
            tell(own, at: time)
        }

        private mutating func tell(_ inputs: [DeviceInput], at time: UInt64) {
            told += inputs.map { (time, $0) }
        }
    }
}
