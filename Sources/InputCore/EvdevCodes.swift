/// The kernel's event types and codes that this target knows, as in `linux/input-event-codes.h`. They are part of the
/// kernel's stable interface, so a pure target may write them down.
public enum EvdevCode {
    /// Type of the marks that end a frame or tell of lost events.
    public static let synchronization: UInt16 = 0x00
    /// Type of keys and buttons: 1 down, 0 up, 2 autorepeat.
    public static let key: UInt16 = 0x01
    /// Type of relative motion.
    public static let relative: UInt16 = 0x02
    /// Type of absolute axes.
    public static let absolute: UInt16 = 0x03

    /// `SYN_REPORT`: the frame is complete.
    public static let report: UInt16 = 0
    /// `SYN_DROPPED`: the kernel's ring for this reader overflowed.
    public static let dropped: UInt16 = 3

    /// `REL_DIAL`, what most knobs report.
    public static let dial: UInt16 = 7
    /// `REL_WHEEL`, whole detents.
    public static let wheel: UInt16 = 8
    /// `REL_WHEEL_HI_RES`, the same motion again in 1/120 of a detent, in the same frame.
    public static let wheelHighResolution: UInt16 = 11

    /// `KEY_ENTER`
    public static let enter: UInt16 = 28
    /// `BTN_0`, the press of a PowerMate and of a Surface Dial.
    public static let button0: UInt16 = 0x100
    /// `BTN_MIDDLE`, the press of a wheel that calls itself a mouse's.
    public static let buttonMiddle: UInt16 = 0x112
    /// `KEY_SELECT`
    public static let select: UInt16 = 0x161

    /// `BTN_TOUCH`: something touches the surface.
    public static let touch: UInt16 = 0x14A
    /// `BTN_TOOL_FINGER`, `_DOUBLETAP`, `_TRIPLETAP`, `_QUADTAP` and `_QUINTTAP`: how many fingers are on a pad, also where
    /// it has fewer slots; in that order.
    public static let fingerCounts: [UInt16] = [0x145, 0x14D, 0x14E, 0x14F, 0x148]

    /// `ABS_X`
    public static let absoluteX: UInt16 = 0x00
    /// `ABS_Y`
    public static let absoluteY: UInt16 = 0x01
    /// `ABS_MT_SLOT`: which contact the following values are of.
    public static let slot: UInt16 = 0x2F
    /// `ABS_MT_POSITION_X`
    public static let contactX: UInt16 = 0x35
    /// `ABS_MT_POSITION_Y`
    public static let contactY: UInt16 = 0x36
    /// `ABS_MT_TRACKING_ID`: 0 and above begins a contact in its slot, -1 ends it.
    public static let trackingID: UInt16 = 0x39
}
