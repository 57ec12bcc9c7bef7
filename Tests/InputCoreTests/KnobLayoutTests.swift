import InputCore
import Testing

@Suite struct KnobLayoutTests {
    @Test(
        arguments: [
            // PowerMate, Surface Dial.
            ([7], [0x100], false, KnobLayout(axis: 7, press: 0x100)),
            // A jog shuttle has a dial and a spring ring on the wheel's axis.
            ([7, 8, 11], [0x104, 0x105], true, KnobLayout(axis: 7, press: nil)),
            // GPIO encoders.
            ([8], [], false, KnobLayout(axis: 8, press: nil)),
            ([8, 11], [28], false, KnobLayout(axis: 8, press: 28)),
            ([8, 11], [0x112, 0x161], true, KnobLayout(axis: 11, unitsPerDetent: 120, press: 0x161)),
            ([8], [], true, KnobLayout(axis: 8, press: nil)),
            // A mouse without a wheel, a keyboard.
            ([0, 1], [0x110], false, nil),
            ([], [28], false, nil),
        ] as [([UInt16], [UInt16], Bool, KnobLayout?)])
    func findsTheKnob(axes: [UInt16], keys: [UInt16], highResolution: Bool, expected: KnobLayout?) {
        #expect(KnobLayout(relativeAxes: axes, keys: keys, highResolution: highResolution) == expected)
    }
}
