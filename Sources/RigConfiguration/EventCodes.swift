import RigModel

/// The event codes that device tables may call by name (linux/input-event-codes.h). Others are written as numbers.
enum EventCodes {
    typealias Table = [(name: String, code: UInt16)]

    static let relative: Table = [
        ("REL_X", 0), ("REL_Y", 1), ("REL_Z", 2), ("REL_RX", 3), ("REL_RY", 4), ("REL_RZ", 5), ("REL_HWHEEL", 6),
        ("REL_DIAL", 7), ("REL_WHEEL", 8), ("REL_MISC", 9), ("REL_WHEEL_HI_RES", 11), ("REL_HWHEEL_HI_RES", 12),
    ]

    static let keys: Table = [
        ("KEY_ESC", 1), ("KEY_1", 2), ("KEY_2", 3), ("KEY_3", 4), ("KEY_4", 5), ("KEY_5", 6), ("KEY_6", 7),
        ("KEY_7", 8), ("KEY_8", 9), ("KEY_9", 10), ("KEY_0", 11), ("KEY_MINUS", 12), ("KEY_EQUAL", 13),
        ("KEY_BACKSPACE", 14), ("KEY_TAB", 15), ("KEY_Q", 16), ("KEY_W", 17), ("KEY_E", 18), ("KEY_R", 19),
        ("KEY_T", 20), ("KEY_Y", 21), ("KEY_U", 22), ("KEY_I", 23), ("KEY_O", 24), ("KEY_P", 25),
        ("KEY_LEFTBRACE", 26), ("KEY_RIGHTBRACE", 27), ("KEY_ENTER", 28), ("KEY_A", 30), ("KEY_S", 31), ("KEY_D", 32),
        ("KEY_F", 33), ("KEY_G", 34), ("KEY_H", 35), ("KEY_J", 36), ("KEY_K", 37), ("KEY_L", 38), ("KEY_Z", 44),
        ("KEY_X", 45), ("KEY_C", 46), ("KEY_V", 47), ("KEY_B", 48), ("KEY_N", 49), ("KEY_M", 50), ("KEY_COMMA", 51),
        ("KEY_DOT", 52), ("KEY_SPACE", 57), ("KEY_F1", 59), ("KEY_F2", 60), ("KEY_F3", 61), ("KEY_F4", 62),
        ("KEY_F5", 63), ("KEY_F6", 64), ("KEY_F7", 65), ("KEY_F8", 66), ("KEY_F9", 67), ("KEY_F10", 68),
        ("KEY_KP7", 71), ("KEY_KP8", 72), ("KEY_KP9", 73), ("KEY_KPMINUS", 74), ("KEY_KP4", 75), ("KEY_KP5", 76),
        ("KEY_KP6", 77), ("KEY_KPPLUS", 78), ("KEY_KP1", 79), ("KEY_KP2", 80), ("KEY_KP3", 81), ("KEY_KP0", 82),
        ("KEY_F11", 87), ("KEY_F12", 88), ("KEY_KPENTER", 96), ("KEY_HOME", 102), ("KEY_UP", 103),
        ("KEY_PAGEUP", 104), ("KEY_LEFT", 105), ("KEY_RIGHT", 106), ("KEY_END", 107), ("KEY_DOWN", 108),
        ("KEY_PAGEDOWN", 109), ("KEY_MUTE", 113), ("KEY_VOLUMEDOWN", 114), ("KEY_VOLUMEUP", 115), ("KEY_POWER", 116),
        ("KEY_MENU", 139), ("KEY_SLEEP", 142), ("KEY_WAKEUP", 143), ("KEY_BACK", 158), ("KEY_FORWARD", 159),
        ("KEY_NEXTSONG", 163), ("KEY_PLAYPAUSE", 164), ("KEY_PREVIOUSSONG", 165), ("KEY_STOPCD", 166),
        ("KEY_PHONE", 169), ("KEY_HOMEPAGE", 172), ("KEY_EXIT", 174), ("KEY_F13", 183), ("KEY_F14", 184),
        ("KEY_F15", 185), ("KEY_F16", 186), ("KEY_F17", 187), ("KEY_F18", 188), ("KEY_F19", 189), ("KEY_F20", 190),
        ("KEY_F21", 191), ("KEY_F22", 192), ("KEY_F23", 193), ("KEY_F24", 194), ("KEY_PLAYCD", 200),
        ("KEY_PAUSECD", 201), ("KEY_PLAY", 207), ("KEY_SEARCH", 217), ("KEY_MICMUTE", 248), ("BTN_0", 0x100),
        ("BTN_1", 0x101), ("BTN_2", 0x102), ("BTN_3", 0x103), ("BTN_4", 0x104), ("BTN_5", 0x105), ("BTN_6", 0x106),
        ("BTN_7", 0x107), ("BTN_8", 0x108), ("BTN_9", 0x109), ("BTN_LEFT", 0x110), ("BTN_RIGHT", 0x111),
        ("BTN_MIDDLE", 0x112), ("BTN_SIDE", 0x113), ("BTN_EXTRA", 0x114), ("BTN_TRIGGER", 0x120),
        ("BTN_SOUTH", 0x130), ("BTN_EAST", 0x131), ("BTN_NORTH", 0x133), ("BTN_WEST", 0x134), ("BTN_TOOL_PEN", 0x140),
        ("BTN_TOOL_FINGER", 0x145), ("BTN_TOOL_QUINTTAP", 0x148), ("BTN_TOUCH", 0x14A), ("BTN_STYLUS", 0x14B),
        ("BTN_TOOL_DOUBLETAP", 0x14D), ("BTN_TOOL_TRIPLETAP", 0x14E), ("BTN_TOOL_QUADTAP", 0x14F), ("KEY_OK", 0x160),
        ("KEY_SELECT", 0x161), ("KEY_PICKUP_PHONE", 0x1BD), ("KEY_HANGUP_PHONE", 0x1BE), ("BTN_DPAD_UP", 0x220),
        ("BTN_DPAD_DOWN", 0x221), ("BTN_DPAD_LEFT", 0x222), ("BTN_DPAD_RIGHT", 0x223), ("KEY_VOICECOMMAND", 0x246),
        ("KEY_ASSISTANT", 0x247),
    ]

    static let absolute: Table = [
        ("ABS_X", 0), ("ABS_Y", 1), ("ABS_Z", 2), ("ABS_RX", 3), ("ABS_RY", 4), ("ABS_RZ", 5), ("ABS_THROTTLE", 6),
        ("ABS_RUDDER", 7), ("ABS_WHEEL", 8), ("ABS_HAT0X", 0x10), ("ABS_HAT0Y", 0x11), ("ABS_MISC", 0x28),
        ("ABS_MT_SLOT", 0x2F), ("ABS_MT_POSITION_X", 0x35), ("ABS_MT_POSITION_Y", 0x36),
        ("ABS_MT_TRACKING_ID", 0x39),
    ]

    static let properties: Table = [
        ("INPUT_PROP_POINTER", 0), ("INPUT_PROP_DIRECT", 1), ("INPUT_PROP_BUTTONPAD", 2), ("INPUT_PROP_SEMI_MT", 3),
        ("INPUT_PROP_TOPBUTTONPAD", 4), ("INPUT_PROP_POINTING_STICK", 5), ("INPUT_PROP_ACCELEROMETER", 6),
    ]

    /// The most a code can be: KEY_MAX.
    static let maximum = 0x2FF

    /// Codes between commas, by name or number.
    static func parse(_ text: String, _ table: Table) throws(ConfigurationValueError) -> [UInt16] {
        var codes: [UInt16] = []
        for part in try ConfigurationValue.list(text) { codes.append(try code(part, table)) }
        return codes
    }

    /// One code, by name or number.
    static func code(_ text: String, _ table: Table) throws(ConfigurationValueError) -> UInt16 {
        if let known = table.first(where: { $0.name == text }) { return known.code }
        if ConfigurationValue.isDecimal(text) {
            return UInt16(clamping: try ConfigurationValue.integer(text, in: 0...maximum))
        }
        throw ConfigurationValueError(
            "\(ConfigurationValue.quoted(text)) is neither a number nor a name that is known here",
            suggestion: Spelling.nearest(to: text, among: table.map(\.name)))
    }
}
