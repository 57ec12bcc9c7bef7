internal import CLinux

/// What an input device is and can do.
public struct EvdevProfile: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Bus, vendor, product and version.
    public var id: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16)
    /// Its keys.
    public var keys: [UInt16]
    /// Its relative axes.
    public var relative: [UInt16]
    /// Its absolute axes.
    public var absolute: [UInt16]
    /// The ranges of those of its absolute axes that do not go from 0 to 255.
    public var ranges: [EvdevRange] = []
    /// Where it says that it is attached. Nodes of one device say the same up to the last slash.
    public var phys = "mock/input0"
    /// Its properties.
    public var properties: [UInt16]
    /// The places of the ring of each reader.
    public var ringSize = 64

    /// States a profile.
    public init(
        name: String, id: (bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16), keys: [UInt16] = [],
        relative: [UInt16] = [], absolute: [UInt16] = [], properties: [UInt16] = []
    ) {
        self.name = name
        self.id = id
        self.keys = keys
        self.relative = relative
        self.absolute = absolute
        self.properties = properties
    }

    /// Equal in all parts.
    public static func == (left: EvdevProfile, right: EvdevProfile) -> Bool {
        left.name == right.name && left.id == right.id && left.keys == right.keys && left.relative == right.relative
            && left.absolute == right.absolute && left.properties == right.properties
            && left.ranges == right.ranges && left.phys == right.phys && left.ringSize == right.ringSize
    }

    /// Griffin PowerMate: a dial and BTN_0 (kernel driver `powermate`).
    public static let powerMate = EvdevProfile(
        name: "Griffin PowerMate", id: (3, 0x077D, 0x0410, 0x0400), keys: [0x100], relative: [7])
    /// A GPIO encoder on a wheel's axis, with the high-resolution twin that the kernel adds.
    public static let wheelEncoder = EvdevProfile(
        name: "rotary-encoder", id: (0x19, 0, 0, 0x0100), keys: [28], relative: [8, 11])
    /// A mouse: must not be taken for a knob.
    public static let mouse = EvdevProfile(
        name: "USB Optical Mouse", id: (3, 0x046D, 0xC077, 0x0111), keys: [0x110, 0x111, 0x112],
        relative: [0, 1, 8, 11])
    /// A keyboard: must not be taken for a knob.
    public static let keyboard = EvdevProfile(
        name: "USB Keyboard", id: (3, 0x046D, 0xC31C, 0x0110), keys: Array(1...127))

    /// A touchpad of 66 × 27 mm with five slots.
    public static let touchpad: EvdevProfile = {
        var pad = EvdevProfile(
            name: "Test Touchpad", id: (0x11, 2, 7, 0x01B1), keys: [0x110, 0x145, 0x148, 0x14A, 0x14D, 0x14E, 0x14F],
            absolute: [0, 1, 0x2F, 0x35, 0x36, 0x39], properties: [0])
        pad.ranges = [
            EvdevRange(0, 1_472...5_768, resolution: 65), EvdevRange(1, 1_408...5_062, resolution: 136),
            EvdevRange(0x2F, 0...4), EvdevRange(0x35, 1_472...5_768, resolution: 65),
            EvdevRange(0x36, 1_408...5_062, resolution: 136), EvdevRange(0x39, 0...65_535),
        ]
        pad.ringSize = 256
        return pad
    }()

    /// A touchscreen with two slots, whatever its size.
    public static let touchscreen: EvdevProfile = {
        var screen = EvdevProfile(
            name: "Test Touchscreen", id: (3, 0x1209, 2, 1), keys: [0x14A],
            absolute: [0, 1, 0x2F, 0x35, 0x36, 0x39], properties: [1])
        screen.ranges = [
            EvdevRange(0, 0...4_095), EvdevRange(1, 0...4_095), EvdevRange(0x2F, 0...1), EvdevRange(0x35, 0...4_095),
            EvdevRange(0x36, 0...4_095), EvdevRange(0x39, 0...65_535),
        ]
        return screen
    }()

    /// The types it has: always EV_SYN.
    var types: [UInt16] {
        [UInt16(EV_SYN)] + (keys.isEmpty ? [] : [UInt16(EV_KEY)]) + (relative.isEmpty ? [] : [UInt16(EV_REL)])
            + (absolute.isEmpty ? [] : [UInt16(EV_ABS)])
    }
}

/// The range of one absolute axis.
public struct EvdevRange: Equatable, Sendable {
    /// The axis.
    public let code: UInt16
    /// From its smallest value to its largest.
    public let values: ClosedRange<Int32>
    /// Units per millimetre; 0 when nobody knows.
    public let resolution: Int32

    /// States a range.
    public init(_ code: UInt16, _ values: ClosedRange<Int32>, resolution: Int32 = 0) {
        self.code = code
        self.values = values
        self.resolution = resolution
    }
}
