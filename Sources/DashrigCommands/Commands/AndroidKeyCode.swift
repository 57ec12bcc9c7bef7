internal import RigConfiguration
internal import RigModel

/// A key of Android, and what it is in this car.
struct AndroidKeyCode: Sendable {
    enum Meaning: Sendable {
        /// A key of the car.
        case key(Key)
        /// The knob, pushed down.
        case press
        /// The knob, pushed sideways.
        case nudge(NudgeDirection)
        /// Nothing, for this reason.
        case none(String)

        /// What pushes it for `hold` nanoseconds; nothing for a key without a meaning.
        func gesture(hold: UInt64) -> Gesture? {
            switch self {
            case .key(let key): .key(key, hold: hold)
            case .press: .press(hold: hold)
            case .nudge(let direction): .nudge(direction, hold: hold)
            case .none: nil
            }
        }

        /// What it is called here.
        var text: String {
            switch self {
            case .key(let key): "key \(ConfigurationValue.word(key.rawValue))"
            case .press: "knob press"
            case .nudge(let direction): "knob nudge \(ConfigurationValue.word(direction.rawValue))"
            case .none(let reason): "nothing: \(reason)"
            }
        }
    }

    /// Its number there.
    let code: Int
    /// Its name there, without `KEYCODE_`.
    let name: String
    let meaning: Meaning

    private init(_ code: Int, _ name: String, _ meaning: Meaning) {
        self.code = code
        self.name = name
        self.meaning = meaning
    }

    /// The keys that a car has there. Source of numbers and names: Android's `KeyEvent`.
    static let all: [AndroidKeyCode] = [
        AndroidKeyCode(3, "HOME", .key(.home)), AndroidKeyCode(4, "BACK", .key(.back)),
        AndroidKeyCode(5, "CALL", .key(.call)), AndroidKeyCode(6, "ENDCALL", .key(.hangUp)),
        AndroidKeyCode(19, "DPAD_UP", .key(.up)), AndroidKeyCode(20, "DPAD_DOWN", .key(.down)),
        AndroidKeyCode(21, "DPAD_LEFT", .key(.left)), AndroidKeyCode(22, "DPAD_RIGHT", .key(.right)),
        // What the knob of such a car sends when it is pushed down.
        AndroidKeyCode(23, "DPAD_CENTER", .press),
        AndroidKeyCode(24, "VOLUME_UP", .none(Self.noSound)), AndroidKeyCode(25, "VOLUME_DOWN", .none(Self.noSound)),
        AndroidKeyCode(66, "ENTER", .key(.select)), AndroidKeyCode(79, "HEADSETHOOK", .key(.hookSwitch)),
        AndroidKeyCode(84, "SEARCH", .key(.voice)), AndroidKeyCode(85, "MEDIA_PLAY_PAUSE", .key(.playPause)),
        AndroidKeyCode(86, "MEDIA_STOP", .none("the car has no such key; pause is 127")),
        AndroidKeyCode(87, "MEDIA_NEXT", .key(.next)), AndroidKeyCode(88, "MEDIA_PREVIOUS", .key(.previous)),
        AndroidKeyCode(91, "MUTE", .key(.mute)), AndroidKeyCode(126, "MEDIA_PLAY", .key(.play)),
        AndroidKeyCode(127, "MEDIA_PAUSE", .key(.pause)), AndroidKeyCode(164, "VOLUME_MUTE", .key(.mute)),
        AndroidKeyCode(231, "VOICE_ASSIST", .key(.voice)),
        AndroidKeyCode(268, "DPAD_UP_LEFT", .nudge(.upLeft)), AndroidKeyCode(269, "DPAD_DOWN_LEFT", .nudge(.downLeft)),
        AndroidKeyCode(270, "DPAD_UP_RIGHT", .nudge(.upRight)),
        AndroidKeyCode(271, "DPAD_DOWN_RIGHT", .nudge(.downRight)),
        AndroidKeyCode(280, "SYSTEM_NAVIGATION_UP", .nudge(.up)),
        AndroidKeyCode(281, "SYSTEM_NAVIGATION_DOWN", .nudge(.down)),
        AndroidKeyCode(282, "SYSTEM_NAVIGATION_LEFT", .nudge(.left)),
        AndroidKeyCode(283, "SYSTEM_NAVIGATION_RIGHT", .nudge(.right)),
    ]

    /// Why what changes the volume has no meaning.
    static let noSound = "the rig carries no sound"

    /// The key of a number or a name, with or without `KEYCODE_`; `nil` if the table has none.
    static func named(_ word: String) -> AndroidKeyCode? {
        if let code = Int(word) { return all.first { $0.code == code } }
        let prefix = "KEYCODE_"
        let name = word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word
        return all.first { $0.name == name }
    }
}
