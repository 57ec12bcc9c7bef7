internal import CLinux
package import RigModel

/// How a node stands: the keys that are down, the place of every absolute axis and the values of every slot, as they were
/// last told or as the kernel has them. A value without a file behind it.
///
/// The kernel sends changes only, so both sides must remember: what was lost is found by comparing the two.
package struct EvdevStanding: Equatable, Sendable {
    /// One bit for each key.
    private var keys = [UInt64](repeating: 0, count: EvdevStanding.keyCount / 64)
    /// How many of them are down.
    private(set) var downCount = 0
    /// The places of the axes by code; 0 for those that the device has not.
    private var axes = [Int32](repeating: 0, count: EvdevStanding.axisCount)
    /// The codes of axes that are not a slot's, ascending.
    package let axisCodes: [UInt16]
    /// The codes of the values that each slot has, ascending.
    package let slotCodes: [UInt16]
    /// How many slots the device has; 0 for a device without.
    package let slotCount: Int
    /// The values of slot 0, then those of slot 1, …: as many as there are codes of a slot.
    private var slotValues: [Int32]
    /// The slot that values belong to from now on. One outside the slots is a broken device's; its values are not kept.
    private(set) var slot: Int32 = 0

    /// KEY_MAX + 1 and ABS_MAX + 1 (linux/input-event-codes.h).
    static let keyCount = 0x300
    static let axisCount = 0x40
    /// More slots than fingers that any pad tells apart; drivers make 2 to 32. Those above are not followed.
    static let maximumSlots = 128

    private static let slotAxis = UInt16(ABS_MT_SLOT)
    private static let contactAxis = UInt16(ABS_MT_TRACKING_ID)
    /// The values that a slot can have: ABS_MT_TOUCH_MAJOR to ABS_MT_TOOL_Y.
    private static let slotRange = UInt16(ABS_MT_TOUCH_MAJOR)...UInt16(ABS_MT_TOOL_Y)

    /// A node of this kind with nothing down, everything at 0 and no contacts.
    package init(_ device: InputDeviceDescription) {
        // A device that has the code below too, which is reserved, has every code there is: a gamepad whose driver counts
        // its axes through. The kernel has no slots for it.
        let hasSlots = device.abs.contains(Self.slotAxis) && !device.abs.contains(Self.slotAxis - 1)
        let codes = device.abs.filter { $0 < Self.axisCount }
        // Without slots a contact's values (protocol A) are no state: each report says everything again.
        axisCodes = codes.filter { !Self.slotRange.contains($0) && $0 != Self.slotAxis }
        slotCodes = hasSlots ? codes.filter(Self.slotRange.contains) : []
        let highest = Int(device.range(of: Self.slotAxis)?.maximum ?? 0)
        slotCount = hasSlots ? min(max(highest, 0), Self.maximumSlots - 1) + 1 : 0
        slotValues = [Int32](repeating: 0, count: slotCount * slotCodes.count)
        for index in 0..<slotCount { setValue(Self.contactAxis, ofSlot: index, to: -1) }
    }

    // MARK: What was told

    /// Takes an event into account.
    mutating func note(_ event: EvdevEvent) {
        switch event.type {
        case UInt16(EV_KEY):
            // 2 is the kernel's autorepeat of a key that is held.
            if event.value == 0 || event.value == 1 { setKey(event.code, down: event.value == 1) }
        case UInt16(EV_ABS):
            if event.code == Self.slotAxis {
                slot = event.value
            } else if slotCount > 0 && Self.slotRange.contains(event.code) {
                setValue(event.code, ofSlot: Int(slot), to: event.value)
            } else {
                setAxis(event.code, to: event.value)
            }
        default: break
        }
    }

    // MARK: What the kernel has

    package mutating func setKey(_ code: UInt16, down: Bool) {
        let word = Int(code) / 64
        guard word < keys.count else { return }
        let bit: UInt64 = 1 << UInt64(code % 64)
        if (keys[word] & bit != 0) == down { return }
        keys[word] ^= bit
        downCount += down ? 1 : -1
    }

    package mutating func setAxis(_ code: UInt16, to value: Int32) {
        if Int(code) < axes.count { axes[Int(code)] = value }
    }

    package mutating func setSlot(_ index: Int32) { slot = index }

    package mutating func setValue(_ code: UInt16, ofSlot index: Int, to value: Int32) {
        guard let place = place(code, index) else { return }
        slotValues[place] = value
    }

    // MARK: Frames

    /// Everything, for whoever hears of the node for the first time.
    package func initialFrame(time: UInt64) -> EvdevFrame {
        var frame = EvdevFrame(cause: .initial, time: time)
        for code in downKeys { frame.append(EV_KEY, code, 1) }
        for code in axisCodes { frame.append(EV_ABS, code, axes[Int(code)]) }
        for index in 0..<slotCount {
            frame.append(EV_ABS, Self.slotAxis, Int32(index))
            for code in slotCodes { frame.append(EV_ABS, code, value(code, ofSlot: index)) }
        }
        if slotCount > 0 { frame.append(EV_ABS, Self.slotAxis, slot) }
        return frame
    }

    /// What must be told so that whoever knows this standing knows the other: no frame, one, or two. The first of two
    /// ends the contacts that were exchanged for others.
    func frames(leadingTo now: EvdevStanding, time: UInt64) -> [EvdevFrame] {
        var told = self
        let ends = told.endExchanged(now, time)
        let rest = told.differences(now, time)
        return [ends, rest].filter { !$0.events.isEmpty }
    }

    private mutating func endExchanged(_ now: EvdevStanding, _ time: UInt64) -> EvdevFrame {
        var frame = EvdevFrame(cause: .recovered, time: time)
        for index in 0..<min(slotCount, now.slotCount) {
            let (old, new) = (value(Self.contactAxis, ofSlot: index), now.value(Self.contactAxis, ofSlot: index))
            guard old >= 0, new >= 0, old != new else { continue }
            frame.append(EV_ABS, Self.slotAxis, Int32(index))
            frame.append(EV_ABS, Self.contactAxis, -1)
            slot = Int32(index)
            setValue(Self.contactAxis, ofSlot: index, to: -1)
        }
        return frame
    }

    private mutating func differences(_ now: EvdevStanding, _ time: UInt64) -> EvdevFrame {
        var frame = EvdevFrame(cause: .recovered, time: time)
        for word in keys.indices {
            var changed = keys[word] ^ now.keys[word]
            while changed != 0 {
                let bit = changed.trailingZeroBitCount
                changed &= changed - 1
                frame.append(EV_KEY, UInt16(word * 64 + bit), now.keys[word] >> UInt64(bit) & 1 == 1 ? 1 : 0)
            }
        }
        for code in axisCodes where axes[Int(code)] != now.axes[Int(code)] {
            frame.append(EV_ABS, code, now.axes[Int(code)])
        }
        for index in 0..<min(slotCount, now.slotCount) {
            for code in slotCodes where value(code, ofSlot: index) != now.value(code, ofSlot: index) {
                if slot != Int32(index) {
                    slot = Int32(index)
                    frame.append(EV_ABS, Self.slotAxis, slot)
                }
                frame.append(EV_ABS, code, now.value(code, ofSlot: index))
            }
        }
        if slot != now.slot { frame.append(EV_ABS, Self.slotAxis, now.slot) }
        return frame
    }

    // MARK: Parts

    /// The keys that are down, ascending.
    package var downKeys: [UInt16] {
        var codes: [UInt16] = []
        codes.reserveCapacity(downCount)
        for code in 0..<UInt16(Self.keyCount) where keys[Int(code) / 64] >> UInt64(code % 64) & 1 == 1 {
            codes.append(code)
        }
        return codes
    }

    private func value(_ code: UInt16, ofSlot index: Int) -> Int32 {
        place(code, index).map { slotValues[$0] } ?? -1
    }

    private func place(_ code: UInt16, _ index: Int) -> Int? {
        guard (0..<slotCount).contains(index), let column = slotCodes.firstIndex(of: code) else { return nil }
        return index * slotCodes.count + column
    }
}

extension EvdevFrame {
    /// Adds an event of the frame's own time.
    fileprivate mutating func append(_ type: Int32, _ code: UInt16, _ value: Int32) {
        events.append(EvdevEvent(type: UInt16(type), code: code, value: value, time: time))
    }
}
