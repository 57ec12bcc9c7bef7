/// One display as a unit declares it to the phone. All coordinates are pixels of the display, origin top left.
public struct DisplayDeclaration: Hashable, Sendable {
    /// What a display is for.
    public enum Role: UInt8, Hashable, Sendable, CaseIterable {
        case main = 0
        case instrumentCluster = 1
    }

    /// The device with which a display is mainly operated. 1...3 as in LIVI's `primaryInputDevice`.
    public enum PrimaryInput: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        case touchscreen = 1
        case touchpad = 2
        case knob = 3
    }

    /// The devices with which a display can be operated.
    public struct Inputs: OptionSet, Hashable, Sendable {
        /// The value as it is on the wire.
        public let rawValue: UInt8

        /// Keeps every bit as given.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Fingers on the screen.
        public static let touchscreen = Inputs(rawValue: 1)
        /// Fingers on a pad.
        public static let touchpad = Inputs(rawValue: 2)
        /// A knob that turns, nudges and presses.
        public static let knob = Inputs(rawValue: 4)
        /// Keys on wheel or panel.
        public static let keys = Inputs(rawValue: 8)
        /// Every bit with a meaning.
        public static let all: Inputs = [.touchscreen, .touchpad, .knob, .keys]
    }

    /// How fine the touchscreen is.
    public enum TouchFidelity: UInt8, Hashable, Sendable, CaseIterable {
        case none = 0
        case low = 1
        case high = 2
    }

    /// Day or night.
    public enum Appearance: UInt8, Hashable, Sendable, CaseIterable {
        case light = 0
        case dark = 1
    }

    /// On which side the driver sits.
    public enum DriverSide: UInt8, Hashable, Sendable, CaseIterable {
        case left = 0
        case right = 1
    }

    /// A rectangle in pixels of the display.
    public struct Rectangle: Hashable, Sendable {
        /// Pixels from the left.
        public var x: UInt16
        /// Pixels from the top.
        public var y: UInt16
        /// Pixels to the right of `x`.
        public var width: UInt16
        /// Pixels below `y`.
        public var height: UInt16

        /// Makes a rectangle.
        public init(x: UInt16, y: UInt16, width: UInt16, height: UInt16) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }

        /// True when no side is 0 and all of it lies in `outer`.
        public func isInside(_ outer: Rectangle) -> Bool {
            width > 0 && height > 0 && x >= outer.x && y >= outer.y
                && Int(x) + Int(width) <= Int(outer.x) + Int(outer.width)
                && Int(y) + Int(height) <= Int(outer.y) + Int(outer.height)
        }
    }

    /// A part of a display in which can be drawn, with the part of it in which can be operated.
    public struct ViewArea: Hashable, Sendable {
        /// Where is drawn.
        public var area: Rectangle
        /// Where is operated, inside of `area`.
        public var safeArea: Rectangle

        /// Makes a view area; without a safe area all of it is safe.
        public init(area: Rectangle, safeArea: Rectangle? = nil) {
            self.area = area
            self.safeArea = safeArea ?? area
        }
    }

    /// The unit's name for the display, unique among its displays, 1...`maximumNameLength` bytes of UTF-8.
    public var name: String
    /// What the display is for.
    public var role: Role
    /// Width in pixels.
    public var pixelWidth: UInt16
    /// Height in pixels.
    public var pixelHeight: UInt16
    /// Pixels per point, times 100: 200 and 300 are usual.
    public var scaleHundredths: UInt16
    /// Frames per second at most.
    public var framesPerSecond: UInt16
    /// Width in millimetres, 0 when unknown.
    public var millimetreWidth: UInt16
    /// Height in millimetres, 0 when unknown.
    public var millimetreHeight: UInt16
    /// The view areas, the one to begin with first; none means the whole display.
    public var viewAreas: [ViewArea]
    /// With what it is mainly operated.
    public var primaryInput: PrimaryInput
    /// With what it can be operated.
    public var inputs: Inputs
    /// How fine its touchscreen is.
    public var touchFidelity: TouchFidelity
    /// Day or night, at the start.
    public var appearance: Appearance
    /// On which side the driver sits.
    public var driverSide: DriverSide

    /// Makes a declaration, unchecked; see `validate(_:)`.
    public init(
        name: String, role: Role = .main, pixelWidth: UInt16, pixelHeight: UInt16, scaleHundredths: UInt16 = 200,
        framesPerSecond: UInt16 = 60, millimetreWidth: UInt16 = 0, millimetreHeight: UInt16 = 0,
        viewAreas: [ViewArea] = [], primaryInput: PrimaryInput = .touchscreen, inputs: Inputs = .touchscreen,
        touchFidelity: TouchFidelity = .high, appearance: Appearance = .light, driverSide: DriverSide = .left
    ) {
        self.name = name
        self.role = role
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.scaleHundredths = scaleHundredths
        self.framesPerSecond = framesPerSecond
        self.millimetreWidth = millimetreWidth
        self.millimetreHeight = millimetreHeight
        self.viewAreas = viewAreas
        self.primaryInput = primaryInput
        self.inputs = inputs
        self.touchFidelity = touchFidelity
        self.appearance = appearance
        self.driverSide = driverSide
    }

    /// The whole display.
    public var bounds: Rectangle { Rectangle(x: 0, y: 0, width: pixelWidth, height: pixelHeight) }
}
