import EvdevInput
import RigModel

/// A device, and the kernel's evdev for one reader of it: its state, and the ring that drops everything when it
/// overflows.
struct EvdevKernelModel {
    let device: InputDeviceDescription
    private(set) var keysDown: [UInt16] = []
    private var axes: [UInt16: Int32] = [:]
    private var slots: [[UInt16: Int32]]
    private var chosen = 0
    private var toldSlot = 0
    private var lastContact: Int32 = 0
    private var ring: [EvdevEvent] = []
    private var readable = 0
    private let ringSize: Int
    private var time: UInt64 = 5_000_000_000

    private static let synchronization: UInt16 = 0
    private static let dropped: UInt16 = 3
    private static let slotAxis: UInt16 = 0x2F
    private static let contactAxis: UInt16 = 0x39

    init(_ device: InputDeviceDescription, ringSize: Int) {
        self.device = device
        self.ringSize = ringSize
        let count = device.range(of: Self.slotAxis).map { Int($0.maximum) + 1 } ?? 0
        slots = Array(repeating: [Self.contactAxis: -1], count: count)
    }

    var isEmpty: Bool { readable == 0 }

    /// The slots that have a contact.
    var contacts: [Int] { slots.indices.filter { slots[$0][Self.contactAxis] ?? -1 >= 0 } }

    /// The driver reports a frame; only what changes reaches the reader.
    mutating func report(_ input: inout FuzzInput) {
        time += UInt64(input.byte()) * 1_000_000
        var frame: [EvdevEvent] = []
        for _ in 0..<input.int(1...4) { frame += change(&input) }
        guard !frame.isEmpty else { return }
        frame.append(event(Self.synchronization, 0, 0))
        for event in frame { put(event) }
    }

    private mutating func change(_ input: inout FuzzInput) -> [EvdevEvent] {
        switch input.int(0...5) {
        case 0, 1:
            guard !device.key.isEmpty else { return [] }
            let code = input.pick(device.key)
            if let place = keysDown.firstIndex(of: code) {
                // A key that is held repeats itself.
                if input.bool() { return [event(1, code, 2)] }
                keysDown.remove(at: place)
                return [event(1, code, 0)]
            }
            keysDown.append(code)
            return [event(1, code, 1)]
        case 2:
            guard !device.rel.isEmpty else { return [] }
            return [event(2, input.pick(device.rel), input.pick([1, -1, 2, -3]))]
        case 3:
            guard !slots.isEmpty else { return [] }
            chosen = input.int(0...slots.count - 1)
            let isDown = slots[chosen][Self.contactAxis] ?? -1 >= 0
            // A driver may exchange a contact for another in one frame.
            if isDown && input.bool() { return slotChange(Self.contactAxis, -1) }
            lastContact += 1
            return slotChange(Self.contactAxis, lastContact)
        case 4:
            guard !slots.isEmpty else { return [] }
            chosen = input.int(0...slots.count - 1)
            return slotChange(input.pick([0x35, 0x36]), Int32(input.byte()))
        default:
            let codes = device.abs.filter { $0 < Self.slotAxis }
            guard !codes.isEmpty else { return [] }
            let (code, value) = (input.pick(codes), Int32(input.byte()))
            if axes[code] ?? 0 == value { return [] }
            axes[code] = value
            return [event(3, code, value)]
        }
    }

    private mutating func slotChange(_ code: UInt16, _ value: Int32) -> [EvdevEvent] {
        if slots[chosen][code] ?? 0 == value { return [] }
        slots[chosen][code] = value
        defer { toldSlot = chosen }
        let selection = toldSlot == chosen ? [] : [event(3, Self.slotAxis, Int32(chosen))]
        return selection + [event(3, code, value)]
    }

    private func event(_ type: UInt16, _ code: UInt16, _ value: Int32) -> EvdevEvent {
        EvdevEvent(type: type, code: code, value: value, time: time)
    }

    private mutating func put(_ event: EvdevEvent) {
        ring.append(event)
        if ring.count >= ringSize {
            ring = [self.event(Self.synchronization, Self.dropped, 0), event]
            readable = 0
        }
        if event.type == Self.synchronization && event.code == 0 { readable = ring.count }
    }

    /// What a read of so many events gets.
    mutating func take(_ count: Int) -> [EvdevEvent] {
        let taken = Array(ring.prefix(min(count, readable)))
        ring.removeFirst(taken.count)
        readable -= taken.count
        return taken
    }

    /// What the state ioctls answer: keys, then axes, then slots, with whatever happens in between.
    mutating func standing(_ input: inout FuzzInput) -> EvdevStanding {
        var standing = EvdevStanding(device)
        flushKeys()
        for code in keysDown { standing.setKey(code, down: true) }
        if input.int(0...3) == 3 { report(&input) }
        for code in standing.axisCodes { standing.setAxis(code, to: axes[code] ?? 0) }
        if input.int(0...3) == 3 { report(&input) }
        for code in standing.slotCodes {
            for slot in slots.indices { standing.setValue(code, ofSlot: slot, to: slots[slot][code] ?? 0) }
        }
        standing.setSlot(Int32(toldSlot))
        return standing
    }

    /// Reading the keys takes those that wait out of the queue, and the frames that are empty then.
    private mutating func flushKeys() {
        var kept: [EvdevEvent] = []
        var isFrameEmpty = true
        for event in ring.prefix(readable) where event.type != 1 {
            let isReport = event.type == Self.synchronization && event.code == 0
            if isReport && isFrameEmpty { continue }
            isFrameEmpty = isReport
            kept.append(event)
        }
        let rest = ring.dropFirst(readable).filter { $0.type != 1 }
        readable = kept.count
        ring = kept + rest
    }
}
