public import RigModel

/// What an evdev device must be to fit. Of each list that is not empty one part must be there, of the `without` lists
/// none.
public struct InputMatch: Equatable, Sendable {
    /// The vendors.
    public var vendors: [UInt16] = []
    /// The products.
    public var products: [ClosedRange<UInt16>] = []
    /// The name that the driver gives it.
    public var names: [NamePattern] = []
    /// Relative axes.
    public var rel: [UInt16] = []
    /// Relative axes that it must not have.
    public var withoutRel: [UInt16] = []
    /// Keys and buttons.
    public var key: [UInt16] = []
    /// Keys and buttons that it must not have.
    public var withoutKey: [UInt16] = []
    /// Absolute axes.
    public var abs: [UInt16] = []
    /// Absolute axes that it must not have.
    public var withoutAbs: [UInt16] = []

    /// Fits everything until something is asked for.
    public init() {}

    /// True when nothing is asked for; what it must not have alone picks out nothing.
    public var isEmpty: Bool {
        vendors.isEmpty && products.isEmpty && names.isEmpty && rel.isEmpty && key.isEmpty && abs.isEmpty
    }

    /// Whether the device fits.
    public func matches(_ device: InputDeviceDescription) -> Bool {
        func one(_ wanted: [UInt16], of there: [UInt16]) -> Bool {
            wanted.isEmpty || wanted.contains(where: there.contains)
        }
        func none(_ unwanted: [UInt16], of there: [UInt16]) -> Bool { !unwanted.contains(where: there.contains) }
        return (vendors.isEmpty || vendors.contains(device.vendor))
            && (products.isEmpty || products.contains { $0.contains(device.product) })
            && (names.isEmpty || names.contains { $0.matches(device.name) })
            && one(rel, of: device.rel) && none(withoutRel, of: device.rel)
            && one(key, of: device.key) && none(withoutKey, of: device.key)
            && one(abs, of: device.abs) && none(withoutAbs, of: device.abs)
    }
}

/// The event codes that device tables may call by name (linux/input-event-codes.h). Others are written as numbers.
enum EventCodes {
    typealias Table = [(name: String, code: UInt16)]

    static let relative: Table = [
        ("REL_X", 0), ("REL_Y", 1), ("REL_Z", 2), ("REL_RX", 3), ("REL_RY", 4), ("REL_RZ", 5), ("REL_HWHEEL", 6),
        ("REL_DIAL", 7), ("REL_WHEEL", 8), ("REL_MISC", 9), ("REL_WHEEL_HI_RES", 11), ("REL_HWHEEL_HI_RES", 12),
    ]

    static let keys: Table = [
        ("KEY_ESC", 1), ("KEY_Q", 16), ("KEY_ENTER", 28), ("KEY_A", 30), ("KEY_SPACE", 57), ("KEY_KPENTER", 96),
        ("KEY_HOME", 102), ("KEY_UP", 103), ("KEY_LEFT", 105), ("KEY_RIGHT", 106), ("KEY_DOWN", 108),
        ("KEY_MUTE", 113), ("KEY_VOLUMEDOWN", 114), ("KEY_VOLUMEUP", 115), ("KEY_MENU", 139), ("KEY_BACK", 158),
        ("KEY_PLAYPAUSE", 164), ("KEY_HOMEPAGE", 172), ("BTN_0", 0x100), ("BTN_1", 0x101), ("BTN_2", 0x102),
        ("BTN_3", 0x103), ("BTN_4", 0x104), ("BTN_5", 0x105), ("BTN_6", 0x106), ("BTN_7", 0x107), ("BTN_8", 0x108),
        ("BTN_9", 0x109), ("BTN_LEFT", 0x110), ("BTN_RIGHT", 0x111), ("BTN_MIDDLE", 0x112),
        ("BTN_TOOL_FINGER", 0x145), ("BTN_TOUCH", 0x14A), ("KEY_OK", 0x160), ("KEY_SELECT", 0x161),
    ]

    static let absolute: Table = [
        ("ABS_X", 0), ("ABS_Y", 1), ("ABS_RUDDER", 7), ("ABS_WHEEL", 8), ("ABS_MT_SLOT", 0x2F),
        ("ABS_MT_POSITION_X", 0x35), ("ABS_MT_POSITION_Y", 0x36),
    ]

    /// The most a code can be: KEY_MAX.
    static let maximum = 0x2FF

    /// Codes between commas, by name or number.
    static func parse(_ text: String, _ table: Table) throws(ConfigurationValueError) -> [UInt16] {
        var codes: [UInt16] = []
        for part in try ConfigurationValue.list(text) {
            if let known = table.first(where: { $0.name == part }) {
                codes.append(known.code)
            } else if ConfigurationValue.isDecimal(part) {
                codes.append(UInt16(clamping: try ConfigurationValue.integer(part, in: 0...maximum)))
            } else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(part)) is neither a number nor a name that is known here",
                    suggestion: Spelling.nearest(to: part, among: table.map(\.name)))
            }
        }
        return codes
    }
}
