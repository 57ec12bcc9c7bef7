internal import CLinux

/// The places of a device's absolute axes as the kernel keeps them, slots included.
struct EvdevAbsoluteState {
    private let ranges: [UInt16: EvdevRange]
    private var axes: [UInt16: Int32] = [:]
    private var slots: [[UInt16: Int32]] = []
    /// The slot that the driver has chosen, and the one that readers were told of.
    private var chosen: Int32 = 0
    private var told: Int32 = 0

    private static let slotAxis = UInt16(ABS_MT_SLOT)
    private static let contactAxis = UInt16(ABS_MT_TRACKING_ID)
    private static let slotCodes = UInt16(ABS_MT_TOUCH_MAJOR)...UInt16(ABS_MT_TOOL_Y)

    init(_ profile: EvdevProfile) {
        ranges = Dictionary(profile.ranges.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
        for code in profile.absolute { axes[code] = ranges[code]?.values.lowerBound ?? 0 }
        if profile.absolute.contains(Self.slotAxis) {
            let count = Int(ranges[Self.slotAxis]?.values.upperBound ?? 0) + 1
            slots = Array(repeating: [Self.contactAxis: -1], count: count)
        }
    }

    /// What readers are told when a driver says this: nothing where nothing changes.
    mutating func changes(_ code: UInt16, _ value: Int32) -> [(code: UInt16, value: Int32)] {
        if code == Self.slotAxis {
            if slots.indices.contains(Int(value)) { chosen = value }
            return []
        }
        guard !slots.isEmpty, Self.slotCodes.contains(code) else {
            if axes[code] == value { return [] }
            axes[code] = value
            return [(code, value)]
        }
        if slots[Int(chosen)][code] ?? 0 == value { return [] }
        slots[Int(chosen)][code] = value
        defer { told = chosen }
        return (told == chosen ? [] : [(Self.slotAxis, chosen)]) + [(code, value)]
    }

    /// What EVIOCGABS answers: value, minimum, maximum, fuzz, flat, resolution.
    func information(_ code: UInt16) -> [Int32]? {
        guard let value = code == Self.slotAxis ? told : axes[code] else { return nil }
        let range = ranges[code] ?? EvdevRange(code, 0...255)
        return [value, range.values.lowerBound, range.values.upperBound, 0, 0, range.resolution]
    }

    /// What EVIOCGMTSLOTS answers for one code: its value in every slot.
    func values(_ code: UInt16) -> [Int32]? {
        slots.isEmpty || !Self.slotCodes.contains(code) ? nil : slots.map { $0[code] ?? 0 }
    }
}
