public import RigModel

/// One finger on a touch surface, in the units of its axes.
public struct SurfaceContact: Equatable, Sendable {
    /// 0 to `SurfaceLayout.maximumSlots` - 1, the same from `began` to its end.
    public var id: Int
    /// Where it is, on the axis of the device; any value, a broken device leaves its range.
    public var x: Int32
    /// Where it is, on the axis of the device.
    public var y: Int32
    /// What it did in this frame.
    public var phase: ContactPhase

    /// States a contact.
    public init(id: Int, x: Int32, y: Int32, phase: ContactPhase) {
        self.id = id
        self.x = x
        self.y = y
        self.phase = phase
    }
}

/// What an input node did.
public enum DeviceInput: Equatable, Sendable {
    /// Something that can be told as it is.
    case event(InputEvent)
    /// One frame of a touchscreen, in the order of the contacts' ids. Who knows the display gives it pixels, by
    /// `TouchGeometry`.
    case touch([SurfaceContact])
    /// What was meant by it.
    case intent(InputIntent)
}
