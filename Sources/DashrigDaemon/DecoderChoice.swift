import InputCore
import RigConfiguration
import RigModel

/// Which decoder reads a node, and how: the one place where the device table meets the decoders.
enum DecoderChoice {
    /// The decoder of a node that is open and recognised as `profile`, or `nil` when it has nothing that the profile asks
    /// for.
    static func decoder(
        _ profile: InputProfile, _ device: InputDeviceDescription, _ settings: RigSettings
    ) -> InputDecoder? {
        let layout = profile.layout(of: device, longPress: settings.longPress)
        let isEmpty = layout.turn == nil && layout.nudge == nil && layout.keys.isEmpty && layout.surface == nil
        return isEmpty ? nil : InputDecoder(layout, limits: limits(settings))
    }

    /// The times that make intents of events.
    static func limits(_ settings: RigSettings) -> IntentLimits { settings.intentLimits }
}
