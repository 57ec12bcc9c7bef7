import InputCore
import RigConfiguration
import RigModel

/// Which decoder reads a node, and how: the one place where the device table meets the decoders.
enum DecoderChoice {
    /// The decoder of a node that is recognised as `profile`, or `nil` when it has nothing that the profile asks for.
    static func decoder(
        _ profile: InputProfile, _ device: InputDeviceDescription, _ settings: RigSettings
    ) -> KnobDecoder? {
        let axis = profile.axis(of: device)
        let press = profile.press(of: device)
        switch profile.part {
        case .whole: if axis == nil { return nil }
        case .addition: if axis == nil && press == nil { return nil }
        }
        return KnobDecoder(
            layout: KnobLayout(
                axis: axis, unitsPerDetent: max(1, profile.unitsPerDetent), reversed: profile.reversed, press: press,
                longPress: settings.longPress))
    }
}
