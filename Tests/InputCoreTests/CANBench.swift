import InputCore
import RigConfiguration
import RigModel

/// One controller on a CAN bus as the daemon drives it, on the clock of its frames.
struct CANBench {
    private(set) var decoder: CANInputDecoder
    private var assembly = InputAssembly()
    private(set) var now: UInt64 = 0
    private var told: [DeviceInput] = []

    init(_ layout: CANLayout) { decoder = CANInputDecoder(layout) }

    /// The controller of a name in the shipped table.
    init(shipped name: String) throws { self.init(try CANTable.shipped.profile(named: name).layout) }

    /// Lets time pass up to a frame, deadlines with it, and decodes it.
    @discardableResult mutating func feed(_ frame: CANFrame) -> CANHearing {
        if frame.time > now { wait(until: frame.time) }
        var inputs: [DeviceInput] = []
        let hearing = decoder.decode(frame, into: &inputs)
        assembly.take(inputs, from: 0, at: now, into: &told)
        return hearing
    }

    @discardableResult mutating func feed(_ id: UInt32, _ data: [UInt8]) -> CANHearing {
        feed(CANFrame(id: CANIdentifier(id), data: data, time: now))
    }

    mutating func wait(_ nanoseconds: UInt64) { wait(until: now + nanoseconds) }

    private mutating func wait(until end: UInt64) {
        while let next = [decoder.nextDeadline, assembly.nextDeadline].compactMap(\.self).min(), next <= end {
            now = max(now, next)
            var inputs: [DeviceInput] = []
            decoder.deadlineReached(now: now, into: &inputs)
            assembly.take(inputs, from: 0, at: now, into: &told)
            assembly.deadlineReached(now: now, into: &told)
        }
        now = end
    }

    mutating func end() {
        var inputs: [DeviceInput] = []
        decoder.end(time: now, into: &inputs)
        assembly.take(inputs, from: 0, at: now, into: &told)
        assembly.end(into: &told)
    }

    /// What came out since the last time, as lines.
    mutating func lines() -> [String] {
        defer { told = [] }
        return told.map { input in
            switch input {
            case .event(let event): InputBench.line(event)
            case .intent(let intent): "intent \(InputBench.line(intent))"
            case .touch: "touch"
            }
        }
    }
}
