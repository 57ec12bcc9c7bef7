public import RigModel

/// A phrase of the console of Android Auto's desktop head unit, and what it becomes here.
public struct DHUPhrase: Equatable, Sendable {
    /// What a phrase becomes.
    public enum Meaning: Equatable, Sendable {
        /// This step of a scenario.
        case step(String)
        /// `touch tap X Y`, from two arguments.
        case tap
        /// `wait`, from an argument in whole seconds.
        case sleep
        /// `appearance light` or `appearance dark`.
        case appearance(Appearance)
        /// The other appearance than the last that the script set.
        case otherAppearance
        /// `vehicle WORD VALUE` with this word, from at most one argument; without one the measure is unknown.
        case measure(String, DHUMeasure)
        /// `vehicle location …`, from latitude, longitude and up to four more numbers.
        case location
        /// The end: what stands behind it is checked and not run.
        case end
        /// Nothing, for this reason; it completes "has no meaning here: ".
        case none(String)
    }

    /// Its words: `dpad`, `rotate`, `left`. Arguments follow only where the meaning has some.
    public let words: [String]
    /// What it becomes.
    public let meaning: Meaning

    private init(_ text: String, _ meaning: Meaning) {
        words = text.split(separator: " ").map(String.init)
        self.meaning = meaning
    }

    /// The phrase as it is typed.
    public var text: String { words.joined(separator: " ") }

    /// Every phrase of the console. Source of the words: the command reference of the desktop head unit, 1.x and 2.x.
    public static let all: [DHUPhrase] = knob + numberPad + keys + car + sensors + console

    private static let knob: [DHUPhrase] = [
        DHUPhrase("dpad up", .step("knob nudge up")), DHUPhrase("dpad down", .step("knob nudge down")),
        DHUPhrase("dpad left", .step("knob nudge left")), DHUPhrase("dpad right", .step("knob nudge right")),
        DHUPhrase("dpad ul", .step("knob nudge up-left")), DHUPhrase("dpad ur", .step("knob nudge up-right")),
        DHUPhrase("dpad dl", .step("knob nudge down-left")), DHUPhrase("dpad dr", .step("knob nudge down-right")),
        DHUPhrase("dpad click", .step("knob press")), DHUPhrase("dpad back", .step("key back")),
        DHUPhrase("dpad rotate left", .step("knob rotate -1")),
        DHUPhrase("dpad rotate right", .step("knob rotate 1")),
        // A flick is five steps at once there.
        DHUPhrase("dpad flick left", .step("knob rotate -5")), DHUPhrase("dpad flick right", .step("knob rotate 5")),
        DHUPhrase("dpad soft left", .none("the car has no soft keys")),
        DHUPhrase("dpad soft right", .none("the car has no soft keys")),
    ]

    private static let numberPad = "0123456789*#+".map { DHUPhrase("dpad \($0)", .none("the car has no number pad")) }

    private static let keys: [DHUPhrase] = [
        DHUPhrase("tap", .tap),
        DHUPhrase("keycode home", .step("key home")), DHUPhrase("keycode back", .step("key back")),
        DHUPhrase("keycode call", .step("key call")), DHUPhrase("keycode endcall", .step("key hang-up")),
        // The search key of a car is the one that listens.
        DHUPhrase("keycode search", .step("key voice")),
        DHUPhrase("keycode media_play_pause", .step("key play-pause")),
        DHUPhrase("keycode media_play", .step("key play")), DHUPhrase("keycode media_pause", .step("key pause")),
        DHUPhrase("keycode media_next", .step("key next")),
        DHUPhrase("keycode media_previous", .step("key previous")),
        DHUPhrase("keycode media", .none("the car has no key that opens an app")),
        DHUPhrase("keycode navigation", .none("the car has no key that opens an app")),
        DHUPhrase("keycode tel", .none("the car has no key that opens an app")),
        DHUPhrase("mic begin", .step("key voice")),
        DHUPhrase("mic play", .none("the rig carries no sound")),
        DHUPhrase("mic repeat", .none("the rig carries no sound")),
        DHUPhrase("mic reject", .none("the rig carries no sound")),
    ]

    private static let car: [DHUPhrase] = [
        DHUPhrase("day", .appearance(.light)), DHUPhrase("night", .appearance(.dark)),
        DHUPhrase("daynight", .otherAppearance), DHUPhrase("nightday", .otherAppearance),
        DHUPhrase("restrict none", .step("limited-ui none")),
        DHUPhrase("restrict all", .step("limited-ui keyboard,lists")),
        DHUPhrase("focus", .none("the phone says itself what is heard and shown")),
    ]

    private static let sensors: [DHUPhrase] = [
        DHUPhrase("fuel", .measure("fuel", .number(.fuel, "percent"))),
        DHUPhrase("range", .measure("range", .number(.range, "kilometres"))),
        DHUPhrase("lowfuel", .measure("range-low", .truth)),
        DHUPhrase("speed", .measure("speed", .number(.speed, "metres per second"))),
        DHUPhrase("parking_brake", .measure("parking-brake", .truth)), DHUPhrase("gear", .measure("gear", .gear)),
        DHUPhrase("location", .location),
        DHUPhrase("accel", .none("the car has no motion sensor")),
        DHUPhrase("gyro", .none("the car has no motion sensor")),
        DHUPhrase("compass", .none("where the car heads is part of its location")),
        DHUPhrase("odometer", .none("the car does not count its way")),
        DHUPhrase("tollcard", .none("the car takes no toll card")),
        DHUPhrase("gps_satellite", .none("the car tells its place, not the satellites")),
    ]

    private static let console: [DHUPhrase] = [
        DHUPhrase("sleep", .sleep), DHUPhrase("quit", .end), DHUPhrase("exit", .end),
        DHUPhrase("help", .none("it is about the console itself; there is 'dashrig help'")),
        DHUPhrase("licenses", .none("it is about the console itself")),
        DHUPhrase("screenshot", .none("the rig draws no picture")),
    ]
}

/// How an argument of that console says a measure.
public enum DHUMeasure: Equatable, Sendable {
    /// A number in the unit named, which is the published one.
    case number(VehicleQuantity, String)
    /// `on`, `off`, `true` or `false`.
    case truth
    /// 0 neutral, 100 drive, 101 park, 102 reverse.
    case gear
}
