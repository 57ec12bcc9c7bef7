public import RigModel

/// An input device as the kernel is to make it. Whatever it is made from, it has no withheld key and no event types but
/// keys, relative and absolute axes.
public struct VirtualInputDevice: Equatable, Sendable {
    /// What a device is when it is not made from a recording.
    public enum Kind: String, Sendable, CaseIterable {
        case knob, touchpad, touchscreen
    }

    /// What the kernel is told, and what it answers to whoever opens the node.
    public let description: InputDeviceDescription
    /// Which commands it has a meaning for; `nil` for the device of a recording, which only takes events.
    public let kind: Kind?
    /// The withheld keys that its recording has, ascending.
    public let withheld: [UInt16]
    /// Whether its name was cut: the kernel takes 79 bytes of one.
    public let isNameCut: Bool

    /// UINPUT_MAX_NAME_SIZE (linux/uinput.h) without the NUL.
    public static let maximumName = 79
    /// The most slots: uinput takes no more than 100 since Linux 6.11.
    public static let maximumSlots = 100
    /// BUS_VIRTUAL (linux/input.h).
    static let virtualBus: UInt16 = 6

    // REL_MAX, ABS_MAX, INPUT_PROP_MAX and KEY_MAX (linux/input-event-codes.h).
    private static let maximumRelative: UInt16 = 0x0F
    private static let maximumAbsolute: UInt16 = 0x3F
    private static let maximumProperty: UInt16 = 0x1F
    private static let maximumKey: UInt16 = 0x2FF

    /// The device of a recording, with what the kernel can be told of it.
    ///
    /// Autorepeat is not asked for: the repeats of a recording are in it.
    public init(recorded device: InputDeviceDescription) throws(VirtualInputRefusal) {
        try self.init(device, kind: nil)
    }

    init(_ device: InputDeviceDescription, kind: Kind?) throws(VirtualInputRefusal) {
        try Self.check(device)
        let name = Self.cut(device.name.isEmpty ? "Dashrig device" : device.name)
        let keys = device.key.filter { WithheldKey.name(of: $0) == nil }
        var types: [UInt16] = []
        if !keys.isEmpty { types.append(InputCode.key) }
        if !device.rel.isEmpty { types.append(InputCode.relative) }
        if !device.abs.isEmpty { types.append(InputCode.absolute) }
        guard !types.isEmpty else {
            throw VirtualInputRefusal("the device has no key, no relative and no absolute axis that may be made")
        }
        description = InputDeviceDescription(
            bus: device.bus, vendor: device.vendor, product: device.product, version: device.version, name: name,
            ev: types, key: keys, rel: device.rel, abs: device.abs, props: device.props,
            axes: device.axes.filter { device.abs.contains($0.code) })
        withheld = device.key.filter { WithheldKey.name(of: $0) != nil }
        isNameCut = name != device.name && !device.name.isEmpty
        self.kind = kind
    }

    /// Whether it can send this event. The kernel swallows all others without a word.
    public func sends(_ event: EvdevEvent) -> Bool {
        switch event.type {
        case InputCode.key: description.key.contains(event.code)
        case InputCode.relative: description.rel.contains(event.code)
        case InputCode.absolute: description.abs.contains(event.code)
        default: false
        }
    }

    /// Whether the kernel's text console takes it for a keyboard, which then types there too: keys below BTN_MISC.
    public var typesOnConsole: Bool { description.key.contains { $0 < 0x100 } }

    /// What uinput refuses with nothing but EINVAL.
    private static func check(_ device: InputDeviceDescription) throws(VirtualInputRefusal) {
        let codes: [(what: String, codes: [UInt16], most: UInt16)] = [
            ("key", device.key, maximumKey), ("relative axis", device.rel, maximumRelative),
            ("absolute axis", device.abs, maximumAbsolute), ("property", device.props, maximumProperty),
        ]
        for (what, codes, most) in codes {
            if let code = codes.last, code > most {
                throw VirtualInputRefusal("the device has the \(what) \(code); the kernel knows them up to \(most)")
            }
        }
        for axis in device.axes where device.abs.contains(axis.code) {
            let span = Int64(axis.maximum) - Int64(axis.minimum)
            if (axis.minimum != 0 || axis.maximum != 0) && span <= 0 {
                throw VirtualInputRefusal(
                    "the absolute axis \(axis.code) goes from \(axis.minimum) to \(axis.maximum), which is no range")
            }
            if Int64(axis.flat) > span || span > Int64(Int32.max) {
                throw VirtualInputRefusal(
                    "the absolute axis \(axis.code) has the range \(span) and the rest position \(axis.flat); the "
                        + "kernel takes neither a range above \(Int32.max) nor a rest position above the range")
            }
            if axis.code == InputCode.slot && (axis.minimum != 0 || axis.maximum >= Int32(maximumSlots)) {
                throw VirtualInputRefusal(
                    "the device's slots go from \(axis.minimum) to \(axis.maximum); the kernel takes 0 to "
                        + "\(maximumSlots - 1)")
            }
        }
    }

    /// As much of a name as the kernel takes, in whole characters; what would end it or a line is replaced.
    private static func cut(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in name.unicodeScalars {
            size += UTF8.width(scalar)
            if size > maximumName { break }
            kept.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
        }
        return String(kept)
    }
}
