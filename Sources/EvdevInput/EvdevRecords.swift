internal import CLinux
package import RigModel

/// Cuts what is read from a node into events, however it is read. The kernel gives whole ones; what stands in for it may
/// not.
package struct EvdevRecords {
    /// How many bytes an event has: `struct input_event` of 64 bits.
    package static let size = MemoryLayout<input_event>.stride

    /// The beginning of an event whose rest is still to come.
    private var part: [UInt8] = []

    /// Nothing was read so far.
    package init() { part.reserveCapacity(Self.size) }

    /// Takes what was read next and hands on each event that is whole by it, as long as `body` wants more. When it does
    /// not, the rest is forgotten.
    package mutating func take(_ bytes: UnsafeRawBufferPointer, _ body: (EvdevEvent) -> Bool) {
        var rest = bytes[...]
        if !part.isEmpty {
            let missing = rest.prefix(Self.size - part.count)
            part.append(contentsOf: missing)
            rest = rest.dropFirst(missing.count)
            guard part.count == Self.size else { return }
            let event = part.withUnsafeBytes { Self.event($0.loadUnaligned(as: input_event.self)) }
            part.removeAll(keepingCapacity: true)
            if !body(event) { return }
        }
        let whole = rest.prefix(rest.count - rest.count % Self.size)
        for offset in stride(from: whole.startIndex, to: whole.endIndex, by: Self.size)
        where !body(Self.event(bytes.loadUnaligned(fromByteOffset: offset, as: input_event.self))) {
            return
        }
        part.append(contentsOf: rest.dropFirst(whole.count))
    }

    private static func event(_ raw: input_event) -> EvdevEvent {
        EvdevEvent(type: raw.type, code: raw.code, value: raw.value, time: time(of: raw))
    }

    private static func time(of event: input_event) -> UInt64 {
        var event = event
        let seconds = UInt64(clamping: dashrig_input_event_seconds(&event))
        let microseconds = UInt64(clamping: dashrig_input_event_microseconds(&event))
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if whole.overflow { return .max }
        let sum = whole.partialValue.addingReportingOverflow(microseconds &* 1_000)
        return sum.overflow ? .max : sum.partialValue
    }
}
