/// Which of a device's codes make up its knob, and how far one detent is.
///
/// At most one relative axis is listened to. A wheel reports the same motion twice, in whole detents and in 1/120 of
/// them; whoever adds the two turns twice as far.
public struct KnobLayout: Equatable, Sendable {
    /// The relative axis that carries the rotation, or `nil` for a node that has only the press of a knob.
    public var axis: UInt16?
    /// How many units of the axis make one detent; above 0. A remainder is kept for the next frame.
    public var unitsPerDetent: Int32
    /// True where the device counts up when it is turned counter-clockwise.
    public var reversed: Bool
    /// The button that is the press, or `nil` for a knob that cannot be pressed.
    public var press: UInt16?
    /// From how many nanoseconds on a press is long.
    public var longPress: UInt64

    /// 500 ms, the usual limit of desktop and phone toolkits.
    public static let defaultLongPress: UInt64 = 500_000_000

    /// States a layout. `unitsPerDetent` below 1 is a programmer's error: configuration is checked where it is read.
    public init(
        axis: UInt16?, unitsPerDetent: Int32 = 1, reversed: Bool = false, press: UInt16?,
        longPress: UInt64 = KnobLayout.defaultLongPress
    ) {
        precondition(unitsPerDetent > 0, "a detent has at least one unit")
        self.axis = axis
        self.unitsPerDetent = unitsPerDetent
        self.reversed = reversed
        self.press = press
        self.longPress = longPress
    }

    /// Finds the knob among a device's capabilities, or `nil` when it has no axis that a knob turns.
    ///
    /// A dial goes before a wheel: a jog shuttle has both, and its wheel is the spring ring. High resolution is taken
    /// only when it is asked for and there; it makes the sum exact for devices that report parts of a detent.
    public init?(
        relativeAxes: some Sequence<UInt16>, keys: some Sequence<UInt16>, highResolution: Bool = false
    ) {
        let axes = Array(relativeAxes)
        let buttons = Array(keys)
        let presses = [EvdevCode.button0, EvdevCode.select, EvdevCode.enter, EvdevCode.buttonMiddle]
        let press = presses.first { buttons.contains($0) }
        if axes.contains(EvdevCode.dial) {
            self.init(axis: EvdevCode.dial, press: press)
        } else if highResolution && axes.contains(EvdevCode.wheelHighResolution) {
            self.init(axis: EvdevCode.wheelHighResolution, unitsPerDetent: 120, press: press)
        } else if axes.contains(EvdevCode.wheel) {
            self.init(axis: EvdevCode.wheel, press: press)
        } else {
            return nil
        }
    }
}
